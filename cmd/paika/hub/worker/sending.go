package worker

import (
	"context"
	"os"

	"paika/cmd/paika/hub/wire"
)

// sending is a part that is sent while it is put together, so that the hub can look at it meanwhile.
type sending struct {
	name  string // by which the hub knows it
	stop  context.CancelFunc
	whole chan struct{} // closed once it is there to its end
	sent  chan error    // gets why it was not sent, or nil
}

// sendAhead begins to send a part that is about to be written to a file. Where there can be no such file it gives nil:
// that is told by who writes it.
func (w *worker) sendAhead(ctx context.Context, path string) *sending {
	file, err := os.Create(path)
	if err != nil {
		return nil
	}
	_ = file.Close()
	ctx, stop := context.WithCancel(ctx)
	s := &sending{name: wire.NewName(), stop: stop, whole: make(chan struct{}), sent: make(chan error, 1)}
	go func() { s.sent <- w.link.Upload(ctx, s.name, path, s.whole, w.waits) }()
	return s
}

// end says that the part is whole, and waits until it is sent.
func (s *sending) end() error {
	defer s.stop()
	close(s.whole)
	return <-s.sent
}

// abandon says that there will be no part, and waits until no more of it is sent.
func (s *sending) abandon() {
	s.stop()
	<-s.sent
}
