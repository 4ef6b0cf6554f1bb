// Package catalogue knows every game by name, with its boards and rule
// options. It is the one package that imports all games, and it holds the one
// bridge from a name to a typed game: an [Instance] is a game on one board
// under one set of rules, behind which perft, retrograde analysis and tables
// are instantiated for the game's own position type.
//
// Only the command line and the benchmarks import it. Methods take plain options and return
// plain results, whose JSON form is what the commands print with --json.
package catalogue

import (
	"fmt"
	"strings"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/tablebase"
)

// Games lists every game. The first is meant where none is named.
//
// To add a game, add its entry here.
func Games() []Game {
	return []Game{
		{
			Name:   "fanorona",
			Look:   fanoronaLook(),
			Board:  "9x5",
			Limits: "3 to 9 points each way, at most 60 in all; the start position needs odd sides",
			Boards: []NamedBoard{{"telo", "3x3"}, {"dimy", "5x5"}, {"tsivy", "9x5"}},
			Options: []RuleOption{
				{"stalemate", []string{"loss", "draw"}, "what a player with stones and no legal turn gets", ""},
				{"direction-rule", []string{"no-repeat", "no-repeat-or-reverse", "never-twice"}, "directions that a capturing stone may not take again", ""},
			},
			open: opener(fanorona.ParseRules, func(a about, board bitboard.Board, rules fanorona.Rules) (Instance, error) {
				game, err := fanorona.New(board, rules)
				if err != nil {
					return nil, err
				}
				return newInstance(a, game), nil
			}),
		},
		{
			Name:   "konane",
			Look:   konaneLook(),
			Board:  "8x8",
			Limits: "1 to 16 points each way; tables on boards of at most 64 points",
			Options: []RuleOption{
				{"opening", []string{"traditional", "centre-or-corner", "any", "corner-h", "corner-v", "middle-h", "middle-v", "gap:<point>-<point>"}, "how the first two stones go", ""},
				{"to-move", []string{"black", "white"}, "who moves first where the opening names both gaps", "opening=corner-h"},
			},
			open:      opener(konane.ParseRules, openKonane),
			canonical: canonicalOpening,
		},
		{
			Name:   "phutball",
			Look:   phutballLook(),
			Board:  "15x19",
			Limits: "1 to 19 columns, 3 to 21 rows; tables of whole boards, with --pieces all, where they fit",
			Options: []RuleOption{
				{"goal-stop", []string{"false", "true"}, "a series of jumps ends as soon as the ball stands on a goal row", ""},
				{"corner-exit", []string{"false", "true"}, "a diagonal jump may leave the board past both edges at once", ""},
				{"return-from-off", []string{"false", "true"}, "a ball off the board may jump back in within the same turn", ""},
			},
			open: opener(phutball.ParseRules, openPhutball),
		},
		breakthroughGame(),
	}
}

// opener reads the rule options before it makes the instance.
func opener[R any](parse func(map[string]string) (R, error), open func(about, bitboard.Board, R) (Instance, error)) func(about, bitboard.Board, map[string]string) (Instance, error) {
	return func(a about, board bitboard.Board, options map[string]string) (Instance, error) {
		rules, err := parse(options)
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

// Game is one game as it can be asked for. Boards are written WIDTHxHEIGHT.
type Game struct {
	Name    string       `json:"name"`
	Board   string       `json:"board"`  // where none is asked for
	Limits  string       `json:"limits"` // of the boards that it is played on
	Boards  []NamedBoard `json:"boards"`
	Options []RuleOption `json:"rules"`
	Look    Look         `json:"-"` // for pages alone

	open func(about, bitboard.Board, map[string]string) (Instance, error)

	// canonical gives options that mean the same on a board one form; nil where
	// every option has one.
	canonical func(bitboard.Board, map[string]string) map[string]string
}

// NamedBoard is a board that has a name of its own.
type NamedBoard struct {
	Name  string `json:"name"`
	Board string `json:"board"`
}

// RuleOption is a rule that sources differ on. The first value is the default.
type RuleOption struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Text   string   `json:"text"`

	// With is a choice, name=value, of another option that this one needs to
	// have a meaning, or empty.
	With string `json:"with,omitempty"`
}

// ParseRules reads rule options, "name=value,name=value", into rules.
func ParseRules(text string, rules map[string]string) error {
	for pair := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" || value == "" {
			return fmt.Errorf("%s: want name=value", bitboard.Quote(pair))
		}
		if err := AddRule(rules, name, value); err != nil {
			return err
		}
	}
	return nil
}

// AddRule adds a rule option to others. One that has another value already is an
// error: nobody could tell which is meant.
func AddRule(rules map[string]string, name, value string) error {
	if before, given := rules[name]; given && before != value {
		return fmt.Errorf("rule %s is %s already: want one of them", bitboard.Shorten(name), bitboard.Shorten(before))
	}
	rules[name] = value
	return nil
}

// Default is the value that the rule has where nothing is said.
func (o RuleOption) Default() string { return o.Values[0] }

// Find is the game of that name.
func Find(name string) (game Game, found bool) {
	for _, g := range Games() {
		if g.Name == name {
			return g, true
		}
	}
	return Game{}, false
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

// canonicalText lists rule options by name in the order given, each in the one
// form that it has on the board.
func (g Game) canonicalText(board string, names []string, rules map[string]string) string {
	if size, err := g.parseBoard(board); err == nil && g.canonical != nil {
		rules = g.canonical(size, rules)
	}
	var all []string
	for _, name := range names {
		all = append(all, name+"="+rules[name])
	}
	return strings.Join(all, ",")
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
	if err != nil {
		return bitboard.Board{}, fmt.Errorf("%w%s", err, names)
	}
	return board, nil
}

// folderColon stands in the name of a folder for a colon, which not every system
// takes there.
const folderColon = "_"

// about spells out every rule option, so that what is stored under it stays
// true if a default ever changes.
func (g Game) about(board bitboard.Board, rules map[string]string) about {
	a := about{folder: g.Name + "-" + board.String()}
	var all []string
	for _, option := range g.Options {
		value := option.Default()
		if chosen, ok := rules[option.Name]; ok && chosen != value {
			value = chosen
			a.chosen = append(a.chosen, option.Name+"="+value)
			a.folder += "," + option.Name + "=" + strings.ReplaceAll(value, ":", folderColon)
		} else if option.With != "" {
			continue
		}
		all = append(all, option.Name+"="+value)
	}
	a.identity = tablebase.Identity{Game: g.Name, Board: board.String(), Rules: strings.Join(all, ",")}
	return a
}
