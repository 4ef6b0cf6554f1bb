package lasting_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"paika/internal/lasting"
)

const prefix = "paika-test-"

// TestFoldersOfKilledProcessesAreRemoved by the next one, and those at work stay. What the folder
// of all is called means nothing.
func TestFoldersOfKilledProcessesAreRemoved(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "[tmp")
	if err := os.Mkdir(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(parent, prefix+"KILLED")
	if err := os.WriteFile(killed+".lock", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(killed, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	first, removeFirst, err := lasting.TemporaryFolder(parent, prefix)
	if err != nil {
		t.Fatal(err)
	}
	second, removeSecond, err := lasting.TemporaryFolder(parent, prefix)
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{first, second} {
		if _, err := os.Stat(dir); err != nil {
			t.Error(err)
		}
	}
	removeFirst()
	removeSecond()
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestALinkInPlaceOfATemporaryFolderLeadsNowhere: in a folder that all may write, anybody can put one.
func TestALinkInPlaceOfATemporaryFolderLeadsNowhere(t *testing.T) {
	parent, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	link := filepath.Join(parent, prefix+"LINK")
	if err := os.Symlink(victim, link); err != nil {
		t.Skip(err)
	}
	files := []string{filepath.Join(victim, "file"), victim + ".lock"}
	if err := os.Mkdir(victim, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, link+".lock") {
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, remove, err := lasting.TemporaryFolder(parent, prefix)
	if err != nil {
		t.Fatal(err)
	}
	remove()
	for _, file := range files {
		if _, err := os.Stat(file); err != nil {
			t.Errorf("a file of somebody else is gone: %v", err)
		}
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestTemporaryFoldersOfTheSamePrefixAloneAreRemoved: what no lock stands beside is none of these.
func TestTemporaryFoldersOfTheSamePrefixAloneAreRemoved(t *testing.T) {
	parent := t.TempDir()
	for _, name := range []string{"other-KILLED", prefix + "unlocked"} {
		if err := os.Mkdir(filepath.Join(parent, name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(parent, "other-KILLED.lock"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	_, remove, err := lasting.TemporaryFolder(parent, prefix)
	if err != nil {
		t.Fatal(err)
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(parent); err != nil || len(left) != 3 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestTemporaryFoldersAreMadeAtOnce: who looks for those that were left may lock one that another
// is about to make.
func TestTemporaryFoldersAreMadeAtOnce(t *testing.T) {
	parent := t.TempDir()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 1000 {
				_, remove, err := lasting.TemporaryFolder(parent, prefix)
				if err == nil {
					err = remove()
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if left, err := os.ReadDir(parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
