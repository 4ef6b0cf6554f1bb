// Package record reads and writes records of games as text: who played what, with
// comments, and with the turns that might have been played instead.
//
//	[Game "fanorona"]
//	[Board "3x3"]
//	[White "Rabe"]
//	[Black "Soa"]
//
//	{The smallest board.} 1. a1-b2A {Takes c3.} (1. c1-b2A {Takes a3.} 2. a2-a3W)
//	2. b3-c3
//
// # A record
//
// A record is UTF-8 text: tags, each on lines of its own by custom, and then turns.
//
//	record    = { tag } { comment } { turn { comment | variation } }
//	tag       = "[" name text "]"
//	name      = letter { letter | digit | "_" }         at most 32 of them
//	text      = '"' { character | `\"` | `\\` } '"'     on one line
//	turn      = [ number "." { "." } ] word
//	variation = "(" turn { comment | variation } { turn { comment | variation } } ")"
//	comment   = "{" { character | `\}` | `\\` } "}"     over as many lines as it likes
//	word      = a character of ! # $ % & ' * + , - / : < = > @ ^ _ or a letter, and
//	            then any of these, and digits
//
// Blanks and ends of lines may stand between any two of these, and must between two
// words. Blanks within a comment count as one, and those at its ends as none.
//
// # Tags
//
// Four tags have a meaning. The others, such as White, Event or Date, are kept as
// they are. A tag stands once.
//
//	Game      the name of the game
//	Board     its board, WIDTHxHEIGHT
//	Rules     rule options that are not the game's own: name=value,name=value
//	Position  where play begins, in the game's notation; else at the game's start
//
// One that is left out is for the reader to know: who asks paika annotate or
// paika record about one names the game there.
//
// # Turns
//
// A turn is written in the game's notation. It may have its number in front, which
// then must be right. Turns are numbered from 1, and each has a number of its own,
// whoever makes it: a distance counts turns in the same way.
//
// A variation replaces the turn that it stands behind, and has that turn's number.
// In the example Black answers 1. a1-b2A with 2. b3-c3, and would have answered
// 1. c1-b2A with 2. a2-a3W. Variations may have variations of their own. A comment is
// about the turn that it follows; variations between the two make no difference.
// Comments before the first turn are about the position that play begins from.
//
// # As a tree
//
// A [Record] holds a tree of turns. The game is the way along the first of what
// follows each [Node], and the others are variations. [Parse] gives the tree of a
// text and [Record.Format] the text of a tree: what Format writes, Parse reads back as it was. What
// the text says of the game is not looked at: [Replay] plays it by a game's rules,
// and every turn must be legal there. Package foreign, below this one, reads and writes
// games as other programs have them.
//
// # Limits
//
// A record has at most [MostBytes] bytes and [MostTurns] turns, and variations lie
// within each other at most [MostDepth] deep. Parse reads in one pass.
//
// # Errors
//
// Errors of Parse and Replay are of type [*Error] and say in which line and column
// what is wrong, counted from 1, columns in characters. [ErrTooLarge] is among what
// they wrap, and so is the game's own error about a turn or position.
package record
