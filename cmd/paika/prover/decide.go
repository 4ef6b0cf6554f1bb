package prover

import (
	"context"
	"errors"
	"time"

	"paika/solver/proofnumber"
)

// Decision is what the search of one question came to, without a certificate.
type Decision struct {
	Verdict proofnumber.Verdict
	Nodes   uint64
	Seconds float64
}

// Decide searches the claims of a question, one after the other until one does not
// hold, with a transposition table of that many bytes that begins empty. A table that
// is too small for the search leaves the question undecided. Of the question, Files,
// Began and Progress mean nothing here.
func Decide[P comparable](ctx context.Context, of Subject[P], q Question[P], table uint64, o proofnumber.Options[P]) (Decision, error) {
	t, err := proofnumber.NewTable(table)
	if err != nil {
		return Decision{}, err
	}
	defer t.Close()
	search, err := proofnumber.New(q.game(of), t, o)
	if err != nil {
		return Decision{}, err
	}
	began := time.Now()
	verdict, err := decideAll(ctx, search, q)
	return Decision{verdict, search.Nodes(), time.Since(began).Seconds()}, err
}

func decideAll[P comparable](ctx context.Context, search *proofnumber.Search[P], q Question[P]) (proofnumber.Verdict, error) {
	for _, claim := range q.Claims {
		attacking, holds := attacker(claim)
		r, err := search.Solve(ctx, q.Root, attacking == q.Side)
		if err != nil && !errors.Is(err, proofnumber.ErrTableTooSmall) {
			return proofnumber.Undecided, err
		}
		if verdict := result(r.Verdict, holds); err != nil || verdict != proofnumber.Proved {
			return verdict, nil
		}
	}
	return proofnumber.Proved, nil
}
