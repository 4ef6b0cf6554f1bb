package inspection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/tablebase/verify"
)

// sample is an inspection of two groups, in wdl and dtw, of 10 shares a slice.
func sample(audited int) *Inspection {
	table := func(metric, slice string) verify.Table {
		return verify.Table{Metric: metric, Slice: slice, Stored: slice + metric}
	}
	return Inspect([]verify.Group{
		{Metric: "wdl", Slices: []string{"1v1"}, Tables: []verify.Table{table("wdl", "1v1")}},
		{Metric: "dtw", Slices: []string{"1v2", "2v1"}, Tables: []verify.Table{table("dtw", "1v2"), table("dtw", "2v1")}},
	}, Terms{Version: "v", Indices: 64, Audited: audited, Counts: func(string) uint64 { return 631 }})
}

// right is the right answer to a task.
func right(t Task) Answer {
	if t.Slice == "" {
		return Answer{Quiet: make([]uint64, len(t.Group.Slices))}
	}
	a := Answer{Sums: verify.NewSums()}
	a.Sums.Positions[0] = t.High - t.Low
	return a
}

// finish has honest workers answer what is left, and derives what is to be derived here.
func finish(t *testing.T, i *Inspection) {
	t.Helper()
	for n := 0; !i.Known(); n++ {
		if ours := i.Ours(1); len(ours) > 0 {
			i.Decide(ours[0].Job, right(ours[0]))
			continue
		}
		task, found := i.Next()
		if !found {
			t.Fatal("nothing goes out")
		}
		if what, reason := i.Take(fmt.Sprint("honest", n%3), task.Job, right(task)); what != Taken && what != Known {
			t.Fatal(what, reason)
		}
		i.Return(task.Job)
	}
}

func TestAllPiecesMakeUpTheSlices(t *testing.T) {
	i := sample(7)
	seen := make(map[string]uint64)
	for _, p := range i.pieces {
		seen[p.Slice] += p.High - p.Low
	}
	if seen["1v1"] != 631 || seen["1v2"] != 631 || seen["2v1"] != 631 || len(i.pieces) != 31 {
		t.Errorf("%v, %d pieces", seen, len(i.pieces))
	}
	finish(t, i)
	sums := i.groups[1].sums()
	if len(sums) != 2 || sums[0].Total() != 631 || sums[1].Total() != 631 {
		t.Errorf("%+v", sums)
	}
	if s := i.shared(); s.Pieces != 31 || s.Workers != 3 || s.Hub < 2 || len(s.Refuted) > 0 {
		t.Errorf("%+v", s)
	}
}

// Of each group a piece is derived here, whoever has answered, and any can be the one.
func TestSomeOfEachGroupIsDerivedHere(t *testing.T) {
	picked := make(map[string]bool)
	for n := range 1000 {
		i := sample(1 << 40)
		for task, found := i.Next(); found; task, found = i.Next() {
			i.Take("w", task.Job, right(task))
			i.Return(task.Job)
		}
		ours := i.Ours(len(i.pieces))
		if len(ours) != 2 || ours[0].Group.Metric == ours[1].Group.Metric || i.Known() {
			t.Fatalf("%v", ours)
		}
		for _, task := range ours {
			picked[task.Job] = true
		}
		if len(picked) == len(i.pieces) {
			return
		}
		if n == 999 {
			t.Errorf("%d of %d pieces were picked", len(picked), len(i.pieces))
		}
	}
}

// A worker that spoils a piece, so that it is derived here, is not spared the one that is
// picked by chance; nor does one that was picked early stand for it. Chance is asked often:
// one pick would come to the right piece ten times in eleven by itself.
func TestNobodyChoosesWhatIsDerivedHere(t *testing.T) {
	for range 100 {
		spoil(t)
	}
}

