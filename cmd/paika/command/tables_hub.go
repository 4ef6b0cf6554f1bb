package command

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/wire"
)

// askTables has a hub verify or build tables, and shows how far it is. The state with the answer is told, and
// where the tables are, before the hub hears that it has arrived.
func (s session) askTables(cmd *cobra.Command, f hubFlags, memory uint64, q wire.Question, tell func(last wire.State, place string) error) error {
	log := cmd.ErrOrStderr()
	bar := s.startProgress(log)
	place := f.url
	if f.url == embedded {
		place = s.dir()
	}
	var last wire.State
	kept, err := s.askHub(cmd, f, memory, func(ctx context.Context, a *asker) (bool, error) {
		var err error
		last, err = a.Wait(ctx, q, func(s wire.State) { showTables(bar, s) })
		if err == nil && last.Report == nil && last.Built == nil {
			err = fmt.Errorf("%w: another client has taken the answer: ask again", client.ErrFailed)
		}
		if err != nil {
			return false, err
		}
		bar.close()
		if err := tell(last, place); err != nil {
			return false, err
		}
		if err = a.Taken(ctx, q); errors.Is(err, client.ErrFailed) { // another client asks anew already
			err = nil
		}
		return err == nil, err
	})
	bar.close()
	if errors.Is(err, context.Canceled) {
		s.printLeft(log, last, kept)
	}
	return err
}

// tablesStanding is how far a verification or a construction is, and of what.
func tablesStanding(s wire.State) (done, of int, doing, unit string) {
	switch {
	case s.Pieces != nil:
		return s.Pieces.Settled, s.Pieces.Pieces, "verifying", "share"
	case s.Groups != nil:
		return s.Groups.Stored, s.Groups.Groups, "building", "group"
	}
	return 0, 0, shownStage(s), "slice"
}

func showTables(bar *progress, s wire.State) {
	if c := s.Completing; c != nil {
		bar.set("completing "+catalogue.Escape(c.Slice), "index", c.Done, c.Total)
		return
	}
	done, of, doing, unit := tablesStanding(s)
	if of == 0 {
		bar.count(doing, unit, 0)
		return
	}
	bar.set(doing, unit, uint64(done), uint64(of))
}

// shortOfMemory says for which group no worker has the memory.
func shortOfMemory(s construction.Short) string {
	return fmt.Sprintf("no worker has the memory for %s, which needs %s, and the most that one has is %s", catalogue.Escape(s.Group), formatBytes(s.Need), formatBytes(s.Most))
}
