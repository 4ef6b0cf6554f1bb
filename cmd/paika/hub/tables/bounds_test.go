package tables

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// stalled is who takes nothing of a download until the test says so.
type stalled struct {
	deadlines
	began chan<- struct{}
	goOn  <-chan struct{}
}

func (s stalled) Write(piece []byte) (int, error) {
	select {
	case s.began <- struct{}{}:
	case <-s.goOn:
	}
	<-s.goOn
	return s.deadlines.Write(piece)
}

// TestDownloadsAreBounded, in all and of one address, and the place of one that ends is free again.
func TestDownloadsAreBounded(t *testing.T) {
	l := newLine(t)
	request := func(address int) *http.Request {
		r := httptest.NewRequest("GET", folder+name, nil)
		r.RemoteAddr = fmt.Sprintf("192.0.2.%d:1234", address)
		r.Header.Set("Authorization", scheme+" "+l.token())
		return r
	}
	status := func(address int) int {
		w := deadlines{httptest.NewRecorder()}
		l.Server.ServeHTTP(w, request(address))
		return w.Code
	}
	var downloads sync.WaitGroup
	began, goOn := make(chan struct{}), make(chan struct{})
	begin := func(address int) {
		w := stalled{deadlines{httptest.NewRecorder()}, began, goOn}
		downloads.Go(func() { l.Server.ServeHTTP(w, request(address)) })
		<-began
	}
	for address := range usual.downloads / usual.downloadsOfAddress {
		if got := status(address); got != http.StatusOK {
			t.Errorf("address %d finds %d, while others have theirs", address, got)
		}
		for range usual.downloadsOfAddress {
			begin(address)
		}
		if got := status(address); got != http.StatusServiceUnavailable {
			t.Errorf("one more of address %d finds %d, want %d", address, got, http.StatusServiceUnavailable)
		}
	}
	if got := status(200); got != http.StatusServiceUnavailable {
		t.Errorf("one more than all finds %d, want %d", got, http.StatusServiceUnavailable)
	}
	close(goOn)
	downloads.Wait()
	if got := status(0); got != http.StatusOK {
		t.Errorf("once all have ended: %d, want %d", got, http.StatusOK)
	}
}

// TestNoMoreComesThanTheTicketSays, however much is sent.
func TestNoMoreComesThanTheTicketSays(t *testing.T) {
	l := newLine(t)
	want := content()[:150_000]
	digest := sha256.Sum256(want)
	l.ticket = func(t *Ticket) { t.Bytes, t.Digest = int64(len(want)), hex.EncodeToString(digest[:]) }
	path := filepath.Join(t.TempDir(), "file")
	err := client(t).Fetch(t.Context(), l.ask, path, 1<<20, func(done, total int64) {
		if done > total {
			t.Errorf("%d bytes of %d", done, total)
		}
	})
	if text, read := os.ReadFile(path); err != nil || !bytes.Equal(text, want) {
		t.Errorf("%v; %d bytes, %v, want %d", err, len(text), read, len(want))
	}
}
