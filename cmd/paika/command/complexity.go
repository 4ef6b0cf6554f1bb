package command

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"paika/benchmarks/plot"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
	"paika/internal/usage"
	"paika/solver/complexity"
)

func newComplexity(o *options) *cobra.Command {
	var of catalogue.ComplexityOptions
	folder := ""
	cmd := &cobra.Command{
		Use:   "complexity [GAME]",
		Short: "Measure state space and game tree",
		Long: `Complexity tells how large a game is: the number of its positions, and the number
of leaves of its full tree.

The state space is what can be set up, exactly; the line below it says what is
counted. Where play reaches few positions, those are counted too: up to --reachable
of them, or as many as --memory allows. There the same board with the other side to
move is another position, and those where the game is over count as well, so that
it can be the larger number on a small board.

The tree is a guess, b^d, from the mean number of turns b and the mean length d of
games. --games of them are played, the first --opening-plies at random, the
others by alpha-beta players who look --depth turns ahead and depend on the
position alone; a position that comes again would therefore come for ever, and
the game ends there. A ply is a whole turn, and turns are counted as distinct
sequences, as perft does. Intervals are for 95 %, of a hundred games or more; those
of fewer games are too narrow, and hold less. The same --seed gives the same result
with any number of workers. Games that do not fit into --memory, of which the
program itself has 32 MiB, are refused, as soon as that can be told.

With --plot it draws turns by ply (branching.svg).`,
		Example: `  paika complexity
  paika complexity konane --board 6x6 --games 1000
  paika complexity phutball --depth 1 --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			of.Workers, of.Memory = o.workers, memoryBudget(o.memory)
			return measureComplexity(cmd, s, of, folder)
		},
	}
	cmd.Flags().IntVar(&of.Games, "games", 10_000, "play `N` games")
	cmd.Flags().IntVar(&of.Depth, "depth", 0, "players look `N` turns ahead (default the game's own)")
	cmd.Flags().IntVar(&of.Opening, "opening-plies", 6, "begin each game with `N` turns at random")
	cmd.Flags().Uint64Var(&of.Seed, "seed", 1, "seed `N` of the random turns")
	cmd.Flags().IntVar(&of.Reachable, "reachable", 1_000_000, "count at most `N` positions that play reaches")
	cmd.Flags().StringVar(&folder, "plot", "", "draw a chart, as SVG, into the folder `DIR`")
	return cmd
}

// shownComplexity is what complexity prints with --json.
type shownComplexity struct {
	catalogue.Complexity
	Plots []string `json:"plots,omitempty"` // files
}

func measureComplexity(cmd *cobra.Command, s session, of catalogue.ComplexityOptions, folder string) error {
	var drawing *lasting.File // nil where none is asked for
	if folder != "" {
		var err error
		if drawing, err = createDrawing(cmd.Context(), folder); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		defer drawing.Discard()
	}
	bar := s.startProgress(cmd.ErrOrStderr())
	of.Progress = func(games int) { bar.set("playing", "game", uint64(games), uint64(of.Games)) }
	c, err := s.instance.Complexity(cmd.Context(), of)
	bar.close()
	if err != nil {
		return err
	}
	shown := shownComplexity{Complexity: c}
	if drawing != nil {
		if err := plotBranching(c, drawing); err != nil {
			return fmt.Errorf("--plot: %w", err)
		}
		shown.Plots = []string{drawing.Path()}
	}
	return s.print(cmd, shown, func(w io.Writer) error { return printComplexity(w, shown) })
}

// createDrawing begins the chart of the turns by ply in a folder, which it makes:
// before the games, so that they are not played for nothing.
func createDrawing(ctx context.Context, folder string) (*lasting.File, error) {
	if err := lasting.MakeFolder(folder, 0o777); err != nil {
		return nil, err
	}
	return lasting.Create(ctx, filepath.Join(folder, "branching.svg"))
}

func printComplexity(w io.Writer, c shownComplexity) error {
	reachable := fmt.Sprintf("more than %s", thousands(uint64(c.StateSpace.Counted)))
	if c.StateSpace.Reachable != nil {
		reachable = thousands(uint64(*c.StateSpace.Reachable))
	}
	t := &table{left: 1}
	t.add("", "mean", "95 % interval")
	t.add("plies", decimals(c.Plies.Mean, 2), interval(c.Plies.Interval))
	t.add("turns", decimals(c.Branching.Mean, 2), interval(c.Branching.Interval))
	t.add("log10 of the tree, b^d", decimals(c.GameTree.Log10.Mean, 2), interval(c.GameTree.Log10))
	t.add("log10 of the turns' product", decimals(c.GameTree.Product.Mean, 2), interval(c.GameTree.Product))
	fmt.Fprintf(w, "%s on %s%s\n\nstate space: 10^%.2f = %s\n  %s\n  reachable from the start: %s\n\n",
		c.Game, c.Board, withRules(c.Rules), c.StateSpace.Log10, usage.Grouped(c.StateSpace.Count), c.StateSpace.What, reachable)
	fmt.Fprintf(w, "%s, %s at random, then depth %d, seed %d:\n", count(uint64(c.Games), "game"), count(uint64(c.Opening), "ply"), c.Depth, c.Seed)
	if err := t.print(w); err != nil {
		return err
	}
	r := c.Results
	plies := count(uint64(c.Plies.Longest), "ply")
	if c.Plies.Shortest < c.Plies.Longest {
		plies = fmt.Sprintf("%d to %s", c.Plies.Shortest, plies)
	}
	fmt.Fprintf(w, "\n%s; first player won %d, second %d, drawn %d, endless %d\n%s in %s\n",
		plies, r.First, r.Second, r.Drawn, r.Endless, count(c.Nodes, "node"), seconds(c.Seconds))
	for _, file := range c.Plots {
		fmt.Fprintf(w, "drawn: %s\n", catalogue.ShownName(file))
	}
	return nil
}

func decimals(x float64, n int) string { return strconv.FormatFloat(x, 'f', n, 64) }

func interval(i complexity.Interval) string {
	return decimals(i.Low, 2) + " to " + decimals(i.High, 2)
}

// leastGames is how many games must have come to a ply for its mean to be drawn.
const leastGames = 10

// plotBranching draws the turns at each ply that enough games came to.
func plotBranching(c catalogue.Complexity, file *lasting.File) error {
	mean, low, high := plot.Points{Name: "mean"}, plot.Points{Name: "95 %, low"}, plot.Points{Name: "95 %, high"}
	for _, p := range c.Branching.ByPly {
		if p.Games < min(leastGames, c.Games) {
			continue
		}
		x := float64(p.Ply + 1)
		mean.XY = append(mean.XY, plot.XY{X: x, Y: p.Mean})
		low.XY = append(low.XY, plot.XY{X: x, Y: math.Max(p.Low, 0)})
		high.XY = append(high.XY, plot.XY{X: x, Y: p.High})
	}
	chart, err := plot.Lines(plot.Labels{
		Title: fmt.Sprintf("%s %s: turns by ply, %s games", c.Game, c.Board, thousands(uint64(c.Games))),
		X:     "ply",
		Y:     "turns",
	}, mean, low, high)
	if err != nil {
		return err
	}
	if err := chart.Draw(file); err != nil {
		return err
	}
	_, err = file.Keep()
	return err
}
