package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// setups runs scripts/konane-setups, with what stands in for the program and is given the opening
// as $6 and the side to move as $8. It gives the script's status, its table's rows and the questions.
func setups(t *testing.T, program string, args ...string) (status int, rows, asked []string) {
	t.Helper()
	if _, err := exec.LookPath("bash"); err != nil || runtime.GOOS != "linux" {
		t.Skip("needs Linux, and bash to run the script with")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"paika": "#!/usr/bin/env bash\necho \"$6,$8\" >>\"$ASKED\"\n" + program,
		"go":    "#!/usr/bin/env bash\ncp \"${0%/*}/paika\" \"$3\"\n", // go build -o "$3"
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	questions := filepath.Join(dir, "asked")
	cmd := exec.CommandContext(t.Context(), "bash", append([]string{filepath.Join(root, "scripts", "konane-setups")}, args...)...)
	cmd.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"), "ASKED="+questions)
	out, err := cmd.Output()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if cells := strings.Split(line, " | "); len(cells) > 3 && !strings.Contains(line, "winner") {
			rows = append(rows, strings.TrimPrefix(strings.Join(cells[:3], " "), "| "))
		}
	}
	text, _ := os.ReadFile(questions) // missing where nothing was asked
	return cmd.ProcessState.ExitCode(), rows, strings.Fields(string(text))
}

// A question that a limit leaves undecided is told as that, and the next one is asked. Set-ups and
// sides can be named.
func TestSetupsOfKonaneAreAskedOneByOne(t *testing.T) {
	const limited = `if [ "$6" = corner-h ] && [ "$8" = black ]; then echo '{"winner":null,"nodes":7,"seconds":1}'; exit 3; fi
echo '{"winner":"white","nodes":5,"seconds":0.5}'`
	status, rows, asked := setups(t, limited, "8x7", "corner-h", "middle-v,white")
	want := []string{"corner-h black undecided", "corner-h white white", "middle-v white white"}
	if status != 0 || !slices.Equal(rows, want) || !slices.Equal(asked, []string{"corner-h,black", "corner-h,white", "middle-v,white"}) {
		t.Errorf("status %d: %q, asked %v", status, rows, asked)
	}
	if status, rows, asked := setups(t, limited); status != 0 || len(rows) != 8 || len(asked) != 8 {
		t.Errorf("all of them: status %d: %q, asked %v", status, rows, asked)
	}
	if status, rows, asked := setups(t, limited, "8x7", "corner"); status != 2 || len(rows)+len(asked) > 0 {
		t.Errorf("no such set-up: status %d: %q, asked %v", status, rows, asked)
	}
	const failing = `echo '{"error":{"code":"memory"}}'; exit 3`
	if status, rows, asked := setups(t, failing); status != 3 || len(rows) > 0 || len(asked) != 1 {
		t.Errorf("no answer: status %d: %q, asked %v", status, rows, asked)
	}
}
