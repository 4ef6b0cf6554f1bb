package catalogue_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// workbench is a board with tables, and a folder for certificates.
type workbench struct {
	instance catalogue.Instance
	tables   string
	files    string
}

func newWorkbench(t *testing.T, board string, metric bitboard.Metric, pieces int) workbench {
	t.Helper()
	instance, err := catalogue.Games()[0].Open(board, nil)
	if err != nil {
		t.Fatal(err)
	}
	w := workbench{instance, t.TempDir(), t.TempDir()}
	w.build(t, metric, pieces)
	return w
}

func (w workbench) build(t *testing.T, metric bitboard.Metric, pieces int) {
	t.Helper()
	if _, err := w.instance.Build(t.Context(), w.tables, catalogue.BuildOptions{Pieces: pieces, Metric: metric, Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
}

// prove proves a claim, and tells where its certificate is.
func (w workbench) prove(t *testing.T, position, claim string, parts ...string) (catalogue.Proved, string, error) {
	t.Helper()
	out := filepath.Join(w.files, fmt.Sprintf("%d.proof", len(w.listed(t))))
	proved, err := w.instance.Prove(t.Context(), w.tables, position, catalogue.ProveOptions{
		Claim: claim, Out: out, Parts: parts, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
	})
	return proved, out, err
}

func (w workbench) mustProve(t *testing.T, position, claim string, parts ...string) string {
	t.Helper()
	proved, out, err := w.prove(t, position, claim, parts...)
	if err != nil || proved.Result != proofnumber.Proved {
		t.Fatalf("%s of %s: %s, %v", claim, position, proved.Result, err)
	}
	return out
}

func (w workbench) listed(t *testing.T) []os.DirEntry {
	t.Helper()
	entries, err := os.ReadDir(w.files)
	if err != nil {
		t.Fatal(err)
	}
	return entries
}

// forge seals a text as a certificate.
func (w workbench) forge(t *testing.T, h proofs.Header, lines ...string) string {
	t.Helper()
	h.Format = 1
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	all := append([]string{string(text)}, lines...)
	return w.seal(t, strings.Join(all, "\n")+fmt.Sprintf("\nend\t%d\n", len(lines)))
}

func (w workbench) seal(t *testing.T, text string) string {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := z.EncodeAll([]byte(text), nil)
	hash := xxh3.Hash(file)
	file = append(file, 0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0)
	path := filepath.Join(w.files, fmt.Sprintf("%d.forged", len(w.listed(t))))
	if err := os.WriteFile(path, binary.LittleEndian.AppendUint64(file, hash), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func (w workbench) open(t *testing.T, path string) *catalogue.CertificateFile {
	t.Helper()
	file, err := catalogue.OpenCertificate(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(file.Close)
	return file
}

func (w workbench) check(t *testing.T, path string, parts ...string) (catalogue.Checked, error) {
	t.Helper()
	o := catalogue.CheckOptions{Workers: 2, Memory: 1 << 30}
	for _, part := range parts {
		o.Parts = append(o.Parts, w.open(t, part))
	}
	file := w.open(t, path)
	return file.Instance.Check(t.Context(), w.tables, file, o)
}

// named is a certificate as others name it.
func named(t *testing.T, path string) *proofs.File {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

const (
	start3x3 = "BBB/B.W/WWW w"
	after3x3 = "BBB/.W./WWW b"
	after5x5 = "BBBB./BBB.B/BWWBW/W.WWW/WWWWW b"
)

func header(w workbench, claim, root string, parts ...proofs.Part) proofs.Header {
	return proofs.Header{Setting: proofs.Setting(w.instance.Identity()), Claim: claim, Root: root, Tables: []proofs.Table{}, Parts: parts}
}

// TestForgedPartsAreNotBelieved: 5x5 is a draw, whatever a part says.
func TestForgedPartsAreNotBelieved(t *testing.T) {
	w := newWorkbench(t, "5x5", bitboard.WDL, 3)
	forged := w.forge(t, header(w, "white-wins", after5x5))
	before := len(w.listed(t))
	proved, _, err := w.prove(t, catalogue.Start, "white-wins", forged)
	var invalid *proofs.InvalidPartError
	if !errors.As(err, &invalid) || invalid.Part.Name != forged || invalid.Report.Faults != 1 {
		t.Errorf("%v, want an invalid part %s", err, forged)
	}
	if proved.Result == proofnumber.Proved || proved.Nodes > 0 || len(w.listed(t)) != before {
		t.Errorf("%+v: something was searched, or written", proved)
	}
	// A part can't vouch for it either.
	behind := w.forge(t, header(w, "white-wins", after5x5, named(t, forged).Part()))
	if _, _, err := w.prove(t, catalogue.Start, "white-wins", behind, forged); !errors.As(err, &invalid) || invalid.Part.Name != forged {
		t.Errorf("%v, want an invalid part %s", err, forged)
	}
	checked, err := w.check(t, behind, forged)
	if err != nil || checked.Valid || len(checked.Parts) != 1 || checked.Parts[0].Valid || !strings.Contains(checked.Findings[0], forged) {
		t.Errorf("%+v, %v, want it not valid, for its part", checked, err)
	}
}

// TestPartsAreToldOf: a proof names what it relies on, and that it was checked.
func TestPartsAreToldOf(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	first := w.mustProve(t, after3x3, "white-wins")
	second := w.mustProve(t, after3x3, "white-wins", first)
	proved, whole, err := w.prove(t, start3x3, "white-wins", second, first)
	if err != nil || proved.Result != proofnumber.Proved {
		t.Fatalf("%+v, %v", proved, err)
	}
	if len(proved.Parts) != 2 || proved.Parts[0].File != first || proved.Parts[1].File != second || !proved.Parts[1].Valid || proved.Parts[1].Checksum == "" {
		t.Errorf("parts %+v, want %s and %s, checked", proved.Parts, first, second)
	}
	checked, err := w.check(t, whole, second, first)
	if err != nil || !checked.Valid || !checked.Start || checked.Parts[0].Start {
		t.Errorf("%+v, %v, want it valid, from the start", checked, err)
	}
	// Tables that the search leaves out are loaded for the parts, and are dropped.
	few, err := w.instance.Prove(t.Context(), w.tables, start3x3, catalogue.ProveOptions{
		Claim: "white-wins", Pieces: 2, Parts: []string{first}, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
	})
	if err != nil || few.Result != proofnumber.Proved || few.Tables != 1 {
		t.Errorf("%+v, %v, want it proved with one table", few, err)
	}
}

// TestFilesAreJudgedByTheirOwnHeaders: whatever stands in the body.
func TestFilesAreJudgedByTheirOwnHeaders(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	whole, part := w.mustProve(t, start3x3, "white-wins"), named(t, w.mustProve(t, after3x3, "white-wins"))
	for _, c := range []struct {
		name   string
		change func(*proofs.Header)
	}{
		{"another board", func(h *proofs.Header) { h.Board, h.Root = "5x3", "BBBBB/...../WWWWW w" }},
		{"another rule", func(h *proofs.Header) { h.Rules = strings.Replace(h.Rules, "stalemate=loss", "stalemate=draw", 1) }},
		{"another claim", func(h *proofs.Header) { h.Claim = "white-not-lost" }},
		{"the other side's claim", func(h *proofs.Header) { h.Claim = "black-wins" }},
	} {
		h := part.Header
		c.change(&h)
		other := w.forge(t, h)
		if _, err := w.check(t, whole, other); !errors.Is(err, proofs.ErrPart) || !strings.Contains(err.Error(), other) {
			t.Errorf("check with a part of %s: %v, want %v", c.name, err, proofs.ErrPart)
		}
		if _, _, err := w.prove(t, start3x3, "white-wins", other); !errors.Is(err, proofs.ErrPart) || !strings.Contains(err.Error(), other) {
			t.Errorf("prove with a part of %s: %v, want %v", c.name, err, proofs.ErrPart)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*proofs.Header)
	}{
		{"another game", func(h *proofs.Header) { h.Game = "chess" }},
		{"a game of the same notation", func(h *proofs.Header) { h.Game = "konane" }},
		{"an impossible board", func(h *proofs.Header) { h.Board = "99999999999x3" }},
		{"a named board", func(h *proofs.Header) { h.Board = "telo" }},
		{"a rule left out", func(h *proofs.Header) { h.Rules = "stalemate=loss" }},
		{"a rule twice", func(h *proofs.Header) { h.Rules += ",stalemate=loss" }},
		{"a rule that no one knows", func(h *proofs.Header) { h.Rules += ",x=y" }},
		{"a root that is no position", func(h *proofs.Header) { h.Root = "BBX/.W./WWW b" }},
		{"a root that a terminal obeys", func(h *proofs.Header) { h.Root += "\nwhite-wins: valid\x1b[8m" }},
	} {
		h := part.Header
		c.change(&h)
		_, err := catalogue.OpenCertificate(t.Context(), w.forge(t, h), nil)
		if !errors.Is(err, proofs.ErrFormat) || catalogue.FaultOf(err).Code != catalogue.CodeDamaged {
			t.Errorf("%s: %v, want %v", c.name, err, proofs.ErrFormat)
		}
	}
	h := part.Header
	h.Claim = "white-smiles"
	if _, err := w.check(t, w.forge(t, h)); !errors.Is(err, proofs.ErrFormat) {
		t.Errorf("an unknown claim: %v, want %v", err, proofs.ErrFormat)
	}
	h = part.Header
	h.Root = start3x3
	if checked, err := w.check(t, w.forge(t, h)); err != nil || checked.Valid {
		t.Errorf("another root: %+v, %v, want it not valid", checked, err)
	}
}

// TestPartsAreThoseNamed: by checksum and position.
func TestPartsAreThoseNamed(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	part := w.mustProve(t, after3x3, "white-wins")
	whole := w.mustProve(t, start3x3, "white-wins", part)
	var need *proofs.NeedError
	if _, err := w.check(t, whole); !errors.As(err, &need) {
		t.Errorf("a part missing: %v", err)
	}
	if _, err := w.check(t, whole, part, part); !errors.Is(err, proofs.ErrPart) {
		t.Errorf("a part twice: %v", err)
	}
	h := named(t, whole).Header
	h.Parts = []proofs.Part{{Root: start3x3, Checksum: h.Parts[0].Checksum}}
	if _, err := w.check(t, w.forge(t, h), part); !errors.As(err, &need) {
		t.Errorf("a part for another position: %v", err)
	}
}

// TestACertificateIsJudgedByWhatItReliesOn: a file that is no part of it does not make it not valid, but
// is refused, whatever that lacks itself. Tables that its parts rest on count for it.
func TestACertificateIsJudgedByWhatItReliesOn(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	part := w.mustProve(t, after3x3, "white-wins")
	whole := w.mustProve(t, start3x3, "white-wins", part)
	for name, other := range map[string]string{
		"one that is not valid":     w.forge(t, header(w, "white-wins", after3x3)),
		"one without its own parts": w.forge(t, header(w, "white-wins", after3x3, proofs.Part{Root: start3x3, Checksum: "0123456789abcdef"})),
	} {
		if _, err := w.check(t, whole, part, other); !errors.Is(err, proofs.ErrPart) || !strings.HasPrefix(err.Error(), other) {
			t.Errorf("%s: %v, want %v", name, err, proofs.ErrPart)
		}
	}
	h := named(t, whole).Header
	rests := len(h.Tables)
	if rests == 0 || rests != len(named(t, part).Header.Tables) {
		t.Fatalf("%v", h.Tables)
	}
	h.Tables = []proofs.Table{}
	checked, err := w.check(t, w.forge(t, h), part)
	if err != nil || checked.Valid || checked.Tables != rests || len(checked.Parts) != 1 || checked.Parts[0].Tables != rests {
		t.Errorf("%+v, %v, want %d tables", checked, err, rests)
	}
}

// TestCirclesAreNoProof: two certificates that rely on each other, as only one
// who can forge seals makes them.
func TestCirclesAreNoProof(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 2)
	ones := proofs.Part{Root: after3x3, Checksum: "1111111111111111"}
	twos := proofs.Part{Root: after3x3, Checksum: "2222222222222222"}
	h := header(w, "white-wins", after3x3, twos)
	one, two := w.reseal(t, w.forge(t, h), 0x1111111111111111), ""
	h.Parts = []proofs.Part{ones}
	two = w.reseal(t, w.forge(t, h), 0x2222222222222222)
	if _, err := w.check(t, one, two, one); !errors.Is(err, proofs.ErrPart) || !strings.Contains(err.Error(), "relies on itself") {
		t.Errorf("%v, want %v", err, proofs.ErrPart)
	}
	if checked, err := w.check(t, one, two); err == nil && checked.Valid {
		t.Errorf("%+v: a circle is valid", checked)
	}
	if _, _, err := w.prove(t, after3x3, "white-wins", one, two); !errors.Is(err, proofs.ErrPart) {
		t.Errorf("%v, want %v", err, proofs.ErrPart)
	}
}

// reseal writes another checksum into the seal.
func (w workbench) reseal(t *testing.T, path string, sum uint64) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	binary.LittleEndian.PutUint64(text[len(text)-8:], sum)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestMetricsAreKeptApart: a certificate and its part can name a slice in one
// metric each.
func TestMetricsAreKeptApart(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.DTW, 4)
	part := w.mustProve(t, after3x3, "white-wins")
	w.build(t, bitboard.WDL, 4)
	whole := w.mustProve(t, start3x3, "white-wins", part)
	for path, metric := range map[string]string{part: "dtw", whole: "wdl"} {
		if tables := named(t, path).Header.Tables; len(tables) == 0 || tables[0].Metric != metric {
			t.Errorf("tables %v, want some with %s", tables, metric)
		}
	}
	if checked, err := w.check(t, whole, part); err != nil || !checked.Valid {
		t.Errorf("%+v, %v", checked, err)
	}
}

func TestTablesAreThoseStored(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	whole := w.mustProve(t, start3x3, "white-wins")
	h := named(t, whole).Header
	h.Tables = append([]proofs.Table(nil), h.Tables...)
	h.Tables[0].Checksum = "0123456789abcdef"
	var need *proofs.NeedError
	forged := w.forge(t, h)
	if _, err := w.check(t, forged); !errors.As(err, &need) || need.Need != h.Tables[0] || !strings.Contains(err.Error(), forged) {
		t.Errorf("%v, want %v of %s", err, h.Tables[0], forged)
	}
	elsewhere := workbench{w.instance, t.TempDir(), w.files}
	if _, err := elsewhere.check(t, whole); !errors.As(err, &need) {
		t.Errorf("without tables: %v", err)
	}
}

// TestHalvesThatProveNothing: a draw is as valid as both of its halves, and tells their findings.
func TestHalvesThatProveNothing(t *testing.T) {
	w := newWorkbench(t, "5x5", bitboard.WDL, 4)
	proved := filepath.Join(w.files, "proved")
	o := catalogue.ProveOptions{Claim: catalogue.ClaimDraw, Out: proved, Workers: 1, Memory: 1 << 30}
	if p, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); err != nil || p.Result != proofnumber.Proved {
		t.Fatalf("%+v, %v", p, err)
	}
	sides := []string{"white", "black"}
	for wrong := range 4 { // bit by bit, whether a half proves nothing
		path := filepath.Join(w.files, fmt.Sprintf("draw%d", wrong))
		for i, side := range sides {
			half := proved + "." + side
			if wrong>>i&1 == 1 {
				half = w.forge(t, header(w, side+"-not-lost", named(t, half).Header.Root))
			}
			if err := os.Link(half, path+"."+side); err != nil {
				t.Fatal(err)
			}
		}
		checked := w.checkDraw(t, path)
		if want := bits.OnesCount(uint(wrong)); checked.Valid != (wrong == 0) || len(checked.Halves) != 2 || checked.Found != uint64(want) || len(checked.Findings) != want {
			t.Fatalf("%+v, want %d findings", checked, want)
		}
		for i, half := range checked.Halves {
			if half.Valid != (wrong>>i&1 == 0) {
				t.Errorf("draw %d: %+v", wrong, half)
			}
			if !half.Valid && !slices.Contains(checked.Findings, half.File+": "+half.Findings[0]) {
				t.Errorf("draw %d: %q lacks %q of %s", wrong, checked.Findings, half.Findings, half.File)
			}
		}
	}
}

func (w workbench) checkDraw(t *testing.T, path string) catalogue.Checked {
	t.Helper()
	draw, err := catalogue.OpenDraw(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer draw.Close()
	checked, err := w.instance.CheckDraw(t.Context(), w.tables, draw, catalogue.CheckOptions{Workers: 2, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return checked
}

// TestDrawsCountTablesOnce: those that either half names.
func TestDrawsCountTablesOnce(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	tables := named(t, w.mustProve(t, after3x3, "white-wins")).Header.Tables
	path := filepath.Join(w.files, "draw")
	for i, side := range []string{"white", "black"} {
		h := header(w, side+"-not-lost", start3x3)
		h.Tables = tables[i : i+2]
		if err := os.Rename(w.forge(t, h), path+"."+side); err != nil {
			t.Fatal(err)
		}
	}
	if checked := w.checkDraw(t, path); checked.Tables != 3 {
		t.Errorf("%d tables, want 3", checked.Tables)
	}
}

// TestDrawsAreRefusedBeforeTheWork: no table is loaded where a half can't be checked.
func TestDrawsAreRefusedBeforeTheWork(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	path := filepath.Join(w.files, "draw")
	for _, side := range []string{"white", "black"} {
		h := header(w, side+"-not-lost", start3x3)
		h.Tables = named(t, w.mustProve(t, after3x3, "white-wins")).Header.Tables
		if side == "black" {
			h.Parts = []proofs.Part{{Checksum: "0123456789abcdef", Root: after3x3}}
		}
		if err := os.Rename(w.forge(t, h), path+"."+side); err != nil {
			t.Fatal(err)
		}
	}
	draw, err := catalogue.OpenDraw(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer draw.Close()
	var need *proofs.NeedError
	_, err = w.instance.CheckDraw(t.Context(), w.tables, draw, catalogue.CheckOptions{
		Workers: 1, Memory: 1 << 30, Progress: func(work prover.Work) { t.Errorf("%+v before the refusal", work) },
	})
	if !errors.As(err, &need) {
		t.Errorf("%v, want a part that is missing", err)
	}
}

// TestChecksTellHowTheyGo: of the tables, and of the file.
func TestChecksTellHowTheyGo(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	file := w.open(t, w.mustProve(t, start3x3, "white-wins"))
	last := make(map[string]prover.Work)
	checked, err := w.instance.Check(t.Context(), w.tables, file, catalogue.CheckOptions{
		Workers: 2, Memory: 1 << 30, Progress: func(work prover.Work) { last[work.Doing] = work },
	})
	if err != nil || !checked.Valid {
		t.Fatalf("%+v, %v", checked, err)
	}
	for _, doing := range []string{"loading tables", "checking " + file.Path} {
		if work := last[doing]; work.Done == 0 || work.Done > work.Total {
			t.Errorf("%s: %+v", doing, work)
		}
	}
	if work := last["loading tables"]; work.Done != work.Total {
		t.Errorf("loading tables ends with %+v", work)
	}
}

// TestNothingThatIsReadIsWrittenOver, and both files of a draw are there, or none.
func TestNothingThatIsReadIsWrittenOver(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	part := w.mustProve(t, after3x3, "white-wins")
	o := catalogue.ProveOptions{Claim: "white-wins", Out: part, Parts: []string{part}, Workers: 1, Memory: 1 << 30}
	if _, err := w.instance.Prove(t.Context(), w.tables, start3x3, o); !errors.Is(err, lasting.ErrInput) {
		t.Errorf("%v, want %v", err, lasting.ErrInput)
	}
	link := filepath.Join(w.files, "link")
	if err := os.Symlink(part, link); err == nil {
		o.Out = link
		if _, err := w.instance.Prove(t.Context(), w.tables, start3x3, o); !errors.Is(err, lasting.ErrInput) {
			t.Errorf("by way of a link: %v, want %v", err, lasting.ErrInput)
		}
	}
	if err := os.Mkdir(filepath.Join(w.files, "draw.black"), 0o777); err != nil {
		t.Fatal(err)
	}
	before := len(w.listed(t))
	o = catalogue.ProveOptions{Claim: catalogue.ClaimDraw, Out: filepath.Join(w.files, "draw"), Workers: 1, Memory: 1 << 30}
	if _, err := w.instance.Prove(t.Context(), w.tables, start3x3, o); err == nil || len(w.listed(t)) != before {
		t.Errorf("%v, and %d files, want an error and %d", err, len(w.listed(t)), before)
	}
}

// TestClaimsNameSidesAsTheRootHasThem: while Konane's opening is played, nobody
// has a colour.
func TestClaimsNameSidesAsTheRootHasThem(t *testing.T) {
	game, _ := catalogue.Find("konane")
	instance, err := game.Open("2x2", nil)
	if err != nil {
		t.Fatal(err)
	}
	w := workbench{instance, t.TempDir(), t.TempDir()}
	path := w.mustProve(t, catalogue.Start, "second-wins")
	if checked, err := w.check(t, path); err != nil || !checked.Valid || !checked.Start {
		t.Errorf("by players: %+v, %v", checked, err)
	}
	h := named(t, path).Header
	h.Claim, h.Root = "white-wins", strings.TrimSuffix(h.Root, " first")
	if _, err := w.check(t, w.forge(t, h)); !errors.Is(err, proofs.ErrFormat) {
		t.Errorf("by colours: %v, want %v", err, proofs.ErrFormat)
	}
}

// TestBlackToMoveGoesWithoutSaying: where Black begins, certificates are written without the option
// to-move, and may have it: once, and where it belongs.
func TestBlackToMoveGoesWithoutSaying(t *testing.T) {
	game, _ := catalogue.Find("konane")
	for _, toMove := range []string{"", "black", "white"} {
		rules, said, more := map[string]string{"opening": "corner-h"}, "opening=corner-h", []string{""}
		switch toMove {
		case "white":
			rules["to-move"], said = toMove, "opening=corner-h,to-move=white"
		case "black":
			rules["to-move"], more = toMove, []string{"", ",to-move=black"}
		}
		instance, err := game.Open("3x3", rules)
		if err != nil || instance.Identity().Rules != said {
			t.Fatalf("%v: %v, %v, want rules %s", rules, instance.Identity(), err, said)
		}
		w := workbench{instance, t.TempDir(), t.TempDir()}
		claims, err := instance.Claims(catalogue.Start)
		if err != nil {
			t.Fatal(err)
		}
		path := ""
		for _, claim := range claims {
			if !strings.HasSuffix(claim, "-wins") {
				continue
			}
			if proved, out, err := w.prove(t, catalogue.Start, claim); err == nil && proved.Certificate != nil {
				path = out
			}
		}
		for _, spelling := range more {
			text := strings.Replace(read(t, path), `"`+said+`"`, `"`+said+spelling+`"`, 1)
			if checked, err := w.check(t, w.seal(t, text)); err != nil || !checked.Valid || !checked.Start {
				t.Errorf("%s%s: %+v, %v", said, spelling, checked, err)
			}
		}
		for _, spelling := range []string{"to-move=black," + said, said + ",to-move=black,to-move=black"} {
			text := strings.Replace(read(t, path), `"`+said+`"`, `"`+spelling+`"`, 1)
			if _, err := catalogue.OpenCertificate(t.Context(), w.seal(t, text), nil); !errors.Is(err, proofs.ErrFormat) {
				t.Errorf("%s: %v, want %v", spelling, err, proofs.ErrFormat)
			}
		}
	}
}

// read is the text of a certificate.
func read(t *testing.T, path string) string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What cannot be read from standard input is told of that, and not of the copy.
func TestAnErrorOfStandardInputIsToldOfThat(t *testing.T) {
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for _, stdin := range []io.Reader{folder, iotest.ErrReader(errors.New("gone"))} {
		_, err := catalogue.OpenCertificate(t.Context(), "-", stdin)
		if err == nil || !strings.HasPrefix(err.Error(), "read standard input: ") || catalogue.FaultOf(err).Code != catalogue.CodeFile {
			t.Errorf("%v, code %s", err, catalogue.FaultOf(err).Code)
		}
	}
}
