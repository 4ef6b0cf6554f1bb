package winone

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// full is a board full of men but for its lowest and highest rows, with one man
// below the goal at the edge: the most edges that a board can have, calls that nest
// deep, and a goal that is hard to get to.
func full(board bitboard.Board) phutball.Layout {
	l := phutball.NewLayout(board, 0, bitboard.Point{File: board.Width / 2, Rank: board.Height / 2})
	for file := range board.Width {
		for rank := 2; rank < board.Height-3; rank++ {
			if p := (bitboard.Point{File: file, Rank: rank}); p != l.Ball {
				l.Place(p)
			}
		}
	}
	l.Place(bitboard.Point{Rank: board.Height - 2})
	return l
}

// sealed has rows without men above a field that is dense: no series wins, and many
// lead far.
func sealed(board bitboard.Board, percent int) phutball.Layout {
	rng := rand.New(rand.NewPCG(7, 0))
	return fill(board, rng, bitboard.Point{File: board.Width / 2, Rank: board.Height / 2}, func(p bitboard.Point) int {
		switch {
		case p.Rank >= board.Height-4:
			return 8
		case p.Rank < 2:
			return 0
		}
		return percent
	})
}

// hardFormula is near the ratio of clauses to variables where formulas are hardest.
func hardFormula(variables int) CNF {
	rng := rand.New(rand.NewPCG(8, 0))
	f := CNF{Variables: variables}
	for range variables * 43 / 10 {
		var clause []int
		for _, v := range rng.Perm(variables)[:3] {
			clause = append(clause, (v+1)*(1-2*rng.IntN(2)))
		}
		f.Clauses = append(f.Clauses, clause)
	}
	return f
}

// demanding are boards that take long or much, each in a way of its own.
func demanding() map[string]phutball.Layout {
	return map[string]phutball.Layout{
		"full":          full(bitboard.Board{Width: 500, Height: 500}),
		"one long row":  full(bitboard.Board{Width: 60_000, Height: 9}),
		"one long file": full(bitboard.Board{Width: 4, Height: 100_000}),
		"sealed":        sealed(bitboard.Board{Width: 300, Height: 300}, 30),
		"dense sealed":  sealed(bitboard.Board{Width: 120, Height: 120}, 45),
		"hard":          sealed(bitboard.Board{Width: 40, Height: 60}, 27),
		"a formula":     FromCNF(hardFormula(20)),
	}
}

