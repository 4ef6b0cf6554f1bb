package benchmarks

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paika/internal/lasting"
)

// began is when a report was made.
const began = "2026-11-25T20:33:32Z"

// made is a benchmark with samples.
func made(name string, nodes uint64, better Better, samples ...float64) Benchmark {
	b := Benchmark{Name: name, Unit: "s", Nodes: nodes, Better: better, Samples: samples}
	b.Summarise()
	return b
}

func TestTheMedianHasBounds(t *testing.T) {
	b := made("a", 1, Lower, 3, 1, 2, 5, 4)
	if b.Value != 3 || b.Low != 1 || b.High != 5 {
		t.Errorf("median %v from %v to %v, want 3 from 1 to 5", b.Value, b.Low, b.High)
	}
	if got := b.Spread(); math.Abs(got-2.0/3) > 1e-9 {
		t.Errorf("spread %v, want 2/3", got)
	}
	// From six samples on there are bounds with a confidence of 95 %. With ten they leave out the
	// samples at both ends: that all but one are on one side of the median has a chance of 11 in
	// 1,024, that all but two are one of 56.
	if six := made("a", 1, Lower, 6, 2, 4, 1, 5, 3); six.Value != 3.5 || six.Low != 1 || six.High != 6 {
		t.Errorf("of six, median %v from %v to %v, want 3.5 from 1 to 6", six.Value, six.Low, six.High)
	}
	if ten := made("a", 1, Lower, 9, 1, 8, 2, 7, 3, 6, 4, 5, 100); ten.Value != 5.5 || ten.Low != 2 || ten.High != 9 {
		t.Errorf("of ten, median %v from %v to %v, want 5.5 from 2 to 9", ten.Value, ten.Low, ten.High)
	}
	if one := made("a", 1, Lower, 7); one.Value != 7 || one.Spread() != 0 {
		t.Errorf("one sample: %v, spread %v", one.Value, one.Spread())
	}
}

