package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// Wrong input is refused as testdata/hostile.txt says, in plain words, and as one
// JSON object. scripts/hostile runs the same cases as whole processes.
func TestWrongInput(t *testing.T) {
	cases := readHostile(t)        // before the folder changes
	t.Setenv("GOMEMLIMIT", "4GiB") // so that --memory 1 is not told to this process
	t.Chdir(t.TempDir())
	t.Setenv(dataVariable, "tables")
	vars := hostileFiles(t)
	if len(cases) < 500 {
		t.Fatalf("%d cases, want 500", len(cases))
	}
	for _, c := range cases {
		words, input := split(t, c.args, vars)
		c.check(t, words, input)
		c.checkJSON(t, words, input)
	}
}

// hostileCase is a line of the file.
type hostileCase struct {
	line   int
	status int
	code   string // or noError, everyLine
	args   string
}

const (
	noError   = "-"     // there is an answer
	everyLine = "lines" // every line of standard input has one, or an error
)

func (c hostileCase) String() string {
	return fmt.Sprintf("hostile.txt:%d: %d %s %s", c.line, c.status, c.code, c.args)
}

func readHostile(t *testing.T) (cases []hostileCase) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "hostile.txt"))
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' || strings.HasPrefix(line, "==") {
			continue
		}
		status, rest, _ := strings.Cut(line, " ")
		code, args, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(status)
		if err != nil {
			t.Fatalf("hostile.txt:%d: %v", number, err)
		}
		cases = append(cases, hostileCase{number, n, code, args})
	}
	return cases
}

// mostMessage bounds a message: what is repeated of the input, and twice the name
// of a folder.
const mostMessage = 600

// alien are words that no message may hold: they mean something to those who
// wrote the program alone.
var alien = []string{"strconv", "goroutine", "panic", "%!", "runtime error", "\x1b", "*errors", "*fmt", "invalid syntax", "<nil>"}

func (c hostileCase) check(t *testing.T, words []string, input string) {
	t.Helper()
	status, stdout, stderr := runWith(t, input, words...)
	if status != c.status {
		t.Errorf("%v: exit status %d, %s", c, status, shortly(stderr))
		return
	}
	c.checkText(t, stderr)
	if c.code == everyLine {
		checkLines(t, c, stdout, input)
		return
	}
	if c.code != noError && stdout != "" {
		t.Errorf("%v: on standard output %s", c, shortly(stdout))
	}
	if c.status != done && !strings.HasPrefix(lastLine(stderr), "paika: ") {
		t.Errorf("%v: standard error is %s", c, shortly(stderr))
	}
}

func (c hostileCase) checkJSON(t *testing.T, words []string, input string) {
	t.Helper()
	status, stdout, stderr := runWith(t, input, append([]string{"--json"}, words...)...)
	if status != c.status {
		t.Errorf("%v --json: exit status %d, %s", c, status, shortly(stderr))
		return
	}
	c.checkText(t, stderr)
	if c.code == everyLine {
		checkLines(t, c, stdout, input)
		return
	}
	var object struct {
		Error *catalogue.Fault `json:"error"`
	}
	if err := json.Unmarshal([]byte(stdout), &object); err != nil || strings.Count(stdout, "\n") != 1 {
		t.Errorf("%v --json: want one object and got %s", c, shortly(stdout))
		return
	}
	switch {
	case c.code == noError && object.Error != nil, c.code != noError && object.Error == nil:
		t.Errorf("%v --json: %s", c, shortly(stdout))
	case object.Error != nil && string(object.Error.Code) != c.code:
		t.Errorf("%v --json: code %s, %s", c, object.Error.Code, shortly(object.Error.Message))
	}
	c.checkText(t, stdout)
}

// checkText looks at what is written beside an answer.
func (c hostileCase) checkText(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if len(line) > mostMessage && !strings.HasPrefix(line, "{") {
			t.Errorf("%v: %d bytes: %s", c, len(line), shortly(line))
		}
	}
	for _, word := range alien {
		if strings.Contains(text, word) {
			t.Errorf("%v: %q in %s", c, word, shortly(text))
		}
	}
}

func checkLines(t *testing.T, c hostileCase, stdout, input string) {
	t.Helper()
	if got, want := strings.Count(stdout, "\n"), strings.Count(input, "\n"); got != want {
		t.Errorf("%v: %d objects for %d lines: %s", c, got, want, shortly(stdout))
	}
	for line := range strings.Lines(stdout) {
		if !json.Valid([]byte(line)) {
			t.Errorf("%v: no JSON: %s", c, shortly(line))
		}
	}
}

func lastLine(text string) string {
	text = strings.TrimSuffix(text, "\n")
	return text[strings.LastIndexByte(text, '\n')+1:]
}

