package usage

import (
	"bytes"
	"os"
	"strconv"
	"time"
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
// started.
func Everyone() time.Duration {
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
