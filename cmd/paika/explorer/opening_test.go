package explorer

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// Who waits for somebody else's look at the tables goes when it likes.
func TestWhoWaitsForTheOpeningCanGo(t *testing.T) {
	s := newServer(t, unhurried())
	leave, err := s.opening.one.enter(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	tables := s.views.all()[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if text := s.openingOf(ctx, tables); text != catalogue.Start {
		t.Errorf("without a look: %s", text)
	}
	leave()
	if text := s.openingOf(t.Context(), tables); text == catalogue.Start {
		t.Error("the start, though tables have wins")
	}
}

// What the page opens on is a win, whatever the tables have.
func TestOpenings(t *testing.T) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		game, _ := catalogue.Find("fanorona")
		instance, err := game.Open("3x3", nil)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 4, Metric: metric, Workers: 1, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
		tables, err := instance.Open(dir, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer tables.Close()
		answers, err := tables.Query(t.Context(), []string{findOpening(t.Context(), tables)})
		if err != nil || answers[0].Err != nil || answers[0].Result.Value != "win" {
			t.Errorf("%v: %+v, %v", metric, answers, err)
		}
		if !slices.Contains([]string{"2v2", "3v1", "1v3"}, answers[0].Result.Slice) {
			t.Errorf("%v: the opening is in %s", metric, answers[0].Result.Slice)
		}
	}
}

// The page begins with the board asked for where it has tables or was named, else with the largest
// tables of its game, else with the largest of all.
func TestWhatThePageBeginsWith(t *testing.T) {
	config := newServer(t, unhurried()).config
	open := func(game, board string) catalogue.Instance {
		t.Helper()
		found, _ := catalogue.Find(game)
		instance, err := found.Open(board, nil)
		if err != nil {
			t.Fatal(err)
		}
		return instance
	}
	largest, most := "", uint64(0)
	for _, table := range config.Tables {
		stats, err := table.Tables.Stats()
		if err != nil {
			t.Fatal(err)
		}
		for _, total := range stats.Totals {
			if total.Positions > most {
				largest, most = nameOf(table.Instance).String(), total.Positions
			}
		}
	}
	for _, c := range []struct {
		game, board string
		named, none bool
		want        string
	}{
		{"phutball", "3x5", false, false, "phutball 3x5"},
		{"konane", "4x4", true, false, "konane 4x4"},
		{"fanorona", "9x5", false, false, "fanorona 5x5"},
		{"konane", "6x6", false, false, "konane 4x4"},
		{"phutball", "15x19", false, false, "phutball 3x5"},
		{"breakthrough", "5x5", false, false, largest},
		{"breakthrough", "5x5", true, false, "breakthrough 5x5"},
		{"fanorona", "9x5", true, false, "fanorona 9x5"},
		{"fanorona", "9x5", false, true, "fanorona 9x5"},
	} {
		config := config
		config.First, config.Named = open(c.game, c.board), c.named
		if c.none {
			config.Tables = nil
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		table, found := s.firstTable()
		got := nameOf(config.First).String()
		if found {
			got = nameOf(table.Instance).String()
		}
		if got != c.want {
			t.Errorf("%+v: it begins with %s", c, got)
		}
	}
}

// hurried are tables of which the one who looks is called away.
type hurried struct {
	catalogue.Tables
	away func()
}

func (h hurried) Stats() (catalogue.Stats, error) {
	h.away()
	return h.Tables.Stats()
}

// What nobody had the time to find is looked for again.
func TestAnOpeningThatWasNotFoundInTimeIsLookedForAgain(t *testing.T) {
	s := newServer(t, unhurried())
	table := s.views.all()[0]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if text := s.openingOf(ctx, Table{table.Instance, hurried{table.Tables, cancel}}); text != catalogue.Start {
		t.Errorf("without time: %s", text)
	}
	found := s.openingOf(t.Context(), table)
	if found == catalogue.Start {
		t.Error("it is not looked for again")
	}
	if again := s.openingOf(ctx, table); again != found {
		t.Errorf("what was found is not kept: %s, want %s", again, found)
	}
	if leave, err := s.opening.one.try(1); err != nil {
		t.Error("who found it keeps others from looking")
	} else {
		leave()
	}
}

// While somebody looks at tables for long, others begin at the start.
func TestWhoWaitsForTheOpeningWaitsNotLong(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		s := newServer(t, unhurried())
		leave, err := s.opening.one.try(1)
		if err != nil {
			t.Fatal(err)
		}
		defer leave()
		began := time.Now()
		text := s.openingOf(t.Context(), s.views.all()[0])
		if took := time.Since(began); text != catalogue.Start || took != openingTime {
			t.Errorf("%s after %v", text, took)
		}
	})
}

