package bench

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"paika/benchmarks"
	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
)

// tableSizes are those, in bytes, of the searches that show what a small one costs.
var tableSizes = []uint64{16 << 10, 32 << 10, 64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20, 4 << 20, 16 << 20}

// variant is a way to search. The zero one is df-pn without tables: what others
// are held against.
type variant struct {
	method proofnumber.Method
	pieces int // of the tables; 0 for none

	// What df-pn goes without.
	uniform, sums, tight bool
}

// String is the variant's part of a benchmark's name.
func (v variant) String() string {
	tables := "none"
	if v.pieces > 0 {
		tables = strconv.Itoa(v.pieces)
	}
	name := fmt.Sprintf("%v/tables=%s", v.method, tables)
	switch {
	case v.uniform:
		return name + "/no-estimate"
	case v.sums:
		return name + "/sums"
	case v.tight:
		return name + "/no-epsilon"
	}
	return name
}

// searchTasks search the problems of each game: by each method without tables,
// by df-pn without one or the other of its devices, and on some boards with
// tables. Then games' own searches solve whole boards, and df-pn one in
// transposition tables of several sizes.
func searchTasks(b *bench) ([]task, error) {
	var plain, assisted, values, sized []task
	for _, game := range catalogue.Games() {
		problems, err := benchmarks.Problems(game.Name)
		if err != nil {
			return nil, err
		}
		if len(problems) > 0 { // else no rate, no mean: there is nothing to measure
			plain = append(plain, b.plainTasks(game.Name, problems)...)
		}
		if with := game.Benchmarks.Assisted; with != nil {
			assisted = append(assisted, b.assistedTasks(game.Name, problems, *with)...)
		}
		for _, v := range game.Benchmarks.Values {
			values = append(values, b.valueTask(game, v))
		}
		if s := game.Benchmarks.Sized; s != nil {
			for _, size := range tableSizes {
				sized = append(sized, b.tableSizeTask(game, *s, size))
			}
		}
	}
	return slices.Concat(plain, assisted, values, sized), nil
}

func (b *bench) plainTasks(game string, problems []benchmarks.Problem) (tasks []task) {
	s := &searched{bench: b, name: game, problems: problems}
	for _, v := range []variant{
		{}, {method: proofnumber.PN}, {method: proofnumber.PN2},
		{uniform: true}, {sums: true}, {tight: true},
	} {
		tasks = append(tasks, s.task(v))
	}
	return tasks
}

// assistedTasks search the problems of some boards without tables and with them.
func (b *bench) assistedTasks(game string, problems []benchmarks.Problem, with catalogue.AssistedSearch) []task {
	problems = slices.DeleteFunc(slices.Clone(problems), func(p benchmarks.Problem) bool { return !slices.Contains(with.Boards, p.Board) })
	s := &searched{bench: b, name: game + "-" + strings.Join(with.Boards, "-"), problems: problems}
	tasks := []task{s.task(variant{})}
	for pieces := with.Least; pieces <= b.Pieces; pieces++ {
		tasks = append(tasks, s.task(variant{pieces: pieces}))
	}
	return tasks
}

// searched is some problems, and what df-pn needed for them.
type searched struct {
	*bench
	name     string
	problems []benchmarks.Problem
	dfpn     []catalogue.SolvedProblem // by problem; nil before it is known
}

// task searches all problems. Any wrong answer is an error.
func (s *searched) task(v variant) task {
	name := "search/" + s.name + "/" + v.String()
	return task{name, func(ctx context.Context) ([]figure, error) {
		results, err := s.all(ctx, v)
		if err != nil {
			return nil, err
		}
		if s.dfpn == nil && v != (variant{}) {
			if s.dfpn, err = s.all(ctx, variant{}); err != nil {
				return nil, err
			}
		}
		if v == (variant{}) {
			s.dfpn = results
		}
		var nodes uint64
		var seconds float64
		solved := 0
		for _, r := range results {
			nodes, seconds = nodes+r.Nodes, seconds+r.Seconds
			if r.Result == proofnumber.Proved {
				solved++
			}
		}
		figures := []figure{
			{name: name + "/solved", unit: fmt.Sprintf("of %d problems", len(results)), value: float64(solved), nodes: nodes, better: benchmarks.Higher, exact: true},
			{name: name + "/time", unit: "s", value: seconds, nodes: nodes, better: benchmarks.Lower},
			{name: name + "/rate", unit: "nodes/s", value: float64(nodes) / seconds, nodes: nodes, better: benchmarks.Higher},
		}
		if both, times := moreNodes(results, s.dfpn); v != (variant{}) && both > 0 {
			figures = append(figures, figure{
				name: name + "/effort", unit: fmt.Sprintf("times df-pn's nodes, %d problems", both),
				value: times, nodes: nodes, better: benchmarks.Lower, exact: true,
			})
		}
		return figures, nil
	}}
}

// moreNodes is how many problems both solve, and how many times the nodes of the
// second the first needs for these, as a geometric mean.
func moreNodes(first, second []catalogue.SolvedProblem) (both int, times float64) {
	proved := proofnumber.Proved
	sum := 0.0
	for i := range first {
		if first[i].Result == proved && second[i].Result == proved {
			both++
			// A position that the tables have needs no node.
			sum += math.Log(float64(max(1, first[i].Nodes)) / float64(max(1, second[i].Nodes)))
		}
	}
	return both, math.Exp(sum / float64(both))
}

