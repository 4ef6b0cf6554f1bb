package proofs_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
	"paika/solver/proofnumber"
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
	}, 1)
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

// White wins Fanorona on 3x3. The search finds it, its steps go into a certificate as they
// come, and the checker, which knows nothing of the search, goes over the file.
func Example_search() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	must(err)
	root, white, err := game.Start()
	must(err)
	table, err := proofnumber.NewTable(1 << 20) // bytes
	must(err)
	defer table.Close()
	search, err := proofnumber.New(game, table, proofnumber.Options[fanorona.Position]{})
	must(err)
	const whiteMoves = true // and attacks
	result, err := search.Solve(ctx, root, whiteMoves)
	must(err)

	setting := proofs.Setting{Game: "fanorona", Board: game.Board().String(), Rules: game.Rules().String()}
	claim := proofs.Claim{Side: white, Wins: result.Verdict == proofnumber.Proved}
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, proofs.Header{
		Setting: setting, Claim: claim.Text(game.SideName), Root: game.Format(root, white),
	}, 1)
	must(err)
	_, err = search.Extract(ctx, root, whiteMoves, func(s proofnumber.Step[fanorona.Position]) error {
		mover := white
		if !s.AttackerMoves {
			mover = white.Other()
		}
		return w.Add(proofs.Step[fanorona.Position]{Position: s.Position, Side: mover, Chosen: s.Chosen, To: s.To, Rank: s.Rank})
	})
	must(err)
	must(w.Close())

	certificate, err := proofs.Open(bytes.NewReader(file.Bytes()), int64(file.Len()))
	must(err)
	report, err := proofs.Check(ctx, setting, game, nil, certificate, proofs.Options{})
	must(err)
	fmt.Println(report.Header.Claim, "in", report.Positions, "positions:", report.Valid())
	// Output:
	// white-wins in 21 positions: true
}
