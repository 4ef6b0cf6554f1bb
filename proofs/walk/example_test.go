package walk_test

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
	"paika/proofs/walk"
)

// A certificate that was checked is indexed. The index tells of a position which turn
// keeps the claim, and where the others lead.
func Example() {
	ctx := context.Background()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	must(err)
	root, white, err := game.Parse(".../.../W.B w")
	must(err)
	setting := proofs.Setting{Game: "fanorona", Board: "3x3", Rules: game.Rules().String()}
	text := certificate(setting, game, root, white)
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	must(err)
	report, err := proofs.Check(ctx, setting, game, nil, file, proofs.Options{})
	must(err)
	if !report.Valid() {
		log.Fatal(report.Findings)
	}

	folder, err := os.MkdirTemp("", "indexes")
	must(err)
	defer os.RemoveAll(folder)
	key, err := walk.LoadKey(folder)
	must(err)
	digest, err := file.Digest(ctx)
	must(err)
	path, origin := filepath.Join(folder, digest), walk.Origin{Checker: proofs.CheckerVersion, Program: "example", SHA256: digest}
	must(walk.Make(ctx, path, key, origin, walk.Checked{Positions: report.Positions}, game, file, walk.MakeOptions{}))

	index, err := walk.Open(ctx, path, key, origin)
	must(err)
	defer index.Close()
	proof, err := walk.New(game, walk.Certificate{Header: file.Header, Book: index})
	must(err)
	step, err := proof.At(root, white, nil)
	must(err)
	fmt.Println("proved here:", step.Holds)
	for _, turn := range step.Turns {
		fmt.Printf("%s: chosen %v, proved behind it %v\n", turn.Notation, turn.Chosen, turn.Holds)
	}
	// Output:
	// proved here: true
	// a1-b1A: chosen true, proved behind it true
}

// certificate says that White wins by the turn that takes the last stone.
func certificate(setting proofs.Setting, game *fanorona.Game, root fanorona.Position, white bitboard.Side) []byte {
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, game, proofs.Header{
		Setting: setting, Claim: proofs.Claim{Side: white, Wins: true}.Text(game.SideName), Root: game.Format(root, white),
	}, 1)
	must(err)
	for _, to := range game.Turns(nil, root) {
		if to.Own == 0 {
			must(w.Add(proofs.Step[fanorona.Position]{Position: root, Side: white, Chosen: true, To: to, Rank: 1}))
			break
		}
	}
	must(w.Close())
	return file.Bytes()
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
