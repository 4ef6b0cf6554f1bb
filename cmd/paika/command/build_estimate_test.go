package command

import (
	"errors"
	"os"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		60: "1 min 00 s", 124.6: "2 min 05 s", 3599.4: "59 min 59 s", 3599.6: "1 h 00 min", 9130: "2 h 32 min", 4e6: "1,111 h 07 min",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %q, want %q", seconds, got, want)
		}
	}
}

// TestLittleDiskIsToldApart: a group that takes less than a MiB of the disk takes less than 1,
// and nothing takes 0.
func TestLittleDiskIsToldApart(t *testing.T) {
	for bytes, want := range map[uint64]string{0: "0", 1: "<1", 1<<20 - 1: "<1", 1 << 20: "1", 1<<20 + 1: "2"} {
		var out strings.Builder
		g := catalogue.GroupEstimate{Slices: "3v3", Memory: 1 << 20, Bytes: bytes}
		if err := printEstimate(&out, catalogue.Estimate{Groups: []catalogue.GroupEstimate{g}, Total: g}, catalogue.BuildOptions{Memory: 1 << 20}); err != nil {
			t.Fatal(err)
		}
		for _, row := range strings.Split(out.String(), "\n")[1:3] {
			if cells := strings.Fields(row); cells[len(cells)-2] != want {
				t.Errorf("%d bytes: %q, want %s", bytes, row, want)
			}
		}
	}
}

// TestSlowGroupsAreNamed: those that are to be solved, for which memory does, and that more
// would make faster.
func TestSlowGroupsAreNamed(t *testing.T) {
	e := catalogue.Estimate{
		Groups: []catalogue.GroupEstimate{
			{Slices: "1v1", Memory: 10 << 20, Fastest: 90 << 20, Stored: true},
			{Slices: "2v2", Memory: 20 << 20, Fastest: 20 << 20, Seconds: 10, SecondsFastest: 10},
			{Slices: "3v2 2v3", Memory: 20 << 20, Fastest: 60 << 20, Seconds: 30, SecondsFastest: 20},
			{Slices: "3v3", Memory: 30 << 20, Fastest: 70 << 20, Seconds: 50, SecondsFastest: 45},
			{Slices: "4v2 2v4", Memory: 30 << 20, Fastest: 69<<20 + 1, Seconds: 50, SecondsFastest: 49},
		},
		Total: catalogue.GroupEstimate{Memory: 30 << 20, Fastest: 70 << 20, Seconds: 140, SecondsFastest: 124},
	}
	fast := e
	fast.Groups = fast.Groups[:2]
	for _, c := range []struct {
		estimate catalogue.Estimate
		memory   uint64
		want     string
	}{
		{e, 30 << 20, "more memory makes this faster: 3v2 2v3, 3v3; with --memory 70MiB all takes 2 min 04 s\n"},
		{fast, 30 << 20, ""},
		{e, 20 << 20, "the build needs 30 MiB of memory, and 20 MiB are allowed\n"},
	} {
		var out strings.Builder
		if err := printEstimate(&out, c.estimate, catalogue.BuildOptions{Memory: c.memory}); err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(out.String(), "\n")
		if told := strings.Join(lines[2+len(c.estimate.Groups):], ""); told != c.want {
			t.Errorf("with %d bytes:\n%swant\n%s", c.memory, out.String(), c.want)
		}
	}
}

// TestADryRunOfTablesThatWereNotClosedNamesTheWayOut: to put them in order, or to build on.
func TestADryRunOfTablesThatWereNotClosedNamesTheWayOut(t *testing.T) {
	dir := t.TempDir()
	store := openedStore(t, dir)
	killed := t.TempDir()
	if err := errors.Join(os.CopyFS(killed, os.DirFS(dir)), store.Close()); err != nil {
		t.Fatal(err)
	}
	args := []string{"build", "--board", "telo", "--pieces", "2", "--db", killed}
	status, _, stderr := runQuietly(t, append(args, "--dry-run")...)
	want := "could close the tables: repair them with: paika repair fanorona --board telo --db " + killed + "; or build without --dry-run, which goes on with them\n"
	if status != unavailable || !strings.HasSuffix(stderr, want) {
		t.Errorf("exit status %d, %q, want %q", status, stderr, want)
	}
	if status, _, stderr := runQuietly(t, args...); status != done {
		t.Errorf("a build: exit status %d, %s", status, stderr)
	}
	if status, _, stderr := runQuietly(t, append(args, "--dry-run")...); status != done {
		t.Errorf("a dry run after it: exit status %d, %s", status, stderr)
	}
}

// TestMuchMemoryIsToldInGiB, as where a hub's workers have too little.
func TestMuchMemoryIsToldInGiB(t *testing.T) {
	g := catalogue.GroupEstimate{Slices: "3v3", Memory: 9 << 30, Fastest: 11<<30 + 1, Seconds: 10, SecondsFastest: 9}
	var out strings.Builder
	if err := printEstimate(&out, catalogue.Estimate{Groups: []catalogue.GroupEstimate{g}, Total: g}, catalogue.BuildOptions{Memory: 9 << 30}); err != nil {
		t.Fatal(err)
	}
	if want := "; with --memory 12GiB all takes 9.00 s\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("%swant %s", out.String(), want)
	}
}

// TestWhatWasMeasuredIsNamed: all groups together, since times go by all of them.
func TestWhatWasMeasuredIsNamed(t *testing.T) {
	groups := []catalogue.Measured{
		{Slices: "1v1", Indices: 1000, Processor: 0.5},
		{Slices: "2v2", Indices: 3000, Processor: 2},
		{Slices: "3v1 1v3", Indices: 2000, Processor: 1},
	}
	for n, want := range map[int]string{
		0: "",
		1: "\ntime as for 1v1, 1,000 indices in 0.50 s of processor time, with a core to each of 2 workers\n",
		3: "\ntime as for 3 groups up to 2v2, 6,000 indices in 3.50 s of processor time, with a core to each of 2 workers\n",
	} {
		var out strings.Builder
		if err := printEstimate(&out, catalogue.Estimate{Measured: groups[:n]}, catalogue.BuildOptions{Workers: 2}); err != nil {
			t.Fatal(err)
		}
		if told := strings.Contains(out.String(), "time as for"); told != (n > 0) || !strings.Contains(out.String(), want) {
			t.Errorf("of %d groups:\n%swant\n%s", n, out.String(), want)
		}
	}
}
