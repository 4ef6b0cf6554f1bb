package hub

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

var (
	rogueURL   = flag.String("rogue", "", "URL of a hub to lie to, for scripts/hub-faults")
	rogueCreds = flag.String("rogue-creds", "", "credentials of the liar")
	rogueSeed  = flag.Uint64("rogue-seed", 1, "seed of its lies")
)

// rogueRest is how long a liar rests between two lies: it leaves work to others.
const rogueRest = 200 * time.Millisecond

// TestARogueAtWork lies to a real hub, in all ways that it knows, until it is killed. It
// tells each lie, and what the hub said.
func TestARogueAtWork(t *testing.T) {
	if *rogueURL == "" {
		t.Skip("there is no hub to lie to: scripts/hub-faults has one")
	}
	a := Access{URL: *rogueURL, Credentials: *rogueCreds}
	status, err := dial(t, a).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r := enlist(t, a, status.Version)
	random := rand.New(rand.NewPCG(*rogueSeed, 0))
	for {
		name, lie := r.lies(random, status)
		_, answer, m := r.take()
		fmt.Printf("%s: %s\n", name, lie(answer, m))
		time.Sleep(rogueRest)
	}
}

// enlist makes a rogue a worker of a hub.
func enlist(t *testing.T, a Access, version string) *rogue {
	t.Helper()
	r := &rogue{T: t, worker: worker{WorkerOptions: WorkerOptions{Name: "rogue", Version: version, Lanes: 1, Notice: func(string) {}}}}
	var err error
	if r.conn, err = a.connect("rogue"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.conn.Close)
	if r.js, err = jetstream.New(r.conn); err != nil {
		t.Fatal(err)
	}
	if err := r.greet(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(progress.Every(t.Context(), alive, func(context.Context) { r.tell(subjectAlive, r.hello(1)) }))
	return r
}

// A lie answers a job, and tells what the hub made of it.
type lie func(answer result, m jetstream.Msg) outcome

// lies picks one.
func (r *rogue) lies(random *rand.Rand, of Status) (name string, tell lie) {
	decided := func(file string, change func(*result)) lie {
		return func(answer result, _ jetstream.Msg) outcome {
			answer.Verdict = proofnumber.Verdict(1 + random.IntN(2))
			if change != nil {
				change(&answer)
			}
			return r.attempt(answer, file)
		}
	}
	all := []struct {
		name string
		lie
	}{
		{"no file", decided("", nil)},
		{"garbage", decided(strings.Repeat("garbage", 1000), nil)},
		{"a file by another's name", decided("", func(a *result) { a.Upload = "../../ledger" })},
		{"a long position", decided("", func(a *result) { a.Position = strings.Repeat("x", 100_000) })},
		{"another version", decided("", func(a *result) { a.Version = "older" })},
		{"numbers that can't be", func(a result, _ jetstream.Msg) outcome {
			a.Nodes, a.Turns = random.Uint64(), make([]jobs.Numbers, random.IntN(40))
			return r.attempt(a, "")
		}},
		{"an older lease", func(a result, _ jetstream.Msg) outcome {
			a.Delivery = 0
			return r.attempt(a, "")
		}},
		{"a later lease", func(a result, _ jetstream.Msg) outcome {
			for range mostDeliveries {
				a.Delivery++
				r.tell(subjectStarted, a.started)
			}
			return pending
		}},
		{"no answer", func(result, jetstream.Msg) outcome { return pending }},
		{"given back", func(_ result, m jetstream.Msg) outcome { _ = m.Nak(); return pending }},
		{"acknowledged without a result", func(_ result, m jetstream.Msg) outcome { _ = m.Ack(); return pending }},
		{"refused", func(a result, _ jetstream.Msg) outcome {
			a.Refused = "\x1b[2J I will not"
			return r.attempt(a, "")
		}},
		{"a file without an end", func(result, jetstream.Msg) outcome {
			m := nats.NewMsg(subjectUpload)
			m.Header.Set(headerUpload, newName())
			m.Header.Set(headerOffset, "0")
			m.Data = make([]byte, pieceBytes)
			_ = r.conn.PublishMsg(m)
			return pending
		}},
		{"another question", func(a result, _ jetstream.Msg) outcome {
			a.Question = "0000000000000000"
			for _, q := range of.Questions {
				a.Question = q.ID
			}
			return r.attempt(a, "")
		}},
		{"a board without end", func(result, jetstream.Msg) outcome {
			c := &Client{r.conn}
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			defer cancel()
			_, err := c.Wait(ctx, Question{Setting: proofs.Setting{Game: "konane", Board: "99999999x99999999"}, Position: "x", Claim: "first-wins"}, nil)
			if errors.Is(err, ErrFailed) {
				return refused
			}
			return pending
		}},
	}
	one := all[random.IntN(len(all))]
	return one.name, one.lie
}

// attempt sends an answer, with a file if there is one, and gives up after some time.
func (r *rogue) attempt(answer result, file string) outcome {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if file != "" {
		path := filepath.Join(r.TempDir(), "file")
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			r.Fatal(err)
		}
		answer.Upload = newName()
		if err := r.upload(ctx, answer.Upload, path); err != nil && !errors.Is(err, errNotTaken) {
			return pending
		}
	}
	var what reply
	if err := request(ctx, r.conn, subjectResult, answer, &what); err != nil {
		return pending
	}
	return what.Outcome
}
