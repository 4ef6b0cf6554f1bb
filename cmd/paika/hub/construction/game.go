package construction

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
	"paika/tablebase/verify"
)

// Game is a game on a board under one set of rules, whose tables are built: what a hub and
// a worker need alike. Its methods are safe for concurrent use.
type Game interface {
	// Pieces is what derives a group again: see inspection.Game.
	Pieces(ctx context.Context, g verify.Group, load verify.Loader) (inspection.Pieces, error)

	// Open opens the folder, to be written, for an order. What was stored with values left
	// out and is now needed gets them back, and completing, if not nil, is told how far that is,
	// one call at a time. Errors: inspection.ErrMemory, those of
	// tablebase.Open, of the order, and of ctx. A site beside an error is still to be closed.
	Open(ctx context.Context, order Order, completing func(Completing)) (Site, error)

	// Build builds a group from tables that are loaded, and writes it as Made says. Errors:
	// *retrograde.MemoryError, verify.ErrGroup, verify.ErrTable, those of load, of the
	// writer and of ctx. The checkpoint of the group stays.
	Build(ctx context.Context, t Task, load verify.Loader, out io.Writer) (Made, error)

	// Answered says that the hub has the group of a task, or made nothing of what was built. The
	// checkpoint goes.
	Answered(t Task)
}

// Completing is how far a slice is that gets back what was left out of it.
type Completing struct {
	Slice string `json:"slice"`
	Done  uint64 `json:"done"` // indices
	Total uint64 `json:"total"`
}

// Opener opens a game whose tables are built.
type Opener func(setting proofs.Setting) (Game, error)

// Options are the folder and the limits of a game.
type Options struct {
	inspection.Options
	Version string // of the program

	// Work is a folder for checkpoints of groups; empty for none.
	Work string

	// Building is what a build of groups takes beside its tables, in bytes.
	Building func(groups []bitboard.Group) uint64

	// Alone says that nobody builds but this process: what it can't, nobody can.
	Alone bool

	// Notice, if not nil, is told in a sentence what the user should know of.
	Notice func(text string)
}

// game is a Game.
type game[P comparable] struct {
	inspection.Game
	of      bitboard.Game[P]
	board   bitboard.Board
	id      tablebase.Identity
	options Options
	work    workplace
}

// New makes a Game of a typed one.
func New[P comparable](of bitboard.Game[P], board bitboard.Board, id tablebase.Identity, o Options) Game {
	return &game[P]{
		Game: inspection.New(of, id, o.Options), of: of, board: board, id: id, options: o,
		work: workplace{dir: o.Work, id: id, answered: make(map[value]bool)},
	}
}

// plan lists the groups of an order.
func (g *game[P]) plan(o Order) ([]bitboard.Group, bitboard.Metric, error) {
	metric, err := bitboard.ParseMetric(o.Metric)
	if err != nil {
		return nil, metric, err
	}
	if o.Slices == "" {
		groups, err := lookup.GroupsUpTo(g.of, g.board, o.Pieces)
		return groups, metric, err
	}
	var wanted []bitboard.Slice
	for name := range strings.SplitSeq(o.Slices, ",") {
		s, err := g.of.ParseSlice(name)
		if err != nil {
			return nil, metric, err
		}
		wanted = append(wanted, s)
	}
	groups, err := lookup.GroupsOf(g.of, g.board, wanted)
	return groups, metric, err
}

// building is what the solver is told to build groups.
func (g *game[P]) building(m bitboard.Metric, groups []bitboard.Group) retrograde.Options {
	return retrograde.Options{Metric: m, Workers: g.options.Workers, Memory: g.options.Part(), Overhead: g.options.Building(groups), Notice: g.options.Notice}
}

// names are those of slices.
func (g *game[P]) names(list []bitboard.Slice) (names []string) {
	for _, s := range list {
		names = append(names, g.of.SliceName(s))
	}
	return names
}

// bytes is the memory of slices.
func (g *game[P]) bytes(m bitboard.Metric, list ...bitboard.Slice) (sum uint64) {
	for _, s := range list {
		sum = ranking.Sum(sum, bitboard.TableBytes(m, g.of.Indices(s)))
	}
	return sum
}

// mostFile is more than the flat file of a slice takes.
func (g *game[P]) mostFile(m bitboard.Metric, s bitboard.Slice) int64 {
	values := g.bytes(m, s)
	return int64(values + values/8 + 1<<16)
}

// find finds the group of a task by its slices, and its tables by theirs. Errors wrap
// verify.ErrGroup.
func (g *game[P]) find(t Task) (group bitboard.Group, metric bitboard.Metric, needs map[bitboard.Slice]verify.Table, err error) {
	if want := proofs.Setting(g.id); t.Setting != want {
		return group, metric, nil, fmt.Errorf("%w: it is about %s on %s", verify.ErrGroup, bitboard.Shorten(t.Setting.Game), bitboard.Shorten(t.Setting.Board))
	}
	if metric, err = bitboard.ParseMetric(t.Group.Metric); err != nil {
		return group, metric, nil, fmt.Errorf("%w: %w", verify.ErrGroup, err)
	}
	all, err := g.of.Groups()
	if err != nil {
		return group, metric, nil, fmt.Errorf("%w: %w", verify.ErrGroup, err)
	}
	at := slices.IndexFunc(all, func(of bitboard.Group) bool { return slices.Equal(g.names(of.Slices), t.Group.Slices) })
	if at < 0 {
		return group, metric, nil, fmt.Errorf("%w: %s", verify.ErrGroup, bitboard.Shorten(fmt.Sprint(t.Group.Slices)))
	}
	group, needs = all[at], make(map[bitboard.Slice]verify.Table)
	for _, s := range group.Needs {
		name := g.of.SliceName(s)
		k := slices.IndexFunc(t.Group.Tables, func(t verify.Table) bool { return t.Slice == name && t.Metric == metric.String() && t.Whole == "" })
		if k < 0 {
			return group, metric, nil, fmt.Errorf("%w: it lacks %s in %v", verify.ErrGroup, name, metric)
		}
		needs[s] = t.Group.Tables[k]
	}
	return group, metric, needs, nil
}
