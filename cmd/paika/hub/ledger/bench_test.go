package ledger

import (
	"fmt"
	"path/filepath"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/solver/jobs"
)

// BenchmarkOf reads the 100 lines of one question among 100,000 of 1,000 questions, which came by turns, and
// all of these. Lines are as long as those of searches: 40 turns with numbers.
func BenchmarkOf(b *testing.B) {
	l, err := open(filepath.Join(b.TempDir(), "ledger"))
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	const questions, lines = 1000, 100_000
	turns := make([]jobs.Turn, 40)
	for i := range lines {
		r := share.Result{Claim: "c", Position: "p", Nodes: uint64(i), Turns: turns}
		if err := l.Add(Entry{Result: &Result{Question: fmt.Sprint(i % questions), Result: r}}); err != nil {
			b.Fatal(err)
		}
	}
	for _, of := range []struct {
		name   string
		wanted func(question string) bool
		want   int
	}{
		{"one", func(question string) bool { return question == "7" }, lines / questions},
		{"all", func(string) bool { return true }, lines},
	} {
		b.Run(of.name, func(b *testing.B) {
			for b.Loop() {
				got := 0
				if err := l.Of(of.wanted, func(Entry) { got++ }); err != nil || got != of.want {
					b.Fatalf("%d lines, %v", got, err)
				}
			}
		})
	}
}
