package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"paika/benchmarks"
	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/perft"
	"paika/solver/winone"
)

// workerCounts are 1, 2, 4, ... and the most.
func (b *bench) workerCounts() (counts []int) {
	for n := 1; n < b.Workers; n *= 2 {
		counts = append(counts, n)
	}
	return append(counts, b.Workers)
}

// perftTasks count turns from the start.
func perftTasks(b *bench) ([]task, error) {
	var tasks []task
	add := func(game, board string, rules map[string]string, depth, workers int) error {
		instance, err := open(game, board, rules)
		if err != nil {
			return err
		}
		name := fmt.Sprintf("perft/%s/depth=%d/workers=%d", instance.Folder(), depth, workers)
		tasks = append(tasks, task{name, func(ctx context.Context) ([]figure, error) {
			counted, err := instance.Perft(ctx, catalogue.Start, catalogue.PerftOptions{Depth: depth, Counting: perft.Sequences, Workers: workers})
			if err != nil {
				return nil, err
			}
			nodes := counted.Nodes[depth-1]
			return []figure{{name: name, unit: "nodes/s", value: float64(nodes) / counted.Seconds, nodes: nodes, better: benchmarks.Higher}}, nil
		}})
		return nil
	}
	for _, workers := range b.workerCounts() {
		if err := add("fanorona", "9x5", nil, 6, workers); err != nil {
			return nil, err
		}
	}
	if err := add("konane", "8x8", map[string]string{"opening": "corner-h"}, 11, 1); err != nil {
		return nil, err
	}
	return tasks, add("phutball", "15x19", nil, 4, 1)
}

// buildTasks build tables, and verify the largest of them.
func buildTasks(b *bench) ([]task, error) {
	var tasks []task
	for _, t := range []struct {
		game, board string
		pieces      int
		metric      bitboard.Metric
		workers     int
	}{
		{"fanorona", "9x5", 2, bitboard.WDL, 1},
		{"fanorona", "9x5", 3, bitboard.WDL, 1},
		{"fanorona", "9x5", 4, bitboard.WDL, 1},
		{"fanorona", "9x5", 5, bitboard.WDL, 1},
		{"fanorona", "9x5", 2, bitboard.DTW, 1},
		{"fanorona", "9x5", 3, bitboard.DTW, 1},
		{"fanorona", "9x5", 4, bitboard.DTW, 1},
		{"fanorona", "9x5", 5, bitboard.DTW, 1},
		{"fanorona", "5x5", 7, bitboard.WDL, 1},
		{"konane", "4x4", bitboard.AllPieces, bitboard.WDL, 1},
		{"konane", "4x5", bitboard.AllPieces, bitboard.WDL, 1},
		{"phutball", "3x7", bitboard.AllPieces, bitboard.WDL, 1},
	} {
		if err := b.addBuild(&tasks, t.game, t.board, t.pieces, t.metric, t.workers); err != nil {
			return nil, err
		}
	}
	for _, workers := range b.workerCounts()[1:] {
		if err := b.addBuild(&tasks, "fanorona", "9x5", 5, bitboard.WDL, workers); err != nil {
			return nil, err
		}
	}
	verify, err := b.verifyTask()
	return append(tasks, verify), err
}

