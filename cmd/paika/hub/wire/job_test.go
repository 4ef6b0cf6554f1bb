package wire

import (
	"strings"
	"testing"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/solver/jobs"
)

// TestAResultSaysNoMoreThanAJobNeeds: many wait to be judged, in memory.
func TestAResultSaysNoMoreThanAJobNeeds(t *testing.T) {
	long := strings.Repeat("x", MostText+1)
	for name, change := range map[string]func(*Result){
		"a worker without a name": func(r *Result) { r.Worker = "" },
		"a worker's name":         func(r *Result) { r.Worker = long },
		"a job":                   func(r *Result) { r.Job = long },
		"a version":               func(r *Result) { r.Version = long },
		"a question":              func(r *Result) { r.Question = long },
		"a position":              func(r *Result) { r.Position = long },
		"an upload":               func(r *Result) { r.Upload = long },
		"turns":                   func(r *Result) { r.Turns = make([]jobs.Turn, MostTurns+1) },
		"slices of a piece":       func(r *Result) { r.Piece = &inspection.Answer{Quiet: make([]uint64, MostSlices+1)} },
		"parts of a group":        func(r *Result) { r.Built = &construction.Made{Parts: make([]construction.Part, MostSlices+1)} },
		"a slice of a group":      func(r *Result) { r.Built = &construction.Made{Parts: []construction.Part{{Slice: long}}} },
	} {
		r := Result{
			Started: Started{Worker: "w", Job: "job"}, Version: "1", Question: "q", Position: "p", Upload: NewName(), Refused: long,
			Turns: make([]jobs.Turn, MostTurns),
		}
		if !r.Sound() {
			t.Fatal("a result as it should be is not sound")
		}
		if change(&r); r.Sound() {
			t.Errorf("%s: a result is sound that says too much", name)
		}
	}
}