// spoil spoils a piece of each group, one early and one late, and wants another of each
// derived here, too.
func spoil(t *testing.T) {
	t.Helper()
	i := sample(1 << 40)
	spoilt := []Task{i.pieces[0].Task, i.groups[1].pieces[0].Task}
	for range mostVain {
		i.Take("liar", spoilt[0].Job, Answer{})
	}
	i.Decide(spoilt[0].Job, right(spoilt[0]))
	for task, found := i.Next(); found; task, found = i.Next() {
		if task.Job == spoilt[1].Job { // the last to be known of its group
			continue
		}
		i.Take("w", task.Job, right(task))
		i.Return(task.Job)
	}
	i.Spare(spoilt[1].Job)
	for n, g := range i.groups {
		theirs := 0
		for _, p := range g.pieces {
			if p.own && p.Job != spoilt[n].Job {
				theirs++
			}
		}
		if theirs != 1 {
			t.Fatalf("group %d: %d pieces of workers are derived here, want 1", n, theirs)
		}
	}
	for _, task := range i.Ours(len(i.pieces)) {
		i.Decide(task.Job, right(task))
	}
	if !i.Known() {
		t.Fatal("something is not known")
	}
}

// What was derived before a stop of what workers had answered is not picked anew, and
// what was spoilt does not stand for it.
func TestOneOfEachGroupIsDerivedHereAfterAStop(t *testing.T) {
	for _, before := range []bool{true, false} {
		i := sample(1 << 40)
		for n, p := range i.pieces {
			if n > 0 || before {
				i.Recall("w", p.Job, right(p.Task))
			}
		}
		for _, g := range i.groups {
			i.Recall("", g.pieces[0].Job, right(g.pieces[0].Task))
		}
		i.Resume()
		want := 0
		if !before {
			want = 1
		}
		if got := len(i.Ours(len(i.pieces))); got != want {
			t.Errorf("answered by a worker before: %v, and %d pieces are derived here, want %d", before, got, want)
		}
	}
}

// What refuted a worker before a stop says nothing of another's answers: of those a piece is derived here.
func TestWhoWasCaughtStandsForNobodyElse(t *testing.T) {
	for name, said := range map[string]func(*Answer){
		"wrong sums":   func(a *Answer) { a.Sums.Positions[1]++ },
		"a false find": func(a *Answer) { a.Found = 1 },
	} {
		for _, stopped := range []bool{false, true} {
			i := sample(1 << 40)
			task, _ := i.Next()
			lie := right(task)
			said(&lie)
			if stopped {
				i.Recall("caught", task.Job, lie)
				i.Recall("", task.Job, right(task))
				i.Resume()
			} else {
				i.Take("caught", task.Job, lie)
				if wrong := i.Decide(task.Job, right(task)); wrong != "caught" {
					t.Fatal(wrong)
				}
			}
			for task, found := i.Next(); found; task, found = i.Next() {
				i.Take("other", task.Job, right(task))
			}
			if ours := i.Ours(len(i.pieces)); len(ours) != len(i.groups) {
				t.Errorf("%s, stopped %v: %d pieces are derived here, want one of each group", name, stopped, len(ours))
			}
		}
	}
}

// Where the piece that stood for a group was of a worker that is caught in another one later, a piece of
// another worker's stands for it.
func TestWhoIsCaughtElsewhereStandsForNobody(t *testing.T) {
	i := sample(1 << 40)
	picked := i.groups[0].pieces[0]
	lie := i.groups[1].pieces[0]
	for _, p := range i.pieces {
		switch p {
		case picked:
			i.Take("caught", p.Job, right(p.Task))
		case lie:
			wrong := right(p.Task)
			wrong.Sums.Positions[1]++
			i.Take("caught", p.Job, wrong)
		default:
			i.Take("other", p.Job, right(p.Task))
		}
	}
	for _, task := range i.Ours(len(i.pieces)) { // whatever chance has picked
		i.named[task.Job].own = false
	}
	i.Decide(picked.Job, right(picked.Task))
	if wrong := i.Decide(lie.Job, right(lie.Task)); wrong != "caught" {
		t.Fatal(wrong)
	}
	for _, task := range i.Ours(len(i.pieces)) {
		if i.named[task.Job].group == i.groups[0] {
			return
		}
	}
	t.Error("nothing of the group is derived here but what stood for it")
}

