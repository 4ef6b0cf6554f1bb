package catalogue_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/catalogue"
	"paika/proofs"
	"paika/proofs/walk"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// proved is a small board with tables and certificates of a claim about its start.
type proved struct {
	instance catalogue.Instance
	dir      string // of the tables
	out      string // of the certificate, or of a draw's two, before the side
}

func prove(t *testing.T, board, claim string, pieces int, parts ...string) *proved {
	t.Helper()
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open(board, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &proved{instance: instance, dir: t.TempDir(), out: filepath.Join(t.TempDir(), "start.proof")}
	if _, err := instance.Build(t.Context(), p.dir, catalogue.BuildOptions{Pieces: pieces, Metric: bitboard.WDL, Workers: 1, Memory: 1 << 30, Version: "test"}); err != nil {
		t.Fatal(err)
	}
	p.prove(t, catalogue.Start, claim, p.out, parts...)
	return p
}

func (p *proved) prove(t *testing.T, position, claim, out string, parts ...string) {
	t.Helper()
	found, err := p.instance.Prove(t.Context(), p.dir, position, catalogue.ProveOptions{
		Claim: claim, Method: proofnumber.DFPN, Out: out, Parts: parts, Workers: 1, Memory: 1 << 30,
	})
	if err != nil || found.Result != proofnumber.Proved {
		t.Fatalf("%s from %s: %s, error %v", claim, position, found.Result, err)
	}
}

// open opens certificates to walk through and has them checked.
func (p *proved) open(t *testing.T, indexes, program string, paths ...string) (catalogue.Walk, error) {
	t.Helper()
	walks, err := catalogue.OpenWalks(t.Context(), paths)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { walks[0].Close() })
	return walks[0], walks[0].Prepare(t.Context(), catalogue.WalkOptions{Dir: p.dir, Indexes: indexes, Program: program, Workers: 1, Memory: 1 << 30})
}

