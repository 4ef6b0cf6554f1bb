package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"

	"paika/bitboard"

	"golang.org/x/perf/benchmath"
)

// Suites lists the suites of paika bench by name, in the order in which they run.
// The name of a benchmark begins with its suite's.
func Suites() []string {
	return []string{"perft", "build", "probe", "search", "win-in-one"}
}

// Report is what was measured, where and with what.
type Report struct {
	Machine    Machine     `json:"machine"`
	Program    Program     `json:"program"`
	Command    string      `json:"command"`          // that repeats it
	Began      string      `json:"began"`            // RFC 3339
	Seconds    float64     `json:"seconds"`          // in all
	Others     *float64    `json:"others"`           // share of the cores that other programs took meanwhile, 0 to 1; nil where that is not known
	Runs       int         `json:"runs"`             // of each task; after Merge, of those with the most
	Limit      uint64      `json:"limit"`            // nodes of the search for a problem
	Memory     uint64      `json:"memory,omitempty"` // bytes that the program was allowed; 0 for three quarters of what was free
	Benchmarks []Benchmark `json:"benchmarks"`
}

// Machine is what a program ran on.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
}

// Program is what was measured. Commit is empty where the build does not know it,
// as with `go run`; Modified tells that files had been changed since.
type Program struct {
	Go       string `json:"go"`
	GOAMD64  string `json:"goamd64,omitempty"`
	PGO      bool   `json:"pgo"` // built with a profile
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"`
}

// Benchmark is one figure.
type Benchmark struct {
	Name  string  `json:"name"` // suite, then what it is about, with "/" between
	Unit  string  `json:"unit"`
	Value float64 `json:"value"` // the median of the samples

	// Low and High bound the median with the confidence that so many samples
	// allow, at most 95 %.
	Low  float64 `json:"low"`
	High float64 `json:"high"`

	Nodes   uint64    `json:"nodes"`             // the fingerprint
	Exact   bool      `json:"exact,omitempty"`   // the value is one, too
	Better  Better    `json:"better"`            // which way is better
	Samples []float64 `json:"samples,omitempty"` // one a run
}

// Better says which values are better.
type Better string

const (
	Higher Better = "higher"
	Lower  Better = "lower"
)

// Summarise fills in the median of the samples, and its bounds. There must be samples.
func (b *Benchmark) Summarise() {
	s := benchmath.AssumeNothing.Summary(benchmath.NewSample(slices.Clone(b.Samples), &benchmath.DefaultThresholds), 0.95)
	b.Value, b.Low, b.High = s.Center, s.Lo, s.Hi
	// With few samples the bounds are infinite: the samples' own are all that is
	// known.
	if math.IsInf(b.Low, 0) || math.IsInf(b.High, 0) {
		b.Low, b.High = slices.Min(b.Samples), slices.Max(b.Samples)
	}
}

// Spread is half the way between the bounds, as a share of the value.
func (b Benchmark) Spread() float64 {
	if b.Value == 0 {
		return 0
	}
	return (b.High - b.Low) / 2 / math.Abs(b.Value)
}

// Find is the benchmark of that name.
func (r Report) Find(name string) (b Benchmark, found bool) {
	for _, b := range r.Benchmarks {
		if b.Name == name {
			return b, true
		}
	}
	return Benchmark{}, false
}

// ErrSameRuns says that the runs of a report are among those of another one.
var ErrSameRuns = errors.New("these runs were taken already")

// Merge takes two reports of the same program together: what both have, as more runs. It fails
// with ErrWork where they are no such reports, and with ErrSameRuns where one has the runs of the
// other, which tell nothing more.
func Merge(one, other Report) (Report, error) {
	if one.Program != other.Program || one.Machine != other.Machine || one.Limit != other.Limit || one.Memory != other.Memory {
		return Report{}, fmt.Errorf("%w: machine, program, limit or memory differ", ErrWork)
	}
	if sameRuns(one, other) {
		return Report{}, ErrSameRuns
	}
	all := one
	all.Benchmarks = slices.Clone(one.Benchmarks)
	if other.Command != one.Command {
		all.Command += "; " + other.Command
	}
	all.Others = meanShare(one, other)
	all.Seconds += other.Seconds
	for _, b := range other.Benchmarks {
		i := slices.IndexFunc(all.Benchmarks, func(a Benchmark) bool { return a.Name == b.Name })
		if i < 0 {
			all.Benchmarks = append(all.Benchmarks, b)
			continue
		}
		a := &all.Benchmarks[i]
		if a.Nodes != b.Nodes || a.Unit != b.Unit || a.Exact && a.Value != b.Value {
			return Report{}, fmt.Errorf("%w: %s is another", ErrWork, b.Name)
		}
		a.Samples = append(slices.Clip(a.Samples), b.Samples...)
	}
	all.derive()
	return all, nil
}