// Changes of speed are told from noise, and changes of behaviour from both.
func TestCompareTellsChangesApart(t *testing.T) {
	base := []float64{10, 11, 10.5, 10.2, 10.8, 10.3}
	twice := []float64{20, 22, 21, 20.4, 21.6, 20.6}
	shuffled := []float64{10.1, 10.9, 10.6, 10.25, 10.7, 10.4}
	exact := made("f", 1, Lower, 5)
	exact.Exact = true
	other := exact
	other.Value, other.Samples = 6, []float64{6}
	older := Report{Benchmarks: []Benchmark{
		made("a", 1, Lower, base...), made("b", 1, Higher, base...), made("c", 1, Lower, base...),
		made("d", 1, Lower, base...), made("e", 1, Lower, base...), exact,
	}}
	newer := Report{Benchmarks: []Benchmark{
		made("a", 1, Lower, twice...), made("b", 1, Higher, twice...), made("c", 1, Lower, shuffled...),
		made("d", 2, Lower, twice...), other, made("g", 1, Lower, base...),
	}}
	want := map[string]Verdict{"a": Slower, "b": Faster, "c": Same, "d": Behaviour, "e": Missing, "f": Behaviour, "g": Added}
	got := make(map[string]Verdict)
	changes, err := Compare(older, newer)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		got[c.Name] = c.Verdict
		if c.Name == "a" && math.Abs(c.Ratio-2) > 0.01 {
			t.Errorf("ratio %v, want 2", c.Ratio)
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Where no difference is large enough to be told from noise, nothing is called the same.
func TestTooFewRunsTellNothing(t *testing.T) {
	samples := func(n int) []float64 { return []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}[:n] }
	for _, c := range []struct {
		older, newer int
		want         Verdict
	}{{1, 1, TooFew}, {3, 3, TooFew}, {3, 4, TooFew}, {4, 4, Same}, {2, 7, TooFew}, {2, 8, Same}, {8, 2, Same}, {1, 9, TooFew}} {
		older := Report{Benchmarks: []Benchmark{made("a", 1, Lower, samples(c.older)...)}}
		newer := Report{Benchmarks: []Benchmark{made("a", 1, Lower, samples(c.newer)...)}}
		changes, err := Compare(older, newer)
		if err != nil || changes[0].Verdict != c.want || changes[0].OldRuns != c.older || changes[0].NewRuns != c.newer {
			t.Errorf("%d and %d runs: %+v, %v, want %s", c.older, c.newer, changes, err, c.want)
		}
	}
	exact := made("exact", 1, Lower, 5)
	exact.Exact = true
	r := Report{Benchmarks: []Benchmark{exact}}
	if changes, err := Compare(r, r); err != nil || changes[0].Verdict != Same {
		t.Errorf("a count is the same after one run: %+v, %v", changes, err)
	}
}

// Times of another machine, or of a program that was compiled by other means or had other memory,
// say nothing of the change; counts do.
func TestSpeedIsComparedOnOneMachine(t *testing.T) {
	exact := made("exact", 1, Lower, 5)
	exact.Exact = true
	here := Report{
		Machine: Machine{CPU: "any", Cores: 2, OS: "linux", Arch: "amd64"}, Program: Program{Go: "go1.26", GOAMD64: "v1", Commit: "one"},
		Benchmarks: []Benchmark{made("time", 1, Lower, 1, 1, 1, 1, 1), made("count", 1, Lower, 1, 1, 1, 1, 1), exact},
	}
	for name, change := range map[string]func(r *Report){
		"":        func(r *Report) { r.Program.Commit, r.Program.PGO = "two", true },
		"cpu":     func(r *Report) { r.Machine.CPU = "other" },
		"cores":   func(r *Report) { r.Machine.Cores = 4 },
		"os":      func(r *Report) { r.Machine.OS = "darwin" },
		"arch":    func(r *Report) { r.Machine.Arch = "arm64" },
		"go":      func(r *Report) { r.Program.Go = "go1.27" },
		"goamd64": func(r *Report) { r.Program.GOAMD64 = "v3" },
		"memory":  func(r *Report) { r.Memory = 100 << 20 },
	} {
		there := here
		there.Benchmarks = []Benchmark{made("time", 1, Lower, 2, 2, 2, 2, 2), made("count", 2, Lower, 1, 1, 1, 1, 1), exact}
		change(&there)
		changes, err := Compare(here, there)
		if err != nil {
			t.Fatal(err)
		}
		want := []Verdict{Elsewhere, Behaviour, Same}
		if name == "" {
			want[0] = Slower
		}
		for i, c := range changes {
			if c.Verdict != want[i] {
				t.Errorf("%s changed: %s is %s, want %s", name, c.Name, c.Verdict, want[i])
			}
		}
		var told string
		for _, d := range Differences(here, there) {
			told += d.What
		}
		if told != name {
			t.Errorf("%s changed: %q is told", name, told)
		}
	}
}

// A search that may look at more positions solves more problems: that is no change.
func TestSearchesWithOtherLimitsAreOtherWork(t *testing.T) {
	const problems, value, rate = "search/konane/dfpn/tables=none/solved", "search/konane-6x6/corner-h/nodes", "perft/konane-8x8/depth=11/workers=1"
	of := func(limit uint64, names ...string) (r Report) {
		r.Limit = limit
		for _, name := range names {
			r.Benchmarks = append(r.Benchmarks, made(name, 1, Lower, 1))
		}
		return r
	}
	for _, c := range []struct {
		older, newer Report
		want         error
	}{
		{of(1000, problems), of(5000, problems), ErrWork},
		{of(1000, problems), of(1000, problems), nil},
		{of(1000, problems), of(5000, "search/konane/pn/tables=none/solved"), nil},
		{of(1000, value, rate), of(5000, value, rate), nil}, // which have no such limit
	} {
		if _, err := Compare(c.older, c.newer); !errors.Is(err, c.want) {
			t.Errorf("%v and %v: %v, want %v", c.older, c.newer, err, c.want)
		}
	}
	if err := of(1000, problems).CheckLimit(5000, "search/konane/dfpn/tables=none"); !errors.Is(err, ErrWork) {
		t.Errorf("a task: %v, want %v", err, ErrWork)
	}
}

func TestReportsAreReadBack(t *testing.T) {
	r := Report{Machine: Machine{CPU: "any", Cores: 2, OS: "linux", Arch: "amd64"}, Program: Program{Go: "go1.26", PGO: true}, Began: began, Runs: 2, Benchmarks: []Benchmark{made("a", 7, Higher, 1, 2)}}
	path := filepath.Join(t.TempDir(), "r.json")
	if err := lasting.WriteRegular(path, r.Write); err != nil {
		t.Fatal(err)
	}
	got, err := LoadReport(path)
	if err != nil || !reflect.DeepEqual(got, r) {
		t.Errorf("got %+v, %v, want %+v", got, err, r)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}

// What follows from the samples is worked out, whatever a file says of it: with --compare as with
// --report.
func TestFiguresOfAReportAreThoseOfItsSamples(t *testing.T) {
	said := made("a", 7, Lower, 3, 1, 2)
	said.Value, said.Low, said.High = 100, 99, 101
	want := made("a", 7, Lower, 3, 1, 2)
	for _, others := range []float64{1.26, -0.5} {
		got := readBack(t, Report{Began: began, Runs: 1000, Others: &others, Benchmarks: []Benchmark{said}})
		if !reflect.DeepEqual(got.Benchmarks[0], want) {
			t.Errorf("got %+v, want %+v", got.Benchmarks[0], want)
		}
		if got.Runs != 3 || got.Others != nil {
			t.Errorf("%d runs, others %v: want 3 runs, and that nothing is known of others", got.Runs, got.Others)
		}
	}
	share := 0.25
	if got := readBack(t, Report{Began: began, Others: &share, Benchmarks: []Benchmark{want}}); got.Others == nil || *got.Others != share {
		t.Errorf("others took %v, want %v", got.Others, share)
	}
}

// readBack is a report as it is read back.
func readBack(t *testing.T, r Report) Report {
	t.Helper()
	var text bytes.Buffer
	if err := r.Write(&text); err != nil {
		t.Fatal(err)
	}
	got, err := ReadReport(&text)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestMergedRunsAreOneReport(t *testing.T) {
	one := Report{Runs: 1, Benchmarks: []Benchmark{made("a", 7, Lower, 1)}}
	two := Report{Runs: 2, Benchmarks: []Benchmark{made("a", 7, Lower, 3, 8)}}
	all, err := Merge(one, two)
	if err != nil || all.Runs != 3 || all.Benchmarks[0].Value != 3 || len(all.Benchmarks[0].Samples) != 3 {
		t.Errorf("got %+v, %v", all, err)
	}
	if len(one.Benchmarks[0].Samples) != 1 {
		t.Errorf("a report that was merged has changed")
	}
	two.Benchmarks[0].Nodes = 8
	if _, err := Merge(one, two); !errors.Is(err, ErrWork) {
		t.Errorf("other nodes: %v", err)
	}
	two.Benchmarks[0].Nodes, two.Memory = 7, 1<<30
	if _, err := Merge(one, two); !errors.Is(err, ErrWork) {
		t.Errorf("other memory: %v", err)
	}
}

// The same runs, counted twice, would make significance of noise: be it the same report, one that
// was merged and a part of it, or a copy of another name.
func TestTheSameRunsAreNotMergedTwice(t *testing.T) {
	exact := made("exact", 1, Lower, 5)
	exact.Exact = true
	of := func(began string, benchmarks ...Benchmark) Report {
		return Report{Began: began, Runs: 1, Benchmarks: benchmarks}
	}
	one := of(began, made("a", 7, Lower, 1.25, 3), made("b", 7, Lower, 4.5, 5), exact)
	two := of("2026-11-25T20:34:32Z", made("a", 7, Lower, 1.5, 3), made("b", 7, Lower, 4.5, 5.5), exact)
	both, err := Merge(one, two)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		a, b Report
		want error
	}{
		{"the same report", one, one, ErrSameRuns},
		{"a copy with another time", one, of(two.Began, one.Benchmarks...), ErrSameRuns},
		{"the same report, without a task", one, of(began, one.Benchmarks[0], exact), ErrSameRuns},
		{"all and its first part", both, one, ErrSameRuns},
		{"all and its second part", both, two, ErrSameRuns},
		{"a part and all", two, both, ErrSameRuns},
		{"runs that share a time", one, of(began, made("a", 7, Lower, 1.25, 3), made("b", 7, Lower, 4.75, 5), exact), nil},
		{"counts alone, which are the same in every run", of(began, exact), of(began, exact), nil},
		{"other tasks", of(began, one.Benchmarks[0]), of(began, one.Benchmarks[1]), nil},
	} {
		if _, err := Merge(c.a, c.b); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.name, err, c.want)
		}
	}
}

