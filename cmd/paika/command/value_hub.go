package command

import (
	"context"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// contests has a hub settle who wins. Kept becomes the folder from which the same
// command goes on, where a contest has not come to its end.
func (s session) contests(cmd *cobra.Command, f hubFlags, memory uint64, bar *progress, kept *string) func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
	return func(_ context.Context, of catalogue.Contest) (settled catalogue.Settled, err error) {
		*kept, err = s.askHub(cmd, f, memory, func(ctx context.Context, a *asker) (bool, error) {
			settled, err = s.settle(ctx, a, of, bar)
			return err == nil, err
		})
		return settled, err
	}
}

// settle asks about the claims of a contest, until one is proved. The nodes so far stand
// beside an error.
func (s session) settle(ctx context.Context, a *asker, of catalogue.Contest, bar *progress) (catalogue.Settled, error) {
	settled := catalogue.Settled{Tables: true}
	for _, claim := range of.Claims {
		before := settled.Nodes
		q := wire.Question{Setting: proofs.Setting(s.instance.Identity()), Position: of.Root, Claim: claim}
		state, err := a.Wait(ctx, q, func(s wire.State) { bar.count("searching", "node", before+s.Visited()) })
		settled.Nodes += state.Nodes
		if err != nil {
			return settled, err
		}
		settled.Tables = settled.Tables && state.Proof.Positions == 0
		if state.Result == proofnumber.Proved {
			break
		}
		settled.Holds++
	}
	return settled, nil
}
