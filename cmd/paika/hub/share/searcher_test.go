package share_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// TestASearcherLeavesTablesTheirMemory: where they take half of it, the transposition table has half
// of what it would have without them. Less than 1 KiB is none.
func TestASearcherLeavesTablesTheirMemory(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	dir := built(t, of, 4)
	var small *prover.MemoryError
	if _, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: 1}); !errors.As(err, &small) {
		t.Fatal(err)
	}
	for _, c := range []struct {
		memory, table uint64
		fits          bool
	}{{1 << 30, 1100, true}, {2 * small.Tables, 2200, true}, {2 * small.Tables, 1100, false}} {
		site, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: c.memory})
		if err != nil {
			t.Fatal(err)
		}
		s, err := site.Searcher(share.SearcherOptions{Table: c.table, Sets: 1 << 20})
		if (err == nil) != c.fits {
			t.Errorf("%+v, with tables of %d: %v", c, small.Tables, err)
		}
		if err == nil {
			s.Close()
		}
		site.Close()
	}
}

// rootTask is the task of a question as a whole.
func rootTask(t *testing.T, of prover.Subject[fanorona.Position], site share.Site, claim string, nodes uint64) (share.Proof, share.Task) {
	t.Helper()
	proof, err := site.Proof(share.Question{Position: start(t, of), Claim: claim, Version: version, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	task, found := proof.Next(1)
	if !found {
		t.Fatal("there is no task")
	}
	task.Nodes = nodes
	return proof, task
}

// searched searches a task, and tells how many nodes it took before it was decided: none where it was not.
func searched(t *testing.T, site share.Site, o share.SearcherOptions, task share.Task) (found share.Found, solved uint64) {
	t.Helper()
	s, err := site.Searcher(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	told := uint64(0)
	found, err = s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{
		Moved:   func(nodes uint64) { told += nodes },
		Decided: func() { solved = told },
	})
	if err != nil {
		t.Fatal(err)
	}
	if told != found.Nodes {
		t.Errorf("told of %d nodes, took %d", told, found.Nodes)
	}
	return found, solved
}

// TestASearchThatCantShowItsVerdictHasNone: where nodes, the table or the memory for sets end before the
// part is put together. More nodes help the first alone: of the others the position is to be split.
func TestASearchThatCantShowItsVerdictHasNone(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	const ample = 1 << 20
	for name, c := range map[string]struct {
		table, sets, nodes uint64
		decided, shown     bool
		smaller            bool
	}{
		"all is there":           {ample, ample, ample, true, true, false},
		"nodes end":              {ample, ample, 500, false, false, false},
		"a task of no nodes":     {ample, ample, 0, false, false, false},
		"nodes of the part end":  {1 << 10, ample, 1000, true, false, false}, // so small a table loses most
		"the table is too small": {1 << 11, ample, 100_000, true, false, true},
		"the sets are too small": {ample, 1, ample, true, false, true},
	} {
		_, task := rootTask(t, of, site, "white-wins", c.nodes)
		found, solved := searched(t, site, share.SearcherOptions{Table: c.table, Sets: c.sets}, task)
		if (solved > 0) != c.decided || (found.Verdict == proofnumber.Proved) != c.shown || !c.shown && found.Verdict != proofnumber.Undecided || found.Smaller != c.smaller {
			t.Errorf("%s: %+v, solved within %d nodes", name, found, solved)
		}
		if solved > max(1, c.nodes) || found.Nodes-solved > 2*max(1, c.nodes) || found.Nodes > max(3, task.MostNodes()) { // see extractNodes
			t.Errorf("%s: solved within %d nodes of %d, and shown by %d more", name, solved, c.nodes, found.Nodes-solved)
		}
		if ends := c.decided && !c.shown && !c.smaller; ends != (found.Nodes-solved == 2*c.nodes && c.nodes > 0) {
			t.Errorf("%s: of %d nodes to show it %d are used", name, 2*c.nodes, found.Nodes-solved)
		}
		if len(found.Turns) != 3 {
			t.Errorf("%s: %d turns are told", name, len(found.Turns))
		}
	}
}

// TestWhatOthersFoundIsShown by who hears it at the end of long work, within what that has taken: the nodes
// of the last task alone would not do.
func TestWhatOthersFoundIsShown(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	searcher := func() share.Searcher {
		s, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		return s
	}
	search := func(s share.Searcher, nodes, before uint64) share.Found {
		_, task := rootTask(t, of, site, "white-wins", nodes)
		task.Before = before
		found, err := s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
		if err != nil {
			t.Fatal(err)
		}
		if found.Nodes > task.MostNodes() {
			t.Errorf("%d nodes, and %d before: it takes %d", nodes, before, found.Nodes)
		}
		return found
	}
	first := searcher()
	if found := search(first, 1<<20, 0); found.Verdict != proofnumber.Proved {
		t.Fatalf("%+v", found)
	}
	said := first.Say(nil)
	for before, want := range map[uint64]proofnumber.Verdict{0: proofnumber.Undecided, 1000: proofnumber.Proved} {
		other := searcher()
		if err := other.Hear(said); err != nil {
			t.Fatal(err)
		}
		if found := search(other, 4, before); found.Verdict != want || found.Smaller {
			t.Errorf("%d nodes before: %+v", before, found)
		}
	}
}

// TestWhatIsDecidedBehindATurnIsToldAsSuch: of a win, that the turn is one; of a win that fails, that each
// turn does.
func TestWhatIsDecidedBehindATurnIsToldAsSuch(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	wins := func(turn jobs.Turn) bool { return turn.Proof == 1 && turn.Disproof > 1<<16 }
	fails := func(turn jobs.Turn) bool { return turn.Disproof == 1 && turn.Proof > 1<<16 }
	for claim, want := range map[string]proofnumber.Verdict{"white-wins": proofnumber.Proved, "black-wins": proofnumber.Refuted} {
		_, task := rootTask(t, of, site, claim, 1<<20)
		found, _ := searched(t, site, share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20}, task)
		won, failed := 0, 0
		for _, turn := range found.Turns {
			if wins(turn) {
				won++
			}
			if fails(turn) {
				failed++
			}
		}
		if white := claim == "white-wins"; found.Verdict != want || white && won == 0 || !white && failed == 0 || !white && won == len(found.Turns) {
			t.Errorf("%s: %v; %+v", claim, found.Verdict, found.Turns)
		}
	}
}

// TestSetsLeaveTablesTheirMemory: where these take half of it, sets have half of what they would have
// without them.
func TestSetsLeaveTablesTheirMemory(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	dir := built(t, of, 2)
	var small *prover.MemoryError
	if _, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: 1}); !errors.As(err, &small) {
		t.Fatal(err)
	}
	fits := func(memory, sets uint64) bool {
		site, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: memory})
		if err != nil {
			t.Fatal(err)
		}
		defer site.Close()
		_, task := rootTask(t, of, site, "black-wins", 1<<20)
		found, _ := searched(t, site, share.SearcherOptions{Table: 1 << 20, Sets: sets}, task)
		return found.Verdict != proofnumber.Undecided
	}
	least := uint64(1)
	for ; !fits(1<<40, least+1); least *= 2 { // a byte goes to the tables
	}
	if least == 1 {
		t.Fatal("no memory is needed for sets: the test tells nothing")
	}
	if half := 2 * small.Tables; fits(half, least+1) || !fits(half, 2*least+2) {
		t.Errorf("without tables %d bytes are enough for sets; where they take half of the memory: %v, and twice as many: %v", least, fits(half, least+1), fits(half, 2*least+2))
	}
}