// A search looks at the time often enough: what it has of the processor is little more
// than the time that it may take, however long a busy machine keeps it waiting.
func TestStopsInTimeOnAnyBoard(t *testing.T) {
	const limit, late = 200 * time.Millisecond, 3 * time.Second // a slow machine
	for name, l := range demanding() {
		t.Run(name, func(t *testing.T) {
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			s := NewSolver(phutball.NewGrid(l.Board, phutball.Rules{}))
			for _, shortest := range []bool{false, true} {
				began := cpuTime()
				r, err := s.Layout(t.Context(), l, Options{Shortest: shortest, Time: limit})
				if passed := cpuTime() - began; passed > limit+late {
					t.Errorf("stops after %v, with a limit of %v", passed, limit)
				}
				if err != nil || !saysItsLimit(r, shortest) || r.Limit != NoLimit && r.Limit != TimeLimit {
					t.Errorf("%v %v %v %q, %v", r.Decided, r.Win, r.Shortest, r.Limit, err)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			began := cpuTime()
			_, err := s.Layout(ctx, l, Options{})
			if passed := cpuTime() - began; passed > limit+late {
				t.Errorf("stops %v after it began, with a context of %v: %v", passed, limit, err)
			}
		})
	}
}

// saysItsLimit tells whether a result names a limit exactly where one left something
// open that was asked.
func saysItsLimit(r Result, shortest bool) bool {
	open := !r.Decided || shortest && r.Win && !r.Shortest
	return open == (r.Limit != NoLimit)
}

// A scale is a context that weighs the heap now and then when a search looks whether it is
// to stop. The search waits meanwhile: what it holds is neither more nor less for a busy
// machine. It ends after so many looks.
type scale struct {
	context.Context
	looks        int // that are left
	before, most uint64
}

func newScale(ctx context.Context, looks int) *scale {
	return &scale{Context: ctx, looks: looks, before: heap()}
}

// heap is what it holds, garbage left out, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func (s *scale) weigh() {
	if now := heap(); now > s.before {
		s.most = max(s.most, now-s.before)
	}
}

func (s *scale) Err() error {
	if s.looks == 0 {
		return context.Canceled
	}
	if s.looks--; s.looks%4 == 0 {
		s.weigh()
	}
	return nil
}

func TestKeepsItsMemory(t *testing.T) {
	for name, l := range demanding() {
		for _, beside := range []uint64{1 << 20, 32 << 20} {
			memory := Bytes(l.Board) + beside
			scale := newScale(t.Context(), 400)
			s := NewSolver(phutball.NewGrid(l.Board, phutball.Rules{}))
			r, err := s.Layout(scale, l, Options{Memory: memory})
			scale.weigh()
			if err != nil && !errors.Is(err, context.Canceled) || !saysItsLimit(r, false) {
				t.Errorf("%s: %v %v %q, %v", name, r.Decided, r.Win, r.Limit, err)
			}
			if took := scale.most; took > memory {
				t.Errorf("%s: %d KiB of memory, and %d are allowed (%v %q)", name, took>>10, memory>>10, r.Decided, r.Limit)
			}
			runtime.KeepAlive(s)
		}
	}
}

func TestMemoryThatIsTooLittleIsSaid(t *testing.T) {
	l := sealed(bitboard.Board{Width: 300, Height: 300}, 30)
	s := NewSolver(phutball.NewGrid(l.Board, phutball.Rules{}))
	for _, memory := range []uint64{1, Bytes(l.Board) + 1<<20} {
		if r, err := s.Layout(t.Context(), l, Options{Memory: memory}); err != nil || r.Decided || r.Limit != MemoryLimit {
			t.Errorf("with %d bytes: %v %q, %v", memory, r.Decided, r.Limit, err)
		}
	}
}

// Memory beyond what a board needs changes nothing.
func TestMemoryThatIsEnoughChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	grid := phutball.NewGrid(phutball.Default, phutball.Rules{})
	s := NewSolver(grid)
	for range 300 {
		l := Hard()[rng.IntN(3)].Make(phutball.Default, rng)
		a, errA := s.Layout(t.Context(), l, Options{})
		text := a.Notation(grid)
		b, errB := s.Layout(t.Context(), l, Options{Memory: 64 << 20, Nodes: 1 << 40, Time: time.Hour})
		if errA != nil || errB != nil || !b.Decided || a.Win != b.Win || a.Nodes != b.Nodes || text != b.Notation(grid) {
			t.Fatalf("%v: %+v, %v and %+v, %v", l, a, errA, b, errB)
		}
	}
}

// A bound on nodes is kept, the same each time, and is one that more nodes move.
func TestKeepsItsNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	grid := phutball.NewGrid(phutball.Default, phutball.Rules{})
	s := NewSolver(grid)
	ended := 0
	for range 100 {
		l := Hard()[0].Make(phutball.Default, rng)
		free, err := s.Layout(t.Context(), l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, nodes := range []uint64{1, 64, 150, 1000, 4000} {
			for _, shortest := range []bool{false, true} {
				o := Options{Nodes: nodes, Shortest: shortest}
				a, errA := s.Layout(t.Context(), l, o)
				b, errB := NewSolver(grid).Layout(t.Context(), l, o)
				if errA != nil || errB != nil || a.Decided != b.Decided || a.Nodes != b.Nodes || a.Limit != b.Limit || a.Shortest != b.Shortest {
					t.Fatalf("%v, %d nodes: %+v, %v and %+v, %v", l, nodes, a, errA, b, errB)
				}
				switch {
				case a.Nodes > nodes:
					t.Fatalf("%v: %d nodes, and %d are allowed", l, a.Nodes, nodes)
				case !saysItsLimit(a, shortest), a.Limit != NoLimit && a.Limit != NodesLimit:
					t.Fatalf("%v, %d nodes: %+v", l, nodes, a)
				case a.Decided && a.Win != free.Win:
					t.Fatalf("%v, %d nodes: the answer is %v, and %v without a limit", l, nodes, a.Win, free.Win)
				case !a.Decided && !shortest && nodes > free.Nodes:
					t.Fatalf("%v: not decided in %d nodes, and in %d without a limit", l, nodes, free.Nodes)
				case !a.Decided:
					ended++
				}
			}
		}
	}
	if ended == 0 {
		t.Error("no search was ended")
	}
}

