package picture

import (
	"fmt"

	"paika/cmd/paika/catalogue"
)

// Sizes of a picture: the pixels of its longer side.
const (
	Smallest = 16
	Usual    = 480
	Largest  = 4096
)

// Picture is what is to be drawn.
type Picture struct {
	Look     catalogue.Look
	Position string // as answers write it
	Mover    string // as Look.Called has the player to move

	// Turn is a turn of the position, or empty, and After the position that it leads
	// to.
	Turn, After string

	Size int // pixels of the longer side, Smallest to Largest
}

// SVG draws the picture: a document of at most some hundred bytes a point. It fails
// with ErrPosition.
func (p Picture) SVG() ([]byte, error) {
	before, err := read(p.Look, p.Position)
	if err != nil {
		return nil, err
	}
	along := before.places(p.Look, p.Turn)
	b := newBoard(p.Look, before, along)
	d := drawing{}
	title := fmt.Sprintf("%s %dx%d, %s to move", p.Look.Title, before.width, before.height, p.Mover)
	if p.Turn != "" {
		title += ": " + p.Turn
	}
	d.begin(b.wide, b.high, p.Size, title, p.Position)
	b.draw(&d)
	b.stones(&d, before)
	if p.Turn != "" {
		after, err := read(p.Look, p.After)
		if err != nil {
			return nil, err
		}
		b.turn(&d, before, after, along)
	}
	return d.end(), nil
}