// TestTheTableOfSeveralTasksHasItsSizeFromTheBeginning: one that grows moves what is in it, under the hands of
// the others. So the search of a task finds what it would in a full table, and of one task alone, in one that grows.
func TestTheTableOfSeveralTasksHasItsSizeFromTheBeginning(t *testing.T) {
	const table, sets, nodes = 1 << 24, 1 << 20, 150_000
	of := fanoronaOn(t, 5, 5)
	site := open(t, of, "")
	_, task := rootTask(t, of, site, "white-wins", nodes)
	p, side, err := of.Game.Parse(task.Position)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]uint64
	for tasks, newTable := range map[int]func(uint64) (*proofnumber.Table, error){1: proofnumber.NewTable, 2: proofnumber.NewFullTable} {
		plain, err := newTable(table)
		if err != nil {
			t.Fatal(err)
		}
		defer plain.Close()
		o := of.Search(prover.NewShelf(of), proofnumber.DFPN, 0)
		o.Nodes, o.Sets, o.Workers = nodes, sets, 1
		o.Exchange, o.Shown = proofnumber.NewExchange(plain, 1, 1, 1), true
		defer o.Exchange.Close()
		search, err := proofnumber.New(of.Game, plain, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := search.Solve(t.Context(), p, side == 0); err != nil {
			t.Fatal(err)
		}
		var want, got []uint64 // nodes behind each turn
		for _, turn := range search.Openings(p, side == 0) {
			want = append(want, turn.Nodes)
		}
		found, _ := searched(t, site, share.SearcherOptions{Tasks: tasks, Table: table, Sets: sets}, task)
		for _, turn := range found.Turns {
			got = append(got, turn.Nodes)
		}
		if !slices.Equal(got, want) {
			t.Errorf("of %d at a time, one took %v nodes behind its turns, want %v", tasks, got, want)
		}
		all = append(all, want)
	}
	if slices.Equal(all[0], all[1]) {
		t.Errorf("in both tables %v nodes: this tells nothing", all[0])
	}
}

// TestTwoTasksAreSearchedAtATime, of two claims: neither spoils the other's answer.
func TestTwoTasksAreSearchedAtATime(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	s, err := site.Searcher(share.SearcherOptions{Tasks: 2, Table: 1 << 24, Sets: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close) // behind both
	for claim, want := range map[string]proofnumber.Verdict{"white-wins": proofnumber.Proved, "black-wins": proofnumber.Refuted} {
		proof, task := rootTask(t, of, site, claim, 1<<20)
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "part")
			found, err := s.Search(t.Context(), task, version, 1, file, share.Watch{Moved: func(uint64) {}})
			if err != nil || found.Verdict != want {
				t.Fatalf("%v, %v, want %v", found.Verdict, err, want)
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := proof.Check(t.Context(), task.Position, want, bytes.NewReader(text), int64(len(text))); err != nil {
				t.Error(err)
			}
		})
	}
}
