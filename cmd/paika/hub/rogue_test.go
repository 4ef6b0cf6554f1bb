package hub

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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

	"paika/bitboard"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

var (
	rogueURL   = flag.String("rogue", "", "URL of a hub to lie to, for scripts/hub-faults")
	rogueCreds = flag.String("rogue-creds", "", "credentials of the liar")
	rogueSeed  = flag.Uint64("rogue-seed", 1, "seed of its lies")
	rogueBoard = flag.String("rogue-board", "3x3", "board of Fanorona on which it forges")
	rogueDir   = flag.String("rogue-dir", "", "folder of forged tables to be made")
	rogueMost  = flag.Int("rogue-stones", 5, "most stones of theirs")
)

// rogueAt is the board.
func rogueAt(t *testing.T) bitboard.Board {
	t.Helper()
	board, err := bitboard.ParseBoard(*rogueBoard)
	if err != nil {
		t.Fatal(err)
	}
	return board
}

// lyingTo is the hub to lie to, and how far it is. Without one the test is skipped.
func lyingTo(t *testing.T) (link.Access, wire.Status) {
	t.Helper()
	if *rogueURL == "" {
		t.Skip("there is no hub to lie to: scripts/hub-faults has one")
	}
	a := link.Access{URL: *rogueURL, Credentials: *rogueCreds}
	status, err := dial(t, a).Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return a, status
}

// TestAForgerAtWork builds for a real hub, wins as draws, until it is killed.
func TestAForgerAtWork(t *testing.T) {
	a, status := lyingTo(t)
	y, of := fanoronaYardOn(t, rogueAt(t), construction.Order{Metric: bitboard.WDL.String()})
	brings := y.brings(t, a, "forger")
	honest := brings.Builds
	brings.Version, brings.Builds = status.Version, func(s proofs.Setting) (construction.Game, error) {
		game, err := honest(s)
		return forging{game, of}, err
	}
	t.Fatal(worker.Work(t.Context(), brings))
}

// TestForgedTables makes tables in which one win is stored as a draw.
func TestForgedTables(t *testing.T) {
	if *rogueDir == "" {
		t.Skip("there is no folder for them: scripts/hub-faults has one")
	}
	storeroomOn(t, rogueAt(t), *rogueMost, *rogueDir).build(t, stock{metrics: []bitboard.Metric{bitboard.WDL}, wrong: true})
}

// rogueRest is how long a liar rests between two lies: it leaves work to others.
const rogueRest = 200 * time.Millisecond

// TestARogueAtWork lies to a real hub, in all ways that it knows, until it is killed. It
// tells each lie, and what the hub said.
func TestARogueAtWork(t *testing.T) {
	a, status := lyingTo(t)
	r := enlist(t, a, status.Version)
	random := rand.New(rand.NewPCG(*rogueSeed, 0))
	for {
		name, lie := r.lies(random, status)
		d, answer := r.take()
		fmt.Printf("%s: %s\n", name, lie(d, answer))
		time.Sleep(rogueRest)
	}
}

// enlist makes a rogue a worker of a hub.
func enlist(t *testing.T, a link.Access, version string) *rogue {
	t.Helper()
	r := &rogue{t, a, connected(t, a), version}
	who := wire.Hello{Worker: "rogue", Version: version, Lanes: 1}
	if _, err := r.link.Greet(t.Context(), who); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(progress.Every(t.Context(), wire.Alive, func(context.Context) { r.link.Tell(wire.SubjectAlive, who) }))
	return r
}

