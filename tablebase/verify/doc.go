// Package verify checks every value of a store of tables, without trusting the program
// that wrote it.
//
//	report, err := verify.Run(ctx, game, store, verify.Options{})
//	if err == nil && !report.OK() {
//		fmt.Println(report.Findings[0])
//	}
//
// It shares no code with what builds tables, and takes nothing from the package
// tablebase but chunks as they are read, with their checksums: [Store]. Values are
// derived by the fine contract of a game alone, and what a game may have beside it to tell
// of turns and their places in one go (bitboard.TurnRanker), or of their values
// (bitboard.TurnValuer), or of the values of many positions (bitboard.SparseValuer,
// bitboard.DepthValuer), or to go to some positions and count the others
// (bitboard.ChosenWalker), or to go to them in a better order (bitboard.NearWalker), or to
// trace turns back to where they begin (bitboard.Tracer). The suite of all games holds each of
// these against the fine contract.
//
// # Why local agreement is not enough
//
// In dtw it is: distances fall along every line. In wdl a win and a loss may support
// each other in a circle, each right by its neighbours, and both wrong. So each must
// also be grounded, that is reached from ends of the game by sweeps (grounding.go). They take no
// memory beside the tables: what is not reached yet stands there in the place of its value.
//
// Run begins with that (anew.go). Wins and losses get their values anew, from the ground; then
// draws are held against their neighbours; and what stands in the tables by now must have the
// fingerprints of what was stored. Only where that is not so all values are held against their
// neighbours, in tables that are loaded anew: to tell which are wrong.
//
// # Many positions at once
//
// A game may derive what follows from other groups alone for thousands of indices in one call
// (sparse.go): Fanorona's captures, and all values and depths of Konane. Where play goes in
// circles inside a slice, a game may tell for a whole set of positions where the turns
// into it begin, 64 to a word (tracing.go): Phutball does, and a few such calls show most
// values and ground them. In dtw two of them show a distance and the next (tracing_depth.go).
// What that leaves, and whatever looks wrong, is derived one by one, so that findings are the
// same. Where that would look up far apart what follows, a game may say in which order it does
// not (near.go): Fanorona's quiet positions with as many stones on both sides.
//
// No stored value stands where a game derives one, so that an index which it passes by is found.
// What is held is told again when its turn comes, and must be the same (remains.go).
//
// # In pieces
//
// A group can be derived piece by piece, anywhere that has its tables, and in any order: a share
// of a slice's indices looks at each value and its successors, and Ground at what takes a group as
// a whole. Where that is stopped, or comes to other values than were stored, these are gone
// from the tables of the pieces, and they are loaded anew.
//
//	b, err := verify.Begin(ctx, game, store, options)        // every chunk is read here
//	g := b.Groups()[0]                                       // by name, with fingerprints
//	p, err := verify.LoadPieces(ctx, game, id, g, load, o)   // tables from anywhere
//	found, err := p.Share(ctx, slice, lo, hi, moved)
//	found, err = p.Ground(ctx, workers, moved)
//	taken := b.Take(0, sums)                                 // else: b.Derive(ctx, 0)
//	report := b.Report()
//
// A share derives at once what Run does. A group of one slice that is traced is one share,
// which shows all of it (Group.Whole). Pieces without a finding, whose sums are those of the
// manifests, show the same as Run. Where that is not so, Derive derives the group here, so
// that a finding is never hearsay. Whoever derived a piece is believed for what it did not
// find.
//
// # What was shown before
//
// A run that is stopped leaves a record of the groups that it came through, by which
// the next goes on (record.go), also where another version has run meanwhile. Nobody vouches
// for that file, so a [Report] tells what it was believed for apart from what was derived.
package verify
