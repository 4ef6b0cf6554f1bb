package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// workshop is a folder that has one of the scripts, and in place of go and git what makes a
// program of a few lines for it, by the name of paika.
type workshop struct {
	script string
	folder string // $WORKSHOP
	path   string // where it looks for programs
}

// newWorkshop makes one. The program adds a line to the file calls each time.
func newWorkshop(t *testing.T, script, paika string) workshop {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs Linux, and bash to run the script with")
	}
	w := workshop{script: script, folder: t.TempDir()}
	w.path = filepath.Join(w.folder, "programs") + string(os.PathListSeparator) + os.Getenv("PATH")
	text, err := os.ReadFile(filepath.Join(root, "scripts", script))
	if err != nil {
		t.Fatal(err)
	}
	w.write(t, "scripts/"+script, string(text))
	w.write(t, "paika", "#!/usr/bin/env bash\necho \"$*\" >>\"$WORKSHOP/calls\"\n"+paika)
	w.write(t, "programs/git", "#!/usr/bin/env bash\nif [ $1 = rev-parse ]; then echo c0ffee; fi\n")
	w.write(t, "programs/go", `#!/usr/bin/env bash
if [ $1 = tool ]; then exec cat "$WORKSHOP/profile"; fi
while [ $# -gt 0 ]; do
	if [ "$1" = -o ]; then cp "$WORKSHOP/paika" "$2"; fi
	shift
done
`)
	return w
}

// write writes a program, or another file.
func (w workshop) write(t *testing.T, name, text string) {
	t.Helper()
	path := filepath.Join(w.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
}

// read is a file's text, nothing where there is none.
func (w workshop) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.folder, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return string(text)
}

// run runs the script, and gives its status and what it printed.
func (w workshop) run(t *testing.T, args ...string) (status int, out, complaints string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bash, append([]string{filepath.Join(w.folder, "scripts", w.script)}, args...)...)
	cmd.Dir = w.folder
	cmd.Env = append(os.Environ(), "PATH="+w.path, "WORKSHOP="+w.folder, "LC_ALL=C.UTF-8")
	var printed, said strings.Builder
	cmd.Stdout, cmd.Stderr = &printed, &said
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), printed.String(), said.String()
}

// answers has all that scripts read of the program's JSON.
const answers = `{"winner":"black","nodes":1234567,"seconds":0.25,"valid":true,"result":"proved","positions":7654321,"distance":3,` +
	`"claim":"white-wins","kept":7,"bytes":8,"win":1,"loss":2,"draw":0,"longest_win":3}`

// measuring lists scripts that measure, as they are called with as little work as there is.
func measuring() map[string][]string {
	return map[string][]string{
		"breakthrough-boards": {"3x3"},
		"konane-values":       {"3x3"},
		"efficiency":          {"2", "6", "9x5", "wdl", "2"},
		"konane-openings":     {"2x2", "3x3"},
		"konane-setups":       {"2x2", "certify"},
		"proofs":              {"made", "1", "3x3", "5x5"},
		"complete-proofs":     {"made", "1", "3x3", "5x5"},
		"phutball-boards":     {"3x3", "3x4"},
		"prove-9x5":           {"made"},
	}
}

// TestScriptsThatMeasureFailWithTheProgram: whichever call of the program fails, the script does,
// and says what the program said. Numbers are read and written as programs do, whatever the
// user's language.
func TestScriptsThatMeasureFailWithTheProgram(t *testing.T) {
	plain := map[string]bool{"breakthrough-boards": true, "konane-values": true} // who compute with no numbers
	const mostCalls = 4                                                          // after which scripts go round again
	for script, args := range measuring() {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			calls := mostCalls
			for failing := 0; failing <= min(calls, mostCalls); failing++ {
				w := newWorkshop(t, script, fmt.Sprintf(`
if %t && [ "$LC_ALL" != C ]; then echo 'paika: numbers have a comma' >&2; exit 5; fi
if [ "$(wc -l <"$WORKSHOP/calls")" = %d ]; then
	if [ "$1" != verify ]; then exec >&2; fi # which tells what it finds on standard output
	echo 'paika: the disk is full'
	exit 4
fi
while [ $# -gt 0 ]; do
	if [ "$1" = --out ]; then touch "$2" "$2.white" "$2.black"; fi
	shift
done
echo '%s'
`, !plain[script], failing, answers))
				w.write(t, "programs/time", "#!/usr/bin/env bash\necho 1 s >\"$2\"\nshift 4\nexec \"$@\"\n")
				status, out, complaints := w.run(t, args...)
				if failing == 0 {
					if calls = strings.Count(w.read(t, "calls"), "\n"); status != 0 || calls == 0 {
						t.Fatalf("nothing fails: status %d after %d calls, %s\n%s", status, calls, complaints, out)
					}
					continue
				}
				if status == 0 || !strings.Contains(complaints+out, "the disk is full") {
					t.Errorf("call %d fails: status %d, %q\n%s", failing, status, complaints, out)
				}
			}
		})
	}
}

// TestTheProofOf9x5SaysWhatItNeeds: a Debian that was just installed has no such program.
func TestTheProofOf9x5SaysWhatItNeeds(t *testing.T) {
	w := newWorkshop(t, "prove-9x5", "")
	w.path = filepath.Join(w.folder, "scripts") // where no program is
	if status, _, complaints := w.run(t, "made"); status != 1 || !strings.Contains(complaints, "GNU time is missing") {
		t.Errorf("status %d, %q", status, complaints)
	}
}

