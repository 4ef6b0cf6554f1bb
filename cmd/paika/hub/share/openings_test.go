package share_test

import (
	"path/filepath"
	"slices"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// TestACertificateTellsWhichTurnShowsTheClaim, where a part of the position itself is all of it: the tree
// knows the verdict alone. Of a claim that fails by all turns none is that.
func TestACertificateTellsWhichTurnShowsTheClaim(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	site := open(t, of, "")
	for _, claim := range []string{"white-wins", "black-not-lost"} { // White does
		proof, err := site.Proof(share.Question{Position: start(t, of), Claim: claim, Version: version, Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		team := newTeam(t, site, 1)
		nodes := team.prove(t, proof)[0].Nodes
		if _, err := proof.Write(t.Context(), filepath.Join(t.TempDir(), "whole"), team.path); err != nil {
			t.Fatal(err)
		}
		openings, below := proof.Openings(), uint64(0)
		for _, o := range openings {
			below += *o.Nodes
		}
		shows := func(o share.Opening) bool { return o.Result == proof.Verdict() }
		if !slices.ContainsFunc(openings, shows) || below == 0 || below > nodes {
			t.Errorf("%s: %v, of %d nodes %d are below turns; %+v", claim, proof.Verdict(), nodes, below, openings)
		}
	}
}

// TestNodesThatNobodyToldByTurnsAreNotNone: a ledger of before has only their sum.
func TestNodesThatNobodyToldByTurnsAreNotNone(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	proof, err := open(t, of, "").Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	told := make([]jobs.Turn, proof.Turns(start(t, of), 100))
	for i := range told {
		told[i].Numbers = jobs.Numbers{Proof: 3, Disproof: 4}
	}
	if err := proof.Take(share.Result{Claim: "white-wins", Position: start(t, of), Nodes: 200_000, Turns: told}); err != nil {
		t.Fatal(err)
	}
	for _, o := range proof.Openings() {
		if o.Nodes != nil || o.Proof != 3 || o.Disproof != 4 || o.Result != proofnumber.Undecided {
			t.Errorf("%+v", o)
		}
	}
}
