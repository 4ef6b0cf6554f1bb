package command

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFoldersOfKilledWorkersAreRemoved by the next worker, and those at work stay. What the folder
// of all is called means nothing.
func TestFoldersOfKilledWorkersAreRemoved(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "[tmp")
	if err := os.Mkdir(parent, 0o777); err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(parent, workPrefix+"KILLED")
	if err := os.WriteFile(killed+".lock", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(killed, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	first, removeFirst, err := workFolder(parent)
	if err != nil {
		t.Fatal(err)
	}
	second, removeSecond, err := workFolder(parent)
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

// TestALinkInPlaceOfAWorkFolderLeadsNowhere: in a folder that all may write, anybody can put one.
func TestALinkInPlaceOfAWorkFolderLeadsNowhere(t *testing.T) {
	parent, victim := t.TempDir(), filepath.Join(t.TempDir(), "victim")
	link := filepath.Join(parent, workPrefix+"LINK")
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
	_, remove, err := workFolder(parent)
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
