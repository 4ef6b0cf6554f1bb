package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
)

// workSuffix makes the folder of a worker's checkpoint from that of the tables, workName is
// its name in the folder of an embedded hub.
const (
	workSuffix = ".work"
	workName   = "work"
)

// openBuilds opens games whose tables are built: those of --db, or of their own folders. A
// checkpoint goes to a folder, or beside the tables where that is empty.
func (o *options) openBuilds(cmd *cobra.Command, memory uint64, work string, alone bool) hub.BuildsOpener {
	return func(setting proofs.Setting) (construction.Game, error) {
		instance, err := catalogue.OpenSetting(setting)
		if err != nil {
			return nil, err
		}
		s := session{options: o, game: setting.Game, instance: instance}
		limits := construction.Options{
			Options: inspection.Options{Dir: s.dir(), Workers: o.workers, Memory: memory},
			Version: version(), Work: work, Alone: alone, Notice: notices(cmd),
		}
		if work == "" {
			limits.Work = beside(s.dir(), workSuffix)
		}
		return instance.Construction(limits), nil
	}
}

// buildShared has a hub build.
func buildShared(cmd *cobra.Command, s session, f hubFlags, o catalogue.BuildOptions) error {
	order, err := s.instance.Order(o)
	if err != nil {
		return s.hint(err)
	}
	log := cmd.ErrOrStderr()
	bar := s.startProgress(log)
	q := hub.Question{Setting: proofs.Setting(s.instance.Identity()), Kind: hub.Construction, Order: order}
	var last hub.State
	kept, err := s.askHub(cmd, f, o.Memory, func(ctx context.Context, c *hub.Client) (bool, error) {
		var err error
		last, err = c.Wait(ctx, q, func(s hub.State) { showGroups(bar, s) })
		if err == nil && last.Built == nil {
			err = fmt.Errorf("%w: another client has taken the answer: ask again", hub.ErrFailed)
		}
		if err == nil {
			err = c.Taken(ctx, q)
		}
		return err == nil, err
	})
	bar.close()
	if errors.Is(err, context.Canceled) {
		printOrdering(log, s, last, kept)
	}
	if err != nil {
		return s.hint(err)
	}
	place := f.url
	if place == embedded {
		place = s.dir()
	}
	built := catalogue.ConstructedTables(s.instance, o.Metric, *last.Built, last.Seconds)
	return s.print(cmd, built, func(w io.Writer) error { return printBuilt(w, place, built) })
}

// showGroups tells how far a construction is.
func showGroups(bar *progress, s hub.State) {
	if s.Groups == nil {
		bar.count(string(s.Stage), "slices", 0)
		return
	}
	bar.set("building", "groups", uint64(s.Groups.Stored), uint64(s.Groups.Groups))
}

// printOrdering says how far a construction is that nobody waits for any more, and how to
// come back to it.
func printOrdering(w io.Writer, s session, last hub.State, kept string) {
	where := "the hub goes on"
	if kept != "" {
		where = "what is built is saved in " + kept
	}
	done, of := 0, 0
	if g := last.Groups; g != nil {
		done, of = g.Stored, g.Groups
	}
	fmt.Fprintf(w, "paika: %d of %s stored, %s; come back with: %s\n", done, count(uint64(of), "group"), where, commandLine(s.args...))
}

// tellBuilt says in a few words what a hub has built, or how far it is.
func tellBuilt(q hub.State) string {
	what := fmt.Sprintf("%s on %s, tables in %s", asText(q.Setting.Game), asText(q.Setting.Board), asText(q.Order.String()))
	switch g := q.Groups; {
	case q.Stage == hub.Failed:
		return fmt.Sprintf("%s: %s: %s", what, q.Stage, asText(q.Error))
	case q.Built != nil:
		return fmt.Sprintf("%s: %s, %s positions solved in %s", what, q.Stage, thousands(q.Built.Solved), seconds(q.Seconds))
	case g != nil:
		return fmt.Sprintf("%s: building, %d of %s stored, %d in work, %d being derived again (%d of %s), %d waiting, in %s",
			what, g.Stored, count(uint64(g.Groups), "group"), g.Building, g.Verifying, g.Settled, count(uint64(g.Pieces), "share"), g.Waiting, seconds(q.Seconds))
	}
	return fmt.Sprintf("%s: %s", what, q.Stage)
}