// Of answers from before a stop as many are derived here as of others.
func TestAnswersFromBeforeAStopArePickedToo(t *testing.T) {
	i := sample(1)
	for _, p := range i.pieces {
		i.Recall("w", p.Job, right(p.Task))
	}
	i.Recall("", i.pieces[0].Job, right(i.pieces[0].Task))
	i.Resume()
	if ours := i.Ours(len(i.pieces)); len(ours) != len(i.pieces)-1 {
		t.Errorf("%d of %d pieces are derived here, want all that were not", len(ours), len(i.pieces))
	}
}

// What a ledger says is told apart from what was derived since.
func TestAReportTellsWhatWasRecalled(t *testing.T) {
	i := sample(1 << 40)
	i.Recall("w", i.pieces[0].Job, right(i.pieces[0].Task))
	i.Recall("", i.pieces[1].Job, right(i.pieces[1].Task))
	i.Recall("liar", i.pieces[2].Job, Answer{Sums: verify.NewSums()})
	i.Resume()
	if s := i.shared(); s.Recalled != 3 || s.Hub != 0 {
		t.Errorf("%+v, want 3 that were recalled", s)
	}
	i.Decide(i.pieces[2].Job, right(i.pieces[2].Task)) // the liar was wrong
	i.Decide(i.pieces[0].Job, right(i.pieces[0].Task))
	if s := i.shared(); s.Recalled != 1 || s.Hub != 2 {
		t.Errorf("%+v, want 1 that was recalled, and 2 derived here", s)
	}
	finish(t, i)
	if s := i.shared(); s.Recalled != 1 {
		t.Errorf("%+v, want 1 that was recalled", s)
	}
}

func TestAllOfAGroupCanBeDerivedHere(t *testing.T) {
	i := sample(1)
	for task, found := i.Next(); found; task, found = i.Next() {
		i.Take("w", task.Job, right(task))
		i.Return(task.Job)
	}
	if ours := i.Ours(len(i.pieces)); len(ours) != len(i.pieces) {
		t.Errorf("%d of %d pieces", len(ours), len(i.pieces))
	}
}

func TestALiarIsBelievedNoMore(t *testing.T) {
	i := sample(1 << 40)
	var task Task
	found := true
	for range 8 { // all answers of one worker, one of them false
		if task, found = i.Next(); !found {
			t.Fatal("nothing goes out")
		}
		i.Take("liar", task.Job, right(task))
		i.Return(task.Job)
	}
	task, _ = i.Next()
	false1 := right(task)
	false1.Found = 1
	if what, _ := i.Take("liar", task.Job, false1); what != Taken || i.Wanted(task.Job) {
		t.Errorf("%v", what)
	}
	i.Return(task.Job)
	ours := i.Ours(1)
	if len(ours) != 1 || ours[0].Job != task.Job || i.Known() {
		t.Fatalf("%v is to be derived here, want %v", ours, task)
	}
	own := ours[0]
	before := i.Progress().Settled
	if wrong := i.Decide(own.Job, right(own)); wrong != "liar" {
		t.Errorf("%q", wrong)
	}
	if after := i.Progress(); before != 8 || after.Settled != 1 || after.Hub != 1 {
		t.Errorf("%d pieces were settled, now %+v", before, after)
	}
	if what, _ := i.Take("liar", i.pieces[0].Job, right(i.pieces[0].Task)); what != Refuted {
		t.Errorf("%v", what)
	}
	finish(t, i)
	if s := i.shared(); !slices.Equal(s.Refuted, []string{"liar"}) || s.Workers == 0 {
		t.Errorf("%+v", s)
	}
}

