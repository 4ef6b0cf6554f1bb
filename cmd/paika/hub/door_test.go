package hub

import (
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"paika/cmd/paika/hub/link"
	"paika/internal/usage"
)

// TestAKeyHasAShareOfConnections: others come in, and so does it once one of its own has ended.
func TestAKeyHasAShareOfConnections(t *testing.T) {
	dir, files := madeKeys(t, "greedy", "other")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" }, fanoronaOn(t, 3, 3))
	_, _, share := connectionShares(0)
	var last *link.Link
	for range share {
		last = connected(t, keyed(h, files[0]))
	}
	if l, err := keyed(h, files[0]).Connect("test"); !errors.Is(err, link.ErrAway) || !strings.Contains(err.Error(), "all connections") {
		t.Errorf("%v, %v: want a key to have %d connections", l, err, share)
	}
	connected(t, keyed(h, files[1]))
	last.Close()
	for { // until the server has noticed
		l, err := keyed(h, files[0]).Connect("test")
		if err == nil {
			l.Close()
			return
		}
		if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

// TestWhoComesBackWaitsForAPlaceOfItsKey: where others of the key have all connections it is refused, again and
// again, until one of them has gone.
func TestWhoComesBackWaitsForAPlaceOfItsKey(t *testing.T) {
	dir, files := madeKeys(t, "ann")
	h := startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
	at, err := url.Parse(h.URL())
	if err != nil {
		t.Fatal(err)
	}
	way := lineTo(t, at.Host, 0)
	at.Host = way.address()
	back := connected(t, link.Access{URL: at.String(), Credentials: files[0]})
	way.cut()
	var others []*link.Link
	for _, _, share := connectionShares(usage.OpenFiles()); len(others) < share; { // until the server has noticed
		if l, err := keyed(h, files[0]).Connect("test"); err == nil {
			t.Cleanup(l.Close)
			others = append(others, l)
		}
	}
	way.mend(way.address())
	for before := way.tries(); way.tries() < before+4; time.Sleep(time.Millisecond) { // three of them are over
		if back.IsClosed() {
			t.Fatalf("it has ended: %v", back.LastError())
		}
	}
	if back.IsConnected() {
		t.Error("it was let in")
	}
	others[0].Close()
	for back.Stats().Reconnects == 0 && !back.IsClosed() {
		time.Sleep(time.Millisecond)
	}
	if back.IsClosed() {
		t.Errorf("it has ended: %v", back.LastError())
	}
}

// TestConnectionsLeaveFilesForAllElse.
func TestConnectionsLeaveFilesForAllElse(t *testing.T) {
	for files, want := range map[uint64][3]int{
		0: {2048, 1920, 128}, 256: {128, 120, 32}, 1024: {512, 480, 128}, 1 << 20: {2048, 1920, 128}, 1<<64 - 1: {2048, 1920, 128},
	} {
		all, ofSecret, ofKey := connectionShares(files)
		if got := [3]int{all, ofSecret, ofKey}; got != want {
			t.Errorf("%d files: %v, want %v", files, got, want)
		}
	}
}
