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

// Searches of Fanorona's larger boards get endgame tables, too, from the smallest
// that help. (Where Konane and Phutball have tables at all, they hold whole boards,
// and nothing is left to search.)
const (
	tablesGame  = "fanorona"
	leastTables = 4
)

var tablesBoards = []string{"5x5", "9x5"}

// searchTasks search the problems of each game: by each method without tables,
// by df-pn without one or the other of its devices, and on some boards with
// tables. Then Konane's own search solves whole boards, and df-pn one in
// transposition tables of several sizes.
func searchTasks(b *bench) ([]task, error) {
	var tasks []task
	for _, game := range catalogue.Names() {
		problems, err := benchmarks.Problems(game)
		if err != nil {
			return nil, err
		}
		if len(problems) == 0 {
			continue // no rate, no mean: there is nothing to measure
		}
		s := &searched{bench: b, name: game, problems: problems}
		for _, v := range []variant{
			{}, {method: proofnumber.PN}, {method: proofnumber.PN2},
			{uniform: true}, {sums: true}, {tight: true},
		} {
			tasks = append(tasks, s.task(v))
		}
	}
	s, err := b.withTables()
	if err != nil {
		return nil, err
	}
	tasks = append(tasks, s.task(variant{}))
	for pieces := leastTables; pieces <= b.Pieces; pieces++ {
		tasks = append(tasks, s.task(variant{pieces: pieces}))
	}
	for _, opening := range []string{"corner-h", "middle-h"} {
		tasks = append(tasks, b.valueTask(opening))
	}
	for _, size := range tableSizes {
		tasks = append(tasks, b.tableSizeTask(size))
	}
	return tasks, nil
}

// withTables is the problems that are searched with tables.
func (b *bench) withTables() (*searched, error) {
	problems, err := benchmarks.Problems(tablesGame)
	if err != nil {
		return nil, err
	}
	problems = slices.DeleteFunc(problems, func(p benchmarks.Problem) bool { return !slices.Contains(tablesBoards, p.Board) })
	return &searched{bench: b, name: tablesGame + "-" + strings.Join(tablesBoards, "-"), problems: problems}, nil
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
		Nodes: b.Nodes, Table: b.table, Memory: b.Memory,
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

// valueTask finds the winner of 6x6 Konane by its own search.
func (b *bench) valueTask(opening string) task {
	name := "search/konane-6x6/" + opening
	return task{name, func(ctx context.Context) ([]figure, error) {
		instance, err := open("konane", "6x6", map[string]string{"opening": opening})
		if err != nil {
			return nil, err
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			return nil, err
		}
		defer tables.Close()
		values, err := tables.Value(ctx, []string{catalogue.Start}, catalogue.ValueOptions{Workers: 1, Table: benchmarks.SearchTable})
		if err == nil {
			err = values[0].Err
		}
		if err != nil {
			return nil, err
		}
		v := values[0].Result
		if *v.Winner != "white" {
			return nil, fmt.Errorf("%w: %s wins, and white by P. Norvig's notebook", ErrWrong, *v.Winner)
		}
		return []figure{
			{name: name + "/nodes", unit: "nodes", value: float64(v.Nodes), nodes: v.Nodes, better: benchmarks.Lower, exact: true},
			{name: name + "/time", unit: "s", value: v.Seconds, nodes: v.Nodes, better: benchmarks.Lower},
		}, nil
	}}
}

// tableSizeTask proves the draw of 5x5 Fanorona, with tables of four stones, in
// a transposition table of some bytes.
func (b *bench) tableSizeTask(size uint64) task {
	name := "search/fanorona-5x5/start/table=" + fmt.Sprintf("%dKiB", size>>10)
	return task{name, func(ctx context.Context) ([]figure, error) {
		instance, err := open("fanorona", "5x5", nil)
		if err != nil {
			return nil, err
		}
		dir, err := b.tables(ctx, instance, leastTables)
		if err != nil {
			return nil, err
		}
		results, err := instance.Solve(ctx, dir, []catalogue.Problem{{Position: catalogue.Start, Claim: catalogue.ClaimDraw}}, catalogue.SolveOptions{
			Method: proofnumber.DFPN, Pieces: leastTables, Nodes: tableSizeNodes, Table: size, Memory: b.Memory,
		})
		if err != nil {
			return nil, err
		}
		r := results[0]
		if r.Result == proofnumber.Refuted {
			return nil, fmt.Errorf("%w: the draw of 5x5 is refuted", ErrWrong)
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
