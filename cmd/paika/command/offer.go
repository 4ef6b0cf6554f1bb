package command

import (
	"fmt"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/explorer"
	"paika/internal/usage"
)

// longestBuild is the time, in seconds, beyond which a build is not offered: what
// takes days is for those who look at build --dry-run first.
const longestBuild = 24 * 3600

// noteworthy is the memory, in bytes, from which on a hint to build says what that
// takes.
const noteworthy = 1 << 30

// offer tells how tables are built that hold the slices, or those that build makes
// where none is named, or why that is not offered: to whoever is at the page and to
// whoever is at the terminal.
func (s session) offer(memory uint64, names ...string) explorer.BuildHint {
	build := catalogue.BuildOptions{Slices: names, Workers: s.workers}
	var flags []string
	switch {
	case len(names) > 0:
		flags = []string{"--slices", strings.Join(names, ",")}
	case s.instance.WholeBoards():
		build.Pieces = bitboard.AllPieces
	default:
		build.Pieces = s.fewPieces()
	}
	if s.metric == bitboard.DTW.String() {
		build.Metric = bitboard.DTW
	}
	cost, err := s.instance.BuildCost(build)
	if err != nil {
		return explorer.BuildHint{TooMuch: err.Error()}
	}
	hint := explorer.BuildHint{Cost: cost}
	hint.Seconds, hint.Disk = cost.Guess(build.Metric, s.workers)
	switch {
	case cost.Memory > memory:
		hint.TooMuch = fmt.Sprintf("it takes %s of memory, and %s", usage.Needed(cost.Memory), usage.Allowed(memory))
	case hint.Seconds > longestBuild:
		hint.TooMuch = fmt.Sprintf("it takes about %s hours", thousands(uint64(hint.Seconds/3600)))
	default:
		hint.Command = s.buildCommand(flags...)
	}
	return hint
}

// buildHint adds to an error about missing tables how to build them, or why that
// can't be: these slices, or what build takes where none is named.
func (s session) buildHint(err error, slices ...string) error {
	offered := s.offer(memoryBudget(s.memory), slices...)
	hint := &catalogue.BuildError{Err: err, Many: len(slices) != 1, Command: offered.Command, TooMuch: offered.TooMuch}
	switch {
	case offered.Cost.Positions == 0:
		return fmt.Errorf("%w; and none can be built: %s", err, offered.TooMuch)
	case offered.Cost.Memory > noteworthy && offered.Command != "":
		hint.Cost = fmt.Sprintf("%s, %s of memory", count(offered.Cost.Positions, "position"), formatBytes(offered.Cost.Memory))
	}
	return hint
}
