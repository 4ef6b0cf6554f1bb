package benchmarks

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// What charts show, and what others have published, is data: it names boards and
// benchmarks, which no code here does.
var (
	//go:embed charts.json
	chartsFile []byte
	//go:embed published.json
	publishedFile []byte
)

// chart is a chart of benchmarks.
type chart struct {
	File    string   `json:"file"`
	Title   string   `json:"title"`
	X       string   `json:"x"` // what the axes count
	Y       string   `json:"y"`
	Doubles bool     `json:"doubles"` // X doubles from mark to mark
	Series  []series `json:"series"`
}

// series is a line of a chart: one figure of the tasks whose name matches the pattern. Its
// group is the number along the X axis.
type series struct {
	Name   string  `json:"name"`
	Task   pattern `json:"task"`
	Figure string  `json:"figure"` // behind the task's name; empty where that is the benchmark's
}

// pattern is a regular expression as JSON has it.
type pattern struct{ *regexp.Regexp }

// UnmarshalText reads an expression with one group.
func (p *pattern) UnmarshalText(text []byte) (err error) {
	if p.Regexp, err = regexp.Compile(string(text)); err != nil {
		return err
	}
	if n := p.NumSubexp(); n != 1 {
		return fmt.Errorf("%s has %d groups: want one, the number along the axis", text, n)
	}
	return nil
}

// mostX is the largest number along an X axis. Not all above it are exact.
const mostX = 1 << 53

// x tells where along the X axis a task lies, if it is one of the series.
func (s series) x(task string) (x float64, found bool) {
	match := s.Task.FindStringSubmatch(task)
	if match == nil {
		return 0, false
	}
	n, err := strconv.ParseUint(match[1], 10, 64)
	return float64(n), err == nil && n <= mostX
}

// task is the name of the task that gives a benchmark, if the series has that figure of tasks.
func (s series) task(benchmark string) (name string, found bool) {
	if s.Figure == "" {
		return benchmark, true
	}
	return strings.CutSuffix(benchmark, "/"+s.Figure)
}

// charts lists the charts.
func charts() (all []chart, err error) {
	return all, strictly("charts.json", chartsFile, &all)
}

// published is what others have published.
type published struct {
	// Seven is held against the tables of seven stones.
	Seven struct {
		What    string `json:"what"`
		Theirs  string `json:"theirs"`
		Source  string `json:"source"`
		Ours    string `json:"ours"`    // how to say it: positions, bytes, bits a position, seconds
		Command string `json:"command"` // that repeats ours
	} `json:"seven"`

	Note    string            `json:"note"` // where figures are not of the same
	Figures []publishedFigure `json:"figures"`
}

// publishedFigure is a figure of others and where ours is. Their machines are ours only
// where the source says so; some are twenty years older.
type publishedFigure struct {
	What   string   `json:"what"`
	Theirs string   `json:"theirs"`
	Source string   `json:"source"`
	Names  []string `json:"names"` // of our benchmarks
	Ours   string   `json:"ours"`  // how to say it, with %s for each value
	Task   string   `json:"task"`  // that repeats it
}

// besideOurs lists what others have published.
func besideOurs() (p published, err error) {
	return p, strictly("published.json", publishedFile, &p)
}

// strictly reads JSON that has no other keys.
func strictly(name string, text []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