func (b *bench) addBuild(tasks *[]task, game, board string, pieces int, metric bitboard.Metric, workers int) error {
	instance, err := open(game, board, nil)
	if err != nil {
		return err
	}
	size := "all"
	if pieces != bitboard.AllPieces {
		size = fmt.Sprint(pieces)
	}
	name := fmt.Sprintf("build/%s/%v/pieces=%s/workers=%d", instance.Folder(), metric, size, workers)
	*tasks = append(*tasks, task{name, func(ctx context.Context) ([]figure, error) {
		dir, err := os.MkdirTemp(b.folder, "build-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		debug.FreeOSMemory()
		measured, cpu := resetPeak(), cpuTime()
		built, err := instance.Build(ctx, dir, catalogue.BuildOptions{Pieces: pieces, Metric: metric, Workers: workers, Memory: b.Memory, Version: "benchmark"})
		if err != nil {
			return nil, err
		}
		cpu = cpuTime() - cpu
		total := built.Totals[0]
		// What the values come to says whether they are the same, so the wins
		// are the fingerprint of the time.
		figures := []figure{
			{name: name, unit: "positions/s", value: float64(total.Positions) / built.Seconds, nodes: total.Win, better: benchmarks.Higher},
			{name: name + "/time", unit: "s", value: built.Seconds, nodes: total.Positions, better: benchmarks.Lower},
		}
		if cpu > 0 {
			figures = append(figures, figure{name: name + "/cpu", unit: "s of processor time", value: cpu.Seconds(), nodes: total.Positions, better: benchmarks.Lower})
		}
		if peak := peakBytes(); measured && peak > 0 {
			figures = append(figures, figure{name: name + "/memory", unit: "bytes", value: float64(peak), nodes: total.Positions, better: benchmarks.Lower})
		}
		if workers == 1 {
			figures = append(figures, figure{name: name + "/size", unit: "bits/position", value: total.BitsPerPosition, nodes: total.Bytes, better: benchmarks.Lower, exact: true})
		}
		return figures, nil
	}})
	return nil
}

// largest is the tables that verify and probes have: all of 9x5 with five stones.
const largest = 5

func (b *bench) verifyTask() (task, error) {
	instance, err := open("fanorona", "9x5", nil)
	if err != nil {
		return task{}, err
	}
	name := fmt.Sprintf("build/%s/wdl/pieces=%d/verify", instance.Folder(), largest)
	return task{name, func(ctx context.Context) ([]figure, error) {
		dir, err := b.tables(ctx, instance, largest)
		if err != nil {
			return nil, err
		}
		v, err := instance.Verify(ctx, dir, catalogue.VerifyOptions{Workers: 1, Memory: b.Memory})
		if err == nil && !v.OK {
			err = fmt.Errorf("%w: %d findings, the first: %v", ErrWrong, v.Found, v.Findings[0])
		}
		if err != nil {
			return nil, err
		}
		return []figure{{name: name, unit: "positions/s", value: float64(v.Positions) / v.Seconds, nodes: v.Positions, better: benchmarks.Higher}}, nil
	}}, nil
}

// tables gives the folder with the tables of a board, up to a number of pieces,
// and builds what it lacks. That is no part of a measurement. Those that take
// long to build are among the user's own, and stay.
func (b *bench) tables(ctx context.Context, instance catalogue.Instance, pieces int) (string, error) {
	dir := filepath.Join(b.folder, instance.Folder())
	if pieces > largest {
		dir = filepath.Join(b.Data, instance.Folder())
	}
	key := fmt.Sprintf("%s %d", dir, pieces)
	if b.built[key] {
		return dir, nil
	}
	_, err := instance.Build(ctx, dir, catalogue.BuildOptions{Pieces: pieces, Metric: bitboard.WDL, Workers: b.Workers, Memory: b.Memory, Version: "benchmark"})
	b.built[key] = err == nil
	return dir, err
}

// rounds is how often the positions are looked up in one run of a probe.
const rounds = 16

// probeTasks look up benchmarks.Positions: all together, and one by one.
func probeTasks(b *bench) ([]task, error) {
	instance, err := open("fanorona", "9x5", nil)
	if err != nil {
		return nil, err
	}
	positions := benchmarks.Positions()
	probe := func(name string, each int) task {
		return task{name, func(ctx context.Context) ([]figure, error) {
			dir, err := b.tables(ctx, instance, largest)
			if err != nil {
				return nil, err
			}
			tables, err := instance.Open(dir, 1)
			if err != nil {
				return nil, err
			}
			defer tables.Close()
			if _, err := probeAll(ctx, tables, positions, each); err != nil { // loads chunks
				return nil, err
			}
			began := time.Now()
			var won uint64
			for range rounds {
				n, err := probeAll(ctx, tables, positions, each)
				if err != nil {
					return nil, err
				}
				won += n
			}
			rate := float64(rounds*len(positions)) / time.Since(began).Seconds()
			return []figure{{name: name, unit: "probes/s", value: rate, nodes: won / rounds, better: benchmarks.Higher}}, nil
		}}
	}
	return []task{
		probe("probe/"+instance.Folder()+"/together", len(positions)),
		probe("probe/"+instance.Folder()+"/one-by-one", 1),
	}, nil
}

// probeAll looks positions up, some each time, and counts the wins.
func probeAll(ctx context.Context, tables catalogue.Tables, positions []string, each int) (won uint64, err error) {
	for len(positions) > 0 {
		n := min(each, len(positions))
		answers, err := tables.Probe(ctx, positions[:n])
		if err != nil {
			return 0, err
		}
		for _, a := range answers {
			if a.Err != nil {
				return 0, a.Err
			}
			if a.Result.Value == bitboard.Win.String() {
				won++
			}
		}
		positions = positions[n:]
	}
	return won, nil
}

// boards is how many random boards make a task of win-in-one.
const boards = 400

// winInOneTasks decide random boards of 15x19: with a share of men, in percent,
// and the ball in the centre, and those of the families that are hard to solve.
func winInOneTasks(b *bench) ([]task, error) {
	instance, err := open("phutball", "15x19", nil)
	if err != nil {
		return nil, err
	}
	board := bitboard.Board{Width: 15, Height: 19}
	var tasks []task
	add := func(name string, one func(*rand.Rand) string) {
		random := rand.New(rand.NewPCG(15, 19))
		positions := make([]string, boards)
		for i := range positions {
			positions[i] = one(random)
		}
		tasks = append(tasks, winInOneTask("win-in-one/"+instance.Folder()+"/"+name, instance.(catalogue.WinsInOne), positions))
	}
	for percent := 5; percent <= 60; percent += 5 {
		add(fmt.Sprintf("density=%d", percent), func(random *rand.Rand) string {
			return winone.Random(board, random, percent, false).String()
		})
	}
	for _, family := range winone.Hard() {
		add(family.Name, func(random *rand.Rand) string { return family.Make(board, random).String() })
	}
	return tasks, nil
}

func winInOneTask(name string, instance catalogue.WinsInOne, positions []string) task {
	return task{name, func(ctx context.Context) ([]figure, error) {
		answers, err := instance.WinInOne(ctx, positions, catalogue.WinInOneOptions{Workers: 1})
		if err != nil {
			return nil, err
		}
		var sum float64
		times := make([]float64, 0, len(answers))
		var nodes, wins uint64
		for _, a := range answers {
			if a.Err != nil {
				return nil, a.Err
			}
			sum += a.Result.Seconds
			times = append(times, 1e6*a.Result.Seconds)
			nodes += a.Result.Nodes
			if *a.Result.Win {
				wins++
			}
		}
		slices.Sort(times)
		return []figure{
			{name: name + "/median", unit: "µs", value: times[len(times)/2], nodes: nodes, better: benchmarks.Lower},
			{name: name + "/mean", unit: "µs", value: 1e6 * sum / float64(len(times)), nodes: nodes, better: benchmarks.Lower},
			{name: name + "/slowest", unit: "µs", value: times[len(times)-1], nodes: nodes, better: benchmarks.Lower},
			{name: name + "/wins", unit: "% of boards", value: 100 * float64(wins) / float64(len(positions)), nodes: wins, better: benchmarks.Higher, exact: true},
		}, nil
	}}
}
