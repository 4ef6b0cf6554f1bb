package explorer

import "paika/tablebase"

// What parts of a server take at most, in bytes.
const (
	// programBytes is what is there before the first request, and the views of
	// boards without tables that are kept.
	programBytes = 96 << 20

	// connectionBytes is a connection with a request's body, or with what packs its
	// answer, which do not come together.
	connectionBytes = 768 << 10

	// answerBytes is a question at work: its positions, their turns, and all that as
	// JSON.
	answerBytes = 64 << 20

	// sendingBytes bounds the answers that clients have not taken yet, without the
	// small ones.
	sendingBytes = 64 << 20
	smallAnswer  = 64 << 10

	// finishedBytes bounds them together with those that wait to be sent.
	finishedBytes = 2 * sendingBytes
)

// Memory is about the bytes that a server of so many tables holds at most, with
// the caches of the tables full and all places taken.
func (l Limits) Memory(tables int) uint64 {
	return programBytes +
		uint64(tables)*tablebase.DefaultCacheBytes +
		uint64(l.Searches)*l.SearchMemory +
		uint64(l.Working)*answerBytes +
		uint64(l.Connections)*(connectionBytes+smallAnswer) +
		finishedBytes
}

// Within is the limits with as many requests at work at once as fit into so many
// bytes, and at least one.
func (l Limits) Within(budget uint64, tables int) Limits {
	for l.Working > 1 && l.Memory(tables) > budget {
		l.Working--
	}
	return l
}
