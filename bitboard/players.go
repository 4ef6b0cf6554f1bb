package bitboard

import "strings"

// Played gives the game with players for sides where the text of a position has a player
// behind it, as that game writes it; else nil.
func Played[P comparable](game Notation[P], text string) Game[P] {
	colourless, ok := game.(Colourless[P])
	if !ok {
		return nil
	}
	players, last := colourless.ByPlayers(), text[strings.LastIndexByte(text, ' ')+1:]
	if last != players.SideName(0) && last != players.SideName(1) {
		return nil
	}
	return players
}

// SideAfter is the side to move in the position that a turn of a side leads to: the other one,
// but where the game gives out sides with that turn.
func SideAfter[P comparable](game Notation[P], to P, mover Side) Side {
	if colourless, ok := game.(Colourless[P]); ok {
		return colourless.SideToMove(to, mover.Other())
	}
	return mover.Other()
}

// ParsePlayed reads a position as the game writes it, or as it does with players for sides:
// then the player must be one whose turn it can be. Errors are of type *SyntaxError.
func ParsePlayed[P comparable](game Notation[P], text string) (P, Side, error) {
	if players := Played(game, text); players != nil {
		if p, _, err := players.Parse(text); err != nil {
			return p, 0, err
		}
		text = text[:strings.LastIndexByte(text, ' ')]
	}
	return game.Parse(text)
}
