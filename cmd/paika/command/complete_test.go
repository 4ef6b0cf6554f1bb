package command

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// The seconds are those of all runs, and it is told which were before.
func TestACompletedCertificateTellsTheSecondsOfRunsBefore(t *testing.T) {
	for before, want := range map[float64]string{0: ", in 12.50 s\n", 10: ", in 12.50 s, 10.00 s of them before it was stopped\n"} {
		var told strings.Builder
		if err := printCompleted(&told, catalogue.Completed{Seconds: 12.5, Before: before}); err != nil || !strings.HasSuffix(told.String(), want) {
			t.Errorf("%g: %s, %v", before, told.String(), err)
		}
	}
}

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
