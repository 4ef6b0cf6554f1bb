// Paika solves board games: it counts turns, builds, verifies and queries
// endgame tables. `paika help` lists the commands.
package main

import (
	"context"
	"os"

	"paika/cmd/paika/command"
)

func main() {
	ctx, _ := command.Signals(context.Background(), command.AtOnce)
	os.Exit(command.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
