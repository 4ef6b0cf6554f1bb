// Paika solves board games: it counts turns, builds, verifies and queries
// endgame tables. `paika help` lists the commands.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"paika/cmd/paika/command"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(command.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
