package gametest

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

// checkText checks that a position and its turns are read as they are written.
func checkText[P comparable](game bitboard.Game[P], p P, side bitboard.Side) error {
	text := game.Format(p, side)
	if again, s, err := game.Parse(text); err != nil || again != p || s != side {
		return fmt.Errorf("%s is read as %s with side %d to move, error %v", text, game.Format(again, s), s, err)
	}
	if err := checkGarbage(game, text); err != nil {
		return err
	}
	turns, notated := game.Turns(nil, p), game.Notated(p, side)
	if len(turns) != len(notated) {
		return fmt.Errorf("%d turns, %d with notation", len(turns), len(notated))
	}
	seen := make(map[string]bool)
	first := make(map[P]string)
	for i, turn := range notated {
		if turn.To != turns[i] {
			return fmt.Errorf("turn %d is not %s", i, turn.Notation)
		}
		if seen[turn.Notation] {
			return fmt.Errorf("two turns are written %s", turn.Notation)
		}
		seen[turn.Notation] = true
		if _, before := first[turn.To]; !before {
			first[turn.To] = turn.Notation
		}
		if again, err := game.ParseTurn(p, side, turn.Notation); err != nil || again != turn {
			return fmt.Errorf("%s is read as %s, error %v", turn.Notation, again.Notation, err)
		}
	}
	if err := checkTurnNames(game, p, side, first); err != nil {
		return err
	}
	if len(notated) > 0 {
		return checkNoTurns(game, p, side, notated[0].Notation)
	}
	return nil
}

// checkTurnNames checks that the turn to a position is named as the first that Notated lists,
// and that there is none to where no turn leads.
func checkTurnNames[P comparable](game bitboard.Game[P], p P, side bitboard.Side, first map[P]string) error {
	namer, ok := game.(bitboard.TurnNamer[P])
	if !ok {
		return nil
	}
	for at := range first {
		for _, to := range append(game.Turns([]P{at}, at), p) {
			name, found := namer.TurnName(p, side, to)
			if want, leads := first[to]; found != leads || name != want {
				return fmt.Errorf("the turn to %s is named %q: want %q", game.Format(to, side.Other()), name, want)
			}
		}
	}
	return nil
}

// checkNoTurns checks that what is no turn is not read as one.
func checkNoTurns[P comparable](game bitboard.Game[P], p P, side bitboard.Side, turn string) error {
	for _, text := range []string{"", turn + "?", " " + turn, turn + "-" + turn} {
		again, err := game.ParseTurn(p, side, text)
		if err == nil {
			return fmt.Errorf("%q is read as the turn %s", text, again.Notation)
		}
		var illegal *bitboard.IllegalTurnError
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &illegal) && !errors.As(err, &syntax) {
			return fmt.Errorf("%q: error %v is neither of a text nor of an illegal turn", text, err)
		}
	}
	return nil
}

// checkGarbage checks that what is almost a position is refused, and where.
func checkGarbage[P comparable](game bitboard.Game[P], text string) error {
	for _, garbage := range []string{"", " " + text, text + "?", text + " " + text, text[:len(text)-1], "?" + text[1:], text[1:]} {
		p, side, err := game.Parse(garbage)
		if err == nil {
			return fmt.Errorf("%q is read as %s", garbage, game.Format(p, side))
		}
		var syntax *bitboard.SyntaxError
		if !errors.As(err, &syntax) || syntax.Offset < 0 || syntax.Offset > len(syntax.Text) {
			return fmt.Errorf("%q: error %v does not say where", garbage, err)
		}
	}
	return nil
}
