package phutball

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

// naiveBoard is a position as the rules speak of it: real columns and rows from
// 1, row 0 and H+1 off the board, Ohs attacking row H.
type naiveBoard struct {
	width, height int
	rules         Rules
	ohs           bool // to move
	ball          naivePoint
	men           map[naivePoint]bool
}

type naivePoint struct{ column, row int }

func naiveOf(g *Game, p Position, s bitboard.Side) naiveBoard {
	l := g.Layout(p, s)
	n := naiveBoard{l.Board.Width, l.Board.Height, g.Rules(), s == 0, naivePoint{l.Ball.File + 1, l.Ball.Rank + 1}, map[naivePoint]bool{}}
	for row := 1; row <= n.height; row++ {
		for column := 1; column <= n.width; column++ {
			if l.Man(bitboard.Point{File: column - 1, Rank: row - 1}) {
				n.men[naivePoint{column, row}] = true
			}
		}
	}
	return n
}

// position is the way back.
func (n naiveBoard) position(g *Game) Position {
	s := bitboard.Side(1)
	if n.ohs {
		s = 0
	}
	l := NewLayout(g.Board(), s, bitboard.Point{File: n.ball.column - 1, Rank: n.ball.row - 1})
	for man := range n.men {
		l.Place(bitboard.Point{File: man.column - 1, Rank: man.row - 1})
	}
	p, _, err := g.Parse(l.String())
	if err != nil {
		panic(err)
	}
	return p
}

func (n naiveBoard) name(p naivePoint) string {
	switch {
	case p.column == 0:
		return fmt.Sprintf("<%d", p.row)
	case p.column > n.width:
		return fmt.Sprintf(">%d", p.row)
	}
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOPQRSTUVWXYZ"[p.column-1], p.row)
}

func (n naiveBoard) onBoard(p naivePoint) bool {
	return p.column >= 1 && p.column <= n.width && p.row >= 1 && p.row <= n.height
}

// over tells whether the game is, and whether Ohs has won it then.
func (n naiveBoard) over() (over, ohsWon bool) {
	return n.ball.row <= 1 || n.ball.row >= n.height, n.ball.row >= n.height
}

func (n naiveBoard) clone() naiveBoard {
	n.men = maps.Clone(n.men)
	return n
}

// jumps gives the board after each single jump that may follow now.
func (n naiveBoard) jumps() []naiveBoard {
	off := !n.onBoard(n.ball)
	if off && !n.rules.ReturnFromOff {
		return nil
	}
	if n.rules.GoalStop && (n.ball.row == 1 || n.ball.row == n.height) {
		return nil
	}
	var after []naiveBoard
	for columns := -1; columns <= 1; columns++ {
		for rows := -1; rows <= 1; rows++ {
			at := n.ball
			jumped := n.clone()
			for {
				at = naivePoint{at.column + columns, at.row + rows}
				if !n.men[at] || columns == 0 && rows == 0 {
					break
				}
				delete(jumped.men, at)
			}
			pastSide := at.column < 1 || at.column > n.width
			pastEnd := at.row < 1 || at.row > n.height
			if len(jumped.men) == len(n.men) || pastSide && !(pastEnd && n.rules.CornerExit) {
				continue
			}
			jumped.ball = at
			after = append(after, jumped)
		}
	}
	return after
}

// series gives all series of jumps by notation.
func (n naiveBoard) series(notation string, into map[string]naiveBoard) {
	for _, next := range n.jumps() {
		name := notation + "-" + n.name(next.ball)
		into[name] = next
		next.series(name, into)
	}
}

// turns gives the legal turns by notation, and the position after each.
func (n naiveBoard) turns() map[string]naiveBoard {
	turns := map[string]naiveBoard{}
	if over, _ := n.over(); over {
		return turns
	}
	n.series(n.name(n.ball), turns)
	for column := 1; column <= n.width; column++ {
		for row := 1; row <= n.height; row++ {
			if p := (naivePoint{column, row}); p != n.ball && !n.men[p] {
				placed := n.clone()
				placed.men[p] = true
				turns[n.name(p)] = placed
			}
		}
	}
	for name, after := range turns {
		after.ohs = !n.ohs
		turns[name] = after
	}
	return turns
}

var allRules = []Rules{
	{}, {GoalStop: true}, {CornerExit: true}, {ReturnFromOff: true},
	{CornerExit: true, ReturnFromOff: true}, {true, true, true},
}

