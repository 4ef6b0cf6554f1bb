package complete_test

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/proofs"
	"paika/proofs/complete"
)

// Every turn is chosen as the package says, by who looks at one turn and one reply after the other.
func TestChoicesAreThoseOfWhoLooksOneByOne(t *testing.T) {
	for _, board := range [][2]int{{5, 3}, {3, 5}, {7, 3}} {
		s := newFanorona(t, board[0], board[1], bitboard.DTW, 5)
		compareAll(t, s, s.holding(t))
	}
	large := newFanorona(t, 7, 5, bitboard.DTW, 4)
	compareAll(t, large, large.from(t, "B.....B/......./......./......./W.....W w"))
	compareAll(t, large, large.from(t, "...B.../......./......./......./W..W..W b"))
	phutball := newPhutball(t, 3, 5, bitboard.DTW, whole)
	compareAll(t, phutball, phutball.holding(t))
	breakthrough := newBreakthrough(t, 3, 4, bitboard.DTW, 8)
	compareAll(t, breakthrough, breakthrough.holding(t))
}

func compareAll[P comparable](t *testing.T, s *solved[P], files [][]byte) {
	t.Helper()
	for _, given := range files {
		h := open(t, given).Header
		t.Run(fmt.Sprintf("%s/%s/%d/%s", h.Game, h.Board, len(h.Tables), h.Claim), func(t *testing.T) {
			file, result, err := s.complete(t, given, s, complete.Options{Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if s.compare(t, given, file, result.Added) == 0 {
				t.Error("no turn was chosen")
			}
		})
	}
}

// from gives certificates without any record of the claims that hold for a position of the tables.
func (s *solved[P]) from(t *testing.T, root string) (files [][]byte) {
	p, side, err := s.game.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	outcome, known := s.Hint(p)
	for _, claim := range claims() {
		if !known || !claim.Holds(side, outcome.Value) {
			continue
		}
		var file bytes.Buffer
		w, err := proofs.NewWriter(&file, s.game, proofs.Header{Setting: s.setting, Claim: claim.Text(s.game.SideName), Root: root}, 1)
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file.Bytes())
	}
	return files
}

type node[P comparable] struct {
	position P
	side     bitboard.Side
}

// A follower knows the members of a set, and says which turn is to be chosen.
type follower[P comparable] struct {
	*solved[P]
	claim   proofs.Claim
	members map[node[P]]bool
}

// compare follows the records that were added to a certificate, as long as so few positions are members
// that one turn is chosen at a time, and tells how many that are.
func (s *solved[P]) compare(t *testing.T, given, file []byte, added uint64) (compared int) {
	const few = 2 << 10
	h := open(t, given).Header
	claim, err := proofs.ParseClaim(h.Claim, s.game.SideName)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower[P]{s, claim, make(map[node[P]]bool)}
	root, side, err := s.game.Parse(h.Root)
	if err != nil {
		t.Fatal(err)
	}
	follow := []node[P]{{root, side}}
	for rec := range f.records(t, given) {
		if n, to := f.parse(t, rec); !claim.Wins || !s.Has(s.game.SliceOf(n.position)) {
			f.members[n] = true
			follow = append(follow, to...)
		}
	}
	f.enter(follow)
	for rec := range f.records(t, file) {
		if added == 0 || len(f.members) >= few {
			break
		}
		added--
		n, to := f.parse(t, rec)
		if n.side == claim.Side {
			if want := f.choose(n); to[0] != want {
				t.Fatalf("%s: %s is chosen, want the turn to %s", rec.Position, rec.Turn, s.game.Format(want.position, want.side))
			}
			compared++
		}
		f.enter(to)
	}
	return compared
}

// records gives all records of a file.
func (f *follower[P]) records(t *testing.T, file []byte) iter.Seq[proofs.Record] {
	return func(yield func(proofs.Record) bool) {
		opened := open(t, file)
		for rec, err := range opened.Records(f.claim, opened.Part().Checksum) {
			if err != nil {
				t.Fatal(err)
			}
			if !yield(rec) {
				return
			}
		}
	}
}

// parse gives the position of a record, and those where its turns lead.
func (f *follower[P]) parse(t *testing.T, rec proofs.Record) (n node[P], to []node[P]) {
	p, side, err := f.game.Parse(rec.Position)
	if err != nil {
		t.Fatal(err)
	}
	n = node[P]{p, side}
	if rec.Turn == proofs.AllTurns {
		return n, f.turns(n)
	}
	turn, err := f.game.ParseTurn(p, side, rec.Turn)
	if err != nil {
		t.Fatal(err)
	}
	return n, []node[P]{{turn.To, side.Other()}}
}

func (f *follower[P]) turns(n node[P]) (to []node[P]) {
	for _, p := range f.game.Turns(nil, n.position) {
		to = append(to, node[P]{p, n.side.Other()})
	}
	return to
}

// enter makes members of the positions that the tables know.
func (f *follower[P]) enter(nodes []node[P]) {
	for _, n := range nodes {
		if f.Has(f.game.SliceOf(n.position)) {
			f.members[n] = true
		}
	}
}

// choose gives the position that the best turn leads to.
func (f *follower[P]) choose(n node[P]) node[P] {
	type way struct {
		to                      node[P]
		rank, adds, new, pieces int
	}
	var ways []way
	for _, to := range f.turns(n) {
		outcome, known := f.Hint(to.position)
		over := !known && bitboard.Over(f.game, to.position)
		if over {
			outcome = bitboard.Outcome{Value: f.game.Ended(to.position)}
		}
		holds := (known || over) && f.claim.Holds(to.side, outcome.Value)
		if !holds && (f.claim.Wins || !f.members[to]) {
			continue
		}
		w := way{to: to}
		if f.claim.Wins {
			w.rank = int(outcome.Distance)
		}
		if !over && !f.members[to] {
			w.adds, w.pieces = 1, f.game.Pieces(f.game.SliceOf(to.position))
			for _, reply := range f.turns(to) {
				if !f.members[reply] {
					w.new++
				}
			}
		}
		ways = append(ways, w)
	}
	return slices.MinFunc(ways, func(a, b way) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.adds, b.adds), cmp.Compare(a.new, b.new), cmp.Compare(a.pieces, b.pieces))
	}).to
}
