package bitboard

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

func TestScanPointReadsWhatStringWrites(t *testing.T) {
	board := Board{16, 16}
	for rank := range board.Height {
		for file := range board.Width {
			p := Point{file, rank}
			text := "-" + p.String() + "-"
			got, end, err := board.ScanPoint(text, 1)
			if got != p || end != len(text)-1 || err != nil {
				t.Fatalf("ScanPoint(%q, 1) = %v, %d, %v", text, got, end, err)
			}
		}
	}
}

func TestScanPointErrors(t *testing.T) {
	board := Board{9, 5}
	for _, c := range []struct {
		text   string
		offset int
		column int
		what   string
	}{
		{"", 0, 0, "want a point, such as a1"},
		{"a1-", 3, 3, "want a point, such as a1"},
		{"A1", 0, 0, "want a point, such as a1"},
		{"11", 0, 0, "want a point, such as a1"},
		{"e", 0, 1, "want the rank's number"},
		{"e-e3", 0, 1, "want the rank's number"},
		{"j1", 0, 0, "j1 is not on the board: want a1 to i5"},
		{"a6", 0, 0, "a6 is not on the board: want a1 to i5"},
		{"a0", 0, 0, "a0 is not on the board: want a1 to i5"},
		{"a01", 0, 0, "a01 is not on the board: want a1 to i5"},
		{"a99999999999999999999", 0, 0, "a99999999999999999999 is not on the board: want a1 to i5"},
	} {
		_, _, err := board.ScanPoint(c.text, c.offset)
		wantSyntaxError(t, err, &SyntaxError{c.text, c.column, c.what})
	}
}

func TestScanRowsReadsWhatFormatRowsWrites(t *testing.T) {
	board := Board{3, 2}
	const text = "xo./oxx"
	drawn := map[Point]byte{}
	end, err := board.ScanRows("@H20 "+text+" b", 5, "xo.", func(p Point, letter byte) { drawn[p] = letter })
	if end != 5+len(text) || err != nil {
		t.Fatalf("ScanRows = %d, %v", end, err)
	}
	if got := board.FormatRows(func(p Point) byte { return drawn[p] }); got != text {
		t.Errorf("FormatRows = %q, want %q", got, text)
	}
}

// What is read at once is what is read letter by letter, and whatever has nothing wrong is read at once.
func TestScanStonesReadsAtOnce(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := [2]byte{'W', 'B'}
	for _, board := range []Board{{1, 1}, {3, 2}, {9, 5}, {5, 9}, {7, 8}, {16, 3}, {17, 3}, {30, 2}} {
		drawn := NewStones(letters, uint(board.Width))
		sound, damaged := 0, 0
		for range 5000 {
			var want [2]uint64
			text := []byte(board.FormatRows(func(p Point) byte {
				kind := rng.IntN(3)
				if kind == 2 {
					return '.'
				}
				want[kind] |= 1 << (p.Rank*board.Width + p.File)
				return letters[kind]
			}) + " w")
			if got, end, err := board.ScanStones(string(text), drawn); got != want || end != len(text)-2 || err != nil {
				t.Fatalf("%v: %q is read as %x up to %d, %v", board, text, got, end, err)
			}
			if _, _, faultless := board.scanFaultless(string(text), drawn); faultless != (board.Width <= 16) {
				t.Fatalf("%v: %q is faultless: %t", board, text, faultless)
			}
			switch at := rng.IntN(len(text)); rng.IntN(3) {
			case 0:
				text[at] = "WB./ w\x00\xff"[rng.IntN(8)]
			case 1:
				text = append(text[:at], text[at+1:]...)
			case 2:
				text = text[:at]
			}
			want = [2]uint64{}
			end, err := board.ScanRows(string(text), 0, "WB.", func(p Point, letter byte) {
				if kind := bytes.IndexByte(letters[:], letter); kind >= 0 {
					want[kind] |= 1 << (p.Rank*board.Width + p.File)
				}
			})
			got, gotEnd, gotErr := board.ScanStones(string(text), drawn)
			if (err == nil) != (gotErr == nil) || err != nil && err.Error() != gotErr.Error() {
				t.Fatalf("%v: %q: %v, want %v", board, text, gotErr, err)
			}
			if err == nil && (got != want || gotEnd != end) {
				t.Fatalf("%v: %q is read as %x up to %d, want %x up to %d", board, text, got, gotEnd, want, end)
			}
			if err == nil {
				sound++
			} else {
				damaged++
			}
		}
		if sound == 0 || damaged == 0 {
			t.Errorf("%v: %d of the texts are sound, %d damaged", board, sound, damaged)
		}
	}
}

func TestScanRowsErrors(t *testing.T) {
	board := Board{3, 2}
	for _, c := range []struct {
		text   string
		offset int
		what   string
	}{
		{"", 0, "no board: want 2 ranks of 3 points, / between them"},
		{" b", 0, "no board: want 2 ranks of 3 points, / between them"},
		{"xo/xxx b", 2, "rank 2 has 2 points: want 3"},
		{"xox/xx b", 6, "rank 1 has 2 points: want 3"},
		{"xox/", 4, "rank 1 has 0 points: want 3"},
		{"xoxo/xxx b", 3, "rank 2 has more than 3 points"},
		{"xox/xxxo b", 7, "rank 1 has more than 3 points"},
		{"xox b", 3, "1 rank: want 2"},
		{"xox/xxx\tb", 7, "a tab before the side to move: want a space"},
		{"xox/xxx\u00a0b", 7, "the blank U+00A0 before the side to move: want a space"},
		{"xo\tx/xxx b", 2, "a tab in rank 2, which has 2 points so far: want 3"},
		{"\txox/xxx b", 0, "a tab before the board: want its first rank"},
		{"xox\n/xxx b", 3, "rank 2 has more than 3 points"},
		{"xox/xxx/ooo b", 7, "more than 2 ranks"},
		{"xo?/xxx b", 2, `unknown letter '?' in rank 2: want one of "xo."`},
		{"xo♟/xxx b", 2, `unknown letter '♟' in rank 2: want one of "xo."`},
		{"xo\xff/xxx b", 2, `unknown letter '�' in rank 2: want one of "xo."`},
	} {
		_, err := board.ScanRows(c.text, 0, "xo.", func(Point, byte) {})
		wantSyntaxError(t, err, &SyntaxError{c.text, c.offset, c.what})
	}
}

func TestScanSide(t *testing.T) {
	words := [2]string{"ohs", "eks"}
	for want, word := range words {
		if got, err := ScanSide("... "+word, 3, words); got != Side(want) || err != nil {
			t.Errorf("ScanSide(%q) = %d, %v", word, got, err)
		}
	}
	for _, c := range []struct {
		text   string
		offset int
		what   string
	}{
		{"...", 3, "no side to move: want a space and ohs or eks"},
		{"...ohs", 3, "want a space before the side to move"},
		{"... ", 4, "no side to move: want ohs or eks"},
		{"...  ohs", 4, "want one space before the side to move, and no more"},
		{"... white", 4, `unknown side to move "white": want ohs or eks`},
		{"... ohs ", 7, "want nothing after the side to move"},
		{"... eks ohs", 7, "want nothing after the side to move"},
	} {
		_, err := ScanSide(c.text, 3, words)
		wantSyntaxError(t, err, &SyntaxError{c.text, c.offset, c.what})
	}
}

func wantSyntaxError(t *testing.T, err error, want *SyntaxError) {
	t.Helper()
	var got *SyntaxError
	if !errors.As(err, &got) || *got != *want {
		t.Errorf("%q: error %v, want %v", want.Text, err, want)
	}
}
