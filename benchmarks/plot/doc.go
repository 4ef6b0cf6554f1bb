// Package plot draws the charts of the toolkit as SVG files: one look for all of
// them, and as few kinds as will do.
//
//   - [StackedBars]: parts of a whole, by category (share of wins by slice).
//   - [Dots]: amounts on a scale of powers of ten, by category (bytes by slice,
//     time by benchmark). A bar would have no bottom there.
//   - [Lines]: amounts over a number (positions by distance, turns by ply).
//
// A chart has a title that says what is shown, and axes that name quantity and
// unit. Each takes its series in the order of the legend; a series has the same
// colour wherever it stands at the same place. Colours are those of Okabe and
// Ito ("Color Universal Design", 2008), which people with colour-blindness tell
// apart.
//
// A file follows the reader's preference for light or dark, as far as the
// program that shows it does: it is a light chart on an opaque ground, and a
// style sheet inside turns ground and ink around.
//
//	chart, err := plot.Lines(plot.Labels{Title: "Positions by distance", X: "turns", Y: "positions"}, series...)
//	...
//	err = chart.Save(ctx, "distances.svg")
//
// What is drawn depends on the data alone: the same data give the same file,
// byte for byte.
//
// The package writes SVG itself, by the standard library alone. Three kinds of
// charts are a few hundred lines. The plotting libraries for Go bring fonts, PDF
// and pixels along, a dozen modules of which no chart here has any use, and the
// dark style and the scales would still have to be put in from outside.
package plot
