// Package manpage writes the manual pages of a command line: one page for the program,
// and one for each of its commands.
//
// A page says what the help of the command says, in the roff of man(7). Text is taken
// as it stands: paragraphs are filled anew, and lines that begin with a blank stay as
// they are. Nothing in it is markup, so that "<game>" and "2^*" come out as written.
//
// The same commands and the same [Edition] give the same bytes: no clock, machine or
// folder shows. A flag's default is shown as its DefValue tells it, which should
// therefore not depend on the machine.
//
// Hidden commands have no pages. Functions are safe for concurrent use on different
// commands; errors are those of writing.
package manpage
