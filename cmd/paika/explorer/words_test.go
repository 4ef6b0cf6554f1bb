//go:build !browserless

package explorer

import (
	"testing"

	"paika/cmd/paika/catalogue"
)

// counted is tables that tell of some slices, and know the rules alone.
type counted struct {
	catalogue.Tables
	slices []string
}

func (c counted) Bounded(int) catalogue.Tables { return c }

func (c counted) Stats() (catalogue.Stats, error) {
	stats := catalogue.Stats{Slices: []catalogue.SliceStats{}, Totals: []catalogue.SliceStats{}}
	for _, slice := range c.slices {
		stats.Slices = append(stats.Slices, catalogue.SliceStats{Slice: slice, Positions: 100, Win: 60, Loss: 40})
	}
	return stats, nil
}

// Pieces are called what their game calls them.
func TestPiecesAreCalledAsInTheirGame(t *testing.T) {
	table := ratedTable(t, "breakthrough", "3x4", halfLost)
	table.Tables = counted{table.Tables, []string{"3v2"}}
	p := open(t, at("breakthrough", "3x4", "start"), table)
	p.says("#board-size", "3x4, partly up to 5 pawns")
	p.says("#slice", "3 pawns to move against 2")
	p.facts("kind=hardest&game=breakthrough&board=3x4")
	p.says("#words", "for each number of pieces")
	p.visit(at("fanorona", "5x5", won))
	p.says("#slice", "3 stones to move against 1")
}

// Tables of some slices are not taken for those of all with as many pieces.
func TestBoardsTellUpToHowManyPiecesAllIsThere(t *testing.T) {
	table := ratedTable(t, "fanorona", "3x3", halfLost)
	p := tab(t, "")
	for words, slices := range map[string][]string{
		"up to 3 stones":           {"1v1", "2v1", "1v2"},
		"up to 3 stones, partly 4": {"1v1", "2v1", "1v2", "3v1", "1v3"},
		"up to 2 stones, partly 4": {"1v1", "1v2", "2v2"},
		"partly up to 3 stones":    {"2v1"},
	} {
		p.url = serve(t, unhurried(), Table{table.Instance, counted{table.Tables, slices}})
		p.visit(at("fanorona", "3x3", "start"))
		p.wait(`document.querySelector('#board-size').selectedOptions[0]?.textContent === '3x3, ` + words + `'`)
	}
}
