package jobs_test

import (
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// Does White win Fanorona on 3x3? The question is divided into jobs of a few nodes. Here
// one worker does them all.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	check(err)
	start, _, err := game.Start()
	check(err)
	root := jobs.Node[fanorona.Position]{Position: start, AttackerMoves: true}
	tree := jobs.New(root, jobs.Options[fanorona.Position]{Rules: game, Least: 10, Most: 10})
	for tree.Verdict() == proofnumber.Undecided {
		job, found := tree.Next(1)
		if !found {
			break // with more workers: the others are at it
		}
		tree.Answer(job.Node, work(ctx, game, job))
	}
	_, parts := tree.Support()
	fmt.Println(tree.Verdict(), "by several jobs:", len(parts) > 1)
	// Output:
	// proved by several jobs: true
}

// work does a job with a table of its own.
func work(ctx context.Context, game *fanorona.Game, job jobs.Job[fanorona.Position]) jobs.Answer {
	table, err := proofnumber.NewTable(1 << 16) // bytes
	check(err)
	defer table.Close()
	search, err := proofnumber.New(game, table, proofnumber.Options[fanorona.Position]{Nodes: job.Nodes})
	check(err)
	result, err := search.Solve(ctx, job.Position, job.AttackerMoves)
	check(err)
	return jobs.Answer{Verdict: result.Verdict, Nodes: result.Nodes}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
