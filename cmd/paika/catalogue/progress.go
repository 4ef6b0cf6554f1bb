package catalogue

import (
	"paika/cmd/paika/prover"
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
	Claim    string              `json:"claim"`
	Result   proofnumber.Verdict `json:"result"`
	Openings []Opening           `json:"openings"`
}

// Opening is what the search knows of the claim after one turn. As long as the
// claim is undecided, "proved" can be a belief where the claim is that a side
// does not lose, and "refuted" where it is that a side wins.
type Opening struct {
	Turn     string              `json:"turn"`
	Position string              `json:"position"` // that it leads to
	Result   proofnumber.Verdict `json:"result"`
	Proof    *uint32             `json:"proof"`    // number of what seems left to prove the claim; nil where it is decided, or a hub does not know
	Disproof *uint32             `json:"disproof"` // and to refute it
	Nodes    *uint64             `json:"nodes"`    // searched below the turn; nil where a hub does not know all
	Share    *float64            `json:"share"`    // of the nodes below all turns; nil with those
}

// Left is the opening with the numbers of what seems left to prove and to refute, where
// it is undecided.
func (o Opening) Left(proof, disproof uint32) Opening {
	if o.Result == proofnumber.Undecided {
		o.Proof, o.Disproof = &proof, &disproof
	}
	return o
}

// Count tells how many of the openings have a result.
func (c ClaimProgress) Count(v proofnumber.Verdict) (n int) {
	for _, o := range c.Openings {
		if o.Result == v {
			n++
		}
	}
	return n
}

// Shared adds the shares that openings have of the nodes below all of them, where all are known.
func Shared(openings []Opening) {
	var all uint64
	for _, o := range openings {
		if o.Nodes == nil {
			return
		}
		all += *o.Nodes
	}
	for i := range openings {
		openings[i].Share = new(float64(*openings[i].Nodes) / float64(max(1, all)))
	}
}

// progress is what the search knows of a claim, in notation.
func (q *question[P]) progress(at prover.ClaimState[P]) ClaimProgress {
	c := ClaimProgress{
		Claim: at.Claim.Text(q.Game.SideName), Result: at.Verdict, Openings: make([]Opening, 0, len(at.Openings)),
	}
	if len(at.Openings) == 0 { // over, or too many to be listed by the search
		return c
	}
	for i, turn := range q.Game.Notated(q.Root, q.Side) {
		known := at.Openings[i]
		c.Openings = append(c.Openings, Opening{
			Turn: turn.Notation, Position: q.Game.Format(turn.To, q.Side.Other()), Result: known.Verdict, Nodes: &known.Nodes,
		}.Left(known.Proof, known.Disproof))
	}
	Shared(c.Openings)
	return c
}
