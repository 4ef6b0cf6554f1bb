package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/benchmarks"
	"paika/bitboard"
	"paika/cmd/paika/bench"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
	pace "paika/internal/progress"
)

// benchFlags say what bench does beside measuring.
type benchFlags struct {
	only, out, compare, plot string

	reports []string // to be read in place of measuring
}

// everySuite is the argument that asks for all suites.
const everySuite = "all"

func newBench(o *options) *cobra.Command {
	var f benchFlags
	var of bench.Options
	short := false
	names := strings.Join(benchmarks.Suites(), ", ")
	cmd := &cobra.Command{
		Use:   "bench [SUITE...]",
		Short: "Measure speed, memory and sizes",
		Long: `Bench measures, with machine and version, in suites: turns counted (perft), tables built
and verified (build), positions looked up (probe), problems with known answers solved
by PN, PN2 and df-pn (search), and Phutball's win in one (win-in-one). SUITE is one of
these names, or "all", which is meant where none is named. Each task
runs --runs times; a figure is the median, with half the way between its bounds
(95 %, where there are runs enough) as its noise, "-" for one run. Rates are those of one worker
unless the name says otherwise.

Nodes are what the work consists of. They depend on the program alone: a change
there is a change in behaviour. A wrong answer ends bench with an error.

--out writes the report as JSON, and --report reads such reports in place of
measuring; several are taken together as more runs, none of them twice. --compare reads such a
report and shows ratios to it of what is asked for: "better" and "worse" where a rank test tells them from noise at 5 %,
"too few runs" where it could tell nothing from noise: four each are enough;
"behaviour" where counts or sizes changed, "elsewhere" for speeds where machine, Go,
GOAMD64 or --memory are others. Searches with another --nodes are not compared. --plot draws cost against stones, nodes
against table size, rate against workers, and time of win-in-one against density.`,
		Example: `  paika bench --out old.json
  paika bench build probe --runs 10 --compare old.json
  paika bench search --nodes 1000000 --runs 1 --pieces 6
  paika bench perft --only 'workers=1$' --json
  paika bench --report new.json --compare old.json --plot charts`,
		RunE: func(cmd *cobra.Command, args []string) error {
			err := checkAlone(cmd, "report", "only", "short", "runs", "nodes", "pieces", "workers", "memory")
			if err != nil {
				return err
			}
			if len(args) > 0 && len(f.reports) > 0 {
				return misuse("suite", "%s and --report: want one of them", strings.Join(args, " "))
			}
			if first := slices.Index(f.reports, fromInput); first >= 0 && (f.compare == fromInput || slices.Contains(f.reports[first+1:], fromInput)) {
				return misuse("report", "standard input is given twice")
			}
			if of.Suites, err = parseSuites(args, names); err != nil {
				return err
			}
			if err := checkSuites(cmd, of.Suites); err != nil {
				return err
			}
			if of.Pieces != 0 && of.Pieces < leastBenchPieces || of.Pieces > mostBenchPieces {
				return misuse("pieces", "--pieces %d: want %d to %d, or 0 for no tables", of.Pieces, leastBenchPieces, mostBenchPieces)
			}
			if benchmarks.Unprintable(f.only) { // it will be in the report
				return misuse("only", "--only %s: want text that can be printed: a regular expression has \\t and \\n for others", bitboard.Quote(f.only))
			}
			if f.only != "" {
				if of.Only, err = regexp.Compile(f.only); err != nil {
					return misuse("only", "--only: %w", err)
				}
			}
			if short {
				shorten(cmd, &of)
			}
			of.Workers, of.Memory, of.Data, of.Version = o.workers, memoryBudget(o.memory), dataBase(), ownVersion()
			of.Command, of.Asked = repeats(cmd, args, o.memory), uint64(o.memory)
			return runBench(cmd, o, of, f)
		},
	}
	cmd.Flags().StringVar(&f.only, "only", "", "only tasks whose name matches the regular expression `RE`")
	cmd.Flags().StringVar(&f.out, "out", "", "write the report to `FILE`, as JSON")
	cmd.Flags().StringArrayVar(&f.reports, "report", nil, "measure nothing, read the report in `FILE`, or - for standard input; may be repeated")
	cmd.Flags().StringVar(&f.compare, "compare", "", "compare with the report in `FILE`, or - for standard input")
	cmd.Flags().StringVar(&f.plot, "plot", "", "draw charts, as SVG, into the folder `DIR`")
	cmd.Flags().IntVar(&of.Runs, "runs", 5, "run each task `N` times")
	cmd.Flags().BoolVar(&short, "short", false, "one run of each task, and 1,000 nodes for a problem: for fingerprints, not for times")
	cmd.Flags().Uint64Var(&of.Nodes, "nodes", 5_000, "search at most `N` nodes for a problem, for each side of a draw")
	cmd.Flags().IntVar(&of.Pieces, "pieces", 5, "search with tables of up to `N` pieces, too, from 4 on, or 0 for none; those of more than 5 are built among your own")
	return cmd
}

