package explorer

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"paika/cmd/paika/catalogue"
)

// The page opens on the start of the game where a proof of it is served, and else on a
// position that shows what tables are for: the longest win of the largest slice or,
// where there are no distances, the start if that has a value, else some win. Finding it
// takes the reading of a slice, and so it is bounded.
const (
	openingTime  = 2 * time.Second
	openingSlice = 1 << 26 // positions of the largest slice that is read
	openingTries = 64      // positions drawn, where there are no distances, until one is won
)

// opening keeps the positions that the page opens on.
type opening struct {
	one   gate     // to look for one
	texts sync.Map // by the folder name of the tables
}

// named names a view as the page's address does.
type named struct {
	Game  string `json:"game"`
	Board string `json:"board"`
	Rules string `json:"rules"` // those that are not the default
}

// String is the same on a line.
func (n named) String() string { return strings.TrimRight(n.Game+" "+n.Board+" "+n.Rules, " ") }

// nameOf is the name of an instance's view.
func nameOf(i catalogue.Instance) named {
	return named{i.Identity().Game, i.Identity().Board, strings.Join(i.ChosenRules(), ",")}
}

// chosen names a position of a view.
type chosen struct {
	named
	Position string `json:"position"` // catalogue.Start where no other is known
}

// first is what the page begins with.
func (s *Server) first(ctx context.Context) chosen {
	instance, position := s.config.First, catalogue.Start
	if t, found := s.firstTable(); found {
		instance = t.Instance
		if !s.startProved(instance) {
			position = s.openingOf(ctx, t)
		}
	}
	return chosen{nameOf(instance), position}
}

// startProved tells whether a proof that is served begins at the start of the game: then
// the page begins there, too.
func (s *Server) startProved(instance catalogue.Instance) bool {
	return slices.ContainsFunc(s.config.Proofs, func(w catalogue.Walk) bool {
		return w.Instance().Folder() == instance.Folder() &&
			slices.ContainsFunc(w.Sources(), func(source catalogue.ProofSource) bool { return source.Start })
	})
}

// firstTable is the tables that the page begins with, if it begins with any.
func (s *Server) firstTable() (t Table, found bool) {
	first := s.config.First
	if t, found = s.views.table(first.Folder()); found || s.config.Named {
		return t, found
	}
	all := s.views.all()
	if len(all) == 0 {
		return Table{}, false
	}
	rank := func(t Table) (sameGame int, positions uint64) {
		if t.Instance.Identity().Game == first.Identity().Game {
			sameGame = 1
		}
		if stats, err := t.Tables.Stats(); err == nil {
			for _, total := range stats.Totals {
				positions = max(positions, total.Positions)
			}
		}
		return sameGame, positions
	}
	return slices.MaxFunc(all, func(a, b Table) int {
		game, positions := rank(a)
		otherGame, otherPositions := rank(b)
		return cmp.Or(cmp.Compare(game, otherGame), cmp.Compare(positions, otherPositions))
	}), true
}

// openingOf finds the position to show of tables, the first time that it is asked.
func (s *Server) openingOf(ctx context.Context, t Table) string {
	folder := t.Instance.Folder()
	if text, known := s.opening.texts.Load(folder); known {
		return text.(string)
	}
	ctx, cancel := context.WithTimeout(ctx, openingTime) // waiting included
	defer cancel()
	leave, err := s.opening.one.enter(ctx, 1)
	if err != nil {
		return catalogue.Start
	}
	defer leave()
	if text, known := s.opening.texts.Load(folder); known { // found meanwhile
		return text.(string)
	}
	text := findOpening(ctx, t.Tables)
	if ctx.Err() == nil {
		s.opening.texts.Store(folder, text)
	}
	return text
}

// findOpening looks through slices, those with the most positions first.
func findOpening(ctx context.Context, tables catalogue.Tables) string {
	stats, err := tables.Stats()
	if err != nil {
		return catalogue.Start
	}
	bySize := slices.SortedStableFunc(slices.Values(stats.Slices), func(a, b catalogue.SliceStats) int {
		return cmp.Compare(b.Positions, a.Positions)
	})
	for _, s := range bySize {
		if s.LongestWin == nil || s.Positions > openingSlice {
			continue
		}
		if probe, err := tables.Longest(ctx, s.Slice); err == nil {
			return probe.Position
		}
	}
	if start, err := tables.Probe(ctx, []string{catalogue.Start}); err == nil && start[0].Err == nil {
		return catalogue.Start
	}
	for _, s := range bySize {
		for try := 0; try < openingTries && s.Win > 0; try++ {
			probe, err := tables.Random(ctx, s.Slice)
			if err != nil {
				return catalogue.Start
			}
			if probe.Value == "win" && !probe.Over {
				return probe.Position
			}
		}
	}
	return catalogue.Start
}
