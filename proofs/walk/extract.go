package walk

import (
	"paika/bitboard"
	"paika/proofs"
)

// Pages is a Book in memory, as extracts have them.
type Pages map[string]proofs.Record

// Find looks a position up. It does not fail.
func (p Pages) Find(position string) (rec proofs.Record, found bool, err error) {
	rec, found = p[position]
	return rec, found, nil
}

// Extract takes the first plies of a proof from a position on: as many as have, each
// with those before it, at most that many positions. It gives their number too.
func Extract[P comparable](w *Proof[P], root P, side bitboard.Side, most int) (pages Pages, plies int, err error) {
	pages = make(Pages)
	next := []P{root}
	for {
		var found Pages
		if found, next, err = w.ply(next, side, pages); err != nil {
			return nil, 0, err
		}
		if len(found) == 0 || len(pages)+len(found) > most {
			return pages, plies, nil
		}
		for position, rec := range found {
			pages[position] = rec
		}
		plies, side = plies+1, side.Other()
	}
}

// ply finds the records of positions, but for those on pages already, and where their
// turns lead.
func (w *Proof[P]) ply(positions []P, side bitboard.Side, pages Pages) (found Pages, next []P, err error) {
	found = make(Pages)
	for _, p := range positions {
		position := w.game.Format(p, side)
		if _, seen := pages[position]; seen {
			continue
		}
		if _, seen := found[position]; seen {
			continue
		}
		rec, at, err := w.find(p, side, nil)
		if err != nil {
			return nil, nil, err
		}
		if at.place != Listed {
			continue
		}
		rec.Position = position
		found[position] = rec
		if rec.Turn == proofs.AllTurns {
			next = w.game.Turns(next, p)
			continue
		}
		made, err := w.game.ParseTurn(p, side, rec.Turn)
		if err != nil {
			return nil, nil, err
		}
		next = append(next, made.To)
	}
	return found, next, nil
}
