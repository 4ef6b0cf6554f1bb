package hub

import (
	"cmp"
	"fmt"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/wire"
)

// holder is who may come in: the name of a key, as keys.Make was told it. It is empty for the
// secret of this machine, which all have there.
type holder string

// speaker is a worker: whose key it has, and what it calls itself.
type speaker struct {
	key  holder
	name string
}

// identity is the name under which a worker is believed, or is not. It is that of its key, however
// many processes have it, and whatever they call themselves. Where all have one secret it is
// what a worker calls itself.
func (s speaker) identity() string { return cmp.Or(string(s.key), s.name) }

// String shows both names.
func (s speaker) String() string {
	if s.key == "" || string(s.key) == s.name {
		return bitboard.Quote(s.name)
	}
	return fmt.Sprintf("%s (%s)", bitboard.Quote(string(s.key)), bitboard.Quote(s.name))
}

// admitted lists who may come in, by the names that stand in subjects.
func admitted(secret string, keys map[string]string) map[string]holder {
	all := map[string]holder{secret: ""}
	for public, name := range keys {
		all[public] = holder(name)
	}
	return all
}

// fromHolders is a handler of messages of those who may come in. The server has seen to it that
// the name in the subject is the speaker's. One who wants the answer elsewhere than in an inbox of
// that name is not heard. One whom a server elsewhere knows, and the hub does not, is told so.
func (h *Hub) fromHolders(handle func(holder, *nats.Msg)) func(*nats.Msg) {
	return func(m *nats.Msg) {
		name := wire.Speaker(m.Subject)
		if m.Reply != "" && !wire.InInbox(m.Reply, name) {
			return
		}
		if key, known := h.holders[name]; known {
			handle(key, m)
		} else if m.Reply != "" {
			out := nats.NewMsg(m.Reply)
			out.Header.Set(wire.HeaderDenied, "its key was not among those of the hub when that was started")
			_ = m.RespondMsg(out)
		}
	}
}

// blame counts a worker of which the hub has found that an accepted result was wrong, for each process
// that is there, too. The mutex is held.
func (h *Hub) blame(identity string) {
	h.counts.Refuted++
	for who, w := range h.workers {
		if who.identity() == identity {
			w.rejected++
		}
	}
}
