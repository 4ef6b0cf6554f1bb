package konane

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
	points        string // a1, b1, ... a2, b2, ...
}

func naiveOf[S Set[S]](g *Game[S], p Position[S]) naivePosition {
	var points strings.Builder
	for rank := range g.board.Height {
		for file := range g.board.Width {
			switch n := g.number(bitboard.Point{File: file, Rank: rank}); {
			case p.Own.has(n):
				points.WriteByte('o')
			case p.Opp.has(n):
				points.WriteByte('x')
			default:
				points.WriteByte('.')
			}
		}
	}
	return naivePosition{g.board.Width, g.board.Height, points.String()}
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
	n.points = strings.NewReplacer("o", "x", "x", "o").Replace(n.points)
	return n
}

// each visits the points with a letter.
func (n naivePosition) each(letter byte, visit func(file, rank int)) {
	for rank := range n.height {
		for file := range n.width {
			if n.at(file, rank) == letter {
				visit(file, rank)
			}
		}
	}
}

func naiveName(file, rank int) string { return fmt.Sprintf("%c%d", 'a'+file, 1+rank) }

var naiveSteps = [][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}

// jumps gives the turns after the opening by notation, and the position after
// each.
func (n naivePosition) jumps() map[string]string {
	turns := map[string]string{}
	n.each('o', func(file, rank int) {
		for _, s := range naiveSteps {
			now, f, r := n, file, rank
			for now.at(f+s[0], r+s[1]) == 'x' && now.at(f+2*s[0], r+2*s[1]) == '.' {
				now = now.with(f, r, '.').with(f+s[0], r+s[1], '.').with(f+2*s[0], r+2*s[1], 'o')
				f, r = f+2*s[0], r+2*s[1]
				turns[naiveName(file, rank)+"-"+naiveName(f, r)] = now.passed().points
			}
		}
	})
	return turns
}

// removals gives the turns of the opening. After a removal the stones of the
// colour removed are the opponent's.
func (n naivePosition) removals(opening OpeningKind) map[string]string {
	turns := map[string]string{}
	var gapFile, gapRank int
	n.each('.', func(file, rank int) { gapFile, gapRank = file, rank })
	first := !strings.Contains(n.points, ".")
	consider := func(file, rank int) {
		allowed := first && (opening == AnyStone || n.corner(file, rank) || n.centre(file, rank) ||
			opening == Traditional && n.besideCentre(file, rank))
		if !first {
			beside := (file-gapFile)*(file-gapFile)+(rank-gapRank)*(rank-gapRank) == 1
			bound := opening == Traditional && !n.centre(gapFile, gapRank) && n.besideCentre(gapFile, gapRank)
			allowed = beside && (!bound || n.centre(file, rank))
		}
		if !allowed {
			return
		}
		after := n
		for r := range n.height {
			for f := range n.width {
				if letter := "xo"[(f+r+file+rank)%2]; n.at(f, r) != '.' {
					after = after.with(f, r, letter)
				}
			}
		}
		turns["-"+naiveName(file, rank)] = after.with(file, rank, '.').points
	}
	n.each('o', consider)
	n.each('x', consider)
	return turns
}

func (n naivePosition) corner(file, rank int) bool {
	return (file == 0 || file == n.width-1) && (rank == 0 || rank == n.height-1)
}

func (n naivePosition) centre(file, rank int) bool {
	// Within half a point of the middle both ways.
	files, ranks := 2*file-(n.width-1), 2*rank-(n.height-1)
	return files*files <= 1 && ranks*ranks <= 1
}

func (n naivePosition) besideCentre(file, rank int) bool {
	for _, s := range naiveSteps {
		if n.at(file+s[0], rank+s[1]) != '#' && n.centre(file+s[0], rank+s[1]) {
			return true
		}
	}
	return false
}

func (n naivePosition) turns(opening OpeningKind) map[string]string {
	if opening <= AnyStone && strings.Count(n.points, ".") < 2 {
		return n.removals(opening)
	}
	return n.jumps()
}

// agree compares everything that turns.go and notation.go say of a position
// with what the naive generator says.
func agree[S Set[S]](t *testing.T, g *Game[S], p Position[S]) {
	t.Helper()
	naive := naiveOf(g, p)
	want := naive.turns(g.rules.Opening.Kind)
	notated, turns, wide := g.Notated(p, 0), g.Turns(nil, p), g.Turns(nil, p)
	if !g.Opening(p) {
		wide = wideJumps[S]{g}.Turns(nil, p)
		if n := (wideJumps[S]{g}).Count(p); n != len(want) {
			t.Fatalf("%s: wide count %d, want %d", g.Format(p, 0), n, len(want))
		}
	}
	if len(notated) != len(want) || g.Count(p) != len(want) || !slices.Equal(turns, wide) {
		t.Fatalf("%s under %v: %d notated, %d turns, %d wide, count %d, want %d", g.Format(p, 0), g.rules, len(notated), len(turns), len(wide), g.Count(p), len(want))
	}
	for i, turn := range notated {
		if naiveOf(g, turn.To).points != want[turn.Notation] {
			t.Fatalf("%s under %v: %s leads to %q, want %q", g.Format(p, 0), g.rules, turn.Notation, naiveOf(g, turn.To).points, want[turn.Notation])
		}
		if turns[i] != turn.To {
			t.Fatalf("%s under %v: turn %d is not %s", g.Format(p, 0), g.rules, i, turn.Notation)
		}
		if parsed, err := g.ParseTurn(p, 0, turn.Notation); err != nil || parsed != turn {
			t.Fatalf("%s under %v: ParseTurn(%s) = %v, %v", g.Format(p, 0), g.rules, turn.Notation, parsed, err)
		}
	}
	text := g.Format(p, 0)
	side := g.Mover(p)
	var none S
	if p.Own == none && p.Opp.size() == 1 && g.Opening(p) {
		side = side.Other() // the stone is for a player of its colour to remove
	}
	if got, s, err := g.Parse(text); got != p || s != side || err != nil {
		t.Fatalf("Parse(%q) = %v, %d, %v, want %v", text, got, s, err, p)
	}
}