// repeats is the command line that measures the same: without the flags that say
// what becomes of the report.
func repeats(cmd *cobra.Command, args []string, memory size) string {
	words := append([]string{"bench"}, args...)
	cmd.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case slices.Contains([]string{"only", "runs", "nodes", "pieces", "short", "workers"}, f.Name):
			words = append(words, "--"+f.Name+"="+f.Value.String())
		case f.Name == "memory": // whose text is rounded, for people
			words = append(words, "--memory="+strconv.FormatUint(uint64(memory), 10))
		}
	})
	return catalogue.CommandLine(words...)
}

// shorten sets what flags leave open to as little as tells a fingerprint.
func shorten(cmd *cobra.Command, of *bench.Options) {
	if !cmd.Flags().Changed("runs") {
		of.Runs = 1
	}
	if !cmd.Flags().Changed("nodes") {
		of.Nodes = 1000
	}
}

// parseSuites reads the names of suites.
func parseSuites(args []string, names string) ([]string, error) {
	for _, arg := range args {
		if arg != everySuite && !slices.Contains(benchmarks.Suites(), arg) {
			return nil, misuse("suite", "unknown suite %s: want %s or %s", bitboard.Quote(arg), names, everySuite)
		}
	}
	if len(args) == 0 || slices.Contains(args, everySuite) {
		return benchmarks.Suites(), nil
	}
	return args, nil
}

// checkSuites refuses flags that none of the suites makes use of.
func checkSuites(cmd *cobra.Command, suites []string) error {
	for _, of := range []struct {
		flag   string
		suites []string // that make use of it
	}{
		{"nodes", []string{"search"}},
		{"pieces", []string{"search"}},
		{"memory", []string{"build", "probe", "search", "win-in-one"}}, // perft takes next to none
		{"workers", []string{"perft", "build", "probe", "search"}},
	} {
		used := func(suite string) bool { return slices.Contains(of.suites, suite) }
		if !cmd.Flags().Changed(of.flag) || slices.ContainsFunc(suites, used) {
			continue
		}
		if len(of.suites) == 1 {
			return misuse(of.flag, "--%[1]s is for the suite %[2]s: want that, or no --%[1]s", of.flag, of.suites[0])
		}
		return misuse(of.flag, "--%[1]s is for the suites %[2]s: want one of them, or no --%[1]s", of.flag, strings.Join(of.suites, ", "))
	}
	return nil
}

// The tables for the search have that many pieces. Fewer help little; more are a
// matter of hours.
const (
	leastBenchPieces = 4
	mostBenchPieces  = 7
)

// shownBench is what bench prints with --json.
type shownBench struct {
	benchmarks.Report
	Plots []string `json:"plots,omitempty"` // files

	// With --compare.
	Changes     []benchmarks.Change     `json:"changes,omitempty"`
	Differences []benchmarks.Difference `json:"differences,omitempty"` // for which no speeds are compared
}

