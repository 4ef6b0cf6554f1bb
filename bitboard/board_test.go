package bitboard

import "testing"

// A board has one spelling: a certificate names it, and a store, and others compare the text.
func TestParseBoardReadsWhatStringWrites(t *testing.T) {
	for _, b := range []Board{{1, 1}, {9, 5}, {16, 16}, {19, 21}} {
		if got, err := ParseBoard(b.String()); got != b || err != nil {
			t.Errorf("ParseBoard(%q) = %v, %v", b.String(), got, err)
		}
	}
	for _, text := range []string{"", "x", "9", "9x", "x5", "9x5x1", "0x5", "-9x5", "+9x5", "09x5", "9x05", " 9x5", "9x5 ", "9X5", "9x5.0"} {
		if b, err := ParseBoard(text); err == nil {
			t.Errorf("ParseBoard(%q) = %v", text, b)
		}
	}
}
