package catalogue_test

import (
	"errors"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// onBoard is a board of a game under its usual rules.
func onBoard(t *testing.T, game, board string) catalogue.Instance {
	t.Helper()
	for _, g := range catalogue.Games() {
		if g.Name == game {
			instance, err := g.Open(board, nil)
			if err != nil {
				t.Fatal(err)
			}
			return instance
		}
	}
	t.Fatalf("no game %s", game)
	return nil
}

// What can't be built is refused before any work is done, and the message says
// what could be.
func TestLimitsOfTables(t *testing.T) {
	const most = bitboard.AllPieces
	for _, c := range []struct {
		game, board string
		pieces      int
		want        string // "" where there are such tables
	}{
		{"fanorona", "9x5", 7, ""},
		{"fanorona", "5x5", most, ""},
		{"fanorona", "9x5", 1, "1 piece on 9x5: want 2 to 45"},
		{"fanorona", "9x5", 46, "46 pieces on 9x5: want 2 to 45"},
		{"fanorona", "9x5", most, "slice 8v7 of 9x5 has more than 2^48 indices: tables hold up to 14 pieces there"},
		{"konane", "4x4", 1, ""},
		{"konane", "4x4", 16, ""},
		{"konane", "4x4", -1, "-1 pieces on 4x4: want 1 to 16"},
		{"konane", "4x4", 17, "17 pieces on 4x4: want 1 to 16"},
		{"konane", "8x8", most, "slice 8v11 of 8x8 has more than 2^48 indices: tables hold up to 18 pieces there"},
		{"konane", "16x16", 200, "slice 3v6 of 16x16 has more than 2^48 indices: tables hold up to 8 pieces there"},
		{"konane", "16x16", 257, "257 pieces on 16x16: want 1 to 256"},
		{"phutball", "5x5", most, ""},
		{"phutball", "5x5", 25, ""},
		{"phutball", "5x5", 24, "24 pieces on 5x5: this game has one table for a whole board, not one for so many pieces: want --pieces all"},
		{"phutball", "5x5", 26, "26 pieces on 5x5: this game has one table for a whole board, not one for so many pieces: want --pieces all"},
		{"phutball", "15x19", 24, "24 pieces on 15x19: this game has one table for a whole board, not one for so many pieces: want --pieces all"},
		{"phutball", "15x19", most, "phutball on 15x19 has 285 points, and tables are made for 44 at most"},
	} {
		_, err := onBoard(t, c.game, c.board).BuildCost(catalogue.BuildOptions{Pieces: c.pieces, Workers: 1})
		var wrong *catalogue.ParameterError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s %s, %d pieces: %v", c.game, c.board, c.pieces, err)
		case c.want != "" && (!errors.As(err, &wrong) || wrong.Err.Error() != c.want):
			t.Errorf("%s %s, %d pieces: error %v, want %s", c.game, c.board, c.pieces, err, c.want)
		}
	}
}

// What is offered can be built, up to the most pieces that tables hold.
func TestSlicesThatAreOfferedCanBeBuilt(t *testing.T) {
	for _, c := range []struct {
		game, board string
		most        int // pieces
	}{
		{"fanorona", "9x5", 14},
		{"fanorona", "5x3", 15},
		{"konane", "16x16", 8},
		{"breakthrough", "8x8", 11},
		{"phutball", "3x5", 15},
		{"phutball", "15x19", 0},
	} {
		instance := onBoard(t, c.game, c.board)
		most := 0
		for _, name := range instance.SliceNames() {
			most = max(most, instance.SlicePieces(name))
			if _, err := instance.BuildCost(catalogue.BuildOptions{Slices: []string{name}, Workers: 1}); err != nil {
				t.Errorf("%s %s, %s: %v", c.game, c.board, name, err)
			}
		}
		if most != c.most {
			t.Errorf("%s %s: up to %d pieces, want %d", c.game, c.board, most, c.most)
		}
	}
}

// A slice that has no table is refused by its own name.
func TestASliceThatIsTooLargeIsNamed(t *testing.T) {
	_, err := onBoard(t, "fanorona", "9x5").BuildCost(catalogue.BuildOptions{Slices: []string{"3v2", "10v5"}, Workers: 1})
	if want := "slice 10v5 of 9x5 has 15 pieces: tables hold up to 14 pieces there"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// A guess of what a build takes is not far from what builds came to, which the manual's records have:
// seconds of one worker, on machines of some years.
func TestGuessesAreNotFarFromBuilds(t *testing.T) {
	const far = 3
	for _, c := range []struct {
		game, board string
		pieces      int
		metric      bitboard.Metric
		seconds     float64
	}{
		{"fanorona", "9x5", 6, bitboard.WDL, 18},
		{"fanorona", "9x5", 6, bitboard.DTW, 37},
		{"fanorona", "9x5", 7, bitboard.WDL, 100},
		{"konane", "6x5", bitboard.AllPieces, bitboard.WDL, 32},
		{"konane", "6x6", bitboard.AllPieces, bitboard.WDL, 48 * 60},
		{"phutball", "5x5", bitboard.AllPieces, bitboard.WDL, 8},
		{"breakthrough", "4x5", bitboard.AllPieces, bitboard.WDL, 35},
		{"breakthrough", "4x5", bitboard.AllPieces, bitboard.DTW, 76},
	} {
		cost, err := onBoard(t, c.game, c.board).BuildCost(catalogue.BuildOptions{Pieces: c.pieces, Metric: c.metric, Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := cost.Guess(c.metric, 1); got < c.seconds/far || got > c.seconds*far {
			t.Errorf("%s %s, %d pieces, %v: %.0f s, and a build came to %.0f", c.game, c.board, c.pieces, c.metric, got, c.seconds)
		}
	}
}