// figured are tables of which the figures are made up. What a slice gives is named for it.
type figured struct {
	catalogue.Tables
	slices []catalogue.SliceStats
	start  error // why the start has no value
	drawn  *[]catalogue.Probe
}

func (f figured) Stats() (catalogue.Stats, error) { return catalogue.Stats{Slices: f.slices}, nil }

func (f figured) Longest(_ context.Context, slice string) (catalogue.Probe, error) {
	return catalogue.Probe{Position: "longest of " + slice}, nil
}

func (f figured) Probe(context.Context, []string) ([]catalogue.Answer[catalogue.Probe], error) {
	return []catalogue.Answer[catalogue.Probe]{{Err: f.start}}, nil
}

func (f figured) Random(context.Context, string) (catalogue.Probe, error) {
	all := *f.drawn
	if len(all) == 0 {
		return catalogue.Probe{Position: "drawn"}, nil
	}
	*f.drawn = all[1:]
	return all[0], nil
}

// The opening is the longest win of the largest slice that is not too large to be read; without
// distances it is the start, and where that has no value a win that is still to be played.
func TestWhereOpeningsAreLookedFor(t *testing.T) {
	long, unknown := new(int), errors.New("the start is not stored")
	slice := func(name string, positions, wins uint64, longest *int) catalogue.SliceStats {
		return catalogue.SliceStats{Slice: name, Positions: positions, Win: wins, LongestWin: longest}
	}
	win := catalogue.Probe{Position: "won", Value: "win"}
	over, lost := catalogue.Probe{Position: "over", Value: "win", Over: true}, catalogue.Probe{Position: "lost", Value: "loss"}
	for name, c := range map[string]struct {
		tables figured
		want   string
	}{
		"the largest":            {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, long), slice("large", openingSlice, 5, long)}}, "longest of large"},
		"too large":              {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, long), slice("large", openingSlice+1, 5, long)}}, "longest of small"},
		"no win in the largest":  {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, long), slice("large", 99, 0, nil)}}, "longest of small"},
		"no distances":           {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, nil)}}, catalogue.Start},
		"the start is not there": {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, nil)}, start: unknown, drawn: &[]catalogue.Probe{lost, over, win}}, "won"},
		"no win is drawn":        {figured{slices: []catalogue.SliceStats{slice("small", 10, 5, nil)}, start: unknown, drawn: new([]catalogue.Probe)}, catalogue.Start},
		"there is no win":        {figured{slices: []catalogue.SliceStats{slice("small", 10, 0, nil)}, start: unknown, drawn: &[]catalogue.Probe{win}}, catalogue.Start},
		"nothing":                {figured{start: unknown}, catalogue.Start},
	} {
		if got := findOpening(t.Context(), c.tables); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// claimed are proofs about a board, of which nothing is known but whether they begin at the start.
type claimed struct {
	catalogue.Walk
	instance catalogue.Instance
	start    bool
}

func (c claimed) Instance() catalogue.Instance { return c.instance }

func (c claimed) Sources() []catalogue.ProofSource {
	return []catalogue.ProofSource{{}, {Start: c.start}}
}

// The page begins at the start where that is proved, and not where a proof is about another board
// or another position.
func TestThePageBeginsAtAProofOfTheStartAlone(t *testing.T) {
	all := newServer(t, unhurried()).views.all()
	here, elsewhere := all[0].Instance, all[1].Instance
	for name, c := range map[string]struct {
		proofs []catalogue.Walk
		want   bool
	}{
		"none":                          {nil, false},
		"about another board":           {[]catalogue.Walk{claimed{nil, elsewhere, true}}, false},
		"about another position":        {[]catalogue.Walk{claimed{nil, here, false}, claimed{nil, elsewhere, true}}, false},
		"about the start":               {[]catalogue.Walk{claimed{nil, here, true}}, true},
		"about the start, among others": {[]catalogue.Walk{claimed{nil, elsewhere, false}, claimed{nil, here, true}}, true},
	} {
		s := newServerOf(t, unhurried(), c.proofs)
		if first := s.first(t.Context()); (first.Position == catalogue.Start) != c.want {
			t.Errorf("with proofs %s it begins with %+v", name, first)
		}
	}
}
