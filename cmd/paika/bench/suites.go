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
	"paika/cmd/paika/prover"
	"paika/internal/usage"
	"paika/solver/perft"
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
	for _, game := range catalogue.Games() {
		for _, p := range game.Benchmarks.Perfts {
			counts := []int{1}
			if p.AllWorkers {
				counts = b.workerCounts()
			}
			instance, err := game.Open(p.Board, p.Rules)
			if err != nil {
				return nil, err
			}
			for _, workers := range counts {
				tasks = append(tasks, perftTask(instance, p.Depth, workers))
			}
		}
	}
	return tasks, nil
}

// perftTask counts turns up to a depth. Those of the last one over the time of all are its rate:
// they are the fingerprint.
func perftTask(instance catalogue.Instance, depth, workers int) task {
	name := fmt.Sprintf("perft/%s/depth=%d/workers=%d", instance.Folder(), depth, workers)
	return task{name, func(ctx context.Context) ([]figure, error) {
		counted, err := instance.Perft(ctx, catalogue.Start, catalogue.PerftOptions{Depth: depth, Counting: perft.Sequences, Workers: workers})
		if err != nil {
			return nil, err
		}
		nodes := counted.Nodes[depth-1]
		return []figure{{name: name, unit: "nodes/s", value: float64(nodes) / counted.Seconds, nodes: nodes, better: benchmarks.Higher}}, nil
	}}
}

// buildTasks build tables, with one worker and then with more, and verify those that
// are probed, too.
func buildTasks(b *bench) ([]task, error) {
	var one, more, verified []task
	for _, game := range catalogue.Games() {
		for _, built := range game.Benchmarks.Builds {
			instance, err := game.Open(built.Board, nil)
			if err != nil {
				return nil, err
			}
			one = append(one, b.buildTask(instance, built, 1))
			if !built.AllWorkers {
				continue
			}
			for _, workers := range b.workerCounts()[1:] {
				more = append(more, b.buildTask(instance, built, workers))
			}
		}
		if stored := game.Benchmarks.Stored; stored != nil {
			instance, err := game.Open(stored.Board, nil)
			if err != nil {
				return nil, err
			}
			verified = append(verified, b.verifyTask(instance, stored.Pieces))
		}
	}
	return slices.Concat(one, more, verified), nil
}

