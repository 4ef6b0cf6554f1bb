package proofs_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"paika/proofs"
)

// steps are the records of a certificate as a program has them that found them.
func (s *solved[P]) steps(t *testing.T, file []byte, claim proofs.Claim) (steps []proofs.Step[P]) {
	t.Helper()
	opened, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range opened.Records(claim, opened.Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		p, side, err := s.game.Parse(rec.Position)
		if err != nil {
			t.Fatal(err)
		}
		step := proofs.Step[P]{Position: p, Side: side, Rank: rec.Rank}
		if step.Chosen = rec.Turn != proofs.AllTurns; step.Chosen {
			turn, err := s.game.ParseTurn(p, side, rec.Turn)
			if err != nil {
				t.Fatal(err)
			}
			step.To = turn.To
		}
		steps = append(steps, step)
	}
	return steps
}

// join puts certificates together as one from that position.
func (s *solved[P]) join(t *testing.T, root string, tables []proofs.Table, claim proofs.Claim, steps []proofs.Step[P], memory uint64, parts ...[]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, s.game, proofs.Header{Setting: s.setting, Claim: claim.Text(s.game.SideName), Root: root, Tables: tables}, 1)
	if err != nil {
		t.Fatal(err)
	}
	var proved []proofs.Proved
	for _, part := range parts {
		opened, err := open(part)
		if err != nil {
			t.Fatal(err)
		}
		proved = append(proved, proofs.Proved{File: opened, Checksum: s.check(t, part, proofs.Options{}).Checksum})
	}
	positions, err := proofs.Join(t.Context(), w, proved, steps, memory)
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(len(text(t, out.Bytes())) - 1); positions != want {
		t.Errorf("%d positions told, %d written", positions, want)
	}
	return out.Bytes()
}

// TestJoinedPartsAreOneCertificate joins the parts of a proof and the steps above
// them, in any order of the parts, with a certificate of all that overlaps with each, and
// with room for few positions at a time. What comes of it needs no parts.
func TestJoinedPartsAreOneCertificate(t *testing.T) {
	for _, claim := range []proofs.Claim{whiteWins, whiteNotLost} {
		for _, stones := range []int{0, 4} {
			s := newShelf(t, 5, 3, stones)
			if !claim.Wins {
				s = newShelf(t, 3, 3, min(stones, 3))
			}
			whole, parts := s.apart(t, claim)
			opened, err := open(whole)
			if err != nil {
				t.Fatal(err)
			}
			root, tables := opened.Header.Root, opened.Header.Tables
			steps := s.steps(t, whole, claim)
			alone, _ := s.prove(t, claim)
			backward := slices.Clone(parts)
			slices.Reverse(backward)
			var sorted [][]string
			for name, joined := range map[string][]byte{
				"in order":         s.join(t, root, tables, claim, steps, 0, parts...),
				"backward":         s.join(t, root, tables, claim, steps, 0, backward...),
				"the whole before": s.join(t, root, tables, claim, steps, 0, append([][]byte{alone}, parts...)...),
				"the whole after":  s.join(t, root, tables, claim, steps, 0, append(slices.Clone(parts), alone)...),
				"the whole alone":  s.join(t, root, tables, claim, nil, 0, alone),
				"the steps alone":  s.join(t, root, tables, claim, s.steps(t, alone, claim), 0),
			} {
				if r := s.check(t, joined, proofs.Options{}); !r.Valid() || r.Header.Root != root || len(r.Header.Parts) > 0 {
					t.Errorf("%v, %d stones, %s: %v", claim, stones, name, r.Findings)
				}
			}
			for _, memory := range []uint64{0, 5_000, 1} {
				lines := text(t, s.join(t, root, tables, claim, steps, memory, parts...))
				slices.Sort(lines)
				sorted = append(sorted, lines)
			}
			for _, others := range sorted[1:] {
				if !slices.Equal(sorted[0], others) {
					t.Errorf("%v, %d stones: in several passes %d lines, in one %d", claim, stones, len(others), len(sorted[0]))
				}
			}
		}
	}
}

