package catalogue

import (
	"context"
	"time"

	"paika/bitboard"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// Progress is how far a search for a proof has come.
type Progress struct {
	ClaimProgress
	Nodes    uint64 // of all claims
	Settling uint64 // positions in the set that is to settle the verdict; 0 before
	Writing  bool   // the certificate
}

// ClaimProgress is what the search knows of a claim, by the turns from its
// position.
type ClaimProgress struct {
	Claim    string    `json:"claim"`
	Result   string    `json:"result"` // "proved", "refuted" or "undecided"
	Openings []Opening `json:"openings"`
}

// Opening is what the search knows of the claim after one turn. As long as the
// claim is undecided, "proved" can be a belief where the claim is that a side
// does not lose, and "refuted" where it is that a side wins.
type Opening struct {
	Turn     string  `json:"turn"`
	Position string  `json:"position"` // that it leads to
	Result   string  `json:"result"`
	Proof    uint32  `json:"proof"`    // number of what seems left to prove the claim; 0 where it is decided
	Disproof uint32  `json:"disproof"` // and to refute it
	Nodes    uint64  `json:"nodes"`    // searched below the turn
	Share    float64 `json:"share"`    // of the nodes below all turns
}

// Count tells how many of the openings have a result.
func (c ClaimProgress) Count(v proofnumber.Verdict) (n int) {
	for _, o := range c.Openings {
		if o.Result == v.String() {
			n++
		}
	}
	return n
}

// doing is what a prover is at.
type doing struct {
	claim   proofs.Claim
	writing bool
}

// progressEvery is the time between two reports of progress.
const progressEvery = 200 * time.Millisecond

// watch reports progress, if anyone wants it, until the function that it gives
// is called.
func (p *prover[P]) watch(report func(Progress)) (stop func()) {
	if report == nil {
		return func() {}
	}
	return everyTick(func() {
		if d := p.doing.Load(); d != nil {
			report(Progress{
				ClaimProgress: p.progress(d.claim, proofnumber.Undecided),
				Nodes:         p.search.Nodes(), Settling: p.search.Settling(), Writing: d.writing,
			})
		}
	})
}

// everyTick calls a function now and then, until the one that it gives is
// called.
func everyTick(do func()) (stop func()) {
	return progress.Every(context.Background(), progressEvery, func(context.Context) { do() })
}

// progress is what the search knows of a claim with that verdict.
func (p *prover[P]) progress(claim proofs.Claim, verdict proofnumber.Verdict) ClaimProgress {
	side, holds := attacker(claim)
	known := p.search.Openings(p.root, side == p.side)
	c := ClaimProgress{Claim: claim.Text(p.game.SideName), Result: verdict.String(), Openings: make([]Opening, 0, len(known))}
	var nodes uint64
	for _, o := range known {
		nodes += o.Nodes
	}
	for i, turn := range p.game.Notated(p.root, p.side) {
		o := Opening{
			Turn: turn.Notation, Position: p.game.Format(turn.To, p.side.Other()),
			Result: result(known[i].Verdict, holds).String(),
			Proof:  known[i].Proof, Disproof: known[i].Disproof, Nodes: known[i].Nodes,
		}
		if holds == proofnumber.Refuted {
			o.Proof, o.Disproof = o.Disproof, o.Proof
		}
		if nodes > 0 {
			o.Share = float64(o.Nodes) / float64(nodes)
		}
		c.Openings = append(c.Openings, o)
	}
	return c
}

// result tells what a verdict makes of a claim that holds by one of them.
func result(v, holds proofnumber.Verdict) proofnumber.Verdict {
	switch v {
	case proofnumber.Undecided:
		return v
	case holds:
		return proofnumber.Proved
	}
	return proofnumber.Refuted
}

// attacker is the side whose win the search is about, and what it must find of
// that for the claim to hold.
func attacker(claim proofs.Claim) (bitboard.Side, proofnumber.Verdict) {
	if claim.Wins {
		return claim.Side, proofnumber.Proved
	}
	return claim.Side.Other(), proofnumber.Refuted
}
