package likeness_test

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/cmd/paika/catalogue/internal/likeness"
)

func nineByFive(t *testing.T) *fanorona.Game {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return game
}

func slice(t *testing.T, game *fanorona.Game, name string) bitboard.Slice {
	t.Helper()
	s, err := game.ParseSlice(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A slice goes by the one most like it that was measured, not by the largest.
func TestSlicesGoByWhatIsAlike(t *testing.T) {
	game := nineByFive(t)
	known := likeness.Known{
		Game: game,
		Paces: []likeness.Pace{
			{Slices: []string{"2v1", "1v2"}, Load: likeness.Load{Indices: 1e5}, Other: 0.01},
			{Slices: []string{"2v2"}, Load: likeness.Load{Indices: 1e6}, Other: 4},
			{Slices: []string{"3v2", "2v3"}, Load: likeness.Load{Indices: 1e6}, Settling: 1, Other: 1},
			{Slices: []string{"4v1", "1v4"}, Load: likeness.Load{Indices: 2e6}, Following: 2},
			{Slices: []string{"9v1", "1v9"}, Load: likeness.Load{Indices: 3e6}}, // took no time that can be told
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
	if rate := known.Rate(); rate != 1e6 {
		t.Errorf("%v indices a second by the largest, want 1e6", rate)
	}
	for name, want := range map[string]struct{ seconds, bits float64 }{ // of a million indices
		"5v4": {2, 8},       // like 3v2
		"4v5": {2, 16},      // like 2v3
		"4v4": {4, average}, // like 2v2; no slice like it was stored
		"6v3": {1, average}, // like 4v1
		"9v2": {1, average}, // likewise, at the end
		"2v1": {0.1, 8},     // itself
		"4v2": {1, average}, // like none measured: by the largest
	} {
		s := slice(t, game, name)
		if seconds, bits := known.Pace(s, likeness.Load{Indices: 1e6, Held: 1}).Seconds(), known.Bits(s); seconds != want.seconds || bits != want.bits {
			t.Errorf("%s: %v s and %v bits, want %v and %v", name, seconds, bits, want.seconds, want.bits)
		}
	}
}

// Each part of the time goes by what it is spent on: where half of the values were held, and
// a quarter are, half as long is followed, and half as long again settled.
func TestTimeGoesByWhatIsHeld(t *testing.T) {
	game := nineByFive(t)
	s := slice(t, game, "4v3")
	for share, want := range map[float64]float64{0.5: 2 + 8 + 1, 0.25: 3 + 4 + 1} {
		known := likeness.Known{Game: game, Paces: []likeness.Pace{
			{Slices: []string{"3v2", "2v3"}, Load: likeness.Load{Indices: 1e6, Held: 0.5}, Settling: 2, Following: 8, Other: 1},
		}}
		if got := known.Pace(s, likeness.Load{Indices: 1e6, Held: share}).Seconds(); got != want {
			t.Errorf("with %v of the values held %v s, want %v", share, got, want)
		}
		if got := known.Pace(s, likeness.Load{Indices: 1e6, Held: share}).Completing(); got != want-8*share/0.5 {
			t.Errorf("with %v of the values held completed in %v s, want what is not followed of %v", share, got, want)
		}
		known.Paces[0].Held = 0 // which is not known
		if got := known.Pace(s, likeness.Load{Indices: 1e6, Held: share}).Seconds(); got != 11 {
			t.Errorf("where it is not known what was held %v s, want 11", got)
		}
	}
}

// Held values take more bytes than their share of a table that is stored whole, by the
// root of that: of 1e6 bytes, those of a quarter of the values take half.
func TestHeldValuesTakeMoreThanTheirShare(t *testing.T) {
	game := nineByFive(t)
	known := likeness.Known{Game: game, Sizes: map[string]likeness.Size{
		"3v2": {Positions: 1e6, Bytes: 1e6, Held: 0.25},
		"2v3": {Positions: 1e6, Bytes: 1e6},
	}}
	for name, want := range map[string]float64{
		"3v2": 4,                      // itself
		"5v4": 4,                      // as many of 3v2
		"4v5": 2,                      // of 2v3 it is not known which are held
		"4v4": known.Average() * 0.25, // like none measured
	} {
		s := slice(t, game, name)
		if bits := known.HeldBits(s, 0.25); bits != want {
			t.Errorf("%s: %v bits a position, want %v", name, bits, want)
		}
	}
}

// Of what nothing is known, nothing is guessed.
func TestNothingIsGuessedFromNothing(t *testing.T) {
	game := nineByFive(t)
	s := slice(t, game, "5v4")
	none := likeness.Known{Game: game}
	if rate, seconds, bits := none.Rate(), none.Pace(s, likeness.Load{Indices: 1e6, Held: 1}).Seconds(), none.Bits(s); rate != 0 || seconds != 0 || bits != 0 {
		t.Errorf("%v indices a second, %v s, %v bits", rate, seconds, bits)
	}
}

// Where it is known what settling costs, that counts, and not the share of what is held.
func TestTimeGoesByWhatSettlingCosts(t *testing.T) {
	game := nineByFive(t)
	s := slice(t, game, "4v3")
	known := likeness.Known{Game: game, Paces: []likeness.Pace{
		{Slices: []string{"3v2", "2v3"}, Load: likeness.Load{Indices: 1e6, Held: 0.5, Cost: 20}, Settling: 2, Following: 8, Other: 1},
	}}
	for cost, want := range map[float64]float64{0: 3 + 4 + 1, 20: 2 + 4 + 1, 50: 5 + 4 + 1} {
		if got := known.Pace(s, likeness.Load{Indices: 1e6, Held: 0.25, Cost: cost}).Seconds(); got != want {
			t.Errorf("where an index costs %v: %v s, want %v", cost, got, want)
		}
	}
}

// A game that does not say what is alike goes by all that was measured and tells: the more
// turns there are, the longer a position takes.
func TestTimeGoesByTurnsWhereNothingIsAlike(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 6, Height: 6}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	known := likeness.Known{Game: game, Paces: []likeness.Pace{
		{Slices: []string{"1v1"}, Load: likeness.Load{Indices: 1000, Turns: 1}, Settling: 100}, // which tells nothing
		{Slices: []string{"4v4"}, Load: likeness.Load{Indices: 1e6, Turns: 4}, Settling: 1},
		{Slices: []string{"5v5"}, Load: likeness.Load{Indices: 3e6, Turns: 8}, Settling: 6, Other: 1},
	}}
	for name, want := range map[string]float64{
		"9v9": 2*7 + 1,      // twice the 7 turns that positions have on average
		"4v4": 4 * 14.0 / 4, // itself
	} {
		s, err := game.ParseSlice(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := known.Pace(s, likeness.Load{Indices: 4e6, Held: 1, Turns: 14}).Seconds(); got != want {
			t.Errorf("%s: %v s, want %v", name, got, want)
		}
	}
}
