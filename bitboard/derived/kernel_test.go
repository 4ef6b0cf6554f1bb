package derived_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/derived"
	"paika/bitboard/fanorona"
	"paika/bitboard/gametest"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/retrograde"
)

// fine is a game without its kernel.
type fine[P comparable] interface {
	bitboard.Rules[P]
	bitboard.Notation[P]
	bitboard.Space[P]
	Unmoves(dst []P, p P) []P
}

// swapped is a game with the derived kernel in place of its own.
type swapped[P comparable] struct {
	fine[P]
	*derived.Kernel[P]
}

func swap[P comparable](game fine[P]) swapped[P] {
	return swapped[P]{game, derived.NewKernel[P](game)}
}

func board(t testing.TB, text string) bitboard.Board {
	t.Helper()
	b, err := bitboard.ParseBoard(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func newFanorona(t testing.TB, size string, rules fanorona.Rules) *fanorona.Game {
	t.Helper()
	g, err := fanorona.New(board(t, size), rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newKonane(t testing.TB, size, opening string) *konane.Game[konane.Word] {
	t.Helper()
	rules, err := konane.ParseRules(board(t, size), map[string]string{"opening": opening})
	if err != nil {
		t.Fatal(err)
	}
	g, err := konane.New[konane.Word](board(t, size), rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func newPhutball(t testing.TB, size string, rules phutball.Rules) *phutball.Game {
	t.Helper()
	g, err := phutball.New(board(t, size), rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// memory keeps tables and what was counted.
type memory struct {
	tables    map[bitboard.Slice]bitboard.Table
	summaries map[bitboard.Slice]bitboard.Summary
}

func (m *memory) Has(s bitboard.Slice) bool { _, has := m.tables[s]; return has }

func (m *memory) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, m.tables[t.Slice].WDL)
	copy(t.DTW, m.tables[t.Slice].DTW)
	return nil
}

func (m *memory) Save(_ context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	m.tables[t.Slice] = bitboard.Table{Slice: t.Slice, WDL: slices.Clone(t.WDL), DTW: slices.Clone(t.DTW)}
	m.summaries[t.Slice] = sum
	return nil
}

func build[P comparable](t testing.TB, game bitboard.Game[P], pieces int, metric bitboard.Metric) *memory {
	t.Helper()
	groups, err := bitboard.GroupsWithin(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	m := &memory{map[bitboard.Slice]bitboard.Table{}, map[bitboard.Slice]bitboard.Summary{}}
	if _, err := retrograde.Build(t.Context(), game, groups, m, retrograde.Options{Metric: metric, Workers: 2, Memory: 1 << 31}); err != nil {
		t.Fatal(err)
	}
	return m
}

// sameTables compares the tables that a game's own kernel gives with those of the
// derived one.
func sameTables[P comparable](t *testing.T, game bitboard.Game[P], pieces int) {
	t.Helper()
	derivedGame := swap[P](game.(fine[P]))
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		own, other := build(t, game, pieces, metric), build[P](t, derivedGame, pieces, metric)
		for s, table := range own.tables {
			switch {
			case own.summaries[s] != other.summaries[s]:
				t.Errorf("slice %s, %v: counted %+v, the game's own kernel %+v", game.SliceName(s), metric, other.summaries[s], own.summaries[s])
			case !slices.Equal(table.WDL, other.tables[s].WDL), !slices.Equal(table.DTW, other.tables[s].DTW):
				t.Errorf("slice %s, %v: another table than the game's own kernel gives", game.SliceName(s), metric)
			}
		}
	}
}

func TestTablesAreThoseOfTheGamesOwnKernel(t *testing.T) {
	t.Run("fanorona 3x3", func(t *testing.T) { sameTables(t, newFanorona(t, "3x3", fanorona.Rules{}), 9) })
	t.Run("fanorona 3x3, stalemate a draw", func(t *testing.T) {
		sameTables(t, newFanorona(t, "3x3", fanorona.Rules{StalemateDraws: true}), 9)
	})
	t.Run("fanorona 5x5", func(t *testing.T) { sameTables(t, newFanorona(t, "5x5", fanorona.Rules{}), 4) })
	t.Run("konane 4x3", func(t *testing.T) { sameTables(t, newKonane(t, "4x3", "traditional"), bitboard.AllPieces) })
	t.Run("konane 4x4", func(t *testing.T) { sameTables(t, newKonane(t, "4x4", "corner-h"), bitboard.AllPieces) })
	t.Run("phutball 3x4", func(t *testing.T) { sameTables(t, newPhutball(t, "3x4", phutball.Rules{}), bitboard.AllPieces) })
	t.Run("phutball 4x3", func(t *testing.T) {
		sameTables(t, newPhutball(t, "4x3", phutball.Rules{CornerExit: true, ReturnFromOff: true}), bitboard.AllPieces)
	})
}

// Most slices of a large board are too large for tables. The others are solved.
func TestLargeBoardsHaveSmallSlices(t *testing.T) {
	sameTables(t, newFanorona(t, "9x5", fanorona.Rules{}), 3)
}

func TestConforms(t *testing.T) {
	t.Run("fanorona", func(t *testing.T) {
		g := newFanorona(t, "3x3", fanorona.Rules{})
		gametest.Conform(t, swap[fanorona.Position](g), gametest.Options[fanorona.Position]{
			Pieces: 9, Whole: []string{"1v1", "2v2", "3v2", "2v3"}, Sampled: []string{"4v4", "5v3", "3v5"}, Samples: 5,
			Images:  func(p fanorona.Position) []fanorona.Position { return images(g, p, quarterTurn, mirror) },
			Outside: func(p fanorona.Position) bool { return p.Own == 0 || p.Opp == 0 },
		})
	})
	t.Run("konane", func(t *testing.T) {
		g := sidedKonane{newKonane(t, "3x3", "traditional")}
		gametest.Conform(t, swap[stones](g), gametest.Options[stones]{
			Whole:  []string{"1v0", "2v2", "3v2", "4v4", "4v5"},
			Images: func(p stones) []stones { return images(g.Game, p, quarterTurn, mirror) },
		})
	})
	t.Run("phutball", func(t *testing.T) {
		g := newPhutball(t, "3x3", phutball.Rules{})
		gametest.Conform(t, swap[phutball.Position](g), gametest.Options[phutball.Position]{
			Whole:   []string{"all"},
			Images:  func(p phutball.Position) []phutball.Position { return images(g, p, mirror) },
			Outside: func(p phutball.Position) bool { return g.SliceOf(p) != 0 },
		})
	})
}

type stones = konane.Position[konane.Word]

// sidedKonane writes whose turn is asked for behind the text: a position of Konane
// tells itself whose turn it is, and the suite asks with either side to move.
type sidedKonane struct{ *konane.Game[konane.Word] }

func (g sidedKonane) Format(p stones, s bitboard.Side) string {
	return g.Game.Format(p, s) + " " + g.SideName(s)
}

func (g sidedKonane) Parse(text string) (stones, bitboard.Side, error) {
	s := bitboard.Side(0)
	if strings.HasSuffix(text, g.SideName(1)) {
		s = 1
	}
	p, _, err := g.Game.Parse(strings.TrimSuffix(text, " "+g.SideName(s)))
	return p, s, err
}

// images maps a position through symmetries, as often as it takes to come round.
// They work on the ranks of its text.
func images[P comparable](g bitboard.Notation[P], p P, symmetries ...func(ranks []string) []string) []P {
	all := []P{p}
	for i := 0; i < len(all); i++ {
		for _, image := range symmetries {
			board, side, _ := strings.Cut(g.Format(all[i], 0), " ")
			moved, _, err := g.Parse(strings.Join(image(strings.Split(board, "/")), "/") + " " + side)
			if err == nil && !slices.Contains(all, moved) {
				all = append(all, moved)
			}
		}
	}
	return all
}

func mirror(ranks []string) []string {
	var moved []string
	for _, rank := range ranks {
		letters := []byte(rank)
		slices.Reverse(letters)
		moved = append(moved, string(letters))
	}
	return moved
}

func quarterTurn(ranks []string) []string {
	moved := make([]string, len(ranks[0]))
	for file := range moved {
		for _, rank := range slices.Backward(ranks) {
			moved[file] += string(rank[file])
		}
	}
	return moved
}

func BenchmarkBuild(b *testing.B) {
	fan, kon, phu := newFanorona(b, "5x5", fanorona.Rules{}), newKonane(b, "4x4", "corner-h"), newPhutball(b, "4x4", phutball.Rules{})
	compare(b, "fanorona 5x5, 5 pieces", fan, 5)
	compare(b, "konane 4x4", kon, bitboard.AllPieces)
	compare(b, "phutball 4x4", phu, bitboard.AllPieces)
}

// compare builds the same tables by either kernel, by turns.
func compare[P comparable](b *testing.B, name string, game bitboard.Game[P], pieces int) {
	other := swap[P](game.(fine[P]))
	b.Run(name+"/own", func(b *testing.B) {
		for b.Loop() {
			build(b, game, pieces, bitboard.WDL)
		}
	})
	b.Run(name+"/derived", func(b *testing.B) {
		for b.Loop() {
			build[P](b, other, pieces, bitboard.WDL)
		}
	})
}
