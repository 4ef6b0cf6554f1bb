package usage_test

import (
	"runtime"
	"testing"

	"paika/internal/usage"
)

// An amount is never nothing where there is something.
func TestAmountsAreForPeople(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: "0 B", 1: "1 B", 1500: "1500 B", 500_000: "500000 B", 500 << 10: "500 KiB", 1<<20 - 1: "1048575 B",
		1 << 20: "1 MiB", 2<<20 - 1: "1 MiB", 3 << 30: "3072 MiB",
	} {
		if got := usage.Amount(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}

// Who allows what is said to be needed allows enough.
func TestWhatIsNeededIsEnough(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: "0 MiB", 1: "1 MiB", 1 << 20: "1 MiB", 1<<20 + 1: "2 MiB", 1<<64 - 1: "17592186044416 MiB",
	} {
		if got := usage.Needed(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}

// What the program takes is part of what all take.
func TestWorkIsSeen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells everything")
	}
	before := usage.Processor()
	for n := 0; usage.Processor() == before; n++ {
	}
	if own, all := usage.Processor(), usage.Everyone(); own <= before || all > 0 && all < own/2 {
		t.Errorf("%v taken by the program, %v by all", own, all)
	}
	if !usage.ResetPeak() {
		t.Skip("the system does not let peaks be counted anew")
	}
	taken := make([]byte, 64<<20)
	for i := 0; i < len(taken); i += 4 << 10 {
		taken[i] = 1
	}
	if peak := usage.PeakBytes(); peak < uint64(len(taken)) {
		t.Errorf("%d bytes at the peak, of them %d at once", peak, len(taken))
	}
	runtime.KeepAlive(taken)
}
