// Package foreign reads and writes games as other programs have them: AbstractPlay, which
// plays Fanorona and Konane, and OpenSpiel, which plays Konane.
//
// It turns one text into another and knows the shape of turns, no rules: what it reads is
// a [record.Record], for [record.Replay] to play. Points keep their place on the board
// wherever the two boards allow it.
//
// # AbstractPlay
//
// A game report is a JSON object with a header and moves: rounds, each with a turn of
// either player. [Read] takes a report, or the rounds alone; [Write] gives the rounds
// alone, since a report says who won where and when.
//
//	[["f2e3+","d4d3-"],["f4e4-, e3+","c5d4+"]]
//
// In Fanorona, on 9x5, a step that captures by approach ends with +, one by withdrawal with
// -; a comma stands before further steps, which name their target alone. In Konane a
// removal is a point and a jump two with a hyphen between. Konane is played on 6x6 and
// 8x8 with removals, Black's first, from the centre or a corner, and on 7x6, 9x8, 11x8 and
// 15x12 without the two stones of middle-v.
//
// The source is the repository AbstractPlay/gameslib, src/games/fanorona.ts and konane.ts,
// and for reports AbstractPlay/recranks, docs/game-records.md.
//
// # OpenSpiel
//
// A game is the history of a state: its actions as numbers, or as their strings, between
// commas, blanks or ends of lines. A position is an observation string. Write gives
// numbers, as HistoryString does, and for a record without turns the observation string.
//
//	36, 37, 310          e4 f4 e6e4
//
// Black's stone is at the top left there, and at the bottom left here. With an even number
// of ranks these differ, and the board is turned upside down on the way: e4 on 8x8 is e5
// here. Black removes the first stone, from the centre or a corner.
//
// The source is the repository google-deepmind/open_spiel, games/konane/konane.cc and
// integration_tests/playthroughs/konane.txt.
//
// # What gets lost
//
// Neither format has comments or variations: Write leaves them out. Neither begins a game
// elsewhere than at its start, or by another opening: that Write refuses with an error
// that wraps [ErrUnwritable].
//
// # Errors
//
// Errors are of type *record.Error and name line and column of what they are about.
package foreign
