// Package lookup answers questions about positions of a solved game: what a
// position is worth, how good each of its turns is, how best play goes on, and
// which positions of a slice stand out. It works on a game's own position type and
// reads no text: whoever has text parses it before and formats the answer after.
//
//	store, err := tablebase.Open(dir, id, tablebase.Options{ReadOnly: true})
//	l := lookup.New(game, board, store)
//	rated, err := l.Rate(ctx, positions)
//	queries, err := l.Query(ctx, positions)
//
// # Ratings
//
// A [Rating] is what is known of a position: the value for the side to move, and
// the distance where the tables have distances. The rules rate a position in which
// the game is over, the tables all others. A position in a slice that is not stored
// stays unknown, which is no error; [Lookup.Missing] says why it is. Where a table can't be read, the
// positions that need it have an error each, and all others what they have without them.
//
// # Near the end
//
// Tables without distances do not tell a win at once from a later one. The rules do:
// they know which turns end the game, and a look one turn further tells which let the
// other side win. So turns that win at once, or lose at once, have value and distance
// whatever the tables store, and stand first and last in a list. A position that is
// won with this turn has value and distance likewise; [Lookup.Dated] gives them to one whose
// turns are not listed. The look is bounded (lookAhead): where positions have huge
// numbers of turns, a distance can stay unknown, but none is wrong.
//
// # Many at once
//
// Rate, Turns and Query take many positions. Each pass over the tables serves all of
// them: a chunk is read once for all positions in it. Lines of best play advance all
// together, a turn a pass, so that a thousand lines take as many passes as the
// longest of them has turns.
//
// # Turns
//
// A [Turn] is named by its number in the order of bitboard.Rules' Turns, which is
// that of bitboard.Notation's Notated. So a caller finds its notation, and a caller
// without text has no need of it. [Notations] finds it once for all who ask.
//
// # Games
//
// [Lookup.Judge] goes over the turns of a game that was played. It compares what
// there was to be had with what each turn kept, and so tells what it gave away.
//
// # Limits
//
// Some games have positions with millions of turns. [Lookup.Bounded] bounds the
// turns of all positions of a call together; what lies past the bound gets the error
// [bitboard.ErrTooManyTurns] and costs a count up to the bound, no list.
//
// # Ways to a value
//
// Values can be had in four ways. Each is for another caller:
//
//   - [Lookup.Rate], here: by the rules or from disk; unknown is an answer.
//   - tablebase.Prober, below it: one store, chunk by chunk through a cache; a
//     position that is not stored is an error.
//   - proofnumber.Memory: tables in memory, whole or with a look ahead, values alone, for
//     the leaves of a search. Such a source of values is a proofnumber.Values.
//   - proofs.NamedTables: tables in memory, each with its fingerprint, for who checks what is
//     proved from them. Whoever has the tables writes one: the example "namedTables" does.
//
// # Concurrency
//
// Methods of [Lookup] are safe for concurrent use, as long as the store is open.
package lookup
