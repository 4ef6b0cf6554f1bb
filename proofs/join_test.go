package proofs_test

import (
	"bytes"
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
			for _, memory := range []uint64{0, 50_000} {
				lines := text(t, s.join(t, root, tables, claim, steps, memory, parts...))
				slices.Sort(lines)
				sorted = append(sorted, lines)
			}
			if !slices.Equal(sorted[0], sorted[1]) {
				t.Errorf("%v, %d stones: in several passes %d lines, in one %d", claim, stones, len(sorted[1]), len(sorted[0]))
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
