package command

import (
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// openTables opens games whose tables are verified: those of --db, or of their own folders. So many share
// the memory.
func (o *options) openTables(memory uint64, sharers int) inspection.Opener {
	return keepLast(func(setting proofs.Setting) (inspection.Game, error) {
		s, err := o.openSetting(setting)
		if err != nil {
			return nil, err
		}
		return s.instance.Inspection(inspection.Options{Dir: s.dir(), Workers: o.workers, Memory: memory, Sharers: sharers}), nil
	})
}

// keepLast opens a game once for all who ask for it in turn, as a worker does for each group.
func keepLast[G any](open func(proofs.Setting) (G, error)) func(proofs.Setting) (G, error) {
	type opened struct {
		of   proofs.Setting
		game G
	}
	var mutex sync.Mutex
	var last *opened // nil before there is one
	return func(setting proofs.Setting) (G, error) {
		mutex.Lock()
		defer mutex.Unlock()
		if last != nil && last.of == setting {
			return last.game, nil
		}
		game, err := open(setting)
		if err == nil {
			last = &opened{setting, game}
		}
		return game, err
	}
}

// verifyShared has a hub verify its tables.
func verifyShared(cmd *cobra.Command, s session, f hubFlags) error {
	q := wire.Question{Setting: proofs.Setting(s.instance.Identity()), Kind: wire.Verification}
	s.reach = f.reach()
	var v catalogue.Verified
	err := s.askTables(cmd, f, memoryBudget(s.memory), q, func(last wire.State, place string) error {
		v = catalogue.InspectedTables(*last.Report, last.Seconds)
		return tellVerified(cmd, s, place, v)
	})
	if err != nil {
		return s.hint(err)
	}
	return verifiedError(v)
}

// tellTables says in a few words what a hub has found, or how far it is.
func tellTables(q wire.State) string {
	game := shownSetting(q.Setting) + ", the tables"
	switch {
	case q.Stage == wire.Failed:
		return fmt.Sprintf("%s: %s: %s", game, q.Stage, catalogue.Escape(q.Error))
	case q.Report != nil:
		how := verdict(catalogue.InspectedTables(*q.Report, q.Seconds))
		return fmt.Sprintf("%s: %s, %s derived in %s", game, how, count(uint64(q.Report.Shared.Pieces), "share"), seconds(q.Seconds))
	case q.Stage == wire.Done: // before the hub began again
		return fmt.Sprintf("%s: %s, the report went to who asked", game, q.Stage)
	case q.Pieces == nil:
		return fmt.Sprintf("%s: %s", game, shownStage(q))
	}
	p := q.Pieces
	return fmt.Sprintf("%s: %s, %d of %s, %d by the hub, in %s%s", game, shownStage(q), p.Settled, count(uint64(p.Pieces), "share"), p.Hub, seconds(q.Seconds), noWorker(q))
}
