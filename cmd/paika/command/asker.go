package command

import (
	"context"
	"fmt"
	"io"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/prover"
)

// asker asks a hub. It tells who waits what the question waits for.
type asker struct {
	*client.Client
	url  string // of the hub
	dir  string // of one that is embedded
	tell func(text string)
	told string // last
}

// Wait is that of the client. What is wanting is told once, as long as nothing else is, and that a search
// goes on is told as soon as that is known.
func (a *asker) Wait(ctx context.Context, q wire.Question, watch func(wire.State)) (last wire.State, err error) {
	began, told := time.Now(), false
	goingOn := func(s wire.State) {
		if s.Resumed > 0 && !told && !hadAnswer(s, began) {
			told = true
			a.tell(prover.GoingOn(s.Resumed, "node", "searched", a.source()))
		}
	}
	last, err = a.Client.Wait(ctx, q, func(s wire.State) {
		goingOn(s)
		watch(s)
		a.tellLack(s)
	})
	goingOn(last)
	return last, err
}

// hadAnswer tells whether a hub had the answer before it was asked.
func hadAnswer(s wire.State, asked time.Time) bool {
	return s.Stage == wire.Done && s.Seconds > time.Since(asked).Seconds()
}

// source is what tells of earlier work.
func (a *asker) source() string {
	if a.dir != "" {
		return a.dir
	}
	return "the hub"
}

// Taken is that of the client, and tells the same.
func (a *asker) Taken(ctx context.Context, q wire.Question) error {
	return a.Client.Taken(ctx, q, a.tellLack)
}

// tellLack tells what is wanting, if that is not what was told last.
func (a *asker) tellLack(s wire.State) {
	if lack := a.lack(s); lack != "" && lack != a.told {
		a.told = lack
		a.tell(lack)
	}
}

// allWrong says that a hub believes none of its workers any more.
const allWrong = "each worker at the hub was found wrong, and is believed no more"

// noRoom says that the disk of a hub is full.
func noRoom(where string) string {
	return "the hub has no room on its disk for " + catalogue.Escape(where)
}

// noJobs says that jobs of a question do not go out.
func noJobs(why string) string {
	return "the hub can't give out jobs, for NATS does not take them (" + catalogue.Escape(why) + ")"
}

// lack says what a question waits for that does not come by its own work, or nothing.
func (a *asker) lack(s wire.State) string {
	switch {
	case s.Full != "":
		return noRoom(s.Full) + ": the question waits for some"
	case s.Unsent != "":
		return noJobs(s.Unsent) + ": the question waits until it can"
	case s.Busy:
		return "the tables are in use, by another question of the hub or by another process: this question waits until they are free"
	case s.NoWorker && a.url != embedded: // whose workers come with it
		return "no worker is at the hub: the question waits for one, such as " + catalogue.CommandLine("work", a.url, "--creds", "FILE")
	case s.Groups != nil && s.Groups.Distrusted:
		return allWrong + ": it waits for another one, such as " + catalogue.CommandLine("work", a.url, "--creds", "FILE")
	case s.Groups != nil && s.Groups.Short != nil:
		short := *s.Groups.Short
		return shortOfMemory(short) + ": it waits for a worker with more, such as paika work --memory " + enoughMemory(short.Need)
	}
	return ""
}

// printLeft says how far a question is that nobody waits for any more, and how to come back to it.
func (s session) printLeft(w io.Writer, last wire.State, kept leftover) {
	known := "the hub has not answered"
	switch {
	case kept.folder != "" && last.ID == "":
		known = savedIn(kept, last.Kind)
	case kept.folder != "":
		known = standing(last) + ", " + savedIn(kept, last.Kind)
	case last.Stage.Over():
		known = "the hub has the answer"
	case last.ID != "":
		known = standing(last) + ", the hub goes on"
	}
	fmt.Fprintf(w, "paika: %s; come back with: %s\n", known, catalogue.CommandLine(s.args...))
}

// savedIn says what an embedded hub has left of a question.
func savedIn(kept leftover, of wire.Kind) string {
	what := "what is done is saved in "
	if kept.unsaved && of == wire.Proof {
		what = "what is proved or refuted, and not the tables of workers, is saved in "
	}
	return what + catalogue.ShownName(kept.folder)
}

// standing says in a few words how far a question is.
func standing(q wire.State) string {
	done, of, _, unit := tablesStanding(q)
	switch {
	case of > 0:
		return fmt.Sprintf("%d of %s done", done, count(uint64(of), unit))
	case q.Completing != nil:
		return shownStage(q)
	case q.Kind == wire.Proof && (q.Stage == wire.Searching || q.Visited() > 0):
		return count(q.Visited(), "node") + " searched"
	}
	return "it has not begun"
}
