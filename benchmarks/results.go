package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What is recorded of the results, in one folder: a report of each suite, named
// for it, one of the search suite with larger tables, what paika build prints
// with --json of the tables of seven stones, and a simulation of many workers.
const (
	largerTables = "search-tables"
	sevenFile    = "seven.json"
	scaleFile    = "scale.json"
)

// recorded is the contents of these files.
type recorded struct {
	suites   Report
	commands []string // that repeat the suites, in their order, with larger tables last
	seven    built
	scale    simulations
}

// simulations is what TestScale of package jobs tells, and of which program, where that is recorded.
type simulations struct {
	Program *Program    `json:"program"`
	Fleets  []simulated `json:"fleets"`
}

// simulated is what it tells of so many workers: in each run, how many times
// as fast they were as one, and how much more they did.
type simulated struct {
	Question string `json:"question"`
	Teams    int    `json:"teams"`
	Lanes    int    `json:"lanes"` // of a team
	Runs     []struct {
		SpeedUp float64 `json:"speed_up"`
		Work    float64 `json:"work"`
	} `json:"runs"`
}

// built is what is told here of what paika build prints, and where and of which program that is,
// where it is recorded.
type built struct {
	Machine *Machine `json:"machine"`
	Program *Program `json:"program"`

	Totals []struct {
		Positions uint64 `json:"positions"`
		Bytes     uint64 `json:"bytes"`
	} `json:"totals"`
	Solved  uint64  `json:"positions_solved"` // in that time
	Seconds float64 `json:"seconds"`
}

// check wants the tables to be all built in the time that is told, by the program and on the
// machine of the reports, as far as is known.
func (b built) check(suites Report) error {
	if b.Machine != nil && *b.Machine != suites.Machine || b.Program != nil && *b.Program != suites.Program {
		return fmt.Errorf("%w: machine or program differ", ErrWork)
	}
	if len(b.Totals) == 0 {
		return errors.New(`no output of paika build --json: the key "totals" is missing or empty`)
	}
	if all := b.Totals[0].Positions; b.Solved != all {
		return fmt.Errorf("%s of %s positions were solved: the time is not that of the whole build", count(b.Solved), count(all))
	}
	return nil
}

// WriteResults writes the results recorded in a folder for people to read, as
// Markdown: our figures beside published ones, each with the command that repeats
// it, then all there are.
func WriteResults(w io.Writer, folder string) error {
	r, err := load(folder)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	r.head(&text)
	if err := r.besidePublished(&text); err != nil {
		return err
	}
	r.searches(&text)
	r.workers(&text)
	if err := r.plots(&text); err != nil {
		return err
	}
	r.all(&text)
	_, err = w.Write(text.Bytes())
	return err
}

// load reads what is recorded. It is all of one program on one machine, searches had one limit,
// and what took a time is whole.
func load(folder string) (r recorded, err error) {
	for i, suite := range append(Suites(), largerTables) {
		path := filepath.Join(folder, suite+".json")
		report, err := LoadReport(path)
		if err != nil {
			return r, err
		}
		r.commands = append(r.commands, report.Command)
		if i == 0 {
			r.suites = report
			continue
		}
		if r.suites, err = Merge(r.suites, report); err != nil {
			return r, fmt.Errorf("%s: %w", path, err)
		}
	}
	path := filepath.Join(folder, sevenFile)
	if err := read(path, &r.seven); err != nil {
		return r, err
	}
	if err := r.seven.check(r.suites); err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, read(filepath.Join(folder, scaleFile), &r.scale)
}

// read reads a file of JSON.
func read(path string, into any) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (r recorded) head(w io.Writer) {
	m, p := r.suites.Machine, r.suites.Program
	fmt.Fprintf(w, `# Results

Made by `+"`scripts/results`"+` from the reports in [results/](results); edit nothing here.

Measured on %s, %d cores, %s/%s, with %s, GOAMD64=%s; %s. %s
Times are those of one worker unless it says otherwise, the median of %d runs; where
the noise is "-", of a single run. Figures are of %s,
sizes on disk too: what has changed since stands in
[Records](../cmd/paika/manual/pages/records.md).
`, m.CPU, m.Cores, m.OS, m.Arch, p.Go, p.GOAMD64, r.suites.Began[:len("2006-01-02")], r.suites.company(), r.suites.Runs, p.source())
	if r.seven.Program == nil {
		fmt.Fprintln(w, "The commit behind the time and the size of seven stones was not recorded.")
	}
}

