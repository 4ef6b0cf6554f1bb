package fanorona

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

// naivePosition is a position written as the rules speak of it: a letter a
// point, 'o' for the side to move, 'x' for the other, '.' for nobody.
type naivePosition struct {
	width, height int
	direction     DirectionRule
	points        string // a1, b1, ... a2, b2, ...
}

// naiveStep is a step's direction in files and ranks.
type naiveStep struct{ file, rank int }

var naiveSteps = []naiveStep{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {-1, 1}, {1, -1}}

// naiveStone is the stone that is making a turn, with the turn so far.
type naiveStone struct {
	file, rank int
	notation   string
	stoodOn    []string
	steps      []naiveStep
}

func naiveOf(g *Game, p Position) naivePosition {
	var points strings.Builder
	for rank := range g.board.Height {
		for file := range g.board.Width {
			switch bit := g.bit(file, rank); {
			case p.Own&bit != 0:
				points.WriteByte('o')
			case p.Opp&bit != 0:
				points.WriteByte('x')
			default:
				points.WriteByte('.')
			}
		}
	}
	return naivePosition{g.board.Width, g.board.Height, g.rules.Direction, points.String()}
}

func (n naivePosition) at(file, rank int) byte {
	if file < 0 || rank < 0 || file >= n.width || rank >= n.height {
		return '#'
	}
	return n.points[rank*n.width+file]
}

func (n naivePosition) with(file, rank int, letter byte) naivePosition {
	points := []byte(n.points)
	points[rank*n.width+file] = letter
	n.points = string(points)
	return n
}

// passed is the position with the other side to move.
func (n naivePosition) passed() naivePosition {
	n.points = strings.Map(func(letter rune) rune {
		switch letter {
		case 'o':
			return 'x'
		case 'x':
			return 'o'
		}
		return letter
	}, n.points)
	return n
}

// joined tells whether a line leads from a point in a direction.
func (n naivePosition) joined(file, rank int, s naiveStep) bool {
	return s.file == 0 || s.rank == 0 || (file+rank)%2 == 0
}

// without removes the unbroken run of enemy stones that begins at a point and
// goes on in a direction.
func (n naivePosition) without(file, rank int, s naiveStep) naivePosition {
	for n.at(file, rank) == 'x' {
		n = n.with(file, rank, '.')
		file, rank = file+s.file, rank+s.rank
	}
	return n
}

func naiveName(file, rank int) string { return fmt.Sprintf("%c%d", 'a'+file, 1+rank) }

// turns gives the legal turns by notation, and the position after each.
func (n naivePosition) turns() map[string]string {
	turns := map[string]string{}
	if !strings.Contains(n.points, "o") || !strings.Contains(n.points, "x") {
		return turns
	}
	n.eachOwn(func(file, rank int) {
		name := naiveName(file, rank)
		n.capture(naiveStone{file, rank, name, []string{name}, nil}, turns)
	})
	if len(turns) > 0 {
		return turns
	}
	n.eachOwn(func(file, rank int) {
		for _, s := range naiveSteps {
			if f, r := file+s.file, rank+s.rank; n.joined(file, rank, s) && n.at(f, r) == '.' {
				turns[naiveName(file, rank)+"-"+naiveName(f, r)] =
					n.with(file, rank, '.').with(f, r, 'o').passed().points
			}
		}
	})
	return turns
}

func (n naivePosition) eachOwn(visit func(file, rank int)) {
	for rank := range n.height {
		for file := range n.width {
			if n.at(file, rank) == 'o' {
				visit(file, rank)
			}
		}
	}
}