func shortly(text string) string { return fmt.Sprintf("%.300q", text) }

func runWith(t *testing.T, input string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	status = Run(t.Context(), args, strings.NewReader(input), &out, &problems)
	return status, out.String(), problems.String()
}

// hostileFiles makes what the variables of the cases stand for.
func hostileFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	vars := map[string]string{
		"TELO": at("telo"), "KONANE": at("konane"), "PHUTBALL": at("phutball"), "DAMAGED": at("damaged"), "LOCKED": at("locked"),
		"FOLDER": at("folder"), "FILE": at("folder/letter"), "NOWHERE": at("nowhere"), "CERTIFICATE": at("certificate"), "CUT": at("cut"),
		"FLAT": at("flat"), "TORN": at("torn"), "FORGED": at("forged"), "SWAPPED": at("swapped"),
		"LONG": strings.Repeat("a", 5000), "TAB": "\t", "ESC": "\x1b", "NEWLINE": "\n",
	}
	for _, args := range [][]string{
		{"build", "--board", "telo", "--pieces", "3", "--db", at("telo")},
		{"build", "--board", "telo", "--pieces", "3", "--db", at("damaged")},
		{"build", "--board", "telo", "--pieces", "3", "--db", at("locked")},
		{"build", "konane", "--board", "3x3", "--pieces", "all", "--db", at("konane")},
		{"build", "phutball", "--board", "3x3", "--pieces", "all", "--db", at("phutball")},
		{"prove", "--board", "telo", "--claim", "white-wins", "--db", at("telo"), "--out", at("certificate")},
		{"export", "--board", "telo", "--db", at("telo"), at("flat")},
	} {
		if status, _, stderr := runWith(t, "", args...); status != done {
			t.Fatalf("%v: exit status %d, %s", args, status, stderr)
		}
	}
	files, err := filepath.Glob(filepath.Join(at("damaged"), "*.sst"))
	if err != nil || len(files) == 0 {
		t.Fatal("nothing to damage", err)
	}
	for _, file := range files {
		change(t, file, file, func(text []byte) []byte {
			text[len(text)/2] ^= 0xff
			return text
		})
	}
	change(t, at("certificate"), at("cut"), func(text []byte) []byte { return text[:len(text)/2] })
	for _, folder := range []string{"folder", "torn", "forged", "swapped"} {
		if err := os.Mkdir(at(folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	change(t, at("flat/2v1.wdl.flat"), at("torn/2v1.wdl.flat"), func(text []byte) []byte { return text[:len(text)/2] })
	change(t, at("flat/2v1.wdl.flat"), at("forged/2v1.wdl.flat"), func(text []byte) []byte {
		return bytes.Replace(text, []byte("\nquiet "), []byte("\nquiet 9"), 1)
	})
	change(t, at("flat/2v1.wdl.flat"), at("swapped/1v2.wdl.flat"), func(text []byte) []byte { return text })
	if err := os.WriteFile(at("folder/letter"), []byte("Dear reader,\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	lockStore(t, at("locked"))
	return vars
}

// change writes what becomes of a file.
func change(t *testing.T, from, to string, how func([]byte) []byte) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, how(text), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// lockStore holds a store open to be written until the test ends.
func lockStore(t *testing.T, dir string) {
	t.Helper()
	store := openedStore(t, dir)
	t.Cleanup(func() { store.Close() })
}

// openedStore is a store of telo, open to be written.
func openedStore(t *testing.T, dir string) *tablebase.Store {
	t.Helper()
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(dir, telo.Identity(), tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// split takes a line apart as a shell does: quotes, variables, and one line of
// standard input behind <<<.
func split(t *testing.T, line string, vars map[string]string) (words []string, input string) {
	t.Helper()
	expand := func(text string) string { return os.Expand(text, func(name string) string { return vars[name] }) }
	var word strings.Builder
	some, isInput := false, false
	end := func() {
		switch {
		case some && word.String() == "<<<" && !isInput:
			isInput = true
		case some && isInput:
			input = word.String() + "\n"
		case some:
			words = append(words, word.String())
		}
		word.Reset()
		some = false
	}
	for line != "" {
		switch letter := line[0]; letter {
		case ' ':
			end()
			line = line[1:]
			continue
		case '\'', '"':
			quoted, rest, closed := strings.Cut(line[1:], string(letter))
			if !closed {
				t.Fatalf("%s: no closing %c", line, letter)
			}
			if letter == '"' {
				quoted = expand(quoted)
			}
			word.WriteString(quoted)
			line = rest
		default:
			at := strings.IndexAny(line, ` '"`)
			if at < 0 {
				at = len(line)
			}
			word.WriteString(expand(line[:at]))
			line = line[at:]
		}
		some = true
	}
	end()
	return words, input
}
