//go:build !linux

package bench

import "time"

// resetPeak tells that peakBytes cannot count.
func resetPeak() bool { return false }

func peakBytes() uint64 { return 0 }

func cpuTime() time.Duration { return 0 }

func busyTime() time.Duration { return 0 }
