package catalogue

import (
	"math/rand/v2"

	"paika/bitboard"
)

// Benchmarks is what paika bench measures of a game, beside the problems with known
// answers in benchmarks/problems, and how those are made. A game may leave out any
// of it. Boards are written WIDTHxHEIGHT, rule options are those not of the default.
type Benchmarks struct {
	Perfts []BenchPerft
	Builds []BenchBuild
	Values []BenchValue

	Stored   *StoredTables
	Assisted *AssistedSearch
	Sized    *SizedSearch
	WinInOne *BenchWins

	Recipes []Recipe
}

// BenchPerft counts turns from the start, to a depth.
type BenchPerft struct {
	Board      string
	Rules      map[string]string
	Depth      int
	AllWorkers bool // with 1, 2, 4, ... workers, not with one alone
}

// BenchBuild builds the tables of at most so many pieces, or of the whole board
// with bitboard.AllPieces.
type BenchBuild struct {
	Board      string
	Pieces     int
	Metric     bitboard.Metric
	AllWorkers bool
}

// BenchValue finds the winner from the start by the game's own search.
type BenchValue struct {
	Board  string
	Name   string // for what the rules choose
	Rules  map[string]string
	Winner string // a side
	Source string // that says so
}

// StoredTables are the tables, of at most so many pieces, that are verified, and
// probed for the positions of benchmarks.Positions.
type StoredTables struct {
	Board  string
	Pieces int
}

// AssistedSearch is the problems of some boards with endgame tables, from the
// smallest that help. (Where a game's tables hold whole boards, nothing is left to
// search.)
type AssistedSearch struct {
	Boards []string
	Least  int // pieces of the smallest tables
}

// SizedSearch proves a claim about the start in transposition tables of several
// sizes, with endgame tables.
type SizedSearch struct {
	Board  string
	Pieces int // of the tables
	Claim  string
}

// BenchWins asks for wins in one on random boards.
type BenchWins struct {
	Board    string
	Families []BoardFamily
}

// BoardFamily makes random positions of one kind.
type BoardFamily struct {
	Name string
	Make func(*rand.Rand) string
}

// Origin is what the answers of a recipe are from.
type Origin int

const (
	FromTables Origin = iota // tables, which paika verify derives anew
	FromValue                // the game's own search, another than that of bench
	FromProofs               // certificates, checked by the rules alone
)

// Recipe says how problems of one board are made: games are played at random from
// the start, and positions that they come to are valued.
type Recipe struct {
	Board string
	Rules map[string]string
	From  Origin

	// Tables have at most that many pieces, or hold the whole board with
	// bitboard.AllPieces. Only problems of the slices named are taken, if any are.
	Pieces int
	Metric bitboard.Metric
	Slices []string

	// Other answers are looked for after plies at random: that many at least, and
	// fewer than the other.
	Plies, BeforePly int

	Claims []string // to be proved, one after the other until one is

	Count int // of problems
	Drawn int // of problems beside those: draws of the slices named, where random play comes to none
}
