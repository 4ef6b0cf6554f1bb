package command

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// progress is a line on a terminal: what is being done, how much of it is done,
// how fast, and how long it will take. In a file, or for another program, it is a line
// every minute, so that work of less than that writes none. Calls come one at a time.
type progress struct {
	screen  io.Writer // nil where nothing is shown
	console *console  // the same where it is a terminal, else nil
	now     func() time.Time

	last  amount    // that came
	began time.Time // when the first amount of the same work came; zero before
	first uint64    // that amount: what an earlier run did has no part in the rate
	line  string    // as it should stand there
	drawn time.Time // when it last was; in a file, when the first amount came, at first
	told  bool      // a line was written
}

// amount is how much is done of something.
type amount struct {
	doing, unit     string
	finished, total uint64 // total is 0 where nobody knows
	earlier         uint64 // of finished, what an earlier run did, as far as it is known to have
}

// anew tells whether an amount is of other work than the one before it, so that it has a rate of
// its own. Phases of the same work have its total, and work that finds more on its way is named
// as before.
func (a amount) anew(before amount) bool {
	return a.unit != before.unit || a.finished < before.finished || a.doing != before.doing && a.total != before.total
}

const (
	redrawInterval = 100 * time.Millisecond // long enough to read a number
	lineInterval   = time.Minute            // of lines in a file
)

func (o *options) startProgress(w io.Writer) *progress {
	if o.quiet {
		return new(progress)
	}
	return &progress{screen: w, console: consoleOn(w), now: time.Now}
}

// set shows what is being done and how much of it is done, by its unit: "index".
func (p *progress) set(doing, unit string, finished, total uint64) {
	p.setFrom(doing, unit, 0, finished, total)
}

// setFrom is set of work of which an earlier run did some: that has no part in the rate, whenever it
// is told.
func (p *progress) setFrom(doing, unit string, earlier, finished, total uint64) {
	p.show(amount{doing, unit, finished, total, earlier}, func(rate float64) string {
		line := fmt.Sprintf("%s: %s of %s, %s", doing, percent(finished, total), count(total, unit), perSecond(rate))
		if rate > 0 && finished < total {
			line += ", " + roughly(float64(total-finished)/rate) + " left"
		}
		return line
	})
}

// count shows how much is done, by its unit, where nobody knows of how much.
func (p *progress) count(doing, unit string, finished uint64) {
	p.show(amount{doing: doing, unit: unit, finished: finished}, func(rate float64) string {
		return fmt.Sprintf("%s: %s, %s", doing, count(finished, unit), perSecond(rate))
	})
}

// show writes the line anew, unless that was done a moment ago.
func (p *progress) show(at amount, line func(rate float64) string) {
	if p.screen == nil {
		return
	}
	now, interval := p.now(), redrawInterval
	if p.console == nil {
		interval = lineInterval
	}
	if p.began.IsZero() && p.console == nil {
		p.drawn = now
	}
	if at.anew(p.last) {
		p.began, p.first = now, at.finished-at.earlier
	}
	p.last = at
	rate := 0.0
	if seconds := now.Sub(p.began).Seconds(); seconds > 0 && at.finished-at.earlier > p.first {
		rate = float64(at.finished-at.earlier-p.first) / seconds
	}
	p.line = line(rate)
	if now.Sub(p.drawn) >= interval {
		p.drawn = now
		p.draw()
	}
}

// draw shows the line, in a file below the last one.
func (p *progress) draw() {
	p.told = true
	if p.console != nil {
		p.console.show(p.line)
		return
	}
	fmt.Fprintln(p.screen, p.line)
}

// close leaves the last line as it is. A file that has no line yet stays without.
func (p *progress) close() {
	if p.line == "" {
		return
	}
	if p.told || p.console != nil {
		p.draw()
	}
	if p.console != nil {
		p.console.end()
	}
	p.line = ""
}

// clear takes the line off a terminal: of many answers each would leave one.
func (p *progress) clear() {
	if p.console != nil {
		p.console.show("")
	}
}

func percent(finished, total uint64) string {
	if total == 0 {
		return "100 %"
	}
	return fmt.Sprintf("%d %%", int(100*float64(finished)/float64(total)))
}

// perSecond writes a rate; one below ten to a tenth.
func perSecond(rate float64) string {
	if rate < 10 {
		return decimals(rate, 1) + "/s"
	}
	return thousands(uint64(rate)) + "/s"
}

// roughly writes a time that is a guess: 40s, 1m20s, 3h5m.
func roughly(seconds float64) string {
	const mostSeconds = 1e9 // decades: nobody waits for that
	left := time.Duration(min(seconds, mostSeconds)) * time.Second
	if left >= time.Hour {
		return strings.TrimSuffix(left.Round(time.Minute).String(), "0s")
	}
	return left.String()
}