// A finding that is one has the whole group derived here, and no worker is wrong.
func TestARightFindingMakesAGroupSuspect(t *testing.T) {
	i := sample(1 << 40)
	task, _ := i.Next()
	a := right(task)
	a.Found = 3
	i.Take("w", task.Job, a)
	if wrong := i.Decide(task.Job, a); wrong != "" || !i.groups[0].suspect || i.groups[1].suspect {
		t.Errorf("%v, %v", wrong, i.groups[0].suspect)
	}
	for {
		task, found := i.Next()
		if !found {
			break
		}
		if task.Group.Metric != "dtw" {
			t.Errorf("%v goes out", task)
		}
	}
	if p := i.Progress(); p.Settled != 11 || p.Hub != 11 {
		t.Errorf("%+v", p)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	i := sample(1)
	task, _ := i.Next()
	whole := i.pieces[10].Task
	for name, c := range map[string]struct {
		job  string
		a    Answer
		want Outcome
	}{
		"no such task":       {"x", right(task), Unknown},
		"of another kind":    {task.Job, right(whole), Invalid},
		"of no kind":         {whole.Job, right(task), Invalid},
		"of another group":   {whole.Job, Answer{Quiet: make([]uint64, 2)}, Invalid},
		"of both kinds":      {whole.Job, Answer{Quiet: make([]uint64, 1), Sums: right(task).Sums}, Invalid},
		"the right one":      {task.Job, right(task), Taken},
		"of the whole group": {whole.Job, right(whole), Taken},
	} {
		if what, _ := i.Judge("w", c.job, &c.a); what != c.want {
			t.Errorf("%s: %v, want %v", name, what, c.want)
		}
	}
	for n := range mostVain {
		other := i.pieces[1].Task
		if !i.Wanted(other.Job) {
			t.Errorf("after %d answers in vain a piece goes out no more, want %d", n, mostVain)
		}
		for range mostVain { // of whoever has not got it
			i.Take("w", other.Job, right(whole))
		}
		i.Vain(other.Job)
	}
	if other := i.pieces[1]; !other.own {
		t.Error("a piece to which no answer comes is not derived here")
	}
	i.Spare(whole.Job)
	if i.Wanted(whole.Job) {
		t.Error("a piece that is derived here is wanted")
	}
}

// TestTablesAreNeededWhileWorkersAreAsked: those of a group whose answers have all come are not, and are again
// where they count no more.
func TestTablesAreNeededWhileWorkersAreAsked(t *testing.T) {
	i := sample(1 << 40)
	want := func(names ...string) {
		t.Helper()
		var got []string
		for _, of := range i.Needed() {
			got = append(got, of.Slice)
		}
		if !slices.Equal(got, names) {
			t.Errorf("needed are %q, want %q", got, names)
		}
	}
	take := func(n int, worker string) {
		for _, p := range i.groups[n].pieces {
			i.Take(worker, p.Job, right(p.Task))
		}
	}
	want("1v1", "1v2", "2v1")
	take(0, "liar")
	want("1v2", "2v1")
	take(1, "w")
	want()
	i.Disbelieve("liar")
	want("1v1")
}

// What a worker has answered, and what was derived here, no later answer replaces: neither of
// another worker nor of the same, nor one that the ledger tells again.
func TestWhatIsKnownStays(t *testing.T) {
	i := sample(1 << 40)
	task, _ := i.Next()
	other := right(task)
	other.Sums.Positions[0], other.Sums.Positions[1] = 0, other.Sums.Positions[0]
	stays := func(when string) {
		t.Helper()
		for _, who := range []string{"w", "v"} {
			if what, _ := i.Take(who, task.Job, other); what != Known {
				t.Errorf("%s: %s's answer is %v, want Known", when, who, what)
			}
			i.Recall(who, task.Job, other)
		}
		if sums := i.Sums(0)[0]; sums.Positions[1] != 0 || sums.Positions[0] != task.High-task.Low {
			t.Errorf("%s: %v", when, sums)
		}
	}
	if what, _ := i.Take("w", task.Job, right(task)); what != Taken {
		t.Fatal(what)
	}
	stays("answered")
	i.Decide(task.Job, right(task))
	stays("derived here")
	if wrong := i.Decide(task.Job, other); wrong != "" {
		t.Errorf("%s is wrong", wrong)
	}
	stays("derived here twice")
}

// Who made the tables does not tell whether they are right.
func TestWhoMadeTablesHasNoSay(t *testing.T) {
	groups := []verify.Group{{Metric: "dtw", Slices: []string{"1v1"}}}
	i := Inspect(groups, Terms{Version: "v", Indices: 64, Not: "maker", Counts: func(string) uint64 { return 200 }})
	task, _ := i.Next()
	if what, _ := i.Take("maker", task.Job, right(task)); what != Invalid {
		t.Errorf("its maker's answer is %v, want Invalid", what)
	}
	if i.Recall("maker", task.Job, right(task)); !i.Wanted(task.Job) {
		t.Error("its maker's answer in the ledger counts")
	}
	if what, _ := i.Take("other", task.Job, right(task)); what != Taken {
		t.Errorf("another's answer is %v, want Taken", what)
	}
}

// Where answers do not add up, all is derived here that was not.
func TestWhatIsDoubtedIsDerivedHere(t *testing.T) {
	i := sample(1 << 40)
	for n := range i.pieces[:len(i.pieces)-1] {
		i.Take("w", i.pieces[n].Job, right(i.pieces[n].Task))
	}
	i.Decide(i.pieces[0].Job, right(i.pieces[0].Task))
	i.Doubt()
	if ours := i.Ours(len(i.pieces)); len(ours) != len(i.pieces)-1 || i.Known() {
		t.Errorf("%d of %d pieces are derived here, want all but one; known: %v", len(ours), len(i.pieces), i.Known())
	}
	if ours := i.Ours(3); len(ours) != 3 {
		t.Errorf("%d pieces, want 3", len(ours))
	}
	if task, found := i.Next(); found {
		t.Errorf("%v goes out", task)
	}
}

// A liar takes no answer of others along.
func TestOthersAreBelievedAsBefore(t *testing.T) {
	i := sample(1 << 40)
	liars, honest := i.pieces[:3], i.pieces[3:6]
	for _, p := range liars {
		i.Take("liar", p.Job, right(p.Task))
	}
	for _, p := range honest {
		i.Take("honest", p.Job, right(p.Task))
	}
	lie := right(i.pieces[6].Task)
	lie.Found = 1
	i.Take("liar", i.pieces[6].Job, lie)
	if wrong := i.Decide(i.pieces[6].Job, right(i.pieces[6].Task)); wrong != "liar" {
		t.Fatalf("%q is wrong", wrong)
	}
	for _, p := range liars {
		if !i.Wanted(p.Job) {
			t.Errorf("%s to %d of a liar is known", p.Slice, p.High)
		}
	}
	for _, p := range honest {
		if i.Wanted(p.Job) {
			t.Errorf("%s to %d of another is wanted again", p.Slice, p.High)
		}
	}
}

// An answer is another one by any of what it says: the sums of a share, the quiet positions of
// a group, and how much was found. What is found does not go away with what comes later.
func TestAnswersDifferByAllThatTheySay(t *testing.T) {
	for name, change := range map[string]func(*Answer){
		"positions": func(a *Answer) { a.Sums.Positions[0]++ },
		"longest":   func(a *Answer) { a.Sums.Longest[1]++ },
		"quiet":     func(a *Answer) { a.Sums.Quiet++ },
		"gaps":      func(a *Answer) { a.Sums.Gaps[1]++ },
		"found":     func(a *Answer) { a.Found++ },
		"of slices": func(a *Answer) { a.Quiet[0]++ },
	} {
		i := sample(1 << 40)
		p := i.pieces[0]
		if name == "of slices" {
			p = i.pieces[10]
		}
		said := right(p.Task)
		change(&said)
		if what, reason := i.Take("liar", p.Job, said); what != Taken {
			t.Fatal(name, what, reason)
		}
		if wrong := i.Decide(p.Job, right(p.Task)); wrong != "liar" {
			t.Errorf("%s: %q was wrong, want the liar", name, wrong)
		}
	}
	i := sample(1 << 40)
	found := right(i.pieces[0].Task)
	found.Found = 1
	i.Decide(i.pieces[0].Job, found)
	i.Decide(i.pieces[1].Job, right(i.pieces[1].Task))
	if !i.Suspect() {
		t.Error("a finding is gone, since nothing was found elsewhere")
	}
}

// settling is a Verification that takes the sums of a slice, or does not.
type settling struct {
	Verification
	want    uint64 // positions of each slice
	quiet   uint64 // of them
	derived []int  // groups
}

func (s *settling) Take(_ int, sums []verify.Sums) bool {
	return !slices.ContainsFunc(sums, func(sum verify.Sums) bool {
		return sum.Total() != s.want || sum.Quiet != s.quiet || sum.Longest != verify.NewSums().Longest
	})
}

func (s *settling) Derive(_ context.Context, group int) error {
	s.derived = append(s.derived, group)
	return nil
}

func (s *settling) Report() verify.Report { return verify.Report{Total: uint64(len(s.derived))} }

// A group is derived here where something was found, or where what the pieces came to is not
// what is told of its slices. Of others the sums are those of all pieces.
func TestWhatDoesNotAddUpIsDerivedHere(t *testing.T) {
	for _, c := range []struct {
		name    string
		tell    func(a *Answer, t Task)
		derived []int
	}{
		{"all is right", func(*Answer, Task) {}, nil},
		{"one position too few", func(a *Answer, t Task) {
			if t.Group.Metric == "dtw" && t.Low == 0 {
				a.Sums.Positions[0]--
			}
		}, []int{1}},
		{"one quiet position too many", func(a *Answer, t Task) {
			if t.Slice == "" {
				a.Quiet[0]++
			}
		}, []int{0}},
		{"something was found", func(a *Answer, t Task) {
			if t.Group.Metric == "wdl" && t.Low == 64 {
				a.Found = 1
			}
		}, []int{0}},
	} {
		i := sample(1 << 40)
		for _, p := range i.pieces {
			a := right(p.Task)
			c.tell(&a, p.Task)
			i.Decide(p.Job, a)
		}
		v := &settling{want: 631}
		r, err := i.Settle(t.Context(), v)
		if err != nil || !slices.Equal(v.derived, c.derived) || r.OK() != (c.derived == nil) {
			t.Errorf("%s: groups %v were derived, want %v; %v", c.name, v.derived, c.derived, err)
		}
	}
	if (&Report{Unopened: "damaged"}).OK() || (&Report{Total: 1}).OK() {
		t.Error("what can't be opened, or has findings, is all right")
	}
}

// refusing is a writer that takes nothing.
type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

// underived is a verification of sums that do not add up, which derives nothing.
type underived struct {
	Verification
	err error
}

func (u underived) Take(int, []verify.Sums) bool      { return false }
func (u underived) Derive(context.Context, int) error { return u.err }

// What can't be derived or written is no report, and no table.
func TestWhatFailsIsTold(t *testing.T) {
	broken := errors.New("the disk")
	i := sample(1 << 40)
	for _, p := range i.pieces {
		i.Decide(p.Job, right(p.Task))
	}
	if r, err := i.Settle(t.Context(), underived{err: broken}); !errors.Is(err, broken) {
		t.Errorf("%+v, %v", r, err)
	}
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		if err := WriteValues(refusing{broken}, bitboard.NewTable(m, 3, 100)); !errors.Is(err, broken) {
			t.Errorf("%v: %v", m, err)
		}
	}
}

