package wire

import (
	"strings"
	"testing"

	"paika/cmd/paika/hub/construction"
	"paika/proofs"
)

var konane = proofs.Setting{Game: "konane", Board: "4x4", Rules: "to-move=black"}

// TestTheNameOfAQuestionStays: folders of hubs have files and lines by it.
func TestTheNameOfAQuestionStays(t *testing.T) {
	for id, q := range map[string]Question{
		"256a1e478799d4df": {Setting: konane, Position: "start", Claim: "first-wins"},
		"a5c926d260c8d083": {Setting: konane, Kind: Verification},
		"d25f79591b7eb9c2": {Setting: konane, Kind: Construction, Order: construction.Order{Metric: "dtw", Pieces: 3}},
	} {
		if q.ID() != id {
			t.Errorf("%v is %s, want %s", q, q.ID(), id)
		}
	}
}

// TestAQuestionHasWhatItsKindTakes, and no more.
func TestAQuestionHasWhatItsKindTakes(t *testing.T) {
	order := construction.Order{Metric: "wdl"}
	for _, c := range []struct {
		of   Question
		want bool
	}{
		{Question{Position: "p", Claim: "c"}, true},
		{Question{Position: "p", Claim: "c", Order: order}, false},
		{Question{Kind: Verification}, true},
		{Question{Kind: Verification, Claim: "c"}, false},
		{Question{Kind: Verification, Order: order}, false},
		{Question{Kind: Construction, Order: order}, true},
		{Question{Kind: Construction}, false},
		{Question{Kind: Construction, Order: order, Position: "p"}, false},
		{Question{Kind: "another", Order: order}, false},
	} {
		if got := c.of.Sound(); got != c.want {
			t.Errorf("%+v: %v", c.of, got)
		}
	}
}

// TestALongQuestionIsTooLong, whatever makes it long.
func TestALongQuestionIsTooLong(t *testing.T) {
	long := strings.Repeat("x", MostText)
	if (Question{Position: long, Claim: long, Order: construction.Order{Slices: long}}).TooLong() {
		t.Error("a question that just fits is too long")
	}
	for _, q := range []Question{
		{Position: long + "x"}, {Claim: long, Setting: proofs.Setting{Rules: "x"}}, {Order: construction.Order{Slices: long, Metric: "x"}},
	} {
		if !q.TooLong() {
			t.Errorf("%v is not too long", q)
		}
	}
}

// TestNamesOfFilesAreNoPaths.
func TestNamesOfFilesAreNoPaths(t *testing.T) {
	if name := NewName(); !PlainName(name) || name == NewName() {
		t.Errorf("a new name is %q", name)
	}
	for _, name := range []string{"", "../../ledger", strings.Repeat("A", 32), strings.Repeat("a", 31), strings.Repeat("a", 31) + "/"} {
		if PlainName(name) {
			t.Errorf("%q is a plain name", name)
		}
	}
}
