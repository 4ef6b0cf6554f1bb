package hub

import (
	"errors"
	"strings"
	"testing"

	"paika/cmd/paika/hub/link"
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