func (b *bench) buildTask(instance catalogue.Instance, of catalogue.BenchBuild, workers int) task {
	size := "all"
	if of.Pieces != bitboard.AllPieces {
		size = fmt.Sprint(of.Pieces)
	}
	name := fmt.Sprintf("build/%s/%v/pieces=%s/workers=%d", instance.Folder(), of.Metric, size, workers)
	return task{name, func(ctx context.Context) ([]figure, error) {
		dir, err := os.MkdirTemp(b.folder, "build-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		debug.FreeOSMemory()
		measured, cpu := usage.ResetPeak(), usage.Processor()
		built, err := instance.Build(ctx, dir, catalogue.BuildOptions{Pieces: of.Pieces, Metric: of.Metric, Workers: workers, Memory: b.Memory, Version: b.Version})
		if err != nil {
			return nil, err
		}
		cpu = usage.Processor() - cpu
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
		if peak := usage.PeakBytes(); measured && peak > 0 {
			figures = append(figures, figure{name: name + "/memory", unit: "bytes", value: float64(peak), nodes: total.Positions, better: benchmarks.Lower})
		}
		if workers == 1 {
			figures = append(figures, figure{name: name + "/size", unit: "bits/position", value: total.BitsPerPosition, nodes: total.Bytes, better: benchmarks.Lower, exact: true})
		}
		return figures, nil
	}}
}

func (b *bench) verifyTask(instance catalogue.Instance, pieces int) task {
	name := fmt.Sprintf("build/%s/wdl/pieces=%d/verify", instance.Folder(), pieces)
	return task{name, func(ctx context.Context) ([]figure, error) {
		dir, err := b.tables(ctx, instance, pieces)
		if err != nil {
			return nil, err
		}
		v, err := instance.Verify(ctx, dir, catalogue.VerifyOptions{Workers: 1, Memory: b.Memory})
		if err == nil && !v.OK {
			err = fmt.Errorf("%w: %s, the first: %v", ErrWrong, bitboard.Count(v.Found, "finding"), v.Findings[0])
		}
		if err != nil {
			return nil, err
		}
		return []figure{{name: name, unit: "positions/s", value: float64(v.Positions) / v.Seconds, nodes: v.Positions, better: benchmarks.Higher}}, nil
	}}
}

// mostMade is the pieces of the largest tables that are built for a run, and thrown
// away. Others take long to build, are among the user's own, and stay.
const mostMade = 5

// tables gives the folder with the tables of a board, up to a number of pieces,
// and builds what it lacks. That is no part of a measurement.
func (b *bench) tables(ctx context.Context, instance catalogue.Instance, pieces int) (string, error) {
	dir := filepath.Join(b.folder, instance.Folder())
	if pieces > mostMade {
		dir = filepath.Join(b.Data, instance.Folder())
	}
	key := fmt.Sprintf("%s %d", dir, pieces)
	if b.built[key] {
		return dir, nil
	}
	_, err := instance.Build(ctx, dir, catalogue.BuildOptions{Pieces: pieces, Metric: bitboard.WDL, Workers: b.Workers, Memory: b.Memory, Version: b.Version})
	b.built[key] = err == nil
	return dir, err
}

// rounds is how often the positions are looked up in one run of a probe.
const rounds = 16

// probeTasks look up benchmarks.Positions: all together, and one by one.
func probeTasks(b *bench) ([]task, error) {
	var tasks []task
	for _, game := range catalogue.Games() {
		stored := game.Benchmarks.Stored
		if stored == nil {
			continue
		}
		instance, err := game.Open(stored.Board, nil)
		if err != nil {
			return nil, err
		}
		positions, err := benchmarks.Positions(instance.Folder())
		if err != nil {
			return nil, err
		}
		tasks = append(tasks,
			b.probeTask("together", instance, stored.Pieces, positions, len(positions)),
			b.probeTask("one-by-one", instance, stored.Pieces, positions, 1))
	}
	return tasks, nil
}

// probeTask looks positions up, some each time.
func (b *bench) probeTask(how string, instance catalogue.Instance, pieces int, positions []string, each int) task {
	name := "probe/" + instance.Folder() + "/" + how
	return task{name, func(ctx context.Context) ([]figure, error) {
		dir, err := b.tables(ctx, instance, pieces)
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

// winInOneTasks decide random boards, family by family.
func winInOneTasks(b *bench) ([]task, error) {
	var tasks []task
	for _, game := range catalogue.Games() {
		wins := game.Benchmarks.WinInOne
		if wins == nil {
			continue
		}
		instance, err := game.Open(wins.Board, nil)
		if err != nil {
			return nil, err
		}
		for _, family := range wins.Families {
			random := rand.New(rand.NewPCG(15, 19))
			positions := make([]string, boards)
			for i := range positions {
				positions[i] = family.Make(random)
			}
			tasks = append(tasks, b.winInOneTask("win-in-one/"+instance.Folder()+"/"+family.Name, instance.(catalogue.WinsInOne), positions))
		}
	}
	return tasks, nil
}

func (b *bench) winInOneTask(name string, instance catalogue.WinsInOne, positions []string) task {
	return task{name, func(ctx context.Context) ([]figure, error) {
		answers, err := instance.WinInOne(ctx, positions, catalogue.WinInOneOptions{Workers: 1, Memory: b.Memory})
		if err != nil {
			return nil, err
		}
		var sum float64
		times := make([]float64, 0, len(answers))
		var nodes, wins uint64
		for i, a := range answers {
			switch {
			case a.Err != nil:
				return nil, a.Err
			case a.Result.Win == nil:
				return nil, fmt.Errorf("%s: %w", positions[i], prover.ErrUndecided)
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
			{name: name + "/median", unit: "µs", value: (times[(len(times)-1)/2] + times[len(times)/2]) / 2, nodes: nodes, better: benchmarks.Lower},
			{name: name + "/mean", unit: "µs", value: 1e6 * sum / float64(len(times)), nodes: nodes, better: benchmarks.Lower},
			{name: name + "/slowest", unit: "µs", value: times[len(times)-1], nodes: nodes, better: benchmarks.Lower},
			{name: name + "/wins", unit: "% of boards", value: 100 * float64(wins) / float64(len(positions)), nodes: wins, better: benchmarks.Higher, exact: true},
		}, nil
	}}
}