// Where a limit ends the search for fewer jumps, the answer says so, and how many there
// must be. More nodes never make that less, and end at the truth.
func TestShortestWithinLimits(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	s := NewSolver(phutball.NewGrid(phutball.Default, phutball.Rules{}))
	ended := 0
	for range 40 {
		l := Random(phutball.Default, rng, 30, true)
		free, err := s.Layout(t.Context(), l, Options{Shortest: true, Nodes: 200_000})
		if err != nil || !free.Win || !free.Shortest {
			continue
		}
		last := 0
		for nodes := uint64(1); nodes < free.Nodes; nodes = nodes*5/4 + 1 {
			r, err := s.Layout(t.Context(), l, Options{Shortest: true, Nodes: nodes})
			switch {
			case err != nil || !saysItsLimit(r, true):
				t.Fatalf("%v, %d nodes: %+v, %v", l, nodes, r, err)
			case !r.Win:
				continue
			case r.Least < last || r.Least > free.Jumps() || r.Jumps() < free.Jumps() || r.Shortest != (r.Jumps() == r.Least):
				t.Fatalf("%v, %d nodes: %d jumps, at least %d, and the shortest series has %d", l, nodes, r.Jumps(), r.Least, free.Jumps())
			case !r.Shortest:
				ended++
			}
			last = r.Least
		}
	}
	if ended < 20 {
		t.Errorf("%d searches for fewer jumps were ended: want more", ended)
	}
}

// Every rule of nesting is bounded: a stack of a gigabyte would end the program.
func TestCallsNestNoDeeperThanAllowed(t *testing.T) {
	var n nesting
	for x := range int32(deepest) {
		if !n.enter(x) {
			t.Fatalf("call %d waits", x)
		}
	}
	if n.enter(7) {
		t.Error("one call more may nest")
	}
	if x, found := n.next(); x != 7 || !found {
		t.Errorf("what waits is %d, %v", x, found)
	}
	if _, found := n.next(); found {
		t.Error("more waits")
	}
}

func TestSizesAreBoundedWhileReading(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"variables":             {"p cnf 999999999 1\n1 0\n", "line 1: the board is too large: "},
		"all of 64 bits":        {"p cnf 9223372036854775807 9223372036854775807\n", "line 1: the board is too large: "},
		"more than 64 bits":     {"p cnf 99999999999999999999 1\n", `line 1: "p cnf 99999999999999999999 1": want "p cnf VARIABLES CLAUSES"`},
		"clauses of the header": {"p cnf 1 999999999\n1 0\n", "line 1: 999999999 clauses: want at most 1048576"},
		"clauses":               {"p cnf 1 1\n1 0 1 0\n", "line 2: more than 1 clause, which the first line tells"},
		"empty clauses":         {"p cnf 1 2\n" + strings.Repeat("0 ", 3), "line 2: more than 2 clauses, which the first line tells"},
		"literals":              {"p cnf 100000 1\n" + strings.Repeat("1 ", 1<<20), "line 2: the board is too large: "},
		"a long word":           {"p cnf 1 1\n" + strings.Repeat("1", 1<<20), "line 2: \"1111"},
		"a long header":         {"p cnf " + strings.Repeat("1 ", 1<<20), `line 1: "p cnf 1 1 ...": want "p cnf VARIABLES CLAUSES"`},
		"binary":                {strings.Repeat("\x00\xff", 1<<20), `line 1: "\x00\xff`},
	} {
		before := peakOf(func() {
			_, err := ReadDIMACS(strings.NewReader(c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%s: %.200v, want %s", name, err, c.want)
			} else if len(err.Error()) > 400 {
				t.Errorf("%s: a message of %d bytes", name, len(err.Error()))
			}
		})
		if before > 16<<20 {
			t.Errorf("%s: %d bytes allocated", name, before)
		}
	}
	long := "c " + strings.Repeat("x", 1<<25) + "\np cnf 2 1\nc " + strings.Repeat("y ", 1<<24) + "\n1 -2 0"
	var f CNF
	var err error
	if bytes := peakOf(func() { f, err = ReadDIMACS(strings.NewReader(long)) }); err != nil || len(f.Clauses) != 1 || bytes > 1<<20 {
		t.Errorf("long comments: %v, %v, %d bytes allocated", f, err, bytes)
	}
}

