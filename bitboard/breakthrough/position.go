package breakthrough

import (
	"fmt"
	"math/big"
	"math/bits"

	"paika/bitboard"
	"paika/bitboard/derived"
	"paika/bitboard/placement"
)

// Position is the pawns of the side to move, which go up, and of its opponent.
type Position struct{ Own, Opp uint64 }

// Game is Breakthrough on one board. Its methods are safe for concurrent use.
type Game struct {
	*placement.Space[Position]
	*derived.Kernel[Position]

	board  bitboard.Board
	points uint64 // every point of the board
	last   uint64 // the rank that wins, and
	first  uint64 // the rank that loses, where the opponent stands on it
	left   uint64 // the files at the edges
	right  uint64
	files  []uint64 // those of the left half, from the edge inwards
	drawn  *bitboard.Stones
}

// New makes the game. It fails, naming the bounds, on a board outside them.
func New(board bitboard.Board) (*Game, error) {
	w, h := board.Width, board.Height
	if w < 2 || w > 8 || h < 4 || h > 8 {
		return nil, fmt.Errorf("breakthrough on %v: want 2 to 8 files and 4 to 8 ranks", board)
	}
	g := &Game{board: board, points: 1<<board.Points() - 1, first: 1<<w - 1, drawn: bitboard.NewStones(sideLetters, uint(w))}
	g.last = g.turned(g.first)
	g.files = make([]uint64, w/2)
	mirror := make([]int, board.Points())
	for n := range mirror {
		file, rank := n%w, n/w
		mirror[n] = rank*w + w - 1 - file
		if file < w/2 {
			g.files[file] |= 1 << n
		}
		switch file {
		case 0:
			g.left |= 1 << n
		case w - 1:
			g.right |= 1 << n
		}
	}
	var err error
	g.Space, err = placement.New(placement.Config[Position]{
		Kinds:      []placement.Kind{{Region: g.points &^ g.last, Fewest: 1, Most: 2 * w}, {Region: g.points &^ g.first, Fewest: 1, Most: 2 * w}},
		Symmetries: [][]int{mirror},
		After:      after,
		Sets:       func(p Position) placement.Sets { return placement.Sets{p.Own, p.Opp} },
		Position:   func(s placement.Sets) Position { return Position{s[0], s[1]} },
	})
	g.Kernel = derived.NewKernel(g)
	return g, err
}

// Board is the board that the game is played on.
func (g *Game) Board() bitboard.Board { return g.board }

// after is the pawns that each side has after a turn, and after a capture.
func after(c placement.Counts) []placement.Counts {
	return []placement.Counts{{c[1], c[0]}, {c[1] - 1, c[0]}}
}

// turned is a set seen from the other side of the board.
func (g *Game) turned(set uint64) uint64 {
	return bits.Reverse64(set) >> (64 - g.board.Points())
}

// Pass hands the turn to the opponent.
func (g *Game) Pass(p Position) (passed Position, exists bool) {
	return Position{g.turned(p.Opp), g.turned(p.Own)}, true
}

// Representative is, of a position and its mirror image, the one with the lesser set
// of own pawns as a number, or, if these are the same, of the opponent's.
func (g *Game) Representative(p Position) Position {
	own := g.mirrored(p.Own)
	if own > p.Own {
		return p
	}
	if opp := g.mirrored(p.Opp); own < p.Own || opp < p.Opp {
		return Position{own, opp}
	}
	return p
}

// mirrored exchanges left and right.
func (g *Game) mirrored(set uint64) uint64 {
	apart := g.board.Width - 1
	for _, file := range g.files {
		exchanged := (set ^ set>>apart) & file
		set ^= exchanged | exchanged<<apart
		apart -= 2
	}
	return set
}

// Evaluate counts pawns.
func (g *Game) Evaluate(p Position) int {
	if g.over(p) {
		if g.Ended(p) == bitboard.Win {
			return bitboard.Sure
		}
		return -bitboard.Sure
	}
	return bits.OnesCount64(p.Own) - bits.OnesCount64(p.Opp)
}

// Lookahead is the depth that players look ahead by default.
func (g *Game) Lookahead() int { return 4 }

// States counts positions.
func (g *Game) States() (count *big.Int, text string) {
	return g.Total(), "one pawn or more of each side, no more than at the start, none on the rank that wins"
}
