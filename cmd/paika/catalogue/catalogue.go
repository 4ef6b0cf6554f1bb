// Package catalogue knows every game by name, with its boards and rule
// options. It is the one package that imports all games, and it holds the one
// bridge from a name to a typed game: an [Instance] is a game on one board
// under one set of rules, behind which perft, retrograde analysis and tables
// are instantiated for the game's own position type.
//
// Methods take text and plain options and return plain results, whose JSON form is
// what the commands print with --json. The work is done below, on types: by
// tablebase/lookup, by cmd/paika/prover, by the solvers.
package catalogue

import (
	"fmt"
	"strings"

	"paika/bitboard"
)

// Games lists every game. The first is meant where none is named.
//
// To add a game, add its entry here, from a file of its own beside this one.
func Games() []Game {
	all := []Game{fanoronaGame(), konaneGame(), phutballGame(), breakthroughGame()}
	for i := range all {
		all[i] = all[i].listed()
	}
	return all
}

// listed is a game with what a file of it may leave out: lists and objects of none are no null in JSON.
func (g Game) listed() Game {
	if g.Look.Ways == nil {
		g.Look.Ways = map[string]string{}
	}
	g.Boards = append([]NamedBoard{}, g.Boards...)
	g.Options = append([]RuleOption{}, g.Options...)
	g.Look.Pieces = append([]LookOfPiece{}, g.Look.Pieces...)
	g.Look.Rules = append([]string{}, g.Look.Rules...)
	return g
}

// opener reads the rule options before it makes the instance.
func opener[R any](parse func(bitboard.Board, map[string]string) (R, error), open func(about, bitboard.Board, R) (Instance, error)) func(about, bitboard.Board, map[string]string) (Instance, error) {
	return func(a about, board bitboard.Board, options map[string]string) (Instance, error) {
		rules, err := parse(board, options)
		if err != nil {
			return nil, &ParameterError{"rules", err}
		}
		instance, err := open(a, board, rules)
		if err != nil {
			return nil, &ParameterError{"board", err}
		}
		return instance, nil
	}
}

// onAnyBoard reads rule options that mean the same on every board.
func onAnyBoard[R any](parse func(map[string]string) (R, error)) func(bitboard.Board, map[string]string) (R, error) {
	return func(_ bitboard.Board, options map[string]string) (R, error) { return parse(options) }
}

// Game is one game as it can be asked for. Boards are written WIDTHxHEIGHT.
type Game struct {
	Name    string       `json:"name"`
	Board   string       `json:"board"`  // where none is asked for
	Limits  string       `json:"limits"` // of the boards that it is played on
	Boards  []NamedBoard `json:"boards"`
	Options []RuleOption `json:"rules"`
	Look    Look         `json:"-"` // for pages alone

	// Benchmarks is for paika bench.
	Benchmarks Benchmarks `json:"-"`

	// NamedBoard is the board that a position says in words that it is on; nil where none
	// of the game does.
	NamedBoard func(position string) (board bitboard.Board, named bool) `json:"-"`

	open func(about, bitboard.Board, map[string]string) (Instance, error)

	// rate is how many indices one worker solves a second, about, without distances: measured where
	// a build takes some seconds and more, and rounded down.
	rate float64

	// canonical gives options that mean the same on a board one form; nil where
	// every option has one.
	canonical func(bitboard.Board, map[string]string) map[string]string
}

// NamedBoard is a board that has a name of its own.
type NamedBoard struct {
	Name  string `json:"name"`
	Board string `json:"board"`
}

// Find is the game of that name.
func Find(name string) (game Game, found bool) {
	for _, g := range Games() {
		if g.Name == name {
			return g, true
		}
	}
	return Game{}, false
}

// errUnknownGame says that there is no game of a name.
func errUnknownGame(name string) error {
	return fmt.Errorf("unknown game %s: want %s", bitboard.Quote(name), strings.Join(Names(), ", "))
}

// Names lists the games' names.
func Names() []string {
	var names []string
	for _, g := range Games() {
		names = append(names, g.Name)
	}
	return names
}

// Open makes the game on a board, named or written out or empty for the game's
// own, under rule options by name; those left out have their default.
func (g Game) Open(board string, rules map[string]string) (Instance, error) {
	size, err := g.parseBoard(board)
	if err != nil {
		return nil, &ParameterError{"board", err}
	}
	if g.canonical != nil {
		rules = g.canonical(size, rules)
	}
	return g.open(g.about(size, rules), size, rules)
}

func (g Game) parseBoard(text string) (bitboard.Board, error) {
	if text == "" {
		text = g.Board
	}
	names := ""
	for _, named := range g.Boards {
		if named.Name == text {
			text = named.Board
		}
		names += ", " + named.Name
	}
	board, err := bitboard.ParseBoard(text)
	if small := strings.ToLower(text); err != nil && small != text {
		if _, wrong := g.parseBoard(small); wrong == nil {
			return bitboard.Board{}, fmt.Errorf("board %s: did you mean %s?", bitboard.Quote(text), small)
		}
	}
	if err != nil {
		return bitboard.Board{}, fmt.Errorf("%w%s", err, names)
	}
	return board, nil
}
