package catalogue

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"paika/bitboard"
	"paika/bitboard/konane"
	"paika/cmd/paika/prover"
	"paika/solver/cgt"
	"paika/solver/checkpoint"
	"paika/solver/mobility"
	"paika/solver/proofnumber"
)

func konaneGame() Game {
	return Game{
		Name:   "konane",
		Look:   konaneLook(),
		Board:  "8x8",
		Limits: fmt.Sprintf("1 to 16 points each way; value searches boards of at most %d points", mostSearched),
		Options: []RuleOption{
			{"opening", []string{"traditional", "centre-or-corner", "any", "corner-h", "corner-v", "middle-h", "middle-v", "gap:<point>-<point>"}, "how the first two stones go", ""},
			{"to-move", []string{"black", "white"}, "who moves first where the opening names both gaps", "opening=corner-h"},
		},
		Benchmarks: konaneBenchmarks(),
		rate:       8e6,
		open:       opener(konane.ParseRules, openKonane),
		canonical:  canonicalOpening,
	}
}

func konaneBenchmarks() Benchmarks {
	opening := func(name string) map[string]string { return map[string]string{openingOption: name} }
	const notebook = "P. Norvig's notebook"
	return Benchmarks{
		Perfts: []BenchPerft{{Board: "8x8", Rules: opening("corner-h"), Depth: 11}},
		Builds: []BenchBuild{
			{Board: "4x4", Pieces: bitboard.AllPieces},
			{Board: "4x5", Pieces: bitboard.AllPieces},
		},
		Values: []BenchValue{
			{Board: "6x6", Name: "corner-h", Rules: opening("corner-h"), Winner: "white", Source: notebook},
			{Board: "6x6", Name: "middle-h", Rules: opening("middle-h"), Winner: "white", Source: notebook},
		},
		Recipes: []Recipe{
			{Board: "4x4", Rules: opening("corner-h"), Metric: bitboard.DTW, Count: 4},
			{Board: "5x4", Rules: opening("corner-h"), Metric: bitboard.DTW, Count: 6},
			{Board: "5x5", Rules: opening("middle-h"), From: FromValue, Plies: 2, BeforePly: 6, Count: 6},
			{Board: "6x5", Rules: opening("middle-h"), From: FromValue, Plies: 3, BeforePly: 8, Count: 4},
			{Board: "6x6", Rules: opening("middle-h"), From: FromValue, Plies: 4, BeforePly: 12, Count: 6},
			{Board: "6x6", Rules: opening("corner-h"), From: FromValue, Plies: 4, BeforePly: 12, Count: 4},
		},
	}
}

// openKonane picks the smallest set type that holds the board. On boards of one
// word, positions that no table holds are searched.
func openKonane(a about, board bitboard.Board, rules konane.Rules) (Instance, error) {
	switch points := board.Points(); {
	case points <= mostSearched:
		return konaneOf(a, board, rules, func(n *instance[konane.Position[konane.Word]], game *konane.Game[konane.Word]) {
			n.search = searchKonane(game)
			n.begin, n.discerning = mobility.Estimate(game), true
		})
	case points <= 128:
		return konaneOf(a, board, rules, unsearchedKonane[konane.Pair])
	}
	return konaneOf(a, board, rules, unsearchedKonane[konane.Quad])
}

// konaneOf opens the game on sets of one type, and adds what those have.
func konaneOf[S konane.Set[S]](a about, board bitboard.Board, rules konane.Rules, add func(*instance[konane.Position[S]], *konane.Game[S])) (Instance, error) {
	game, err := konane.New[S](board, rules)
	if err != nil {
		return nil, err
	}
	n := newInstance(a, game)
	n.drawless = true
	n.canonical = canonicalKonane(game)
	n.swapped = func(p konane.Position[S]) konane.Position[S] {
		return konane.Position[S]{Own: p.Opp, Opp: p.Own}
	}
	n.formless = func(p konane.Position[S]) error {
		if game.Opening(p) {
			return errors.New("while the opening is played a position has no value as a sum of games: give one with both gaps")
		}
		return nil
	}
	n.census = censusKonane(board)
	add(n, game)
	return n, nil
}

func unsearchedKonane[S konane.Set[S]](n *instance[konane.Position[S]], game *konane.Game[S]) {
	board := game.Board()
	n.unsearched = fmt.Errorf("konane is searched on boards of at most %d points, and %v has %d (paika prove takes larger ones)", mostSearched, board, board.Points())
}

// canonicalOpening gives the two gaps of an opening one spelling, so that what is
// the same has the same tables.
func canonicalOpening(board bitboard.Board, options map[string]string) map[string]string {
	rules, err := konane.ParseRules(board, options)
	if err != nil {
		return options // to be told by who opens the game
	}
	canonical := maps.Clone(options)
	if _, given := options[openingOption]; given {
		canonical[openingOption] = rules.Opening.Canonical(board).String()
	}
	return canonical
}

