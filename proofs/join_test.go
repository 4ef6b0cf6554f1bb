package proofs_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"paika/bitboard/fanorona"
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
	w, err := proofs.NewWriter(&out, s.game, proofs.Header{Setting: s.setting, Claim: claim.Text(s.game.SideName), Root: root, Tables: tables})
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
		w, err := proofs.NewWriter(new(bytes.Buffer), s.game, proofs.Header{Setting: s.setting, Claim: claim.Text(s.game.SideName), Root: opened.Header.Root})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proofs.Join(t.Context(), w, []proofs.Proved{{File: opened, Checksum: sum}}, nil, 0); err == nil {
			t.Errorf("joined with checksum %q", sum)
		}
	}
}

// lifted is a certificate of a win with all ranks so much higher.
func (s *solved[P]) lifted(t *testing.T, file []byte, claim proofs.Claim, by uint32) []byte {
	t.Helper()
	opened, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, s.game, opened.Header)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range s.steps(t, file, claim) {
		step.Rank += by
		if err := w.Add(step); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Ranks are raised as far as they fit: one more, and joining is refused.
func TestJoinedRanksFitOrAreRefused(t *testing.T) {
	s := newShelf(t, 5, 3, 0)
	whole, parts := s.apart(t, whiteWins)
	opened, err := open(whole)
	if err != nil {
		t.Fatal(err)
	}
	parts = append(parts, parts...) // of which the second ones add nothing but ranks
	root, steps := opened.Header.Root, s.steps(t, whole, whiteWins)
	highest := func(steps []proofs.Step[fanorona.Position]) (rank uint32) {
		for _, step := range steps {
			rank = max(rank, step.Rank)
		}
		return rank
	}
	room := math.MaxUint32 - highest(steps)
	for _, part := range parts {
		room -= highest(s.steps(t, part, whiteWins))
	}
	for i := range parts {
		lifted := slices.Clone(parts)
		lifted[i] = s.lifted(t, parts[i], whiteWins, room)
		if r := s.check(t, s.join(t, root, nil, whiteWins, steps, 0, lifted...), proofs.Options{}); !r.Valid() {
			t.Errorf("part %d, as high as it goes: %v", i, r.Findings)
		}
		for _, above := range [][]proofs.Step[fanorona.Position]{steps, nil} {
			for more, fits := range []bool{true, false} {
				lifted[i] = s.lifted(t, parts[i], whiteWins, room+highest(steps)-highest(above)+uint32(more))
				if err := s.joinTo(t, new(bytes.Buffer), root, above, lifted); (err == nil) != fits {
					t.Errorf("part %d, %d above what fits with %d steps: %v", i, more, len(above), err)
				}
			}
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
	high := plain.lifted(t, parts[0], whiteWins, 1000)
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
	w, err := proofs.NewWriter(out, s.game, proofs.Header{Setting: s.setting, Claim: whiteWins.Text(s.game.SideName), Root: root})
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
