package cgt

import (
	"testing"

	"paika/bitboard"
	"paika/bitboard/konane"
)

// BenchmarkValue finds the value of a start position from nothing, on a board of one word
// and on a larger one.
func BenchmarkValue(b *testing.B) {
	for _, board := range []bitboard.Board{{Width: 7, Height: 3}, {Width: 12, Height: 2}} {
		b.Run(board.String(), func(b *testing.B) {
			g, err := konane.New[konane.Word](board, konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
			if err != nil {
				b.Fatal(err)
			}
			start, _, err := g.Start()
			if err != nil {
				b.Fatal(err)
			}
			black, white := g.Stones(start)
			for b.Loop() {
				if _, err := NewKonane(NewUniverse()).Value(b.Context(), board, black, white); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCensus(b *testing.B) {
	for b.Loop() {
		if _, err := NewUniverse().Census(b.Context(), bitboard.Board{Width: 5, Height: 4}); err != nil {
			b.Fatal(err)
		}
	}
}
