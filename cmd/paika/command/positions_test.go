package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// countdown is a context that ends once it has been asked so many times whether it has.
type countdown struct {
	context.Context
	end  context.CancelFunc
	left atomic.Int64
}

func newCountdown(ctx context.Context, asked int64) *countdown {
	c := new(countdown)
	c.Context, c.end = context.WithCancel(ctx)
	c.left.Store(asked)
	return c
}

func (c *countdown) Err() error {
	if c.left.Add(-1) < 0 {
		c.end()
	}
	return c.Context.Err()
}

// TestStoppedBatchesInventNoAnswers: at whatever moment a context ends, every answer is about
// one of the positions, and the command says that it was stopped unless all of them are there.
func TestStoppedBatchesInventNoAnswers(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := runQuietly(t, "build", "--board", "telo", "--pieces", "3", "--db", dir); status != done {
		t.Fatal(stderr)
	}
	telo := []string{".BW/.../.W. w", "BB./.../... w", ".BW/.../.W. b"}
	proof := filepath.Join(dir, "telo.proof")
	if status, _, stderr := runQuietly(t, "prove", "--board", "telo", "--claim", "white-wins", "--db", dir+"/none", "--out", proof); status != done {
		t.Fatal(stderr)
	}
	won := []string{"ball=H17 men=H18 to=ohs", "ball=B3 men=B2 to=eks board=3x9", "ball=H17 men=H16 to=ohs"}
	gaps := []string{"..../..../..ox/.... b", "ox../..../..../.... w", "oxox/x..o/..../.... b"}
	for args, positions := range map[string][]string{
		"value - --board telo --db " + dir:                                          telo,
		"value konane - --board 4x4 --db " + dir + "/none":                          gaps,
		"value konane - --board 4x4 --opening corner-h --cgt --db " + dir + "/none": gaps,
		"prove - --board telo --claim white-wins --db " + dir:                       telo,
		"turns - --board telo --db " + dir:                                          telo,
		"query - --board telo --db " + dir:                                          telo,
		"query - --board telo --db " + dir + " --proof " + proof:                    telo,
		"perft - --board telo --depth 3":                                            telo,
		"win-in-one phutball - --time 0":                                            won,
	} {
		t.Run(args, func(t *testing.T) { stopAtEveryMoment(t, strings.Fields(args), positions) })
	}
}

// TestADamagedChunkTakesNoOtherAnswer: of many lines, each has what it has alone.
func TestADamagedChunkTakesNoOtherAnswer(t *testing.T) {
	dir := t.TempDir()
	if status, _, stderr := runQuietly(t, "build", "--board", "3x3", "--metric", "dtw", "--db", dir); status != done {
		t.Fatal(stderr)
	}
	positions := []string{"WWW/BWB/... w", "WW./.../B.. w", "W../.../BB. w", "B../.../W.B b", "WWW/W.B/BBB w", "W../BB./... w", "W.W/.../..B b", "..B/.../WW. b"}
	proof := filepath.Join(dir, "won.proof")
	if status, _, stderr := runQuietly(t, "prove", "--board", "3x3", "--claim", "white-wins", "--db", dir+"/none", "--out", proof); status != done {
		t.Fatal(stderr)
	}
	tables := []string{"-", "--board", "3x3", "--db", dir}
	damageChunkOf(t, dir, func() bool {
		_, stdout, _ := runWith(t, strings.Join(positions[:3], "\n"), append([]string{"value"}, tables...)...)
		return strings.Contains(stdout, `"damaged"`)
	})
	for _, asked := range []string{"query", "turns", "value", "query --proof " + proof} {
		args := append(strings.Fields(asked), tables...)
		var alone strings.Builder
		damaged := 0
		for i, position := range positions {
			_, stdout, _ := runWith(t, position, args...)
			damaged += strings.Count(stdout, `"damaged"`)
			alone.WriteString(strings.Replace(stdout, `"line":1,`, fmt.Sprintf(`"line":%d,`, i+1), 1))
		}
		if damaged == 0 || damaged == len(positions) {
			t.Fatalf("%s: %d of %d lines are damaged", asked, damaged, len(positions))
		}
		status, stdout, stderr := runWith(t, strings.Join(positions, "\n"), args...)
		if status != unavailable || untimed(stdout) != untimed(alone.String()) {
			t.Errorf("%s: status %d, %s\n%s\nwant\n%s", asked, status, stderr, stdout, &alone)
		}
	}
}