// all searches the problems, board by board, and lists the results in their
// order.
func (s *searched) all(ctx context.Context, v variant) ([]catalogue.SolvedProblem, error) {
	all := make([]catalogue.SolvedProblem, len(s.problems))
	for _, group := range byBoard(s.problems) {
		results, err := s.solve(ctx, s.problems, group, v)
		if err != nil {
			return nil, err
		}
		for i, r := range results {
			p := s.problems[group[i]]
			if r.Result == proofnumber.Refuted {
				return nil, fmt.Errorf("%w: %s: %s of %s is refuted, and true by %s", ErrWrong, p.Name, p.Claim, p.Position, p.Source)
			}
			all[group[i]] = r
		}
	}
	return all, nil
}

// solve searches those problems that a group lists, all of one board under one set
// of rules.
func (b *bench) solve(ctx context.Context, problems []benchmarks.Problem, group []int, v variant) ([]catalogue.SolvedProblem, error) {
	first := problems[group[0]]
	instance, err := open(first.Game, first.Board, first.Rules)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", first.Name, err)
	}
	dir := ""
	if v.pieces > 0 {
		if dir, err = b.tables(ctx, instance, v.pieces); err != nil {
			return nil, err
		}
	}
	var asked []catalogue.Problem
	for _, i := range group {
		asked = append(asked, catalogue.Problem{Position: problems[i].Position, Claim: problems[i].Claim})
	}
	return instance.Solve(ctx, dir, asked, catalogue.SolveOptions{
		Method: v.method, Pieces: v.pieces, Uniform: v.uniform, Sums: v.sums, Tight: v.tight,
		Nodes: b.Nodes, Table: b.table, Sets: benchmarks.SearchSets, Memory: b.Memory,
	})
}

// byBoard groups problems, by their places, that share tables.
func byBoard(problems []benchmarks.Problem) [][]int {
	var groups [][]int
	places := make(map[string]int)
	for i, p := range problems {
		key := p.Game + " " + p.Board + " " + p.ChosenRules()
		at, found := places[key]
		if !found {
			at = len(groups)
			places[key] = at
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// valueTask finds the winner of a board by the game's own search.
func (b *bench) valueTask(game catalogue.Game, of catalogue.BenchValue) task {
	name := fmt.Sprintf("search/%s-%s/%s", game.Name, of.Board, of.Name)
	return task{name, func(ctx context.Context) ([]figure, error) {
		instance, err := game.Open(of.Board, of.Rules)
		if err != nil {
			return nil, err
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			return nil, err
		}
		defer tables.Close()
		values, err := tables.Value(ctx, []string{catalogue.Start}, catalogue.ValueOptions{Workers: 1, Table: benchmarks.SearchTable, Memory: b.Memory})
		if err == nil {
			err = values[0].Err
		}
		if err != nil {
			return nil, err
		}
		v := values[0].Result
		if *v.Winner != of.Winner {
			return nil, fmt.Errorf("%w: %s wins, and %s by %s", ErrWrong, *v.Winner, of.Winner, of.Source)
		}
		return []figure{
			{name: name + "/nodes", unit: "nodes", value: float64(v.Nodes), nodes: v.Nodes, better: benchmarks.Lower, exact: true},
			{name: name + "/time", unit: "s", value: v.Seconds, nodes: v.Nodes, better: benchmarks.Lower},
		}, nil
	}}
}

// tableSizeTask proves a claim in a transposition table of some bytes.
func (b *bench) tableSizeTask(game catalogue.Game, of catalogue.SizedSearch, size uint64) task {
	name := fmt.Sprintf("search/%s-%s/start/table=%dKiB", game.Name, of.Board, size>>10)
	return task{name, func(ctx context.Context) ([]figure, error) {
		instance, err := game.Open(of.Board, nil)
		if err != nil {
			return nil, err
		}
		dir, err := b.tables(ctx, instance, of.Pieces)
		if err != nil {
			return nil, err
		}
		results, err := instance.Solve(ctx, dir, []catalogue.Problem{{Position: catalogue.Start, Claim: of.Claim}}, catalogue.SolveOptions{
			Method: proofnumber.DFPN, Pieces: of.Pieces, Nodes: tableSizeNodes, Table: size, Sets: benchmarks.SearchSets, Memory: b.Memory,
		})
		if err != nil {
			return nil, err
		}
		r := results[0]
		if r.Result == proofnumber.Refuted {
			return nil, fmt.Errorf("%w: %s of the start on %s is refuted", ErrWrong, of.Claim, of.Board)
		}
		if r.Result == proofnumber.Undecided {
			return []figure{{name: name + "/undecided", unit: "nodes", value: float64(r.Nodes), nodes: r.Nodes, better: benchmarks.Higher, exact: true}}, nil
		}
		return []figure{
			{name: name + "/nodes", unit: "nodes", value: float64(r.Nodes), nodes: r.Nodes, better: benchmarks.Lower, exact: true},
			{name: name + "/time", unit: "s", value: r.Seconds, nodes: r.Nodes, better: benchmarks.Lower},
		}, nil
	}}
}

// tableSizeNodes is the limit of those searches, for each attack.
const tableSizeNodes = 1_000_000
