package command

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestAnEmbeddedHubBuildsAsTheCommandDoes, and what is there is not built again.
func TestAnEmbeddedHubBuildsAsTheCommandDoes(t *testing.T) {
	for _, args := range [][]string{
		{"--board", "3x3", "--pieces", "4"},
		{"--board", "3x3", "--slices", "2v1", "--metric", "dtw"},
		{"konane", "--board", "2x3", "--pieces", "all"},
	} {
		dir := t.TempDir()
		plain, shared := filepath.Join(dir, "plain"), filepath.Join(dir, "shared")
		args := append(append([]string{"build"}, args...), "--workers", "2", "--quiet")
		for range 2 {
			want, _ := verifiedBy(t, done, append(args, "--db", plain)...)
			got, _ := verifiedBy(t, done, append(args, "--db", shared, "--hub", "embedded")...)
			delete(want, "disk_bytes") // of files in which tables lie in another order
			delete(got, "disk_bytes")
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%v\nwant %v", got, want)
			}
			if _, err := os.Stat(shared + hubSuffix); !os.IsNotExist(err) {
				t.Errorf("the hub's folder is still there: %v", err)
			}
		}
	}
}

// TestAHubThatCantBuildSaysWhy, with the statuses of the command without a hub.
func TestAHubThatCantBuildSaysWhy(t *testing.T) {
	folder, foreign := filepath.Join(t.TempDir(), "db"), t.TempDir()
	for _, c := range []struct {
		want int
		args []string
	}{
		{misused, []string{"--pieces", "99"}},
		{misused, []string{"--slices", "9v9"}},
		{misused, []string{"--dry-run"}},
		{misused, []string{"--creds", "none"}},
		{undecided, []string{"--memory", "1M"}},
	} {
		status, _, faults := runQuietly(t, append([]string{"build", "--board", "3x3", "--hub", "embedded", "--db", folder}, c.args...)...)
		if status != c.want {
			t.Errorf("%v: status %d, want %d: %s", c.args, status, c.want, faults)
		}
		if _, err := os.Stat(folder + hubSuffix); !os.IsNotExist(err) {
			t.Errorf("%v: the hub's folder is there, with nothing in it: %v", c.args, err)
		}
	}
	if err := os.WriteFile(filepath.Join(foreign, "letter"), []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, faults := runQuietly(t, "build", "--board", "3x3", "--pieces", "2", "--hub", "embedded", "--db", foreign)
	want, _, _ := runQuietly(t, "build", "--board", "3x3", "--pieces", "2", "--db", foreign)
	if status != want || !strings.Contains(faults, "letter") {
		t.Errorf("status %d, want %d: %s", status, want, faults)
	}
}

// TestWhatIsKeptStandsBesideTheFolder of the tables, also where that is named by a dot: nothing
// else is in it, or it would be none of tables.
func TestWhatIsKeptStandsBesideTheFolder(t *testing.T) {
	tables := filepath.Join(t.TempDir(), "tables")
	if err := os.Mkdir(tables, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(tables)
	here := []string{"--board", "5x3", "--workers", "1", "--db", "."}
	if status, _, faults := runQuietly(t, append([]string{"build", "--pieces", "3", "--hub", "embedded"}, here...)...); status != done {
		t.Fatalf("status %d: %s", status, faults)
	}
	status, said, faults := runQuietly(t, append([]string{"prove", "--claim", "white-wins", "--nodes", "100", "--json"}, here...)...)
	var proved struct{ Checkpoint string }
	if err := json.Unmarshal([]byte(said), &proved); err != nil || status != undecided {
		t.Fatalf("status %d: %s: %v", status, faults, err)
	}
	if want := tables + searchSuffix; filepath.Dir(proved.Checkpoint) != want {
		t.Errorf("the checkpoint is %s, want one in %s", proved.Checkpoint, want)
	}
	if litter, err := filepath.Glob("..*"); err != nil || len(litter) > 0 {
		t.Errorf("among the tables lie %v, %v", litter, err)
	}
	if status, _, faults := runQuietly(t, append([]string{"verify"}, here...)...); status != done {
		t.Errorf("status %d: %s", status, faults)
	}
}
