//go:build !linux

package usage

import "time"

// ResetPeak tells that PeakBytes cannot count.
func ResetPeak() bool { return false }

// PeakBytes is not known.
func PeakBytes() uint64 { return 0 }

// Everyone is not known.
func Everyone() time.Duration { return 0 }
