package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// machine is a folder with the kernel's figures, and one for each of the control
// groups' file systems.
type machine struct {
	t                 *testing.T
	proc, v1, unified string
}

const mib = 1 << 20

// newMachine has 1,000 MiB available, and one process, in a group of each form.
// The mounts show the groups from root on.
func newMachine(t *testing.T, groups, root string) machine {
	dir := t.TempDir()
	m := machine{t, filepath.Join(dir, "proc"), filepath.Join(dir, "memory"), filepath.Join(dir, "unified")}
	m.write(m.proc, "meminfo", "MemTotal: 4096000 kB\nMemAvailable: 1024000 kB\n")
	m.write(m.proc, "7/cgroup", groups)
	m.write(m.proc, "7/mountinfo", strings.NewReplacer("ROOT", root, "DIR", dir).Replace(
		"32 31 0:29 ROOT DIR/cpu rw,relatime - cgroup cgroup rw,cpu\n"+
			"35 31 0:32 ROOT DIR/memory rw,relatime - cgroup cgroup rw,memory\n"+
			"41 31 0:38 ROOT DIR/unified rw,relatime - cgroup2 cgroup2 rw\n"))
	if err := os.Symlink("7", filepath.Join(m.proc, "self")); err != nil {
		t.Fatal(err)
	}
	if got := freeMemoryBy(m.proc); got != 1000*mib {
		t.Fatalf("no limit anywhere: %d MiB, want 1000", got/mib)
	}
	return m
}

func (m machine) write(folder, name, text string) {
	m.t.Helper()
	file := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		m.t.Fatal(err)
	}
}

func (m machine) wantFree(what string, want uint64) {
	m.t.Helper()
	if got := freeMemoryBy(m.proc); got != want*mib {
		m.t.Errorf("%s: %d MiB are free, want %d", what, got/mib, want)
	}
}

// A group is bound by its own limit and by those of the groups around it.
func TestGroupsBoundMemory(t *testing.T) {
	m := newMachine(t, "1:cpu:/y\n0::/a/b\n", "/")
	m.write(m.unified, "memory.max", "1073741824\n") // 1 GiB
	m.write(m.unified, "memory.current", "209715200\n")
	m.write(m.unified, "a/memory.max", "max\n")
	m.write(m.unified, "a/memory.current", "104857600\n")
	m.wantFree("limit of the group around", 824)
	m.write(m.unified, "a/b/memory.max", "314572800\n")
	m.write(m.unified, "a/b/memory.current", "104857600\n")
	m.write(m.unified, "a/b/memory.stat", "anon 52428800\ninactive_file 52428800\n")
	m.wantFree("own limit", 250)
	m.write(m.unified, "a/b/memory.current", "999999999\n")
	m.wantFree("more in use than allowed", 0)
}

// The first version of control groups has other names, and a number of its own
// for no limit.
func TestGroupsOfTheFirstVersionBoundMemory(t *testing.T) {
	m := newMachine(t, "4:memory:/a/b\n1:cpu:/y\n0::/\n", "/")
	m.write(m.v1, "memory.limit_in_bytes", "9223372036854771712\n")
	m.write(m.v1, "memory.usage_in_bytes", "209715200\n")
	m.wantFree("no limit", 1000)
	m.write(m.v1, "a/memory.limit_in_bytes", "838860800\n")
	m.write(m.v1, "a/memory.usage_in_bytes", "209715200\n")
	m.wantFree("limit of the group around", 600)
	m.write(m.v1, "a/b/memory.limit_in_bytes", "314572800\n")
	m.write(m.v1, "a/b/memory.usage_in_bytes", "104857600\n")
	m.write(m.v1, "a/b/memory.stat", "inactive_file 1\ntotal_inactive_file 52428800\n")
	m.wantFree("own limit", 250)
	m.write(m.unified, "memory.max", "104857600\n")
	m.wantFree("both versions", 100)
}

// A container sees the file system from its own group on, whose path may be told
// as its host knows it, or not at all.
func TestContainersSeeTheirOwnGroup(t *testing.T) {
	for _, c := range []struct{ groups, root string }{
		{"4:memory:/docker/1a2b\n", "/docker/1a2b"},
		{"4:memory:/\n", "/docker/1a2b"},
		{"4:memory:/../other\n", "/"},
		{"0::/docker/1a2b\n", "/docker/1a2b"},
		{"0::/\n", "/"},
	} {
		m := newMachine(t, c.groups, c.root)
		m.write(m.v1, "memory.limit_in_bytes", "314572800\n")
		m.write(m.unified, "memory.max", "314572800\n")
		m.wantFree(c.groups+c.root, 300)
	}
}

func TestGroupsInsideAMount(t *testing.T) {
	for _, c := range []struct{ group, root, want string }{
		{"/", "/", "/"},
		{"/user.slice/x.scope", "/", "/user.slice/x.scope"},
		{"/docker/1a/inner", "/docker/1a", "/inner"},
		{"/docker/1abc", "/docker/1a", "/"},
		{"/../outside of the name space", "/", "/outside of the name space"},
	} {
		if got := insideMount(c.group, c.root); got != c.want {
			t.Errorf("%s below %s: %s, want %s", c.group, c.root, got, c.want)
		}
	}
}

func TestFreeMemoryIsKnown(t *testing.T) {
	if free := freeMemory(); free == 0 || free > 1<<50 {
		t.Errorf("%d bytes are free", free)
	}
	if free := freeMemoryBy(t.TempDir()); free != unknownFreeMemory {
		t.Errorf("nothing is told: %d bytes", free)
	}
}

// TestWhereNothingIsFreeThereIsABound all the same: shares of nothing would be none.
func TestWhereNothingIsFreeThereIsABound(t *testing.T) {
	for _, c := range []struct {
		flagged    size
		free, want uint64
	}{{0, 400 * mib, 300 * mib}, {0, 0, leastBudget}, {0, 3, leastBudget}, {1, 400 * mib, 1}, {7 * mib, 0, 7 * mib}} {
		if got := budgetOf(c.flagged, c.free); got != c.want {
			t.Errorf("--memory %d, %d free: %d, want %d", c.flagged, c.free, got, c.want)
		}
	}
}
