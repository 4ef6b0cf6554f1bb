package catalogue

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

	// Endgames are endings that have names of their own.
	Endgames []Endgame `json:"endgames,omitempty"`
}

// LookOfSide is the word that a position has for a side, and the side's name.
type LookOfSide struct {
	Word string `json:"word"`
	Name string `json:"name"`
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

func whiteAndBlack() [2]LookOfSide { return [2]LookOfSide{{"w", "White"}, {"b", "Black"}} }

func fanoronaLook() Look {
	return Look{
		Title: "Fanorona", Sides: whiteAndBlack(), Files: smallLetters, Board: Diagonals,
		Pieces: []LookOfPiece{{"W", "white", "white stone", false}, {"B", "black", "black stone", false}},
		Ways:   map[string]string{"A": "approach", "W": "withdrawal"},

		Endgames: []Endgame{teloNohoDimy()},
	}
}

func konaneLook() Look {
	return Look{
		Title: "Konane", Sides: [2]LookOfSide{{"b", "Black"}, {"w", "White"}}, Files: smallLetters, Board: Pits,
		Pieces:      []LookOfPiece{{"x", "black", "black stone", false}, {"o", "white", "white stone", false}},
		Ways:        map[string]string{},
		Alternating: true, Removals: true,
	}
}

func phutballLook() Look {
	return Look{
		Title: "Phutball", Sides: [2]LookOfSide{{"ohs", "Ohs"}, {"eks", "Eks"}}, Files: columns, Board: Lines,
		Pieces: []LookOfPiece{{"*", "man", "man", false}, {"@", "ball", "ball", true}},
		Ways:   map[string]string{},
		Goals:  true, WinInOne: true,
	}
}
