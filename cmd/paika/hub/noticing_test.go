package hub

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paika/cmd/paika/hub/wire"
)

// TestAKeyCanNotFillTheLog, by whatever names its workers go; how much was left out is told.
func TestAKeyCanNotFillTheLog(t *testing.T) {
	var mutex sync.Mutex
	var told []string
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Notice = func(text string) {
			mutex.Lock()
			defer mutex.Unlock()
			told = append(told, text)
		}
	}, g)
	about := func(what string) (n int) {
		mutex.Lock()
		defer mutex.Unlock()
		for _, text := range told {
			if strings.Contains(text, what) {
				n++
			}
		}
		return n
	}
	l := connected(t, h.Inside())
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	until(t, c, g.question("white-wins"), wire.Searching)
	const often = 5 * mostTold
	for i := range often {
		name := "w" + strings.Repeat("x", i)
		if _, err := l.Greet(t.Context(), wire.Hello{Worker: name, Version: "older", Lanes: 1}); err == nil {
			t.Error("a worker of another version is let in")
		}
		var what wire.Reply
		r := wire.Result{Started: wire.Started{Worker: name}, Version: version, Question: g.question("white-wins").ID(), Refused: "no reason"}
		if err := l.Ask(t.Context(), wire.SubjectResult, r, &what); err != nil || what.Outcome != wire.Refused {
			t.Errorf("%+v, %v", what, err)
		}
	}
	if n, m := about("is refused"), about("does not take a job"); n == 0 || n > mostTold || m == 0 || m > mostTold {
		t.Errorf("told %d and %d times of %d: %q", n, m, often, told)
	}
	h.Close()
	if n := about("32 more lines like the last"); n != 2 {
		t.Errorf("%q", told)
	}
}

// TestWhatIsToldOftenIsSummed for each key and kind of notice, and is told again after a while.
func TestWhatIsToldOftenIsSummed(t *testing.T) {
	var n noticing
	now := time.Now()
	one, other := kindOfNotice{"a", "%s"}, kindOfNotice{"b", "%s"}
	tell := func(kind kindOfNotice, times int, at time.Time) (told int) {
		for range times {
			if n.take(kind, "text", at) {
				told++
			}
		}
		return told
	}
	if a, b := tell(one, mostTold+3, now), tell(other, 1, now); a != mostTold || b != 1 {
		t.Errorf("told %d and %d times", a, b)
	}
	if left := n.sum(now.Add(toldFor / 2)); len(left) > 0 {
		t.Errorf("%q", left)
	}
	if left := n.sum(now.Add(toldFor)); !slices.Equal(left, []string{"3 more lines like the last: text"}) || len(n.told) > 0 {
		t.Errorf("%q, %d kinds", left, len(n.told))
	}
	if a := tell(one, 1, now.Add(toldFor)); a != 1 {
		t.Error("it is not told again")
	}
}

// TestQuestionsThatFailDoNotFillTheLog, however many there are, or however often one is asked again.
func TestQuestionsThatFailDoNotFillTheLog(t *testing.T) {
	var mutex sync.Mutex
	told := 0
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Notice = func(string) {
			mutex.Lock()
			defer mutex.Unlock()
			told++
		}
	}, g)
	c := dial(t, h.Inside())
	for i := range 3 * mostTold {
		q := g.question("white-wins")
		q.Position = strings.Repeat("?", 1+i/2)
		if s, err := c.Wait(t.Context(), q, nil); s.Stage != wire.Failed {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	mutex.Lock()
	defer mutex.Unlock()
	if told == 0 || told > mostTold {
		t.Errorf("told %d times", told)
	}
}
