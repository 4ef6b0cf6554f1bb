package prover

import (
	"errors"
	"reflect"

	"paika/bitboard"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// Subject is what is searched and proved about: a game on a board under one set of
// rules.
type Subject[P comparable] struct {
	Game     bitboard.Game[P]
	Board    bitboard.Board
	Identity tablebase.Identity // of the tables, and of the setting of certificates

	// Estimate is where proof numbers begin, or nil, where the search knows no
	// better.
	Estimate proofnumber.Estimate[P]

	// Discerning is that of proofnumber.Options: whether the estimate is.
	Discerning bool
}

// ErrUndecided says that a limit was reached before the answer.
var ErrUndecided = errors.New("not decided within the limits")

// treeNodeBytes is about what a node of PN and PN2 takes beside its position.
const treeNodeBytes = 32

// Search is the options that every search for a proof has: what the game knows, the
// tables on the shelf, and the bytes for the tree of PN and PN2.
func (s Subject[P]) Search(shelf *Shelf[P], method proofnumber.Method, tree uint64) proofnumber.Options[P] {
	options := proofnumber.Options[P]{
		Method: method, Estimate: s.Estimate, Discerning: s.Discerning,
		TreeNodes: int(tree / uint64(reflect.TypeFor[P]().Size()+treeNodeBytes)),
	}
	if len(shelf.Tables()) > 0 {
		options.Tables = shelf.values()
	}
	return options
}

// attacker is the side whose win the search is about, and what it must find of
// that for the claim to hold.
func attacker(claim proofs.Claim) (bitboard.Side, proofnumber.Verdict) {
	if claim.Wins {
		return claim.Side, proofnumber.Proved
	}
	return claim.Side.Other(), proofnumber.Refuted
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