func TestWrongReportsAreErrors(t *testing.T) {
	const (
		list = `{"began":"` + began + `","benchmarks":[`
		one  = `{"name":"a","better":"lower","samples":[1]}`
	)
	for text, want := range map[string]string{
		`{"benchmarks":[` + one + `]}`:                               `"began"`,
		`{"began":"yesterday","benchmarks":[` + one + `]}`:           `"began" has "yesterday"`,
		`{"began":"2026-11-25","benchmarks":[` + one + `]}`:          `"began" has "2026-11-25"`,
		`{"began":"2026-11-25 20:33:32","benchmarks":[` + one + `]}`: `"began"`,
		"":                       "no report",
		"{}":                     `"benchmarks" is missing`,
		`{"benchmarks":[{}]} {}`: "more after",
		list + `{}]}`:            "has no name",
		list + `{"name":"a","better":"larger"}]}`:                               "better is",
		list + `{"name":"a","better":"lower"}]}`:                                "no samples",
		list + one + "," + one + "]}":                                           "twice",
		list + `{"name":"a","better":"lower","exact":true,"samples":[1,1,2]}]}`: "a is exact, and has the samples 1 and 2",
		list + `{"name":"a","better":"lower","samples":[1,-1]}]}`:               "a has the sample -1: want 0, or 1e-15 to 1e15",
		list + `{"name":"a","better":"lower","samples":[1.7e308,1.7e308]}]}`:    "a has the sample 1.7e+308",
		list + `{"name":"a","better":"lower","samples":[1.8e19]}]}`:             "a has the sample 1.8e+19",
		list + `{"name":"a","better":"lower","samples":[1.1e15]}]}`:             "a has the sample 1.1e+15",
		list + `{"name":"a","better":"lower","samples":[9e-16]}]}`:              "a has the sample 9e-16",
		list + `{"name":"a","better":"lower","samples":[1e-300]}]}`:             "a has the sample 1e-300",
		`{"seconds":1e300,` + list[1:] + one + "]}":                             `"seconds" has 1e+300`,
		`{"seconds":-1,` + list[1:] + one + "]}":                                `"seconds" has -1`,
		`{"machine":{"cores":-5},` + list[1:] + one + "]}":                      `"machine.cores" has -5: want 0 or more`,
		`{"limit":-1,` + list[1:] + one + "]}":                                  `"limit" has a number -1`,
		`{"memory":-1,` + list[1:] + one + "]}":                                 `"memory" has a number -1`,
		list + `{"name":"a","better":"lower","nodes":-1,"samples":[1]}]}`:       `nodes" has a number -1`,
	} {
		if _, err := ReadReport(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// endless is a file without an end, such as /dev/zero.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// What has no end is refused, and not read until memory is full.
func TestReportsAreNoLongerThanTheyMayBe(t *testing.T) {
	if _, err := ReadReport(endless{}); err == nil || !strings.Contains(err.Error(), "more than 64 MiB") {
		t.Errorf("error %v", err)
	}
}

// A report of somebody else may name any number. One that is no exact number is in no chart.
func TestNumbersThatAreTooLargeAreInNoChart(t *testing.T) {
	names := []string{
		"build/fanorona-9x5/wdl/pieces=100000000000000000/workers=1/time",
		"build/fanorona-9x5/wdl/pieces=9007199254740993/workers=1/time",
		"build/fanorona-9x5/wdl/pieces=" + strings.Repeat("9", 400) + "/workers=1/time",
	}
	for _, name := range names {
		if files, err := Plot(t.Context(), Report{Benchmarks: []Benchmark{made(name, 1, Lower, 1)}}, t.TempDir()); !errors.Is(err, ErrNoChart) {
			t.Errorf("%.60s: %v, %v, want %v", name, files, err, ErrNoChart)
		}
	}
	all, err := charts()
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "build/fanorona-9x5/wdl/pieces=9007199254740992/workers=1/time")
	var r Report
	for _, name := range names {
		r.Benchmarks = append(r.Benchmarks, made(name, 1, Lower, 1))
	}
	if points := all[0].points(r); len(points) != 1 || len(points[0].XY) != 1 {
		t.Errorf("%v, want one point", points)
	}
}

// A scale of powers has no place for 0. That no chart shows anything is known before one is drawn.
func TestWhatNoScaleHasAPlaceForIsInNoChart(t *testing.T) {
	const time, size = "build/fanorona-9x5/wdl/pieces=4/workers=1/time", "search/fanorona-5x5/start/table=%sKiB/nodes"
	zero, nowhere := made(time, 1, Lower, 0, 0), made(strings.Replace(size, "%s", "0", 1), 7, Lower, 7)
	for _, c := range []struct {
		name       string
		benchmarks []Benchmark
		want       []string // files
	}{
		{"a figure of 0", []Benchmark{zero}, nil},
		{"a figure at 0 of an axis that doubles", []Benchmark{nowhere}, nil},
		{"both", []Benchmark{zero, nowhere}, nil},
		{"both, and one that is drawn", []Benchmark{zero, nowhere, made(strings.Replace(size, "%s", "16", 1), 7, Lower, 7)}, []string{"nodes-by-table-size.svg"}},
		{"0 and more", []Benchmark{zero, made(strings.Replace(time, "4", "5", 1), 1, Lower, 3)}, []string{"cost-by-stones.svg"}},
	} {
		var want error
		if c.want == nil {
			want = ErrNoChart
		}
		r := Report{Benchmarks: c.benchmarks}
		if err := r.CheckCharted(); !errors.Is(err, want) {
			t.Errorf("%s: checked: %v, want %v", c.name, err, want)
		}
		files, err := Plot(t.Context(), r, t.TempDir())
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		if !errors.Is(err, want) || !slices.Equal(files, c.want) {
			t.Errorf("%s: drawn: %v, %v, want %v, %v", c.name, files, err, c.want, want)
		}
	}
}

// A terminal does what a text tells it by letters that can't be seen: no report has any.
func TestReportsHaveNoTextThatCannotBePrinted(t *testing.T) {
	whole := func() Report {
		b := made("suite/a b", 7, Higher, 1, 2)
		b.Unit = "µs"
		return Report{Machine: Machine{"any", 2, "linux", "amd64"}, Program: Program{Go: "go1.26", GOAMD64: "v1", Commit: "c4"}, Command: "paika bench", Began: began, Benchmarks: []Benchmark{b}}
	}
	for name, of := range map[string]func(r *Report) *string{
		"machine":             func(r *Report) *string { return &r.Machine.CPU },
		"os":                  func(r *Report) *string { return &r.Machine.OS },
		"arch":                func(r *Report) *string { return &r.Machine.Arch },
		"go":                  func(r *Report) *string { return &r.Program.Go },
		"goamd64":             func(r *Report) *string { return &r.Program.GOAMD64 },
		"commit":              func(r *Report) *string { return &r.Program.Commit },
		"command":             func(r *Report) *string { return &r.Command },
		"name of a benchmark": func(r *Report) *string { return &r.Benchmarks[0].Name },
		"unit of a benchmark": func(r *Report) *string { return &r.Benchmarks[0].Unit },
	} {
		for _, letter := range []string{"\x1b[2J", "\n", "\r", "\u009b2J", "\u202e", "\u0000", "\u007f"} {
			r := whole()
			*of(&r) += letter
			var text bytes.Buffer
			if err := r.Write(&text); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadReport(&text); err == nil || !strings.Contains(err.Error(), "can't be printed") || strings.Contains(err.Error(), letter) {
				t.Errorf("%s with %q: error %v", name, letter, err)
			}
		}
	}
	var text bytes.Buffer
	if err := whole().Write(&text); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadReport(&text); err != nil {
		t.Error(err)
	}
}

func FuzzReadReport(f *testing.F) {
	for _, b := range []Benchmark{
		made("a", 7, Higher, 1, 2),
		made("win-in-one/phutball-15x19/density=20/median", 7, Lower, 0, 1e15),
		made("search/fanorona-5x5/start/table=0KiB/nodes", 7, Lower, 1e-15),
	} {
		var text bytes.Buffer
		if err := (Report{Began: began, Benchmarks: []Benchmark{b}}).Write(&text); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadReport(bytes.NewReader(text))
		if err != nil {
			return
		}
		changes, err := Compare(r, r)
		if err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(changes); err != nil { // of what is no number
			t.Error(err)
		}
		if r.CheckCharted() != nil {
			return
		}
		if _, err := Plot(t.Context(), r, t.TempDir()); err != nil { // which comes after all is printed
			t.Error(err)
		}
	})
}
