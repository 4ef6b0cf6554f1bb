package command

import (
	"context"
	"fmt"
	"io"
	"strconv"

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
			return answer(cmd, s, byItself, together(func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.Perft], error) {
				return eachPerft(ctx, s.instance, positions, options)
			}), printPerft)
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
		a.Result, a.Err = instance.Perft(ctx, position, o)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return answers, nil
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
	var sum uint64
	for i, n := range p.Nodes {
		t.add(strconv.Itoa(i+1), thousands(n))
		sum += n
	}
	if err := t.print(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s, %s nodes/s\n", seconds(p.Seconds), rate(sum, p.Seconds))
	return err
}