// TestJoinTellsOfAPartThatIsNotWhole: the parts are read as they were checked.
func TestJoinTellsOfAPartThatIsNotWhole(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	alone, claim := s.prove(t, whiteWins)
	opened, err := open(alone)
	if err != nil {
		t.Fatal(err)
	}
	for _, sum := range []string{"", strings.Repeat("0", 16)} {
		w, err := proofs.NewWriter(new(bytes.Buffer), s.game, proofs.Header{Setting: s.setting, Claim: claim.Text(s.game.SideName), Root: opened.Header.Root}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proofs.Join(t.Context(), w, []proofs.Proved{{File: opened, Checksum: sum}}, nil, 0); err == nil {
			t.Errorf("joined with checksum %q", sum)
		}
	}
}

// ranked is a certificate of a win with other ranks.
func (s *solved[P]) ranked(t *testing.T, file []byte, claim proofs.Claim, rank func(uint32) uint32) []byte {
	t.Helper()
	opened, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, s.game, opened.Header, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range s.steps(t, file, claim) {
		step.Rank = rank(step.Rank)
		if err := w.Add(step); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// highest is the highest rank of some steps.
func highest[P comparable](steps []proofs.Step[P]) (rank uint32) {
	for _, step := range steps {
		rank = max(rank, step.Rank)
	}
	return rank
}

// Ranks without gaps are raised by the highest of all before, and are not changed otherwise.
func TestJoinedRanksStandOnTopOfEachOther(t *testing.T) {
	s := newShelf(t, 5, 3, 0)
	whole, parts := s.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	want, base := make(map[string]uint32), uint32(0)
	for _, steps := range append(s.stepsOf(t, parts), s.steps(t, whole, whiteWins)) {
		for _, step := range steps {
			if position := s.game.Format(step.Position, step.Side); want[position] == 0 {
				want[position] = base + step.Rank
			}
		}
		base += highest(steps)
	}
	for _, step := range s.steps(t, s.join(t, opened.Header.Root, nil, whiteWins, s.steps(t, whole, whiteWins), 0, parts...), whiteWins) {
		if position := s.game.Format(step.Position, step.Side); step.Rank != want[position] {
			t.Errorf("%s has rank %d, want %d", position, step.Rank, want[position])
		}
	}
}

// stepsOf are the steps of each part of a proof that White wins.
func (s *solved[P]) stepsOf(t *testing.T, parts [][]byte) (steps [][]proofs.Step[P]) {
	t.Helper()
	for _, part := range parts {
		steps = append(steps, s.steps(t, part, whiteWins))
	}
	return steps
}

// However high the ranks of valid parts are, and however far apart, what is joined is the same.
func TestHighRanksSpoilNothingJoined(t *testing.T) {
	s := newShelf(t, 5, 3, 0)
	whole, parts := s.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	root, steps := opened.Header.Root, s.steps(t, whole, whiteWins)
	want := s.join(t, root, nil, whiteWins, steps, 0, parts...)
	top := func(part []byte) func(uint32) uint32 {
		by := math.MaxUint32 - highest(s.steps(t, part, whiteWins))
		return func(rank uint32) uint32 { return rank + by }
	}
	apart := func(part []byte) func(uint32) uint32 {
		by := math.MaxUint32 / highest(s.steps(t, part, whiteWins))
		return func(rank uint32) uint32 { return rank * by }
	}
	for name, change := range map[string]func(part []byte) func(uint32) uint32{"at the top": top, "far apart": apart} {
		all := slices.Clone(parts)
		for i, part := range parts {
			all[i] = s.ranked(t, part, whiteWins, change(part))
			one := slices.Clone(parts)
			one[i] = all[i]
			if got := s.join(t, root, nil, whiteWins, steps, 0, one...); !bytes.Equal(got, want) {
				t.Errorf("part %d with ranks %s: another certificate", i, name)
			}
		}
		if got := s.join(t, root, nil, whiteWins, steps, 0, all...); !bytes.Equal(got, want) {
			t.Errorf("all parts with ranks %s: another certificate", name)
		}
	}
}

// Steps are the caller's own: ranks that don't fit above the parts are refused.
func TestStepsOfTooHighRanksAreRefused(t *testing.T) {
	s := newShelf(t, 5, 3, 0)
	whole, parts := s.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	room := uint32(math.MaxUint32)
	for _, steps := range s.stepsOf(t, parts) {
		room -= highest(steps)
	}
	steps := s.steps(t, whole, whiteWins)
	for more, fits := range []bool{true, false} {
		high := slices.Clone(steps)
		for i := range high {
			high[i].Rank += room - highest(steps) + uint32(more)
		}
		if err := s.joinTo(t, new(bytes.Buffer), opened.Header.Root, high, parts); (err == nil) != fits {
			t.Errorf("%d above what fits: %v", more, err)
		}
	}
}

// What one part has a record of, another may rest on, with other ranks or by tables.
func TestJoinedPartsMayDiffer(t *testing.T) {
	plain, tabled := newShelf(t, 5, 3, 0), newShelf(t, 5, 3, 4)
	whole, parts := plain.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	root, steps := opened.Header.Root, plain.steps(t, whole, whiteWins)
	alone, _ := plain.prove(t, whiteWins)
	over, _ := tabled.prove(t, whiteWins)
	if opened, err = open(over); err != nil {
		t.Fatal(err)
	}
	tables := opened.Header.Tables
	high := plain.ranked(t, parts[0], whiteWins, func(rank uint32) uint32 { return rank + 1000 })
	for name, joined := range map[string][]byte{
		"high ranks first":      plain.join(t, root, nil, whiteWins, steps, 0, high, alone),
		"high ranks last":       plain.join(t, root, nil, whiteWins, steps, 0, alone, high),
		"without tables, first": tabled.join(t, root, tables, whiteWins, nil, 0, alone, over),
		"without tables, last":  tabled.join(t, root, tables, whiteWins, nil, 0, over, alone),
		"steps over tables":     tabled.join(t, root, tables, whiteWins, plain.steps(t, alone, whiteWins), 0, over),
	} {
		if r := tabled.check(t, joined, proofs.Options{}); !r.Valid() {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
}

// A disk that is full is told, however much it has taken.
func TestJoinTellsThatItCouldNotWrite(t *testing.T) {
	s := newShelf(t, 5, 3, 0)
	whole, parts := s.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	var all bytes.Buffer
	root, steps := opened.Header.Root, s.steps(t, whole, whiteWins)
	if err := s.joinTo(t, &all, root, steps, parts); err != nil {
		t.Fatal(err)
	}
	for room := 0; room < all.Len(); room += 1 + all.Len()/50 {
		if err := s.joinTo(t, &full{room}, root, steps, parts); !errors.Is(err, errFull) {
			t.Errorf("room for %d of %d bytes: %v", room, all.Len(), err)
		}
	}
}

// full is a disk with so many bytes left.
type full struct{ room int }

var errFull = errors.New("no space left")

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// joinTo joins certificates of a win.
func (s *solved[P]) joinTo(t *testing.T, out io.Writer, root string, steps []proofs.Step[P], parts [][]byte) error {
	t.Helper()
	w, err := proofs.NewWriter(out, s.game, proofs.Header{Setting: s.setting, Claim: whiteWins.Text(s.game.SideName), Root: root}, 1)
	if err != nil {
		return err
	}
	var proved []proofs.Proved
	for _, part := range parts {
		opened, err := open(part)
		if err != nil {
			t.Fatal(err)
		}
		proved = append(proved, proofs.Proved{File: opened, Checksum: opened.Part().Checksum})
	}
	_, err = proofs.Join(t.Context(), w, proved, steps, 0)
	return err
}
