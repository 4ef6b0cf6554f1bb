package command

import (
	"fmt"
	"io"
	"strings"

	"paika/cmd/paika/catalogue"
)

// signs are the characters of a drawing on a terminal.
var signs = strings.NewReplacer("*", "\u25cf", "@", "\u25ce", ".", "\u00b7")

// draw prints a position of a game that draws them, and a turn if one is given,
// in plain ASCII where w is no terminal.
func (s session) draw(w io.Writer, position, turn string) error {
	game, ok := s.instance.(catalogue.Draws)
	if !ok {
		return nil
	}
	drawing, err := game.Draw(position, turn)
	if err != nil {
		return err
	}
	if terminal(w) != nil {
		drawing = signs.Replace(drawing)
	}
	_, err = fmt.Fprintf(w, "%s\n\n", drawing)
	return err
}