// damageChunkOf flips a bit of the values in a folder of tables, one after the other, until a question
// meets the damage.
func damageChunkOf(t *testing.T, dir string, met func() bool) {
	t.Helper()
	log := filepath.Join(dir, "000001.vlog")
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for at := 300; at < len(text); at += 50 {
		damaged := slices.Clone(text)
		damaged[at] ^= 1
		if err := os.WriteFile(log, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if met() {
			return
		}
	}
	t.Fatal("nothing that is damaged is asked for")
}

// stopAtEveryMoment gives a command the positions all together, and one alone.
func stopAtEveryMoment(t *testing.T, args, positions []string) {
	alone := slices.Clone(args)
	alone[slices.Index(args, "-")] = positions[0]
	whole := unstopped(t, args, positions)
	for asked := int64(0); ; asked += 1 + asked/16 {
		ctx := newCountdown(t.Context(), asked)
		var stdout, stderr bytes.Buffer
		status := Run(ctx, args, strings.NewReader(strings.Join(positions, "\n")), &stdout, &stderr)
		n := answered(t, stdout.String())
		if n < len(positions) && status != stopped {
			t.Errorf("asked %d times: status %d with %d answers: %s%s", asked, status, n, &stdout, &stderr)
		}
		if lines := slices.Collect(strings.Lines(untimed(stdout.String()))); len(lines) > n+1 || !slices.Equal(lines[:n], whole[:n]) {
			t.Errorf("asked %d times:\n%q\nwant the first of\n%q, and why it ends", asked, lines, whole)
		}
		single := newCountdown(t.Context(), asked)
		stdout.Reset()
		status = Run(single, append(alone, "--json"), strings.NewReader(""), &stdout, &stderr)
		if n := answered(t, stdout.String()); n == 0 && status != stopped {
			t.Errorf("asked %d times about one position: status %d: %s%s", asked, status, &stdout, &stderr)
		}
		if ctx.left.Load() >= 0 && single.left.Load() >= 0 {
			return // it came to its end
		}
	}
}

// unstopped is what a command prints that comes to its end, untimed.
func unstopped(t *testing.T, args, positions []string) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := Run(t.Context(), args, strings.NewReader(strings.Join(positions, "\n")), &stdout, &stderr); answered(t, stdout.String()) != len(positions) {
		t.Fatalf("status %d: %s%s", status, &stdout, &stderr)
	}
	return slices.Collect(strings.Lines(untimed(stdout.String())))
}

// untimed is what is printed without what differs from run to run, and without the form, which may
// be lacking where who wins is told.
func untimed(printed string) string { return volatile.ReplaceAllString(printed, "") }

var volatile = regexp.MustCompile(`,"(seconds|search_seconds|nodes|openings|claims|cgt|mean|temperature|cgt_error)":(\[.*\]|\{[^}]*\}|[^,}]*)`)

// answered counts answers, which are about a position each.
func answered(t *testing.T, stdout string) (answers int) {
	t.Helper()
	for line := range strings.Lines(stdout) {
		var object struct {
			Position string
			Error    *struct{ Code string }
		}
		if err := json.Unmarshal([]byte(line), &object); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		switch {
		case object.Error != nil:
		case object.Position == "":
			t.Errorf("an answer about nothing: %s", line)
		default:
			answers++
		}
	}
	return answers
}

// TestAStoppedBatchSaysSo: whatever else there is to see when the context ends while lines
// are answered, such as the end of standard input.
func TestAStoppedBatchSaysSo(t *testing.T) {
	for _, input := range []string{"a", "a\n", "a\nb\n"} {
		for range 100 { // of two things to see, either may be seen first
			ctx, cancel := context.WithCancel(t.Context())
			err := batches(ctx, strings.NewReader(input), byItself, func([]inputLine) error {
				cancel()
				return nil
			})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("%q: %v", input, err)
			}
		}
	}
}

// winsInOne has an answer for each position: "yes", "no", and null for any other.
type winsInOne struct{ catalogue.WinsInOne }

func (winsInOne) WinInOne(_ context.Context, positions []string, _ catalogue.WinInOneOptions) ([]catalogue.Answer[catalogue.WinInOne], error) {
	answers := make([]catalogue.Answer[catalogue.WinInOne], len(positions))
	for i, p := range positions {
		r := &answers[i].Result
		r.Position = p
		if p == "yes" || p == "no" {
			r.Win = new(p == "yes")
		}
	}
	return answers, nil
}

// TestLinesThatAreNotDecidedGiveTheStatus: not so those without a win, which are answered.
func TestLinesThatAreNotDecidedGiveTheStatus(t *testing.T) {
	for input, want := range map[string]int{"yes\nno\n": done, "?\nyes\n": undecided, "no\n?\nno\n": undecided, "": done} {
		var stdout bytes.Buffer
		cmd := new(cobra.Command)
		cmd.SetContext(t.Context())
		cmd.SetIn(strings.NewReader(input))
		cmd.SetOut(&stdout)
		err := winInOne(cmd, session{options: &options{workers: 1}, rest: []string{fromInput}}, winsInOne{}, catalogue.WinInOneOptions{})
		if status := exitStatus(err); status != want || answered(t, stdout.String()) != strings.Count(input, "\n") {
			t.Errorf("%q: status %d, want %d: %s", input, status, want, &stdout)
		}
	}
}

