package catalogue_test

import (
	"testing"

	"paika/cmd/paika/catalogue"
)

// Every game has its rules in five lines, and an example that is legal play.
func TestRulesOfLooks(t *testing.T) {
	for _, game := range catalogue.Games() {
		if n := len(game.Look.Rules); n != 5 {
			t.Errorf("%s has %d lines of rules, want 5", game.Name, n)
		}
		example := game.Look.Example
		instance, err := game.Open(example.Board, nil)
		if err != nil {
			t.Fatalf("%s: %v", game.Name, err)
		}
		tables, err := instance.Open("", 1)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := tables.Play(example.Position, example.Turn); err != nil || after != example.After || example.Text == "" {
			t.Errorf("%s: the example leads to %q, %v", game.Name, after, err)
		}
	}
}
