package phutball

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strconv"

	"paika/bitboard"
)

// The bounds of the boards that a Game is played on, in points.
const (
	MaxWidth  = 19
	MinHeight = 3
	MaxHeight = 21
)

const setWords = (MaxWidth*MaxHeight + 63) / 64

// Set is a set of points, a bit a point: row by row from the bottom left.
type Set [setWords]uint64

// Has tells whether a point is in the set. p must be a point, on the board.
func (s *Set) Has(p Place) bool { return s[p>>6]>>(p&63)&1 != 0 }

// Flip puts a point in the set that was not there, and takes one out that was.
func (s *Set) Flip(p Place) { s[p>>6] ^= 1 << (p & 63) }

// Len is the number of points in the set.
func (s *Set) Len() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

// row is the n bits from a bit number on; n is below 64.
func (s *Set) row(from, n uint) uint64 {
	i, shift := from/64, from%64
	word := s[i] >> shift
	if shift+n > 64 {
		word |= s[i+1] << (64 - shift)
	}
	return word & (1<<n - 1)
}

// putRow adds n bits from a bit number on.
func (s *Set) putRow(from, n uint, row uint64) {
	i, shift := from/64, from%64
	s[i] |= row << shift
	if shift+n > 64 {
		s[i+1] |= row >> (64 - shift)
	}
}

// Position is where the ball and the men are. The side to move attacks the top
// row.
type Position struct {
	Ball Place
	Men  Set
}

// Rules are the options that implementations differ on. The zero value is the
// default.
type Rules struct {
	GoalStop      bool // a series ends as soon as the ball stands on a goal row
	CornerExit    bool // a diagonal jump may leave the board past both edges at once
	ReturnFromOff bool // a ball off the board may jump back in within its turn
}

// String lists every option in the form that ParseRules reads.
func (r Rules) String() string {
	return fmt.Sprintf("goal-stop=%t,corner-exit=%t,return-from-off=%t", r.GoalStop, r.CornerExit, r.ReturnFromOff)
}

// ParseRules reads options by name: goal-stop, corner-exit and return-from-off,
// each true or false. Those left out are false.
func ParseRules(options map[string]string) (Rules, error) {
	var r Rules
	for _, name := range slices.Sorted(maps.Keys(options)) { // the same error every time
		value := options[name]
		var option *bool
		switch name {
		case "goal-stop":
			option = &r.GoalStop
		case "corner-exit":
			option = &r.CornerExit
		case "return-from-off":
			option = &r.ReturnFromOff
		default:
			return Rules{}, fmt.Errorf("phutball has no rule %s: want goal-stop, corner-exit or return-from-off", bitboard.Quote(name))
		}
		if value != "true" && value != "false" {
			return Rules{}, fmt.Errorf("rule %s=%s: want true or false", name, bitboard.Shorten(value))
		}
		*option, _ = strconv.ParseBool(value)
	}
	return r, nil
}

// Game is Phutball on one board under one set of rules. All its methods are
// safe for concurrent use.
type Game struct {
	grid   *Grid
	points Set // of the board
	index  index
	sets   *sets  // nil where the index does not fit
	trace  *trace // likewise, or is too small
}

// New makes the game. It fails, naming the bounds, on a board outside them.
func New(board bitboard.Board, rules Rules) (*Game, error) {
	if board.Width < 1 || board.Width > MaxWidth || board.Height < MinHeight || board.Height > MaxHeight {
		return nil, fmt.Errorf("phutball on %v: want 1 to %d columns and %d to %d rows", board, MaxWidth, MinHeight, MaxHeight)
	}
	g := &Game{grid: NewGrid(board, rules)}
	for p := range Place(g.grid.points) {
		g.points.Flip(p)
	}
	g.index.init(g.grid)
	if g.index.fits() {
		g.sets = newSets(g.grid, &g.index)
	}
	g.trace = newTrace(g.grid, &g.index)
	return g, nil
}

// Board and Rules tell what New was given. Grid is the board's geometry.
func (g *Game) Board() bitboard.Board { return g.grid.board }
func (g *Game) Rules() Rules          { return g.grid.rules }
func (g *Game) Grid() *Grid           { return g.grid }

// over tells whether the ball is where a turn ends the game.
func (g *Game) over(p Position) bool { return g.grid.goals[p.Ball] != 0 }

// upended is the position with the board turned upside down: as the other side
// sees it.
func (g *Game) upended(p Position) Position {
	if g.index.fits() {
		return Position{Ball: g.index.upended[p.Ball], Men: Set{g.index.upend.apply(p.Men[0])}}
	}
	width, height := uint(g.grid.board.Width), uint(g.grid.board.Height)
	q := Position{Ball: g.grid.Upended(p.Ball)}
	for rank := range height {
		q.Men.putRow((height-1-rank)*width, width, p.Men.row(rank*width, width))
	}
	return q
}

// Representative is, of a position and its mirror image, the one with the ball
// farther to the left, or, where it is in the middle column, the one whose men are
// the lesser number. On boards without an index it is the position itself: turns
// are so many there, and positions that meet their image so few, that a search
// would lose by asking for more.
func (g *Game) Representative(p Position) Position {
	if !g.index.fits() {
		return p
	}
	ball := g.index.mirrored[p.Ball]
	if p.Ball < ball {
		return p
	}
	men := g.index.mirror.apply(p.Men[0])
	if p.Ball == ball && p.Men[0] <= men {
		return p
	}
	return Position{Ball: ball, Men: Set{men}}
}

// Pass hands the turn to the opponent, who sees the board upside down. Every
// position may stand with either side to move.
func (g *Game) Pass(p Position) (passed Position, exists bool) { return g.upended(p), true }
