//go:build unix

package usage

import (
	"time"

	"golang.org/x/sys/unix"
)

// Processor is the processor time that the program has taken.
func Processor() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
