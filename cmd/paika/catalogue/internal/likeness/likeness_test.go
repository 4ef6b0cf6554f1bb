package likeness_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/catalogue/internal/likeness"
)

// A slice goes by the one most like it that was measured, not by the largest.
func TestSlicesGoByWhatIsAlike(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	known := likeness.Known{
		Game: game,
		Paces: []likeness.Pace{
			{Slices: []string{"2v1", "1v2"}, Indices: 1e5, Rate: 10e6},
			{Slices: []string{"2v2"}, Indices: 1e6, Rate: 0.25e6},
			{Slices: []string{"3v2", "2v3"}, Indices: 1e6, Rate: 0.5e6},
			{Slices: []string{"4v1", "1v4"}, Indices: 2e6, Rate: 1e6},
			{Slices: []string{"9v1", "1v9"}, Indices: 3e6}, // took no time that can be told
		},
		Sizes: map[string]likeness.Size{
			"2v1": {Positions: 1000, Bytes: 1000},
			"3v2": {Positions: 1e6, Bytes: 1e6},
			"2v3": {Positions: 1e6, Bytes: 2e6},
		},
	}
	average := known.Average()
	if want := 8 * 3_001_000.0 / 2_001_000; average != want {
		t.Errorf("%v bits on average, want %v", average, want)
	}
	if rate := known.Largest(); rate != 1e6 {
		t.Errorf("%v indices a second by the largest, want 1e6", rate)
	}
	for slice, want := range map[string]struct{ rate, bits float64 }{
		"5v4": {0.5e6, 8},        // like 3v2
		"4v5": {0.5e6, 16},       // like 2v3
		"4v4": {0.25e6, average}, // like 2v2; no slice like it was stored
		"6v3": {1e6, average},    // like 4v1
		"9v2": {1e6, average},    // likewise, at the end
		"2v1": {10e6, 8},         // itself
		"4v2": {1e6, average},    // like none measured: by the largest
	} {
		s, err := game.ParseSlice(slice)
		if err != nil {
			t.Fatal(err)
		}
		if rate, bits := known.Rate(s), known.Bits(s); rate != want.rate || bits != want.bits {
			t.Errorf("%s: %v indices a second and %v bits, want %v and %v", slice, rate, bits, want.rate, want.bits)
		}
	}
}

// Held values take more bytes than their share of a table that is stored whole, by the
// root of that: of 1e6 bytes, those of a quarter of the values take half.
func TestHeldValuesTakeMoreThanTheirShare(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	known := likeness.Known{Game: game, Sizes: map[string]likeness.Size{
		"3v2": {Positions: 1e6, Bytes: 1e6, Held: 0.25},
		"2v3": {Positions: 1e6, Bytes: 1e6},
	}}
	for slice, want := range map[string]float64{
		"3v2": 4,                      // itself
		"5v4": 4,                      // as many of 3v2
		"4v5": 2,                      // of 2v3 it is not known which are held
		"4v4": known.Average() * 0.25, // like none measured
	} {
		s, err := game.ParseSlice(slice)
		if err != nil {
			t.Fatal(err)
		}
		if bits := known.HeldBits(s, 0.25); bits != want {
			t.Errorf("%s: %v bits a position, want %v", slice, bits, want)
		}
	}
}

// Of what nothing is known, nothing is guessed.
func TestNothingIsGuessedFromNothing(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := game.ParseSlice("5v4")
	if err != nil {
		t.Fatal(err)
	}
	none := likeness.Known{Game: game}
	if rate, bits := none.Rate(s), none.Bits(s); rate != 0 || bits != 0 {
		t.Errorf("%v indices a second, %v bits", rate, bits)
	}
}
