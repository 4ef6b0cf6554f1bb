package catalogue

import (
	"context"
	"errors"
	"time"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/bitboard/record/foreign"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// Start is the text that stands for the start position wherever a position is
// read.
const Start = "start"

// Instance is a game on one board under one set of rules. Its methods are safe
// for concurrent use, and stop with the context's error soon after it is done.
//
// A position is text in the game's notation, or Start. Errors in it are of
// type *bitboard.SyntaxError, or a *StartError.
type Instance interface {
	// Identity names game, board and rules, every option spelled out.
	Identity() tablebase.Identity

	// Folder is a name for what is kept about the instance: game, board, and
	// the rule options that are not the default.
	Folder() string

	// ChosenRules lists those options as name=value.
	ChosenRules() []string

	// Perft counts turns from a position.
	Perft(ctx context.Context, position string, o PerftOptions) (Perft, error)

	// Build solves what a folder of tables lacks.
	Build(ctx context.Context, dir string, o BuildOptions) (Built, error)

	// Estimate tells what Build would take, by slices that it solves for some
	// time to see.
	Estimate(ctx context.Context, dir string, o BuildOptions, measure time.Duration) (Estimate, error)

	// BuildCost tells what Build would take, by counting alone. WholeBoards
	// tells that there are no tables of fewer pieces than all.
	BuildCost(o BuildOptions) (BuildCost, error)
	WholeBoards() bool

	// SlicePieces is the most pieces that a position of a slice has; 0 where there
	// is no slice of that name.
	SlicePieces(slice string) int

	// SliceNames lists the slices of the board that can be built; Claims what can be claimed about a
	// position, and Sides the words for the sides there.
	SliceNames() []string
	Claims(position string) ([]string, error)
	Sides(position string) ([]string, error)

	// Verify checks every value in a folder of tables.
	Verify(ctx context.Context, dir string, o VerifyOptions) (Verified, error)

	// Repair finds what is wrong with a folder of tables, keeps what is whole and
	// builds the rest anew.
	Repair(ctx context.Context, dir string, o RepairOptions) (Repaired, error)

	// Export writes the slices in a folder of tables to flat files in another
	// folder; Import checks such files, and stores what they hold.
	Export(ctx context.Context, dir, to string, o ExportOptions) (Exported, error)
	Import(ctx context.Context, dir, from string, o ImportOptions) (Imported, error)

	// CheckRecord plays a game record by the rules, and writes it anew.
	CheckRecord(ctx context.Context, r *record.Record, to *foreign.Format) (CheckedRecord, error)

	// Prove searches for a proof of a claim, with what tables a folder has.
	Prove(ctx context.Context, dir, position string, o ProveOptions) (Proved, error)

	// Prover is for proofs of a claim about many positions.
	Prover(ctx context.Context, dir string, o ProveOptions) (Prover, error)

	// Share reads a claim about a position for a hub; Site is what hubs and workers
	// search it with: the tables of a folder, which take so many bytes of memory. Errors are
	// those of prover.Load.
	Share(position, claim string) (Sharing, error)
	Site(ctx context.Context, dir string, supply *share.Supply, o share.SupplyOptions) (share.Site, error)
	SiteTables(dir string, workers int) ([]proofs.Table, uint64, error)

	// Inspection is what hubs and workers verify tables with.
	Inspection(o inspection.Options) inspection.Game

	// Construction is what they build tables with, and Order what a hub is asked for to
	// have what Build would make. Errors of Order are those of Build about what is asked for.
	Construction(o construction.Options) construction.Game
	Order(o BuildOptions) (construction.Order, error)

	// Solve searches problems one by one, with what tables a folder has.
	Solve(ctx context.Context, dir string, problems []Problem, o SolveOptions) ([]SolvedProblem, error)

	// Check checks a certificate, with the tables that it names in a folder.
	// CheckDraw checks those of a draw.
	Check(ctx context.Context, dir string, file *CertificateFile, o CheckOptions) (Checked, error)
	CheckDraw(ctx context.Context, dir string, draw *DrawFiles, o CheckOptions) (Checked, error)

	// Complete goes on below the tables of a certificate, to the end of the game.
	Complete(ctx context.Context, dir string, file *CertificateFile, o CompleteOptions) (Completed, error)

	// Walk makes a walk through proofs of certificates about the instance, which it
	// then owns; Extract one of an extract.
	Walk(files []*CertificateFile) (Walk, error)
	Extract(e *proofs.Extract) (Walk, error)

	// Complexity measures state space and game tree.
	Complexity(ctx context.Context, o ComplexityOptions) (Complexity, error)

	// Census counts the positions of the board by their canonical forms, in a program of at
	// most so many bytes.
	Census(ctx context.Context, memory uint64) (Census, error)

	// Open opens the tables in a folder for reading. A folder that is missing
	// or empty is one without tables, and so is the name "". Errors: those of
	// tablebase.Open.
	Open(dir string, workers int) (Tables, error)
}

// Tables is an instance with the tables of one folder, which may have none.
type Tables interface {
	// Turns, Probe, Query and Value answer for many positions at once, each with
	// an error of its own: a *bitboard.SyntaxError, what lookup.Lookup's Missing gives
	// where the tables say nothing, prover.ErrUndecided, or bitboard.ErrTooManyTurns. An error
	// beside the answers is one that would meet every position, such as damaged tables.
	Turns(ctx context.Context, positions []string) ([]Answer[Turns], error)
	Probe(ctx context.Context, positions []string) ([]Answer[Probe], error)
	Query(ctx context.Context, positions []string) ([]Answer[Query], error)
	Value(ctx context.Context, positions []string, o ValueOptions) ([]Answer[Value], error)

	// Bounded is the same tables with a bound on the turns that the positions of
	// one call have together: those at which the sum passes it get the error
	// bitboard.ErrTooManyTurns. Either may be closed for both.
	Bounded(turns int) Tables

	// Within is the same tables for a program that may take so many bytes in all. The cache of
	// the tables and the turns of one call are bounded by that. The error wraps ErrMemory
	// where it is too little to read tables at all.
	Within(memory uint64) (Tables, error)

	// Written gives a position in the form in which all answers write it.
	Written(position string) (string, error)

	// Mover is what the player to move is called: a side, or a player who has none yet.
	Mover(position string) (string, error)

	// Play gives the position after a turn. Where the turn is illegal, it fails
	// with a *TurnError that names the step and the rule.
	Play(position, turn string) (string, error)

	// Annotate judges every turn of a game record. Errors: *record.Error, the
	// context's, a *StartError.
	Annotate(ctx context.Context, r *record.Record) (Annotated, error)

	// Search looks for the value of one position, ending play where the tables
	// know it. Errors: a *bitboard.SyntaxError, bitboard.ErrTooManyTurns, the context's.
	Search(ctx context.Context, position string, o SearchOptions) (Searched, error)

	// Random gives a position of a slice that is stored, each as likely as any
	// other; Longest one with the slice's longest win, and fails with ErrNoLongest
	// where nothing is won or, as a *NoDistancesError, no distances are stored. Drawn lists drawn positions
	// whose values the table holds, at most that many. Other errors: a
	// *SliceNameError, a *tablebase.MissingError, the context's.
	Random(ctx context.Context, slice string) (Probe, error)
	Longest(ctx context.Context, slice string) (Probe, error)
	Drawn(ctx context.Context, slice string, most int) ([]Probe, error)

	// Absent says why there are no tables: nil where there are, else an error that wraps
	// tablebase.ErrNoStore.
	Absent() error

	// Stats and Manifest fail with tablebase.ErrNoStore where there are none.
	Stats() (Stats, error)
	Manifest(metric bitboard.Metric) ([]byte, error)

	// Survey adds to stats what only a look at every position tells. Errors
	// include a *NoSlicesError where longest lines are asked of slices of which none
	// has distances, and ErrMemory.
	Survey(ctx context.Context, stats *Stats, o SurveyOptions) error

	// SurveySlice is the stats of one slice with what is asked for, as far as its
	// table and the game have it. Errors: a *SliceNameError, a
	// *tablebase.MissingError, ErrTooManyPositions where it has more than most,
	// and those of Survey.
	SurveySlice(ctx context.Context, slice string, most uint64, o SurveyOptions) (SliceStats, error)

	Close() error
}

// Answer is the answer for one position, or the reason that there is none.
type Answer[T any] struct {
	Result T
	Err    error
}

// ErrAnswers says that there are more or fewer answers than positions that were asked about: a
// mistake of the program.
var ErrAnswers = errors.New("the answers are not as many as the positions")

// about is what the catalogue knows of an instance beside its game.
type about struct {
	board    bitboard.Board
	identity tablebase.Identity
	folder   string
	chosen   []string
	rate     float64 // as Game has it
}

func (a about) Identity() tablebase.Identity { return a.identity }
func (a about) Folder() string               { return a.folder }
func (a about) ChosenRules() []string        { return a.chosen }

// searched is what a search comes to, but for its error.
type searched struct {
	value   bitboard.Value
	nodes   uint64
	resumed uint64 // of these, of the runs before that it went on from
	table   uint64 // bytes of its transposition table
	kept    bool   // in the checkpoint, from which it goes on
}

// instance is the bridge: P is the game's position type.
type instance[P comparable] struct {
	about
	game bitboard.Game[P]

	// What some games have beside the contracts, else nil: a search for the value
	// of a position, which ends at tables; what a position is worth as a combinatorial game, in a
	// program of at most so many bytes, and why a position is worth nothing of that kind, or nil;
	// and the position with the other side to move.
	search    func(ctx context.Context, p P, leaves []*bitboard.Table, o ValueOptions) (searched, error)
	canonical func(ctx context.Context, p P, memory uint64) (worth, error)
	formless  func(p P) error
	swapped   func(p P) P

	// drawless tells that every game has a winner.
	drawless bool

	// unsearched says why there is no search on this board, in a game that has one
	// on others; else nil.
	unsearched error

	// census, likewise, is the values of all positions of the board, in any order.
	census func(ctx context.Context, memory uint64) ([]ValueCensus, error)

	// Where proof numbers begin, or nil, where the search knows no better.
	begin proofnumber.Estimate[P]

	// Whether that is discerning: proofnumber.Options.
	discerning bool
}

func newInstance[P comparable](a about, game bitboard.Game[P]) *instance[P] {
	return &instance[P]{about: a, game: game}
}

// subject is what is searched and proved about.
func (n *instance[P]) subject() prover.Subject[P] {
	return prover.Subject[P]{Game: n.game, Board: n.board, Identity: n.identity, Estimate: n.begin, Discerning: n.discerning}
}

// parse reads a position, with the player to move behind it or without, or Start.
func (n *instance[P]) parse(text string) (P, bitboard.Side, error) {
	if text == Start {
		p, side, err := n.game.Start()
		if err != nil {
			err = &StartError{err}
		}
		return p, side, err
	}
	return bitboard.ParsePlayed(n.game, text)
}

// StartError says why a board has no start position, where another could have been given.
type StartError struct{ Err error }

func (e *StartError) Error() string { return e.Err.Error() + ", or give a position" }

// Unwrap returns the game's error.
func (e *StartError) Unwrap() error { return e.Err }

// TurnError says what is wrong with a turn.
type TurnError struct{ Err error }

func (e *TurnError) Error() string { return e.Err.Error() }

// Unwrap returns the game's error, a *bitboard.SyntaxError where the text is
// malformed.
func (e *TurnError) Unwrap() error { return e.Err }
