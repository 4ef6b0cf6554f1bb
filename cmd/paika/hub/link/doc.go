// Package link is the way to a hub, for a worker and for one who asks: [Access] says where it is,
// elsewhere or in this process, and Connect gives a [Link]; Await does for who waits until a hub is
// there. What is said over it stands in package wire; packages client and worker say it.
//
// A hub may be away, be started again, or have too much to do to answer: a link then asks
// again, until its context ends, and tells of a hub that is away ([Access].Tell). It gives up where
// it can't be let in any more, with [ErrAway], or is denied, with [ErrRefused].
// So whoever asks must not mind that a hub hears it twice.
//
// A link is safe for concurrent use.
package link
