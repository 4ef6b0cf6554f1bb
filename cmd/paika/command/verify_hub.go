package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
)

// openTables opens games whose tables are verified: those of --db, or of their own folders.
func (o *options) openTables(memory uint64) hub.TablesOpener {
	return func(setting proofs.Setting) (inspection.Game, error) {
		instance, err := catalogue.OpenSetting(setting)
		if err != nil {
			return nil, err
		}
		s := session{options: o, game: setting.Game, instance: instance}
		return instance.Inspection(inspection.Options{Dir: s.dir(), Workers: o.workers, Memory: memory}), nil
	}
}

// verifyShared has a hub verify its tables.
func verifyShared(cmd *cobra.Command, s session, f hubFlags) error {
	log := cmd.ErrOrStderr()
	bar := s.startProgress(log)
	q := hub.Question{Setting: proofs.Setting(s.instance.Identity()), Kind: hub.Verification}
	var last hub.State
	kept, err := s.askHub(cmd, f, memoryBudget(s.memory), func(ctx context.Context, c *hub.Client) (bool, error) {
		var err error
		last, err = c.Wait(ctx, q, func(s hub.State) { showPieces(bar, s) })
		if err == nil && last.Report == nil {
			err = fmt.Errorf("%w: another client has taken the answer: ask again", hub.ErrFailed)
		}
		if err == nil {
			err = c.Taken(ctx, q)
		}
		return err == nil, err
	})
	bar.close()
	if errors.Is(err, context.Canceled) {
		printAsking(log, s, last, kept)
	}
	if err != nil {
		return s.hint(err)
	}
	place := f.url
	if place == embedded {
		place = s.dir()
	}
	return tellVerified(cmd, s, place, catalogue.InspectedTables(*last.Report, last.Seconds))
}

// showPieces tells how far a verification is.
func showPieces(bar *progress, s hub.State) {
	if s.Pieces == nil {
		bar.count(string(s.Stage), "slices", 0)
		return
	}
	bar.set("verifying", "shares", uint64(s.Pieces.Settled), uint64(s.Pieces.Pieces))
}

// printAsking says how far a verification is that nobody waits for any more, and how to
// come back to it.
func printAsking(w io.Writer, s session, last hub.State, kept string) {
	where := "the hub goes on"
	if kept != "" {
		where = "saved in " + kept
	}
	done, of := 0, 0
	if p := last.Pieces; p != nil {
		done, of = p.Settled, p.Pieces
	}
	fmt.Fprintf(w, "paika: %d of %s derived, %s; come back with: %s\n", done, count(uint64(of), "share"), where, commandLine(s.args...))
}

// tellTables says in a few words what a hub has found, or how far it is.
func tellTables(q hub.State) string {
	game := fmt.Sprintf("%s on %s, the tables", asText(q.Setting.Game), asText(q.Setting.Board))
	switch {
	case q.Stage == hub.Failed:
		return fmt.Sprintf("%s: %s: %s", game, q.Stage, asText(q.Error))
	case q.Report != nil:
		how := verdict(catalogue.InspectedTables(*q.Report, q.Seconds))
		return fmt.Sprintf("%s: %s, %s derived in %s", game, how, count(uint64(q.Report.Shared.Pieces), "share"), seconds(q.Seconds))
	case q.Pieces == nil:
		return fmt.Sprintf("%s: %s", game, q.Stage)
	}
	p := q.Pieces
	return fmt.Sprintf("%s: %s, %d of %s, %d confirmed, in %s", game, q.Stage, p.Settled, count(uint64(p.Pieces), "share"), p.Confirmed, seconds(q.Seconds))
}
