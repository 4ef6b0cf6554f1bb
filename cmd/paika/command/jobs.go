package command

import (
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

func newJobs(o *options) *cobra.Command {
	url, credentials := "", ""
	watch := false
	cmd := &cobra.Command{
		Use:   "jobs",
		Short: "Tell what a hub is doing",
		Long: `Jobs tells which questions a hub has and how far they have come, which workers are
there and how fast they are, and what became of the jobs since the hub began. With
--watch it tells so again and again, until Ctrl-C; with --json, a line each time.`,
		Example: `  paika jobs --hub nats://127.0.0.1:4222 --creds hub/worker.creds
  paika jobs --hub nats://127.0.0.1:4222 --creds hub/worker.creds --json`,
		Args: wantsNone(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if url == "" {
				return misuse("hub", "--hub is missing: want the URL of a hub")
			}
			to, err := access(cmd, url, credentials)
			if err != nil {
				return err
			}
			c, err := dial(cmd.Context(), to)
			if err != nil {
				return err
			}
			defer c.Close()
			for {
				if err := o.printJobs(cmd, c); err != nil || !watch {
					return err
				}
				select {
				case <-cmd.Context().Done():
					return cmd.Context().Err()
				case <-time.After(watchInterval):
				}
				if err := o.parted(cmd); err != nil {
					return err
				}
			}
		},
	}
	cmd.Flags().BoolVar(&watch, "watch", false, "tell it again every two seconds")
	cmd.Flags().StringVar(&url, "hub", "", "`URL` of the hub")
	credentialsFlag(cmd, &credentials)
	return cmd
}

// watchInterval is the time between two looks at a hub.
const watchInterval = 2 * time.Second

// parted parts what a hub tells from what it told before by an empty line. Objects of JSON are a
// line each.
func (o *options) parted(cmd *cobra.Command) error {
	if o.json {
		return nil
	}
	_, err := fmt.Fprintln(cmd.OutOrStdout())
	return err
}

// printJobs asks a hub once, and prints its answer.
func (o *options) printJobs(cmd *cobra.Command, c *client.Client) error {
	status, err := c.Status(cmd.Context())
	if err != nil {
		return err
	}
	return o.print(cmd, status, func(w io.Writer) error { return printStatus(w, status) })
}

func printStatus(w io.Writer, s wire.Status) error {
	for _, q := range s.Questions {
		line := tellQuestion(q)
		if q.Full != "" {
			line += "; " + noRoom(q.Full)
		}
		if q.Unsent != "" {
			line += "; " + noJobs(q.Unsent)
		}
		fmt.Fprintln(w, line)
	}
	if s.Room > 0 {
		fmt.Fprintf(w, "%s of %s of memory taken by tables and upper positions\n", formatBytes(s.Memory), formatBytes(s.Room))
	}
	t := table{left: 1}
	t.add("worker", "jobs", "nodes", "nodes/s", "rejected")
	for _, worker := range s.Workers {
		t.add(shownWorker(worker), fmt.Sprintf("%d of %d", worker.Busy, worker.Lanes), thousands(worker.Nodes), thousands(uint64(worker.Rate)), thousands(worker.Rejected))
	}
	if err := t.print(w); err != nil {
		return err
	}
	return printCounts(w, s.Jobs)
}

// printCounts tells what became of the jobs. What a hub that is well has none of is told where there is any.
func printCounts(w io.Writer, j wire.Jobs) error {
	_, err := fmt.Fprintf(w, "%s out, %s accepted, %s copied, %s stale, %s rejected, %s refused, %s lost, %s given up\n",
		count(uint64(j.Out), "job"), thousands(j.Accepted), thousands(j.Copied), thousands(j.Stale), thousands(j.Rejected), thousands(j.Refused), thousands(j.Lost), thousands(j.GivenUp))
	for _, ill := range []struct {
		many uint64
		what string
	}{
		{j.Refuted, "workers whose accepted results the hub found wrong"},
		{j.Unknown, "results of questions or jobs that the hub does not know"},
		{uint64(j.Torn), "lines of the ledger that are not whole, and are left out"},
	} {
		if ill.many > 0 && err == nil {
			_, err = fmt.Fprintf(w, "%s: %s\n", ill.what, thousands(ill.many))
		}
	}
	return err
}

// tellQuestion says in a few words how far a question is.
func tellQuestion(q wire.State) string {
	switch q.Kind {
	case wire.Verification:
		return tellTables(q)
	case wire.Construction:
		return tellBuilt(q)
	}
	how := shownStage(q)
	switch {
	case q.Stage == wire.Failed:
		how += ": " + catalogue.Escape(q.Error)
	case q.Result != proofnumber.Undecided:
		how = q.Result.String()
	}
	return fmt.Sprintf("%s, %s from %s: %s, %s in %s%s", shownSetting(q.Setting), catalogue.Escape(q.Claim), catalogue.Escape(q.Position), how, count(q.Visited(), "node"), seconds(q.Seconds), noWorker(q))
}

// noWorker says behind how far a question is that no worker is there, if so.
func noWorker(q wire.State) string {
	if !q.NoWorker {
		return ""
	}
	return "; no worker is there"
}

// shownSetting tells which game it is, on which board and by which rules.
func shownSetting(s proofs.Setting) string {
	if s.Rules == "" {
		return fmt.Sprintf("%s on %s", catalogue.Escape(s.Game), catalogue.Escape(s.Board))
	}
	return catalogue.Escape(s.String())
}

// shownStage is the stage of a question in words.
func shownStage(q wire.State) string {
	switch {
	case q.Stage == "": // it is not taken up
		return "waiting for room on disk"
	case q.Busy:
		return "waiting for the tables, which are in use"
	case q.Stage == wire.Waiting:
		return "waiting for memory"
	case q.Completing != nil:
		return fmt.Sprintf("completing %s, %s", catalogue.Escape(q.Completing.Slice), percent(q.Completing.Done, q.Completing.Total))
	case q.Kind == wire.Verification && q.Stage == wire.Searching:
		return "verifying"
	case q.Kind == wire.Construction && q.Stage == wire.Searching:
		return "building"
	}
	return string(q.Stage)
}

// shownWorker is the name of a worker, behind that of its key.
func shownWorker(w wire.WorkerStatus) string {
	if w.Key == "" || w.Key == w.Name {
		return w.Name
	}
	return w.Key + ": " + w.Name
}
