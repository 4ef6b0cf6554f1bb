package prover_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// created is a file that is to be, and goes if it was not kept.
func created(t *testing.T) *lasting.File {
	t.Helper()
	file, err := lasting.CreateRegular(filepath.Join(t.TempDir(), "proof"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(file.Discard)
	return file
}

// kept tells whether a file is there.
func kept(t *testing.T, file *lasting.File) bool {
	t.Helper()
	_, err := os.Stat(file.Path())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return err == nil
}

// winOfWhite is a certificate, over no tables, that White wins from the start.
func winOfWhite(t *testing.T, of subject) (file *lasting.File, answer *prover.Answer[position]) {
	t.Helper()
	file = created(t)
	start, side, _ := of.Game.Start()
	p := prover.New(of, prover.NewShelf(of), prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 20})
	answer, err := p.Prove(t.Context(), prover.Question[position]{Root: start, Side: side, Claims: claims[:1], Files: []*lasting.File{file}})
	if err != nil || answer.Verdict != proofnumber.Proved || !kept(t, file) {
		t.Fatalf("%+v, %v", answer, err)
	}
	return file, answer
}

// A certificate is kept where all of it was written. However few nodes the search may visit,
// what it keeps is valid.
func TestWhatIsKeptIsWhole(t *testing.T) {
	of := newSubject(t)
	start, side, _ := of.Game.Start()
	none := prover.NewShelf(of)
	_, whole := winOfWhite(t, of)
	for nodes := uint64(1); nodes <= whole.Nodes; nodes++ {
		file := created(t)
		p := prover.New(of, none, prover.Options{Nodes: nodes, Workers: 1, Memory: 64 << 20, Table: 1 << 10})
		answer, err := p.Prove(t.Context(), prover.Question[position]{Root: start, Side: side, Claims: claims[:1], Files: []*lasting.File{file}})
		switch {
		case err != nil && !errors.Is(err, prover.ErrUndecided):
			t.Fatalf("%d nodes: %v", nodes, err)
		case kept(t, file):
			checkFile(t, prover.NewChain(of, none, 1, 128<<20, nil), file.Path(), 0)
		case err == nil && answer.Verdict != proofnumber.Undecided:
			t.Errorf("%d nodes: %v, without a certificate", nodes, answer.Verdict)
		}
	}
}

// inTheWay has a folder with something in it stand where a search saves, as soon as it writes
// a position down while it has that file, as for its certificate.
func inTheWay(t *testing.T, folder string) (formats func()) {
	return func() {
		locks, err := filepath.Glob(filepath.Join(folder, "*"+lasting.LockSuffix))
		if err != nil {
			t.Fatal(err)
		}
		for _, lock := range locks {
			if err := os.MkdirAll(filepath.Join(strings.TrimSuffix(lock, lasting.LockSuffix), "something"), 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestAnAnswerStandsWhereItsCheckpointStays: a notice tells of that.
func TestAnAnswerStandsWhereItsCheckpointStays(t *testing.T) {
	of, folder := newSubject(t), t.TempDir()
	start, side, _ := of.Game.Start()
	var told []string
	p := prover.New(of, prover.NewShelf(of), prover.Options{
		Workers: 1, Memory: 64 << 20, Table: 1 << 20, Checkpoints: folder, Notice: func(text string) { told = append(told, text) },
	})
	file := created(t)
	answer, err := p.Prove(t.Context(), prover.Question[position]{
		Root: start, Side: side, Claims: claims[:1], Files: []*lasting.File{file}, Game: telling{of.Game, inTheWay(t, folder)},
	})
	if err != nil || answer.Verdict != proofnumber.Proved || answer.Checkpoint != "" || !kept(t, file) {
		t.Errorf("%+v, %v", answer, err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "could not be removed") {
		t.Errorf("told: %q", told)
	}
}

// TestWhatALargerSearchSavedIsKept where one with less memory goes on from it: it takes up what it
// has room for, tells how much memory has room for all, and saves what it finds in the place of
// the file, which has another name then.
func TestWhatALargerSearchSavedIsKept(t *testing.T) {
	of, folder := subjectOn(t, bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{}), t.TempDir()
	start, side, _ := of.Game.Start()
	var told []string
	prove := func(table, nodes uint64) *prover.Answer[position] {
		t.Helper()
		told = nil
		p := prover.New(of, prover.NewShelf(of), prover.Options{
			Workers: 1, Memory: 64 << 20, Table: table, Nodes: nodes, Checkpoints: folder, Notice: func(text string) {
				if !strings.HasPrefix(text, "going on") {
					told = append(told, text)
				}
			},
		})
		answer, err := p.Prove(t.Context(), prover.Question[position]{Root: start, Side: side, Claims: claims[:1]})
		if err != nil {
			t.Fatal(err)
		}
		return answer
	}
	const large, small, some = 8 << 20, 1 << 15, 20_000
	file := prove(large, some).Checkpoint
	whole, err := os.ReadFile(file)
	if err != nil || len(told) != 0 {
		t.Fatal(err, told)
	}
	if prove(large, 1); len(told) != 0 {
		t.Errorf("told: %q, where all has room", told)
	}
	if err := os.WriteFile(file, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	if answer := prove(small, some); answer.Resumed != some || answer.Verdict != proofnumber.Undecided || answer.Checkpoint != file {
		t.Fatalf("%+v", answer)
	}
	if len(told) != 2 || !strings.Contains(told[0], "--memory ") || !strings.Contains(told[1], file+".1") {
		t.Errorf("told: %q", told)
	}
	if kept, err := os.ReadFile(file + ".1"); err != nil || !bytes.Equal(kept, whole) {
		t.Errorf("%v, or another file is kept", err)
	}
	if saved, err := os.ReadFile(file); err != nil || bytes.Equal(saved, whole) {
		t.Errorf("%v, or nothing is saved", err)
	}
}

// timed is a context whose time ends when somebody says so.
type timed struct {
	context.Context
	done chan struct{}
}

func (c timed) Done() <-chan struct{} { return c.done }

func (c timed) Err() error {
	select {
	case <-c.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// telling is a game that tells when it is asked to write a position down.
type telling struct {
	bitboard.Game[position]
	formats func()
}

func (g telling) Format(p position, side bitboard.Side) string {
	g.formats()
	return g.Game.Format(p, side)
}

// Where the time ends once a claim is proved, and before its certificate is written, the claim
// is known to hold and none is kept.
func TestACertificateThatComesTooLateIsNotKept(t *testing.T) {
	of := newSubject(t)
	start, side, _ := of.Game.Start()
	ctx, file := timed{t.Context(), make(chan struct{})}, created(t)
	ends := func() {
		if ctx.Err() == nil {
			close(ctx.done)
		}
	}
	p := prover.New(of, prover.NewShelf(of), prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 20})
	answer, err := p.Prove(ctx, prover.Question[position]{
		Root: start, Side: side, Claims: claims[:1], Files: []*lasting.File{file}, Game: telling{of.Game, ends},
	})
	if !errors.Is(err, prover.ErrUndecided) || kept(t, file) {
		t.Errorf("%+v, %v, want %v", answer, err, prover.ErrUndecided)
	}
	if answer == nil || len(answer.Claims) != 1 || answer.Claims[0].Verdict != proofnumber.Proved || answer.Verdict != proofnumber.Undecided || len(answer.Certificates) != 0 {
		t.Errorf("%+v, want one claim that is proved, and no more", answer)
	}
}

// TestTheReasonStandsWhereASearchIsNotSaved: a notice tells of that, and the error is what ended
// the work.
func TestTheReasonStandsWhereASearchIsNotSaved(t *testing.T) {
	of, folder := newSubject(t), t.TempDir()
	start, side, _ := of.Game.Start()
	ctx, stands := timed{t.Context(), make(chan struct{})}, inTheWay(t, folder)
	ends := func() {
		if stands(); ctx.Err() == nil {
			close(ctx.done)
		}
	}
	var told []string
	p := prover.New(of, prover.NewShelf(of), prover.Options{
		Workers: 1, Memory: 64 << 20, Table: 1 << 20, Checkpoints: folder, Notice: func(text string) { told = append(told, text) },
	})
	begun := false
	answer, err := p.Prove(ctx, prover.Question[position]{
		Root: start, Side: side, Claims: claims[:1], Files: []*lasting.File{created(t)}, Game: telling{of.Game, func() {
			if begun { // once the file is taken
				ends()
			}
			begun = true
		}},
	})
	var unsaved *checkpoint.SaveError
	if !errors.Is(err, prover.ErrUndecided) || errors.As(err, &unsaved) || answer == nil || answer.Checkpoint != "" {
		t.Errorf("%+v, %v, want %v alone", answer, err, prover.ErrUndecided)
	}
	if len(told) != 1 || !strings.Contains(told[0], "could not be saved") {
		t.Errorf("told: %q", told)
	}
}

// A certificate that proves nothing, completed, is refused by its check and is not kept.
func TestACertificateThatProvesNothingIsNotCompleted(t *testing.T) {
	of := newSubject(t)
	given, _ := winOfWhite(t, of)
	for name, c := range map[string]struct {
		rank  func(uint32) uint32
		valid bool
	}{
		"as it is":         {func(rank uint32) uint32 { return rank }, true},
		"ranks all higher": {func(rank uint32) uint32 { return rank + 10 }, true},
		"ranks all one":    {func(uint32) uint32 { return 1 }, false},
	} {
		forged := reranked(t, of, given.Path(), c.rank)
		out := created(t)
		made, err := prover.Complete(t.Context(), of, t.TempDir(), forged, out, prover.CompleteOptions{Workers: 1, Memory: 1 << 30})
		var refused *prover.RefusedError
		if c.valid && err != nil || !c.valid && !errors.As(err, &refused) || kept(t, out) != c.valid {
			t.Errorf("%s: %+v, %v; kept: %v", name, made, err, kept(t, out))
		}
		if refused != nil && refused.Report.Valid() {
			t.Errorf("%s: the report is %+v", name, refused.Report)
		}
	}
}

// reranked is a certificate of a win with other ranks.
func reranked(t *testing.T, of subject, path string, rank func(uint32) uint32) *proofs.File {
	t.Helper()
	given := opened(t, path)
	claim, err := proofs.ParseClaim(given.Header.Claim, of.Game.SideName)
	if err != nil {
		t.Fatal(err)
	}
	forged := filepath.Join(t.TempDir(), "forged")
	out, err := os.Create(forged)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	w, err := proofs.NewWriter(out, of.Game, given.Header, 1)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range given.Records(claim, given.Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		rec.Rank = rank(rec.Rank)
		if err := w.Copy(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return opened(t, forged)
}

// opened is a certificate, until the test ends.
func opened(t *testing.T, path string) *proofs.File {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := proofs.Open(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}
