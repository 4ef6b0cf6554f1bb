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
// derived by the fine contract of a game alone.
//
// # Why local agreement is not enough
//
// In dtw it is: distances fall along every line. In wdl a win and a loss may support
// each other in a circle, each right by its neighbours, and both wrong. So each must
// also be grounded, that is reached from ends of the game by sweeps (grounding.go).
//
// # What was shown before
//
// A run that is stopped leaves a record of the groups that it came through, by which
// the next goes on (record.go). Nobody vouches for that file, so a [Report] tells what
// it was believed for apart from what was derived.
package verify
