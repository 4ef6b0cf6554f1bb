package catalogue

import (
	"context"

	"paika/cmd/paika/hub/share"
	"paika/proofs"
)

// OpenSetting makes the instance of a game, board and rules, every rule spelled out, as
// other machines name it. Its error wraps proofs.ErrFormat.
func OpenSetting(s proofs.Setting) (Instance, error) { return openSetting(s) }

// Sharing is what a hub is asked about a claim: a position and claims that hold
// together, in the one form that each has.
type Sharing struct {
	Position string   // as answers have it
	Root     string   // the same, with the players for sides where the claims have them
	Claims   []string // one, or a draw's two
	Sides    []string // that they are about, by name
}

// Share reads a claim about a position as Prove does.
func (n *instance[P]) Share(position, claim string) (Sharing, error) {
	q, named, err := n.read(position, claim)
	if err != nil {
		return Sharing{}, err
	}
	s := Sharing{Position: q.position, Root: named.game.Format(q.Root, q.Side)}
	for _, c := range q.Claims {
		s.Claims = append(s.Claims, c.Text(named.game.SideName))
		s.Sides = append(s.Sides, named.game.SideName(c.Side))
	}
	return s, nil
}

// Site loads the tables of a folder for shared proofs of a claim. With a supply the
// folder gets what it lacks of that, and nothing else is loaded.
func (n *instance[P]) Site(ctx context.Context, dir, claim string, supply *share.Supply, o share.SupplyOptions) (share.Site, error) {
	if supply != nil {
		return share.NewSupplied(ctx, n.naming(claim).subject(), dir, *supply, o)
	}
	return share.NewSite(ctx, n.naming(claim).subject(), dir, o.LoadOptions)
}
