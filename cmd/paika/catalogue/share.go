package catalogue

import (
	"context"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/jobs"
)

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
	s := Sharing{Position: q.position, Root: named.game.Format(q.Root, q.Side), Sides: named.sidesOf(q.Claims)}
	for _, c := range q.Claims {
		s.Claims = append(s.Claims, c.Text(named.game.SideName))
	}
	return s, nil
}

// Inspection is what hubs and workers verify tables with: a hub those of the folder in the
// options; a worker has none there.
func (n *instance[P]) Inspection(o inspection.Options) inspection.Game {
	o.Overhead = storeBytes
	return inspection.New(n.game, n.identity, o)
}

// Construction is what hubs and workers build tables with.
func (n *instance[P]) Construction(o construction.Options) construction.Game {
	o.Overhead = max(storeBytes, packing(o.Workers))
	o.Building = func(groups []bitboard.Group) uint64 { return packing(o.Workers) + n.kernelBytes(groups) }
	return construction.New(n.game, n.board, n.identity, o)
}

// Order is what a hub is asked to build.
func (n *instance[P]) Order(o BuildOptions) (construction.Order, error) {
	order := construction.Order{Metric: o.Metric.String(), Slices: strings.Join(o.Slices, ",")}
	if order.Slices == "" {
		order.Pieces = o.Pieces
	}
	_, err := n.plan(o)
	return order, err
}

// ConstructedTables is what a hub built as Build tells it.
func ConstructedTables(n Instance, metric bitboard.Metric, t construction.Tally, seconds float64) Built {
	b := Built{Stats: Stats{Slices: []SliceStats{}, Totals: []SliceStats{}, DiskBytes: t.Disk}, Asked: t.Asked, Solved: t.Solved, Seconds: seconds}
	b.add(n.Identity(), metric, t.Slices)
	return b
}

// InspectedTables is what a hub found as Verify tells it.
func InspectedTables(r inspection.Report, seconds float64) Verified {
	if r.Unopened != "" {
		return unopened(r.Unopened)
	}
	v := VerifyOptions{}.verified(r.Verified())
	v.Seconds, v.Shared = seconds, &r.Shared
	return v
}

// Site loads the tables of a folder for shared proofs. With a supply the folder gets what
// it lacks of that, and nothing else is loaded.
func (n *instance[P]) Site(ctx context.Context, dir string, supply *share.Supply, o share.SupplyOptions) (share.Site, error) {
	if supply != nil {
		return share.NewSupplied(ctx, n.subject(), dir, *supply, o)
	}
	return share.NewSite(ctx, n.subject(), dir, o.LoadOptions)
}

// SiteTables tells which tables a site has that has all of a folder, by the fingerprints that are
// stored with them, and the memory that they take.
func (n *instance[P]) SiteTables(dir string, workers int) ([]proofs.Table, uint64, error) {
	return prover.Measure(n.subject(), dir, prover.UpTo(n.subject(), bitboard.AllPieces), workers)
}

// Contest is what a hub is asked about who wins from a position: claims of which no two
// hold together, each to be decided where the ones before it do not hold.
type Contest struct {
	Root   string // the position, with the players for sides where the claims have them
	Claims []string
}

// Settled is what became of a contest.
type Settled struct {
	Holds   int    // the place of the claim that holds; their number where none does
	Nodes   uint64 // that were searched, beside an error, too
	Resumed uint64 // of these, those of runs before that it went on from
	Tables  bool   // the hub's tables told, and there was no search
}

// settle has a contest tell who wins from a position: the side to move or, where that
// does not, its opponent. In a game without draws there is no need to ask about both.
func (n *instance[P]) settle(ctx context.Context, d *decided[P], ask func(context.Context, Contest) (Settled, error)) (searched, error) {
	named, side := n.claiming(d.Position, d.side)
	if err := bitboard.AdmitTurns(named.game, d.Position, side, jobs.MostTurns); err != nil {
		return searched{}, err
	}
	of := Contest{Root: named.game.Format(d.Position, side)}
	values := []bitboard.Value{bitboard.Win, bitboard.Loss, bitboard.Draw}
	for _, winner := range []bitboard.Side{side, side.Other()} {
		of.Claims = append(of.Claims, proofs.Claim{Side: winner, Wins: true}.Text(named.game.SideName))
	}
	if n.drawless {
		of.Claims = of.Claims[:1]
	}
	s, err := ask(ctx, of)
	if err != nil {
		return searched{nodes: s.Nodes}, err
	}
	if s.Tables {
		d.by = ByTables
	}
	return searched{value: values[s.Holds], nodes: s.Nodes, resumed: s.Resumed}, nil
}
