package main

import (
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
	w.write(t, "programs/git", "#!/usr/bin/env bash\necho c0ffee\n")
	w.write(t, "programs/go", `#!/usr/bin/env bash
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
	cmd.Env = append(os.Environ(), "PATH="+w.path, "WORKSHOP="+w.folder, "LC_ALL=de_DE.UTF-8")
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
		"efficiency":      {"2", "6", "9x5", "wdl", "2"},
		"konane-openings": {"2x2", "3x3"},
		"konane-setups":   {"2x2", "certify"},
		"proofs":          {"made", "1", "3x3", "5x5"},
		"complete-proofs": {"made", "1", "3x3", "5x5"},
		"phutball-boards": {"3x3", "3x4"},
		"prove-9x5":       {"made"},
	}
}

// TestScriptsThatMeasureFailWithTheProgram: whichever call of the program fails, the script does,
// and says what the program said. Numbers are read and written as programs do, whatever the
// user's language.
func TestScriptsThatMeasureFailWithTheProgram(t *testing.T) {
	const mostCalls = 6 // after which scripts go round again
	for script, args := range measuring() {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			calls := mostCalls
			for failing := 0; failing <= min(calls, mostCalls); failing++ {
				w := newWorkshop(t, script, fmt.Sprintf(`
if [ "$LC_ALL" != C ]; then echo 'paika: numbers have a comma' >&2; exit 5; fi
if [ "$(wc -l <"$WORKSHOP/calls")" = %d ]; then echo 'paika: the disk is full' >&2; exit 4; fi
while [ $# -gt 0 ]; do
	if [ "$1" = --out ]; then touch "$2" "$2.white" "$2.black"; fi
	shift
done
echo '%s'
`, failing, answers))
				w.write(t, "programs/time", "#!/usr/bin/env bash\necho 1 s >\"$2\"\nshift 4\nexec \"$@\"\n")
				status, out, complaints := w.run(t, args...)
				if failing == 0 {
					if calls = strings.Count(w.read(t, "calls"), "\n"); status != 0 || calls == 0 {
						t.Fatalf("nothing fails: status %d after %d calls, %s\n%s", status, calls, complaints, out)
					}
					continue
				}
				if status == 0 || !strings.Contains(complaints, "the disk is full") {
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
