package bench

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// resetPeak makes peakBytes count from now on, and tells whether it can.
func resetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// peakBytes is the most memory that the process has had in use since, or 0 where
// the system does not tell.
func peakBytes() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, found := bytes.Cut(status, []byte("VmHWM:"))
	words := bytes.Fields(rest)
	if !found || len(words) == 0 {
		return 0
	}
	kib, err := strconv.ParseUint(string(words[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

// busyTime is the processor time that all programs of the system have taken since
// it started, or 0 where the system does not tell.
func busyTime() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	// cpu user nice system idle iowait irq softirq steal ..., in hundredths of a second.
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	var ticks int64
	for i, word := range bytes.Fields(line) {
		switch n, err := strconv.ParseInt(string(word), 10, 64); {
		case i == 0 || i == 4 || i == 5 || i > 8:
		case err != nil:
			return 0
		default:
			ticks += n
		}
	}
	return time.Duration(ticks) * time.Second / 100
}

// cpuTime is the processor time that the program has taken, or 0 where the system
// does not tell.
func cpuTime() time.Duration {
	var usage unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