// agree compares turns, their notation and their number with the naive board's.
func agree(t *testing.T, g *Game, p Position, s bitboard.Side) {
	t.Helper()
	want := map[string]Position{}
	for name, after := range naiveOf(g, p, s).turns() {
		want[name] = after.position(g)
	}
	listed, notated := g.Turns(nil, p), g.Notated(p, s)
	if len(listed) != len(want) || len(notated) != len(want) || g.Count(p) != len(want) {
		t.Fatalf("%s: %d turns, %d notated, Count %d, want %d", g.Format(p, s), len(listed), len(notated), g.Count(p), len(want))
	}
	for i, turn := range notated {
		to, ok := want[turn.Notation]
		if !ok || turn.To != to || listed[i] != to {
			t.Fatalf("%s: turn %s leads to %s, listed as %s, want %s", g.Format(p, s), turn.Notation,
				g.Format(turn.To, s.Other()), g.Format(listed[i], s.Other()), g.Format(to, s.Other()))
		}
		if parsed, err := g.ParseTurn(p, s, turn.Notation); err != nil || parsed.To != to {
			t.Fatalf("%s: ParseTurn(%s): %v", g.Format(p, s), turn.Notation, err)
		}
	}
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

// randomPosition has men on some share of the points and the ball on any place.
func randomPosition(g *Game, rng *rand.Rand, percent int) Position {
	p := Position{Ball: Place(rng.IntN(g.grid.Places()))}
	for at := range Place(g.grid.points) {
		if at != p.Ball && rng.IntN(100) < percent {
			p.Men.Flip(at)
		}
	}
	return p
}

func TestAgreesWithNaiveOnRandomPositions(t *testing.T) {
	for _, board := range []string{"1x3", "1x21", "2x3", "19x3", "3x3", "5x5", "4x6", "8x8", "7x21", "15x19", "19x21"} {
		for _, rules := range allRules {
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, board, rules)
				rng := rand.New(rand.NewPCG(1, 0))
				percents := 20
				if g.Board().Points() < 30 {
					percents = 90
				}
				for range 40 {
					agree(t, g, randomPosition(g, rng, rng.IntN(percents)), bitboard.Side(rng.IntN(2)))
				}
			})
		}
	}
}

func TestEndedIsTheGoalThatTheBallIsIn(t *testing.T) {
	g := newGame(t, "5x5", Rules{})
	rng := rand.New(rand.NewPCG(2, 0))
	for range 200 {
		p, s := randomPosition(g, rng, 30), bitboard.Side(rng.IntN(2))
		n := naiveOf(g, p, s)
		over, ohsWon := n.over()
		if turns := g.Turns(nil, p); (len(turns) == 0) != over {
			t.Fatalf("%s: %d turns, over is %v", g.Format(p, s), len(turns), over)
		}
		want := bitboard.Loss
		if ohsWon == n.ohs {
			want = bitboard.Win
		}
		if got := g.Ended(p); over && got != want {
			t.Errorf("%s: ended with %v, want %v", g.Format(p, s), got, want)
		}
	}
}

// Every position of a board that has few, with every turn, gives the unmoves.
func TestUnmovesAreTheTurnsBackwards(t *testing.T) {
	for _, board := range []string{"1x6", "3x4", "4x3", "2x5"} {
		for _, rules := range allRules {
			t.Run(board+" "+rules.String(), func(t *testing.T) {
				t.Parallel()
				g := newGame(t, board, rules)
				before := map[Position][]Position{}
				everyPosition(g, func(p Position) {
					turns := g.Turns(nil, p)
					slices.SortFunc(turns, comparePositions)
					for _, to := range slices.Compact(turns) {
						before[to] = append(before[to], p)
					}
				})
				everyPosition(g, func(p Position) {
					got, want := g.Unmoves(nil, p), before[p]
					slices.SortFunc(got, comparePositions)
					slices.SortFunc(want, comparePositions)
					if !slices.Equal(got, want) {
						t.Fatalf("%s: %d unmoves, want %d", g.Format(p, 0), len(got), len(want))
					}
				})
			})
		}
	}
}

// everyPosition visits all positions in which the game is not over, on a board
// that fits a word.
func everyPosition(g *Game, visit func(Position)) {
	for ball := range Place(g.grid.points) {
		if g.grid.Goal(ball) != 0 {
			continue
		}
		for men := range uint64(1) << g.grid.points {
			if men>>ball&1 == 0 {
				visit(Position{Ball: ball, Men: Set{men}})
			}
		}
	}
}

func comparePositions(a, b Position) int {
	if c := int(a.Ball) - int(b.Ball); c != 0 {
		return c
	}
	return slices.Compare(a.Men[:], b.Men[:])
}

func FuzzTurnsAgreeWithNaive(f *testing.F) {
	f.Add(uint64(1), uint8(9), uint8(9), uint8(10), uint8(0))
	f.Add(uint64(2), uint8(1), uint8(3), uint8(60), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, width, height, percent, options uint8) {
		board := bitboard.Board{Width: int(width)%MaxWidth + 1, Height: int(height)%(MaxHeight-2) + MinHeight}
		g, err := New(board, Rules{options&1 != 0, options&2 != 0, options&4 != 0})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		p := randomPosition(g, rng, int(percent)%18)
		agree(t, g, p, bitboard.Side(rng.IntN(2)))
	})
}

func FuzzParseReadsWhatFormatWrites(f *testing.F) {
	f.Add(".@*/.../*.. ohs")
	f.Add("@B4 .../***/... eks")
	f.Add("ball=B2 men=A1,C3 to=eks board=3x3")
	f.Add("@<0 .../***/... eks")
	g, err := New(bitboard.Board{Width: 3, Height: 3}, Rules{CornerExit: true})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, s, err := g.Parse(text)
		if err != nil {
			return
		}
		written := g.Format(p, s)
		if again, side, err := g.Parse(written); err != nil || again != p || side != s {
			t.Fatalf("Parse(%q) = %v, %v, %v, want what %q gives", written, again, side, err, text)
		}
		if l, err := ParseLayout(written, g.Board()); err != nil || !strings.HasSuffix(l.String(), written) {
			t.Fatalf("ParseLayout(%q) = %v, %v", written, l, err)
		}
	})
}
