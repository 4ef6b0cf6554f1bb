package command

import (
	"strings"
	"testing"
)

// A dry run only reads, and so it goes beside others who read. A repair does not.
func TestADryRunOfARepairIsBesideReaders(t *testing.T) {
	dir, telo := builtTelo(t)
	tables, err := telo.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	status, stdout, stderr := runQuietly(t, "repair", "--board", "telo", "--db", dir, "--dry-run")
	if status != done || !strings.Contains(stdout, "nothing is wrong") {
		t.Errorf("a dry run: exit status %d, %q, %q", status, stdout, stderr)
	}
	status, _, stderr = runQuietly(t, "repair", "--board", "telo", "--db", dir)
	if status != unavailable || !strings.Contains(stderr, "writing to "+dir+" or reading from it") {
		t.Errorf("a repair: exit status %d, %q", status, stderr)
	}
}
