package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// A spy looks on while a certificate is checked. Its functions, where they are there, are told
// how often a method was called.
type spy struct {
	*phutball.Game
	parsed, formatted, listed atomic.Int64
	onParse, onFormat         func(times int64)
}

func (s *spy) Parse(text string) (phutball.Position, bitboard.Side, error) {
	if n := s.parsed.Add(1); s.onParse != nil {
		s.onParse(n)
	}
	return s.Game.Parse(text)
}

// Format is called for each fault.
func (s *spy) Format(p phutball.Position, side bitboard.Side) string {
	if n := s.formatted.Add(1); s.onFormat != nil {
		s.onFormat(n)
	}
	return s.Game.Format(p, side)
}

func (s *spy) Turns(dst []phutball.Position, p phutball.Position) []phutball.Position {
	had := len(dst)
	dst = s.Game.Turns(dst, p)
	s.listed.Store(max(s.listed.Load(), int64(len(dst)-had)))
	return dst
}

// crowd is a certificate whose positions have up to 50,000 turns each, more than 1,000 of them
// different ones, that lead nowhere: men stand between all points of the even lattice, but for two.
// Among them are records that are good.
type crowd struct {
	game    *phutball.Game
	setting proofs.Setting
	header  string
	lines   []string
	first   int // the number of the first record that is at fault
	alone   string
}

func newCrowd(t *testing.T) *crowd {
	t.Helper()
	board := bitboard.Board{Width: 5, Height: 7}
	game, err := phutball.New(board, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	var men []string
	for _, rank := range "12345" {
		for _, file := range "ABCDE" {
			if strings.ContainsRune("BD", file) || strings.ContainsRune("24", rank) {
				men = append(men, string(file)+string(rank))
			}
		}
	}
	text := func(side string, without ...int) string {
		var there []string
		for i, man := range men {
			if !slices.Contains(without, i) {
				there = append(there, man)
			}
		}
		return "ball=C3 men=" + strings.Join(there, ",") + " to=" + side
	}
	c := &crowd{game: game, setting: proofs.Setting{Game: "phutball", Board: board.String()}}
	var crowded []string
	for i := range men {
		for j := range i {
			crowded = append(crowded, text("ohs", i, j)+"\t*\n")
			for k := range j { // eks puts a man there
				c.lines = append(c.lines, text("eks", i, j, k)+"\t"+men[k]+"\n")
			}
		}
	}
	c.first, c.alone = 301, crowded[0]
	for i, line := range crowded {
		c.lines = slices.Insert(c.lines, min(300+2*i, len(c.lines)), line)
	}
	root, _, _ := strings.Cut(crowded[0], "\t")
	c.header = fmt.Sprintf(`{"format":1,"game":"phutball","board":"5x7","rules":"","claim":"eks-not-lost","root":%q,"tables":[]}`, root) + "\n"
	return c
}

func (c *crowd) check(t *testing.T, ctx context.Context, game proofs.Game[phutball.Position], lines []string, o proofs.Options) (proofs.Report, error) {
	t.Helper()
	opened, err := open(pack(t, append([]string{c.header}, lines...)))
	if err != nil {
		t.Fatal(err)
	}
	return proofs.Check(ctx, c.setting, game, nil, opened, o)
}

// Once as many faults are known as are told, no record behind them is looked at. What is told is
// the same whoever finds it first.
func TestChecksEndWithinABlock(t *testing.T) {
	c := newCrowd(t)
	want, err := c.check(t, t.Context(), c.game, []string{c.alone}, proofs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range want.Findings {
		want.Findings[i].Record = uint64(c.first)
	}
	p, _, err := c.game.Parse(want.Header.Root)
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		of := &spy{Game: c.game}
		got, err := c.check(t, t.Context(), of, c.lines, proofs.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if got.Faults != want.Faults || !got.More || !slices.Equal(got.Findings, want.Findings) {
			t.Errorf("%d workers: %d faults, want %d; %v, want %v", workers, got.Faults, want.Faults, got.Findings[0], want.Findings[0])
		}
		if n := of.formatted.Load(); workers == 1 && n > int64(c.game.Count(p)) {
			t.Errorf("%d turns were found to lead nowhere, the first position has %d", n, c.game.Count(p))
		}
	}
}

// Who ends a check does not wait for the turns of a position, nor for a block.
func TestChecksEndWithTheirContext(t *testing.T) {
	c := newCrowd(t)
	records := int64(len(c.lines))
	for name, at := range map[string]struct{ parsed, formatted int64 }{
		"while records are collected": {parsed: 5},
		"while records are checked":   {parsed: 1 + records + 5},
		"while turns are followed":    {formatted: 1},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		of := &spy{Game: c.game}
		when := func(want int64) func(int64) {
			return func(n int64) {
				if n == want {
					cancel()
				}
			}
		}
		of.onParse, of.onFormat = when(at.parsed), when(at.formatted)
		_, err := c.check(t, ctx, of, c.lines, proofs.Options{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if n := of.parsed.Load(); at.parsed > 0 && n > at.parsed+1 {
			t.Errorf("%s: %d records were read after the end", name, n-at.parsed)
		}
		if n := of.formatted.Load(); n > at.formatted+1024 {
			t.Errorf("%s: %d turns were followed after the end", name, n-at.formatted)
		}
	}
}

// Where there are many turns, they are not held together.
func TestManyTurnsAreNotListed(t *testing.T) {
	c := newCrowd(t)
	of := &spy{Game: c.game}
	if _, err := c.check(t, t.Context(), of, []string{c.alone}, proofs.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := of.listed.Load(); n > 1<<12 {
		t.Errorf("%d turns are listed together", n)
	}
}

// A weigher tells how much memory is in use while a certificate is checked.
type weigher struct {
	*fanorona.Game
	parsed atomic.Int64
	most   atomic.Uint64
}

func (w *weigher) Parse(text string) (fanorona.Position, bitboard.Side, error) {
	if w.parsed.Add(1)%100 == 0 {
		w.most.Store(max(w.most.Load(), inUse()))
	}
	return w.Game.Parse(text)
}

// inUse is the memory in use, in bytes.
func inUse() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Lines of nothing but zeros compress to nothing. However long they are, few are held at a time,
// and those at fault not at all. What decompression keeps is the most that a file may ask for.
func TestChecksTakeNoMoreThanTheySay(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	fields := strings.Split(strings.TrimSpace(lines[1]), "\t")
	line := fields[0] + "\t" + fields[1] + "\t"
	line += strings.Repeat("0", 65_535-len(line)) + "\n" // below which there is no rank
	const many = 500
	wide := within(t, 32<<20, lines[0], strings.Repeat(line, many), fmt.Sprintf("end\t%d\n", many))
	opened, err := open(wide)
	if err != nil {
		t.Fatal(err)
	}
	before, of := inUse(), &weigher{Game: s.game.(*fanorona.Game)}
	const workers = 1 // who reads ahead waits for it, and no one adds garbage meanwhile
	r, err := proofs.Check[fanorona.Position](t.Context(), s.setting, of, nil, opened, proofs.Options{Workers: workers})
	if err != nil || r.Faults != 2*many-1 {
		t.Fatalf("%v, %v", r.Findings, err)
	}
	if taken := of.most.Load() - before; taken > proofs.Beside(workers) {
		t.Errorf("a file of %d bytes takes %d MiB, said to be %d", opened.Size(), taken>>20, proofs.Beside(workers)>>20)
	}
	runtime.KeepAlive(wide)
}
