package picture

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"paika/cmd/paika/catalogue"
)

// ErrPosition says that a text is no position of a game that looks so.
var ErrPosition = errors.New("the position is not written as the look of the game tells")

// place is a point of the board, or one behind a goal or past a corner, by file and rank
// from 0 at the bottom left.
type place struct{ file, rank int }

// position is what stands where.
type position struct {
	width, height int
	pieces        map[place]catalogue.LookOfPiece
	side          catalogue.LookOfSide // to move
}

// read reads a position as answers write it: its ranks from the top, and the word for
// the side to move. A single piece that stands off the board comes first, with the
// name of its place.
func read(look catalogue.Look, text string) (position, error) {
	p := position{pieces: make(map[place]catalogue.LookOfPiece)}
	unreadable := func(what string) (position, error) {
		return position{}, fmt.Errorf("%w: %s", ErrPosition, what)
	}
	words := strings.Split(text, " ")
	off, isOff := "", len(words) == 3
	if isOff {
		off, words = words[0], words[1:]
	}
	if len(words) != 2 {
		return unreadable("want a board and a side")
	}
	ranks := strings.Split(words[0], "/")
	p.width, p.height = len(ranks[0]), len(ranks)
	if p.width == 0 || p.width > len(look.Files) {
		return unreadable("there are not as many files")
	}
	for i, rank := range ranks {
		if len(rank) != p.width {
			return unreadable("one rank is longer than another")
		}
		for file, letter := range rank {
			if letter == '.' {
				continue
			}
			piece, found := pieceOf(look, string(letter))
			if !found {
				return unreadable("there is no such piece")
			}
			p.pieces[place{file, p.height - 1 - i}] = piece
		}
	}
	if isOff {
		letter := off[:min(1, len(off))]
		piece, found := pieceOf(look, letter)
		at, named := p.find(look, off[len(letter):])
		if !found || !named {
			return unreadable("nothing can stand there")
		}
		p.pieces[at] = piece
	}
	for _, side := range look.Sides {
		if side.Word == words[1] {
			p.side = side
			return p, nil
		}
	}
	return unreadable("there is no such side")
}

func pieceOf(look catalogue.Look, letter string) (catalogue.LookOfPiece, bool) {
	for _, piece := range look.Pieces {
		if piece.Letter == letter {
			return piece, true
		}
	}
	return catalogue.LookOfPiece{}, false
}

// find finds a place by its name, on the board or, where there are goals, behind them. Past a
// corner the file is "<" on the left and ">" on the right.
func (p position) find(look catalogue.Look, name string) (place, bool) {
	if name == "" {
		return place{}, false
	}
	file, beside := strings.IndexByte(look.Files, name[0]), false
	switch name[0] {
	case '<':
		file, beside = -1, true
	case '>':
		file, beside = p.width, true
	}
	number, err := strconv.Atoi(name[1:])
	low, high := 1, p.height
	if look.Goals {
		low, high = low-1, high+1
	}
	switch {
	case err != nil || number < low || number > high:
		return place{}, false
	case beside && (!look.Goals || number != low && number != high):
		return place{}, false
	case !beside && (file < 0 || file >= p.width):
		return place{}, false
	}
	return place{file, number - 1}, true
}

// beside tells whether a place is beside the board, past a corner.
func (p position) beside(at place) bool { return at.file < 0 || at.file >= p.width }

// places are those that a turn names, in order.
func (p position) places(look catalogue.Look, turn string) []place {
	var all []place
	for i := range len(turn) {
		end := i + 1
		for end < len(turn) && '0' <= turn[end] && turn[end] <= '9' {
			end++
		}
		if at, found := p.find(look, turn[i:end]); found {
			all = append(all, at)
		}
	}
	return all
}
