package usage

import "fmt"

// Amount is bytes for people, in MiB and rounded down. What is less than a MiB is told to
// the byte: "12 MiB", "500 KiB", "1500 B".
func Amount(bytes uint64) string {
	switch {
	case bytes >= 1<<20:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d B", bytes)
}

// Needed is bytes for people, in MiB and rounded up: who allows as much is not refused for less.
func Needed(bytes uint64) string {
	const mib = 1 << 20
	return fmt.Sprintf("%d MiB", bytes/mib+min(bytes%mib, 1))
}
