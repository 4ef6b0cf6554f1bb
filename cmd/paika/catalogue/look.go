package catalogue

import "strings"

// Look is how a page shows a game: the words for its sides, its pieces, its board.
// A page that has it needs to know nothing else of the game, and no rules. It is
// about positions that are drawn rank by rank, a letter a point, with the word for
// the side to move behind.
type Look struct {
	Title  string            `json:"title"`
	Sides  [2]LookOfSide     `json:"sides"` // the one that begins, and the other
	Pieces []LookOfPiece     `json:"pieces"`
	Files  string            `json:"files"` // the letters of the files, from the left
	Board  Drawing           `json:"board"`
	Ways   map[string]string `json:"ways"` // of capturing, by the letter behind a step

	// Goals tells that the farthest rank of each side is its goal, and that a piece
	// can stand on the rank behind it.
	Goals bool `json:"goals"`

	// Alternating tells that the pieces stand on points of their own colour: the
	// first on a1 and every other one.
	Alternating bool `json:"alternating"`

	// Removals tells that the players begin by taking a piece away each, "-d4", and
	// have no colours until then.
	Removals bool `json:"removals"`

	// WinInOne tells that there is an answer to win-in-one.
	WinInOne bool `json:"win_in_one"`

	// Rules are those of the game in five lines, under the default options. Example
	// is a small board with a turn that shows how one plays.
	Rules   []string      `json:"rules"`
	Example LookOfExample `json:"example"`

	// Endgames are endings that have names of their own.
	Endgames []Endgame `json:"endgames,omitempty"`
}

// Called is what a page calls a player, by what the game does: a side by its name, and who has none yet
// "First player" or "Second player".
func (l Look) Called(player string) string {
	for _, side := range l.Sides {
		if strings.EqualFold(side.Name, player) {
			return side.Name
		}
	}
	return strings.ToUpper(player[:1]) + player[1:] + " player"
}

// LookOfExample is a turn on a board.
type LookOfExample struct {
	Board    string `json:"board"`
	Position string `json:"position"`
	Turn     string `json:"turn"`
	After    string `json:"after"` // the position
	Text     string `json:"text"`  // what the turn does
}

// LookOfSide is the word that a position has for a side, and the side's name.
type LookOfSide struct {
	Word string `json:"word"`
	Name string `json:"name"`

	// Colour is white or black. It goes with the side wherever a page shows what
	// the side wins, whatever it plays with.
	Colour string `json:"colour"`
}

// LookOfPiece is a piece by its letter in a position.
type LookOfPiece struct {
	Letter string `json:"letter"`
	Colour string `json:"colour"` // white, black, man or ball
	Name   string `json:"name"`
	Single bool   `json:"single"` // there is one of it
}

// Drawing is how the points of a board are drawn.
type Drawing string

const (
	Lines     Drawing = "lines"     // that cross at the points
	Diagonals Drawing = "diagonals" // lines, and others across from every other point
	Pits      Drawing = "pits"
	Squares   Drawing = "squares" // of two colours
)

// The letters of the files, for Look.
const (
	smallLetters = "abcdefghijklmnopqrstuvwxyz"
	columns      = "ABCDEFGHJKLMNOPQRSTUVWXYZ" // without I
)

func whiteAndBlack() [2]LookOfSide {
	return [2]LookOfSide{{"w", "White", "white"}, {"b", "Black", "black"}}
}

func fanoronaLook() Look {
	return Look{
		Title: "Fanorona", Sides: whiteAndBlack(), Files: smallLetters, Board: Diagonals,
		Pieces: []LookOfPiece{{"W", "white", "white stone", false}, {"B", "black", "black stone", false}},
		Ways:   map[string]string{"A": "approach", "W": "withdrawal"},
		Rules: []string{
			"A stone moves along a line to the next free point.",
			"It captures the enemy stones that it moves towards (approach), or those that it moves away from (withdrawal): all that stand in an unbroken line.",
			"Who can capture must. Where one step captures both ways, the player chooses one.",
			"The same stone may go on capturing, each time in another direction than just before and to no point where it has been.",
			"Who has no stones left, or cannot move, has lost. Play without end is a draw.",
		},
		Example: LookOfExample{"5x3", "...../.W.BB/..... w", "b2-c2A", "...../..W../..... b", "White moves towards two black stones and takes both."},

		Endgames: []Endgame{teloNohoDimy()},
	}
}

func konaneLook() Look {
	return Look{
		Title: "Konane", Sides: [2]LookOfSide{{"b", "Black", "black"}, {"w", "White", "white"}}, Files: smallLetters, Board: Pits,
		Pieces:      []LookOfPiece{{"x", "black", "black stone", false}, {"o", "white", "white stone", false}},
		Ways:        map[string]string{},
		Alternating: true, Removals: true,
		Rules: []string{
			"The board begins full. Each player takes one stone away and plays its colour: the first one at the centre or a corner, or beside the centre, the other one beside that gap.",
			"From then on a stone jumps over an enemy stone beside it, to the free point behind, and takes it.",
			"It may jump on in the same direction, and may stop after any jump. Nobody jumps diagonally or turns.",
			"Every turn is a jump.",
			"Who cannot jump has lost. There are no draws.",
		},
		Example: LookOfExample{"5x3", "...../ox.x./..... w", "a2-e2", "...../....o/..... b", "White jumps over two black stones and takes both."},
	}
}

func phutballLook() Look {
	return Look{
		Title: "Phutball", Sides: [2]LookOfSide{{"ohs", "Ohs", "white"}, {"eks", "Eks", "black"}}, Files: columns, Board: Lines,
		Pieces: []LookOfPiece{{"*", "man", "man", false}, {"@", "ball", "ball", true}},
		Ways:   map[string]string{},
		Goals:  true, WinInOne: true,
		Rules: []string{
			"There is one ball, and men that belong to nobody.",
			"A turn puts a man on a free point, or moves the ball.",
			"The ball jumps over men in an unbroken line, in any of eight directions, to the first free point behind them. The men are taken away.",
			"It may go on jumping, and may stop after any jump.",
			"Ohs wins when a turn ends with the ball on the top row or behind it, Eks on the bottom row or behind it, whoever moved it. Play without end is a draw.",
		},
		Example: LookOfExample{"3x5", ".../.*./.@./.../... ohs", "B3-B5", ".@./.../.../.../... eks", "Ohs jumps over a man to the top row and wins."},
	}
}
