//go:build unix

package explorer

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// cutShort reads memory that is mapped from a file, behind where the file now ends.
func cutShort(t testing.TB) byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "mapped"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	page := os.Getpagesize()
	if err := file.Truncate(int64(2 * page)); err != nil {
		t.Fatal(err)
	}
	memory, err := syscall.Mmap(int(file.Fd()), 0, 2*page, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	if err := file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	return memory[page]
}
