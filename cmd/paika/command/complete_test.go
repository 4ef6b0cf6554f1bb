package command

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// Each half of a draw is completed by a command of its own, with the same tables.
func TestCompletingGoesOnWithTheSameTables(t *testing.T) {
	s := session{options: &options{db: "my tables"}}
	var told strings.Builder
	s.printUncompleted(&told, catalogue.Proved{Certificates: []catalogue.Certificate{
		{File: "a.proof", Complete: true}, {File: "b.white"}, {File: "b.black"},
	}})
	want := `paika: b.white is proved, over tables; to go on: paika complete b.white --out OTHER --db 'my tables'
paika: b.black is proved, over tables; to go on: paika complete b.black --out OTHER --db 'my tables'
`
	if told.String() != want {
		t.Errorf("got\n%s\nwant\n%s", told.String(), want)
	}
}
