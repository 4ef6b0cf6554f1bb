package walk

import (
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/proofs"
)

// Book has records of a certificate by their positions. Find is safe for concurrent
// use.
type Book interface {
	Find(position string) (rec proofs.Record, found bool, err error)
}

// Place says where a position stands in a proof.
type Place int

const (
	Outside Place = iota // the proof says nothing of it
	Listed               // a record has it
	Beyond               // the whole proof has it, and the extract at hand ends before
	InTable              // its slice is one of the tables that the proof rests on
	Ended                // the game is over there
)

// Proof is what was proved of one claim about positions of a game: by a certificate and
// the parts that it relies on. Methods are safe for concurrent use.
type Proof[P comparable] struct {
	game    proofs.Game[P]
	claim   proofs.Claim
	tabled  map[bitboard.Slice]bool
	books   []Book
	extract bool
}

// New makes the proof of a claim out of books, parts before the certificates that name
// them: who follows a part stays in it, so that ranks fall all the way. The headers are
// those of the certificates.
func New[P comparable](game proofs.Game[P], headers []proofs.Header, books ...Book) (*Proof[P], error) {
	w := &Proof[P]{game: game, tabled: make(map[bitboard.Slice]bool), books: books}
	for _, h := range headers {
		var err error
		if w.claim, err = proofs.ParseClaim(h.Claim, game.SideName); err != nil {
			return nil, err
		}
		for _, t := range h.Tables {
			slice, err := game.ParseSlice(t.Slice)
			if err != nil {
				return nil, err
			}
			w.tabled[slice] = true
		}
	}
	return w, nil
}

// NewExtract is New for an extract.
func NewExtract[P comparable](game proofs.Game[P], header proofs.Header, book Book) (*Proof[P], error) {
	w, err := New(game, []proofs.Header{header}, book)
	if err == nil {
		w.extract = true
	}
	return w, err
}

// Claim is what is proved.
func (w *Proof[P]) Claim() proofs.Claim { return w.claim }

// Step is what a proof says of a position.
type Step[P comparable] struct {
	Position P
	Side     bitboard.Side
	Place    Place

	// Holds tells that the claim is proved of the position: by its record, or by the
	// end of the game. Of a position that a table has, the table tells.
	Holds bool

	Rank  uint32 // of a record, for a win
	Turns []Turn[P]
}

// Turn is a legal turn of a position, with what the proof says of where it leads.
type Turn[P comparable] struct {
	bitboard.Turn[P]
	Place Place

	// Holds tells that the claim is proved behind the turn. Of a record's own turns
	// it is in any case, those that lead into tables too: the check has looked there.
	Holds bool

	Chosen bool // the turn that keeps the claim, by the record
}

// At tells what the proof says of a position. Errors are those of the books.
func (w *Proof[P]) At(p P, side bitboard.Side) (Step[P], error) {
	s := Step[P]{Position: p, Side: side}
	rec, place, err := w.place(p, side)
	if err != nil {
		return s, err
	}
	s.Place, s.Rank = place, rec.Rank
	s.Holds = place == Listed || place == Ended && w.claim.Holds(side, w.game.Ended(p))
	turns := w.game.Notated(p, side)
	chosen, err := w.chosen(s, rec, turns)
	if err != nil {
		return s, err
	}
	for i, t := range turns {
		turn := Turn[P]{Turn: t, Chosen: i == chosen}
		if _, turn.Place, err = w.place(t.To, side.Other()); err != nil {
			return s, err
		}
		answered := turn.Chosen || place == Listed && rec.Turn == proofs.AllTurns
		if answered && turn.Place == Outside && w.extract {
			turn.Place = Beyond
		}
		switch turn.Place {
		case Listed, Beyond:
			turn.Holds = true
		case Ended:
			turn.Holds = w.claim.Holds(side.Other(), w.game.Ended(t.To))
		case InTable:
			turn.Holds = answered
		}
		if answered && !turn.Holds {
			return s, fmt.Errorf("%w: %s leads out of the proof", ErrTorn, t.Notation)
		}
		s.Turns = append(s.Turns, turn)
	}
	return s, nil
}

// chosen finds the turn that the record of a position chooses, which may spell it otherwise
// than lists do; -1 where it chooses none.
func (w *Proof[P]) chosen(s Step[P], rec proofs.Record, turns []bitboard.Turn[P]) (int, error) {
	if s.Place != Listed || rec.Turn == proofs.AllTurns {
		return -1, nil
	}
	if i := slices.IndexFunc(turns, func(t bitboard.Turn[P]) bool { return t.Notation == rec.Turn }); i >= 0 {
		return i, nil
	}
	made, err := w.game.ParseTurn(s.Position, s.Side, rec.Turn)
	if err != nil {
		return -1, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	i := slices.IndexFunc(turns, func(t bitboard.Turn[P]) bool { return t.To == made.To })
	if i < 0 {
		return -1, ErrTorn
	}
	return i, nil
}

// place tells where a position stands, by the rules of certificates: records go before
// tables, and tables before the end of the game.
func (w *Proof[P]) place(p P, side bitboard.Side) (rec proofs.Record, place Place, err error) {
	position := w.game.Format(p, side)
	for _, book := range w.books {
		rec, found, err := book.Find(position)
		if err != nil {
			return rec, Outside, err
		}
		if found {
			return rec, Listed, nil
		}
	}
	switch {
	case w.tabled[w.game.SliceOf(p)]:
		return rec, InTable, nil
	case bitboard.CountTurns(w.game, p, 1) == 0:
		return rec, Ended, nil
	}
	return rec, Outside, nil
}