// TestAPanicTellsWhereItArose: beside the line that it is the error of, and where there is one
// position alone.
func TestAPanicTellsWhereItArose(t *testing.T) {
	mistake := &catalogue.PanicError{Caught: "x", Stack: []byte("goroutine 1: here")}
	var stdout, stderr bytes.Buffer
	cmd := new(cobra.Command)
	cmd.SetContext(t.Context())
	cmd.SetIn(strings.NewReader("a\n"))
	cmd.SetOut(&stdout)
	cmd.SetErr(&stderr)
	err := answerLines(cmd, session{options: new(options)}, byItself, together(func(context.Context, []string) ([]catalogue.Answer[string], error) {
		return []catalogue.Answer[string]{{Err: mistake}}, nil
	}))
	if err == nil || !strings.Contains(stdout.String(), `"internal"`) || !strings.Contains(stderr.String(), string(mistake.Stack)) {
		t.Errorf("%v: %s%s", err, &stdout, &stderr)
	}
	stderr.Reset()
	if report(new(options), mistake, &stdout, &stderr); !strings.Contains(stderr.String(), string(mistake.Stack)) {
		t.Errorf("alone: %s", &stderr)
	}
}

// TestWhatEndsTheWorkTakesNoAnswer: of a batch in which the work ends, the lines before that have
// theirs, and those of batches before are printed by then.
func TestWhatEndsTheWorkTakesNoAnswer(t *testing.T) {
	large := strings.Repeat("x", mostLine+1)
	for input, want := range map[string]struct{ answers, lines int }{
		"a\nb\nc\nd\nend\ne\n":    {4, 5},
		"a\nb\nc\nend\nd\n":       {3, 4},
		"end\n":                   {0, 1},
		large + "\na\nend\nb\n":   {1, 3},
		"a\n" + large + "\nend\n": {1, 3},
	} {
		for _, ended := range []error{context.Canceled, errors.New("another")} {
			var stdout bytes.Buffer
			cmd := new(cobra.Command)
			cmd.SetContext(t.Context())
			cmd.SetIn(strings.NewReader(input))
			cmd.SetOut(&stdout)
			asked := 0
			err := answerLines(cmd, session{options: new(options)}, 2, together(func(_ context.Context, positions []string) (answers []catalogue.Answer[catalogue.Perft], err error) {
				if got := answered(t, stdout.String()); got != asked {
					t.Errorf("%.20q: %d answers are printed, want %d before %s", input, got, asked, positions)
				}
				asked += len(positions)
				for _, p := range positions {
					if p == "end" {
						return answers, ended
					}
					answers = append(answers, catalogue.Answer[catalogue.Perft]{Result: catalogue.Perft{Position: p}})
				}
				return answers, nil
			}))
			if got := answered(t, stdout.String()); got != want.answers || !errors.Is(err, ended) || strings.Count(stdout.String(), "\n") != want.lines {
				t.Errorf("%.20q: %d answers, want %d, %v: %s", input, got, want.answers, err, &stdout)
			}
		}
	}
}

// firstWrite keeps what is written first.
type firstWrite struct{ text string }

func (w *firstWrite) Write(p []byte) (int, error) {
	if w.text == "" {
		w.text = string(p)
	}
	return len(p), nil
}

// TestAnswersWaitForNoOthers: each is printed before the next is searched, also where there are
// tables, and those that tables know before a search begins.
func TestAnswersWaitForNoOthers(t *testing.T) {
	dir := t.TempDir()
	printed(t, "build", "--board", "telo", "--pieces", "3", "--db", dir, "--quiet")
	known, open := ".BW/.../.W. w\nBB./.../..W w\n", "BBB/B.W/WWW w\nBBB/W.B/WWW w\n"
	for input, want := range map[string]int{known + open: 2, open + known: 1, open: 1} {
		var first firstWrite
		var stderr bytes.Buffer
		args := []string{"value", "-", "--board", "telo", "--db", dir, "--quiet"}
		if status := Run(t.Context(), args, strings.NewReader(input), &first, &stderr); status != done {
			t.Fatalf("status %d: %s", status, &stderr)
		}
		if got := strings.Count(first.text, "\n"); got != want {
			t.Errorf("%q: %d answers are printed at first, want %d: %s", input, got, want, first.text)
		}
	}
}

// Of positions that have too many turns together no more answers are kept than those that had room.
func TestWhatIsAskedAloneComesAfterWhatIsTold(t *testing.T) {
	const room = 2
	kept, most := 0, 0
	ask := together(func(_ context.Context, positions []string) (answers []catalogue.Answer[string], err error) {
		for i, p := range positions {
			if i >= room {
				answers = append(answers, catalogue.Answer[string]{Err: bitboard.ErrTooManyTurns})
				continue
			}
			answers = append(answers, catalogue.Answer[string]{Result: p})
			kept++
		}
		most = max(most, kept)
		return answers, nil
	})
	var told []string
	err := ask(t.Context(), []string{"a", "b", "c", "d", "e"}, func(answers []catalogue.Answer[string]) error {
		for _, a := range answers {
			told = append(told, a.Result)
		}
		kept -= len(answers)
		return nil
	})
	if want := []string{"a", "b", "c", "d", "e"}; err != nil || !slices.Equal(told, want) || most > room {
		t.Errorf("told %q, kept %d at once; want %q, %d; error %v", told, most, want, room, err)
	}
}
