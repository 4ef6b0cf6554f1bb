package complete_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/proofs"
	"paika/proofs/complete"
)

// listing counts the positions that are listed, and those that have thousands of turns.
type listing struct {
	*phutball.Game
	positions int
	crowds    uint64
}

func (l *listing) Turns(dst []phutball.Position, p phutball.Position) []phutball.Position {
	had := len(dst)
	dst = l.Game.Turns(dst, p)
	l.positions += len(dst) - had
	if len(dst)-had > 1000 {
		l.crowds++
	}
	return dst
}

// drawn are hints that all is a draw.
type drawn struct{}

func (drawn) Has(bitboard.Slice) bool                     { return true }
func (drawn) Ready(context.Context, bitboard.Group) error { return nil }
func (drawn) Hint(phutball.Position) (bitboard.Outcome, bool) {
	return bitboard.Outcome{Value: bitboard.Draw}, true
}

// Of positions that many turns lead to, few are held at a time. Here men stand between all points
// of the even lattice, but for one that differs, and jumps come to many thousand positions from
// each of six.
func TestWhatFollowsIsTakenInAsItComes(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 5, Height: 7}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var men []string
	for _, rank := range "12345" {
		for _, file := range "ABCDE" {
			if strings.ContainsRune("BD", file) || strings.ContainsRune("24", rank) {
				men = append(men, string(file)+string(rank))
			}
		}
	}
	text := func(men []string) string { return "ball=C3 men=" + strings.Join(men, ",") + " to=eks" }
	h := proofs.Header{Setting: proofs.Setting{Game: "phutball", Board: "5x7"}, Claim: "eks-not-lost", Root: text(men[1 : len(men)-1])}
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	const first, most = 6, 1 << 18
	all, single := 0, 0
	for k := range first {
		there, put := slices.Delete(slices.Clone(men[:len(men)-1]), k, k+1), men[len(men)-1]
		p, side, err := game.Parse(text(there))
		if err != nil {
			t.Fatal(err)
		}
		turn, err := game.ParseTurn(p, side, put)
		if err != nil {
			t.Fatal(err)
		}
		turns := game.CountTo(turn.To, proofs.MostTurns)
		all, single = all+turns, max(single, turns)
		if err := w.Add(proofs.Step[phutball.Position]{Position: p, Side: side, Chosen: true, To: turn.To}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if all <= most+single {
		t.Fatalf("%d turns are too few for a test", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	spy := &listing{Game: game}
	together := 0
	_, err = complete.Write(ctx, io.Discard, spy, open(t, file.Bytes()), drawn{}, complete.Options{Progress: func(done, _ uint64) {
		together = max(together, spy.positions)
		if looked := done - first; spy.crowds < looked { // those given need no look
			t.Errorf("%d positions are said to be looked at, and %d were", looked, spy.crowds)
		}
		if spy.positions = 0; done >= 2*first {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if together == 0 || together > most+single {
		t.Errorf("%d positions together, of %d in all, want at most %d", together, all, most+single)
	}
}