// connected is a link to a hub.
func connected(t *testing.T, a link.Access) *link.Link {
	t.Helper()
	l, err := a.Connect("test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// A lie answers a job, and tells what the hub made of it.
type lie func(d wire.Delivery, answer wire.Result) wire.Outcome

// lies picks one.
func (r *rogue) lies(random *rand.Rand, of wire.Status) (name string, tell lie) {
	decided := func(file string, change func(*wire.Result)) lie {
		return func(_ wire.Delivery, answer wire.Result) wire.Outcome {
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
		{"a file by another's name", decided("", func(a *wire.Result) { a.Upload = "../../ledger" })},
		{"a long position", decided("", func(a *wire.Result) { a.Position = strings.Repeat("x", 100_000) })},
		{"another version", decided("", func(a *wire.Result) { a.Version = "older" })},
		{"numbers that can't be", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Nodes, a.Turns = random.Uint64(), make([]jobs.Turn, random.IntN(40))
			return r.attempt(a, "")
		}},
		{"an older lease", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Delivery = 0
			return r.attempt(a, "")
		}},
		{"a later lease", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			for range mostDeliveries {
				a.Delivery++
				r.link.Tell(wire.SubjectStarted, a.Started)
			}
			return wire.Pending
		}},
		{"no answer", func(wire.Delivery, wire.Result) wire.Outcome { return wire.Pending }},
		{"a proof that does not come", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			r.link.Tell(wire.SubjectKept, wire.Kept{Started: a.Started, Shows: true})
			return wire.Pending
		}},
		{"given back", func(_ wire.Delivery, a wire.Result) wire.Outcome { r.giveBack(a); return wire.Pending }},
		{"another's job", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Message = 1 + random.Uint64N(a.Message)
			r.giveBack(a)
			return r.attempt(a, "")
		}},
		{"refused", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Refused = "\x1b[2J I will not"
			return r.attempt(a, "")
		}},
		{"a file without an end", func(wire.Delivery, wire.Result) wire.Outcome {
			m := nats.NewMsg(wire.SubjectUpload)
			m.Header.Set(wire.HeaderUpload, wire.NewName())
			m.Header.Set(wire.HeaderOffset, "0")
			m.Data = make([]byte, wire.PieceBytes)
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			defer cancel()
			_, _ = r.link.AskMessage(ctx, m)
			return wire.Pending
		}},
		{"another question", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Question = "0000000000000000"
			for _, q := range of.Questions {
				a.Question = q.ID
			}
			return r.attempt(a, "")
		}},
		{"a share made up", func(d wire.Delivery, a wire.Result) wire.Outcome {
			a.Piece = &inspection.Answer{Found: random.Uint64N(2), First: "\x1b[2J all is wrong"}
			if d.Piece != nil && d.Piece.Slice == "" {
				a.Piece.Quiet = make([]uint64, len(d.Piece.Group.Slices))
			}
			a.Piece.Sums.Positions[random.IntN(3)] = random.Uint64N(1000)
			return r.attempt(a, "")
		}},
		{"a group of garbage", func(d wire.Delivery, a wire.Result) wire.Outcome {
			garbage := strings.Repeat("garbage", 100)
			sum := sha256.Sum256([]byte(garbage))
			a.Built = &construction.Made{Digest: hex.EncodeToString(sum[:]), Bytes: int64(len(garbage))}
			if d.Build != nil {
				for _, slice := range d.Build.Group.Slices {
					a.Built.Parts = append(a.Built.Parts, construction.Part{Slice: slice, Bytes: a.Built.Bytes / int64(len(d.Build.Group.Slices)), Fingerprint: a.Built.Digest})
				}
			}
			return r.attempt(a, garbage)
		}},
		{"a group that is nowhere", func(_ wire.Delivery, a wire.Result) wire.Outcome {
			a.Built = new(construction.Made)
			return r.attempt(a, "")
		}},
		{"a board without end", func(wire.Delivery, wire.Result) wire.Outcome {
			c, err := client.Dial(r.access)
			if err != nil {
				return wire.Pending
			}
			defer c.Close()
			ctx, cancel := context.WithTimeout(r.Context(), patience)
			defer cancel()
			_, err = c.Wait(ctx, wire.Question{Setting: proofs.Setting{Game: "konane", Board: "99999999x99999999"}, Position: "x", Claim: "first-wins"}, nil)
			if errors.Is(err, client.ErrFailed) {
				return wire.Refused
			}
			return wire.Pending
		}},
	}
	one := all[random.IntN(len(all))]
	return one.name, one.lie
}

// attempt sends an answer, with a file if there is one, and gives up after some time.
func (r *rogue) attempt(answer wire.Result, file string) wire.Outcome {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if file != "" {
		path := filepath.Join(r.TempDir(), "file")
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			r.Fatal(err)
		}
		answer.Upload = wire.NewName()
		if err := r.link.Upload(ctx, answer.Upload, path, nil, func(why string) { r.Log(why) }); err != nil && !errors.Is(err, link.ErrNotTaken) {
			return wire.Pending
		}
	}
	var what wire.Reply
	if err := r.link.Ask(ctx, wire.SubjectResult, answer, &what); err != nil {
		return wire.Pending
	}
	return what.Outcome
}
