package catalogue

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/jobs"
)

// ClaimDraw is the claim that neither side loses.
const ClaimDraw = prover.Draw

// question is a claim about a position, as it was asked and as the prover has it.
type question[P comparable] struct {
	prover.Question[P]
	position string
}

// question reads a claim about a position, and makes the files for its certificates.
func (n *instance[P]) question(ctx context.Context, position string, o ProveOptions) (*question[P], error) {
	q, named, err := n.read(position, o.Claim)
	if err != nil {
		return nil, err
	}
	q.Files, err = CertificateFiles(ctx, o.Out, named.sidesOf(q.Claims), o.Parts)
	return q, err
}

// read reads a claim about a position, and tells the instance that names sides as the
// claim does. It fails with bitboard.ErrTooManyTurns where the position has more than
// jobs.MostTurns.
func (n *instance[P]) read(position, claim string) (*question[P], *instance[P], error) {
	root, side, err := n.parse(position)
	if err != nil {
		return nil, nil, err
	}
	q := &question[P]{position: n.game.Format(root, side)}
	named, side := n.claiming(root, side)
	if played, player, ok := n.played(position, claim); ok {
		named, side = played, player
		q.position = named.game.Format(root, side)
	}
	q.Root, q.Side, q.Game = root, side, named.game
	if q.Claims, err = named.claims(claim); err != nil {
		if players := n.naming(claim).game; players.SideName(0) != n.game.SideName(0) {
			err = &ParameterError{"claim", untold(claim, players.SideName)}
		}
		return nil, nil, err
	}
	return q, named, bitboard.AdmitTurns(named.game, root, side, jobs.MostTurns)
}

// played gives the instance with players for sides, and the player to move, where a
// position names one and the claim is about players.
func (n *instance[P]) played(position, claim string) (*instance[P], bitboard.Side, bool) {
	game := bitboard.Played(n.game, position)
	if game == nil {
		return nil, 0, false
	}
	if _, err := proofs.ParseClaim(claim, game.SideName); err != nil {
		return nil, 0, false
	}
	_, player, err := game.Parse(position)
	players := *n
	players.game = game
	return &players, player, err == nil
}

// sidesOf names the sides that claims are about.
func (n *instance[P]) sidesOf(claims []proofs.Claim) (names []string) {
	for _, c := range claims {
		names = append(names, n.game.SideName(c.Side))
	}
	return names
}

// claims reads a claim, which for a draw is two.
func (n *instance[P]) claims(text string) ([]proofs.Claim, error) {
	if text == ClaimDraw {
		return []proofs.Claim{{Side: 0}, {Side: 1}}, nil
	}
	if text == "" {
		return nil, &ParameterError{"claim", fmt.Errorf("--claim is missing: want %s", n.wantedClaims())}
	}
	claim, err := proofs.ParseClaim(text, n.game.SideName)
	if err != nil {
		return nil, &ParameterError{"claim", fmt.Errorf("unknown claim %s: want %s", bitboard.Quote(text), n.wantedClaims())}
	}
	return []proofs.Claim{claim}, nil
}

// claimTexts lists the claims that make sense: a draw is one in games that have draws.
func (n *instance[P]) claimTexts() []string {
	texts := proofs.ClaimTexts(n.game.SideName)
	if n.drawless {
		return texts
	}
	return append(texts, ClaimDraw)
}

// wantedClaims lists the claims that are read. A draw is refuted in a game without draws.
func (n *instance[P]) wantedClaims() string {
	return bitboard.Enumerate("or", append(proofs.ClaimTexts(n.game.SideName), ClaimDraw)...)
}

// naming gives the instance as the text of a claim names sides.
func (n *instance[P]) naming(claim string) *instance[P] {
	if _, err := proofs.ParseClaim(claim, n.game.SideName); err == nil {
		return n
	}
	if game, ok := n.game.(bitboard.Colourless[P]); ok {
		players := *n
		players.game = game.ByPlayers()
		if _, err := proofs.ParseClaim(claim, players.game.SideName); err == nil {
			return &players
		}
	}
	return n
}

// claiming gives the instance and the side to move as claims about a position
// name them: by players where the opening is still to be played.
func (n *instance[P]) claiming(p P, s bitboard.Side) (*instance[P], bitboard.Side) {
	game, ok := n.game.(bitboard.Colourless[P])
	if !ok {
		return n, s
	}
	mover, _ := game.Players(p, s)
	if mover == n.game.SideName(s) {
		return n, s
	}
	players := *n
	players.game = game.ByPlayers()
	if mover == players.game.SideName(0) {
		return &players, 0
	}
	return &players, 1
}
