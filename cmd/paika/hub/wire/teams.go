package wire

// MostTeam bounds the lanes of a worker that search together: TestScale of package jobs
// goes up to as many.
const MostTeam = 64

// Teams is how many searches a worker with so many lanes does at a time.
func Teams(lanes int) int { return (lanes + MostTeam - 1) / MostTeam }

// Team is how many lanes each of them has.
func Team(lanes int) int { return (lanes + Teams(lanes) - 1) / Teams(lanes) }
