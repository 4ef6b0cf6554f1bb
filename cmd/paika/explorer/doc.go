// Package explorer serves tables over HTTP: an API whose answers are the objects
// that the commands print with --json, and a page on which people set up a
// position, see what every turn is worth and play it out.
//
//	server, err := explorer.New(explorer.Config{Tables: open, Logger: log})
//	err = server.Serve(ctx, listener) // until ctx is done
//
// # What is served
//
//	GET  /                                    the page
//	GET  /facts                               what the tables know of all positions
//	GET  /embed                               a board for frames on other sites
//	GET  /doc, /doc/{file}                    the manual (package manual)
//	GET  /api/v1                              links to what follows
//	GET  /api/v1/openapi.json                 the description (openapi.json)
//	GET  /api/v1/games                        games, boards, rules, tables
//	GET  /api/v1/{game}/{board}/position?p=   as paika query
//	GET  /api/v1/{game}/{board}/turns?p=      as paika turns
//	GET  /api/v1/{game}/{board}/play?p=&turn= the position after a turn
//	GET  /api/v1/{game}/{board}/image.svg?p= a picture of the position
//	GET  /api/v1/{game}/{board}/proof?p=      as the key proof of paika query --proof
//	GET  /api/v1/{game}/{board}/stats         as paika stats
//	GET  /api/v1/{game}/{board}/random?slice= a position of a slice
//	GET  /api/v1/{game}/{board}/longest?slice= one with the slice's longest win
//	GET  /api/v1/{game}/{board}/survey?slice= distances, longest lines, zugzwangs
//	GET  /api/v1/{game}/{board}/win-in-one?p= as paika win-in-one
//	POST /api/v1/{game}/{board}/positions     many positions at once
//	POST /api/v1/{game}/{board}/annotate      as paika annotate
//	POST /api/v1/{game}/{board}/search        a bounded search, line by line
//	GET  /healthz, /metrics
//
// Rule options go in the parameter rules, as in --rules; the header Paika-Board of an answer
// names game, board and rules as lists do, however they were spelled. Errors are problem
// details (RFC 9457) that name the parameter or the position, the column in it,
// and, where tables lack, the command that builds them; their codes are those of
// catalogue.Fault. What is not described is refused: unknown parameters and fields,
// and those given twice. No answer tells of the program's inside or of the disk.
//
// # Which tables
//
// The tables to serve are handed over open. A request chooses a game, a board and
// rules among those that the catalogue knows, never a folder. Boards without tables
// are answered by the rules alone; the games that they need are kept in a small pool.
//
// Tables that are built while the server runs are served without a restart: every
// few seconds a request asks Config.More for what has come (arrivals.go), one request
// at a time and the others do not wait. What is being written is left alone. Tables
// that are served cannot be built on: the server has to be stopped for that.
//
// What misses a table is told the command that builds it, with the time, the memory
// and the disk that it takes (build.go). Where that is too much, it is told why.
//
// The page begins with the tables asked for, else the largest, and opens on the start
// where a proof of it is served, else on the longest win of their largest slice
// (opening.go).
//
// # Which proofs
//
// Proofs are handed over too, at most one about each board (catalogue.Walk). Their
// certificates may still be checked while they are served: each says how far that has
// come, and until it is done nothing rests on it.
//
// # Limits
//
// Every answer is bounded before it is worked out (limits.go): the bytes of a
// request, the positions in it, the turns that they have together, the time, the
// answers and searches at work at once, the connections. What is over a limit is
// refused with the limit's name and value; what finds all places taken waits for
// one as long as the time of its request allows. What all of it takes together is
// reckoned beforehand (memory.go).
//
// Requests are answered that name a host of the server's own (hosts.go). Connections
// are bounded for each client and in all (connections.go): one that waits for its
// client gives way to a new one, so that nobody is kept waiting by those who hold
// connections open. When the server stops, searches end at once and say so, and other
// requests have some seconds.
//
// # The page
//
// Files under static/ are embedded and served as they are; there is no build
// step. The page knows no rules of any game: it asks for the turns of a position
// and walks through their notation point by point, and since a player may stop
// after each capture or jump, the position after every beginning of a turn is in
// the list too. Nor does it know any game: how one writes and draws a position is
// told by its look (catalogue.Look, static/games.js). The Content-Security-Policy
// allows nothing inline and nothing from elsewhere.
//
// One module holds the state of the page, static/session.js: the board, the position,
// what is known of it, the turns that led there. It knows no other part; each part of
// the page is a module that listens to it and owns its own elements. main.js makes
// them all.
//
// What a stone, a target or a way to capture is worth stands on it as a chip: a sign,
// + for a win, = for a draw, − for a loss of the side to move, and the turns that it takes
// (static/view.js, static/board.js). The colour tells which side wins, whoever is to
// move: a side has one in the headline, in the list and on the board. The colours are
// variables in style.css, --tone-white, --tone-black and --tone-even, with classes of
// those names; a test looks at them with all kinds of eyes (board_test.go). Package
// picture draws the same board for image.svg.
//
// Nothing is taken from the page before the answer about the next position is there:
// where it does not come, the board stays, and remark.js says why.
//
// What searches find stays with the positions as long as the tab is open (found.js),
// and colours headline and list as tables do. The opponent goes by the tables, then by the
// turn that a proof names, and by searches where both end. session.js asks for proofs and
// ranks the turns by them (order.js); proof.js is the panel alone.
package explorer
