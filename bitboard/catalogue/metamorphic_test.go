package catalogue

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"paika/bitboard"
)

// The tables of a build are the same byte for byte, counts, sizes and checksums,
// for any number of workers, with the least memory and with plenty, and whether
// they were asked for at once or piece by piece.
func TestManifestsDependOnTheGameAlone(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		game, board string
		rules       map[string]string
		pieces      []int // asked for one after the other
	}{
		{"fanorona", "5x5", nil, []int{2, 4}},
		{"konane", "4x4", map[string]string{"opening": "middle-h"}, []int{2, 4}},
		{"phutball", "4x3", nil, []int{bitboard.AllPieces}},
	} {
		named, _ := Find(c.game)
		game, err := named.Open(c.board, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		last := c.pieces[len(c.pieces)-1]
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			manifest := func(o BuildOptions, pieces ...int) []byte {
				t.Helper()
				dir := t.TempDir()
				o.Metric = metric
				for _, o.Pieces = range pieces {
					if _, err := game.Build(ctx, dir, o); err != nil {
						t.Fatal(err)
					}
				}
				tables, err := game.Open(dir, 1)
				if err != nil {
					t.Fatal(err)
				}
				defer tables.Close()
				text, err := tables.Manifest(metric)
				if err != nil {
					t.Fatal(err)
				}
				return text
			}
			least, err := game.Estimate(ctx, t.TempDir(), BuildOptions{Pieces: last, Metric: metric, Workers: 1, Memory: 1}, 0)
			if err != nil {
				t.Fatal(err)
			}
			want := manifest(BuildOptions{Workers: 1, Memory: enough}, last)
			for name, got := range map[string][]byte{
				"2 workers":      manifest(BuildOptions{Workers: 2, Memory: enough}, last),
				"8 workers":      manifest(BuildOptions{Workers: 8, Memory: enough}, last),
				"least memory":   manifest(BuildOptions{Workers: 2, Memory: least.Total.Memory}, last),
				"piece by piece": manifest(BuildOptions{Workers: 2, Memory: enough}, c.pieces...),
			} {
				t.Run(fmt.Sprintf("%s/%v/%s", c.game, metric, name), func(t *testing.T) {
					if !bytes.Equal(got, want) {
						t.Errorf("got\n%s\nwith one worker and plenty of memory\n%s", got, want)
					}
				})
			}
		}
	}
}