// sameRuns tells whether one report has the runs of the other. No two runs give the same figures,
// to the last digit, of all that was measured; a report that was merged has those of its parts one
// behind the other.
func sameRuns(one, other Report) bool {
	found := false
	for _, b := range other.Benchmarks {
		a, both := one.Find(b.Name)
		if !both || a.Exact || b.Exact {
			continue
		}
		if !within(a.Samples, b.Samples) && !within(b.Samples, a.Samples) {
			return false
		}
		found = true
	}
	return found
}

// within tells whether samples stand among others, in a row.
func within(all, some []float64) bool {
	for i := range len(all) - len(some) + 1 {
		if slices.Equal(all[i:i+len(some)], some) {
			return true
		}
	}
	return false
}

// meanShare is what other programs took during both reports, if both tell.
func meanShare(a, b Report) *float64 {
	if a.Others == nil || b.Others == nil || a.Seconds+b.Seconds == 0 {
		return nil
	}
	mean := (*a.Others*a.Seconds + *b.Others*b.Seconds) / (a.Seconds + b.Seconds)
	return &mean
}

// mostReport is the most bytes of a report: that of all suites after 100 runs has less than a
// hundredth of it.
const mostReport = 64 << 20

// ReadReport reads what Write wrote. Of what follows from the samples it believes nothing. Errors
// say what is wrong with the text.
func ReadReport(r io.Reader) (Report, error) {
	var report Report
	text, err := io.ReadAll(io.LimitReader(r, mostReport+1))
	if err != nil {
		return Report{}, err
	}
	if len(text) > mostReport {
		return Report{}, fmt.Errorf("no report of paika bench: it has more than %d MiB", mostReport>>20)
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	if err := decoder.Decode(&report); err != nil {
		return Report{}, fmt.Errorf("no report of paika bench: %w", misread(text, err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return Report{}, errors.New("no report of paika bench: there is more after the JSON object")
	}
	if err := report.check(); err != nil {
		return Report{}, err
	}
	report.derive()
	return report, nil
}

// derive fills in what follows from the samples, and leaves out what is no share of the cores, as
// earlier programs told it of runs of some milliseconds.
func (r *Report) derive() {
	r.Runs = 0
	for i := range r.Benchmarks {
		b := &r.Benchmarks[i]
		b.Summarise()
		r.Runs = max(r.Runs, len(b.Samples))
	}
	if r.Others != nil && (*r.Others < 0 || *r.Others > 1) {
		r.Others = nil
	}
}

// misread says in which line and column of a text JSON is wrong, and how.
func misread(text []byte, err error) error {
	var (
		syntax *json.SyntaxError
		kind   *json.UnmarshalTypeError
	)
	switch {
	case errors.Is(err, io.EOF):
		return errors.New("the file is empty")
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: the JSON ends too early", place(text, len(text)))
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %w", place(text, int(syntax.Offset)-1), err)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Errorf("%s: the key %s has a %s", place(text, int(kind.Offset)-1), bitboard.Quote(kind.Field), bitboard.Shorten(kind.Value))
	case errors.As(err, &kind):
		return fmt.Errorf("%s: a %s, and no object", place(text, int(kind.Offset)-1), bitboard.Shorten(kind.Value))
	}
	return err
}

// place is that of a byte of a text, for people.
func place(text []byte, offset int) string {
	before := text[:max(0, min(offset, len(text)))]
	line := bytes.Count(before, []byte("\n"))
	return fmt.Sprintf("line %d, column %d", line+1, len(before)-bytes.LastIndexByte(before, '\n'))
}

// LoadReport reads a report of at most 64 MiB from a file. Errors name it.
func LoadReport(path string) (Report, error) {
	file, err := os.Open(path)
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	report, err := ReadReport(file)
	if err != nil {
		err = fmt.Errorf("%s: %w", path, err)
	}
	return report, err
}

func (r Report) check() error {
	if len(r.Benchmarks) == 0 {
		return errors.New(`no report of paika bench: the key "benchmarks" is missing or empty`)
	}
	if _, err := time.Parse(time.RFC3339, r.Began); err != nil {
		return fmt.Errorf(`the key "began" has %s: want a time as in RFC 3339, such as 2026-11-25T20:33:32Z`, bitboard.Quote(r.Began))
	}
	if err := r.checkTexts(); err != nil {
		return err
	}
	if r.Machine.Cores < 0 {
		return fmt.Errorf(`the key "machine.cores" has %d: want 0 or more`, r.Machine.Cores)
	}
	if !measurable(r.Seconds) {
		return fmt.Errorf(`the key "seconds" has %v: want %s`, r.Seconds, measurableText)
	}
	seen := make(map[string]bool)
	for i, b := range r.Benchmarks {
		switch {
		case b.Name == "":
			return fmt.Errorf("benchmark %d has no name", i+1)
		case seen[b.Name]:
			return fmt.Errorf("benchmark %s is there twice", bitboard.Shorten(b.Name))
		case b.Better != Higher && b.Better != Lower:
			return fmt.Errorf("benchmark %s: better is %s: want %s or %s", bitboard.Shorten(b.Name), bitboard.Quote(string(b.Better)), Higher, Lower)
		case len(b.Samples) == 0:
			return fmt.Errorf("benchmark %s has no samples", bitboard.Shorten(b.Name))
		}
		for _, x := range b.Samples {
			switch {
			case !measurable(x):
				return fmt.Errorf("benchmark %s has the sample %v: want %s", bitboard.Shorten(b.Name), x, measurableText)
			case b.Exact && x != b.Samples[0]:
				return fmt.Errorf("benchmark %s is exact, and has the samples %v and %v", bitboard.Shorten(b.Name), b.Samples[0], x)
			}
		}
		seen[b.Name] = true
	}
	return nil
}

// Figures other than 0 lie between these. Whole ones are exact up to there and beyond, and a table
// has room for all.
//
// What is measured lies far within. Times are counted in nanoseconds, 1e-9 s, and the mean of 400
// boards in microseconds is 1e-6 at least where it is not 0. A petabyte has 1e15 bytes. A core
// looks at 1e15 positions in years, and 100,000 of them count as many turns in a second. An effort
// is a quotient of such counts.
const (
	leastFigure = 1e-15
	mostFigure  = 1e15
)

// measurable tells whether a number can be a figure.
func measurable(x float64) bool { return x == 0 || x >= leastFigure && x <= mostFigure }

const measurableText = "0, or 1e-15 to 1e15"

// Unprintable tells whether a text has letters that no report has: those that can't be seen.
// A terminal may do what they say.
func Unprintable(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) })
}

// checkTexts wants all texts to be printable.
func (r Report) checkTexts() error {
	m, p := r.Machine, r.Program
	texts := []struct{ what, text string }{
		{"the CPU", m.CPU}, {"the OS", m.OS}, {"the architecture", m.Arch},
		{"Go", p.Go}, {"GOAMD64", p.GOAMD64}, {"the commit", p.Commit}, {"the command", r.Command},
	}
	for _, t := range texts {
		if Unprintable(t.text) {
			return fmt.Errorf("%s is %s, which can't be printed", t.what, bitboard.Quote(t.text))
		}
	}
	for i, b := range r.Benchmarks {
		if Unprintable(b.Name) || Unprintable(b.Unit) {
			return fmt.Errorf("benchmark %d has the name %s and the unit %s, which can't be printed", i+1, bitboard.Quote(b.Name), bitboard.Quote(b.Unit))
		}
	}
	return nil
}

// Write writes the report in the form that LoadReport reads.
func (r Report) Write(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "\t")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(r)
}
