package manual_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"paika/cmd/paika/command"
)

const (
	root   = "../../.."
	readme = root + "/README.md"
)

// long has the commands run that take long, too, and only leaves out most of them again.
// scripts/doc-commands sets both.
var (
	long = flag.Bool("long", false, "run the commands of blocks marked long, too")
	only = flag.String("only", "", "of blocks marked long, run those alone with this `TEXT` in them")
)

// programsVariable, set to "required", has pages fail whose commands name programs that
// are missing here. Without it they are skipped.
const programsVariable = "PAIKA_READER_TESTS"

// TestMain lets commands run this test binary as paika.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"paika": func() {
			ctx, _ := command.Signals(context.Background(), command.AtOnce)
			os.Exit(command.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// block is a block of code on a page.
type block struct {
	info  string // what stands beside the fence
	line  int    // of the file, where its text begins
	lines []string
}

// Kinds of blocks.
const (
	console     = "console"
	consoleLong = "console long"
)

// typed is a command on a page, and what stands below it.
type typed struct {
	line    int
	command string
	prints  []string
}

// sources are the files that hold commands: README.md and the pages.
func sources(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("pages/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	return append([]string{readme}, pages...)
}

// blocksOf reads the blocks of code of a file.
func blocksOf(t *testing.T, file string) []block {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var all []block
	err = ast.Walk(goldmark.DefaultParser().Parse(text.NewReader(source)), func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		var b block
		switch n := node.(type) {
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				b.info = string(n.Info.Segment.Value(source))
			}
		case *ast.CodeBlock:
		default:
			return ast.WalkContinue, nil
		}
		if lines := node.Lines(); entering && lines.Len() > 0 {
			b.line = 1 + bytes.Count(source[:lines.At(0).Start], []byte("\n"))
			b.lines = strings.Split(strings.TrimSuffix(string(lines.Value(source)), "\n"), "\n")
			all = append(all, b)
		}
		return ast.WalkSkipChildren, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// commands takes a console apart: a command after "$ ", going on after "> ", and what
// it prints.
func (b block) commands(t *testing.T) []typed {
	t.Helper()
	var all []typed
	for i, line := range b.lines {
		last := len(all) - 1
		switch {
		case strings.HasPrefix(line, "$ "):
			all = append(all, typed{line: b.line + i, command: line[2:]})
		case last < 0:
			t.Errorf("line %d: the block does not begin with a command", b.line)
			return nil
		case strings.HasPrefix(line, ">") && len(all[last].prints) == 0:
			all[last].command += "\n" + strings.TrimPrefix(line[1:], " ")
		default:
			all[last].prints = append(all[last].prints, line)
		}
	}
	for i := range all {
		if n := len(all[i].prints); n > 0 && all[i].prints[n-1] == "" { // before the next command
			all[i].prints = all[i].prints[:n-1]
		}
	}
	return all
}

// beginnings are how lines begin that are meant to be typed.
var beginnings = regexp.MustCompile(`^\s*(\$ |paika |go (run|test|install|doc) |scripts/|curl |gcc |python3? )`)

// newcomers lists the commands of README.md that stand there by themselves, for those
// who have nothing yet. .ci/run runs them.
var newcomers = []string{"go run ./cmd/paika build", "go test ./..."}

// What is meant to be typed stands in a console, and so is run by a test.
func TestEveryCommandIsRun(t *testing.T) {
	commands := 0
	for _, file := range sources(t) {
		for _, b := range blocksOf(t, file) {
			switch {
			case b.info == console || b.info == consoleLong:
				commands += len(b.commands(t))
			case file == readme && strings.Join(b.lines, "\n") == strings.Join(newcomers, "\n"):
			default:
				for i, line := range b.lines {
					if beginnings.MatchString(line) {
						t.Errorf("%s:%d: %q is no console: nobody runs it", file, b.line+i, line)
					}
				}
			}
		}
	}
	if commands < 60 {
		t.Errorf("%d commands found: the walk went wrong", commands)
	}
}

// counted matches a count of nodes, and alone the commands that count the same ones in
// each run: several workers do not.
var (
	counted = regexp.MustCompile(`\b[0-9][0-9,]* nodes([^/]|$)|"nodes":[1-9]`)
	alone   = regexp.MustCompile(`--workers 1\b|^paika (complexity|bench) |^curl `)
)

// A page compares only what is the same in every run.
func TestCountsOfNodesAreOfOneWorker(t *testing.T) {
	counts := 0
	for _, file := range sources(t) {
		for _, b := range blocksOf(t, file) {
			if b.info != console && b.info != consoleLong {
				continue
			}
			for _, c := range b.commands(t) {
				if !counted.MatchString(strings.Join(c.prints, "\n")) {
					continue
				}
				counts++
				if !alone.MatchString(c.command) {
					t.Errorf("%s:%d: %s: its nodes differ from run to run", file, c.line, c.command)
				}
			}
		}
	}
	if counts == 0 {
		t.Error("no page counts nodes")
	}
}

// runs tells whether the commands of a block are to be run.
func (b block) runs() bool {
	return b.info == console || b.info == consoleLong && *long && strings.Contains(strings.Join(b.lines, "\n"), *only)
}

// TestCommands runs the commands of each page in order, in a folder of their own, and
// compares what they print.
func TestCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("builds tables, which takes long with the race detector; other tests give it more to find")
	}
	chosen := *only == ""
	defer func() {
		if !chosen {
			t.Errorf("-only %s: no block that is marked long has it", *only)
		}
	}()
	for _, file := range sources(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".md"), func(t *testing.T) {
			var all []typed
			for _, b := range blocksOf(t, file) {
				if b.runs() {
					chosen = chosen || b.info == consoleLong
					all = append(all, b.commands(t)...)
				}
			}
			needs(t, all)
			s := &shell{t: t, file: file, folder: repository(t), servers: make(map[string]*server)}
			defer s.stopAll()
			for _, c := range all {
				s.run(c)
			}
		})
	}
}

