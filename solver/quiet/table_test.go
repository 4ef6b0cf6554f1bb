package quiet_test

import (
	"context"
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/solver/quiet"
	"paika/solver/retrograde"
)

func newGame(t testing.TB, size string) *breakthrough.Game {
	t.Helper()
	board, err := bitboard.ParseBoard(size)
	if err != nil {
		t.Fatal(err)
	}
	game, err := breakthrough.New(board)
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func solve(t testing.TB, game *breakthrough.Game) *quiet.Table {
	t.Helper()
	table, err := quiet.Solve(t.Context(), game)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// memory keeps tables while a board is solved.
type memory map[bitboard.Slice]bitboard.Packed

func (m memory) Has(s bitboard.Slice) bool { return m[s] != nil }

func (m memory) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, m[t.Slice])
	return nil
}

func (m memory) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	m[t.Slice] = append(bitboard.Packed(nil), t.WDL...)
	return nil
}

// Every position of these boards is won by the side that retrograde analysis says.
func TestWinnersAreThoseOfTables(t *testing.T) {
	for _, c := range []struct {
		board string
		long  bool
	}{{"2x4", false}, {"3x4", false}, {"2x5", false}, {"2x6", false}, {"2x7", false}, {"4x4", true}, {"3x5", true}} {
		t.Run(c.board, func(t *testing.T) {
			if c.long && (testing.Short() || underRace) {
				t.Skip("takes seconds, with the race detector much longer")
			}
			game := newGame(t, c.board)
			groups, err := game.Groups()
			if err != nil {
				t.Fatal(err)
			}
			values := memory{}
			if _, err := retrograde.Build(t.Context(), game, groups, values, retrograde.Options{Workers: 2, Memory: 1 << 30}); err != nil {
				t.Fatal(err)
			}
			table := solve(t, game)
			for s := range values {
				game.Walk(s, 0, game.Indices(s), func(i uint64, p breakthrough.Position, _ int) bool {
					if want := values[s].At(i) == bitboard.Win; table.Wins(p) != want {
						t.Errorf("%s: the side to move wins: %t", game.Format(p, 0), !want)
					}
					return !t.Failed()
				})
			}
		})
	}
}

// Where the game is over it tells who has won.
func TestEnds(t *testing.T) {
	game := newGame(t, "3x4")
	table := solve(t, game)
	for text, want := range map[string]bool{
		"W../B../.../... b": false, // White has arrived
		".../.../W../... b": false, // no pawns are left
		"W../B../.../... w": true,
		".../.../W../... w": true,
	} {
		p, _, err := game.Parse(text)
		if got := table.Wins(p); got != want || err != nil {
			t.Errorf("%s: the side to move wins: %t, error %v", text, got, err)
		}
	}
}

// Who wins from the start. On 5x5 that is Black.
func TestStarts(t *testing.T) {
	for board, white := range map[string]bool{"3x4": false, "4x4": false, "5x4": false, "3x5": false, "3x6": true, "4x5": false, "5x5": false} {
		t.Run(board, func(t *testing.T) {
			if board == "5x5" && (testing.Short() || underRace) {
				t.Skip("takes seconds, with the race detector much longer")
			}
			game := newGame(t, board)
			start, _, err := game.Start()
			if got := solve(t, game).Wins(start); got != white || err != nil {
				t.Errorf("White wins: %t, error %v", got, err)
			}
		})
	}
}

func TestLargeBoardsHaveNoTable(t *testing.T) {
	for _, board := range []string{"6x4", "8x8", "5x6", "3x8"} {
		if _, err := quiet.Solve(t.Context(), newGame(t, board)); !errors.Is(err, quiet.ErrTooLarge) {
			t.Errorf("%s: error %v, want %v", board, err, quiet.ErrTooLarge)
		}
	}
}

func TestSolveStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := quiet.Solve(ctx, newGame(t, "3x4")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}
