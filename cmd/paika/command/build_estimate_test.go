package command

import "testing"

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		60: "1 min 00 s", 124.6: "2 min 05 s", 3599.4: "59 min 59 s", 3599.6: "1 h 00 min", 9130: "2 h 32 min", 4e6: "1,111 h 07 min",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("duration(%v) = %q, want %q", seconds, got, want)
		}
	}
}
