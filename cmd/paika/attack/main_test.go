package attack

import (
	"context"
	"flag"
	"os"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"paika/cmd/paika/command"
)

// Flags of a whole attack.
var (
	whole = flag.Bool("whole", false, "make all trials, not a few of each campaign")
	seed  = flag.Uint64("seed", 1, "what trials are drawn from")
)

// patience is how long one run of the program may take before it is taken for
// one that hangs. The slowest takes a second or two on a quiet machine.
const patience = 5 * time.Minute

// results is the table that TestMain prints.
var results tally

// listens names the variable of the environment with a file that the program makes once it
// listens to signals.
const listens = "ATTACK_LISTENS"

// TestMain lets this test binary be run as paika, as main runs it.
func TestMain(m *testing.M) {
	testscript.Main(reporting{m}, map[string]func(){
		"paika": func() {
			ctx, _ := command.Signals(context.Background(), command.AtOnce)
			if path := os.Getenv(listens); path != "" {
				if err := os.WriteFile(path, nil, 0o600); err != nil {
					panic(err)
				}
			}
			os.Exit(command.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// reporting prints the table behind the tests.
type reporting struct{ *testing.M }

func (r reporting) Run() int {
	status := r.M.Run()
	if *whole {
		results.print(os.Stdout, *seed)
	}
	return status
}
