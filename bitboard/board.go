package bitboard

import (
	"fmt"
	"strconv"
	"strings"
)

// Board is the size of a board in points, width (files) by height (ranks).
type Board struct{ Width, Height int }

// ParseBoard reads what String writes: "9x5" has 9 files and 5 ranks.
func ParseBoard(s string) (Board, error) {
	w, h, _ := strings.Cut(s, "x")
	width, errW := strconv.Atoi(w)
	height, errH := strconv.Atoi(h)
	b := Board{width, height}
	if errW != nil || errH != nil || width < 1 || height < 1 || b.String() != s {
		return Board{}, fmt.Errorf("board %s: want WIDTHxHEIGHT in points, such as 9x5", Quote(s))
	}
	return b, nil
}

func (b Board) String() string { return fmt.Sprintf("%dx%d", b.Width, b.Height) }

// Points is the number of points.
func (b Board) Points() int { return b.Width * b.Height }

// SyntaxError says what is wrong in a text and where.
type SyntaxError struct {
	Text   string // the whole text
	Offset int    // bytes into Text
	What   string // what is wrong, and what would be right
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%s: column %d: %s", around(e.Text, e.Offset), e.Offset+1, e.What)
}

// IllegalTurnError says that a turn that can be read is illegal, and why.
type IllegalTurnError struct {
	Text string // of the turn
	Err  error  // the step and the rule that it breaks
}

func (e *IllegalTurnError) Error() string { return fmt.Sprintf("turn %s: %v", Quote(e.Text), e.Err) }

// Unwrap returns the reason.
func (e *IllegalTurnError) Unwrap() error { return e.Err }
