package explorer

import (
	"context"
	"fmt"
	"strconv"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/explorer/picture"
)

// image draws the position in the parameter p, with a turn if one is given.
func (s *Server) image(_ context.Context, q question) (any, error) {
	text, err := q.parameter("p")
	if err != nil {
		return nil, err
	}
	p := picture.Picture{Turn: q.parameters.Get("turn")}
	if p.Size, err = readSize(q.parameters.Get("size")); err != nil {
		return nil, err
	}
	if p.Position, err = q.view.tables.Written(text); err != nil {
		return nil, err
	}
	mover, err := q.view.tables.Mover(p.Position)
	if err != nil {
		return nil, err
	}
	if p.Turn != "" {
		if err := checkLength("turn", p.Turn); err != nil {
			return nil, err
		}
		if p.After, err = q.view.tables.Play(p.Position, p.Turn); err != nil {
			return nil, err
		}
	}
	game := q.view.instance.Identity().Game
	known, found := catalogue.Find(game)
	if !found {
		return nil, fmt.Errorf("no game %s", game)
	}
	p.Look, p.Mover = known.Look, known.Look.Called(mover)
	body, err := p.SVG()
	return drawn(body), err
}

// readSize reads the size of a picture.
func readSize(text string) (int, error) {
	if text == "" {
		return picture.Usual, nil
	}
	size, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(size) != text || size < picture.Smallest || size > picture.Largest {
		return 0, refuse(catalogue.CodeParameter, "size", "size=%s: want %d to %d, the pixels of the longer side", bitboard.Quote(text), picture.Smallest, picture.Largest)
	}
	return size, nil
}
