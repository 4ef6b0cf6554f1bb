package cdcl

// A turn is a way to decide. The ways alternate, some restarts each; what is learned
// serves all of them. No one way does well on formulas with models and on those
// without (Oh, "Between SAT and UNSAT: the fundamental difference in CDCL SAT", SAT
// 2015).
type turn int8

const (
	guided     turn = iota // as the guide chooses, and then trueFirst
	trueFirst              // the most active variable is true: few can be, so that this decides the most
	falseFirst             // it is false: what is true then is so because something needs it
)

// turns is the order in which the ways alternate.
var turns = [...]turn{guided, trueFirst, falseFirst, trueFirst}

// turnRestarts is how many restarts a turn lasts.
const turnRestarts = 4

// turn is the present one.
func (s *Solver) turn() turn { return turns[s.restarts/turnRestarts%uint64(len(turns))] }

// A Guide chooses what to decide where it knows better than activities tell.
type Guide interface {
	// Choose gives an open variable, which becomes true, or 0 to leave it to the
	// solver. It is asked in every fourth turn, when all that follows is known.
	Choose() (variable int)
}

// Follow lets a guide choose what to decide.
func (s *Solver) Follow(g Guide) { s.guide = g }

// Activity tells how active a variable is: the more, the more recent conflicts it was
// part of. It means something beside that of others only.
func (s *Solver) Activity(variable int) float64 { return s.activities[variable] }

// decide gives an open variable a value. It tells false if none is open.
func (s *Solver) decide() bool {
	turn := s.turn()
	if turn == guided && s.guide != nil {
		if v := s.guide.Choose(); v != 0 {
			s.suppose(makeLiteral(v))
			return true
		}
	}
	for s.order.size() > 0 {
		v := s.order.pop()
		if s.values[2*v] != 0 {
			continue
		}
		l := makeLiteral(v)
		if turn == falseFirst {
			l = l.not()
		}
		s.suppose(l)
		return true
	}
	return false
}

// suppose makes a literal true on a new level.
func (s *Solver) suppose(l literal) {
	s.limits = append(s.limits, len(s.trail))
	s.assign(l, nil)
}
