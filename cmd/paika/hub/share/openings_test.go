package share_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/share"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// TestACertificateTellsWhichTurnShowsTheClaim, where a part of the position itself is all of it: the tree
// knows the verdict alone. Of a claim that fails by all turns, or holds after each, none is that.
func TestACertificateTellsWhichTurnShowsTheClaim(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	site := open(t, of, "")
	won := ""
	backwards := func(text []byte) []byte { return reversed(t, of.Game, text) }
	for _, claim := range []string{"white-wins", "black-not-lost"} { // White does
		openings, verdict := shownAlone(t, site, start(t, of), claim, backwards)
		shows := func(o share.Opening) bool { return o.Result == verdict }
		at := slices.IndexFunc(openings, shows)
		if at < 0 {
			t.Fatalf("%s: %v; %+v", claim, verdict, openings)
		}
		won = openings[at].Position
	}
	for _, claim := range []string{"white-wins", "black-not-lost"} { // and so it is whatever Black does
		openings, verdict := shownAlone(t, site, won, claim, nil)
		for _, o := range openings {
			if o.Result != verdict {
				t.Errorf("%s from %s: %v; %+v", claim, won, verdict, o)
			}
		}
	}
}

// reversed is a certificate of a win with its records in the opposite order.
func reversed(t *testing.T, game proofs.Game[fanorona.Position], text []byte) []byte {
	t.Helper()
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var records []proofs.Record
	for rec, err := range file.Records(proofs.Claim{Wins: true}, file.Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, rec)
	}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, game, file.Header, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range slices.Backward(records) {
		if err := w.Copy(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// shownAlone proves a claim of a position by one part, and tells what is known of each turn once that is the
// certificate. The part may be changed before it is sent.
func shownAlone(t *testing.T, site share.Site, position, claim string, change func(text []byte) []byte) ([]share.Opening, proofnumber.Verdict) {
	t.Helper()
	proof, err := site.Proof(share.Question{Position: position, Claim: claim, Version: version, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	team := newTeam(t, site, 1)
	team.change = change
	ledger := team.prove(t, proof)
	part, err := proof.Write(t.Context(), filepath.Join(t.TempDir(), "whole"), team.path)
	if err != nil || len(ledger) != 1 || part != ledger[0].Part {
		t.Fatalf("%s from %s: %+v of %+v, %v", claim, position, part, ledger, err)
	}
	openings, below := proof.Openings(), uint64(0)
	for _, o := range openings {
		below += *o.Nodes
	}
	if nodes := ledger[0].Nodes; below == 0 || below > nodes || len(openings) == 0 {
		t.Errorf("%s from %s: of %d nodes %d are below turns; %+v", claim, position, nodes, below, openings)
	}
	return openings, proof.Verdict()
}

// TestNodesThatNobodyToldByTurnsAreNotNone: a ledger of before has only their sum.
func TestNodesThatNobodyToldByTurnsAreNotNone(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	proof, err := open(t, of, "").Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	told := make([]jobs.Turn, proof.Turns(start(t, of), 100))
	for i := range told {
		told[i].Numbers = jobs.Numbers{Proof: 3, Disproof: 4}
	}
	if err := proof.Take(share.Result{Claim: "white-wins", Position: start(t, of), Nodes: 200_000, Turns: told}); err != nil {
		t.Fatal(err)
	}
	for _, o := range proof.Openings() {
		if o.Nodes != nil || o.Proof != 3 || o.Disproof != 4 || o.Result != proofnumber.Undecided {
			t.Errorf("%+v", o)
		}
	}
}
