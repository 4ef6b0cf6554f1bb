package hub

// mostTeam bounds the lanes of a worker that search together: TestScale of package jobs
// goes up to as many.
const mostTeam = 64

// teams is how many searches a worker with so many lanes does at a time.
func teams(lanes int) int { return (lanes + mostTeam - 1) / mostTeam }

// team is how many lanes each of them has.
func team(lanes int) int { return (lanes + teams(lanes) - 1) / teams(lanes) }