// capture adds every capture that the stone can go on with.
func (n naivePosition) capture(stone naiveStone, turns map[string]string) {
	for _, s := range naiveSteps {
		file, rank := stone.file+s.file, stone.rank+s.rank
		name := naiveName(file, rank)
		if !n.joined(stone.file, stone.rank, s) || n.at(file, rank) != '.' ||
			slices.Contains(stone.stoodOn, name) || !n.allowed(stone.steps, s) {
			continue
		}
		moved := n.with(stone.file, stone.rank, '.').with(file, rank, 'o')
		back := naiveStep{-s.file, -s.rank}
		for letter, after := range map[string]naivePosition{
			"A": moved.without(file+s.file, rank+s.rank, s),
			"W": moved.without(stone.file-s.file, stone.rank-s.rank, back),
		} {
			if after == moved {
				continue
			}
			next := naiveStone{
				file, rank, stone.notation + "-" + name + letter,
				append(slices.Clone(stone.stoodOn), name), append(slices.Clone(stone.steps), s),
			}
			turns[next.notation] = after.passed().points
			after.capture(next, turns)
		}
	}
}

// allowed tells whether the direction rule lets a step follow others.
func (n naivePosition) allowed(before []naiveStep, s naiveStep) bool {
	if len(before) == 0 {
		return true
	}
	last := before[len(before)-1]
	switch n.direction {
	case NoRepeatOrReverse:
		return s != last && s != naiveStep{-last.file, -last.rank}
	case NeverTwice:
		return !slices.Contains(before, s)
	}
	return s != last
}

// ended is the value for the side to move where there are no turns.
func (n naivePosition) ended(stalemateDraws bool) bitboard.Value {
	switch own, opp := strings.Contains(n.points, "o"), strings.Contains(n.points, "x"); {
	case own && !opp:
		return bitboard.Win
	case own && stalemateDraws:
		return bitboard.Draw
	}
	return bitboard.Loss
}

// quiet tells whether the side to move has no capture.
func (n naivePosition) quiet() bool {
	quiet := true
	n.eachOwn(func(file, rank int) {
		for _, s := range naiveSteps {
			onward := n.at(file+2*s.file, rank+2*s.rank) == 'x'
			behind := n.at(file-s.file, rank-s.rank) == 'x'
			if n.joined(file, rank, s) && n.at(file+s.file, rank+s.rank) == '.' && (onward || behind) {
				quiet = false
			}
		}
	})
	return quiet
}

// unmoves gives the positions from which a paika leads to this one.
func (n naivePosition) unmoves() []string {
	if !strings.Contains(n.points, "o") {
		return nil
	}
	var before []string
	n = n.passed() // now the side that moved is 'o'
	n.eachOwn(func(file, rank int) {
		for _, s := range naiveSteps {
			if f, r := file+s.file, rank+s.rank; n.joined(file, rank, s) && n.at(f, r) == '.' {
				if b := n.with(file, rank, '.').with(f, r, 'o'); b.quiet() {
					before = append(before, b.points)
				}
			}
		}
	})
	return before
}

// agree compares everything that turns.go, unmove.go and notation.go say of a
// position with what the naive generator says.
func agree(t *testing.T, g *Game, p Position) {
	t.Helper()
	naive := naiveOf(g, p)
	want := naive.turns()
	notated := g.Notated(p, 0)
	turns := g.Turns(nil, p)
	if len(notated) != len(want) || len(turns) != len(want) || g.Count(p) != len(want) {
		t.Fatalf("%s under %v: %d notated, %d turns, count %d, want %d", g.Format(p, 0), g.rules, len(notated), len(turns), g.Count(p), len(want))
	}
	for i, turn := range notated {
		if naiveOf(g, turn.To).points != want[turn.Notation] {
			t.Fatalf("%s under %v: %s leads to %q, want %q", g.Format(p, 0), g.rules, turn.Notation, naiveOf(g, turn.To).points, want[turn.Notation])
		}
		if turns[i] != turn.To {
			t.Fatalf("%s under %v: turn %d is not %s", g.Format(p, 0), g.rules, i, turn.Notation)
		}
	}
	if ended := naive.ended(g.rules.StalemateDraws); len(want) == 0 && g.Ended(p) != ended {
		t.Fatalf("%s under %v: ended as a %v, want %v", g.Format(p, 0), g.rules, g.Ended(p), ended)
	}
	if g.Quiet(p) != naive.quiet() {
		t.Fatalf("%s: quiet %v", g.Format(p, 0), g.Quiet(p))
	}
	var before []string
	for _, b := range g.Unmoves(nil, p) {
		before = append(before, naiveOf(g, b).points)
	}
	wantBefore := naive.unmoves()
	slices.Sort(before)
	slices.Sort(wantBefore)
	if !slices.Equal(before, wantBefore) {
		t.Fatalf("%s: unmoves %q, want %q", g.Format(p, 0), before, wantBefore)
	}
}

