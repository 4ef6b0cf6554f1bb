package fanorona

import (
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"paika/bitboard"
)

// Position is the stones of the side to move and of its opponent.
type Position struct{ Own, Opp uint64 }

// DirectionRule says which directions a capturing stone may not take again.
type DirectionRule uint8

const (
	// NoRepeat bars the direction of the step directly before.
	NoRepeat DirectionRule = iota
	// NoRepeatOrReverse bars the line of the step directly before.
	NoRepeatOrReverse
	// NeverTwice bars every direction taken in the turn.
	NeverTwice
)

var directionRules = [...]string{"no-repeat", "no-repeat-or-reverse", "never-twice"}

func (r DirectionRule) String() string {
	if int(r) < len(directionRules) {
		return directionRules[r]
	}
	return fmt.Sprintf("direction-rule(%d)", uint8(r))
}

// Rules are the options that sources differ on. The zero value is the default.
type Rules struct {
	StalemateDraws bool // a player with stones and no turn draws instead of losing
	Direction      DirectionRule
}

// String lists every option in the form that ParseRules reads.
func (r Rules) String() string {
	stalemate := "loss"
	if r.StalemateDraws {
		stalemate = "draw"
	}
	return fmt.Sprintf("stalemate=%s,direction-rule=%s", stalemate, r.Direction)
}

// ParseRules reads options by name: stalemate (loss, draw) and direction-rule
// (no-repeat, no-repeat-or-reverse, never-twice). Those left out have their
// default.
func ParseRules(options map[string]string) (Rules, error) {
	var r Rules
	for _, name := range slices.Sorted(maps.Keys(options)) { // the same error every time
		value := options[name]
		switch name {
		case "stalemate":
			if value != "loss" && value != "draw" {
				return Rules{}, fmt.Errorf("rule stalemate=%s: want loss or draw", bitboard.Shorten(value))
			}
			r.StalemateDraws = value == "draw"
		case "direction-rule":
			known := false
			for i, word := range directionRules {
				if value == word {
					r.Direction, known = DirectionRule(i), true
				}
			}
			if !known {
				return Rules{}, fmt.Errorf("rule direction-rule=%s: want no-repeat, no-repeat-or-reverse or never-twice", bitboard.Shorten(value))
			}
		default:
			return Rules{}, fmt.Errorf("fanorona has no rule %s: want stalemate or direction-rule", bitboard.Quote(name))
		}
	}
	return r, nil
}

// Directions come in pairs of opposites, an axis each: the even one adds the
// axis's shift to a bit number, the odd one takes it away.
const (
	directions = 8
	axes       = 4
)

// Game is Fanorona on one board under one set of rules. All its methods are
// safe for concurrent use.
type Game struct {
	board  bitboard.Board
	rules  Rules
	stride uint // bits from one row to the next

	points   uint64               // every point of the board
	lines    [axes]uint64         // points that lie on a line of the axis
	shifts   [axes]uint           // bits from a point to the next along the axis
	adjacent [64]uint64           // points joined to a point by a line
	steps    [64][directions]step // by point and direction
	heading  [2 * 64]uint8        // direction of a step, by 64 + difference of bit numbers
	bars     [directions]uint8    // directions that a step in one bars from the next
	keepBars uint8                // 0, or all ones where bars last the whole turn

	index index
	drawn *bitboard.Stones
}

// CountPieces is the number of stones.
func (g *Game) CountPieces(p Position) int { return bits.OnesCount64(p.Own | p.Opp) }

// New makes the game. It fails, naming the bounds, on a board outside them.
func New(board bitboard.Board, rules Rules) (*Game, error) {
	if board.Width < 3 || board.Width > 9 || board.Height < 3 || board.Height > 9 || board.Points() > 60 {
		return nil, fmt.Errorf("fanorona on %v: want 3 to 9 files and ranks, at most 60 points", board)
	}
	if int(rules.Direction) >= len(directionRules) {
		return nil, fmt.Errorf("fanorona has no %v: want no-repeat, no-repeat-or-reverse or never-twice", rules.Direction)
	}
	g := &Game{board: board, rules: rules, stride: uint(board.Width) + 1}
	g.drawn = bitboard.NewStones(sideLetters, g.stride)
	g.shifts = [axes]uint{1, g.stride, g.stride + 1, g.stride - 1}
	for r := range board.Height {
		for f := range board.Width {
			bit := g.bit(f, r)
			g.points |= bit
			g.lines[0] |= bit
			g.lines[1] |= bit
			if (f+r)%2 == 0 {
				g.lines[2] |= bit
				g.lines[3] |= bit
			}
		}
	}
	for d := range uint8(directions) {
		for rest := g.points; rest != 0; rest &= rest - 1 {
			from := rest & -rest
			s := g.stepFrom(from, d)
			g.steps[bits.TrailingZeros64(from)][d] = s
			g.adjacent[bits.TrailingZeros64(from)] |= s.to
		}
		delta := int(g.shifts[d/2])
		if d&1 == 1 {
			delta = -delta
		}
		g.heading[64+delta] = d
		g.bars[d] = 1 << d
		if rules.Direction == NoRepeatOrReverse {
			g.bars[d] |= 1 << (d ^ 1)
		}
	}
	if rules.Direction == NeverTwice {
		g.keepBars = ^uint8(0)
	}
	g.index.init(g)
	return g, nil
}

// Board and Rules tell what New was given.
func (g *Game) Board() bitboard.Board { return g.board }
func (g *Game) Rules() Rules          { return g.rules }

// bit is the set of the one point at a file and a rank, counted from 0.
func (g *Game) bit(file, rank int) uint64 { return 1 << (uint(rank)*g.stride + uint(file)) }

// step moves every point of a set one point along a direction. Points that
// leave the board land on a guard, below bit 0 or beyond the top row.
func (g *Game) step(set uint64, d uint8) uint64 {
	s := g.shifts[d/2] & 63
	if d&1 == 0 {
		return set << s
	}
	return set >> s
}

// Pass hands the turn to the opponent. Every position may stand with either
// side to move.
func (g *Game) Pass(p Position) (passed Position, exists bool) {
	return Position{Own: p.Opp, Opp: p.Own}, true
}
