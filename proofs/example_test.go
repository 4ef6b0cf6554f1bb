package proofs_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
)

// A certificate of one position: White, to move, captures the last stone of Black.
// It is written from positions, and checked with the rules alone.
func Example() {
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	must(err)
	root, side, err := game.Parse(".../.../W.B w")
	must(err)
	setting := proofs.Setting{Game: "fanorona", Board: "3x3", Rules: fanorona.Rules{}.String()}
	claim := proofs.Claim{Side: side, Wins: true}

	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, proofs.Header{
		Setting: setting, Claim: claim.Text(game.SideName), Root: game.Format(root, side),
	})
	must(err)
	for _, to := range game.Turns(nil, root) {
		if over := len(game.Turns(nil, to)) == 0; over && game.Ended(to) == bitboard.Loss {
			must(w.Add(proofs.Step[fanorona.Position]{Position: root, Side: side, Chosen: true, To: to, Rank: 1}))
			break
		}
	}
	must(w.Close())

	certificate, err := proofs.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	must(err)
	report, err := proofs.Check(context.Background(), setting, game, nil, certificate, proofs.Options{})
	must(err)
	fmt.Println(report.Header.Claim, "from", report.Header.Root, "is proved:", report.Valid())
	// Output: white-wins from .../.../W.B w is proved: true
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
