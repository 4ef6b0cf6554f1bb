package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Signals gives a context that ends with the first signal to stop, be it Ctrl-C,
// a polite kill, the end of the terminal, or Ctrl-\: work then ends at a
// checkpoint. A second signal calls atOnce, while a checkpoint is saved, too.
// Programs that nohup runs go on when the terminal ends.
func Signals(ctx context.Context, atOnce func()) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stopping := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		stopping = append(stopping, syscall.SIGHUP)
	}
	received := make(chan os.Signal, 2)
	signal.Notify(received, stopping...)
	go func() {
		<-received
		cancel()
		<-received
		atOnce()
	}()
	return ctx, cancel
}

// AtOnce ends the program as a second signal does.
func AtOnce() { os.Exit(stopped) }
