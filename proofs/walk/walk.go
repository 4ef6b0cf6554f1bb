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
	InTable              // a table that the proof rests on has it
	Ended                // the game is over there
)

// Certificate is one that was checked: its header, and its records.
type Certificate struct {
	proofs.Header
	Book
}

// Proof is what was proved of one claim about positions of a game: by a certificate and
// the parts that it relies on, or by several. Methods are safe for concurrent use.
type Proof[P comparable] struct {
	game    proofs.Game[P]
	claim   proofs.Claim
	volumes []volume
	extract bool
}

// volume is a certificate, with the tables that it names by their slices.
type volume struct {
	book   Book
	tabled map[bitboard.Slice][]proofs.Table
}

// New makes the proof of a claim out of certificates, parts before those that name them.
//
// A position may stand in several. The first that has it, in a record or in a table at hand,
// tells of it. So who plays by the proof never comes to a later certificate, and ranks fall
// as long as one tells: no way through the proof of a win is a circle. Where a table is not at hand,
// a later certificate may tell of a position in it. What it tells is proved as well, but the turns of
// several may then lead in a circle.
func New[P comparable](game proofs.Game[P], certificates ...Certificate) (*Proof[P], error) {
	w := &Proof[P]{game: game}
	for _, c := range certificates {
		var err error
		if w.claim, err = proofs.ParseClaim(c.Claim, game.SideName); err != nil {
			return nil, err
		}
		v := volume{book: c.Book, tabled: make(map[bitboard.Slice][]proofs.Table)}
		for _, t := range c.Tables {
			slice, err := game.ParseSlice(t.Slice)
			if err != nil {
				return nil, err
			}
			v.tabled[slice] = append(v.tabled[slice], t)
		}
		w.volumes = append(w.volumes, v)
	}
	return w, nil
}

// NewExtract is New for an extract.
func NewExtract[P comparable](game proofs.Game[P], c Certificate) (*Proof[P], error) {
	w, err := New(game, c)
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

	// Certificate is the number of the one that has the position, by a record or in a
	// table; -1 where none has.
	Certificate int

	// Holds tells that the claim is proved of the position: by its record, or by the
	// end of the game. Of a position that a table has, the table tells: that which the
	// certificate names, if it is at hand.
	Holds  bool
	Tables []proofs.Table // of the position's slice, as the certificate names them; one at most in each metric
	AtHand bool           // one of them is

	Rank  uint32 // of a record, for a win
	Turns []Turn[P]
}

// Shelf tells whether a table is at hand. A nil one has none.
type Shelf func(proofs.Table) bool

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
func (w *Proof[P]) At(p P, side bitboard.Side, tables Shelf) (Step[P], error) {
	s := Step[P]{Position: p, Side: side}
	rec, at, err := w.find(p, side, tables)
	if err != nil {
		return s, err
	}
	place := at.place
	s.Place, s.Certificate, s.Tables, s.AtHand, s.Rank = place, at.certificate, at.tables, at.atHand, rec.Rank
	s.Holds = place == Listed || place == Ended && w.claim.Holds(side, w.game.Ended(p))
	turns := w.game.Notated(p, side)
	chosen, err := w.chosen(s, rec, turns)
	if err != nil {
		return s, err
	}
	for i, t := range turns {
		turn := Turn[P]{Turn: t, Chosen: i == chosen}
		_, to, err := w.find(t.To, side.Other(), tables)
		if err != nil {
			return s, err
		}
		turn.Place = to.place
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

// found is where a position stands.
type found struct {
	place       Place
	certificate int            // -1 for none
	tables      []proofs.Table // that have it, by the certificate
	atHand      bool           // one of them is
}

// find finds a position: in a certificate's records, then in the tables that it names and that
// are at hand, and if no certificate has it so, among the ends of the game. Tables that are not at
// hand come last.
func (w *Proof[P]) find(p P, side bitboard.Side, tables Shelf) (rec proofs.Record, at found, err error) {
	position, slice := w.game.Format(p, side), w.game.SliceOf(p)
	at.certificate = -1
	for i, v := range w.volumes {
		rec, listed, err := v.book.Find(position)
		if err != nil {
			return rec, at, err
		}
		if listed {
			return rec, found{place: Listed, certificate: i}, nil
		}
		named := v.tabled[slice]
		if tables != nil && slices.ContainsFunc(named, tables) {
			return rec, found{InTable, i, named, true}, nil
		}
		if named != nil && at.place == Outside {
			at = found{InTable, i, named, false}
		}
	}
	if bitboard.Over(w.game, p) { // by the rules, whatever table has it
		at = found{place: Ended, certificate: -1}
	}
	return rec, at, nil
}
