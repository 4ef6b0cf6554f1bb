package konane

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"paika/bitboard"
)

// Position is the stones of the side to move and of its opponent.
type Position[S Set[S]] struct{ Own, Opp S }

// Side 0 is Black, whose points are those of even file index + rank index.
const (
	black bitboard.Side = iota
	white
)

// OpeningKind says how the first two gaps come about.
type OpeningKind uint8

const (
	// Traditional has the first player remove a centre stone, one beside a
	// centre point, or a corner stone, and the second one adjacent to the gap,
	// a centre stone if the gap lies beside the centre.
	Traditional OpeningKind = iota
	// CentreOrCorner has the first player remove a centre or corner stone, the
	// second any adjacent to the gap.
	CentreOrCorner
	// AnyStone has the first player remove any stone, the second any adjacent
	// to the gap.
	AnyStone
	// CornerH starts without a1 and b1, CornerV without a1 and a2.
	CornerH
	CornerV
	// MiddleH starts without the point at half the width and half the height,
	// rounded to the lower left, and its right neighbour; MiddleV without that
	// point and its upper neighbour.
	MiddleH
	MiddleV
	// Gap starts without two given neighbours.
	Gap
)

var openingNames = [...]string{"traditional", "centre-or-corner", "any", "corner-h", "corner-v", "middle-h", "middle-v", "gap:"}

// Opening is an opening; Missing is the two points of the kind Gap.
type Opening struct {
	Kind    OpeningKind
	Missing [2]bitboard.Point
}

func (o Opening) String() string {
	switch {
	case o.Kind == Gap:
		return fmt.Sprintf("gap:%v-%v", o.Missing[0], o.Missing[1])
	case o.Kind > Gap:
		return fmt.Sprintf("opening(%d)", o.Kind)
	}
	return openingNames[o.Kind]
}

// Removes tells whether the players open the game by removing stones.
func (o Opening) Removes() bool { return o.Kind <= AnyStone }

// parseOpening reads what String writes. Errors in the points of a gap, which are to be on the board,
// are of type *bitboard.SyntaxError.
func parseOpening(board bitboard.Board, text string) (Opening, error) {
	if i := slices.Index(openingNames[:Gap], text); i >= 0 {
		return Opening{Kind: OpeningKind(i)}, nil
	}
	if !strings.HasPrefix(text, openingNames[Gap]) {
		return Opening{}, fmt.Errorf("want %s or gap:<point>-<point>", strings.Join(openingNames[:Gap], ", "))
	}
	board.Width, board.Height = min(board.Width, maxSide), min(board.Height, maxSide) // New refuses larger ones
	o := Opening{Kind: Gap}
	at := len(openingNames[Gap])
	var err error
	if o.Missing[0], at, err = board.ScanPoint(text, at); err != nil {
		return Opening{}, err
	}
	if at == len(text) || text[at] != '-' {
		return Opening{}, &bitboard.SyntaxError{Text: text, Offset: at, What: "want - and the point beside it"}
	}
	if o.Missing[1], at, err = board.ScanPoint(text, at+1); err != nil {
		return Opening{}, err
	}
	if at != len(text) {
		return Opening{}, &bitboard.SyntaxError{Text: text, Offset: at, What: "want nothing after the second point"}
	}
	return o, checkGap(o.Missing)
}

// Rules are the options of play. The zero value is the default.
type Rules struct {
	Opening Opening

	// WhiteToMove has White, not Black, move first after an opening without
	// removals.
	WhiteToMove bool
}

// String lists every option that has a meaning under the opening, in the form
// that ParseRules reads.
func (r Rules) String() string {
	if r.Opening.Removes() {
		return "opening=" + r.Opening.String()
	}
	return fmt.Sprintf("opening=%v,to-move=%s", r.Opening, sideNames[r.first()])
}

// first is the side to move after an opening without removals.
func (r Rules) first() bitboard.Side {
	if r.WhiteToMove {
		return white
	}
	return black
}

// ParseRules reads options for a board by name: opening (traditional, centre-or-corner,
// any, corner-h, corner-v, middle-h, middle-v, gap:<point>-<point>) and, for
// those whose start has two gaps, to-move (black, white). Those left out have
// their default.
func ParseRules(board bitboard.Board, options map[string]string) (Rules, error) {
	var r Rules
	toMove, given := "", false
	for _, name := range slices.Sorted(maps.Keys(options)) { // the same error every time
		value := options[name]
		switch name {
		case "opening":
			opening, err := parseOpening(board, value)
			if err != nil {
				return Rules{}, fmt.Errorf("rule opening=%s: %w", bitboard.Shorten(value), err)
			}
			r.Opening = opening
		case "to-move":
			if value != sideNames[black] && value != sideNames[white] {
				return Rules{}, fmt.Errorf("rule to-move=%s: want black or white", bitboard.Shorten(value))
			}
			toMove, given = value, true
			r.WhiteToMove = value == sideNames[white]
		default:
			return Rules{}, fmt.Errorf("konane has no rule %s: want opening or to-move", bitboard.Quote(name))
		}
	}
	if given && r.Opening.Removes() {
		return Rules{}, fmt.Errorf("rule to-move=%s: under opening=%v the players choose their colours; want a gap, corner or middle opening", toMove, r.Opening)
	}
	return r, nil
}

