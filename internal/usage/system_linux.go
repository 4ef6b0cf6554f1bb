package usage

import (
	"bytes"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// ResetPeak makes PeakBytes count from now on, and tells whether it can.
func ResetPeak() bool { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) == nil }

// PeakBytes is the most memory that the program has had in use since, in bytes.
func PeakBytes() uint64 {
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

// Everyone is the processor time that all programs have taken since the system
// started, on the processors that this one may use (runtime.NumCPU).
func Everyone() time.Duration {
	stat, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0
	}
	var mine unix.CPUSet
	if unix.SchedGetaffinity(0, &mine) != nil {
		return 0
	}
	taken, err := busy(stat, mine.IsSet)
	if err != nil {
		return 0
	}
	return taken
}

// tick is the unit of /proc/stat.
const tick = time.Second / 100

// busy adds up what /proc/stat tells of some processors at work.
func busy(stat []byte, of func(cpu int) bool) (taken time.Duration, err error) {
	ticks := int64(0)
	for line := range bytes.Lines(stat) {
		words := bytes.Fields(line)
		if len(words) == 0 {
			continue
		}
		// cpuN user nice system idle iowait irq softirq steal guest ...; cpu itself is all of them.
		number, found := bytes.CutPrefix(words[0], []byte("cpu"))
		if cpu, err := strconv.Atoi(string(number)); !found || err != nil || !of(cpu) {
			continue
		}
		for i, word := range words {
			if i == 0 || i == 4 || i == 5 || i > 8 {
				continue
			}
			n, err := strconv.ParseInt(string(word), 10, 64)
			if err != nil {
				return 0, err
			}
			ticks += n
		}
	}
	return time.Duration(ticks) * tick, nil
}
