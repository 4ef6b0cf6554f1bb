// Package complete makes certificates that rest on the rules alone. It takes one that
// ends in tables, and goes on where those begin, down to the end of the game.
//
//	result, err := complete.Write(ctx, out, game, file, hints, complete.Options{Workers: 2})
//
// What it writes is a claim like any other certificate: [proofs.Check] tells whether it
// holds, with no table at hand.
//
// # What is added
//
// A certificate that X does not lose is a closed set of positions (package proofs). A
// turn that leaves the set leads into the tables. Each position reached like that becomes
// a member, and stands for more:
//
//   - Where the opponent has the move, all turns are followed.
//   - Where X has it, one turn is chosen that keeps the claim.
//   - Where the game is over, nothing follows.
//
// The set is complete when no member is left to look at. Each is looked at once, so the
// work ends.
//
// # Hints
//
// Which turn keeps the claim is told by [Hints], that is by tables. They are hints and no
// more: nobody relies on them once the certificate is written. Where X does not lose, they
// are asked about turns of X alone; for a win, about all turns.
//
// Hints that are wrong lead to a position where no turn keeps the claim, which is a
// *ContradictionError, or to the end of a game that X has lost, likewise, or to a
// certificate that the check refuses. The same goes for a certificate to begin with that
// proves nothing.
//
// # Which turn
//
// Every choice decides how much follows. A turn that ends the game adds nothing. Nor does
// one to a member. Of all others, that one is taken whose replies lead to the fewest
// positions that are no members yet; of these the one with the fewest pieces left, and
// then the first. This looks two turns ahead and no further: the smallest set is a hard
// problem, and nobody needs it.
//
// # Wins
//
// A certificate that X wins has ranks that fall with every turn. Below the tables' edge
// the rank is the distance to the win, and only turns that get there soonest are chosen.
// So hints for wins must have distances (the metric dtw): a value alone does not tell
// which turn makes headway. Records of positions whose distance is known are left out, and
// made anew, since their old ranks mean nothing beside distances. The ranks of all other
// records are numbered without gaps, and raised above the longest distance.
//
// # Order and size
//
// Members are looked at by groups of slices, those first to which no turn of the others
// leads. So hints are needed of one group at a time, and of what its turns lead to: tables
// of eight stones need not all be in memory at once.
//
// A choice is the better the more members it sees. So within a group members of the
// opponent are looked at first, then those of X, in the order in which they came, and then
// what is new of the opponent's.
//
// Members are looked at in batches; where turns are chosen these are small at first, and
// grow with the set. Workers share a batch, and see the set as it was before; what they
// find is taken in afterwards, in order. So the file depends on the certificate and the
// hints, and not on the number of workers. A batch of the opponent's from which 262,144
// positions follow is taken in, and the rest of it is looked at then: it comes to the same.
//
// A set of millions is much larger than the caches of a processor. So a worker looks for what
// follows from several members at once, and for the replies to several turns.
//
// The set lies off the Go heap. A position takes its own size, a bit, and a slot of four
// bytes in a table that is between 13/32 and 13/16 full: for Fanorona 21 to 26 bytes in
// all. Records are written as they are found. The given certificate is read three times,
// and only its positions are kept.
//
// # Going on
//
// All that follows from the certificate and the turns that were chosen. So [Choices], a
// byte each, are all that has to be kept of work that is to go on later. The next call
// plays them again, which takes a part of the time: nothing has to be compared. The file
// is the same as if the work had never stopped. Choices are claims: one that the hints do
// not bear out is ErrChoices.
//
// # One file
//
// What is written is one file, whatever its size. Parts would be worth little here. A part
// is relied on for its root alone (package proofs), and turns leave a group of slices for
// millions of positions in others: each would be the root of a part. If a part were relied
// on for all its positions, a group would make one, over those of the groups below it. But
// whoever checks a part needs the positions of all parts below at hand, so that it takes as
// much memory as the whole. Nor would sizes be bounded, since positions of a group lead to
// each other in circles and must stay together.
//
// Memory is bounded without parts. Records are written as they are found. A check goes
// over the file several times where it may not hold all positions at once.
//
// # What is left out
//
// Certificates with parts are refused: complete each part for itself, and the one that
// names it can't be made from the result, since its checksum is another.
package complete