// Directions come in pairs of opposites, an axis each: the even one goes to
// higher point numbers, the odd one to lower.
const (
	directions = 4
	maxSide    = 16
)

// Game is Konane on one board under one set of rules. All its methods are safe
// for concurrent use.
type Game[S Set[S]] struct {
	board bitboard.Board
	rules Rules

	points  S
	colours [2]S // the points of Black and of White
	steps   [directions / 2]int
	room    [directions]S // points with two more ahead of them in a direction
	jumper  jumper[S]

	openers S      // what the first player may remove; empty if nobody removes stones
	centre  S      // the centre points
	missing [2]int // points gone at the start, of an opening without removals

	drawn pattern // the board, as a position's text has it
	index index[S]
}

// New makes the game. It fails, saying what would be right, on a board outside
// the bounds or larger than S holds, and on an opening that the board has no
// points for.
func New[S Set[S]](board bitboard.Board, rules Rules) (*Game[S], error) {
	var none S
	if board.Width < 1 || board.Width > maxSide || board.Height < 1 || board.Height > maxSide {
		return nil, fmt.Errorf("konane on %v: want 1 to %d files and ranks", board, maxSide)
	}
	if board.Points() > none.capacity() {
		return nil, fmt.Errorf("konane on %v: %d points do not fit a set of %d", board, board.Points(), none.capacity())
	}
	g := &Game[S]{board: board, rules: rules, steps: [...]int{1, board.Width}}
	for r := range board.Height {
		for f := range board.Width {
			n := g.number(bitboard.Point{File: f, Rank: r})
			g.points = g.points.with(n)
			g.colours[(f+r)%2] = g.colours[(f+r)%2].with(n)
			for d, roomy := range [directions]bool{f+2 < board.Width, f >= 2, r+2 < board.Height, r >= 2} {
				if roomy {
					g.room[d] = g.room[d].with(n)
				}
			}
		}
	}
	g.drawn = newPattern(g.board.FormatRows(func(p bitboard.Point) byte { return sideLetters[g.colourOf(g.number(p))] }))
	if err := g.setOpening(); err != nil {
		return nil, fmt.Errorf("konane on %v, opening %v: %w", board, rules.Opening, err)
	}
	g.jumper = newJumper(g)
	g.index.init(g)
	return g, nil
}

// Board and Rules tell what New was given.
func (g *Game[S]) Board() bitboard.Board { return g.board }
func (g *Game[S]) Rules() Rules          { return g.rules }

// number is a point's bit number, point the reverse.
func (g *Game[S]) number(p bitboard.Point) int { return p.Rank*g.board.Width + p.File }

func (g *Game[S]) point(number int) bitboard.Point {
	return bitboard.Point{File: number % g.board.Width, Rank: number / g.board.Width}
}

// colourOf is the side whose stones may stand on a point.
func (g *Game[S]) colourOf(number int) bitboard.Side {
	p := g.point(number)
	return bitboard.Side((p.File + p.Rank) % 2)
}

// Mover is the side whose turn it is in p, which its stones tell; Black, by
// convention, where there are none.
func (g *Game[S]) Mover(p Position[S]) bitboard.Side {
	var none S
	if p.Own.meet(g.colours[white]) != none || p.Own == none && p.Opp.meet(g.colours[black]) != none {
		return white
	}
	return black
}

// SideToMove implements bitboard.Colourless: only the empty board doesn't tell.
func (g *Game[S]) SideToMove(p Position[S], s bitboard.Side) bitboard.Side {
	var none S
	if p.Own == none && p.Opp == none {
		return s
	}
	return g.Mover(p)
}

// neighbours are the points orthogonally adjacent to one.
func (g *Game[S]) neighbours(number int) S {
	var found S
	p := g.point(number)
	for _, q := range [...]bitboard.Point{{File: p.File + 1, Rank: p.Rank}, {File: p.File - 1, Rank: p.Rank}, {File: p.File, Rank: p.Rank + 1}, {File: p.File, Rank: p.Rank - 1}} {
		if q.File >= 0 && q.File < g.board.Width && q.Rank >= 0 && q.Rank < g.board.Height {
			found = found.with(g.number(q))
		}
	}
	return found
}

// Stones lists the points of Black's stones and of White's, by rank and then by
// file.
func (g *Game[S]) Stones(p Position[S]) (blacks, whites []bitboard.Point) {
	var none S
	for rest := p.Own.union(p.Opp); rest != none; rest = rest.without(rest.first()) {
		if n := rest.first(); g.colourOf(n) == black {
			blacks = append(blacks, g.point(n))
		} else {
			whites = append(whites, g.point(n))
		}
	}
	return blacks, whites
}

// CountPieces is the number of stones.
func (g *Game[S]) CountPieces(p Position[S]) int { return p.Own.size() + p.Opp.size() }

// Pass hands the turn to the opponent. An opening still to be played has no
// such position, since the number of stones tells whose removal is next, nor has
// the empty board.
func (g *Game[S]) Pass(p Position[S]) (passed Position[S], exists bool) {
	if n := p.Own.size() + p.Opp.size(); n == 0 || g.opens(n) {
		return p, false
	}
	return Position[S]{Own: p.Opp, Opp: p.Own}, true
}
