// Package manual is the manual of paika: pages in Markdown, which read well as they
// are in pages/, and the same pages as HTML, which paika serve shows at /doc and
// paika manual writes into a folder.
//
//	files, err := manual.Render(manual.Served) // a page, the style sheet or a picture each
//
// # Pages
//
// Pages stand in the order of contents (manual.go), index first; each begins with its
// title. They link to each other by file, as in [tables](tables.md#slices), so that the
// links hold on disk as well. What lies outside of pages/ can be linked on disk alone:
// rendered, such a link is its text. Raw HTML is left out.
//
// # Commands
//
// What a page tells the reader to type is run by the tests (commands_test.go): all of it
// stands in blocks marked console, a command after "$ " and below it what it prints.
//
//	```console            run by go test
//	```console long       run by scripts/doc-commands: takes more than some seconds
//
// The commands of a page run in order, in one folder. What they print has to be what
// stands there, but for times and rates, and for what an ellipsis stands for: in a line
// for some characters, on a line of its own for some lines. A command with nothing below
// it may print what it likes. The README is held to the same.
//
// Everything here is safe for concurrent use.
package manual
