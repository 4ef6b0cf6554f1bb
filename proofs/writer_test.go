package proofs_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paika/bitboard/fanorona"
	"paika/proofs"
)

// manySteps is more than several workers write at a time, three times over.
const manySteps = 30_000

// lineOfPlay gives steps of black-not-lost on 5x5, breadth first from the start: what a certificate may have,
// not one that shows anything.
func lineOfPlay(t *testing.T, s *shelf) (steps []proofs.Step[fanorona.Position], h proofs.Header) {
	t.Helper()
	root, side, err := s.game.Start()
	if err != nil {
		t.Fatal(err)
	}
	h = proofs.Header{Setting: s.setting, Claim: "black-not-lost", Root: s.game.Format(root, side)}
	black := side.Other()
	seen := map[proofs.Step[fanorona.Position]]bool{}
	next := []fanorona.Position{root}
	for ; len(steps) < manySteps; side = side.Other() {
		level := next
		next = nil
		for _, p := range level {
			key := proofs.Step[fanorona.Position]{Position: p, Side: side}
			turns := s.game.Turns(nil, p)
			if seen[key] || len(turns) == 0 {
				continue
			}
			seen[key] = true
			step := key
			if step.Chosen = side == black; step.Chosen {
				step.To = turns[0]
			}
			steps = append(steps, step)
			next = append(next, turns...)
		}
	}
	return steps[:manySteps], h
}

func TestWorkersWriteTheSameFile(t *testing.T) {
	s := newShelf(t, 5, 5, 0)
	steps, h := lineOfPlay(t, s)
	foreign := proofs.Record{Position: "what a part has", Turn: proofs.AllTurns}
	var want []byte
	for _, workers := range []int{0, 1, 2, 3, 8} {
		var file bytes.Buffer
		w, err := proofs.NewWriter(&file, s.game, h, workers)
		if err != nil {
			t.Fatal(err)
		}
		for i, step := range steps {
			if err := w.Add(step); err != nil {
				t.Fatal(err)
			}
			if i%4321 == 0 { // between steps of which some wait
				if err := w.Copy(foreign); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		w.Discard()
		if want == nil {
			want = file.Bytes()
			lines := text(t, want)
			if n := len(lines) - 1; n != manySteps+manySteps/4321+1 {
				t.Fatalf("%d records", n)
			}
			for i, step := range steps[:10] {
				line := lines[1+i+min(i, 1)] // behind the first step stands a copy
				if !strings.HasPrefix(line, s.game.Format(step.Position, step.Side)+"\t") {
					t.Errorf("step %d is %q", i, line)
				}
			}
		}
		if !bytes.Equal(file.Bytes(), want) {
			t.Errorf("%d workers write %d bytes, one writes %d, and others", workers, file.Len(), len(want))
		}
	}
}

func TestWorkersTellOfWrongSteps(t *testing.T) {
	s := newShelf(t, 5, 5, 0)
	steps, h := lineOfPlay(t, s)
	for _, wrong := range []int{0, manySteps / 2, manySteps - 1} {
		for _, workers := range []int{1, 2, 8} {
			t.Run(fmt.Sprintf("step=%d/workers=%d", wrong, workers), func(t *testing.T) {
				w, err := proofs.NewWriter(new(bytes.Buffer), s.game, h, workers)
				if err != nil {
					t.Fatal(err)
				}
				defer w.Discard()
				changed := slices.Clone(steps)
				changed[wrong].Chosen = !changed[wrong].Chosen
				err = writeAll(w, changed)
				if again := w.Close(); !errors.Is(again, err) {
					t.Errorf("closed again: %v, want %v", again, err)
				}
				want := s.game.Format(steps[wrong].Position, steps[wrong].Side) + ": a turn is chosen for black and no one else"
				if err == nil || err.Error() != want {
					t.Errorf("%v, want %s", err, want)
				}
			})
		}
	}
}

func TestWorkersTellOfWhatIsNotWritten(t *testing.T) {
	s := newShelf(t, 5, 5, 0)
	steps, h := lineOfPlay(t, s)
	for _, room := range []int{0, 10_000, 100_000} {
		for _, workers := range []int{1, 2, 8} {
			w, err := proofs.NewWriter(&full{room}, s.game, h, workers)
			if err != nil {
				t.Fatal(err)
			}
			if err := writeAll(w, steps); !errors.Is(err, errFull) {
				t.Errorf("room for %d bytes, %d workers: %v", room, workers, err)
			}
			w.Discard()
		}
	}
}

// slow takes a second for each piece that is written.
type slow struct{ under, done atomic.Int32 }

func (s *slow) Write(p []byte) (int, error) {
	s.under.Add(1)
	time.Sleep(time.Second)
	s.under.Add(-1)
	s.done.Add(1)
	return len(p), nil
}

func TestNothingIsWrittenAfterDiscard(t *testing.T) {
	s := newShelf(t, 5, 5, 0)
	steps, h := lineOfPlay(t, s)
	synctest.Test(t, func(t *testing.T) {
		var out slow
		w, err := proofs.NewWriter(&out, s.game, h, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			if err := w.Add(step); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if out.under.Load() == 0 {
			t.Fatal("nothing is being written as the steps are in: the test shows nothing")
		}
		w.Discard()
		done := out.done.Load()
		if out.under.Load() != 0 {
			t.Error("a piece is being written still")
		}
		time.Sleep(time.Minute)
		if more := out.done.Load() - done; more != 0 {
			t.Errorf("%d pieces are written after that", more)
		}
	})
}
