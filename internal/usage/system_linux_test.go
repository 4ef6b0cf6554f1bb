package usage

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// stat is what a system of four processors tells.
const stat = `cpu  100 20 300 9000 40 5 6 7 50 60
cpu0 10 2 30 900 4 0 0 0 0 0
cpu1 20 3 70 900 4 1 2 3 9 9
cpu10 30 5 100 900 4 2 2 2 0 0
cpu11 40 10 100 6300 28 2 2 2 41 51
intr 1000 1 2 3
ctxt 4
`

// Only the processors count that the program may use: of others it never waits for any.
func TestOnlyTheProgramsProcessorsCount(t *testing.T) {
	for _, c := range []struct {
		of   []int
		want time.Duration // ticks at work: idle, waiting and guests' are none
	}{
		{[]int{0, 1, 10, 11}, 42 + 99 + 141 + 156},
		{[]int{1, 11}, 99 + 156},
		{[]int{0}, 42},
		{[]int{2}, 0},
	} {
		got, err := busy([]byte(stat), func(cpu int) bool { return slices.Contains(c.of, cpu) })
		if err != nil || got != c.want*tick {
			t.Errorf("processors %v: %v, %v, want %d ticks", c.of, got, err, c.want)
		}
	}
	for _, text := range []string{"cpu0 1 2 x 4\n", "cpu0 99999999999999999999 1\n"} {
		if got, err := busy([]byte(text), func(int) bool { return true }); err == nil {
			t.Errorf("%q: %v, and no error", text, got)
		}
	}
	const years = 100 * 365 * 24 * time.Hour // of many processors together
	if got, err := busy(fmt.Appendf(nil, "cpu0 %d\n", years/tick), func(int) bool { return true }); got != years || err != nil {
		t.Errorf("%v of processor time is %v, %v", years, got, err)
	}
}

// Where the program may use one processor, nobody takes its time on another.
func TestEveryoneIsOfTheProgramsProcessors(t *testing.T) {
	runtime.LockOSThread() // for good: the thread ends with the test
	var mine, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mine); err != nil || mine.Count() < 2 {
		t.Skipf("%d processors, %v", mine.Count(), err)
	}
	for cpu := 0; one.Count() == 0; cpu++ {
		if mine.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	all := Everyone()
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		t.Skip(err)
	}
	if got := Everyone(); got <= 0 || got >= all {
		t.Errorf("%v on one processor, and %v on %d", got, all, mine.Count())
	}
}
