// Package picture draws a position as an SVG picture that stands alone: for
// articles, notes and pages elsewhere.
//
//	drawn, err := picture.Picture{Look: game.Look, Position: "B../.W./..W w", Mover: "White", Size: 480}.SVG()
//
// It knows no game. A board, its pieces and the letters of a position are told by
// the look of a game (catalogue.Look), from which the explorer's page draws as well
// (static/board.js, static/games.js): the same board with the same measures and the
// same colours, those of the light page.
//
// A turn is drawn on the position in which it is made: an arrow through the points
// that it names, and a cross on every piece that it takes away. What it takes, and
// what it sets down, is seen by comparing with the position after it.
//
// A picture has its colours as attributes. It holds no style, no script and no
// reference, so that every viewer shows it and no policy forbids it. It has a title
// and a description in words.
package picture
