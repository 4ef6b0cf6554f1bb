package hub

import (
	"context"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/share"
)

// changedSite is a site whose proofs a test changes.
type changedSite struct {
	share.Site
	change func(share.Proof) share.Proof
}

func (s changedSite) Proof(q share.Question) (share.Proof, error) {
	p, err := s.Site.Proof(q)
	return s.change(p), err
}

// changedGame is a game whose constructions a test changes.
type changedGame struct {
	construction.Game
	change func(construction.Site) construction.Site
}

func (g changedGame) Open(ctx context.Context, o construction.Order, completing func(construction.Completing)) (construction.Site, error) {
	site, err := g.Game.Open(ctx, o, completing)
	if err != nil {
		return nil, err
	}
	return g.change(site), nil
}
