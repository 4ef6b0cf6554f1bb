// Package tables carries files of tables from a hub to its workers, by HTTPS: a [Server]
// beside the hub's NATS, and a [Client] of each worker. Messages of NATS are too small for
// files of gigabytes. It knows no game and no NATS.
//
//	s, err := tables.Listen(dir, host, port, encrypt)       // the hub's
//	err = s.Make(name, write)                               // a file, once
//	ticket, made := s.Ticket(name)                          // handed over by NATS
//	s.Keep(needed)                                          // the others go
//	c := tables.NewClient(host, authority)                  // a worker's
//	err = c.Fetch(ctx, ask, path, watch)
//
// # Files
//
// For a proof, a file is a slice as it is stored (tablebase.SliceFile), named by its fingerprint. Its
// bytes depend on the tables of the hub alone: a hub that starts again makes the same file, and a
// worker goes on with what it has of it. The hub makes files when they are asked for, in a folder
// from which those of the start before go, and removes those that nobody needs any more. Slices as they
// are stored take as much disk once more as in the store. Values to be derived again lie there as in
// memory: several times as much. Whose file goes while it is fetched asks again.
//
// # Who may fetch
//
// A request needs the token of a [Ticket], in the header Authorization. Tickets go by
// NATS, which knows its workers. A token holds for an hour, and no longer than the hub
// runs: it is the time when it ends, signed with a secret of this start. Everyone else is
// refused, whatever is asked for. With keys the hub encrypts by the certificate of its
// NATS; without, both listen on this machine alone.
//
// # A line that breaks
//
// What came stays in a file with ".part" behind its name. The next request asks for the
// bytes behind it (Range, RFC 9110), as often as it takes, in this process or in a later
// one. A whole file is read by its SHA-256, which the ticket names, synced, and renamed.
// One with another digest is removed and fetched again; after three of them in a row
// the fetch fails with [ErrDigest].
//
// # Nothing is believed
//
// That a file has its digest says that it is what the hub sent. What it holds is for its
// reader to check: package share does.
//
// # Limits
//
// A server takes 256 connections at most and sends 16 files at a time: others are asked to
// come again. One address has a quarter of each, so that others have theirs whatever it holds; of
// IPv6 that is all addresses of a link. A request has ten seconds, the next one a minute. A
// client that takes less than 1 MiB in a minute loses its connection, and goes on with another
// one where it was.
package tables
