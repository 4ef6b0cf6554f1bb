package lasting

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Nothing is there to be removed on a disk that nothing can be removed from. Root alone
// can mount one.
func TestRemoveOnAReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("no disk of our own: %v", err)
	}
	t.Cleanup(func() { unix.Unmount(dir, unix.MNT_DETACH) })
	there := filepath.Join(dir, "there")
	if err := os.WriteFile(there, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", dir, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("cannot make the disk read-only: %v", err)
	}
	if err := Remove(filepath.Join(dir, "nothing")); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := Remove(there); err == nil {
		t.Error("a file that is there is said to be removed")
	}
}
