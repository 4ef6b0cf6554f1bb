package usage_test

import (
	"runtime"
	"testing"

	"paika/internal/usage"
)

// An amount is never nothing where there is something.
func TestAmountsAreForPeople(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: "0 bytes", 1: "1 byte", 1500: "1,500 bytes", 500_000: "500,000 bytes", 500 << 10: "500 KiB", 1<<20 - 1: "1,048,575 bytes",
		1 << 20: "1 MiB", 2<<20 - 1: "1 MiB", 1008 << 20: "1,008 MiB", 3 << 30: "3,072 MiB",
	} {
		if got := usage.Amount(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}

func TestWhatIsAllowedIsOneOrMany(t *testing.T) {
	for bytes, want := range map[uint64]string{1: "1 byte is allowed", 2: "2 bytes are allowed", 1 << 20: "1 MiB are allowed"} {
		if got := usage.Allowed(bytes); got != want {
			t.Errorf("%d bytes: %s, want %s", bytes, got, want)
		}
	}
}

// Who allows what is said to be needed allows enough.
func TestWhatIsNeededIsEnough(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: "0 MiB", 1: "1 MiB", 1 << 20: "1 MiB", 1<<20 + 1: "2 MiB", 1<<64 - 1: "17,592,186,044,416 MiB",
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
