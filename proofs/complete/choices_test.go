package complete_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"paika/bitboard"
	"paika/proofs"
	"paika/proofs/complete"
)

// saved is choices as a checkpoint has them.
type saved [][2]uint64

func save(c *complete.Choices) (s saved) {
	for first, second := range c.Entries() {
		s = append(s, [2]uint64{first, second})
	}
	return s
}

func (s saved) restore(t testing.TB) *complete.Choices {
	t.Helper()
	c := new(complete.Choices)
	for _, entry := range s {
		if !c.Restore(entry[0], entry[1]) {
			t.Fatalf("entry %v is refused", entry)
		}
	}
	return c
}

// until completes a certificate, and gives up after so many batches. It gives what a
// checkpoint had at one of them, chosen by chance, or within one: where the context ends
// the latest, where the process is killed an older one.
func (s *solved[P]) until(t testing.TB, given []byte, from saved, batches int, r *rand.Rand) (file []byte, kept saved) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	choices, last := from.restore(t), r.IntN(batches)
	kept = from
	var out bytes.Buffer
	_, err := complete.Write(ctx, &out, s.game, open(t, given), s, complete.Options{
		Workers: 1 + r.IntN(3), Choices: choices,
		Progress: func(_, _ uint64) {
			if batches--; batches >= last {
				kept = save(choices)
			}
			if batches == 0 {
				cancel()
			}
		},
	})
	switch {
	case err == nil:
		return out.Bytes(), save(choices)
	case !errors.Is(err, context.Canceled):
		t.Fatal(err)
	}
	return nil, kept[:len(kept)-r.IntN(1+len(kept)/8)]
}

// Work that is stopped at any time, time and again, comes to the same file.
func TestWorkThatIsStoppedGoesOnToTheSameFile(t *testing.T) {
	goOnAll(t, newFanorona(t, 3, 5, bitboard.DTW, 4))
	goOnAll(t, newKonane(t, 4, 3, bitboard.DTW, 6))
	if !testing.Short() { // where there is more of the same
		goOnAll(t, newFanorona(t, 5, 5, bitboard.WDL, 4))
	}
}

func goOnAll[P comparable](t *testing.T, s *solved[P]) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for _, given := range s.holding(t) {
		batches := 0
		want, _, err := s.complete(t, given, s, complete.Options{Progress: func(_, _ uint64) { batches++ }})
		if err != nil {
			t.Fatal(err)
		}
		var kept saved
		var got []byte
		for most := 1 + batches/4; got == nil; most += 1 + batches/4 {
			got, kept = s.until(t, given, kept, most, r)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s: another file", open(t, given).Header.Claim)
		}
		// Played to the end: all is chosen already.
		again, all, err := s.replayed(t, given, kept)
		if err != nil || !bytes.Equal(again, want) || len(all) != len(kept) {
			t.Errorf("%s, all of it: %d entries of %d, %v", open(t, given).Header.Claim, len(all), len(kept), err)
		}
	}
}

func (s *solved[P]) replayed(t testing.TB, given []byte, from saved) ([]byte, saved, error) {
	t.Helper()
	choices := from.restore(t)
	file, _, err := s.complete(t, given, s, complete.Options{Choices: choices})
	return file, save(choices), err
}

// Choices are claims: those that do not fit are refused, or lead to a certificate that
// is as good.
func TestForgedChoicesProveNothing(t *testing.T) {
	tries := 20
	if testing.Short() {
		tries = 3
	}
	s := newFanorona(t, 5, 5, bitboard.WDL, 4)
	given := s.claim(t, proofs.Claim{Side: 0})
	choices := new(complete.Choices)
	if _, _, err := s.complete(t, given, s, complete.Options{Choices: choices}); err != nil {
		t.Fatal(err)
	}
	honest, r := save(choices), rand.New(rand.NewPCG(3, 4))
	refused := 0
	for range tries {
		forged := append(saved(nil), honest...)
		forged[r.IntN(len(forged)/8)][1] ^= 1 << r.IntN(64)
		file, _, err := s.replayed(t, given, forged)
		switch {
		case errors.Is(err, complete.ErrChoices):
			refused++
		case err != nil:
			t.Error(err)
		case !s.check(t, file).Valid():
			t.Error("what is forged leads to a certificate that is not valid")
		}
	}
	if refused == 0 {
		t.Error("nothing is refused")
	}
	if _, _, err := s.replayed(t, given, append(honest[:len(honest):len(honest)], [2]uint64{1, 1})); !errors.Is(err, complete.ErrChoices) {
		t.Errorf("one choice too many: %v", err)
	}
	if _, _, err := s.replayed(t, given, append(saved{{1, 0x80}}, honest...)); !errors.Is(err, complete.ErrChoices) {
		t.Errorf("a broken number: %v", err)
	}
	if _, _, err := s.replayed(t, given, append(saved{{8, math.MaxUint64}, {8, math.MaxUint64}}, honest...)); !errors.Is(err, complete.ErrChoices) {
		t.Errorf("a number that is too large: %v", err)
	}
	for _, entry := range [][2]uint64{{0, 1}, {9, 1}} {
		if new(complete.Choices).Restore(entry[0], entry[1]) {
			t.Errorf("entry %v is taken", entry)
		}
	}
}

// Who saves choices may stop at any entry.
func TestEntriesAreHandedOutAsLongAsTheyAreTaken(t *testing.T) {
	all := saved{{8, 1}, {8, 2}, {3, 3}}
	for most := range all {
		taken := 0
		for range all.restore(t).Entries() {
			if taken++; taken > most {
				break
			}
		}
		if taken != most+1 {
			t.Errorf("%d entries, want %d", taken, most+1)
		}
	}
}
