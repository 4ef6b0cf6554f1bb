package command

import (
	"os"
	"path/filepath"
	"testing"
)

// A group is bound by its own limit and by those of the groups around it.
func TestGroupMemory(t *testing.T) {
	const mib = 1 << 20
	root := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if got := groupMemory(root, "/"); got != ^uint64(0) {
		t.Errorf("no limit anywhere: %d bytes", got)
	}
	write("memory.max", "1073741824\n") // 1 GiB
	write("memory.current", "209715200\n")
	write("a/memory.max", "max\n")
	write("a/memory.current", "104857600\n")
	if got := groupMemory(root, "/a"); got != 824*mib {
		t.Errorf("limit of the group around: %d MiB, want 824", got/mib)
	}
	write("a/b/memory.max", "314572800\n")
	write("a/b/memory.current", "104857600\n")
	write("a/b/memory.stat", "anon 52428800\ninactive_file 52428800\n")
	if got := groupMemory(root, "/a/b"); got != 250*mib {
		t.Errorf("own limit: %d MiB, want 250", got/mib)
	}
}

func TestGroupPath(t *testing.T) {
	for text, want := range map[string]string{
		"0::/\n":                             "/",
		"0::/user.slice/x.scope\n":           "/user.slice/x.scope",
		"1:cpu:/y\n0::/z\n":                  "/z",
		"1:cpu:/y\n":                         "/",
		"0::/../outside of the name space\n": "/outside of the name space",
	} {
		if got := groupPath([]byte(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFreeMemoryIsKnown(t *testing.T) {
	if free := freeMemory(); free == 0 || free > 1<<50 {
		t.Errorf("%d bytes are free", free)
	}
}
