package konane

import (
	"fmt"
	"strings"

	"paika/bitboard"
)

// ByPlayers is the game with the first and the second player as its sides, 0 and
// 1, for what is said of a position before anyone has a colour. Who plays which
// differs from one line of play to the next, so that the text of a position has
// one word more: whose turn it is, of the two colours and of the two players.
//
//	xox/oxo/xox b first
//
// Methods that take a side take a player.
type ByPlayers[S Set[S]] struct{ *Game[S] }

// ByPlayers gives the game with players for sides.
func (g *Game[S]) ByPlayers() bitboard.Game[Position[S]] { return ByPlayers[S]{g} }

var playerNames = [2]string{"first", "second"}

// SideName is "first" for 0 and "second" for 1.
func (g ByPlayers[S]) SideName(s bitboard.Side) string { return playerNames[s] }

// Start is the full board, or under the other openings the one with its two
// gaps; the first player moves.
func (g ByPlayers[S]) Start() (Position[S], bitboard.Side, error) {
	p, _, err := g.Game.Start()
	return p, 0, err
}

// Parse reads a position of the game with a player behind it. While the opening
// is played the stones tell the player. Errors are of type *bitboard.SyntaxError.
func (g ByPlayers[S]) Parse(text string) (Position[S], bitboard.Side, error) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		at = len(text)
	}
	p, _, err := g.Game.Parse(text[:at])
	if err != nil {
		return Position[S]{}, 0, err
	}
	player, err := bitboard.ScanSide(text, at, playerNames)
	if err != nil {
		return Position[S]{}, 0, err
	}
	if removes, opens := g.remover(p); opens && removes != player {
		what := fmt.Sprintf("the next stone is for the %s player to remove", playerNames[removes])
		return Position[S]{}, 0, &bitboard.SyntaxError{Text: text, Offset: at + 1, What: what}
	}
	return p, player, nil
}

// Format writes p as Parse reads it.
func (g ByPlayers[S]) Format(p Position[S], player bitboard.Side) string {
	return g.Game.Format(p, g.Mover(p)) + " " + playerNames[player]
}

// SideToMove is the player given: players take turns.
func (g ByPlayers[S]) SideToMove(_ Position[S], player bitboard.Side) bitboard.Side { return player }

// remover is the player whose turn it is in an opening position.
func (g *Game[S]) remover(p Position[S]) (player bitboard.Side, opens bool) {
	n := p.Own.size() + p.Opp.size()
	if !g.opens(n) {
		return 0, false
	}
	return bitboard.Side(g.board.Points() - n), true
}

// Players names the side to move and its opponent, whatever side is given: p tells. While
// the opening is played nobody has a colour yet, and they are the first and the second player.
func (g *Game[S]) Players(p Position[S], s bitboard.Side) (mover, opponent string) {
	if player, opens := g.remover(p); opens {
		return playerNames[player], playerNames[player.Other()]
	}
	s = g.SideToMove(p, s)
	return g.SideName(s), g.SideName(s.Other())
}
