package prover_test

import (
	"context"
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase/lookup"
)

// draw is two claims, which hold together where neither side wins.
var draw = []proofs.Claim{{Side: 0}, {Side: 1}}

// holdTogether tells whether claims hold at a position of that value with side 0 to move.
func holdTogether(claims []proofs.Claim, v bitboard.Value) proofnumber.Verdict {
	for _, c := range claims {
		if holds(c, v) == proofnumber.Refuted {
			return proofnumber.Refuted
		}
	}
	return proofnumber.Proved
}

// Claims are proved together where all of them hold, and refuted where one does not, be it
// the first or the last.
func TestClaimsHoldTogether(t *testing.T) {
	of := newSubject(t)
	none := prover.NewShelf(of)
	p := prover.New(of, none, prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 16})
	seen := make(map[bitboard.Value]bool)
	for root, value := range firstPositions(t, of, 200) {
		seen[value] = true
		want := holdTogether(draw, value)
		q := prover.Question[position]{Root: root, Claims: draw}
		d, err := prover.Decide(t.Context(), of, q, 1<<20, of.Search(none, proofnumber.DFPN, 0))
		if err != nil || d.Verdict != want {
			t.Errorf("%s: decided %v, %v, want %v", of.Game.Format(root, 0), d.Verdict, err, want)
		}
		answer, err := p.Prove(t.Context(), q)
		if err != nil || answer.Verdict != want {
			t.Errorf("%s: %+v, %v, want %v", of.Game.Format(root, 0), answer, err, want)
		}
	}
	if len(seen) != 3 {
		t.Errorf("the positions have the values %v alone", seen)
	}
}

// However few nodes a search may visit, its answer is the right one or none.
func TestNoLimitMakesAWrongAnswer(t *testing.T) {
	of := newSubject(t)
	none, nothing := prover.NewShelf(of), lookup.New(of.Game, of.Board, nil)
	answered, undecided := 0, 0
	judge := func(p position, right bool, err error) {
		switch {
		case errors.Is(err, prover.ErrUndecided):
			undecided++
		case err != nil || !right:
			t.Fatalf("%s: right is %v, %v", of.Game.Format(p, 0), right, err)
		default:
			answered++
		}
	}
	for p, want := range firstPositions(t, of, 5) {
		for nodes := uint64(0); nodes < 300; nodes += 1 + nodes/32 {
			o := prover.ValueOptions{Nodes: nodes, Table: 1 << 16, Workers: 1}
			got, spent, err := prover.Value(t.Context(), of.Game, nothing, p, o)
			judge(p, got == want && spent <= nodes, err)
			got, spent, err = prover.ValueInMemory(t.Context(), of, none, p, o)
			judge(p, got == want && spent <= nodes, err)
			if nodes == 0 { // no limit, to those below
				continue
			}
			search := of.Search(none, proofnumber.DFPN, 0)
			search.Nodes = nodes
			d, err := prover.Decide(t.Context(), of, prover.Question[position]{Root: p, Claims: draw}, 1<<16, search)
			if err == nil && d.Verdict == proofnumber.Undecided {
				err = prover.ErrUndecided
			}
			judge(p, d.Verdict == holdTogether(draw, want), err)

			for _, claims := range [][]proofs.Claim{draw, {draw[1], draw[0]}} {
				searcher := prover.New(of, none, prover.Options{Nodes: nodes, Workers: 1, Memory: 1 << 20})
				answer, err := searcher.Prove(t.Context(), prover.Question[position]{Root: p, Claims: claims})
				if err == nil && answer.Verdict == proofnumber.Undecided {
					err = prover.ErrUndecided
				}
				judge(p, err != nil || answer.Verdict == holdTogether(draw, want), err)
			}
		}
	}
	if answered == 0 || undecided == 0 {
		t.Errorf("%d answers, %d undecided", answered, undecided)
	}
}

// A search that was stopped decides nothing, and says so.
func TestStoppedSearchesDecideNothing(t *testing.T) {
	of := subjectOn(t, bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{}) // takes a while
	start, _, _ := of.Game.Start()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	none := prover.NewShelf(of)
	q := prover.Question[position]{Root: start, Claims: draw}
	d, err := prover.Decide(ctx, of, q, 1<<20, of.Search(none, proofnumber.DFPN, 0))
	if !errors.Is(err, context.Canceled) || d.Verdict != proofnumber.Undecided {
		t.Errorf("%+v, %v, want %v", d, err, context.Canceled)
	}
	p := prover.New(of, none, prover.Options{Workers: 1, Memory: 64 << 20})
	answer, err := p.Prove(ctx, q)
	if !errors.Is(err, context.Canceled) || answer == nil || answer.Verdict != proofnumber.Undecided {
		t.Errorf("%+v, %v, want %v", answer, err, context.Canceled)
	}
}

// Memory that is too little for a search, and more than there is, are told.
func TestTooLittleMemoryIsNoAnswer(t *testing.T) {
	of := subjectOn(t, bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{})
	start, _, _ := of.Game.Start()
	none := prover.NewShelf(of)
	o := prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 20, Sets: 1, Workers: 1}
	if v, _, err := prover.ValueInMemory(t.Context(), of, none, start, o); !errors.Is(err, proofnumber.ErrSetTooSmall) {
		t.Errorf("%v, %v, want %v", v, err, proofnumber.ErrSetTooSmall)
	}
	o = prover.ValueOptions{Nodes: 1 << 30, Table: 1 << 62, Workers: 1}
	if v, _, err := prover.ValueInMemory(t.Context(), of, none, start, o); err == nil {
		t.Errorf("%v, with a table of %d bytes", v, o.Table)
	}
	if d, err := prover.Decide(t.Context(), of, prover.Question[position]{Root: start, Claims: draw}, o.Table, of.Search(none, proofnumber.DFPN, 0)); err == nil {
		t.Errorf("%+v, with a table of %d bytes", d, o.Table)
	}
}