// source says of which source the program is.
func (p Program) source() string {
	if p.Commit == "" {
		return "an unknown commit"
	}
	commit := "commit " + p.Commit[:min(12, len(p.Commit))]
	if p.Modified {
		commit += ", and of changes since that are not committed"
	}
	return commit
}

// company says how much the machine had to do beside the measurements.
func (r Report) company() string {
	switch {
	case r.Others == nil:
		return "How much\nother work ran there at the same time is not known."
	case *r.Others < 0.02:
		return "The machine\nhad nothing else to do."
	}
	return fmt.Sprintf(`Other work
took %.0f %% of the cores at the same time, so that times are longer, and noisier,
than the machine's own. Processor times suffer less from that, counts and sizes not at all.`, 100**r.Others)
}

// besidePublished writes our figures beside those of others.
func (r recorded) besidePublished(w io.Writer) error {
	others, err := besideOurs()
	if err != nil {
		return err
	}
	total, seven := r.seven.Totals[0], others.Seven
	fmt.Fprintf(w, `
## Beside published figures

%s

| what | published | here | repeat with |
|---|---|---|---|
`, others.Note)
	ours := fmt.Sprintf(seven.Ours, count(total.Positions), count(total.Bytes), number(8*float64(total.Bytes)/float64(total.Positions)), number(r.seven.Seconds))
	fmt.Fprintf(w, "| %s | %s (%s) | %s | `%s` |\n", seven.What, seven.Theirs, seven.Source, ours, seven.Command)
	for _, p := range others.Figures {
		var values []any
		for _, name := range p.Names {
			b, found := r.suites.Find(name)
			if !found {
				return fmt.Errorf("the reports have no benchmark %s", name)
			}
			values = append(values, b.figure())
		}
		suite, _, _ := strings.Cut(p.Names[0], "/")
		fmt.Fprintf(w, "| %s | %s (%s) | %s | `paika bench %s --only '%s'` |\n", p.What, p.Theirs, p.Source, fmt.Sprintf(p.Ours, values...), suite, p.Task)
	}
	return nil
}

// searchName takes the name of a benchmark of problems apart.
var searchName = regexp.MustCompile(`^search/([a-z0-9-]+)/([^/]+)/tables=([^/]+)(?:/([a-z-]+))?/(solved|time|rate|effort)$`)

