// Package walk finds its way through proofs that were checked: is a position in the
// certificate, which turn keeps the claim there, and where do the other side's turns
// lead?
//
//	index, err := walk.Open(path, key, origin)       // or, where there is none yet:
//	err = walk.Make(ctx, path, key, origin, ...)     // of a certificate that was just checked
//	proof, err := walk.New(game, walk.Certificate{Header: header, Book: index})
//	step, err := proof.At(position, side, tables)
//
// It searches nothing and derives nothing. What it says of a position rests on the
// check of the whole certificate, and on the tables that the certificate names.
//
// # Indexes
//
// A certificate lists its positions in no order, compressed as one stream. An [Index]
// is a file that has the same records sorted by the text of their positions, in blocks
// that are read one at a time: a look takes one read and some tens of microseconds, and
// memory holds a line for every block. Twelve million positions take some 25,000 of
// them. The file is made by an external sort, in memory that does not grow with the
// certificate.
//
//	blocks     each a zstd frame of lines: position, turn and, for a win, rank; tabs between
//	tail       what the index is of, as JSON in one line; then for each block its length,
//	           the start of the SHA-256 of its bytes, and its first position
//	seal       where the tail begins, its length, HMAC-SHA256 of the tail, a magic number
//
// The tail says by SHA-256 which certificate and which parts were checked, by which
// version of the checker and of the program ([Origin]). An index of anything else is
// stale: Open refuses it with ErrStale, and it is made anew.
//
// Nothing in the file shows that a check was ever made, and whoever hands on a
// certificate could hand on an index of something else with it. So it is sealed with a
// [Key]: a secret of the machine's user, made at the first use, beside which indexes are
// kept. An index that was sealed with another, or changed at any place that is read, is
// refused with ErrForged or ErrTorn. Who can read the key could as well change the
// program.
//
// # Extracts
//
// A [proofs.Extract] is the first plies of a proof, for programs to bring along. It is a
// [Book] like an index, and has one more answer for the turns at its far end: they lead
// to positions that the whole certificate has.
//
// # Symmetry
//
// A certificate takes its positions as they are written, and so does the walk: the
// image of a position under a symmetry of the board counts as another one. Ranks in
// tables know images, but the positions that proofs begin with are often past all
// tables, and the contracts of a game have no other word for them.
package walk