func runBench(cmd *cobra.Command, o *options, of bench.Options, f benchFlags) error {
	var older benchmarks.Report
	if f.compare != "" {
		var err error
		if older, err = loadReport(cmd.Context(), cmd.InOrStdin(), f.compare); err != nil {
			return fmt.Errorf("--compare: %w", err)
		}
		if len(f.reports) == 0 { // which are compared with all that is there
			notAsked := func(b benchmarks.Benchmark) bool { return !of.Selects(b.Name) }
			older.Benchmarks = slices.DeleteFunc(older.Benchmarks, notAsked)
		}
	}
	if err := checkTasks(of, f, older); err != nil {
		return err
	}
	out, err := createReport(cmd, f)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if out != nil {
		defer out.Discard()
	}
	report, err := obtain(cmd, o, of, f, older)
	if err != nil {
		return err
	}
	if out != nil {
		if err := report.Write(out); err != nil {
			return err
		}
		if _, err := out.Keep(); err != nil {
			return err
		}
	}
	shown := shownBench{Report: report}
	if f.compare != "" {
		shown.Differences = benchmarks.Differences(older, report)
		if shown.Changes, err = benchmarks.Compare(older, report); err != nil {
			return misuse("compare", "--compare: %w", err)
		}
	}
	// A chart can be drawn later, from the report: what was measured is told first.
	var undrawn error
	if f.plot != "" {
		shown.Plots, err = benchmarks.Plot(cmd.Context(), report, f.plot)
		undrawn = plotError(err)
	}
	if err := o.print(cmd, shown, func(w io.Writer) error { return printBench(w, shown) }); err != nil {
		return err
	}
	return undrawn
}

// checkTasks refuses, before anything is measured, what could come to nothing, and what can't
// be compared with the older report.
func checkTasks(of bench.Options, f benchFlags, older benchmarks.Report) error {
	if len(f.reports) > 0 {
		return nil
	}
	tasks, err := bench.Tasks(of)
	if errors.Is(err, bench.ErrNoTasks) {
		return misuse("only", "--only: %w", err)
	}
	if err == nil && f.plot != "" {
		err = plotError(benchmarks.CheckCharted(tasks))
	}
	if err != nil {
		return err
	}
	if err := older.CheckLimit(of.Nodes, tasks...); err != nil {
		return misuse("compare", "--compare: %w", err)
	}
	return nil
}

func plotError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, benchmarks.ErrNoChart):
		return misuse("plot", "--plot: %w", err)
	}
	return fmt.Errorf("--plot: %w", err)
}

// loadReport reads a report from a file, or from in where it is fromInput. It returns when the context
// is done, even while a pipe is waited for.
func loadReport(ctx context.Context, in io.Reader, file string) (benchmarks.Report, error) {
	return pace.Await(ctx, func() (benchmarks.Report, error) {
		if file != fromInput {
			return benchmarks.LoadReport(file)
		}
		report, err := benchmarks.ReadReport(in)
		if err != nil {
			err = fmt.Errorf("standard input: %w", err)
		}
		return report, err
	})
}

// createReport makes the file for the report, if one is wanted, before anything is
// measured for it.
func createReport(cmd *cobra.Command, f benchFlags) (*lasting.File, error) {
	if f.out == "" {
		return nil, nil
	}
	if err := lasting.NoInput(f.out, append(slices.Clone(f.reports), f.compare)...); err != nil {
		return nil, err
	}
	if err := notStandardOutput(cmd, f.out); err != nil {
		return nil, err
	}
	return lasting.Create(cmd.Context(), f.out)
}

// obtain reads the reports that are given, or measures. Before it measures, and once it has read, it
// makes the folder for charts.
func obtain(cmd *cobra.Command, o *options, of bench.Options, f benchFlags, older benchmarks.Report) (report benchmarks.Report, err error) {
	given := len(f.reports) > 0
	if given {
		if report, err = mergeReports(cmd.Context(), cmd.InOrStdin(), f.reports); err == nil {
			err = checkReport(report, f, older)
		}
	}
	if err == nil && f.plot != "" {
		err = makePlotFolder(f.plot)
	}
	if err != nil || given {
		return report, err
	}
	return measure(cmd, o, of)
}

// checkReport refuses, before anything is made of it, a report that no chart shows, or that can't be
// compared with the older one.
func checkReport(report benchmarks.Report, f benchFlags, older benchmarks.Report) error {
	for _, b := range report.Benchmarks {
		if err := older.CheckLimit(report.Limit, b.Name); err != nil {
			return misuse("compare", "--compare: %w", err)
		}
	}
	if f.plot == "" {
		return nil
	}
	return plotError(report.CheckCharted())
}

// measure runs the benchmarks.
func measure(cmd *cobra.Command, o *options, of bench.Options) (benchmarks.Report, error) {
	bar := o.startProgress(cmd.ErrOrStderr())
	defer bar.close()
	of.Progress = func(task string, done, total int) { bar.set(task, "run", uint64(done), uint64(total)) }
	return bench.Run(cmd.Context(), of)
}

