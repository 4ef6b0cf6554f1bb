package foreign

import "cmp"

// terminations are the words that stand in place of a turn where a game ends without one,
// with what the tag Termination of PGN calls such an end.
func terminations() map[string]string {
	return map[string]string{"resign": "normal", "timeout": "time forfeit", drawn: "normal", abandoned: "abandoned"}
}

// Ends that tell the result, whosever turn it was.
const (
	drawn     = "draw"
	abandoned = "abandoned"
)

// result is the tag Result of PGN: White's points, and Black's. It is empty where nothing
// tells it. Who resigned, or had no time left, the header alone says: either may, whoever is
// to move.
func (r *reportReader) result(game string) string {
	switch first, second, known := r.points(); {
	case r.end == abandoned:
		return "*"
	case known:
		order := cmp.Compare(first, second)
		if game == konaneName { // Black is the first player
			order = -order
		}
		return [...]string{"0-1", "1/2-1/2", "1-0"}[order+1]
	case r.end == drawn:
		return "1/2-1/2"
	}
	return ""
}

// points are what the header has as the players' results: the more, the better.
func (r *reportReader) points() (first, second float64, known bool) {
	if r.header == nil || len(r.header.Players) != 2 {
		return 0, 0, false
	}
	a, b := r.header.Players[0].Result, r.header.Players[1].Result
	if a == nil || b == nil {
		return 0, 0, false
	}
	return *a, *b, true
}
