package command

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// shown is progress on a screen of some width, with a clock that is set by hand.
func shown(width int) (p *progress, screen *bytes.Buffer, wait func(time.Duration)) {
	now := time.Unix(1, 0)
	screen = new(bytes.Buffer)
	c := &console{out: screen, width: func() int { return width }}
	p = &progress{screen: c, console: c, now: func() time.Time { return now }}
	return p, screen, func(d time.Duration) { now = now.Add(d) }
}

// visible is what a terminal shows in the end: a line for each newline, written
// over from its beginning after each carriage return.
func visible(written string) []string {
	var lines []string
	for line := range strings.SplitSeq(written, "\n") {
		var cells []rune
		for over := range strings.SplitSeq(line, "\r") {
			text := []rune(over)
			cells = append(text, cells[min(len(text), len(cells)):]...)
		}
		lines = append(lines, strings.TrimRight(string(cells), " "))
	}
	return lines
}

func TestProgressOfOneThing(t *testing.T) {
	p, screen, _ := shown(80)
	p.set("building", "group", 0, 1)
	if got, want := visible(screen.String())[0], "building: 0 % of 1 group, 0.0/s"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestANoticeStandsAboveProgress: in a line of its own, be it told while work goes on or after it.
func TestANoticeStandsAboveProgress(t *testing.T) {
	p, screen, wait := shown(80)
	p.set("building", "group", 0, 2)
	fmt.Fprintln(p.screen, "paika: short")
	wait(time.Second)
	p.set("building", "group", 1, 2)
	fmt.Fprint(p.screen, "paika: in ")
	fmt.Fprintln(p.screen, "two")
	p.close()
	fmt.Fprintln(p.screen, "paika: after")
	want := []string{"paika: short", "paika: in two", "building: 50 % of 2 groups, 1.0/s, 1s left", "paika: after", ""}
	if got := visible(screen.String()); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// What is counted in another unit has a rate of its own.
func TestAnotherUnitIsCountedAnew(t *testing.T) {
	p, screen, wait := shown(80)
	p.set("completing 4v4", "index", 5_000_000, 5_000_000)
	wait(10 * time.Second)
	p.set("building", "group", 1, 10)
	wait(10 * time.Second)
	p.set("building", "group", 6, 10)
	if got, want := visible(screen.String())[0], "building: 60 % of 10 groups, 0.5/s, 8s left"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Of several files, slices or the like, each has a rate of its own, be it larger or smaller than
// the one before.
func TestAnotherSliceIsCountedAnew(t *testing.T) {
	for _, before := range []uint64{10, 5_000_000} {
		p, screen, wait := shown(80)
		p.set("exporting 4v4", "index", 0, before)
		wait(10 * time.Second)
		p.set("exporting 4v4", "index", before, before)
		wait(10 * time.Second)
		p.set("exporting 5v4", "index", 100, 1_000)
		wait(10 * time.Second)
		p.set("exporting 5v4", "index", 600, 1_000)
		if got, want := visible(screen.String())[0], "exporting 5v4: 60 % of 1,000 indices, 50/s, 8s left"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

// Work that is begun anew, as by a hub that was, has its rate from there.
func TestWhatIsBegunAnewIsCountedAnew(t *testing.T) {
	p, screen, wait := shown(80)
	p.set("verifying", "share", 0, 100)
	wait(10 * time.Second)
	p.set("verifying", "share", 40, 100)
	wait(10 * time.Second)
	p.set("verifying", "share", 0, 100)
	wait(10 * time.Second)
	p.set("verifying", "share", 50, 100)
	if got, want := visible(screen.String())[0], "verifying: 50 % of 100 shares, 5.0/s, 10s left"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// Of work whose amount is found on the way, the rate is that of all of it.
func TestMoreOfTheSameIsNotCountedAnew(t *testing.T) {
	p, screen, wait := shown(80)
	for done := range uint64(11) {
		p.set("completing draw.proof", "position", 100*done, 500+200*done)
		wait(time.Second)
	}
	if got, want := visible(screen.String())[0], "completing draw.proof: 40 % of 2,500 positions, 100/s, 15s left"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestProgressTellsShareRateAndTimeLeft(t *testing.T) {
	p, screen, wait := shown(80)
	p.set("3v2 first pass", "index", 0, 4_000_000)
	wait(10 * time.Second)
	p.set("3v2 second pass", "index", 1_000_000, 4_000_000)
	if got, want := visible(screen.String())[0], "3v2 second pass: 25 % of 4,000,000 indices, 100,000/s, 30s left"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	wait(30 * time.Second)
	p.set("done", "index", 4_000_000, 4_000_000)
	p.close()
	lines := visible(screen.String())
	if want := "done: 100 % of 4,000,000 indices, 100,000/s"; lines[0] != want || len(lines) != 2 || lines[1] != "" {
		t.Errorf("got %q\nwant %q and an empty line", lines, want)
	}
}

func TestProgressCountsWhereTheTotalIsUnknown(t *testing.T) {
	p, screen, wait := shown(80)
	p.count("searching", "node", 1_000)
	wait(2 * time.Second)
	p.count("searching", "node", 21_000)
	if got, want := visible(screen.String())[0], "searching: 21,000 nodes, 10,000/s"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// What is drawn too soon after the last is shown in the end all the same.
func TestProgressIsDrawnNowAndThen(t *testing.T) {
	p, screen, wait := shown(80)
	for nodes := range uint64(1000) {
		p.count("searching", "node", nodes)
		wait(time.Millisecond)
	}
	if drawn := strings.Count(screen.String(), "\r"); drawn != 10 {
		t.Errorf("drawn %d times in a second, want 10", drawn)
	}
	p.close()
	p.close()
	if lines := visible(screen.String()); !strings.HasPrefix(lines[0], "searching: 999 nodes") || len(lines) != 2 {
		t.Errorf("got %q", lines)
	}
}

// A line that runs over the edge could not be written over.
func TestProgressFitsTheScreen(t *testing.T) {
	for _, width := range []int{0, 1, 20, 40} {
		p, screen, wait := shown(width)
		for done := range uint64(5) {
			p.set(strings.Repeat("many words ", int(5-done)), "index", done, 5)
			wait(time.Second)
		}
		p.close()
		for line := range strings.FieldsFuncSeq(screen.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
			if n := len([]rune(line)); n >= max(width, 1) {
				t.Errorf("%d characters on a screen of %d: %q", n, width, line)
			}
		}
	}
}

// What is no terminal has a line every minute, and the last one if there was one before.
func TestProgressInAFileIsALineEveryMinute(t *testing.T) {
	var w bytes.Buffer
	p, now := newOptions(nil).startProgress(&w), time.Unix(1, 0)
	p.now = func() time.Time { return now }
	for seconds := range uint64(150) {
		p.set("building", "index", 100*seconds, 20_000)
		now = now.Add(time.Second)
	}
	p.close()
	p.close()
	want := "building: 30 % of 20,000 indices, 100/s, 2m20s left\n" +
		"building: 60 % of 20,000 indices, 100/s, 1m20s left\n" +
		"building: 74 % of 20,000 indices, 100/s, 51s left\n"
	if w.String() != want {
		t.Errorf("got\n%swant\n%s", w.String(), want)
	}
}

func TestProgressOfLessThanAMinuteIsInNoFile(t *testing.T) {
	var w bytes.Buffer
	p := newOptions(nil).startProgress(&w)
	p.set("building", "index", 1, 2)
	p.count("searching", "node", 1)
	p.close()
	if w.Len() > 0 {
		t.Errorf("%q was written to what is no terminal", w.String())
	}
}

func TestQuietWorkTellsNoProgress(t *testing.T) {
	o := newOptions(nil)
	o.quiet = true
	if p := o.startProgress(new(bytes.Buffer)); p.screen != nil {
		t.Error("it tells")
	}
}

func TestTimeLeftIsRough(t *testing.T) {
	for seconds, want := range map[float64]string{
		0.4: "0s", 59.9: "59s", 80: "1m20s", 3600 + 29: "1h0m", 11_100: "3h5m", 1e300: "277777h47m",
	} {
		if got := roughly(seconds); got != want {
			t.Errorf("%v s: %s, want %s", seconds, got, want)
		}
	}
}

// TestWhatAnEarlierRunDidHasNoPartInTheRate, whenever it is told.
func TestWhatAnEarlierRunDidHasNoPartInTheRate(t *testing.T) {
	p, screen, wait := shown(80)
	p.setFrom("building", "index", 0, 0, 1000)
	wait(time.Second)
	p.setFrom("building", "index", 500, 500, 1000)
	wait(time.Second)
	p.setFrom("building", "index", 500, 600, 1000)
	p.close()
	if got, want := visible(screen.String())[0], "building: 60 % of 1,000 indices, 50/s, 8s left"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