// searches writes the table of the methods over the problems of each game.
func (r recorded) searches(w io.Writer) {
	search := slices.DeleteFunc(slices.Clone(r.commands), func(command string) bool { return !strings.HasPrefix(command, "paika bench search") })
	fmt.Fprintf(w, `
## Problems with known answers

Each method on the [problems](problems) of each game, with %s nodes at most for a
problem (for each side, of a draw) and %d MiB for the table or the tree. *Effort* is
the nodes, over those of df-pn without tables, as a geometric mean over the problems
that both solve. The number of these stands in brackets; of the others it says nothing.
df-pn also goes without its estimate of new nodes, without the
room that 1 + epsilon gives a child, and with sums for the numbers of turns that
must all fail, which count twice what they have in common. Repeat it with

%s`, count(r.suites.Limit), SearchTable>>20, codeBlock(search))
	var games []string
	rows := make(map[string][]string)
	for _, b := range r.suites.Benchmarks {
		match := searchName.FindStringSubmatch(b.Name)
		if match == nil || match[5] != "solved" {
			continue
		}
		game, method := match[1], match[2]
		if match[4] != "" {
			method += ", " + strings.ReplaceAll(match[4], "-", " ")
		}
		if rows[game] == nil {
			games = append(games, game)
			rows[game] = []string{
				fmt.Sprintf("| %s: method | tables | solved, %s | nodes | effort | seconds | nodes a second |", game, b.Unit),
				"|---|---|---|---|---|---|---|",
			}
		}
		of := func(figure string) string {
			b, found := r.suites.Find(strings.TrimSuffix(b.Name, "solved") + figure)
			if !found {
				return "-"
			}
			return b.figure()
		}
		effort := "1" // of what others are held against
		if method != "dfpn" || match[3] != "none" {
			effort = r.effort(strings.TrimSuffix(b.Name, "solved") + "effort")
		}
		rows[game] = append(rows[game], fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %s |", method, match[3], b.figure(), count(b.Nodes), effort, of("time"), of("rate")))
	}
	for _, game := range games {
		fmt.Fprintf(w, "\n%s\n", strings.Join(rows[game], "\n"))
	}
}

// problemCount matches the unit of an effort: of how many problems it is.
var problemCount = regexp.MustCompile(`, (\d+) problems$`)

// effort writes an effort and of how many problems it is, or that there is none.
func (r recorded) effort(name string) string {
	b, found := r.suites.Find(name)
	problems := problemCount.FindStringSubmatch(b.Unit)
	if !found || problems == nil {
		return "-"
	}
	return fmt.Sprintf("%s (%s)", b.figure(), problems[1])
}

// codeBlock writes commands as a block of code.
func codeBlock(commands []string) string {
	return "    " + strings.Join(commands, "\n    ") + "\n"
}

// workers writes what many of them gain.
func (r recorded) workers(w io.Writer) {
	if len(r.scale.Fleets) == 0 {
		return
	}
	simulated := "The commit that was simulated was not recorded."
	if p := r.scale.Program; p != nil {
		simulated = "They are of " + p.source() + "."
	}
	fmt.Fprintf(w, `
## Many workers, simulated

Questions searched by teams of lanes: those of a team share a transposition table, teams
tell each other what they find ([how](../cmd/paika/manual/pages/hub.md#what-is-not-there-yet)).
Time is positions looked at by each lane, so that this is no matter of the machine. *Speed-up*
is over one lane at one go, *work* what all do against that. Both are geometric means of the
runs, which differ in the order of turns.
%s Repeat it with `+"`scripts/results --scale`"+`.

| question | teams | lanes of each | lanes in all | runs | speed-up | for each lane | work |
|---|---:|---:|---:|---:|---:|---:|---:|
`, simulated)
	for _, s := range r.scale.Fleets {
		faster, work := 0.0, 0.0
		for _, run := range s.Runs {
			faster += math.Log(run.SpeedUp) / float64(len(s.Runs))
			work += math.Log(run.Work) / float64(len(s.Runs))
		}
		lanes := s.Teams * s.Lanes
		fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %s | %s | %s |\n", s.Question, s.Teams, s.Lanes, lanes, len(s.Runs),
			number(math.Exp(faster)), number(math.Exp(faster)/float64(lanes)), number(math.Exp(work)))
	}
}

func (r recorded) plots(w io.Writer) error {
	all, err := charts()
	if err != nil {
		return err
	}
	fmt.Fprint(w, "\n## Charts\n\nWhat a second worker gains shows only where nothing else takes the cores;\n`scripts/efficiency` measures that.\n\n")
	for _, c := range all {
		fmt.Fprintf(w, "![%s](results/%s)\n\n", c.Title, c.File)
	}
	return nil
}

// all lists every benchmark of the suites.
func (r recorded) all(w io.Writer) {
	fmt.Fprintf(w, "## All benchmarks\n\n%s\n| benchmark | value | noise | unit | nodes |\n|---|---|---|---|---|\n", codeBlock(r.commands))
	for _, b := range r.suites.Benchmarks {
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", b.Name, b.figure(), b.noise(), b.Unit, count(b.Nodes))
	}
}

// noise writes the spread as a share of the value. That of a single run is not known.
func (b Benchmark) noise() string {
	switch {
	case b.Exact:
		return "exact"
	case len(b.Samples) < 2:
		return "-"
	}
	return strconv.FormatFloat(100*b.Spread(), 'f', 1, 64) + " %"
}

// figure writes the value: counts with all their digits.
func (b Benchmark) figure() string {
	if b.Exact && b.Value == math.Trunc(b.Value) {
		return count(uint64(b.Value))
	}
	return number(b.Value)
}

// number writes a figure with the digits that mean something, count a whole one
// with all of them.
func number(x float64) string {
	switch {
	case x >= 1e4:
		return count(uint64(x/100+0.5) * 100)
	case x >= 999.5: // three digits of which are 1e+03
		return count(uint64(x + 0.5))
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

func count(n uint64) string {
	digits := strconv.FormatUint(n, 10)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
