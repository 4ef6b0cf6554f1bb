package prover_test

import (
	"slices"
	"testing"

	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// rely has a prover rely on the certificate of a question, and gives that.
func rely(t *testing.T, p *prover.Prover[position], of subject, q prover.Question[position]) *proofs.File {
	t.Helper()
	at := newPlace(t, of)
	at.prove(t, prover.New(of, prover.NewShelf(of), at.options("")), q)
	part := opened(t, at.path)
	if err := p.Rely(part); err != nil {
		t.Fatal(err)
	}
	return part
}

// won is a turn from the start that wins.
func won(t *testing.T, of subject) position {
	t.Helper()
	_, answer := winOfWhite(t, of)
	openings := answer.Claims[0].Openings
	i := slices.IndexFunc(openings, func(o proofnumber.Opening[position]) bool { return o.Verdict == proofnumber.Proved })
	if i < 0 {
		t.Fatal("no turn from the start wins")
	}
	return openings[i].To
}

// TestWhatIsReliedOnIsNotProvedAgain, be it a position where the attacker moves or one where the
// defender does: the certificate ends there. It is valid beside the one that it names.
func TestWhatIsReliedOnIsNotProvedAgain(t *testing.T) {
	of := newSubject(t)
	start, side, _ := of.Game.Start()
	after := won(t, of)
	for _, claim := range claims[:2] { // Black defends, or attacks
		at, wants := newPlace(t, of), []proofs.Claim{claim}
		p := prover.New(of, prover.NewShelf(of), at.options(""))
		part := rely(t, p, of, prover.Question[position]{Root: after, Side: side.Other(), Claims: wants})
		answer := at.prove(t, p, prover.Question[position]{Root: start, Side: side, Claims: wants})
		if n := answer.Certificates[0].Positions; n != 1 {
			t.Errorf("%v: a certificate of %d positions, want the root alone", claim, n)
		}
		if parts := opened(t, at.path).Header.Parts; !slices.Equal(parts, []proofs.Part{part.Part()}) {
			t.Errorf("%v: it names %v, want %v", claim, parts, part.Part())
		}
		chain := prover.NewChain(of, prover.NewShelf(of), 1, 128<<20, nil)
		chain.Rely(part.Part().Checksum, part.Header)
		checkFile(t, chain, at.path, 0)
	}
}