// peakOf is the bytes that a call takes from the heap, garbage included.
func peakOf(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestBoardOfAFormulaIsKnownBeforehand(t *testing.T) {
	for _, f := range []CNF{{}, {1, [][]int{{}}}, {3, [][]int{{1, 2, 3}}}, hardFormula(5), hardFormula(8)} {
		if got, want := f.Board(), FromCNF(f).Board; got != want {
			t.Errorf("%v: board %v, want %v", f, got, want)
		}
	}
}

func FuzzDIMACS(f *testing.F) {
	f.Add("c an example\np cnf 3 2\n1 -3\n0 2 3 -1 0\nc the end\n")
	f.Add("p cnf 1 2\n1 0\n-1 0\n")
	f.Add("p cnf 0 0\n")
	f.Add("p cnf 2 1\n\t1 -2\r\n 0")
	f.Add("p cnf 999999999 3\n")
	f.Add("p cnf 1 1\n1\x00 0")
	f.Add("p cnf " + strings.Repeat("\x19", 200) + " " + strings.Repeat("\x19", 200))
	f.Fuzz(func(t *testing.T, text string) {
		formula, err := ReadDIMACS(strings.NewReader(text))
		if err != nil {
			if len(err.Error()) > 500 {
				t.Fatalf("a message of %d bytes for %q", len(err.Error()), text)
			}
			return
		}
		for _, c := range formula.Clauses {
			for _, l := range c {
				if l == 0 || max(l, -l) > formula.Variables {
					t.Fatalf("%q has the literal %d", text, l)
				}
			}
		}
		if b := formula.Board(); b.Points() > phutball.MostPoints || b.Points() > 1<<18 {
			if b.Width > phutball.MostPoints/b.Height {
				t.Fatalf("%q makes a board %v", text, b)
			}
			return // right, and slow to lay
		}
		if l := FromCNF(formula); l.Board != formula.Board() {
			t.Fatalf("%q: board %v, want %v", text, l.Board, formula.Board())
		}
	})
}

// FuzzAgreesWithNaive compares the answers on boards of a few points with those of
// all series of jumps.
func FuzzAgreesWithNaive(f *testing.F) {
	f.Add(uint8(6), uint8(6), uint8(24), uint8(0), []byte{0xaa, 0x55, 0xff, 0x18, 0x3c})
	f.Add(uint8(2), uint8(9), uint8(4), uint8(9), []byte{0x0f, 0xf0, 0x33})
	f.Add(uint8(8), uint8(7), uint8(30), uint8(6), []byte{0xdb, 0x6d, 0xb6, 0xdb, 0x6d, 0xb6, 0x11})
	f.Fuzz(func(t *testing.T, width, height, at, options uint8, men []byte) {
		board := bitboard.Board{Width: 1 + int(width)%10, Height: 3 + int(height)%9}
		ball := int(at) % board.Points()
		l := phutball.NewLayout(board, bitboard.Side(options>>3&1), bitboard.Point{File: ball % board.Width, Rank: ball / board.Width})
		for i := range board.Points() {
			if i/8 < len(men) && men[i/8]>>(i%8)&1 != 0 && i != ball {
				l.Place(bitboard.Point{File: i % board.Width, Rank: i / board.Width})
			}
		}
		rules := phutball.Rules{GoalStop: options&1 != 0, CornerExit: options&2 != 0, ReturnFromOff: options&4 != 0}
		grid := phutball.NewGrid(board, rules)
		if place, _ := grid.PlaceAt(l.Ball); grid.Goal(place) != 0 {
			return
		}
		fewest, ended := naiveOf(l, rules, 100_000).fewest(l.Ball, l.Side == 0)
		if !ended {
			return
		}
		r, err := NewSolver(grid).Layout(t.Context(), l, Options{Shortest: true})
		if err != nil || !r.Decided || r.Win != (fewest > 0) || r.Win && (!r.Shortest || r.Jumps() != fewest) {
			t.Fatalf("%v, %v: %+v, %v, want a series of %d jumps", l, rules, r, err, fewest)
		}
		if r.Win {
			replay(t, grid, l, r)
		}
	})
}
