package quiet

import (
	"context"
	"fmt"
	"math/bits"

	"paika/bitboard/breakthrough"
)

// Solve makes the table of a game's board. It fails with ErrTooLarge, or with the
// context's error.
func Solve(ctx context.Context, game *breakthrough.Game) (*Table, error) {
	board := game.Board()
	words, err := wordsOf(board)
	if err != nil {
		return nil, fmt.Errorf("%v: %w", board, err)
	}
	s := solver{layout: newLayout(board), ctx: ctx, white: make([]sets, words), black: make([]sets, words)}
	for n := range 1 << board.Width {
		for file := range board.Width {
			s.with[file] |= sets(n>>file&1) << n
		}
		s.all |= 1 << n
	}
	if s.place(board.Points()-1, 0, 0); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return &Table{game: game, layout: s.layout, wins: s.white}, nil
}

// solver fills the words one after the other. Positions are as White sees them.
type solver struct {
	layout
	ctx          context.Context
	white, black []sets          // by word: with which White, to move, wins; with which Black does
	all          sets            // every set
	with         [mostFiles]sets // by file: those that have it
	next         uint64          // the number of the word that comes next
}

// place puts everything that may stand there on a point and those below it, by rising
// numbers, and solves the words.
func (s *solver) place(point int, white, black uint64) {
	rank := point / s.board.Width
	if rank == 0 {
		s.solve(white, black)
		return
	}
	if rank == s.board.Height/2 && s.ctx.Err() != nil {
		return
	}
	if rank < s.board.Height-2 {
		s.place(point-1, white|1<<point, black)
	}
	s.place(point-1, white, black)
	if rank > 1 {
		s.place(point-1, white, black|1<<point)
	}
}

// solve fills the next word, whose pawns beyond the first rank are given.
func (s *solver) solve(white, black uint64) {
	x := s.next
	s.next++
	if black == 0 {
		s.white[x], s.black[x] = s.all, 0
	} else {
		s.white[x], s.black[x] = s.whiteWins(x, white, black), s.blackWins(x, white, black)
	}
	if white == 0 { // and none on the first rank
		s.white[x] &^= 1
		s.black[x] |= 1
	}
}

// whiteWins is the sets of the first rank with which White, to move, wins.
func (s *solver) whiteWins(x uint64, white, black uint64) (wins sets) {
	for step := range steps {
		shift := s.board.Width + step - 1
		for targets := s.up(white, black, step) &^ white; targets != 0; targets &= targets - 1 {
			to := targets & -targets
			n := bits.TrailingZeros64(to)
			left, there := x+s.worth[n-shift], s.worth[n]
			switch captures := to&black != 0; {
			case to&s.brink != 0 && captures:
				wins |= s.notCaptured(left, to, black)
			case to&s.brink != 0:
				wins |= s.notCaptured(left+there, to, black)
			case captures:
				wins |= ^s.black[left-2*there]
			default:
				wins |= ^s.black[left-there]
			}
		}
		for targets := s.up(s.first, 0, step) &^ white; targets != 0; targets &= targets - 1 {
			n := bits.TrailingZeros64(targets)
			wins |= s.without(n-shift, ^s.black[x-s.worth[n]])
		}
	}
	return wins & s.all
}

// notCaptured is the sets with which White wins who has come to a point of the last
// rank but one: whatever Black captures there with, it has lost. taken is the word
// with a black pawn on that point and all others where they were.
func (s *solver) notCaptured(taken, at, black uint64) sets {
	wins := s.all
	for from := (s.up(at, 0, 0) | s.up(at, 0, 2)) & black; from != 0; from &= from - 1 {
		wins &= s.white[taken-s.worth[bits.TrailingZeros64(from)]]
	}
	return wins
}

// blackWins is the sets of the first rank with which Black, to move, wins.
func (s *solver) blackWins(x uint64, white, black uint64) (wins sets) {
	for step := range steps {
		shift := s.board.Width + step - 1
		for targets := s.down(black, white, step) &^ black; targets != 0; targets &= targets - 1 {
			to := targets & -targets
			n := bits.TrailingZeros64(to)
			left, there := x-s.worth[n+shift], s.worth[n]
			switch captures := to&white != 0; {
			case to&s.second != 0 && captures:
				wins |= s.notTaken(left, n)
			case to&s.second != 0:
				wins |= s.notTaken(left-there, n)
			case captures:
				wins |= ^s.white[left+2*there]
			default:
				wins |= ^s.white[left+there]
			}
		}
	}
	return wins & s.all
}

// notTaken is the sets with which Black wins who has come to a point of the second
// rank: whatever White captures there with, it has lost. taken is the word with a
// white pawn on that point and all others where they were.
func (s *solver) notTaken(taken uint64, point int) sets {
	wins := s.all
	for from := s.down(1<<point, 0, 0) | s.down(1<<point, 0, 2); from != 0; from &= from - 1 {
		file := bits.TrailingZeros64(from)
		wins &= ^s.with[file] | s.without(file, s.black[taken])
	}
	return wins
}

// without is the sets that have a file, and are in a word if they lose it.
func (s *solver) without(file int, word sets) sets {
	return word << (1 << file) & s.with[file]
}

// Pawns take one of three steps: to the left and to the right as White sees it, where
// they can capture, and straight on.
const (
	steps    = 3
	straight = 1
)

// up is where white pawns come to by a step, their own points among that. What stands
// in the way stops them straight ahead.
func (s *solver) up(pawns, inTheWay uint64, step int) uint64 {
	switch w := s.board.Width; step {
	case straight:
		return pawns << w &^ inTheWay
	case 0:
		return pawns &^ s.left << (w - 1)
	default:
		return pawns &^ s.right << (w + 1)
	}
}

// down is where black pawns come to: up, turned by half.
func (s *solver) down(pawns, inTheWay uint64, step int) uint64 {
	switch w := s.board.Width; step {
	case straight:
		return pawns >> w &^ inTheWay
	case 0:
		return pawns &^ s.right >> (w - 1)
	default:
		return pawns &^ s.left >> (w + 1)
	}
}