// Of a group with something wrong no worker is asked any more, and no piece of it is derived here: all of
// it is.
func TestNothingOfASuspectGroupIsAsked(t *testing.T) {
	i := sample(1 << 40)
	g := i.groups[1]
	found := right(g.pieces[0].Task)
	found.Found = 1
	i.Take("w", g.pieces[0].Job, found)
	i.Decide(g.pieces[1].Job, found)
	for _, p := range g.pieces {
		if i.Wanted(p.Job) {
			t.Errorf("%v is wanted", p)
		}
	}
	if ours := i.Ours(len(i.pieces)); len(ours) > 0 {
		t.Errorf("%v are to be derived here", ours)
	}
}

// A piece that has its answer is not derived here for want of one.
func TestWhatIsAnsweredIsNotSpared(t *testing.T) {
	i := sample(1 << 40)
	task, _ := i.Next()
	i.Take("w", task.Job, right(task))
	if i.Spare(task.Job); len(i.Ours(1)) > 0 {
		t.Error("it is to be derived here")
	}
}

// A slice is cut where its terms say so, if it can be cut: unless told otherwise, few are.
func TestASliceIsCutByItsTerms(t *testing.T) {
	for _, c := range []struct {
		indices uint64
		whole   bool
		shares  int
	}{{64, false, 4}, {64, true, 1}, {0, false, 1}} {
		groups := []verify.Group{{Metric: "dtw", Slices: []string{"1v1"}, Whole: c.whole}}
		i := Inspect(groups, Terms{Indices: c.indices, Counts: func(string) uint64 { return 200 }})
		shares, indices := 0, uint64(0)
		for _, p := range i.pieces {
			if n := i.Indices(p.Job); n > 0 {
				shares, indices = shares+1, indices+n
			}
		}
		if shares != c.shares || indices != 200 {
			t.Errorf("%+v: %d shares of %d indices", c, shares, indices)
		}
	}
}