const openingOption = "opening"

// mostSearched is the points of the largest board that Konane is searched on.
const mostSearched = 64

func searchKonane(game *konane.Game[konane.Word]) func(context.Context, konane.Position[konane.Word], []*bitboard.Table, ValueOptions) (searched, error) {
	return func(ctx context.Context, p konane.Position[konane.Word], leaves []*bitboard.Table, o ValueOptions) (searched, error) {
		options := mobility.Options{Workers: o.Workers, Memory: o.Table, Nodes: o.Nodes, Checkpoint: o.Checkpoint, Keep: o.keep, Progress: o.Progress}
		if len(leaves) > 0 {
			options.Tables = proofnumber.NewMemory(game, leaves)
		}
		// The table is a half of the memory, without tables of up to a quarter of that.
		options.Unfit = func(fit checkpoint.Fit) {
			o.notice(prover.UnfitNotice(o.Checkpoint, fit, (fit.Bytes+2)/3*8))
		}
		options.Kept = func(kept string) { o.notice(prover.KeptNotice(o.Checkpoint, kept)) }
		options.Unsaved = func(err error) { o.notice(prover.UnsavedNotice(err)) }
		options.GoingOn = func(nodes uint64) { o.notice(prover.GoingOn(nodes, "node", "searched", o.Checkpoint)) }
		r, err := mobility.Solve(ctx, game, p, options)
		switch {
		case r.Crowded:
			o.notice(prover.CrowdedNotice(o.Checkpoint))
		case r.Anew:
			o.notice(prover.UntrueNotice(o.Checkpoint))
		}
		if r.Left != nil {
			o.notice(r.Left.Error())
		}
		if errors.Is(err, mobility.ErrUndecided) {
			var unsaved *checkpoint.SaveError
			if errors.As(err, &unsaved) {
				o.notice(unsaved.Error())
			}
			err = prover.ErrUndecided
		}
		return searched{value: r.Value, nodes: r.Nodes, resumed: r.Resumed, table: r.Table, kept: r.Kept}, err
	}
}

// canonicalKonane gives the canonical form, Black as Left, of a position with both gaps.
func canonicalKonane[S konane.Set[S]](game *konane.Game[S]) func(context.Context, konane.Position[S], uint64) (worth, error) {
	return func(ctx context.Context, p konane.Position[S], memory uint64) (worth, error) {
		universe := newUniverse(memory)
		black, white := game.Stones(p)
		value, err := cgt.NewKonane(universe).Value(ctx, game.Board(), black, white)
		if err != nil {
			return worth{}, err
		}
		var w worth
		err = universe.Within(ctx, func() {
			w = worth{formOf(universe, value), toMove(universe.Outcome(value), game.Mover(p))}
		})
		return w, err
	}
}

// toMove is an outcome, Black as Left, for the side to move.
func toMove(o cgt.Outcome, mover bitboard.Side) bitboard.Value {
	const black bitboard.Side = 0
	if o == cgt.FirstWins || o == cgt.LeftWins && mover == black || o == cgt.RightWins && mover != black {
		return bitboard.Win
	}
	return bitboard.Loss
}

// zeroForm is what a position is worth that who begins loses, whoever it is, and no other.
func zeroForm() Form { return formOf(cgt.NewUniverse(), cgt.Zero) }

// newUniverse makes one within the memory of the program, in bytes; 0 is for no bound.
func newUniverse(memory uint64) *cgt.Universe {
	u := cgt.NewUniverse()
	if memory != 0 {
		u.Memory = max(memory, besideForms+1) - besideForms
	}
	return u
}

// besideForms is what the program takes beside canonical forms, in bytes.
const besideForms = 64 << 20

// formOf describes a value.
func formOf(u *cgt.Universe, value cgt.Game) Form {
	return Form{u.Format(value), u.Mean(value).String(), u.Temperature(value).String()}
}

// censusKonane counts all positions of a board by value, Black as Left.
func censusKonane(board bitboard.Board) func(context.Context, uint64) ([]ValueCensus, error) {
	return func(ctx context.Context, memory uint64) ([]ValueCensus, error) {
		universe := newUniverse(memory)
		counts, err := universe.Census(ctx, board)
		if err != nil {
			return nil, err
		}
		winners := map[cgt.Outcome]string{cgt.LeftWins: "black", cgt.RightWins: "white", cgt.FirstWins: "first", cgt.SecondWins: "second"}
		var values []ValueCensus
		err = universe.Within(ctx, func() {
			for value, positions := range counts {
				form := formOf(universe, value)
				values = append(values, ValueCensus{form, winners[universe.Outcome(value)], positions})
				universe.Hold(uint64(len(form.CGT)))
			}
		})
		return values, err
	}
}
