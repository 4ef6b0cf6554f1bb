package command

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// unsettled is what a hub has of a contest that has not come to its end.
type unsettled struct {
	open bool
	kept leftover   // by an embedded hub
	last wire.State // of the claim that was asked about last
}

// contests has a hub settle who wins, and tells what is left of a contest.
func (s session) contests(cmd *cobra.Command, f hubFlags, memory uint64, bar *progress, left *unsettled) func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
	return func(_ context.Context, of catalogue.Contest) (settled catalogue.Settled, err error) {
		left.kept, err = s.askHub(cmd, f, memory, func(ctx context.Context, a *asker) (bool, error) {
			settled, left.last, err = s.settle(ctx, a, of, bar)
			return err == nil, err
		})
		left.open = err != nil
		return settled, err
	}
}

// settle asks about the claims of a contest, until one is proved, and gives the state of the last.
// The nodes so far stand beside an error.
func (s session) settle(ctx context.Context, a *asker, of catalogue.Contest, bar *progress) (settled catalogue.Settled, last wire.State, err error) {
	settled.Tables = true
	for _, claim := range of.Claims {
		before, asked := settled.Nodes, time.Now()
		q := wire.Question{Setting: proofs.Setting(s.instance.Identity()), Position: of.Root, Claim: claim}
		last, err = a.Wait(ctx, q, func(s wire.State) { bar.count("searching", "node", before+s.Visited()) })
		resumed := last.Resumed
		if hadAnswer(last, asked) {
			resumed = last.Nodes
		}
		settled.Nodes, settled.Resumed = settled.Nodes+last.Nodes, settled.Resumed+resumed
		if err != nil {
			return settled, last, err
		}
		settled.Tables = settled.Tables && last.Proof.Positions == 0
		if last.Result == proofnumber.Proved {
			break
		}
		settled.Holds++
	}
	return settled, last, nil
}
