package usage

import (
	"strconv"
	"strings"
)

// Amount is bytes for people, in MiB and rounded down. What is less than a MiB is told to
// the byte: "1,008 MiB", "500 KiB", "1,500 bytes".
func Amount(bytes uint64) string {
	switch {
	case bytes >= 1<<20:
		return Thousands(bytes>>20) + " MiB"
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return Thousands(bytes>>10) + " KiB"
	}
	return Bytes(bytes)
}

// Allowed says that so many bytes are allowed, as Amount writes them.
func Allowed(bytes uint64) string {
	if bytes == 1 {
		return Bytes(1) + " is allowed"
	}
	return Amount(bytes) + " are allowed"
}

// Needed is bytes for people, in MiB and rounded up: who allows as much is not refused for less.
func Needed(bytes uint64) string {
	const mib = 1 << 20
	return Thousands(bytes/mib+min(bytes%mib, 1)) + " MiB"
}

// Bytes is a number of bytes to the byte: "1 byte", "1,500 bytes".
func Bytes(n uint64) string {
	if n == 1 {
		return "1 byte"
	}
	return Thousands(n) + " bytes"
}

// Thousands is a number with a comma at every third digit: "1,500".
func Thousands(n uint64) string { return Grouped(strconv.FormatUint(n, 10)) }

// Grouped is a number of any size in decimal, with a comma at every third digit.
func Grouped(digits string) string {
	var b strings.Builder
	for i, digit := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return b.String()
}