// Tables have one fingerprint in whatever order their groups stand, and however often one is named.
func TestTablesHaveOneFingerprint(t *testing.T) {
	a, b := verify.Table{Slice: "1v1", Metric: "wdl", Stored: "a"}, verify.Table{Slice: "2v1", Metric: "wdl", Stored: "b"}
	tables := func(groups ...[]verify.Table) string {
		var all []verify.Group
		for _, g := range groups {
			all = append(all, verify.Group{Metric: "wdl", Slices: []string{g[0].Slice}, Tables: g})
		}
		return Inspect(all, Terms{Counts: func(string) uint64 { return 1 }}).Tables()
	}
	want := tables([]verify.Table{a}, []verify.Table{b})
	if got := tables([]verify.Table{b, a}, []verify.Table{a}); got != want {
		t.Errorf("%s, in another order %s", want, got)
	}
	b.Stored = "c"
	if tables([]verify.Table{a}, []verify.Table{b}) == want || tables([]verify.Table{a}) == want {
		t.Error("other tables have the same")
	}
}

func TestValuesTravel(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		table, got := bitboard.NewTable(m, 3, 70_001), bitboard.NewTable(m, 3, 70_001)
		for i := range table.WDL {
			table.WDL[i] = uint64(i) * 0x9e3779b97f4a7c15
		}
		for i := range table.DTW {
			table.DTW[i] = bitboard.Depth(i * 40503)
		}
		var text bytes.Buffer
		if err := WriteValues(&text, table); err != nil || int64(text.Len()) != ValueBytes(table) {
			t.Fatal(text.Len(), err)
		}
		whole := text.String()
		if err := ReadValues(&text, got); err != nil || !slices.Equal(got.WDL, table.WDL) || !slices.Equal(got.DTW, table.DTW) {
			t.Errorf("%v: %v", m, err)
		}
		for _, wrong := range []string{"", whole[:len(whole)-1], whole + "x"} {
			if err := ReadValues(strings.NewReader(wrong), got); err == nil {
				t.Errorf("%v: %d bytes are taken for %d", m, len(wrong), len(whole))
			}
		}
	}
}

// TestWhatTakesMoreBytesThanNumbersHaveIsRefused.
func TestWhatTakesMoreBytesThanNumbersHaveIsRefused(t *testing.T) {
	for sharers := range 3 {
		g := &game[uint64]{options: Options{Memory: 1 << 30, Sharers: sharers, Overhead: 1 << 20}}
		for _, tables := range []uint64{1 << 30, math.MaxUint64 - 1, math.MaxUint64} {
			if err := g.admit(tables); !errors.Is(err, ErrMemory) {
				t.Errorf("%d bytes for %d: %v", tables, sharers, err)
			}
		}
	}
}

// TestMemoryIsToldOfAllWhoShareIt: with what one says that it takes there is enough for each.
func TestMemoryIsToldOfAllWhoShareIt(t *testing.T) {
	o := Options{Memory: 9<<20 - 2, Sharers: 2, Overhead: 3 << 20}
	if err := o.Admit("to test", 3<<19-1); err != nil {
		t.Error(err)
	}
	const want = "too little memory: to test takes 9 MiB for hub and worker together, and 8 MiB are allowed"
	if err := o.Admit("to test", 3<<19); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	o.Memory = 9 << 20
	if err := o.Admit("to test", 3<<19); err != nil {
		t.Error(err)
	}
}
