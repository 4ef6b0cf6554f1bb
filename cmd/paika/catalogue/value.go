package catalogue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/internal/usage"
)

// What says who wins.
const (
	ByTables = "tables"
	ByRules  = "rules" // the game is over, or a turn wins it that no table tells of
	BySearch = "search"
	ByForm   = "form" // the canonical form, on boards that are not searched
)

// ValueOptions bound a search, where tables say nothing.
type ValueOptions struct {
	Workers int
	Memory  uint64 // bytes that the whole program may take; 0 for no bound
	Table   uint64 // most bytes of that for the transposition table; 0 for the search's own choice
	Nodes   uint64 // positions that each search may look at; 0 for no limit
	CGT     bool   // tell the canonical form, for which the other side's winner may be searched, too

	// Checkpoint is a file that a search of one position is saved to now and
	// then and when it ends undecided, and goes on from; empty for none. With CGT it stays
	// until the form is known, and the second search has a file of its own.
	Checkpoint string

	// keep leaves the checkpoint of a search that decides its position, as there is more
	// to find out.
	keep bool

	// Ask, if not nil, has others decide what tables and rules do not tell, in any
	// game. There is no search here then, and the bounds above mean nothing.
	Ask func(context.Context, Contest) (Settled, error)

	// Tell, if not nil, is told the answers as soon as they are known, in the order of the
	// positions, as many at a time as are known together. Its error ends the call.
	Tell func([]Answer[Value]) error

	// Progress, if not nil, is called now and then with the nodes so far.
	Progress func(nodes uint64)

	// Notice, if not nil, is told in a sentence what the user should know of, such as
	// that a file could not be removed.
	Notice func(text string)
}

func (o *ValueOptions) notice(text string) {
	if o.Notice != nil {
		o.Notice(text)
	}
}

// Form is what a position is worth as a combinatorial game. Numbers are integers or dyadics
// such as -3/4.
type Form struct {
	CGT         string `json:"cgt,omitempty"`         // canonical form
	Mean        string `json:"mean,omitempty"`        // a number: what it is worth on average in a sum of many
	Temperature string `json:"temperature,omitempty"` // a number: what it is worth to move; less than 0 where it is worth nothing
}

// worth is a form and who wins by it.
type worth struct {
	Form
	value bitboard.Value // Win or Loss, for the side to move
}

// Value is who wins from a position.
type Value struct {
	Position string  `json:"position"`
	Form             // if asked for, and found
	Winner   *string `json:"winner"`   // a side or player, or "draw"; null if a search came to its limit first
	Distance *int    `json:"distance"` // in turns; null for draws and, but for a win with this turn, without dtw
	By       string  `json:"by"`       // ByTables, ByRules, BySearch or ByForm
	Nodes    uint64  `json:"nodes"`    // searched, for the form, too; tables need none
	Resumed  uint64  `json:"resumed"`  // of the nodes, those of the runs before that it went on from
	Seconds  float64 `json:"seconds"`  // of searches, or of making the form; for positions by rules and tables together, the mean of looking them up

	// TableBytes is the size of the transposition table of the searches, in bytes. With one
	// worker the nodes are the same wherever it is; it is half of the memory, less what the
	// tables take at which the searches end, or less than that.
	TableBytes uint64 `json:"table_bytes,omitempty"`

	// Formless says why there is no form where one was asked for, and who wins is known.
	Formless *FormError `json:"cgt_error,omitempty"`

	// Checkpoints are the files from which the same call goes on, where there is no
	// winner or no form yet.
	Checkpoints []string `json:"checkpoints,omitempty"`
}

// FormError says why a canonical form was not found. As JSON it is a Fault.
type FormError struct{ Err error }

func (e *FormError) Error() string { return "no canonical form: " + e.Err.Error() }

// Unwrap returns the reason.
func (e *FormError) Unwrap() error { return e.Err }

// MarshalJSON writes the error as programs are told of it.
func (e *FormError) MarshalJSON() ([]byte, error) { return json.Marshal(FaultOf(e)) }

// ErrNoCGT says that a game's positions have no values as combinatorial games.
var ErrNoCGT = errors.New("canonical forms are for games without draws that a player who cannot move loses, such as konane")

