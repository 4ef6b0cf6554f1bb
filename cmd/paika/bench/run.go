package bench

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"paika/benchmarks"
	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
	"paika/internal/usage"
)

// suites lists the tasks of each suite, by the names of benchmarks.Suites.
func suites() map[string]func(*bench) ([]task, error) {
	return map[string]func(*bench) ([]task, error){
		"perft":      perftTasks,
		"build":      buildTasks,
		"probe":      probeTasks,
		"search":     searchTasks,
		"win-in-one": winInOneTasks,
	}
}

// Options say what is measured.
type Options struct {
	Suites  []string       // by name
	Only    *regexp.Regexp // tasks whose name matches; nil for all
	Runs    int            // of each task, at least 1
	Nodes   uint64         // limit of the search for a problem, for each attack
	Pieces  int            // of the largest tables that searches get
	Data    string         // folder of the folders of tables that are kept: those of more than 5 pieces
	Workers int            // the most that a task gets
	Memory  uint64         // bytes that the whole program may take

	// Version of the program and of no other: an unfinished table that it leaves in a folder of Data
	// is gone on with by paika build of the same program, and by none of another.
	Version string

	// For the report.
	Command string
	Asked   uint64 // Memory, where the user asked for it

	// Progress, if it is there, is told which task comes next and how many runs
	// of tasks are done.
	Progress func(task string, done, total int)
}

// task is a piece of work that gives figures.
type task struct {
	name string
	run  func(context.Context) ([]figure, error)
}

// figure is what one run of a task says of a benchmark.
type figure struct {
	name   string
	unit   string
	value  float64
	nodes  uint64
	better benchmarks.Better
	exact  bool
}

// bench is what the tasks of a run share.
type bench struct {
	Options
	table  uint64 // of a search for a problem, in bytes
	folder string // for tables, removed at the end
	built  map[string]bool
}

// ErrNoTasks says that nothing was asked for.
var ErrNoTasks = errors.New("no benchmark has such a name")

// ErrWrong says that work gave a wrong answer, or another one than in the run
// before.
var ErrWrong = errors.New("wrong")

// Run measures. It keeps tables in a folder of its own below the system's for
// temporary files, a few megabytes, and removes it. Errors are ErrNoTasks, ErrWrong,
// the context's, and those of the work.
func Run(ctx context.Context, o Options) (report benchmarks.Report, err error) {
	b := &bench{Options: o, table: benchmarks.SearchTable, built: make(map[string]bool)}
	folder, remove, err := lasting.TemporaryFolder("", "paika-bench-")
	if err != nil {
		return benchmarks.Report{}, err
	}
	b.folder = folder
	defer func() { err = errors.Join(err, remove()) }()
	tasks, err := b.tasks()
	if err != nil {
		return benchmarks.Report{}, err
	}
	began, busy, own := time.Now(), usage.Everyone(), usage.Processor()
	report = benchmarks.Report{
		Machine: thisMachine(), Program: ThisProgram(), Command: o.Command,
		Began: began.UTC().Format(time.RFC3339), Runs: o.Runs, Limit: o.Nodes, Memory: o.Asked,
	}
	places := make(map[string]int)
	for i := range o.Runs {
		for j, t := range tasks {
			if o.Progress != nil {
				o.Progress(t.name, i*len(tasks)+j, o.Runs*len(tasks))
			}
			figures, err := t.run(ctx)
			if err != nil {
				return benchmarks.Report{}, fmt.Errorf("%s: %w", t.name, err)
			}
			if err := add(&report, figures, places); err != nil {
				return benchmarks.Report{}, err
			}
		}
	}
	for i := range report.Benchmarks {
		report.Benchmarks[i].Summarise()
	}
	elapsed := time.Since(began)
	report.Seconds = elapsed.Seconds()
	if after := usage.Everyone(); busy > 0 && after > 0 {
		report.Others = shareOfOthers(elapsed, after-busy, usage.Processor()-own, report.Machine.Cores)
	}
	return report, nil
}

// leastShared is the least time of which a share is told: a hundred ticks in which the system
// counts. In a few of them it can tell more than the cores have.
const leastShared = time.Second

// shareOfOthers is the share of the cores that other programs took in some time: of the processor
// time of all, what is not the program's own. It is nil where the time is too short to tell.
func shareOfOthers(elapsed, all, own time.Duration, cores int) *float64 {
	if elapsed < leastShared {
		return nil
	}
	share := (all - own).Seconds() / elapsed.Seconds() / float64(cores)
	return new(min(1, max(0, share)))
}

// Selects tells whether a benchmark of that name is asked for, be it one that there is no
// more: Only may match the name of its task, which is the whole name or what stands before a "/".
func (o Options) Selects(name string) bool {
	suite, _, _ := strings.Cut(name, "/")
	if !slices.Contains(o.Suites, suite) {
		return false
	}
	for task := name; o.Only != nil && !o.Only.MatchString(task); {
		end := strings.LastIndex(task, "/")
		if end < 0 {
			return false
		}
		task = task[:end]
	}
	return true
}

// Tasks lists the names of the tasks that Run does, in their order. A benchmark has the name
// of its task, or more behind it. Errors are ErrNoTasks, and those of making the tasks.
func Tasks(o Options) (names []string, err error) {
	tasks, err := (&bench{Options: o}).tasks()
	for _, t := range tasks {
		names = append(names, t.name)
	}
	return names, err
}

// tasks lists those asked for.
func (b *bench) tasks() ([]task, error) {
	var wanted []task
	all := suites()
	for _, name := range benchmarks.Suites() {
		if !slices.Contains(b.Suites, name) {
			continue
		}
		tasks, err := all[name](b)
		if err != nil {
			return nil, err
		}
		for _, t := range tasks {
			if b.Only == nil || b.Only.MatchString(t.name) {
				wanted = append(wanted, t)
			}
		}
	}
	if len(wanted) == 0 {
		return nil, ErrNoTasks
	}
	return wanted, nil
}

// add puts the figures of one run beside those of the runs before, whose places in
// the report it keeps by name. Counts must be what they were.
func add(r *benchmarks.Report, figures []figure, places map[string]int) error {
	for _, f := range figures {
		i, known := places[f.name]
		if !known {
			i = len(r.Benchmarks)
			places[f.name] = i
			r.Benchmarks = append(r.Benchmarks, benchmarks.Benchmark{Name: f.name, Unit: f.unit, Nodes: f.nodes, Exact: f.exact, Better: f.better})
		}
		b := &r.Benchmarks[i]
		if b.Nodes != f.nodes || f.exact && known && b.Samples[0] != f.value {
			return fmt.Errorf("%w: %s: %d nodes and %v %s in one run, %d and %v in the next", ErrWrong, f.name, b.Nodes, b.Samples[0], f.unit, f.nodes, f.value)
		}
		b.Samples = append(b.Samples, f.value)
	}
	return nil
}

// open makes a game by name.
func open(game, board string, rules map[string]string) (catalogue.Instance, error) {
	g, err := find(game)
	if err != nil {
		return nil, err
	}
	return g.Open(board, rules)
}

func find(game string) (catalogue.Game, error) {
	g, found := catalogue.Find(game)
	if !found {
		return g, fmt.Errorf("unknown game %s: want %s", bitboard.Quote(game), strings.Join(catalogue.Names(), ", "))
	}
	return g, nil
}
