// Package proofs writes and checks certificates: files by which anyone can see
// that a claim about a position is true, without trusting the program that found
// it. It knows the rules of a game and nothing of how games are searched.
//
// # Claims
//
// "X wins" and "X does not lose", for either side X, from a position that the
// certificate names. A draw is two certificates, one for each side.
//
// # What a certificate holds
//
// A set of positions. Where X has the move, the position has a turn chosen for
// X; where the opponent has it, it stands for all legal turns. Each turn must
// lead to another position of the set, or to one where the game is over as the
// claim has it, or to one whose value in the tables is as the claim has it. The
// first position must be one of these as well.
//
//   - "X does not lose" needs no more. Whatever the opponent does, X can stay in
//     the set until it is left for a win or a draw, and play that stays there for
//     ever is a draw.
//   - "X wins" gives every position a rank, and each turn must lead to a lower
//     one. So no line of play goes on for ever.
//
// Turns may lead to a part, too: a position from which another certificate shows
// the same claim. The header names parts by that position and by the checksum of
// the file. A part must be of the same game, board, rules and claim, word for word
// (one that X wins is no part of one that X does not lose), and its root must be
// the position named. It is checked before the certificate that names it, so that
// no circle can enter; each is a proof of its own, and the union of closed sets is
// one.
//
// How a position was reached plays no part in this. A search that was misled by
// repetitions can't produce a certificate that holds.
//
// # The file
//
// One zstd stream of text in UTF-8, in lines that end with "\n":
//
//	{"format":1,"game":"fanorona","board":"3x3",...}     see Header
//	BBB/B.W/WWW w	c2-b2A	3                             position, turn, rank
//	BBB/.W./WWW b	*	2                                 all turns
//	end	2                                             positions
//
// Fields are separated by tabs. The rank is there for wins only. Positions and
// turns are in the game's notation, in no order, each position once. Behind the
// stream stands a checksum of it, in a frame that zstd skips. FORMAT.md says all of
// this for those who write a checker of their own.
//
// A reader refuses what it need not understand: keys of the header that are unknown
// or stand there twice, blanks between what the header has and escapes in it, a table
// named twice, lines of more than 64 KiB (so that a header names at most some 600 parts),
// lines that end with "\r\n" or are no UTF-8, streams that take a window of more than 32
// MiB to decompress, frames that zstd skips but for the seal, and anything behind that.
//
// # Checking
//
// [Check] needs the rules, the tables and parts that the header names, and memory
// for the set, or for a share of it: what does not fit is checked in several passes
// over the file. A position takes its own size and at most 15 bytes more: 100 million of
// Fanorona take less than 3 GiB. Everything else that it holds is bounded ([Beside]). Records go
// into the set, and turns are followed, 64 at a time: one by one, each would wait for memory. Check
// says of each fault where it is, and stops after 1,000. A position of which a record stands
// for all turns may have at most 1,048,576 of them.
//
// A pass reads the file twice: first for the positions, then for the turns. The second reading is left
// out where memory holds all positions, and beside them the positions to which chosen turns lead. All
// turns are then checked from memory. If one of them is at fault, or any record before, the file is read
// again: what is told of a fault is what stands there.
//
// A file that is still being written can be checked meanwhile ([OpenGrowing]). It is read once, as it grows, and
// only its turns are left to be followed at its end. Where it would have to be read again, the check says so and
// nothing else: once the file is whole it is checked as any other.
//
// A [Chain] checks certificates one after the other, so that each may rely on those
// before; [Arrange] puts the parts of a proof in such an order.
//
// Who wants the positions of a certificate that was checked, one by one or by their text,
// finds them by package [paika/proofs/walk], which reads them with [File.Records]. The
// first plies of one can go along with a program as an [Extract].
//
// A certificate whose header names no tables and no parts rests on the rules alone.
// Package [paika/proofs/complete] makes one of a certificate that ends in tables.
//
// The folders checker and theorem hold other checkers of such certificates: one in C, for
// Fanorona, and one for all games that is extracted from a proof, in Coq, that it is sound. That
// proof rests on the rules as theorem has them, in a file for each game. Outcome.v has what it is to
// win, and that a set of positions which is closed shows it. Arrays.v has the checker, for any game;
// Bits.v and Board.v have sets of points as machine words, and Packed.v has Fanorona by them.
// Within.v has a checker by lists, for Coq itself. Tables.v has what it is for a table of distances
// to be right, and Slices.v has the checker of tables, which comes to every position. What reads the
// text is OCaml and not proved: text.ml, columns.ml, processes.ml, games.ml, certificate.ml,
// theory.ml, tables.ml and main.ml.
//
// A check trusts the rules, the values of the tables with the checksums named, the
// caller for which parts are proved (Options.Proved), and its own few hundred lines.
// It trusts no checksum of a certificate to be hard to forge: a part with a forged
// one must still prove the same claim about the same position, and a file that changes
// between two readings shows nothing, though its seal fits.
package proofs
