package command

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes as a flag: 4G and 4GiB are 4*2^30 bytes, 4GB is
// 4*10^9. Zero means that the flag was not given.
type size uint64

func (s *size) Set(text string) error {
	digits := strings.TrimRight(text, "KMGTPEiBkmgtpeb")
	unit := text[len(digits):]
	factor, known := unitBytes(unit)
	n, err := strconv.ParseFloat(digits, 64)
	switch {
	case err != nil || !known || math.IsNaN(n):
		return errors.New("want a number of bytes such as 4G or 512MiB")
	case n*factor < 1:
		return errors.New("that is less than a byte: want a number of bytes such as 4G or 512MiB")
	case n*factor >= math.MaxInt64:
		return errors.New("that is more than any machine has: want a number of bytes such as 4G or 512MiB")
	}
	*s = size(n * factor)
	return nil
}

// unitBytes is the number of bytes in a unit: "", "B", "K", "KiB", "KB" and so on.
func unitBytes(unit string) (factor float64, known bool) {
	if unit == "" || strings.EqualFold(unit, "B") {
		return 1, true
	}
	power := 1 + strings.IndexByte("KMGTPE", strings.ToUpper(unit)[0])
	if power == 0 {
		return 0, false
	}
	switch strings.ToUpper(unit[1:]) {
	case "", "IB":
		return math.Pow(1024, float64(power)), true
	case "B":
		return math.Pow(1000, float64(power)), true
	}
	return 0, false
}

func (s *size) String() string {
	if *s == 0 {
		return ""
	}
	return formatBytes(uint64(*s))
}

func (s *size) Type() string { return "SIZE" }

// formatBytes writes a number of bytes with a binary unit.
func formatBytes(n uint64) string {
	const units = "KMGTPE"
	if n < 1024 {
		return fmt.Sprintf("%d B", n)
	}
	value, unit := float64(n)/1024, 0
	for value >= 1024 {
		value /= 1024
		unit++
	}
	return fmt.Sprintf("%.1f %ciB", value, units[unit])
}

// enoughMemory is the least --memory in whole MiB, or in whole GiB where that is a lot, that is no
// less than a number of bytes.
func enoughMemory(n uint64) string {
	if n > 10<<30 {
		return fmt.Sprintf("%dGiB", roundUp(n, 1<<30))
	}
	return fmt.Sprintf("%dMiB", roundUp(max(n, 1), 1<<20))
}

// roundUp is a number of bytes in a unit of so many.
func roundUp(n, unit uint64) uint64 { return n/unit + min(n%unit, 1) }
