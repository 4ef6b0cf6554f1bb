package hub

import (
	"context"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
	"paika/tablebase/verify"
)

// beside tells what a worker has in memory at a time.
type beside struct {
	t     *testing.T
	sites atomic.Int32
}

// watchedSite is a site that is open.
type watchedSite struct {
	share.Site
	*beside
}

func (s watchedSite) Close() {
	s.sites.Add(-1)
	s.Site.Close()
}

// watchedGame is a game from whose pieces sites are kept apart.
type watchedGame struct {
	inspection.Game
	*beside
}

func (g watchedGame) Pieces(ctx context.Context, of verify.Group, load verify.Loader) (inspection.Pieces, error) {
	pieces, err := g.Game.Pieces(ctx, of, load)
	return watchedPieces{pieces, g.beside}, err
}

type watchedPieces struct {
	inspection.Pieces
	*beside
}

func (p watchedPieces) Share(ctx context.Context, slice string, lo, hi uint64, moved func(uint64)) (verify.Found, error) {
	if p.sites.Load() > 0 {
		p.t.Error("a share is derived beside the site of a game")
	}
	return p.Pieces.Share(ctx, slice, lo, hi, moved)
}

// counts has it counted what a worker has in memory.
func (b *beside) counts(o worker.Options, open share.Opener) worker.Options {
	tables := o.Tables
	o.Open = func(ctx context.Context, s proofs.Setting, claim string, supply *share.Supply) (share.Site, error) {
		if b.sites.Add(1) > 1 {
			b.t.Error("the sites of two games are open")
		}
		site, err := open(ctx, s, claim, supply)
		return watchedSite{site, b}, err
	}
	o.Tables = func(s proofs.Setting) (inspection.Game, error) {
		game, err := tables(s)
		return watchedGame{game, b}, err
	}
	o.Table, o.Sets = 1<<20, 1<<20
	return o
}

// TestAWorkerHasOneGameInMemory, however many questions its lanes have jobs of, and none beside the
// tables of a group that it derives again: each may take all that the worker may.
func TestAWorkerHasOneGameInMemory(t *testing.T) {
	s := newStoreroom(t, stock{metrics: []bitboard.Metric{bitboard.WDL}})
	games := []*game{fanoronaOn(t, 3, 3), konaneOn(t, 4, 4), konaneOn(t, 4, 3)}
	h := s.start(t, t.TempDir(), func(o *Options) { o.Open = opener(games...) })
	c := dial(t, h.Inside())
	claims := []string{"white-wins", "first-wins", "first-wins"}
	for i, g := range games {
		until(t, c, g.question(claims[i]), wire.Searching)
	}
	until(t, c, s.question(), wire.Searching)
	for _, name := range []string{"one", "other"} {
		brings := s.brings(t, h.Inside(), name)
		brings.Lanes = 4
		atWork(t, (&beside{t: t}).counts(brings, opener(games...)))
	}
	for i, g := range games {
		answered(t, c, g, claims[i])
	}
	s.verified(t, c)
}
