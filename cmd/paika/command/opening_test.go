package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// One table serves every spelling of an opening, in a folder that every system
// can make.
func TestSpellingsOfAnOpeningShareTheirTables(t *testing.T) {
	base := t.TempDir()
	t.Setenv(dataVariable, base)
	konane := func(command, opening string, more ...string) (status int, stdout, stderr string) {
		return runQuietly(t, append([]string{command, "konane", "--board", "3x3", "--opening", opening}, more...)...)
	}
	if status, _, stderr := konane("build", "gap:b1-a1", "--pieces", "4"); status != done {
		t.Fatal(stderr)
	}
	for _, opening := range []string{"corner-h", "gap:a1-b1", "gap:b1-a1"} {
		if status, stdout, stderr := konane("stats", opening); status != done || !strings.Contains(stdout, "2v2") {
			t.Errorf("%s: %s%s", opening, stdout, stderr)
		}
	}
	if status, _, stderr := konane("build", "gap:c2-b2", "--pieces", "2"); status != done {
		t.Fatal(stderr)
	}
	if status, _, stderr := konane("build", "gap:c3-c2", "--pieces", "2"); status != done {
		t.Fatal(stderr)
	}
	entries, err := os.ReadDir(base)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	// b2-c2 is middle-h there.
	if got, want := strings.Join(folders, " "), "konane-3x3,opening=corner-h konane-3x3,opening=gap_c2-c3 konane-3x3,opening=middle-h"; got != want {
		t.Errorf("folders %s, want %s", got, want)
	}
	status, stdout, _ := runQuietly(t, "games")
	for _, name := range folders {
		if status != done || !strings.Contains(stdout, filepath.Join(base, name)) {
			t.Errorf("games do not find %s", name)
		}
	}
}

// Certificates written before openings had one spelling are still good.
func TestCertificatesWithOtherSpellings(t *testing.T) {
	for _, file := range []string{"gap-b1-a1.proof", "corner-h.proof"} {
		status, stdout, stderr := runQuietly(t, "check", filepath.Join("testdata", file))
		if status != done || !strings.Contains(stdout, "white-wins: valid") {
			t.Errorf("%s: %s%s", file, stdout, stderr)
		}
	}
	out := filepath.Join(t.TempDir(), "new.proof")
	if status, _, stderr := runQuietly(t, "prove", "konane", "--board", "4x4", "--opening", "gap:b1-a1", "--claim", "white-wins", "--out", out, "--db", t.TempDir()); status != done {
		t.Fatal(stderr)
	}
	if _, stdout, _ := runQuietly(t, "check", out); !strings.Contains(stdout, "rules opening=corner-h, from") {
		t.Errorf("the certificate is not in the one spelling: %s", stdout)
	}
}
