package explorer

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
)

// draw is where Fanorona 5x5 begins.
const draw = "BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w"

// certificates are those of both halves of the draw, over the small tables. They are
// made once.
var certificates = sync.OnceValues(func() ([]string, error) {
	all, err := tables()
	if err != nil {
		return nil, err
	}
	out := filepath.Join(scratch, "draw.proof")
	_, err = all[0].Instance.Prove(context.Background(), filepath.Join(scratch, all[0].Instance.Folder()), "start", catalogue.ProveOptions{
		Claim: catalogue.ClaimDraw, Method: proofnumber.DFPN, Out: out, Workers: 1, Memory: 1 << 30,
	})
	return []string{out + ".white", out + ".black"}, err
})

// walk opens certificates, which are not checked yet.
func walk(t testing.TB, paths ...string) catalogue.Walk {
	t.Helper()
	walks, err := catalogue.OpenWalks(t.Context(), paths)
	if err != nil || len(walks) != 1 {
		t.Fatalf("%d walks, error %v", len(walks), err)
	}
	t.Cleanup(func() { walks[0].Close() })
	return walks[0]
}

// prepare has them checked, with indexes in a folder.
func prepare(t testing.TB, w catalogue.Walk, indexes string) error {
	t.Helper()
	return w.Prepare(t.Context(), catalogue.WalkOptions{
		Dir: filepath.Join(scratch, w.Instance().Folder()), Indexes: indexes, Program: "test", Workers: 1, Memory: 1 << 30,
	})
}

// proven is a walk of the draw, checked.
func proven(t testing.TB) catalogue.Walk {
	t.Helper()
	paths, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	w := walk(t, paths...)
	if err := prepare(t, w, filepath.Join(scratch, "proofs")); err != nil {
		t.Fatal(err)
	}
	return w
}

// proofServer serves the small tables and proofs.
func proofServer(t testing.TB, walks ...catalogue.Walk) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(newServerOf(t, unhurried(), walks).Handler())
	t.Cleanup(server.Close)
	return server
}

// proofOf asks what is proved of a position.
func proofOf(t *testing.T, h http.Handler, position string) catalogue.Proof {
	t.Helper()
	w := get(h, "/api/v1/fanorona/5x5/proof?p="+url.QueryEscape(position))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: status %d, %s", position, w.Code, w.Body)
	}
	return decode[catalogue.Proof](t, w.Body.Bytes())
}

// From the start one can walk through all of the proof: of a record's turns each leads
// to another, into the tables or to the end, and where the tables have the position they
// say the same.
func TestTheProofIsWalkedToItsEnds(t *testing.T) {
	h := newServerOf(t, unhurried(), []catalogue.Walk{proven(t)}).Handler()
	places := make(map[string]int)
	seen, next := map[string]bool{}, []string{draw}
	for len(next) > 0 && len(seen) < 400 {
		position := next[len(next)-1]
		next = next[:len(next)-1]
		if seen[position] {
			continue
		}
		seen[position] = true
		found := proofOf(t, h, position)
		for i, claim := range found.Claims {
			places[claim.Place]++
			if claim.Place == "outside" && claim.Status != catalogue.ClaimOpen || claim.Place == "certificate" && claim.Status != catalogue.ClaimProved {
				t.Fatalf("%s: %+v", position, claim)
			}
			kept := 0
			for _, turn := range found.Turns {
				at := turn.Claims[i]
				if at.Keeps {
					kept++
				}
				if claim.Place == "certificate" && claim.Turn == nil && !at.Holds {
					t.Fatalf("%s: %s is not held after %s", position, claim.Claim, turn.Turn)
				}
				if at.Holds && at.Place == "certificate" {
					next = append(next, turn.Position)
				}
			}
			if own := claim.Turn != nil; own != (kept == 1) || kept > 1 {
				t.Fatalf("%s: %d turns keep %s, which names %v", position, kept, claim.Claim, claim.Turn)
			}
		}
	}
	if places["certificate"] == 0 || places["outside"] == 0 {
		t.Errorf("places %v: want more of them", places)
	}
}

