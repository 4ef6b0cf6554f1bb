package catalogue

import (
	"context"
	"errors"
	"time"

	"paika/bitboard"
	"paika/solver/proofnumber"
	"paika/tablebase/lookup"
)

// SearchOptions bound a search for a value. All of them must be given but
// Progress.
type SearchOptions struct {
	Nodes    uint64 // positions visited at most
	Time     time.Duration
	Memory   uint64 // bytes of the transposition table
	Workers  int
	Progress func(nodes uint64) // called now and then, if not nil
}

// Searched is what a bounded search for a value came to.
type Searched struct {
	Position string  `json:"position"`
	Value    *string `json:"value"` // for the side to move; null if not decided
	By       string  `json:"by"`    // ByTables, ByRules or BySearch
	Nodes    uint64  `json:"nodes"`
	Seconds  float64 `json:"seconds"`
}

// Search asks the game's own search, or else proof numbers: whether the side to
// move wins and, if it does not, whether the other does.
func (t *tables[P]) Search(ctx context.Context, position string, o SearchOptions) (Searched, error) {
	began := time.Now()
	p, side, err := t.parse(position)
	if err != nil {
		return Searched{}, err
	}
	rated, err := t.lookup.Rate(ctx, []P{p})
	if err != nil {
		return Searched{}, err
	}
	found := rated[0].Rating
	result := Searched{Position: t.game.Format(p, side), By: ByTables}
	switch {
	case rated[0].Over:
		result.By = ByRules
	case !found.Known:
		result.By = BySearch
		found, result.Nodes, err = t.searchWithin(ctx, p, o)
	}
	result.Value, result.Seconds = value(found), time.Since(began).Seconds()
	return result, err
}

// searchWithin searches within the limits. A rating that is not known says that
// they were too narrow.
func (t *tables[P]) searchWithin(ctx context.Context, p P, o SearchOptions) (lookup.Rating, uint64, error) {
	limited, cancel := context.WithTimeout(ctx, o.Time)
	defer cancel()
	search := t.proveValue
	if t.search != nil {
		search = func(ctx context.Context, p P, o ValueOptions) (bitboard.Value, uint64, error) {
			return t.search(ctx, p, nil, o)
		}
	}
	found, nodes, err := search(limited, p, ValueOptions{Workers: o.Workers, Table: o.Memory, Nodes: o.Nodes, Progress: o.Progress})
	switch {
	case err == nil:
		return lookup.Rating{Outcome: bitboard.Outcome{Value: found, Distance: bitboard.UnknownDistance}, Known: true}, nodes, nil
	case errors.Is(err, ErrUndecided), errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return lookup.Rating{}, nodes, nil
	}
	return lookup.Rating{}, nodes, err
}

// proveValue finds the value of a position by proof numbers.
func (t *tables[P]) proveValue(ctx context.Context, p P, o ValueOptions) (bitboard.Value, uint64, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	table, err := proofnumber.NewTable(o.Table)
	if err != nil {
		return 0, 0, err
	}
	defer table.Close()
	var total uint64
	for _, attack := range [...]struct {
		moves bool // the attacker is the side to move
		wins  bitboard.Value
	}{{true, bitboard.Win}, {false, bitboard.Loss}} {
		if total >= o.Nodes {
			return 0, total, ErrUndecided
		}
		result, err := t.attack(ctx, end, table, p, attack.moves, o, total)
		total += result.Nodes
		switch {
		case context.Cause(ctx) != nil:
			return 0, total, context.Cause(ctx)
		case err != nil:
			return 0, total, err
		case result.Verdict == proofnumber.Undecided:
			return 0, total, ErrUndecided
		case result.Verdict == proofnumber.Proved:
			return attack.wins, total, nil
		}
	}
	return bitboard.Draw, total, nil
}

// attack asks whether one side wins. Nodes spent before count for the limit.
func (t *tables[P]) attack(ctx context.Context, end func(error), table *proofnumber.Table, p P, attackerMoves bool, o ValueOptions, before uint64) (proofnumber.Result, error) {
	options := proofnumber.Options[P]{
		Workers:  o.Workers,
		Nodes:    o.Nodes - before,
		Estimate: proofnumber.Mobility(func(p P) int { return lookup.CountTurns(t.game, p, mobilityTo) }),
	}
	if t.store != nil {
		options.Tables = probing[P]{ctx, t.lookup, end}
	}
	search, err := proofnumber.New(boundedRules[P]{t.game, t.lookup, end}, table, options)
	if err != nil {
		return proofnumber.Result{}, err
	}
	stop := watchNodes(func() uint64 { return before + search.Nodes() }, o.Progress)
	defer stop()
	return search.Solve(ctx, p, attackerMoves)
}

// mobilityTo bounds the turns counted to guess how hard a position is.
const mobilityTo = 1 << 10

// probing lets a search ask tables on disk. Damage ends it.
type probing[P comparable] struct {
	ctx    context.Context
	lookup *lookup.Lookup[P]
	end    func(error)
}

// Probe implements proofnumber.Tables.
func (a probing[P]) Probe(positions []P, values []bitboard.Value) {
	rated, err := a.lookup.Probe(a.ctx, positions)
	if err != nil {
		a.end(err)
	}
	for i := range values {
		values[i] = proofnumber.Unknown
		if err == nil && rated[i].Rating.Known {
			values[i] = rated[i].Rating.Value
		}
	}
}

// boundedRules ends a search at a position with too many turns.
type boundedRules[P comparable] struct {
	bitboard.Rules[P]
	lookup *lookup.Lookup[P]
	end    func(error)
}

// Turns appends nothing where there are too many, and ends the search.
func (r boundedRules[P]) Turns(dst []P, p P) []P {
	if err := r.lookup.Admit(p); err != nil {
		r.end(err)
		return dst
	}
	return r.Rules.Turns(dst, p)
}

// watchNodes reports nodes, if anyone wants them, until the function that it
// gives is called.
func watchNodes(nodes func() uint64, report func(uint64)) (stop func()) {
	if report == nil {
		return func() {}
	}
	return everyTick(func() { report(nodes()) })
}
