package prover

import (
	"context"

	"paika/bitboard"
	"paika/solver/proofnumber"
	"paika/tablebase/lookup"
)

// ValueOptions bound the search for a value.
type ValueOptions struct {
	Nodes    uint64             // positions visited at most
	Table    uint64             // bytes of the transposition table
	Workers  int                // goroutines, at least 1
	Progress func(nodes uint64) // called now and then, if not nil
}

// Value finds the value of a position by proof numbers: whether the side to move wins
// and, if it does not, whether the other does. Play ends where the tables of the lookup
// know the value, on disk. A bound of the lookup on turns holds for each position of
// the search. It tells the nodes that it took, with an error too.
//
// Errors: ErrUndecided, lookup.ErrTooManyTurns, those of damaged tables, the context's.
func Value[P comparable](ctx context.Context, game bitboard.Rules[P], tables *lookup.Lookup[P], p P, o ValueOptions) (bitboard.Value, uint64, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	table, err := proofnumber.NewTable(o.Table)
	if err != nil {
		return 0, 0, err
	}
	defer table.Close()
	v := valuation[P]{game, tables, table, o, end}
	var total uint64
	for _, attack := range [...]struct {
		moves bool // the attacker is the side to move
		wins  bitboard.Value
	}{{true, bitboard.Win}, {false, bitboard.Loss}} {
		if total >= o.Nodes {
			return 0, total, ErrUndecided
		}
		result, err := v.attack(ctx, p, attack.moves, total)
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

// valuation is the search for one value.
type valuation[P comparable] struct {
	game    bitboard.Rules[P]
	tables  *lookup.Lookup[P]
	table   *proofnumber.Table
	options ValueOptions
	end     func(error) // ends the search, with that error
}

// attack asks whether one side wins. Nodes spent before count for the limit.
func (v *valuation[P]) attack(ctx context.Context, p P, attackerMoves bool, before uint64) (proofnumber.Result, error) {
	options := proofnumber.Options[P]{
		Workers:  v.options.Workers,
		Nodes:    v.options.Nodes - before,
		Estimate: proofnumber.Mobility(func(p P) int { return bitboard.CountTurns(v.game, p, mobilityTo) }),
	}
	if v.tables.Stored() {
		options.Tables = onDisk[P]{ctx, v}
	}
	search, err := proofnumber.New(boundedRules[P]{v.game, v}, v.table, options)
	if err != nil {
		return proofnumber.Result{}, err
	}
	if v.options.Progress != nil {
		stop := everyTick(func() { v.options.Progress(before + search.Nodes()) })
		defer stop()
	}
	return search.Solve(ctx, p, attackerMoves)
}

// mobilityTo bounds the turns counted to guess how hard a position is.
const mobilityTo = 1 << 10

// onDisk lets a search ask tables on disk. Damage ends it. It is a
// proofnumber.Values.
type onDisk[P comparable] struct {
	ctx context.Context
	*valuation[P]
}

// Probe looks positions up.
func (d onDisk[P]) Probe(positions []P, values []bitboard.Value) {
	rated, err := d.tables.Probe(d.ctx, positions)
	if err != nil {
		d.end(err)
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
	*valuation[P]
}

// Representative is the game's, where it has any.
func (r boundedRules[P]) Representative(p P) P {
	if game, is := r.Rules.(bitboard.Symmetric[P]); is {
		return game.Representative(p)
	}
	return p
}

// Turns appends nothing where there are too many, and ends the search.
func (r boundedRules[P]) Turns(dst []P, p P) []P {
	if err := r.tables.Admit(p); err != nil {
		r.end(err)
		return dst
	}
	return r.Rules.Turns(dst, p)
}
