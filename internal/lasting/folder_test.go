package lasting

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder is lost with the one above it, unless that one has its name on disk.
func TestAFolderLastsWithAllAboveIt(t *testing.T) {
	top := t.TempDir()
	t.Chdir(top)
	if err := os.MkdirAll(filepath.Join("there", "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	separator := string(filepath.Separator)
	for _, c := range []struct {
		dir    string
		synced []string // folders in which names are new, from the top
	}{
		{"there", nil},
		{"one", []string{"."}},
		{filepath.Join("two", "levels"), []string{".", "two"}},
		{filepath.Join("two", "levels") + separator, nil},
		{filepath.Join("two", "of", "them") + separator, []string{"two", filepath.Join("two", "of")}},
		{filepath.Join(top, "all", "a", "b"), []string{top, filepath.Join(top, "all"), filepath.Join(top, "all", "a")}},
	} {
		var synced []string
		err := makeFolder(c.dir, 0o777, func(dir string) error {
			synced = append(synced, filepath.Clean(dir))
			return nil
		})
		if err != nil || !slices.Equal(synced, c.synced) {
			t.Errorf("%s: %q were synced, want %q, error %v", c.dir, synced, c.synced, err)
		}
		if !isFolder(c.dir) {
			t.Errorf("%s is not there", c.dir)
		}
	}
}

// What is done in a folder is done whether it is new or not, and not where there is none.
func TestAFolderIsMadeForSomething(t *testing.T) {
	dir, failed := filepath.Join(t.TempDir(), "above", "folder"), errors.New("a test")
	for _, want := range []error{failed, nil} {
		done := false
		err := MakeFolderFor(dir, 0o777, func() error {
			done = isFolder(dir)
			return want
		})
		if !done || !errors.Is(err, want) {
			t.Errorf("done %t, error %v, want %v", done, err, want)
		}
	}
	file := filepath.Join(dir, "file")
	write(t, file, "")
	if err := MakeFolderFor(file, 0o777, func() error { t.Error("done in a file"); return nil }); err == nil {
		t.Error("no error in the place of a file")
	}
}

// What is to go and can't, as a folder with something in it, stays with all else.
func TestAFolderIsEmptiedOfWhatGoes(t *testing.T) {
	dir, target := filepath.Join(t.TempDir(), "above", "folder"), filepath.Join(t.TempDir(), "target")
	goes := func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "goes-") }
	if err := EmptyFolder(dir, goes); err != nil || !isFolder(dir) {
		t.Fatalf("a folder that is not there: %v", err)
	}
	for _, sub := range []string{"goes-empty", "goes-full", "stays-empty"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"goes-file", "stays-file", filepath.Join("goes-full", "goes-below")} {
		write(t, filepath.Join(dir, file), "")
	}
	write(t, target, "")
	want := []string{"goes-full", "stays-empty", "stays-file"}
	if err := os.Symlink(target, filepath.Join(dir, "goes-link")); err != nil {
		t.Log(err)
	}
	if err := EmptyFolder(dir, goes); err != nil {
		t.Error(err)
	}
	onlyFiles(t, dir, want...)
	onlyFiles(t, filepath.Join(dir, "goes-full"), "goes-below")
	onlyFiles(t, filepath.Dir(target), "target")
}

// Behind a link, the folder above is that of where the link leads.
func TestAFolderBehindALinkAndBack(t *testing.T) {
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, "far", "below"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(top, "far", "below"), filepath.Join(top, "link")); err != nil {
		t.Skip(err)
	}
	separator := string(filepath.Separator)
	dir := filepath.Join(top, "link") + separator + ".." + separator + "new"
	if err := MakeFolder(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if !isFolder(dir) {
		t.Error("it is not there by its name")
	}
	if err := MakeFolder(filepath.Join(top, "link", "under"), 0o777); err != nil || !isFolder(filepath.Join(top, "far", "below", "under")) {
		t.Errorf("a folder under a link: %v", err)
	}
}

func TestWhatIsNoFolderIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, dir := range []string{file, filepath.Join(file, "under"), filepath.Join(file, "under", "it"), ""} {
		want := os.MkdirAll(dir, 0o777)
		if err := MakeFolder(dir, 0o777); err == nil || errors.Is(err, os.ErrNotExist) != errors.Is(want, os.ErrNotExist) {
			t.Errorf("%q: %v, want %v", dir, err, want)
		}
	}
	failed := errors.New("no sync")
	if err := makeFolder(filepath.Join(filepath.Dir(file), "new"), 0o777, func(string) error { return failed }); !errors.Is(err, failed) {
		t.Errorf("a folder that can't be synced: %v", err)
	}
}

// A name that a link has which leads nowhere is not free, though no folder is there: the link is told,
// and nothing is made where it leads, which may be a disk that is not there at the moment.
func TestALinkThatLeadsNowhereIsTold(t *testing.T) {
	top := t.TempDir()
	link, away := filepath.Join(top, "link"), filepath.Join(top, "away")
	if err := os.Symlink(away, link); err != nil {
		t.Skip(err)
	}
	for _, dir := range []string{link, link + string(filepath.Separator), filepath.Join(link, "under")} {
		err := MakeFolder(dir, 0o777)
		if want := "it is a link to " + away + ", and nothing is there"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", dir, err, want)
		}
	}
	if _, err := os.Lstat(away); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s: %v, want it not to be made", away, err)
	}
}
