package prover

import (
	"context"
	"time"

	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// Progress is how far a search for a proof has come.
type Progress[P comparable] struct {
	ClaimState[P]
	Nodes    uint64 // of all claims
	Settling uint64 // positions in the set that is to settle the verdict; 0 before
	Writing  bool   // the certificate
}

// ClaimState is what the search knows of a claim, and of it after each turn from the
// position, in the order of bitboard.Rules' Turns. Verdicts and numbers are those of
// the claim. As long as it is undecided, a turn's can be a belief: "proved" where the
// claim is that a side does not lose, and "refuted" where it is that a side wins.
type ClaimState[P comparable] struct {
	Claim    proofs.Claim
	Verdict  proofnumber.Verdict
	Openings []proofnumber.Opening[P]
}

// doing is what an attempt is at.
type doing struct {
	claim   proofs.Claim
	writing bool
}

// progressEvery is the time between two reports of progress.
const progressEvery = 200 * time.Millisecond

// watch reports progress, if anyone wants it, until the function that it gives
// is called.
func (a *attempt[P]) watch(report func(Progress[P])) (stop func()) {
	if report == nil {
		return func() {}
	}
	return everyTick(func() {
		if d := a.doing.Load(); d != nil {
			report(Progress[P]{
				ClaimState: a.state(d.claim, proofnumber.Undecided),
				Nodes:      a.search.Nodes(), Settling: a.search.Settling(), Writing: d.writing,
			})
		}
	})
}

// everyTick calls a function now and then, until the one that it gives is
// called.
func everyTick(do func()) (stop func()) {
	return progress.Every(context.Background(), progressEvery, func(context.Context) { do() })
}

// state is what the search knows of a claim with that verdict.
func (a *attempt[P]) state(claim proofs.Claim, verdict proofnumber.Verdict) ClaimState[P] {
	side, holds := attacker(claim)
	known := a.search.Openings(a.question.Root, side == a.question.Side)
	for i := range known {
		o := &known[i]
		o.Verdict = result(o.Verdict, holds)
		if holds == proofnumber.Refuted {
			o.Proof, o.Disproof = o.Disproof, o.Proof
		}
	}
	return ClaimState[P]{claim, verdict, known}
}
