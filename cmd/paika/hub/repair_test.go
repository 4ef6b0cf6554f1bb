package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// copied is a folder as a hub that is killed now would leave it.
func copiedFolder(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(filepath.Join(to, "hub"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(to, "hub")
}

// repaired repairs a folder, in which nothing else is to be wrong.
func repaired(t *testing.T, dir string, g *game) Repaired {
	t.Helper()
	r, err := Repair(t.Context(), Options{Dir: dir, Version: version, Open: opener(g), Workers: 1, Memory: 1 << 24})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// proofOf is a certificate of a claim about the start of a game.
func proofOf(t *testing.T, g *game, claim string) string {
	t.Helper()
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least = 1000 }, g)
	defer work(t, h.Inside(), "honest", 1, g)()
	c := dial(t, h.Inside())
	var text bytes.Buffer
	if err := c.Fetch(t.Context(), answered(t, c, g, claim), &text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

// TestALedgerComesBackFromTheFiles: the answer stands there again, with no worker, and
// each part counts once.
func TestALedgerComesBackFromTheFiles(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	stop := work(t, h.Inside(), "w", 1, g)
	c := dial(t, h.Inside())
	answered(t, c, g, "white-wins")
	answered(t, c, g, "black-not-lost") // which is refuted
	stop()
	h.Close()
	want := len(decidedLines(t, dir))
	if got := repaired(t, dir, g); got.Parts != 0 || got.Answers != 0 || len(got.Findings) > 0 {
		t.Errorf("of a ledger that is whole: %+v", got)
	}
	if err := os.Remove(filepath.Join(dir, "ledger")); err != nil {
		t.Fatal(err)
	}
	if got := repaired(t, dir, g); got.Lines != 0 || got.Parts == 0 || got.Answers != 2 || len(got.Findings) > 0 {
		t.Errorf("of no ledger: %+v", got)
	}
	if got := decidedLines(t, dir); len(got) != want {
		t.Errorf("%d positions are decided, want %d", len(got), want)
	}
	h = startHub(t, dir, nil, g)
	c = dial(t, h.Inside())
	answered(t, c, g, "white-wins")
	answered(t, c, g, "black-not-lost")
}

// TestALineOfOneFileStandsForNoOther: a question that one part answers has that part, and a
// certificate with the same content.
func TestALineOfOneFileStandsForNoOther(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, func(o *Options) { o.Least = 1 << 20 }, g)
	stop := work(t, h.Inside(), "w", 1, g)
	answered(t, dial(t, h.Inside()), g, "white-wins")
	stop()
	h.Close()
	for _, c := range []struct {
		lost           []string // lines, by what they begin with
		parts, answers int
	}{
		{[]string{"result"}, 1, 0},
		{[]string{"question"}, 0, 1},
		{[]string{"question", "answer"}, 0, 1},
		{[]string{"result", "question", "answer"}, 1, 1},
	} {
		torn := copiedFolder(t, dir)
		tearLines(t, filepath.Join(torn, "ledger"), c.lost)
		if got := repaired(t, torn, g); got.Parts != c.parts || got.Answers != c.answers || len(got.Findings) > 0 {
			t.Errorf("without lines %q: %+v, want %d parts and %d answers", c.lost, got, c.parts, c.answers)
		}
		if got := repaired(t, torn, g); got.Parts != 0 || got.Answers != 0 || len(got.Findings) > 0 {
			t.Errorf("without lines %q, again: %+v", c.lost, got)
		}
	}
}

// TestTheLastLineOfACertificateCounts: one that was lost is made anew, and may be another.
func TestTheLastLineOfACertificateCounts(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	stop := work(t, h.Inside(), "w", 1, g)
	s := answered(t, dial(t, h.Inside()), g, "white-wins")
	stop()
	h.Close()
	before := filepath.Join(t.TempDir(), "ledger")
	l, _, err := ledger.Open(before, func(ledger.Entry) {})
	if err != nil {
		t.Fatal(err)
	}
	lost := s.Proof
	lost.Bytes++
	if err := l.Add(ledger.Entry{Answer: &ledger.Answer{Question: s.ID, Verdict: s.Result, Proof: lost}}); err != nil {
		t.Fatal(err)
	}
	l.Close()
	var all []byte
	for _, path := range []string{before, filepath.Join(dir, "ledger")} {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, text...)
	}
	if err := os.WriteFile(filepath.Join(dir, "ledger"), all, 0o666); err != nil {
		t.Fatal(err)
	}
	if got := repaired(t, dir, g); got.Parts != 0 || got.Answers != 0 || len(got.Findings) > 0 {
		t.Errorf("%+v", got)
	}
}

// TestAnAnswerWhoseQuestionIsLostComesBack, with all that its line tells. Another question that has its line
// stays what it is.
func TestAnAnswerWhoseQuestionIsLostComesBack(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	stop := work(t, h.Inside(), "w", 1, g)
	c := dial(t, h.Inside())
	want := answered(t, c, g, "white-wins")
	answered(t, c, g, "black-wins")
	stop()
	h.Close()
	path := filepath.Join(dir, "ledger")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(`,"question":{`), []byte(`;"question":{`), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := repaired(t, dir, g); got.Torn != 1 || got.Parts != 0 || got.Answers != 1 || len(got.Findings) > 0 {
		t.Errorf("%+v: want the answer of one question", got)
	}
	if got := repaired(t, dir, g); got.Answers != 0 {
		t.Errorf("again: %+v", got)
	}
	h = startHub(t, dir, nil, g)
	all := h.Status().Questions
	at := slices.IndexFunc(all, func(s wire.State) bool { return s.ID == want.ID })
	if len(all) != 2 || at < 0 {
		t.Fatalf("%d questions are known: want 2", len(all))
	}
	if got := all[at]; got.Stage != wire.Done || got.Result != want.Result || got.Nodes != want.Nodes || got.Seconds != want.Seconds || got.Proof != want.Proof {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// tearLines damages the lines of a ledger that are of one of these kinds.
func tearLines(t *testing.T, path string, kinds []string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range kinds {
		text = bytes.ReplaceAll(text, []byte(`,"`+kind+`":{`), []byte(`;"`+kind+`":{`))
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestPartsOfNoQuestionCountForTheNextOne: what was asked is lost, and asked again.
func TestPartsOfNoQuestionCountForTheNextOne(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	r := newRogue(t, h)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, answer := r.take()
	answer.Verdict = proofnumber.Proved
	if got := r.send(answer, proofOf(t, g, "white-wins")); got != wire.Accepted {
		t.Fatal(got)
	}
	h.Close()
	for _, gone := range []string{"ledger", "proofs"} {
		if err := os.RemoveAll(filepath.Join(dir, gone)); err != nil {
			t.Fatal(err)
		}
	}
	if got := repaired(t, dir, g); got.Parts != 1 || got.Answers != 0 || len(got.Findings) > 0 {
		t.Errorf("%+v", got)
	}
	h = startHub(t, dir, nil, g)
	if s := answered(t, dial(t, h.Inside()), g, "white-wins"); s.Nodes != 0 {
		t.Errorf("%d nodes are searched: want none", s.Nodes)
	}
}

// TestARepairBelievesNoFile, and tells of each that shows nothing.
func TestARepairBelievesNoFile(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	startHub(t, dir, nil, g).Close()
	truth := proofOf(t, g, "white-wins")
	damaged := []byte(truth)
	damaged[len(damaged)/2] ^= 1
	for name, text := range map[string]string{
		"parts/garbage": "garbage", "parts/cut": truth[:len(truth)/2], "parts/damaged": string(damaged), "parts/misnamed": truth,
		"proofs/0123456789abcdef.proof": truth,
	} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"parts/folder", "proofs/folder", "proofs/fedcba9876543210.proof"} {
		if err := os.Mkdir(filepath.Join(dir, filepath.FromSlash(name)), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	want := 8
	if os.Symlink("nowhere", filepath.Join(dir, "parts", "link")) == nil { // there may be no links here
		want++
	}
	if got := repaired(t, dir, g); got.Parts != 0 || got.Answers != 0 || len(got.Findings) != want {
		t.Errorf("%+v", got)
	}
	if _, err := Repair(t.Context(), Options{Dir: filepath.Join(t.TempDir(), "none")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no folder: %v", err)
	}
	h := startHub(t, dir, nil, g)
	if _, err := Repair(t.Context(), Options{Dir: h.options.Dir}); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("beside a hub: %v", err)
	}
}

// TestWhatKeepsARepairFromCheckingIsNoFinding: tables that another process has, too little memory, a
// disk that fails. The file may be right, and is left for the next repair.
func TestWhatKeepsARepairFromCheckingIsNoFinding(t *testing.T) {
	g, full := fanoronaOn(t, 3, 3), errors.New("no memory for a check")
	truth := proofOf(t, g, "white-wins")
	sum := sha256.Sum256([]byte(truth))
	part := "parts/" + hex.EncodeToString(sum[:])
	var path string // of the case at hand
	opens := func(err error) share.Opener {
		return func(context.Context, proofs.Setting, string, *share.Supply) (share.Site, error) { return nil, err }
	}
	for name, c := range map[string]struct {
		open share.Opener
		want string // of the error; none where it is a finding
	}{
		"tables that are locked": {open: opens(fmt.Errorf("a test: %w", tablebase.ErrLocked)), want: tablebase.ErrLocked.Error()},
		"no such game":           {open: opens(fmt.Errorf("a test: %w", proofs.ErrFormat))},
		"no memory": {open: func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			site, err := g.open(ctx)
			return changedSite{site, func(p share.Proof) share.Proof { return crampedProof{p, full} }}, err
		}, want: full.Error()},
		"a file that can't be read": {open: func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
			site, err := g.open(ctx)
			return site, errors.Join(err, os.Remove(path)) // it was read for the first time
		}, want: filepath.FromSlash(part)},
	} {
		dir := t.TempDir()
		startHub(t, dir, nil, g).Close()
		path = filepath.Join(dir, filepath.FromSlash(part))
		if err := os.WriteFile(path, []byte(truth), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := Repair(t.Context(), Options{Dir: dir, Version: version, Open: c.open, Workers: 1, Memory: 1 << 24})
		switch {
		case c.want == "" && (err != nil || len(got.Findings) != 1), c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || len(got.Findings) > 0):
			t.Errorf("%s: %v, %q, want the error %q", name, err, got.Findings, c.want)
		}
	}
}

// crampedProof has no memory for checks.
type crampedProof struct {
	share.Proof
	err error
}

func (p crampedProof) Check(context.Context, string, proofnumber.Verdict, io.ReaderAt, int64) (share.Part, error) {
	return share.Part{}, p.err
}

// TestAHubKilledAtAnyStepOfAPartLosesNothing: before the file has its name, between that
// and the line, and between the line and the reply. The worker sends it again.
func TestAHubKilledAtAnyStepOfAPartLosesNothing(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	truth := proofOf(t, g, "white-wins")
	h := startHub(t, dir, nil, g)
	r := newRogue(t, h)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, answer := r.take()
	answer.Verdict = proofnumber.Proved
	before := copiedFolder(t, dir)
	if got := r.send(answer, truth); got != wire.Accepted {
		t.Fatal(got)
	}
	h.Close()
	parts, err := os.ReadDir(h.path("parts"))
	if err != nil || len(parts) != 1 {
		t.Fatal(parts, err)
	}
	named := copiedFolder(t, before)
	if err := os.WriteFile(filepath.Join(named, "parts", parts[0].Name()), []byte(truth), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, killed := range []struct{ when, dir string }{{"before the name", before}, {"before the line", named}, {"before the reply", dir}} {
		h := startHub(t, killed.dir, nil, g)
		r := newRogue(t, h)
		c := dial(t, h.Inside())
		for stage := wire.Preparing; stage == wire.Preparing; {
			s, err := h.ask("", wire.Ask{Question: g.question("white-wins")})
			if err != nil {
				t.Fatal(err)
			}
			stage = s.Stage
		}
		if got := r.send(answer, truth); got != wire.Accepted && got != wire.Copied {
			t.Errorf("killed %s: sent again it is %s", killed.when, got)
		}
		answered(t, c, g, "white-wins")
		h.Close()
		for position, times := range decidedLines(t, killed.dir) {
			if times != 1 {
				t.Errorf("killed %s: %s is decided %d times", killed.when, position, times)
			}
		}
	}
}

// A lentSite notes how much the checks of its proofs may borrow.
type lentSite struct {
	share.Site
	lent *[]uint64
}

func (s lentSite) Proof(q share.Question) (share.Proof, error) {
	for _, most := range []uint64{10, 1 << 40} {
		bytes, back := q.Borrow(most)
		back()
		*s.lent = append(*s.lent, bytes)
	}
	return s.Site.Proof(q)
}

// TestChecksOfARepairBorrow all that tables leave.
func TestChecksOfARepairBorrow(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	truth := proofOf(t, g, "white-wins")
	sum := sha256.Sum256([]byte(truth))
	for _, c := range []struct {
		room, tables uint64
		want         []uint64
	}{
		{100 << 20, 40 << 20, []uint64{10, 60 << 20}},
		{100 << 20, 200 << 20, []uint64{0, 0}},
		{0, 0, []uint64{0, 0}},
	} {
		dir, lent := t.TempDir(), []uint64(nil)
		startHub(t, dir, nil, g).Close()
		if err := os.WriteFile(filepath.Join(dir, "parts", hex.EncodeToString(sum[:])), []byte(truth), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := Repair(t.Context(), Options{
			Dir: dir, Version: version, Workers: 1, Memory: 1 << 24, Room: c.room,
			Open: func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
				site, err := g.open(ctx)
				return lentSite{site, &lent}, err
			},
			Measure: func(proofs.Setting) ([]proofs.Table, uint64, error) { return nil, c.tables, nil },
		})
		if err != nil || got.Parts != 1 || !slices.Equal(lent, c.want) {
			t.Errorf("%d bytes with tables of %d: %+v, %v, lends %d, want %d", c.room, c.tables, got, err, lent, c.want)
		}
	}
}
