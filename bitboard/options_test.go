package bitboard

import (
	"slices"
	"testing"
)

func TestParseOptionsReadsThemInOrder(t *testing.T) {
	got, err := ParseOptions("stalemate=draw,opening=gap:b2-c2")
	want := []Option{{"stalemate", "draw"}, {"opening", "gap:b2-c2"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, want %v", got, err, want)
	}
}

func TestParseOptionsWantsEachNameOnce(t *testing.T) {
	for _, text := range []string{"a=1,a=2", "a=1,b=2,a=1"} {
		if got, err := ParseOptions(text); err == nil || got != nil {
			t.Errorf("%q is read as %v, %v", text, got, err)
		}
	}
}

func TestParseOptionsWantsNameAndValue(t *testing.T) {
	for _, text := range []string{"", ",", "x", "x=", "=y", "x=y,", "x=y,,z=1"} {
		if got, err := ParseOptions(text); err == nil {
			t.Errorf("%q is read as %v", text, got)
		}
	}
}