// mergeReports reads reports and takes them together. Errors name the file.
func mergeReports(ctx context.Context, in io.Reader, files []string) (all benchmarks.Report, err error) {
	for i, file := range files {
		r, err := loadReport(ctx, in, file)
		switch {
		case err != nil:
			return all, fmt.Errorf("--report: %w", err)
		case i == 0:
			all = r
			continue
		}
		if all, err = benchmarks.Merge(all, r); err != nil {
			return all, fmt.Errorf("--report: %s: %w", file, err)
		}
	}
	return all, nil
}

func printBench(w io.Writer, r shownBench) error {
	m, p := r.Machine, r.Program
	commit := "unknown commit"
	if p.Commit != "" {
		commit = "commit " + p.Commit
		if p.Modified {
			commit += ", modified"
		}
	}
	fmt.Fprintf(w, "%s, %s, %s/%s; %s, GOAMD64=%s; %s\n\n", m.CPU, count(uint64(m.Cores), "core"), m.OS, m.Arch, p.Go, p.GOAMD64, commit)
	t := &table{left: 1}
	t.add("benchmark", "value", "noise", "unit", "nodes")
	for _, b := range r.Benchmarks {
		t.add(b.Name, figure(b.Value), noise(b.Spread(), len(b.Samples)), b.Unit, thousands(b.Nodes))
	}
	if err := t.print(w); err != nil {
		return err
	}
	if r.Changes != nil {
		fmt.Fprintln(w)
		if err := changesTable(r.Changes).print(w); err != nil {
			return err
		}
	}
	if len(r.Differences) > 0 {
		var all []string
		for _, d := range r.Differences {
			all = append(all, fmt.Sprintf("%s was %s, is %s", d.What, cmp.Or(d.Old, "unknown"), cmp.Or(d.New, "unknown")))
		}
		fmt.Fprintf(w, "\nspeeds are not compared: %s\n", strings.Join(all, "; "))
	}
	fmt.Fprintf(w, "\n%s each in %s\n", count(uint64(r.Runs), "run"), seconds(r.Seconds))
	for _, file := range r.Plots {
		fmt.Fprintf(w, "drawn: %s\n", catalogue.ShownName(file))
	}
	return nil
}

func changesTable(changes []benchmarks.Change) *table {
	t := &table{left: 2}
	t.add("change", "benchmark", "old", "new", "ratio", "noise", "p", "old nodes", "new nodes")
	for _, c := range changes {
		t.add(changeRow(c)...)
	}
	return t
}

// changeRow has a dash in place of each number that there is none of.
func changeRow(c benchmarks.Change) []string {
	before, after := c.Verdict != benchmarks.Added, c.Verdict != benchmarks.Missing
	both := before && after
	tested := both && c.Verdict != benchmarks.Behaviour && c.Verdict != benchmarks.Elsewhere
	where := func(is bool, text string) string {
		if is {
			return text
		}
		return "-"
	}
	return []string{
		string(c.Verdict), c.Name,
		where(before, figure(c.Old)), where(after, figure(c.New)),
		where(both && c.Old != 0, quotient(c.Ratio, 3)), where(both, noise(c.Noise, min(c.OldRuns, c.NewRuns))),
		where(tested, fmt.Sprintf("%.3f", c.P)),
		where(before, thousands(c.OldNodes)), where(after, thousands(c.NewNodes)),
	}
}

// figure writes a figure, of at most 1e15, with what digits people want of it.
func figure(x float64) string {
	if x >= 1000 {
		return thousands(uint64(x + 0.5))
	}
	return strconv.FormatFloat(x, 'g', 4, 64)
}

// noise is a spread as a share of the value, and a dash where there is but one run.
func noise(share float64, runs int) string {
	if runs < 2 {
		return "-"
	}
	return quotient(100*share, 1) + " %"
}

// quotient writes a quotient of figures with some digits behind the point. From a million on it has
// four digits and a power of ten: there can be 31 in front of the point.
func quotient(x float64, digits int) string {
	if x >= 1e6 {
		return strconv.FormatFloat(x, 'g', 4, 64)
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}
