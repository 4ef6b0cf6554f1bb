package command

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Signals gives a context that ends with the first signal to stop, be it Ctrl-C,
// a polite kill, the end of the terminal, or Ctrl-\: work then ends at a
// checkpoint. A second signal calls atOnce, while a checkpoint is saved, too, but
// not one that comes together with the first. Programs that nohup runs go on when
// the terminal ends.
func Signals(ctx context.Context, atOnce func()) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stopping := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT}
	if !signal.Ignored(syscall.SIGHUP) {
		stopping = append(stopping, syscall.SIGHUP)
	}
	received := make(chan os.Signal, 2)
	signal.Notify(received, stopping...)
	go heed(received, cancel, atOnce)
	return ctx, cancel
}

// oneStop is how long after the first signal others belong to it: timeout(1) sends one to
// the program and then one to its whole group, which is no second wish to stop.
const oneStop = 500 * time.Millisecond

// heed calls stop at the first signal, and atOnce at the second.
func heed(received <-chan os.Signal, stop, atOnce func()) {
	<-received
	stop()
	for first := time.Now(); ; {
		<-received
		if time.Since(first) > oneStop {
			break
		}
	}
	atOnce()
}

// AtOnce ends the program as a second signal does.
func AtOnce() { os.Exit(stopped) }
