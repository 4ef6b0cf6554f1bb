package command

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
)

// workSuffix makes the folder of a worker's checkpoint from that of the tables.
const workSuffix = ".work"

// openBuilds opens games whose tables are built: those of --db, or of their own folders. A
// checkpoint goes to a folder, or beside the tables where that is empty.
func (o *options) openBuilds(cmd *cobra.Command, memory uint64, sharers int, work string, alone bool) construction.Opener {
	return keepLast(func(setting proofs.Setting) (construction.Game, error) {
		s, err := o.openSetting(setting)
		if err != nil {
			return nil, err
		}
		limits := construction.Options{
			Options: inspection.Options{Dir: s.dir(), Workers: o.workers, Memory: memory, Sharers: sharers},
			Version: ownVersion(), Work: work, Alone: alone, Notice: notices(cmd),
		}
		if work == "" {
			limits.Work = s.beside(workSuffix)
		}
		return s.instance.Construction(limits), nil
	})
}

// buildShared has a hub build.
func buildShared(cmd *cobra.Command, s session, f hubFlags, o catalogue.BuildOptions) error {
	order, err := s.instance.Order(o)
	if err != nil {
		return s.hint(err)
	}
	q := wire.Question{Setting: proofs.Setting(s.instance.Identity()), Kind: wire.Construction, Order: order}
	err = s.askTables(cmd, f, o.Memory, q, func(last wire.State, place string) error {
		built := catalogue.ConstructedTables(s.instance, o.Metric, *last.Built, last.Seconds)
		return s.print(cmd, built, func(w io.Writer) error { return printBuilt(w, place, built) })
	})
	if err != nil {
		return s.hint(err)
	}
	return nil
}

// tellBuilt says in a few words what a hub has built, or how far it is.
func tellBuilt(q wire.State) string {
	what := fmt.Sprintf("%s, tables in %s", shownSetting(q.Setting), catalogue.Escape(q.Order.String()))
	switch g := q.Groups; {
	case q.Stage == wire.Failed:
		return fmt.Sprintf("%s: %s: %s", what, q.Stage, catalogue.Escape(q.Error))
	case q.Built != nil:
		return fmt.Sprintf("%s: %s, %s solved in %s", what, q.Stage, count(q.Built.Solved, "position"), seconds(q.Seconds))
	case g != nil:
		lack := noWorker(q)
		switch {
		case g.Distrusted:
			lack = "; " + allWrong
		case g.Short != nil:
			lack = "; " + shortOfMemory(*g.Short)
		}
		return fmt.Sprintf("%s: %s, %d of %s stored, %d in work, %d being derived again (%d of %s), %d waiting, in %s%s",
			what, shownStage(q), g.Stored, count(uint64(g.Groups), "group"), g.Building, g.Verifying, g.Settled, count(uint64(g.Pieces), "share"), g.Waiting, seconds(q.Seconds), lack)
	}
	return fmt.Sprintf("%s: %s", what, shownStage(q))
}
