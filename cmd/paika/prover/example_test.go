package prover_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/tablebase"
)

// White wins on 3x3: the search finds it without tables, the certificate is written
// and checked.
func Example() {
	ctx := context.Background()
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := fanorona.New(board, fanorona.Rules{})
	must(err)
	subject := prover.Subject[fanorona.Position]{
		Game: game, Board: board,
		Identity: tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: fanorona.Rules{}.String()},
	}
	dir, err := os.MkdirTemp("", "proofs")
	must(err)
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "3x3.proof")
	file, err := lasting.CreateRegular(path)
	must(err)
	defer file.Discard()

	root, side, err := game.Start()
	must(err)
	shelf := prover.NewShelf(subject)
	answer, err := prover.New(subject, shelf, prover.Options{Workers: 1, Memory: 64 << 20}).Prove(ctx, prover.Question[fanorona.Position]{
		Root: root, Side: side, Claims: []proofs.Claim{{Side: side, Wins: true}}, Files: []*lasting.File{file},
	})
	must(err)
	fmt.Println(answer.Verdict)

	written, err := os.Open(path)
	must(err)
	defer written.Close()
	certificate, err := proofs.Open(written, answer.Certificates[0].Bytes)
	must(err)
	report, err := prover.NewChain(subject, shelf, 1, 64<<20, nil).Check(ctx, proofs.Source{Name: path, File: certificate, Setting: certificate.Header.Setting})
	must(err)
	fmt.Println(report.Header.Claim, "is proved:", report.Valid())
	// Output:
	// proved
	// white-wins is proved: true
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