func TestAgreesWithNaiveOnAll3x3(t *testing.T) {
	for direction := range DirectionRule(len(directionRules)) {
		for _, stalemateDraws := range []bool{false, true} {
			rules := Rules{stalemateDraws, direction}
			t.Run(rules.String(), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, "3x3", rules)
				for p := range positionsOn(g) {
					agree(t, g, p)
				}
			})
		}
	}
}

// positionsOn yields every position of a board with a stone at least.
func positionsOn(g *Game) func(yield func(Position) bool) {
	return func(yield func(Position) bool) {
		for own := g.points; ; own = (own - 1) & g.points {
			free := g.points &^ own
			for opp := free; ; opp = (opp - 1) & free {
				if own|opp != 0 && !yield(Position{own, opp}) {
					return
				}
				if opp == 0 {
					break
				}
			}
			if own == 0 {
				return
			}
		}
	}
}

func TestAgreesWithNaiveOnReachedPositions(t *testing.T) {
	for _, board := range []string{"3x3", "5x5", "9x5", "3x5", "5x3", "7x3", "7x7"} {
		for direction := range DirectionRule(len(directionRules)) {
			rules := Rules{Direction: direction}
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, board, rules)
				rng := rand.New(rand.NewPCG(1, uint64(direction)))
				for range 20 {
					for _, p := range playout(t, g, rng, 60) {
						agree(t, g, p)
					}
				}
			})
		}
	}
}

// playout is the positions of a game of random turns from the start.
func playout(t testing.TB, g *Game, rng *rand.Rand, plies int) []Position {
	t.Helper()
	p, _, err := g.Start()
	if err != nil {
		t.Fatal(err)
	}
	game := []Position{p}
	for turns := g.Turns(nil, p); len(turns) > 0 && len(game) < plies; turns = g.Turns(turns[:0], p) {
		p = turns[rng.IntN(len(turns))]
		game = append(game, p)
	}
	return game
}

func TestAgreesWithNaiveOnRandomPositions(t *testing.T) {
	for _, board := range []string{"3x3", "9x5", "3x9", "9x3", "4x5", "6x6", "7x8", "8x7", "9x6", "6x9", "9x4"} {
		for direction := range DirectionRule(len(directionRules)) {
			rules := Rules{Direction: direction}
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, board, rules)
				rng := rand.New(rand.NewPCG(2, uint64(direction)))
				for range 500 {
					agree(t, g, randomPosition(g, rng))
				}
			})
		}
	}
}

// randomPosition has each side on some share of the points, from hardly any
// to half of them.
func randomPosition(g *Game, rng *rand.Rand) Position {
	own, opp := rng.IntN(50), rng.IntN(50)
	var p Position
	for rest := g.points; rest != 0; rest &= rest - 1 {
		switch roll := rng.IntN(100); {
		case roll < own:
			p.Own |= rest & -rest
		case roll < own+opp:
			p.Opp |= rest & -rest
		}
	}
	return p
}

func newGame(t testing.TB, board string, rules Rules) *Game {
	t.Helper()
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		t.Fatal(err)
	}
	g, err := New(b, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
