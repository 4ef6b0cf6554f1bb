package hub

import (
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"paika/internal/progress"
)

// The server bounds what waits for a connection to be read. The hub reads what all send, and may be late by
// much: that bound is for it. Of others nobody needs more than mostPending, some of the largest messages.
const (
	mostPending = 8 * mostMessage
	slowWrite   = 2 * time.Second // in which somebody takes some of what is sent
	slowLook    = 200 * time.Millisecond
	slowShare   = 500 // the looks take one part in so many of a core, at most
)

// endSlow ends connections of those who do not read: what waits for them is in memory.
func (h *Hub) endSlow() {
	for pause := slowLook; progress.Wait(h.context, pause) == nil; {
		began := time.Now()
		seen, err := h.server.Connz(&server.ConnzOptions{Sort: server.ByPending, Limit: mostWorkers})
		if err != nil { // it ends
			return
		}
		own, _ := h.own.GetClientID()
		for _, c := range seen.Conns {
			if c.Pending > mostPending && c.Cid != own {
				_ = h.server.DisconnectClientByID(c.Cid)
			}
		}
		pause = max(slowLook, slowShare*time.Since(began))
	}
}
