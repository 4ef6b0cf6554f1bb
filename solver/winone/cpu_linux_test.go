package winone

import (
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is what the thread has had of the processor.
func cpuTime() time.Duration {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t); err != nil {
		panic(err)
	}
	return time.Duration(t.Nano())
}
