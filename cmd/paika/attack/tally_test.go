package attack

import (
	"fmt"
	"io"
	"sync"
	"testing"
)

// outcome is what a trial came to.
type outcome int

const (
	unharmed outcome = iota
	noticed
	wrong
	lost
	crashed
	hung
	outcomes // how many there are
)

func (o outcome) String() string {
	return [...]string{"unharmed", "noticed", "wrong", "lost", "crashed", "hung"}[o]
}

// defect tells the outcomes that must not be.
func (o outcome) defect() bool { return o >= wrong }

// verdict is the outcome of one trial, with what the program said where that is a
// defect.
type verdict struct {
	outcome
	said string
}

// worse is the worse one of two.
func (v verdict) worse(w verdict) verdict {
	if w.outcome > v.outcome {
		return w
	}
	return v
}

// tally counts trials by campaign and outcome. It is safe for concurrent use.
type tally struct {
	mu    sync.Mutex
	names []string // of campaigns, in the order in which they came
	rows  map[string]*[outcomes]int
}

// note counts a trial, and reports it where it shows a defect.
func (c *tally) note(t *testing.T, campaign, trial string, v verdict) {
	t.Helper()
	if v.defect() {
		t.Errorf("%s, %s: %v: %s", campaign, trial, v.outcome, v.said)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	row, known := c.rows[campaign]
	if !known {
		if c.rows == nil {
			c.rows = make(map[string]*[outcomes]int)
		}
		row = new([outcomes]int)
		c.rows[campaign] = row
		c.names = append(c.names, campaign)
	}
	row[v.outcome]++
}

func (c *tally) print(w io.Writer, seed uint64) {
	const format = "%-34s %7v %9v %8v %20v %16v %8v %5v\n"
	fmt.Fprintf(w, "\nseed %d\n"+format, seed, "campaign", "trials", "unharmed", "noticed", "wrong and unnoticed", "lost, if listed", "crashed", "hung")
	var all [outcomes]int
	line := func(name string, row [outcomes]int) {
		sum := 0
		for _, n := range row {
			sum += n
		}
		fmt.Fprintf(w, format, name, sum, row[unharmed], row[noticed], row[wrong], row[lost], row[crashed], row[hung])
	}
	for _, name := range c.names {
		for o, n := range c.rows[name] {
			all[o] += n
		}
		line(name, *c.rows[name])
	}
	line("all", all)
}
