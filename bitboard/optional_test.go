package bitboard_test

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
)

// optional is the interfaces of optional.go that a game has.
func optional[P comparable](game bitboard.Game[P]) map[string]bool {
	has := make(map[string]bool)
	_, has["Counter"] = game.(bitboard.Counter[P])
	_, has["CounterTo"] = game.(bitboard.CounterTo[P])
	_, has["TurnWalker"] = game.(bitboard.TurnWalker[P])
	_, has["CounterWhile"] = game.(bitboard.CounterWhile[P])
	_, has["Prolific"] = game.(bitboard.Prolific[P])
	_, has["Estimator"] = game.(bitboard.Estimator[P])
	_, has["Evaluator"] = game.(bitboard.Evaluator[P])
	_, has["PieceCounter"] = game.(bitboard.PieceCounter[P])
	_, has["Passer"] = game.(bitboard.Passer[P])
	_, has["NamedPlayers"] = game.(bitboard.NamedPlayers[P])
	_, has["Colourless"] = game.(bitboard.Colourless[P])
	_, has["BatchRanker"] = game.(bitboard.BatchRanker[P])
	_, has["TurnNamer"] = game.(bitboard.TurnNamer[P])
	_, has["TurnRanker"] = game.(bitboard.TurnRanker[P])
	_, has["TurnValuer"] = game.(bitboard.TurnValuer[P])
	_, has["ChosenWalker"] = game.(bitboard.ChosenWalker[P])
	_, has["Sparse"] = game.(bitboard.Sparse[P])
	_, has["NearWalker"] = game.(bitboard.NearWalker[P])
	_, has["SparseValuer"] = game.(bitboard.SparseValuer)
	_, has["DepthValuer"] = game.(bitboard.DepthValuer)
	_, has["Tracer"] = game.(bitboard.Tracer)
	_, has["Symmetric"] = game.(bitboard.Symmetric[P])
	_, has["BestSettler"] = game.(bitboard.BestSettler)
	_, has["Judge"] = game.(bitboard.Judge)
	_, has["NearJudge"] = game.(bitboard.NearJudge)
	_, has["DepthKernel"] = game.(bitboard.DepthKernel)
	_, has["SetKernel"] = game.(bitboard.SetKernel)
	_, has["KernelSizer"] = game.(bitboard.KernelSizer)
	_, has["Resembler"] = game.(bitboard.Resembler)
	_, has["CostKernel"] = game.(bitboard.CostKernel)
	return has
}

// The table at the head of optional.go says which games have what, and has all of it.
func TestTheTableOfOptionalInterfacesIsTrue(t *testing.T) {
	games := []string{"Fanorona", "Konane", "Phutball", "Breakthrough"}
	have := make(map[string]map[string]bool) // by game
	have["Fanorona"] = optional[fanorona.Position](opened(fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})))
	have["Konane"] = optional[konane.Position[konane.Word]](opened(konane.New[konane.Word](bitboard.Board{Width: 3, Height: 3}, konane.Rules{})))
	have["Phutball"] = optional[phutball.Position](opened(phutball.New(bitboard.Board{Width: 3, Height: 5}, phutball.Rules{})))
	have["Breakthrough"] = optional[breakthrough.Position](opened(breakthrough.New(bitboard.Board{Width: 3, Height: 4})))

	source, err := os.ReadFile("optional.go")
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, row := range regexp.MustCompile(`(?m)^//\t(\w+) +(.*)$`).FindAllStringSubmatch(string(source), -1)[1:] {
		name, columns := row[1], regexp.MustCompile(` {2,}`).Split(row[2], -1)
		if len(columns) != 3 {
			t.Errorf("%s has %q: want what it gives, who has it, and what is without it", name, columns)
			continue
		}
		rows = append(rows, name)
		for _, game := range games {
			if want, got := told(columns[1], game), have[game][name]; want != got {
				t.Errorf("the table says %q of %s, and %s has it is %v", columns[1], name, game, got)
			}
		}
	}
	if want := slices.Sorted(maps.Keys(have["Fanorona"])); !slices.Equal(slices.Sorted(slices.Values(rows)), want) {
		t.Errorf("the table has %v, want %v", rows, want)
	}
}

// told tells whether a column names a game: "all", "all but" others, or games.
func told(who, game string) bool {
	others, allBut := strings.CutPrefix(who, "all but ")
	return who == "all" || slices.Contains(strings.Split(others, ", "), game) != allBut
}

// opened is a game of a board that there is.
func opened[G any](game G, err error) G {
	if err != nil {
		panic(err)
	}
	return game
}