// at asks what is proved of a position, without tables.
func (p *proved) at(t *testing.T, w catalogue.Walk, position string) catalogue.Proof {
	t.Helper()
	none, err := p.instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Prove(t.Context(), none, position)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A certificate is checked once: after that its index answers, without any tables. It says then that
// they are not there.
func TestACertificateIsCheckedOnce(t *testing.T) {
	p, indexes := prove(t, "5x3", "white-wins", 4), t.TempDir()
	w, err := p.open(t, indexes, "test", p.out)
	if err != nil {
		t.Fatal(err)
	}
	tables := p.dir
	stored, err := p.instance.Open(tables, 1)
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Prove(t.Context(), stored, catalogue.Start)
	if err := errors.Join(err, stored.Close()); err != nil {
		t.Fatal(err)
	}
	if found.Value == nil || *found.Value != "win" || found.Claims[0].Rank == nil || found.Claims[0].Condition != "" {
		t.Fatalf("%+v", found)
	}
	p.dir = t.TempDir()
	if w, err = p.open(t, indexes, "test", p.out); err != nil {
		t.Fatalf("with an index: %v", err)
	}
	const relied = "if the tables that it was checked with were right: the wdl table of 1v1 is not there"
	if found := p.at(t, w, catalogue.Start); found.Value == nil || *found.Value != "win" || found.Claims[0].Condition != relied {
		t.Errorf("with an index: %+v", found)
	}
	// Another version of the program, another folder, a changed index: each asks for
	// the check again, which fails without tables.
	if _, err = p.open(t, indexes, "newer", p.out); !errors.As(err, new(*proofs.NeedError)) {
		t.Errorf("another program: error %v", err)
	}
	if _, err = p.open(t, t.TempDir(), "test", p.out); !errors.As(err, new(*proofs.NeedError)) {
		t.Errorf("another folder: error %v", err)
	}
	name := damage(t, indexes)
	if w, err = p.open(t, indexes, "test", p.out); !errors.As(err, new(*proofs.NeedError)) {
		t.Errorf("a changed index: error %v", err)
	}
	if found := p.at(t, w, catalogue.Start); found.Value != nil || found.Claims[0].Status != catalogue.ClaimFailed {
		t.Errorf("a changed index: %+v", found)
	}
	// With the tables it is made anew, as it was.
	p.dir = tables
	if _, err = p.open(t, indexes, "test", p.out); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
}

// damage changes a byte of the index in a folder.
func damage(t *testing.T, folder string) (name string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.index"))
	if err != nil || len(names) != 1 {
		t.Fatalf("%v, error %v", names, err)
	}
	text, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	text[5] ^= 1
	if err := os.WriteFile(names[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	return names[0]
}

// Tables say what is proved at a position of theirs only if they are those that the certificate
// names.
func TestOtherTablesThanTheCertificateNamesProveNothing(t *testing.T) {
	p := prove(t, "5x3", "white-wins", 4)
	w, err := p.open(t, t.TempDir(), "test", p.out)
	if err != nil {
		t.Fatal(err)
	}
	const won = "...../.B.../WWW.. w"
	const relied = "if the tables that it was checked with were right: the wdl table of 1v1 "
	for _, c := range []struct{ dir, status, reason, atStart string }{
		{p.dir, catalogue.ClaimProved, "", ""},
		{t.TempDir(), catalogue.ClaimOpen, "the wdl table of 3v1 is not there", relied + "is not there"},
		{drawn(t, p, t.TempDir(), bitboard.WDL), catalogue.ClaimOpen, "the one that is there has the fingerprint ", relied + "is another one now"},
		{drawn(t, p, copied(t, p.dir), bitboard.DTW), catalogue.ClaimProved, "", ""}, // a better one, which no certificate names
	} {
		tables, err := p.instance.Open(c.dir, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		found, err := w.Prove(t.Context(), tables, won)
		if err != nil {
			t.Fatal(err)
		}
		if claim := found.Claims[0]; claim.Status != c.status || claim.Place != "tables" || !strings.Contains(claim.Reason, c.reason) || (claim.Reason == "") != (c.reason == "") {
			t.Errorf("%+v, want %s, %q", claim, c.status, c.reason)
		} else if (claim.Condition != "") != (c.status == catalogue.ClaimProved) { // values are not compared
			t.Errorf("%s on the condition %q", claim.Status, claim.Condition)
		}
		start, err := w.Prove(t.Context(), tables, catalogue.Start)
		if err != nil {
			t.Fatal(err)
		}
		if claim := start.Claims[0]; claim.Status != catalogue.ClaimProved || claim.Condition != c.atStart {
			t.Errorf("the start: %s on the condition %q, want %q", claim.Status, claim.Condition, c.atStart)
		}
	}
}

// copied is a copy of a folder.
func copied(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// drawn adds to a store the slices of another one, in a metric in which it has none. In all of them all is drawn.
func drawn(t *testing.T, p *proved, dir string, metric bitboard.Metric) string {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 5, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	like, err := tablebase.Open(p.dir, p.instance.Identity(), tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer like.Close()
	store, err := tablebase.Open(dir, p.instance.Identity(), tablebase.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, info := range like.Slices(bitboard.WDL) {
		slice, err := game.ParseSlice(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		table, err := tablebase.MakeTable(metric, slice, info.Indices)
		if err != nil {
			t.Fatal(err)
		}
		defer tablebase.FreeTable(table)
		counts := bitboard.Summary{Draw: info.Positions, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
		if err := store.Tables(metric, game).Save(t.Context(), table, counts); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Of several certificates of a claim that one is told which has the position; of none while one
// is still to be checked, or proves nothing, that one.
func TestTheCertificateIsToldThatHasThePosition(t *testing.T) {
	const after = "BBBB./BBB.B/BWWBW/W.WWW/WWWWW b" // b2-c3A
	p := prove(t, "5x5", "white-not-lost", 4)
	other, invalid := filepath.Join(t.TempDir(), "other.proof"), filepath.Join(t.TempDir(), "invalid.proof")
	p.prove(t, after, "white-not-lost", other)
	text, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-1] ^= 1
	if err := os.WriteFile(invalid, text, 0o600); err != nil {
		t.Fatal(err)
	}
	const nowhere = "BBBBB/BBBBB/BW.BW/WWWWW/WWWWB b"
	for _, c := range []struct {
		second, position string
		status, want     string
	}{
		{other, catalogue.Start, catalogue.ClaimProved, "start.proof"},
		{other, nowhere, catalogue.ClaimOpen, "other.proof"},
		{invalid, catalogue.Start, catalogue.ClaimProved, "start.proof"},
		{invalid, nowhere, catalogue.ClaimFailed, "invalid.proof"},
	} {
		w, err := p.open(t, t.TempDir(), "test", p.out, c.second)
		if (err != nil) != (c.second == invalid) {
			t.Fatal(err)
		}
		if got := p.at(t, w, c.position).Claims[0]; got.Status != c.status || got.Certificate != c.want {
			t.Errorf("%s beside %s: %+v, want %s by %s", c.position, filepath.Base(c.second), got, c.status, c.want)
		}
	}
	walks, err := catalogue.OpenWalks(t.Context(), []string{p.out, other})
	if err != nil {
		t.Fatal(err)
	}
	defer walks[0].Close()
	if got := p.at(t, walks[0], catalogue.Start).Claims[0]; got.Status != catalogue.ClaimChecking {
		t.Errorf("before the check: %+v", got)
	}
}

// A certificate that is another one by the time it is checked proves nothing of what it claimed when it was
// opened, though the other one has an index.
func TestACertificateThatChangesOnceItIsOpenProvesNothing(t *testing.T) {
	p, indexes := prove(t, "3x3", "white-wins", 0), t.TempDir()
	if _, err := p.open(t, indexes, "test", p.out); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.out)
	if err != nil {
		t.Fatal(err)
	}
	decoder, err := zstd.NewReader(bytes.NewReader(text[:len(text)-16]))
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	header, err := bufio.NewReader(decoder).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, claim := range []string{"black-wins", "black-not-lost"} {
		forged := encoder.EncodeAll([]byte(strings.Replace(header, "white-wins", claim, 1)), nil)
		if err := os.WriteFile(p.out, append(forged, make([]byte, len(text)-len(forged))...), 0o600); err != nil {
			t.Fatal(err)
		}
		walks, err := catalogue.OpenWalks(t.Context(), []string{p.out})
		if err != nil {
			t.Fatal(err)
		}
		defer walks[0].Close()
		if err := os.WriteFile(p.out, text, 0o600); err != nil {
			t.Fatal(err)
		}
		err = walks[0].Prepare(t.Context(), catalogue.WalkOptions{Dir: p.dir, Indexes: indexes, Program: "test", Workers: 1, Memory: 1 << 30})
		if got := p.at(t, walks[0], catalogue.Start).Claims[0]; err == nil || got.Status != catalogue.ClaimFailed {
			t.Errorf("%s: error %v, %+v", claim, err, got)
		}
	}
}

// The index of one certificate says nothing of another that stands in its place, be it
// under the same name and with the other's index beside it.
func TestACertificateSwappedUnderItsIndexIsCheckedItself(t *testing.T) {
	p, indexes := prove(t, "5x5", catalogue.ClaimDraw, 4), t.TempDir()
	white, black := p.out+".white", p.out+".black"
	if _, err := p.open(t, indexes, "test", white); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(black)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(white, text, 0o600); err != nil {
		t.Fatal(err)
	}
	tables := p.dir
	p.dir = t.TempDir()
	if w, err := p.open(t, indexes, "test", white); err == nil || p.at(t, w, catalogue.Start).Claims[0].Status != catalogue.ClaimFailed {
		t.Errorf("error %v", err)
	}
	// The old index under the new one's name is no index of it.
	p.dir = tables
	names, _ := filepath.Glob(filepath.Join(indexes, "*.index"))
	w, err := p.open(t, indexes, "test", white)
	if err != nil || w.Sources()[0].Claim != "black-not-lost" {
		t.Fatalf("%+v, error %v", w.Sources(), err)
	}
	all, _ := filepath.Glob(filepath.Join(indexes, "*.index"))
	if len(names) != 1 || len(all) != 2 {
		t.Fatalf("indexes %v, then %v", names, all)
	}
	other := all[slices.IndexFunc(all, func(name string) bool { return name != names[0] })]
	if err := os.Rename(names[0], other); err != nil {
		t.Fatal(err)
	}
	p.dir = t.TempDir()
	if _, err := p.open(t, indexes, "test", white); !errors.As(err, new(*proofs.NeedError)) {
		t.Errorf("the index of another certificate: error %v", err)
	}
}

// A proof that relies on a part is one with it, and none without.
func TestAProofInPartsIsWalkedAsOne(t *testing.T) {
	const after = "BBBB./BBB.B/BWWBW/W.WWW/WWWWW b" // b2-c3A
	p := prove(t, "5x5", "white-not-lost", 4)
	part, whole, indexes := p.out+" part", p.out+".whole", t.TempDir()
	p.prove(t, after, "white-not-lost", part)
	p.prove(t, catalogue.Start, "white-not-lost", whole, part)
	for _, name := range []string{"checked", "indexed"} {
		w, err := p.open(t, indexes, "test", whole, part)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, position := range []string{catalogue.Start, after} {
			found := p.at(t, w, position)
			if c := found.Claims[0]; c.Status != catalogue.ClaimProved || c.Place != "certificate" {
				t.Errorf("%s, %s: %+v", name, position, c)
			}
		}
		for _, source := range w.Sources() {
			if want := map[string]string{
				"start.proof.whole": "paika check start.proof.whole 'start.proof part'",
				"start.proof part":  "paika check 'start.proof part'",
			}[source.Certificate]; source.Command != want {
				t.Errorf("%s is checked by %s, want %s", source.Certificate, source.Command, want)
			}
		}
	}
	walks, err := catalogue.OpenWalks(t.Context(), []string{whole})
	if err == nil {
		err = walks[0].Prepare(t.Context(), catalogue.WalkOptions{Dir: p.dir, Indexes: indexes, Program: "test", Workers: 1, Memory: 1 << 30})
		walks[0].Close()
	}
	if !errors.As(err, new(*proofs.NeedError)) {
		t.Errorf("without the part: error %v", err)
	}
}

// A certificate that is not valid proves nothing, and the reason is told.
func TestAnInvalidCertificateProvesNothing(t *testing.T) {
	p := prove(t, "5x3", "white-wins", 4)
	text, err := os.ReadFile(p.out)
	if err != nil {
		t.Fatal(err)
	}
	text[len(text)-1] ^= 1
	if err := os.WriteFile(p.out, text, 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := p.open(t, t.TempDir(), "test", p.out)
	if !errors.As(err, new(*proofs.InvalidPartError)) {
		t.Errorf("error %v", err)
	}
	if s := w.Sources()[0]; s.Status != catalogue.ProofFailed || !strings.Contains(s.Reason, "seal") {
		t.Errorf("%+v", s)
	}
	if found := p.at(t, w, catalogue.Start); found.Value != nil || found.Claims[0].Status != catalogue.ClaimFailed {
		t.Errorf("%+v", found)
	}
}

// A check that is stopped leaves no certificate called checked.
func TestAStoppedCheckProvesNothing(t *testing.T) {
	p := prove(t, "5x3", "white-wins", 4)
	walks, err := catalogue.OpenWalks(t.Context(), []string{p.out})
	if err != nil {
		t.Fatal(err)
	}
	defer walks[0].Close()
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := walks[0].Prepare(stopped, catalogue.WalkOptions{Dir: p.dir, Indexes: t.TempDir(), Program: "test", Workers: 1, Memory: 1 << 30}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if found := p.at(t, walks[0], catalogue.Start); found.Value != nil || found.Claims[0].Status == catalogue.ClaimProved {
		t.Errorf("%+v", found)
	}
}

// countdown is a context that is over once it was asked for its error so many times.
type countdown struct {
	context.Context
	left *atomic.Int64
}

func (c countdown) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Wherever preparing is stopped, Close leaves no index open.
func TestAStoppedPreparationLeavesNothingOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not list open files")
	}
	p := prove(t, "5x5", "white-not-lost", 4)
	part, whole, indexes := p.out+" part", p.out+".whole", t.TempDir()
	p.prove(t, "BBBB./BBB.B/BWWBW/W.WWW/WWWWW b", "white-not-lost", part)
	p.prove(t, catalogue.Start, "white-not-lost", whole, part)
	if _, err := p.open(t, indexes, "test", part, whole); err != nil {
		t.Fatal(err)
	}
	before := openFiles(t)
	for asked := int64(0); ; asked++ {
		walks, err := catalogue.OpenWalks(t.Context(), []string{part, whole})
		if err != nil {
			t.Fatal(err)
		}
		ctx := countdown{t.Context(), new(atomic.Int64)}
		ctx.left.Store(asked)
		err = walks[0].Prepare(ctx, catalogue.WalkOptions{Dir: p.dir, Indexes: indexes, Program: "test", Workers: 1, Memory: 1 << 30})
		if closed := walks[0].Close(); closed != nil {
			t.Error(closed)
		}
		if left := openFiles(t) - before; left != 0 {
			t.Errorf("stopped at question %d: %d files are open still", asked, left)
		}
		if err == nil {
			return
		}
	}
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(entries)
}

// The reason why a certificate proves nothing names what can't be read or written.
func TestReasonsNameWhatIsWrong(t *testing.T) {
	p := prove(t, "5x3", "white-wins", 4)
	taken := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, c := range map[string]struct {
		indexes string
		closed  bool // the certificate, before it is read
	}{
		"its index: not a directory":            {indexes: taken},
		"read start.proof: file already closed": {indexes: t.TempDir(), closed: true},
	} {
		file, err := catalogue.OpenCertificate(t.Context(), p.out, nil)
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.instance.Walk([]*catalogue.CertificateFile{file})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if c.closed {
			file.Close()
		}
		err = w.Prepare(t.Context(), catalogue.WalkOptions{Dir: p.dir, Indexes: c.indexes, Program: "test", Workers: 1, Memory: 1 << 30})
		if err == nil {
			t.Fatalf("want %q", want)
		}
		// Whoever is told in one line is told of which certificate.
		if !strings.Contains(err.Error(), p.out) {
			t.Errorf("%q, want in it %s", err, p.out)
		}
		if s := w.Sources()[0]; s.Status != catalogue.ProofFailed || s.Reason != want {
			t.Errorf("%s: %q, want %q", s.Status, s.Reason, want)
		}
	}
}

// What is extracted is what the certificate has, to whole plies, and the file reads
// back. Each turn of a record leads to another, to an end, or beyond by what it says.
func TestExtractsAreWholePliesOfTheirCertificates(t *testing.T) {
	p := prove(t, "5x5", catalogue.ClaimDraw, 4)
	w, err := p.open(t, t.TempDir(), "test", p.out+".white", p.out+".black")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := w.WriteExtract(&file, 500, "test"); err != nil {
		t.Fatal(err)
	}
	extract, err := catalogue.OpenExtract(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	walkExtract(t, p.instance, extract)
	if got := p.at(t, extract, catalogue.Start); got.Value == nil || *got.Value != "draw" || !got.Claims[0].Extract {
		t.Errorf("%+v", got)
	}
	// A swapped certificate makes another extract; one that is not checked none.
	walks, err := catalogue.OpenWalks(t.Context(), []string{p.out + ".white"})
	if err != nil {
		t.Fatal(err)
	}
	defer walks[0].Close()
	if err := walks[0].WriteExtract(io.Discard, 500, "test"); err == nil {
		t.Error("an extract of a certificate that was not checked")
	}
}

// The extracts that come with the program hold together.
func TestTheExtractsOfTheProgramHoldTogether(t *testing.T) {
	walks, err := catalogue.Extracts()
	if err != nil || len(walks) == 0 {
		t.Fatalf("%d extracts, error %v", len(walks), err)
	}
	for _, w := range walks {
		walkExtract(t, w.Instance(), w)
	}
}

// Whatever the other side replies, the proof goes on, down to the tables or to the end of
// the game: from its root all of a certificate is reached, and nothing else, though
// positions have mirror images.
func TestEveryReplyStaysInTheProof(t *testing.T) {
	if testing.Short() {
		t.Skip("all positions are walked to, one after the other")
	}
	p := prove(t, "5x5", catalogue.ClaimDraw, 4)
	const root = "...BB/BB.BB/B..BW/W...W/W.WWW w"
	p.prove(t, root, catalogue.ClaimDraw, p.out)
	w, err := p.open(t, t.TempDir(), "test", p.out+".white", p.out+".black")
	if err != nil {
		t.Fatal(err)
	}
	for i, source := range w.Sources() {
		seen, next := map[string]bool{root: true}, []string{root}
		for len(next) > 0 {
			position := next[len(next)-1]
			next = next[:len(next)-1]
			found := p.at(t, w, position)
			claim := found.Claims[i]
			if claim.Status != catalogue.ClaimProved || claim.Place != "certificate" {
				t.Fatalf("%s: %+v", position, claim)
			}
			for _, turn := range found.Turns {
				at := turn.Claims[i]
				if claim.Turn != nil && !at.Keeps {
					continue
				}
				if !at.Holds || at.Place == "outside" {
					t.Fatalf("%s: %s: %+v", position, turn.Turn, at)
				}
				if at.Place == "certificate" && !seen[turn.Position] {
					seen[turn.Position] = true
					next = append(next, turn.Position)
				}
			}
		}
		if uint64(len(seen)) != source.Positions {
			t.Errorf("%s: %d positions are reached, of %d", source.Claim, len(seen), source.Positions)
		}
	}
}

// walkExtract goes to every position of an extract that the proof leads to.
func walkExtract(t *testing.T, instance catalogue.Instance, w catalogue.Walk) {
	t.Helper()
	none, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	places := make(map[string]int)
	for i, source := range w.Sources() {
		depth, next, all := 0, []string{source.Root}, map[string]bool{}
		for len(next) > 0 && len(all) < 300 {
			var after []string
			for _, position := range next {
				found, err := w.Prove(t.Context(), none, position)
				if err != nil {
					t.Fatalf("%s: %v", position, err)
				}
				claim := found.Claims[i]
				if claim.Status != catalogue.ClaimProved || claim.Place != "certificate" {
					t.Fatalf("%s: %+v", position, claim)
				}
				for _, turn := range found.Turns {
					at := turn.Claims[i]
					if claim.Turn != nil && !at.Keeps {
						continue
					}
					if !at.Holds {
						t.Fatalf("%s: %s: %+v", position, turn.Turn, at)
					}
					if places[at.Place]++; at.Place == "beyond" && depth+1 < source.Plies {
						t.Fatalf("%s: %s leads beyond the extract after %d of %d plies", position, turn.Turn, depth+1, source.Plies)
					}
					if at.Place == "certificate" && !all[turn.Position] {
						all[turn.Position] = true
						after = append(after, turn.Position)
					}
				}
			}
			next = after
			depth++
		}
	}
	if places["certificate"] == 0 {
		t.Errorf("places %v", places)
	}
}

// Every code that walks add is one of those that programs know.
func TestATornIndexIsDamage(t *testing.T) {
	if code := catalogue.FaultOf(walk.ErrTorn).Code; code != catalogue.CodeDamaged {
		t.Errorf("code %s", code)
	}
}

// Before anyone has a colour, claims are about the players: the stones tell whose turn it is
// while the opening is played, and positions are written with the player from the start on.
func TestAProofAboutThePlayersIsFoundInTheOpening(t *testing.T) {
	game, _ := catalogue.Find("konane")
	instance, err := game.Open("4x4", nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &proved{instance: instance, dir: t.TempDir(), out: filepath.Join(t.TempDir(), "start.proof")}
	p.prove(t, catalogue.Start, "second-wins", p.out)
	w, err := p.open(t, t.TempDir(), "test", p.out)
	if err != nil {
		t.Fatal(err)
	}
	if sources := w.Sources(); !sources[0].Start {
		t.Errorf("%+v: want it to be about the start", sources[0])
	}
	for position, player, value := catalogue.Start, 0, "loss"; ; player, value = 1-player, map[string]string{"win": "loss", "loss": "win"}[value] {
		players := []string{"first", "second"}
		found := p.at(t, w, position)
		if len(found.Claims) != 1 || found.Claims[0].Status != catalogue.ClaimProved || found.Value == nil || *found.Value != value {
			t.Fatalf("%s: claims %+v, want %s", position, found.Claims, value)
		}
		if !strings.HasSuffix(found.Position, " "+players[player]) {
			t.Errorf("%s: want the %s player behind it", found.Position, players[player])
		}
		if found.Over {
			break
		}
		next := found.Turns[0]
		for _, turn := range found.Turns {
			if turn.Claims[0].Keeps {
				next = turn
			}
		}
		if !next.Claims[0].Holds {
			t.Fatalf("%s: %s leads out of the proof", position, next.Turn)
		}
		position = next.Position
	}
	if found := p.at(t, w, "oxox/xoxo/oxo./xoxo w"); len(found.Claims) != 1 || found.Claims[0].Place != "outside" && found.Claims[0].Status != catalogue.ClaimProved {
		t.Errorf("with one stone gone: %+v", found.Claims)
	}
	if found := p.at(t, w, "oxox/xoxo/ox../xoxo b"); len(found.Claims) != 0 {
		t.Errorf("with colours alone: %+v, want no claim", found.Claims)
	}
}
