//go:build unix

package usage

import "golang.org/x/sys/unix"

// OpenFiles is how many files the program may have open at a time.
func OpenFiles() uint64 {
	var limit unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0
	}
	return uint64(limit.Cur)
}