var openings = []Opening{{Kind: Traditional}, {Kind: CentreOrCorner}, {Kind: AnyStone}, {Kind: CornerH}, {Kind: CornerV}, {Kind: MiddleH}, {Kind: MiddleV}}

func TestAgreesWithNaiveOnAllPositions(t *testing.T) {
	for _, board := range []string{"1x1", "2x1", "1x2", "6x1", "1x7", "3x3", "4x3", "3x4"} {
		for _, opening := range openings {
			t.Run(board+" "+opening.String(), func(t *testing.T) {
				g, err := makeGame[Word](board, Rules{Opening: opening})
				if err != nil {
					t.Skip(err)
				}
				for p := range positionsOn(g) {
					agree(t, g, p)
				}
			})
		}
	}
}

// positionsOn yields every position of a board of one word, the empty one once.
func positionsOn(g *Game[Word]) func(yield func(Position[Word]) bool) {
	return func(yield func(Position[Word]) bool) {
		for occupied := g.points; ; occupied = (occupied - 1) & g.points {
			p := Position[Word]{occupied & g.colours[black], occupied & g.colours[white]}
			if !yield(p) || occupied == 0 || !yield(Position[Word]{p.Opp, p.Own}) {
				return
			}
		}
	}
}

func TestAgreesWithNaiveOnPlayouts(t *testing.T) {
	for _, opening := range openings {
		t.Run(opening.String(), func(t *testing.T) {
			t.Parallel()
			rules := Rules{Opening: opening}
			for _, board := range []string{"4x4", "5x5", "8x8", "9x7", "16x4"} {
				playouts[Word](t, board, rules)
			}
			for _, board := range []string{"7x7", "9x9", "8x16"} {
				playouts[Pair](t, board, rules)
			}
			for _, board := range []string{"6x6", "12x11", "16x16"} {
				playouts[Quad](t, board, rules)
			}
		})
	}
}

// playouts checks the positions of games of random turns.
func playouts[S Set[S]](t *testing.T, board string, rules Rules) {
	t.Helper()
	g := newGame[S](t, board, rules)
	rng := rand.New(rand.NewPCG(1, uint64(rules.Opening.Kind)))
	for range 1 {
		p, _, err := g.Start()
		if err != nil {
			t.Fatal(err)
		}
		for {
			agree(t, g, p)
			turns := g.Turns(nil, p)
			if len(turns) == 0 {
				break
			}
			p = turns[rng.IntN(len(turns))]
		}
	}
}

func TestAgreesWithNaiveOnRandomPositions(t *testing.T) {
	for _, board := range []string{"8x8", "7x9", "16x4", "1x16", "5x6"} {
		randomPositions[Word](t, board)
		randomPositions[Pair](t, board)
	}
	for _, board := range []string{"16x16", "11x13"} {
		randomPositions[Quad](t, board)
	}
}

func randomPositions[S Set[S]](t *testing.T, board string) {
	t.Helper()
	g := newGame[S](t, board, Rules{})
	rng := rand.New(rand.NewPCG(2, 0))
	for range 100 {
		agree(t, g, randomPosition(g, rng))
	}
}

// randomPosition has stones on some share of the points, from hardly any to
// all.
func randomPosition[S Set[S]](g *Game[S], rng *rand.Rand) Position[S] {
	var stones [2]S
	share := rng.IntN(101)
	for n := range g.board.Points() {
		if c := g.colourOf(n); rng.IntN(100) < share {
			stones[c] = stones[c].with(n)
		}
	}
	mover := bitboard.Side(rng.IntN(2))
	if stones[black] == stones[white] {
		mover = black // the empty board
	}
	return Position[S]{stones[mover], stones[mover.Other()]}
}

func makeGame[S Set[S]](board string, rules Rules) (*Game[S], error) {
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		return nil, err
	}
	return New[S](b, rules)
}

// parseRules is ParseRules on a board by its name.
func parseRules(board string, options map[string]string) (Rules, error) {
	b, err := bitboard.ParseBoard(board)
	if err != nil {
		return Rules{}, err
	}
	return ParseRules(b, options)
}

func newGame[S Set[S]](t testing.TB, board string, rules Rules) *Game[S] {
	t.Helper()
	g, err := makeGame[S](board, rules)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func FuzzTurns(f *testing.F) {
	games := []*Game[Word]{newGame[Word](f, "8x8", Rules{}), newGame[Word](f, "7x9", Rules{}), newGame[Word](f, "16x4", Rules{}), newGame[Word](f, "5x3", Rules{})}
	f.Add(uint64(1<<63|1<<62|1), false, 0)
	f.Add(^uint64(0), true, 1)
	f.Add(^uint64(0)>>1, true, 3)
	f.Fuzz(func(t *testing.T, occupied uint64, whiteMoves bool, which int) {
		g := games[uint(which)%uint(len(games))]
		stones := Word(occupied) & g.points
		p := Position[Word]{stones & g.colours[black], stones & g.colours[white]}
		if whiteMoves {
			p.Own, p.Opp = p.Opp, p.Own
		}
		agree(t, g, p)
	})
}
