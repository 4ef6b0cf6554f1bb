package catalogue

import (
	"context"
	"io"
	"time"
)

// WinsInOne is an Instance of a game whose turns are so rich that it is hard to
// tell whether one of them wins.
type WinsInOne interface {
	Instance

	// WinInOne answers for many positions at once, each with an error of its
	// own: a *bitboard.SyntaxError, a *StartError, or one that wraps ErrMemory where
	// its board is too large. An error beside the answers wraps ErrMemory where
	// there is too little for any, or is the context's. The answers are those for the
	// positions before the first that has none.
	WinInOne(ctx context.Context, positions []string, o WinInOneOptions) ([]Answer[WinInOne], error)

	// WinInOneFromCNF lays out a board on which the side to move wins in one
	// exactly if the formula, in DIMACS form, can be satisfied, and answers for
	// it. The board is as large as the formula needs. The time of the options is
	// for opening, reading and laying it out, too. Errors name the line of the formula,
	// are those of opening it, or wrap ErrMemory or winone.ErrTooLarge where its board is
	// too large.
	WinInOneFromCNF(ctx context.Context, open func() (io.ReadCloser, error), o WinInOneOptions) (WinInOne, error)
}

// WinInOneOptions say what is looked for.
type WinInOneOptions struct {
	Shortest bool          // a winning series with the fewest jumps
	Time     time.Duration // how long each position may take; 0 for no limit
	Workers  int           // goroutines; fewer where there is no memory for so many
	Memory   uint64        // bytes that the whole program may take; 0 for no bound

	// AnyBoard takes each position on the board that it names itself, of any size.
	// Without it all are on the instance's board, and one on another is an error.
	AnyBoard bool
}

// WinInOne tells whether the side to move wins with one move of the ball.
type WinInOne struct {
	Position string  `json:"position"`         // empty where a formula was not decided
	Over     bool    `json:"over"`             // the ball is in a goal: nobody wins with a turn
	Winner   string  `json:"winner,omitempty"` // the side that has won then
	Win      *bool   `json:"win"`              // null if not decided
	Limit    string  `json:"limit,omitempty"`  // what was met before the answer, or before the shortest: "time" or "memory"
	Series   *string `json:"series"`           // a winning series in notation, or null
	Jumps    int     `json:"jumps"`            // of the series
	Shortest bool    `json:"shortest"`
	Least    int     `json:"least,omitempty"` // jumps of any winning series, where the shortest was asked for
	Nodes    uint64  `json:"nodes"`           // jumps tried
	Seconds  float64 `json:"seconds"`
}
