package bitboard

import (
	"slices"
	"testing"
)

func TestParseOptionsReadsThemInOrder(t *testing.T) {
	got, err := ParseOptions("stalemate=draw,opening=gap:b2-c2,stalemate=loss")
	want := []Option{{"stalemate", "draw"}, {"opening", "gap:b2-c2"}, {"stalemate", "loss"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestParseOptionsWantsNameAndValue(t *testing.T) {
	for _, text := range []string{"", ",", "x", "x=", "=y", "x=y,", "x=y,,z=1"} {
		if got, err := ParseOptions(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
