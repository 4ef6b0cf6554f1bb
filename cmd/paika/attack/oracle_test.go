package attack

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// board is the one that is attacked: small enough that every position can be
// asked after each trial.
var board = []string{"--board", "telo"}

// on is a command line about the board and a folder of tables.
func on(command, db string, more ...string) []string {
	return append(append([]string{command}, board...), append([]string{"--db", db}, more...)...)
}

// positions lists all positions of the board in which both sides have stones, with
// White to move, a line each. Those with Black to move are the same with colours
// exchanged.
func positions() (text string, count int) {
	var all strings.Builder
	var cells [9]byte
	var set func(at int)
	set = func(at int) {
		if at < len(cells) {
			for _, c := range []byte(".WB") {
				cells[at] = c
				set(at + 1)
			}
			return
		}
		if rows := string(cells[:]); strings.Contains(rows, "W") && strings.Contains(rows, "B") {
			fmt.Fprintf(&all, "%s/%s/%s w\n", rows[:3], rows[3:6], rows[6:])
			count++
		}
	}
	set(0)
	return all.String(), count
}

// answer is what query says of one position.
type answer struct {
	Position string
	Slice    string
	Value    string
	Distance *int
	Error    *fault
}

// fault is an error as scripts are told it.
type fault struct{ Code, Message string }

// oracle knows the right answers, by an intact store.
type oracle struct {
	asked  string
	right  []answer
	values map[string]string // by position
}

func newOracle(t *testing.T, dir, db string) oracle {
	t.Helper()
	text, count := positions()
	o := oracle{asked: text, values: make(map[string]string)}
	var err error
	if o.right, err = parse(must(t, dir, text, on("query", db, "-")...)); err != nil {
		t.Fatal(err)
	}
	if len(o.right) != count {
		t.Fatalf("%d answers, want %d", len(o.right), count)
	}
	for _, a := range o.right {
		o.values[a.Position] = a.Value
	}
	return o
}

// parse reads answers, a line each.
func parse(lines string) ([]answer, error) {
	var all []answer
	decoder := json.NewDecoder(strings.NewReader(lines))
	for decoder.More() {
		var a answer
		if err := decoder.Decode(&a); err != nil {
			return all, err
		}
		all = append(all, a)
	}
	return all, nil
}

// judge compares what query said with the right answers, and counts those that
// were right. Not all tables may be there: listed tells for which positions they
// had been.
func (o oracle) judge(s said, listed func(position int) bool) (v verdict, right int) {
	if v, broken := s.broken(); broken {
		return v, 0
	}
	answers, err := parse(s.stdout)
	if err != nil {
		return verdict{wrong, "no JSON: " + err.Error()}, 0
	}
	if len(answers) < len(o.right) {
		v = verdict{outcome: noticed} // an error in place of the rest, which its status tells
		if s.status == statusDone {
			v = verdict{wrong, fmt.Sprintf("%d of %d answers, and nothing is said", len(answers), len(o.right))}
		}
	}
	for i, a := range answers {
		one := o.judgeOne(i, a, listed(i))
		v = v.worse(one)
		if one.outcome == unharmed && a.Error == nil {
			right++
		}
		if a.Error != nil && s.status == statusDone {
			v = v.worse(verdict{wrong, fmt.Sprintf("an error, and status 0: %s", a.Error.Message)})
		}
	}
	return v, right
}

func (o oracle) judgeOne(i int, a answer, listed bool) verdict {
	if i >= len(o.right) {
		return verdict{outcome: noticed} // the error that ended the answers
	}
	right := o.right[i]
	switch {
	case a.Error != nil && a.Error.Code == "not-stored" && listed:
		return verdict{lost, right.Position + ": " + a.Error.Message}
	case a.Error != nil && a.Error.Code == "not-stored":
		return verdict{}
	case a.Error != nil:
		return verdict{outcome: noticed}
	case a.Position != right.Position || a.Value != right.Value || !equal(a.Distance, right.Distance):
		return verdict{wrong, fmt.Sprintf("%s: %s, want %s", right.Position, a.Value, right.Value)}
	}
	return verdict{}
}

func equal(a, b *int) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}

// everything is listed.
func everything(int) bool { return true }
