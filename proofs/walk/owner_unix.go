//go:build unix

package walk

import (
	"io/fs"
	"os"
	"syscall"
)

// own tells whether a file belongs to the user.
func own(info fs.FileInfo) bool {
	system, known := info.Sys().(*syscall.Stat_t)
	return known && int(system.Uid) == os.Geteuid()
}

// shared tells whether others than its owner may do something with a file that is in a mode.
func shared(info fs.FileInfo, mode fs.FileMode) bool { return info.Mode().Perm()&mode != 0 }
