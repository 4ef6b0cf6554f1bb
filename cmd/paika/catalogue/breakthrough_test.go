package catalogue_test

import (
	"encoding/json"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// A program that reads the list of games finds a list of options everywhere.
func TestGamesWithoutOptionsHaveAnEmptyList(t *testing.T) {
	for _, g := range catalogue.Games() {
		text, err := json.Marshal(g)
		if err != nil || strings.Contains(string(text), `"rules":null`) {
			t.Errorf("%s: %s, error %v", g.Name, text, err)
		}
	}
}

func TestBreakthroughTakesNoRules(t *testing.T) {
	g, found := catalogue.Find("breakthrough")
	if !found {
		t.Fatal("no such game")
	}
	if _, err := g.Open("5x5", nil); err != nil {
		t.Error(err)
	}
	if _, err := g.Open("5x5", map[string]string{"stalemate": "draw"}); err == nil || !strings.Contains(err.Error(), `has no rule "stalemate"`) {
		t.Errorf("a rule of another game: error %v", err)
	}
}
