package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/solver/perft"
)

func newPerft(o *options) *cobra.Command {
	depth, divide, counting := 0, false, ""
	cmd := &cobra.Command{
		Use:   "perft [GAME] [POSITION] --depth N",
		Short: "Count turns to a fixed depth",
		Long: `Perft counts the nodes at each depth below a position. A ply is a whole turn.

"sequences" counts every line of play by its turns; "positions" counts, below
every node, turns that lead to the same position once.`,
		Example: `  paika perft fanorona --depth 5
  paika perft fanorona --board 5x5 --depth 6 --count positions
  paika perft --board telo --depth 2 --divide`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.open(args)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("depth") {
				return misuse("depth", "--depth is missing: want the number of turns to look ahead")
			}
			options := catalogue.PerftOptions{Depth: depth, Divide: divide, Workers: o.workers}
			if options.Counting, err = perft.ParseCounting(counting); err != nil {
				return misuse("count", "--count: %w", err)
			}
			err = answer(cmd, s, byItself, together(func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Perft], error) {
				return eachPerft(ctx, s.instance, positions, options)
			}), printPerft)
			if s.position() != fromInput {
				return cmp.Or(tellFinished(cmd, o, err), err)
			}
			return err
		},
	}
	cmd.Flags().IntVar(&depth, "depth", 0, "look `N` turns ahead")
	cmd.Flags().StringVar(&counting, "count", perft.Sequences.String(), "what to count: `sequences|positions`")
	cmd.Flags().BoolVar(&divide, "divide", false, "count below each turn, too")
	return cmd
}

func eachPerft(ctx context.Context, instance catalogue.Instance, positions []string, o catalogue.PerftOptions) ([]catalogue.Answer[catalogue.Perft], error) {
	answers := make([]catalogue.Answer[catalogue.Perft], len(positions))
	for i, position := range positions {
		a := &answers[i]
		a.Result, a.Err = countDepths(ctx, instance, position, o)
		if errors.Is(a.Err, context.Canceled) {
			return nil, a.Err
		}
	}
	return answers, nil
}

// mostAgain is how many nodes may be counted again, whatever the tree, for depths that are counted
// one after the other: less than a tenth of a second.
const mostAgain = 1 << 20

// countDepths counts one depth after the other, so that those that are finished can be told where it is
// stopped. That takes little more than the last depth alone, where turns are many. Where a tree
// thins out it would take a multiple: then what is left is counted at once.
func countDepths(ctx context.Context, instance catalogue.Instance, position string, o catalogue.PerftOptions) (catalogue.Perft, error) {
	began := time.Now()
	var finished catalogue.Perft
	counted := uint64(0) // nodes, again and again
	for depth := 1; ; depth++ {
		if again := total(finished.Nodes); counted > mostAgain && counted/2 > again {
			depth = o.Depth
		}
		step := o
		step.Depth, step.Divide = depth, o.Divide && depth == o.Depth
		next, err := instance.Perft(ctx, position, step)
		next.Seconds = time.Since(began).Seconds()
		switch {
		case errors.Is(err, context.Canceled) && len(finished.Nodes) > 0:
			return next, &stoppedCount{finished, depth, o.Depth, err}
		case err != nil || depth == o.Depth:
			return next, err
		}
		finished = next
		counted += total(next.Nodes)
	}
}

func total(nodes []uint64) (sum uint64) {
	for _, n := range nodes {
		sum += n
	}
	return sum
}

// stoppedCount is the end of a count that has finished some depths.
type stoppedCount struct {
	finished    catalogue.Perft
	depth, most int // that was being counted; that was asked for
	err         error
}

func (e *stoppedCount) Error() string { return e.err.Error() }
func (e *stoppedCount) Unwrap() error { return e.err }

// finishedDepths is what perft prints with --json of what it has counted before it is stopped.
type finishedDepths struct {
	Position string   `json:"position"`
	Count    string   `json:"count"`
	Nodes    []uint64 `json:"nodes"`
	Seconds  float64  `json:"seconds"`
}

// finishedOf is what was counted before an error ended that; nil if nothing.
func finishedOf(err error) *finishedDepths {
	var left *stoppedCount
	if !errors.As(err, &left) {
		return nil
	}
	return &finishedDepths{left.finished.Position, left.finished.Count, left.finished.Nodes, left.finished.Seconds}
}

// tellFinished tells people what was counted before an error ended that.
func tellFinished(cmd *cobra.Command, o *options, err error) error {
	var left *stoppedCount
	if o.json || !errors.As(err, &left) {
		return nil
	}
	unwritten := printPlain(cmd.OutOrStdout(), func(w io.Writer) error { return printPerft(w, left.finished) })
	fmt.Fprintf(cmd.ErrOrStderr(), "paika: stopped while depth %d of %d was counted\n", left.depth, left.most)
	return unwritten
}

func printPerft(w io.Writer, p catalogue.Perft) error {
	t := &table{left: 1}
	for _, d := range p.Divide {
		t.add(d.Turn, thousands(d.Nodes))
	}
	if len(p.Divide) > 0 {
		t.add()
	}
	t.add("depth", p.Count)
	for i, n := range p.Nodes {
		t.add(strconv.Itoa(i+1), thousands(n))
	}
	if err := t.print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s, %s nodes/s\n", seconds(p.Seconds), rate(total(p.Nodes), p.Seconds))
	return err
}
