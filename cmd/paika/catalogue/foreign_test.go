package catalogue_test

import (
	"strings"
	"testing"

	"paika/bitboard/record/foreign"
	"paika/cmd/paika/catalogue"
)

// A game that there is not is an error, with a board and without.
func TestForeignRecordsAreOfGamesThatThereAre(t *testing.T) {
	for _, board := range []string{"", "9x5"} {
		if _, err := catalogue.ReadForeign(foreign.AbstractPlay, "[]", "chess", board); err == nil || !strings.Contains(err.Error(), `unknown game "chess"`) {
			t.Errorf("on %q: %v", board, err)
		}
	}
	for _, name := range []string{"", "fanorona"} {
		if _, err := catalogue.ReadForeign(foreign.AbstractPlay, "[]", name, ""); err != nil {
			t.Errorf("game %q: %v", name, err)
		}
	}
}