func TestTheStartIsADrawByTwoCertificates(t *testing.T) {
	found := proofOf(t, newServerOf(t, unhurried(), []catalogue.Walk{proven(t)}).Handler(), "start")
	if found.Position != draw || found.Value == nil || *found.Value != "draw" || len(found.Claims) != 2 {
		t.Fatalf("%+v", found)
	}
	white, black := found.Claims[0], found.Claims[1]
	if white.Claim != "white-not-lost" || white.Turn == nil || black.Claim != "black-not-lost" || black.Turn != nil {
		t.Errorf("white %+v, black %+v: want a turn of White's", white, black)
	}
	for _, c := range found.Certificates {
		if c.Status != catalogue.ProofChecked || !c.Start || c.Positions == 0 || len(c.Tables) == 0 || strings.ContainsAny(c.Certificate, "/\\") {
			t.Errorf("%+v", c)
		}
	}
	// Where a table has the position, it tells.
	found = proofOf(t, newServerOf(t, unhurried(), []catalogue.Walk{proven(t)}).Handler(), "B..../...../...../.W.../..W.. w")
	for _, c := range found.Claims {
		if c.Place != "tables" || (c.Status == catalogue.ClaimProved) != (c.Claim == "white-not-lost") {
			t.Errorf("in the tables, where White wins: %+v", c)
		}
	}
}

// Before a certificate is checked, and if it proves nothing, nothing is called proved.
func TestNothingUncheckedIsCalledProved(t *testing.T) {
	paths, err := certificates()
	if err != nil {
		t.Fatal(err)
	}
	waiting := walk(t, paths...)
	h := newServerOf(t, unhurried(), []catalogue.Walk{waiting}).Handler()
	claims := func(want string) {
		t.Helper()
		found := proofOf(t, h, "start")
		if found.Value != nil {
			t.Errorf("the value is %s", *found.Value)
		}
		for _, c := range found.Claims {
			if c.Status != want || c.Turn != nil {
				t.Errorf("%+v: want it %s", c, want)
			}
		}
		for _, turn := range found.Turns {
			if len(turn.Claims) != len(found.Claims) {
				t.Errorf("%d claims after %s", len(turn.Claims), turn.Turn)
			}
			for _, c := range turn.Claims {
				if c.Holds || c.Keeps {
					t.Errorf("after %s %s holds", turn.Turn, c.Claim)
				}
			}
		}
	}
	claims(catalogue.ClaimChecking)
	if err := waiting.Prepare(t.Context(), catalogue.WalkOptions{Dir: t.TempDir(), Indexes: t.TempDir(), Program: "test", Workers: 1, Memory: 1 << 30}); err == nil {
		t.Fatal("a check without tables is no error")
	}
	claims(catalogue.ClaimFailed)
	for _, c := range proofOf(t, h, "start").Certificates {
		if !strings.Contains(c.Reason, "it is missing") || strings.Contains(c.Reason, scratch) {
			t.Errorf("the reason is %q", c.Reason)
		}
	}
}

// A fresh server brings an extract, whose far end it tells from the end of the proof.
func TestTheExtractSaysThatItIsOne(t *testing.T) {
	walks, err := catalogue.Extracts()
	if err != nil || len(walks) == 0 {
		t.Fatalf("%d extracts, error %v", len(walks), err)
	}
	list := decode[map[string]json.RawMessage](t, get(newServerOf(t, unhurried(), walks).Handler(), "/api/v1/games").Body.Bytes())
	for _, p := range decode[[]shownProof](t, list["proofs"]) {
		if p.Status != catalogue.ProofExtract || p.Plies == 0 || p.Checksum == "" || p.Command == "" || p.Checked == "" || len(p.Tables) == 0 {
			t.Errorf("%+v", p)
		}
	}
}

// nothing is a log.
func nothing() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// extractServer serves the extracts that come with the program, and no tables.
func extractServer(t *testing.T) string {
	t.Helper()
	walks, err := catalogue.Extracts()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{
		Proofs: walks, First: walks[0].Instance(), Limits: unhurried(), Logger: nothing(), Version: "test",
		Build: func(catalogue.Instance, string, ...string) BuildHint { return BuildHint{Command: "paika build"} },
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	return server.URL
}

// Where a proof is served beside tables of its board, the page begins with what it proves.
func TestTheFirstPositionIsTheProvedOne(t *testing.T) {
	w := proven(t)
	for _, proofs := range [][]catalogue.Walk{nil, {w}} {
		s := newServerOf(t, unhurried(), proofs)
		s.config.First, s.config.Named = w.Instance(), true
		first := s.first(t.Context())
		if first.Board != w.Instance().Identity().Board || (first.Position == catalogue.Start) != (len(proofs) > 0) {
			t.Errorf("with %d proofs the page begins with %+v", len(proofs), first)
		}
	}
}
