package prover

import (
	"cmp"
	"context"

	"paika/bitboard"
	"paika/solver/proofnumber"
	"paika/tablebase/lookup"
)

// ValueOptions bound the search for a value.
type ValueOptions struct {
	Nodes    uint64             // positions visited at most
	Table    uint64             // bytes of the transposition table
	Sets     uint64             // bytes of the sets beside it; 0 for what a search takes by itself
	Workers  int                // goroutines, at least 1
	Drawless bool               // the game has no draws: who does not win loses
	Progress func(nodes uint64) // called now and then, if not nil
}

// Value finds the value of a position by proof numbers: whether the side to move wins
// and, if it does not, whether the other does. Play ends where the tables of the lookup
// know the value, on disk. A bound of the lookup on turns holds for each position of
// the search. It tells the nodes that it took, with an error too.
//
// Errors: ErrUndecided, bitboard.ErrTooManyTurns, proofnumber.ErrTableTooSmall and
// ErrSetTooSmall, those of damaged tables, the context's.
func Value[P comparable](ctx context.Context, game bitboard.Rules[P], tables *lookup.Lookup[P], p P, o ValueOptions) (bitboard.Value, uint64, error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	options := proofnumber.Options[P]{
		Estimate: proofnumber.Mobility(func(p P) int { return bitboard.CountTurns(game, p, mobilityTo) }),
	}
	if tables.Stored() {
		options.Tables = onDisk[P]{ctx, tables, end}
	}
	return contend(ctx, boundedRules[P]{game, tables, end}, options, p, o)
}

// ValueInMemory does the same with the tables on a shelf. Turns are bounded by what the search has
// room for (proofnumber.Options.Turns).
func ValueInMemory[P comparable](ctx context.Context, of Subject[P], shelf *Shelf[P], p P, o ValueOptions) (bitboard.Value, uint64, error) {
	return contend(ctx, of.Game, of.Search(shelf, proofnumber.DFPN, 0), p, o)
}

// contend asks whether the side to move wins, and then the other one. Both searches use one
// transposition table.
func contend[P comparable](ctx context.Context, rules bitboard.Rules[P], options proofnumber.Options[P], p P, o ValueOptions) (bitboard.Value, uint64, error) {
	table, err := proofnumber.NewTable(o.Table)
	if err != nil {
		return 0, 0, err
	}
	defer table.Close()
	options.Workers, options.Sets = o.Workers, o.Sets
	values, attacks := [...]bitboard.Value{bitboard.Win, bitboard.Loss, bitboard.Draw}, 2
	if o.Drawless {
		attacks = 1
	}
	var total uint64
	for i, wins := range values[:attacks] {
		if total >= o.Nodes {
			return 0, total, ErrUndecided
		}
		options.Nodes = o.Nodes - total
		result, err := attack(ctx, rules, table, options, p, i == 0, func(nodes uint64) {
			if o.Progress != nil {
				o.Progress(total + nodes)
			}
		})
		total += result.Nodes
		switch {
		case context.Cause(ctx) != nil:
			return 0, total, context.Cause(ctx)
		case err != nil:
			return 0, total, err
		case result.Verdict == proofnumber.Undecided:
			return 0, total, ErrUndecided
		case result.Verdict == proofnumber.Proved:
			return wins, total, nil
		}
	}
	return values[attacks], total, nil
}

// attack asks whether one side wins.
func attack[P comparable](ctx context.Context, rules bitboard.Rules[P], table *proofnumber.Table, o proofnumber.Options[P], p P, attackerMoves bool, progress func(nodes uint64)) (proofnumber.Result, error) {
	search, err := proofnumber.New(rules, table, o)
	if err != nil {
		return proofnumber.Result{}, err
	}
	defer everyTick(func() { progress(search.Nodes()) })()
	return search.Solve(ctx, p, attackerMoves)
}

// mobilityTo bounds the turns counted to guess how hard a position is.
const mobilityTo = 1 << 10

// onDisk lets a search ask tables on disk. Damage ends it. It is a
// proofnumber.Values.
type onDisk[P comparable] struct {
	ctx    context.Context
	tables *lookup.Lookup[P]
	end    func(error) // ends the search, with that error
}

// Probe looks positions up.
func (d onDisk[P]) Probe(positions []P, values []bitboard.Value) {
	rated, err := d.tables.Probe(d.ctx, positions)
	for i := range values {
		values[i] = proofnumber.Unknown
		if err == nil && rated[i].Rating.Known {
			values[i] = rated[i].Rating.Value
		}
		err = cmp.Or(err, rated[i].Err)
	}
	if err != nil {
		d.end(err)
	}
}

// boundedRules ends a search at a position with too many turns.
type boundedRules[P comparable] struct {
	bitboard.Rules[P]
	tables *lookup.Lookup[P]
	end    func(error)
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
