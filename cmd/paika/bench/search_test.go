package bench

import (
	"slices"
	"strings"
	"testing"

	"paika/benchmarks"
	"paika/cmd/paika/catalogue"
)

// A game without problems has no rate and no mean, which JSON could not tell.
func TestOnlyGamesWithProblemsAreSearched(t *testing.T) {
	tasks, err := searchTasks(&bench{Options: Options{Pieces: mostMade}})
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range catalogue.Names() {
		problems, err := benchmarks.Problems(game)
		if err != nil {
			t.Fatal(err)
		}
		searched := slices.ContainsFunc(tasks, func(task task) bool { return strings.HasPrefix(task.name, "search/"+game+"/") })
		if searched != (len(problems) > 0) {
			t.Errorf("%s has %d problems, is searched: %t", game, len(problems), searched)
		}
	}
}
