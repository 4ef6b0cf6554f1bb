// Package foreign reads and writes games as other programs have them: AbstractPlay and
// Ludii, which play Fanorona and Konane, and OpenSpiel, which plays Konane.
//
// It turns one text into another and knows the shape of turns, no rules: what it reads is
// a [record.Record], for [record.Replay] to play. Points keep their place on the board
// wherever the two boards allow it.
//
// # AbstractPlay
//
// A game report is a JSON object with a header and moves: rounds, each with a turn of
// either player. [Read] takes a report, or the rounds alone; [Write] gives the rounds
// alone, since a report says who won where and when. The header names the game, and the
// board as a variant: "8x8 board", or "Size 8 board" in older ones. Other variants are
// refused. Where there is none, the setting's board counts, and else 6x6 or 9x5.
//
// A game may end without a turn: resign, timeout, draw or abandoned then stands in place of
// one. The tags Result and Termination, as PGN has them, tell how it ended.
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
// # Ludii
//
// A game is a trial, the text that Ludii saves: the file of a game, its options, and a line
// for each move, with the sites that it is about. Stones that are placed before play are
// counted and otherwise left out, as all lines that say nothing of the play.
//
//	game=../Common/res/lud/board/war/leaping/orthogonal/Konane.lud
//	Move=[Move:mover=1,from=9,to=9,actions=[Remove:type=Cell,to=9,decision=true]]
//
// Sites are counted by ranks from the bottom left. Konane is played there on squares of 6
// to 16 points, 10 by default, with removals as in OpenSpiel; the board is turned upside
// down on the way, for the same reason. Fanorona is played on 3x3, 5x5, which is mirrored,
// and 9x5. A turn of several steps is a line for each, and a pass ends it. Ludii lets a
// player without a turn pass, where the rules here end the game: such a game is refused,
// unless the pass is its end. Nor does Ludii's Fanorona forbid to capture twice running in
// the same direction, as every set of rules here does: such a turn is refused as illegal.
//
// Trials are read and not written: a trial has every consequence of a move, in the order
// in which Ludii's rules come to it.
//
// The source is the repository Ludeme/Ludii: Trial.java, Konane.lud and Fanorona.lud, and
// the trials in Player/res/random_trials.
//
// # What gets lost
//
// No format has comments or variations: Write leaves them out, as it does tags, which say
// how a game ended that was not played out. None begins a game elsewhere than at its start,
// or has an opening or another rule that the program lacks: that Write refuses with an error
// that wraps [ErrUnwritable].
//
// # Errors
//
// Errors are of type *record.Error and name line and column of what they are about.
package foreign