// ErrContradiction says that a canonical form and what else tells who wins do not agree: one of
// them is wrong.
var ErrContradiction = errors.New("the canonical form contradicts who wins")

// SearchError says how far a search had come when it failed or was stopped.
type SearchError struct {
	Nodes       uint64
	Checkpoints []string // files that have these nodes, and from which the same call goes on
	Err         error
}

func (e *SearchError) Error() string {
	if e.Nodes == 0 {
		return e.Err.Error()
	}
	return fmt.Sprintf("after %s: %v", bitboard.Count(e.Nodes, "node"), e.Err)
}

// Unwrap returns the reason.
func (e *SearchError) Unwrap() error { return e.Err }

// ErrNoCheckpoint says that there is not one search to keep.
var ErrNoCheckpoint = errors.New("a checkpoint is for the search of one position, in a game that has a search of its own, such as konane")

// What a search takes beside its transposition table and the tables at which it
// ends: the program itself, and each worker's memo, lists and stack, in bytes.
const (
	searchBytes       = 48 << 20
	searchWorkerBytes = 1 << 20
)

// divide gives the search half of the memory, or less if that is what it is to
// take at most. The other half is for all else. Its error wraps ErrMemory.
func (o *ValueOptions) divide() error {
	if o.Memory == 0 {
		return nil
	}
	half := o.Memory / 2
	if need := searchBytes + uint64(max(1, o.Workers))*searchWorkerBytes; need > half {
		return fmt.Errorf("%w: to search takes %s, and %s", ErrMemory, usage.Needed(2*need), usage.Allowed(o.Memory))
	}
	if o.Table == 0 || o.Table > half {
		o.Table = half
	}
	return nil
}

// Value tells who wins. A search that is stopped is a *SearchError. Other errors
// that a position has an answer beside are those of Query, ErrMemory, and those of
// a checkpoint, as Prove has them. Where there is no search that a checkpoint could keep, that is a
// *ParameterError.
func (t *tables[P]) Value(ctx context.Context, positions []string, o ValueOptions) ([]Answer[Value], error) {
	if o.CGT && t.instance.canonical == nil {
		return nil, ErrNoCGT
	}
	if err := t.keeps(len(positions)); err != nil && o.Checkpoint != "" {
		return nil, &ParameterError{"checkpoint", err}
	}
	ask := func(ctx context.Context, positions []P, sides []bitboard.Side, tell func([]decided[P]) error) error {
		return t.decide(ctx, positions, sides, o, tell)
	}
	return sidedAnswers(ctx, t.instance, positions, ask, t.value, o.Tell)
}

// keeps says why there is no search of so many positions to keep in a file, or nothing.
func (t *tables[P]) keeps(positions int) error {
	switch {
	case t.instance.unsearched != nil:
		return fmt.Errorf("there is no search to keep: %w", t.instance.unsearched)
	case positions != 1, t.instance.search == nil:
		return ErrNoCheckpoint
	}
	return nil
}

func (t *tables[P]) value(side bitboard.Side, d decided[P]) Answer[Value] {
	if d.Err != nil {
		return Answer[Value]{Err: d.Err}
	}
	v := Value{Position: t.instance.game.Format(d.Position, side), By: d.by, Form: d.form, Nodes: d.nodes, Resumed: d.resumed, TableBytes: d.table, Seconds: d.took.Seconds(), Checkpoints: d.kept}
	if d.formless != nil {
		v.Formless = &FormError{d.formless}
	}
	if d.Rating.Known {
		v.Winner, v.Distance = new(t.instance.winner(d.Position, side, d.Rating.Value)), distance(d.Rating)
	}
	return Answer[Value]{Result: v}
}

// winner is the word for who wins a position of that value for the side to move.
func (n *instance[P]) winner(p P, side bitboard.Side, v bitboard.Value) string {
	mover, opponent := n.game.SideName(side), n.game.SideName(side.Other())
	if game, ok := n.game.(bitboard.NamedPlayers[P]); ok {
		mover, opponent = game.Players(p, side)
	}
	switch v {
	case bitboard.Win:
		return mover
	case bitboard.Loss:
		return opponent
	}
	return bitboard.Draw.String()
}