// recorders lists scripts that write files of the repository, and what these are.
func recorders() map[string][]string {
	return map[string][]string{
		"results": {"benchmarks/RESULTS.md", "benchmarks/results/build.json", "benchmarks/results/seven.json", "benchmarks/results/search-tables.json", "benchmarks/results/a.svg"},
		"pgo":     {"cmd/paika/default.pgo"},
	}
}

// TestScriptsSayWhatTheyDo, and do nothing else, where they are asked for help: by the comment that they begin with.
func TestScriptsSayWhatTheyDo(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to run the scripts with")
	}
	folder, err := filepath.Abs(filepath.Join(root, "scripts"))
	if err != nil {
		t.Fatal(err)
	}
	scripts, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(scripts) == 0 {
		t.Fatal(scripts, err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(string(text), "#!") {
			continue
		}
		var want strings.Builder
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#") {
				break
			}
			if !strings.HasPrefix(line, "#!") {
				want.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "#"), " "))
			}
		}
		for _, flag := range []string{"--help", "-h"} {
			help := exec.Command(bash, script, flag)
			help.Dir, help.Env = t.TempDir(), []string{"PATH=/usr/bin:/bin"} // there is no Go to build anything with
			if out, err := help.CombinedOutput(); err != nil || string(out) != want.String() {
				t.Errorf("%s %s: %v: %s", script, flag, err, out)
			}
		}
	}
}

// TestScriptsThatRecordReplaceAllOrNothing: not after a slip of who calls them, nor where any
// step fails.
func TestScriptsThatRecordReplaceAllOrNothing(t *testing.T) {
	const report = "{\n\t\"machine\": {\n\t\t\"cpu\": \"any\"\n\t},\n\t\"program\": {\n\t\t\"go\": \"any\"\n\t},\n\t\"runs\": 1\n}"
	begin := func(t *testing.T, script string, failing int) workshop {
		w := newWorkshop(t, script, fmt.Sprintf(`
if [ "$(wc -l <"$WORKSHOP/calls")" = %d ]; then echo 'paika: the disk is full' >&2; exit 4; fi
call=$*
while [ $# -gt 0 ]; do
	if [ "$1" = --out ]; then echo '%s' >"$2"; fi
	if [ "$1" = --plot ]; then echo new >"$2/a.svg"; fi
	shift
done
echo "{\"new\":\"$call\"}"
`, failing, report))
		w.write(t, "profile", "new")
		for _, file := range recorders()[script] {
			w.write(t, file, "old")
		}
		return w
	}
	old := func(t *testing.T, w workshop) (kept int) {
		for _, file := range recorders()[w.script] {
			if w.read(t, file) == "old" {
				kept++
			}
		}
		return kept
	}
	for script, files := range recorders() {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			w := begin(t, script, 0)
			for _, args := range [][]string{{"--wriet"}, {"--mesure"}, {"all"}, {"perft"}, {""}, {"--write", "--scale"}} {
				if status, _, complaints := w.run(t, args...); status != 2 || !strings.Contains(complaints, "want scripts/"+script) || old(t, w) != len(files) || w.read(t, "calls") != "" {
					t.Fatalf("%q: status %d, %q, %d of %d files are kept", args, status, complaints, old(t, w), len(files))
				}
			}
			if status, out, complaints := w.run(t); status != 0 || old(t, w) != 0 {
				t.Fatalf("status %d, %d files are kept\n%s%s", status, old(t, w), out, complaints)
			}
			calls := strings.Count(w.read(t, "calls"), "\n")
			for failing := calls; failing > 0; failing /= 2 {
				w := begin(t, script, failing)
				if status, _, complaints := w.run(t); status == 0 || old(t, w) != len(files) {
					t.Errorf("call %d fails: status %d, %q, %d of %d files are kept", failing, status, complaints, old(t, w), len(files))
				}
			}
		})
	}
	w := begin(t, "pgo", 0)
	if err := os.Remove(filepath.Join(w.folder, "profile")); err != nil {
		t.Fatal(err)
	}
	if status, _, _ := w.run(t); status == 0 || old(t, w) != 1 {
		t.Errorf("there is no profile: status %d, %d files are kept", status, old(t, w))
	}
}

// TestTablesOfSevenStonesAreRecordedWithTheirProgram: that is the one which the reports name.
func TestTablesOfSevenStonesAreRecordedWithTheirProgram(t *testing.T) {
	report := `{"machine":{"cpu":"any"},"program":{"go":"any"},"runs":1}`
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(report), "", "\t"); err != nil {
		t.Fatal(err)
	}
	w := newWorkshop(t, "results", `
if [ "$1" = bench ] && [ "$3" = --out ]; then cat "$WORKSHOP/report" >"$4"; fi
if [ "$1" = build ]; then echo '{"totals":[]}'; fi
`)
	w.write(t, "report", indented.String())
	w.write(t, "benchmarks/results/seven.json", "old")
	if status, _, complaints := w.run(t); status != 0 {
		t.Fatalf("status %d: %s", status, complaints)
	}
	var got bytes.Buffer
	if err := json.Compact(&got, []byte(w.read(t, "benchmarks/results/seven.json"))); err != nil {
		t.Fatal(err)
	}
	if want := `{"machine":{"cpu":"any"},"program":{"go":"any"},"totals":[]}`; got.String() != want {
		t.Errorf("recorded is %s, want %s", &got, want)
	}
}
