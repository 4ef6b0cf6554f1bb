package proofs_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/proofs"
)

// An editor forges a certificate. It mends what a check has found as well as it
// can, and changes other things by chance.
type editor struct {
	shelf *shelf
	claim proofs.Claim
	rng   *rand.Rand
	lines []string
}

// record is a record for a position: any turn where one is to be chosen, and a
// rank.
func (e *editor) record(t *testing.T, position string, rank int) string {
	t.Helper()
	p, side, err := e.shelf.game.Parse(position)
	if err != nil {
		t.Fatal(err)
	}
	line := position + "\t*"
	if turns := e.shelf.game.Notated(p, side); side == e.claim.Side && len(turns) > 0 {
		line = position + "\t" + turns[e.rng.IntN(len(turns))].Notation
	}
	if e.claim.Wins {
		line += fmt.Sprintf("\t%d", rank)
	}
	return line + "\n"
}

// rank is the rank of a line that has one.
func rank(line string) int {
	var n int
	if fields := strings.Split(line, "\t"); len(fields) == 3 {
		_, _ = fmt.Sscan(fields[2], &n)
	}
	return n
}

// edit is one round of forgery.
func (e *editor) edit(t *testing.T, findings []proofs.Finding) {
	t.Helper()
	for _, f := range findings {
		i := int(f.Record)
		if missing, _, found := strings.Cut(f.Reason, ", which follows, is neither"); found && i < len(e.lines) {
			e.lines = append(e.lines, e.record(t, missing, max(0, rank(e.lines[i])-1)))
		} else if i > 0 && i < len(e.lines) {
			position, _, _ := strings.Cut(f.Position, "\t")
			e.lines[i] = e.record(t, position, rank(e.lines[i])+e.rng.IntN(3))
		}
	}
	for range e.rng.IntN(3) {
		i := 1 + e.rng.IntN(len(e.lines)-1)
		if position, _, _ := strings.Cut(e.lines[i], "\t"); e.rng.IntN(2) == 0 {
			e.lines[i] = e.record(t, position, e.rng.IntN(100))
		} else if len(e.lines) > 2 {
			e.lines = slices.Delete(e.lines, i, i+1)
		}
	}
}
