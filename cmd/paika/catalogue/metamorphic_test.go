package catalogue_test

import (
	"bytes"
	"fmt"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
)

// The tables of a build are the same byte for byte, counts, sizes and checksums,
// for any number of workers, with the least memory and with plenty, and whether
// they were asked for at once or piece by piece.
func TestManifestsDependOnTheGameAlone(t *testing.T) {
	for i, c := range []struct {
		game, board string
		rules       map[string]string
		pieces      []int // asked for one after the other
	}{
		{"fanorona", "5x5", nil, []int{2, 4}},
		{"konane", "4x4", map[string]string{"opening": "middle-h"}, []int{2, 4}},
		{"phutball", "4x3", nil, []int{bitboard.AllPieces}},
	} {
		if testing.Short() && i > 0 {
			break
		}
		named, _ := catalogue.Find(c.game)
		game, err := named.Open(c.board, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			t.Run(fmt.Sprintf("%s/%v", c.game, metric), func(t *testing.T) {
				t.Parallel()
				checkManifests(t, game, metric, c.pieces)
			})
		}
	}
}

func checkManifests(t *testing.T, game catalogue.Instance, metric bitboard.Metric, pieces []int) {
	last := pieces[len(pieces)-1]
	least, err := game.Estimate(t.Context(), t.TempDir(), catalogue.BuildOptions{Pieces: last, Metric: metric, Workers: 2, Memory: 1}, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := builtManifest(t, game, catalogue.BuildOptions{Metric: metric, Workers: 1, Memory: enough}, last)
	for name, got := range map[string][]byte{
		"2 workers":      builtManifest(t, game, catalogue.BuildOptions{Metric: metric, Workers: 2, Memory: enough}, last),
		"8 workers":      builtManifest(t, game, catalogue.BuildOptions{Metric: metric, Workers: 8, Memory: enough}, last),
		"least memory":   builtManifest(t, game, catalogue.BuildOptions{Metric: metric, Workers: 2, Memory: least.Total.Memory}, last),
		"piece by piece": builtManifest(t, game, catalogue.BuildOptions{Metric: metric, Workers: 2, Memory: enough}, pieces...),
	} {
		if !bytes.Equal(got, want) {
			t.Errorf("%s:\n%s\nwith one worker and plenty of memory:\n%s", name, got, want)
		}
	}
}

// builtManifest builds tables with one number of pieces after the other.
func builtManifest(t *testing.T, game catalogue.Instance, o catalogue.BuildOptions, pieces ...int) []byte {
	t.Helper()
	dir := t.TempDir()
	for _, o.Pieces = range pieces {
		if _, err := game.Build(t.Context(), dir, o); err != nil {
			t.Fatal(err)
		}
	}
	tables, err := game.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	text, err := tables.Manifest(o.Metric)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// prove and bench search run one and the same search, estimate and all.
func TestProveAndSolveAreOneSearch(t *testing.T) {
	for _, q := range []struct{ game, board, claim string }{
		{"phutball", "3x5", "ohs-wins"}, {"phutball", "5x5", "ohs-not-lost"}, {"fanorona", "3x5", "white-wins"}, {"konane", "4x4", "second-wins"},
	} {
		game, _ := catalogue.Find(q.game)
		instance, err := game.Open(q.board, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, method := range []proofnumber.Method{proofnumber.DFPN, proofnumber.PN} {
			const table, nodes = 1 << 24, 3000
			proved, err := instance.Prove(t.Context(), t.TempDir(), catalogue.Start, catalogue.ProveOptions{
				Claim: q.claim, Method: method, Pieces: bitboard.AllPieces, Nodes: nodes, Workers: 1, Memory: 8 * table, Table: table,
			})
			if err != nil {
				t.Fatal(err)
			}
			solved, err := instance.Solve(t.Context(), "", []catalogue.Problem{{catalogue.Start, q.claim}}, catalogue.SolveOptions{Method: method, Nodes: nodes, Table: table, Sets: 3 * table, Memory: 16 * table})
			if err != nil {
				t.Fatal(err)
			}
			if s := solved[0]; s.Nodes != proved.Nodes || s.Result != proved.Result {
				t.Errorf("%v, %v: %s after %d nodes, and %s after %d", q, method, proved.Result, proved.Nodes, s.Result, s.Nodes)
			}
		}
	}
}