// needs skips a page whose commands name programs that are missing.
func needs(t *testing.T, all []typed) {
	t.Helper()
	programs := map[string]bool{"curl": installed("curl"), "gcc": installed("gcc"), "python3": python() != ""}
	for _, c := range all {
		for program, there := range programs {
			if there || !regexp.MustCompile(`(^|\| )`+program+` `).MatchString(c.command) {
				continue
			}
			if os.Getenv(programsVariable) == "required" {
				t.Fatalf("%s is missing", program)
			}
			t.Skipf("%s is missing", program)
		}
	}
}

func installed(program string) bool {
	_, err := exec.LookPath(program)
	return err == nil
}

// python is a Python that has the module that the reader of tables needs, or empty. The
// first in the path may be another than that of the system, which has its packages.
func python() string {
	for _, program := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(program, "-c", "import zstandard").Run() == nil {
			return program
		}
	}
	return ""
}

// repository is a folder that has what the repository has, and no tables. What takes
// long may change it, and gets a copy.
func repository(t *testing.T) string {
	t.Helper()
	from, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if *long {
		if out, err := exec.Command("git", "clone", "-q", from, folder).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return folder
	}
	for _, name := range []string{"benchmarks", "cmd", "proofs", "scripts", "tablebase"} {
		if err := os.Symlink(filepath.Join(from, name), filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// shell runs the commands of a page.
type shell struct {
	t       *testing.T
	file    string
	folder  string
	servers map[string]*server // by where pages say that they listen: of each the last
	workers []*exec.Cmd        // that the page left running
}

// server is one that a page started.
type server struct {
	cmd     *exec.Cmd
	address string // where it listens
}

// documented is where pages say that servers listen, by how their commands begin.
var documented = map[string]string{"paika serve": "127.0.0.1:8080", "paika hub --data hub &": "127.0.0.1:4222"}

// left matches a worker that is left running.
var left = regexp.MustCompile(`^paika work .* &$`)

func (s *shell) run(c typed) {
	s.t.Helper()
	line := c.command
	for said, of := range s.servers {
		line = strings.ReplaceAll(line, said, of.address)
	}
	if strings.Contains(line, "python3 ") {
		line = strings.ReplaceAll(line, "python3 ", python()+" ")
	}
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = s.folder
	cmd.Env = append(os.Environ(), "PAIKA_DATA=", "HOME="+s.folder)
	for begins, said := range documented {
		if strings.HasPrefix(line, begins) {
			s.serve(c, cmd, said)
			return
		}
	}
	if left.MatchString(line) {
		s.leave(cmd)
		return
	}
	out, err := cmd.CombinedOutput()
	s.compare(c, string(out))
	if err != nil && !strings.Contains(strings.Join(c.prints, "\n"), "paika: ") {
		s.t.Fatalf("%s:%d: %s: %v\n%s", s.file, c.line, c.command, err, out)
	}
}

// serve starts a server at a free port and leaves it running until the page starts
// another or is done.
func (s *shell) serve(c typed, cmd *exec.Cmd, said string) {
	s.t.Helper()
	if before := s.servers[said]; before != nil {
		stop(before.cmd)
	}
	inBackground(cmd, " --addr 127.0.0.1:0 --quiet")
	out, err := cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	of := &server{cmd: cmd}
	s.servers[said] = of
	says, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		s.t.Fatalf("%s:%d: %s: %v", s.file, c.line, c.command, err)
	}
	of.address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(says)
	s.compare(c, strings.ReplaceAll(says, of.address, said))
}

// leave starts a worker and leaves it running until the page is done.
func (s *shell) leave(cmd *exec.Cmd) {
	s.t.Helper()
	inBackground(cmd, "")
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.workers = append(s.workers, cmd)
}

// inBackground has the process itself, and no shell, run a command that may end with an
// ampersand, with more arguments.
func inBackground(cmd *exec.Cmd, more string) {
	cmd.Args[2] = "exec " + strings.TrimSuffix(cmd.Args[2], " &") + more
}

// stopAll ends what the page left running.
func (s *shell) stopAll() {
	for _, cmd := range s.workers {
		stop(cmd)
	}
	for _, of := range s.servers {
		stop(of.cmd)
	}
}

func stop(cmd *exec.Cmd) {
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
}

// masks hide what differs from run to run: times, rates, the machine and the version.
var masks = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`\b[0-9][0-9.,]*(e-[0-9]+)? ?(s|ms|µs)\b`), "TIME"},
	{regexp.MustCompile(`\b[0-9][0-9.,]* (nodes|positions|checks)/s`), "RATE"},
	{regexp.MustCompile(`"seconds":[0-9.e-]+`), `"seconds":TIME`},
	{regexp.MustCompile(` +`), " "},
}

func mask(text string) string {
	for _, m := range masks {
		text = m.what.ReplaceAllString(text, m.by)
	}
	return text
}

// pattern matches what a page says that a command prints.
func pattern(prints []string) *regexp.Regexp {
	var all strings.Builder
	all.WriteString(`\A`)
	for _, line := range prints {
		if line == "…" {
			all.WriteString(`(?:.*\n)*?`)
			continue
		}
		quoted := regexp.QuoteMeta(mask(line))
		fmt.Fprintf(&all, `%s\s*\n`, strings.ReplaceAll(quoted, "…", ".*"))
	}
	all.WriteString(`\s*\z`)
	return regexp.MustCompile(all.String())
}

// compare reports what a command prints that does not stand below it.
func (s *shell) compare(c typed, printed string) {
	s.t.Helper()
	if len(c.prints) == 0 {
		return
	}
	if !strings.HasSuffix(printed, "\n") {
		printed += "\n"
	}
	if !pattern(c.prints).MatchString(mask(printed)) {
		s.t.Errorf("%s:%d: %s\nprints\n%s\nand not\n%s", s.file, c.line, c.command, printed, strings.Join(c.prints, "\n"))
	}
}
