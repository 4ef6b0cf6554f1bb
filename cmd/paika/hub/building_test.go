package hub

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

// A yard is a game whose tables are built, and a folder for them.
type yard struct {
	id      tablebase.Identity
	dir     string
	order   construction.Order
	indices uint64 // of a share
	game    func(construction.Options) construction.Game
	plain   func(t *testing.T, dir string) // builds the same in one run
	alone   func(t *testing.T, dir string) verify.Report
}

func newYard[P comparable](t *testing.T, name, board string, rules string, of bitboard.Game[P], failed error, order construction.Order) *yard {
	t.Helper()
	at, err := bitboard.ParseBoard(board)
	if err = errors.Join(failed, err); err != nil {
		t.Fatal(err)
	}
	y := &yard{id: tablebase.Identity{Game: name, Board: board, Rules: rules}, dir: filepath.Join(t.TempDir(), "db"), order: order, indices: 1 << 14}
	y.game = func(o construction.Options) construction.Game { return construction.New(of, at, y.id, o) }
	metric, err := bitboard.ParseMetric(order.Metric)
	if err != nil {
		t.Fatal(err)
	}
	y.plain = func(t *testing.T, dir string) {
		t.Helper()
		groups, err := bitboard.GroupsWithin(of, y.order.Pieces)
		if err != nil {
			t.Fatal(err)
		}
		if y.order.Slices != "" {
			slice, err := of.ParseSlice(y.order.Slices)
			if err != nil {
				t.Fatal(err)
			}
			groups, _ = of.Groups()
			groups = bitboard.Closure(groups, []bitboard.Slice{slice})
		}
		store, err := tablebase.Open(dir, y.id, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if _, err := retrograde.Build(t.Context(), of, groups, store.Tables(metric, of).ForBuild(groups), retrograde.Options{Metric: metric, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
	}
	y.alone = func(t *testing.T, dir string) verify.Report {
		t.Helper()
		store, err := tablebase.Open(dir, y.id, tablebase.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		report, err := verify.Run(t.Context(), of, store, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return report
	}
	return y
}

func fanoronaYard(t *testing.T, order construction.Order) *yard {
	y, _ := fanoronaYardOn(t, bitboard.Board{Width: 3, Height: 3}, order)
	y.indices = 64
	return y
}

func fanoronaYardOn(t *testing.T, board bitboard.Board, order construction.Order) (*yard, *fanorona.Game) {
	of, err := fanorona.New(board, fanorona.Rules{})
	return newYard[fanorona.Position](t, "fanorona", board.String(), fanorona.Rules{}.String(), of, err, order), of
}

// limits are the options of a game in a test.
func (y *yard) limits(memory uint64) construction.Options {
	return construction.Options{
		Options: inspection.Options{Workers: 1, Memory: memory}, Version: "of the store",
		Building: func([]bitboard.Group) uint64 { return 0 },
	}
}

func (y *yard) question() wire.Question {
	return wire.Question{Setting: proofs.Setting(y.id), Kind: wire.Construction, Order: y.order}
}

// start starts a hub that cuts groups small.
func (y *yard) start(t *testing.T, dir string, change func(*Options)) *Hub {
	t.Helper()
	return startHub(t, dir, func(o *Options) {
		o.Indices, o.Audited = y.indices, 5
		o.Builds = func(proofs.Setting) (construction.Game, error) {
			limits := y.limits(1 << 30)
			limits.Dir = y.dir
			return y.game(limits), nil
		}
		if change != nil {
			change(o)
		}
	})
}

// brings is a worker of the game.
func (y *yard) brings(t *testing.T, a link.Access, name string) worker.Options {
	return worker.Options{
		Access: a, Name: name, Version: version, Lanes: 2, Dir: t.TempDir(), Notice: func(text string) { t.Log(text) },
		Tables: func(proofs.Setting) (inspection.Game, error) { return deriver{y.game(y.limits(1 << 30))}, nil },
		Builds: func(proofs.Setting) (construction.Game, error) { return y.game(y.limits(1 << 30)), nil },
	}
}

// deriver is a game whose tables are derived again, and no others.
type deriver struct{ construction.Game }

func (deriver) Begin(context.Context, func(done, total uint64)) (inspection.Verification, error) {
	return nil, wire.ErrKind
}

func (deriver) Memory() (uint64, error) { return 0, wire.ErrKind }

// built waits for a construction, and compares the tables with those of one run.
func (y *yard) built(t *testing.T, c *client.Client) construction.Tally {
	t.Helper()
	state, err := c.Wait(t.Context(), y.question(), nil)
	if err != nil {
		t.Fatal(err)
	}
	y.compare(t)
	return *state.Built
}

// compare compares the tables with those of one run.
func (y *yard) compare(t *testing.T) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "plain")
	y.plain(t, dir)
	if got, want := y.manifest(t, y.dir), y.manifest(t, dir); !reflect.DeepEqual(got, want) {
		t.Errorf("%v\nwant %v", got, want)
	}
	if report := y.alone(t, y.dir); !report.OK() {
		t.Errorf("%v", report.Findings)
	}
}

// manifest lists what is stored.
func (y *yard) manifest(t *testing.T, dir string) (all [][]tablebase.SliceInfo) {
	t.Helper()
	store, err := tablebase.Open(dir, y.id, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for m := range bitboard.MetricCount {
		all = append(all, store.Slices(m))
	}
	return all
}

// disk is what the tables take on disk, once nobody writes them.
func (y *yard) disk(t *testing.T) uint64 {
	t.Helper()
	store, err := tablebase.Open(y.dir, y.id, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	disk, err := store.DiskBytes()
	if err != nil {
		t.Fatal(err)
	}
	return disk
}

// derivedElsewhere counts the shares that workers derived.
func derivedElsewhere(t *testing.T, h *Hub) (many int) {
	t.Helper()
	if err := h.ledger.Of(ofAll, func(e ledger.Entry) {
		if e.Piece != nil && e.Piece.Worker != "" && len(e.Piece.Answer.Quiet) == 0 {
			many++
		}
	}); err != nil {
		t.Fatal(err)
	}
	return many
}

// TestAHubBuildsAsOneRunDoes: all games and both metrics, with one worker, two and three,
// over the process and over the network.
func TestAHubBuildsAsOneRunDoes(t *testing.T) {
	king, none := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 3}, konane.Rules{})
	pawns, no := breakthrough.New(bitboard.Board{Width: 2, Height: 4})
	ball, bad := phutball.New(bitboard.Board{Width: 3, Height: 4}, phutball.Rules{})
	for i, of := range []func(t *testing.T) *yard{
		func(t *testing.T) *yard {
			return fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 5})
		},
		func(t *testing.T) *yard {
			return fanoronaYard(t, construction.Order{Metric: "dtw", Pieces: 4})
		},
		func(t *testing.T) *yard {
			return fanoronaYard(t, construction.Order{Metric: "wdl", Slices: "3v2"})
		},
		func(t *testing.T) *yard {
			return newYard[konane.Position[konane.Word]](t, "konane", "3x3", konane.Rules{}.String(), king, none, construction.Order{Metric: "dtw"})
		},
		func(t *testing.T) *yard {
			return newYard[breakthrough.Position](t, "breakthrough", "2x4", "", pawns, no, construction.Order{Metric: "wdl"})
		},
		func(t *testing.T) *yard {
			return newYard[phutball.Position](t, "phutball", "3x4", phutball.Rules{}.String(), ball, bad, construction.Order{Metric: "dtw"})
		},
	} {
		if testing.Short() && i > 2 {
			break // the same once more, for other games
		}
		y := of(t)
		t.Run(fmt.Sprint(y.id, y.order), func(t *testing.T) {
			h := y.start(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" })
			a := h.Inside()
			if i%2 == 1 {
				a = link.Access{URL: h.URL(), Credentials: h.Credentials()}
			}
			for k := range 1 + i%3 {
				atWork(t, y.brings(t, a, fmt.Sprint("w", k)))
			}
			tally := y.built(t, dial(t, a))
			if tally.Asked == 0 || len(tally.Slices) != tally.Asked || tally.Solved == 0 || tally.Disk != y.disk(t) {
				t.Errorf("%+v", tally)
			}
			if jobs := h.Status().Jobs; jobs.Accepted == 0 || jobs.Rejected+jobs.Unknown+jobs.Refused > 0 {
				t.Errorf("%+v", jobs)
			}
			if derived := derivedElsewhere(t, h); (h.Status().Nodes > 0) != (derived > 0) {
				t.Errorf("%d shares were derived by workers, and count as %d nodes", derived, h.Status().Nodes)
			}
		})
	}
}

// TestWhatWasLeftOutComesBackWhereItIsNeeded: slices that an earlier build stored with
// values left out are stored as one build stores them.
func TestWhatWasLeftOutComesBackWhereItIsNeeded(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	y.plain(t, y.dir)
	y.order.Pieces = 4
	told := make(map[string]bool)
	var h *Hub
	h = y.start(t, t.TempDir(), func(o *Options) {
		open := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			g, err := open(s)
			return watched{g, func() { // what somebody who asks is told meanwhile
				for _, q := range h.Status().Questions {
					if c := q.Completing; c != nil && c.Done > 0 && c.Done <= c.Total {
						told[c.Slice] = true
					}
				}
			}}, err
		}
	})
	atWork(t, y.brings(t, h.Inside(), "w"))
	defer func() {
		if len(told) == 0 || told["1v1"] {
			t.Errorf("told of %v", told)
		}
	}()
	if tally := y.built(t, dial(t, h.Inside())); tally.Asked != 6 || tally.Solved == 0 {
		t.Errorf("%+v", tally)
	}
}

// TestAConstructionGoesOn where a hub that was stopped left it, and a worker with it. What
// is there needs nobody.
func TestAConstructionGoesOn(t *testing.T) {
	y, dir := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 5}), t.TempDir()
	interrupted{
		start: func() *Hub { return y.start(t, dir, nil) }, question: y.question(), enough: []int{1, 2},
		brings: func(h *Hub) worker.Options { return y.brings(t, h.Inside(), "w") },
		done: func(state wire.State) (groups int, known bool) {
			if state.Groups == nil {
				return 0, false
			}
			return state.Groups.Stored, true
		},
	}.run(t)
	h := y.start(t, dir, nil)
	stop := startWorker(t, y.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	tally, positions := y.built(t, c), uint64(0)
	for _, s := range tally.Slices {
		positions += s.Positions
	}
	if tally.Solved != positions { // also by the hubs before
		t.Errorf("solved %d positions of %d", tally.Solved, positions)
	}
	stop()
	if err := c.Taken(t.Context(), y.question(), nil); err != nil {
		t.Fatal(err)
	}
	if tally := y.built(t, c); tally.Solved != 0 || tally.Asked != 9 && tally.Asked != 10 {
		t.Errorf("%+v", tally)
	}
	h.Close()
	if done, err := Repair(t.Context(), h.options); err != nil || len(done.Findings) > 0 || done.Torn > 0 {
		t.Errorf("%+v, %v", done, err)
	}
}

// hearing is a game that tells when a group is answered.
type hearing struct {
	construction.Game
	tell func(construction.Task)
}

func (a hearing) Answered(t construction.Task) { a.tell(t) }

// TestAGroupIsAnsweredOnceTheHubHasIt, and not while its file waits: what the worker would go on
// from has to last as long.
func TestAGroupIsAnsweredOnceTheHubHasIt(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	o := y.brings(t, h.Inside(), "w")
	disk := watchSyncs(h)
	var told atomic.Int32
	o.Builds = func(proofs.Setting) (construction.Game, error) {
		return hearing{y.game(y.limits(1 << 30)), func(task construction.Task) {
			told.Add(1)
			if !disk.built(task.Job) {
				t.Errorf("the line of %v is not on disk", task)
			}
			h.mutex.Lock()
			defer h.mutex.Unlock()
			if q := h.questions[y.question().ID()]; q.underway != nil && q.pursuit.(*building).byJob(task.Job) != nil {
				t.Errorf("%v is to be built still", task)
			}
		}}, nil
	}
	stop := startWorker(t, o)
	tally := y.built(t, dial(t, h.Inside()))
	stop()
	if want := int32(len(tally.Slices)); told.Load() == 0 || told.Load() > want {
		t.Errorf("told of %d groups of %d slices", told.Load(), want)
	}
}

// doneBuilding is a game that does something once it has built a group.
type doneBuilding struct {
	hearing
	then func()
}

func (g doneBuilding) Build(ctx context.Context, task construction.Task, load verify.Loader, out io.Writer) (construction.Made, error) {
	defer g.then()
	return g.hearing.Build(ctx, task, load, out)
}

// TestAGroupWhoseQuestionWaitsForMemoryIsNotAnswered: it goes out again, and the worker goes on from
// what it has.
func TestAGroupWhoseQuestionWaitsForMemoryIsNotAnswered(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	o := y.brings(t, h.Inside(), "w")
	o.Lanes = 1
	built := make(chan struct{})
	o.Builds = func(proofs.Setting) (construction.Game, error) {
		return doneBuilding{hearing{y.game(y.limits(1 << 30)), func(task construction.Task) {
			t.Errorf("%v is answered", task)
		}}, func() {
			h.mutex.Lock()
			defer h.mutex.Unlock()
			h.options.Room, h.questions[y.question().ID()].stage = 1, wire.Waiting
			close(built)
		}}, nil
	}
	defer startWorker(t, o)()
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	<-built
	for waiting := 0; waiting == 0; { // the lane has done with it
		h.mutex.Lock()
		waiting = len(h.waiting)
		h.mutex.Unlock()
	}
}

// forging is a game that builds a win of each group as a draw, with counts and checksums
// that are right.
type forging struct {
	construction.Game
	of *fanorona.Game
}

func (f forging) Build(ctx context.Context, task construction.Task, load verify.Loader, out io.Writer) (construction.Made, error) {
	var text bytes.Buffer
	made, err := f.Game.Build(ctx, task, load, &text)
	if err != nil {
		return made, err
	}
	var forged bytes.Buffer
	whole, from := text.Bytes(), int64(0)
	for i, p := range made.Parts {
		file := bytes.NewReader(whole[from : from+p.Bytes])
		from += p.Bytes
		if made.Parts[i], err = f.forge(ctx, p, file, &forged); err != nil {
			return made, err
		}
	}
	sum := sha256.Sum256(forged.Bytes())
	made.Bytes, made.Digest = int64(forged.Len()), hex.EncodeToString(sum[:])
	_, err = out.Write(forged.Bytes())
	return made, err
}

func (f forging) forge(ctx context.Context, p construction.Part, file *bytes.Reader, out *bytes.Buffer) (construction.Part, error) {
	read, err := flat.Read(ctx, flat.FileName(p.Slice, bitboard.WDL), file, p.Bytes)
	if err != nil {
		return p, err
	}
	h := read.Header
	slice, err := f.of.ParseSlice(p.Slice)
	if err != nil {
		return p, err
	}
	table := bitboard.NewTable(h.Metric, slice, h.Indices)
	if err := read.Load(ctx, table, 1, nil); err != nil {
		return p, err
	}
	for i := range h.Indices {
		if q, weight := f.of.Unrank(slice, i); table.Outcome(i).Value == bitboard.Win && weight > 0 && f.of.Holds(q) {
			table.WDL.Set(i, bitboard.Draw)
			h.Win, h.Draw = h.Win-uint64(weight), h.Draw+uint64(weight)
			break
		}
	}
	if h.Fingerprint, err = h.Identity.TableFingerprint(ctx, h.Metric, h.Slice, h.Indices, table, 1); err != nil {
		return p, err
	}
	before := out.Len()
	err = flat.Write(ctx, out, h, table, 1, nil)
	return construction.Part{Slice: p.Slice, Bytes: int64(out.Len() - before), Fingerprint: h.Fingerprint}, err
}

// TestWrongValuesAreNotStored, with the right checksums: whoever built them is believed no
// more, whether the hub derives them or another worker.
func TestWrongValuesAreNotStored(t *testing.T) {
	of, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	for _, verified := range []string{"by the hub", "by another worker"} {
		t.Run(verified, func(t *testing.T) {
			y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 4})
			h := y.start(t, t.TempDir(), nil)
			liar := y.brings(t, h.Inside(), "liar")
			builds := liar.Builds
			liar.Builds = func(s proofs.Setting) (construction.Game, error) {
				game, err := builds(s)
				return forging{game, of}, err
			}
			if verified != "by the hub" {
				h.seen("", wire.Hello{Worker: "honest", Version: version, Lanes: 2}) // who comes later
			}
			atWork(t, liar)
			c := dial(t, h.Inside())
			if _, err := c.Ask(t.Context(), y.question()); err != nil {
				t.Fatal(err)
			}
			for h.Status().Jobs.Accepted == 0 { // it has built something
				time.Sleep(time.Millisecond)
			}
			atWork(t, y.brings(t, h.Inside(), "honest"))
			y.built(t, c)
			if !strings.Contains(h.metrics(), "paika_hub_workers_refuted_total 1\n") {
				t.Errorf("%+v: want one worker refuted", h.Status().Jobs)
			}
			for _, w := range h.Status().Workers {
				if (w.Rejected > 0) != (w.Name == "liar") {
					t.Errorf("%+v", w)
				}
			}
		})
	}
}

// TestWhoAsksHearsThatAllWorkersWereFoundWrong, and where no other can come, that this is the end.
func TestWhoAsksHearsThatAllWorkersWereFoundWrong(t *testing.T) {
	for _, oneProcess := range []bool{false, true} {
		y, of := fanoronaYardOn(t, bitboard.Board{Width: 3, Height: 3}, construction.Order{Metric: "wdl", Pieces: 3})
		h := y.start(t, t.TempDir(), func(o *Options) { o.OneProcess = oneProcess })
		liar := y.brings(t, h.Inside(), "liar")
		builds := liar.Builds
		liar.Builds = func(s proofs.Setting) (construction.Game, error) {
			game, err := builds(s)
			return forging{game, of}, err
		}
		stop := startWorker(t, liar)
		c := dial(t, h.Inside())
		if _, err := c.Ask(t.Context(), y.question()); err != nil {
			t.Fatal(err)
		}
		for h.Status().Jobs.Refuted == 0 {
			time.Sleep(time.Millisecond)
		}
		switch s := h.Status().Questions[0]; {
		case oneProcess && (s.Stage != wire.Failed || s.Error != errDistrusted.Error()):
			t.Errorf("where no other worker comes: %s, %q", s.Stage, s.Error)
		case !oneProcess && (s.Groups == nil || !s.Groups.Distrusted):
			t.Errorf("%s, %+v", s.Stage, s.Groups)
		}
		stop()
		if !oneProcess {
			atWork(t, y.brings(t, h.Inside(), "honest"))
			y.built(t, c)
		}
		h.Close()
	}
}

// TestAGroupThatIsNoneIsRejected: a result cut off, one of another digest, one of other
// slices, one without a file.
func TestAGroupThatIsNoneIsRejected(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
	h := y.start(t, t.TempDir(), nil)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	r := enlist(t, h.Inside(), version)
	d, started := r.receive()
	if d.Build == nil {
		t.Fatalf("%+v", d)
	}
	var text bytes.Buffer
	made, err := y.game(y.limits(1<<30)).Build(t.Context(), *d.Build, h.loader(d.Tables), &text)
	if err != nil {
		t.Fatal(err)
	}
	whole := text.String()
	for name, lie := range map[string]func(m *construction.Made) (file string){
		"cut off": func(*construction.Made) string { return whole[:len(whole)/2] },
		"cut, and says so": func(m *construction.Made) string {
			m.Bytes /= 2
			m.Parts[len(m.Parts)-1].Bytes -= made.Bytes - m.Bytes
			return whole[:m.Bytes]
		},
		"longer":         func(*construction.Made) string { return whole + "x" },
		"another digest": func(m *construction.Made) string { m.Digest = "../../ledger"; return whole },
		"no slices":      func(m *construction.Made) string { m.Parts = nil; return whole },
		"other slices":   func(m *construction.Made) string { m.Parts[0].Slice = "../1v1"; return whole },
		"garbage": func(m *construction.Made) string {
			garbage := strings.Repeat("x", len(whole))
			sum := sha256.Sum256([]byte(garbage))
			m.Digest = hex.EncodeToString(sum[:])
			return garbage
		},
		"no file": func(*construction.Made) string { return "" },
	} {
		m := made
		m.Parts = slices.Clone(made.Parts)
		answer := started
		file := lie(&m)
		answer.Built = &m
		if what := r.attempt(answer, file); what != wire.Rejected {
			t.Errorf("%s: %s", name, what)
		}
	}
	for _, answer := range []wire.Result{started, {Started: started.Started, Version: version, Question: started.Question, Built: &made, Piece: new(inspection.Answer)}} {
		if what := r.attempt(answer, whole); what != wire.Rejected {
			t.Errorf("%+v: %s", answer, what)
		}
	}
	atWork(t, y.brings(t, h.Inside(), "honest"))
	y.built(t, c)
}

// TestAWorkerWithoutMemoryLeavesGroupsToOthers, and says so.
func TestAWorkerWithoutMemoryLeavesGroupsToOthers(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	small := y.brings(t, h.Inside(), "small")
	small.Builds = func(proofs.Setting) (construction.Game, error) { return y.game(y.limits(1)), nil }
	told := make(chan string, 1)
	small.Notice = func(text string) {
		select {
		case told <- text:
		default:
		}
	}
	atWork(t, small)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	if text := <-told; !strings.Contains(text, "left to other workers") {
		t.Error(text)
	}
	atWork(t, y.brings(t, h.Inside(), "large"))
	y.built(t, c)
}

// TestWhoAsksHearsThatNoWorkerHasTheMemory for a group, which goes out no more until another worker
// comes.
func TestWhoAsksHearsThatNoWorkerHasTheMemory(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	small := func(name string, memory uint64) func() {
		o := y.brings(t, h.Inside(), name)
		o.Builds = func(proofs.Setting) (construction.Game, error) { return y.game(y.limits(memory)), nil }
		return startWorker(t, o)
	}
	stopOne, stopTwo := small("one", 1), small("two", 2)
	c := dial(t, h.Inside())
	short := func(most uint64) *construction.Short {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var lack *construction.Short
		_, err := c.Wait(ctx, y.question(), func(s wire.State) {
			if s.Groups != nil && s.Groups.Short != nil && s.Groups.Short.Most == most {
				lack = s.Groups.Short
				cancel()
			}
		})
		if lack == nil {
			t.Fatal("nobody is told that memory is wanting: ", err)
		}
		return lack
	}
	lack := short(2)
	if lack.Group != "1v1" || lack.Need <= 2 {
		t.Errorf("%+v", lack)
	}
	if out := h.Status().Jobs.Out; out > 0 {
		t.Errorf("%d jobs are out", out)
	}
	stopTwo()
	short(1)
	stopAgain := small("two", 3) // by the same name
	short(3)
	stopOne()
	stopAgain()
	atWork(t, y.brings(t, h.Inside(), "large"))
	y.built(t, c)
}

// TestAHubWithoutMemoryBuildsNothing, and says so before anything is done.
func TestAHubWithoutMemoryBuildsNothing(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	for _, change := range []func(*Options){
		func(o *Options) { o.Room = 1 },
		func(o *Options) {
			o.Builds = func(proofs.Setting) (construction.Game, error) {
				limits := y.limits(1)
				limits.Dir = y.dir
				return y.game(limits), nil
			}
		},
		func(o *Options) {
			o.Builds = func(proofs.Setting) (construction.Game, error) {
				limits := y.limits(1 << 30)
				limits.Dir, limits.Alone = y.dir, true
				limits.Building = func([]bitboard.Group) uint64 { return 1 << 30 }
				return y.game(limits), nil
			}
		},
	} {
		h := y.start(t, t.TempDir(), change)
		_, err := dial(t, h.Inside()).Wait(t.Context(), y.question(), nil)
		if !errors.Is(err, inspection.ErrMemory) {
			t.Errorf("%v", err)
		}
		h.Close()
	}
}

// TestAQuestionThatIsNoneIsRefused: a hub that does not build, and orders that are none.
func TestAQuestionThatIsNoneIsRefused(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	c := dial(t, h.Inside())
	for _, order := range []construction.Order{{}, {Metric: "xyz"}, {Metric: "wdl", Pieces: 99}, {Metric: "wdl", Slices: "../x"}, {Metric: "wdl", Slices: strings.Repeat("1v1,", wire.MostText)}} {
		q := y.question()
		q.Order = order
		if _, err := c.Wait(t.Context(), q, nil); !errors.Is(err, client.ErrFailed) {
			t.Errorf("%v: %v", order, err)
		}
	}
	q := y.question()
	q.Kind = wire.Verification
	if _, err := c.Wait(t.Context(), q, nil); !errors.Is(err, client.ErrFailed) {
		t.Errorf("%v", err)
	}
	none := y.start(t, t.TempDir(), func(o *Options) { o.Builds = nil })
	if _, err := dial(t, none.Inside()).Wait(t.Context(), y.question(), nil); !errors.Is(err, client.ErrFailed) {
		t.Errorf("%v", err)
	}
}

// TestAGroupThatNobodyTakesLetsOthersGoFirst: who has too little memory for one may have
// enough for another.
func TestAGroupThatNobodyTakesLetsOthersGoFirst(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	y.plain(t, y.dir)
	y.order.Pieces = 4 // two groups, which do not need each other
	h := y.start(t, t.TempDir(), nil)
	r := enlist(t, h.Inside(), version)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	first := ""
	for range 2 * mostDeliveries {
		d, answer := r.receive()
		if first == "" {
			first = d.Name()
		}
		if d.Name() != first {
			return
		}
		r.giveBack(answer)
	}
	t.Error("the same group goes out again and again")
}

// TestABuildMayTakeLong, longer than any other job: it could be given to nobody else who is
// faster.
func TestABuildMayTakeLong(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
	h := y.start(t, t.TempDir(), nil)
	r := enlist(t, h.Inside(), version)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	_, answer := r.receive()
	h.mutex.Lock()
	if g := h.out[answer.Message]; g.taken.IsZero() {
		t.Error("nobody has the job")
	} else {
		g.taken = g.taken.Add(-2 * mostHeld * h.options.Lease)
	}
	h.mutex.Unlock()
	h.Audit()
	if jobs := h.Status().Jobs; jobs.GivenUp != 0 || jobs.Out != 1 {
		t.Errorf("%+v", jobs)
	}
}

// tight is a game whose folder is on a disk that is full for a while: so often it can't be
// opened, so many groups can't be stored, so many tables not be read out, and so often it
// can't be closed.
type tight struct {
	construction.Game
	opens, groups, tables, closes *atomic.Int32
}

func (g tight) Open(ctx context.Context, o construction.Order, completing func(construction.Completing)) (construction.Site, error) {
	site, err := g.Game.Open(ctx, o, completing)
	if err != nil {
		return nil, err
	}
	if g.opens.Add(-1) >= 0 {
		err = fmt.Errorf("a test: %w", tablebase.ErrDiskFull)
	}
	return tightSite{site, g}, err
}

type tightSite struct {
	construction.Site
	of tight
}

func (s tightSite) Import(ctx context.Context, group int, made construction.Made, file io.ReaderAt) error {
	if s.of.groups.Add(-1) >= 0 {
		return fmt.Errorf("a test: %w", tablebase.ErrDiskFull)
	}
	return s.Site.Import(ctx, group, made, file)
}

func (s tightSite) Write(ctx context.Context, of verify.Table, out io.Writer) error {
	if s.of.tables.Add(-1) >= 0 {
		return fmt.Errorf("a test: %w", syscall.ENOSPC)
	}
	return s.Site.Write(ctx, of, out)
}

func (s tightSite) Close() error {
	if s.of.closes.Add(-1) >= 0 {
		return fmt.Errorf("a test: %w", tablebase.ErrDiskFull)
	}
	return s.Site.Close()
}

// TestAConstructionWaitsForRoom, with its beginning, with its tables, with the files that workers
// fetch, and with its end: the folder is for others after that.
func TestAConstructionWaitsForRoom(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	var opens, groups, tables, closes atomic.Int32
	opens.Store(1)
	groups.Store(2)
	tables.Store(2)
	closes.Store(2)
	var told atomic.Int32
	h := y.start(t, t.TempDir(), func(o *Options) {
		o.Address, o.Lease = "127.0.0.1:0", time.Second
		o.Notice = func(text string) {
			if t.Log(text); strings.Contains(text, "waits for room") {
				told.Add(1)
			}
		}
		builds := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			game, err := builds(s)
			return tight{game, &opens, &groups, &tables, &closes}, err
		}
	})
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	atWork(t, y.brings(t, a, "w"))
	y.built(t, dial(t, a))
	if told := told.Load(); told != 7 {
		t.Errorf("told %d times that the disk is full, want 7", told)
	}
}

// watched is a game that calls a function each time that it tells what it completes.
type watched struct {
	construction.Game
	look func()
}

func (g watched) Open(ctx context.Context, o construction.Order, completing func(construction.Completing)) (construction.Site, error) {
	return g.Game.Open(ctx, o, func(c construction.Completing) {
		completing(c)
		g.look()
	})
}

// closingSite does something before its folder is closed.
type closingSite struct {
	construction.Site
	before func()
}

func (s closingSite) Close() error {
	s.before()
	return s.Site.Close()
}

// TestAConstructionWaitsForMemoryOnceItsFolderIsClosed: where room comes before, it is not begun
// beside itself.
func TestAConstructionWaitsForMemoryOnceItsFolderIsClosed(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	const room = 1 << 30
	others := &sharedSite{bytes: room, users: 1, ready: make(chan struct{})}
	var h *Hub
	leave := sync.OnceFunc(func() {
		h.mutex.Lock()
		stage := h.questions[y.question().ID()].stage
		h.mutex.Unlock()
		if stage != wire.Preparing {
			t.Errorf("it is %s with its folder open", stage)
		}
		h.vacate(proofs.Setting{}, others)
	})
	h = y.start(t, t.TempDir(), func(o *Options) {
		o.Room = room
		open := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			g, err := open(s)
			return changedGame{g, func(s construction.Site) construction.Site { return closingSite{s, leave} }}, err
		}
	})
	h.mutex.Lock()
	h.sites[proofs.Setting{}] = others
	h.mutex.Unlock()
	atWork(t, y.brings(t, h.Inside(), "w"))
	y.built(t, dial(t, h.Inside()))
}

// seenSite shows each file of a group that it has checked.
type seenSite struct {
	construction.Site
	files chan *os.File
}

func (s seenSite) Check(ctx context.Context, group int, made construction.Made, file io.ReaderAt, size int64) (construction.Checked, error) {
	checked, err := s.Site.Check(ctx, group, made, file, size)
	s.files <- file.(*os.File)
	return checked, err
}

// TestAGroupIsClosedBeforeItGetsItsName: Windows renames no open file.
func TestAGroupIsClosedBeforeItGetsItsName(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
	files := make(chan *os.File, 1)
	h := y.start(t, t.TempDir(), func(o *Options) {
		builds := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			game, err := builds(s)
			return changedGame{game, func(s construction.Site) construction.Site { return seenSite{s, files} }}, err
		}
	})
	h.keeping.Lock() // before the name
	atWork(t, y.brings(t, h.Inside(), "w"))
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	file := <-files
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		if _, err := file.Stat(); errors.Is(err, os.ErrClosed) {
			break
		}
		if time.Since(began) > 10*time.Second {
			t.Error("the file is open")
			break
		}
	}
	h.keeping.Unlock()
	y.built(t, c)
}

// TestAWorkerWithoutMemoryLeavesPiecesToOthers, and goes on.
func TestAWorkerWithoutMemoryLeavesPiecesToOthers(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3})
	h := y.start(t, t.TempDir(), nil)
	atWork(t, y.brings(t, h.Inside(), "large"))
	small := y.brings(t, h.Inside(), "small")
	small.Tables = func(proofs.Setting) (inspection.Game, error) { return deriver{y.game(y.limits(1))}, nil }
	small.Builds = func(proofs.Setting) (construction.Game, error) { return y.game(y.limits(1)), nil }
	atWork(t, small)
	y.built(t, dial(t, h.Inside()))
}

// TestAResultThatComesWhileItsQuestionIsPreparedIsAskedForAgain: a hub that starts again does not know
// yet what is wanted. That takes a moment; a lane does not wait for memory, which may take days.
func TestAResultThatComesWhileItsQuestionIsPreparedIsAskedForAgain(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	setStage := func(to wire.Stage) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		h.questions[answer.Question].stage = to
	}
	for stage, want := range map[wire.Stage]wire.Outcome{wire.Preparing: wire.Pending, wire.Waiting: wire.Later} {
		setStage(stage)
		if what := h.judge(&result{Result: answer}); what.Outcome != want {
			t.Errorf("%s: %q, want %q", stage, what.Outcome, want)
		}
	}
	setStage(wire.Searching)
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("%s, want %s", got, wire.Accepted)
	}
}

// gossip is a site whose searchers tell numbers without end.
type gossip struct{ share.Site }

func (s gossip) Searcher(o share.SearcherOptions) (share.Searcher, error) {
	searcher, err := s.Site.Searcher(o)
	return gossiper{searcher}, err
}

type gossiper struct{ share.Searcher }

func (s gossiper) Search(ctx context.Context, task share.Task, version string, workers int, file string, watch share.Watch) (share.Found, error) {
	found, err := s.Searcher.Search(ctx, task, version, workers, file, watch)
	if found.Verdict == proofnumber.Undecided {
		found.Turns = make([]jobs.Turn, 1<<17)
	}
	return found, err
}

// TestAResultFitsAMessage, however many turns a position has.
func TestAResultFitsAMessage(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least = 1 }, g)
	talks := *g
	talks.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		return gossip{site}, err
	}
	work(t, h.Inside(), "w", 1, &talks)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	for h.Status().Jobs.Accepted == 0 {
		time.Sleep(time.Millisecond)
	}
}

// blind is a game whose shares never have findings.
type blind struct{ inspection.Game }

func (b blind) Pieces(ctx context.Context, g verify.Group, load verify.Loader) (inspection.Pieces, error) {
	pieces, err := b.Game.Pieces(ctx, g, load)
	return blindPieces{pieces}, err
}

type blindPieces struct{ inspection.Pieces }

func (b blindPieces) Share(ctx context.Context, slice string, lo, hi uint64, moved func(uint64)) (verify.Found, error) {
	found, err := b.Pieces.Share(ctx, slice, lo, hi, moved)
	found.Findings, found.Total = nil, 0
	return found, err
}

func (b blindPieces) Ground(ctx context.Context, workers int, moved func(uint64)) (verify.Found, error) {
	found, err := b.Pieces.Ground(ctx, workers, moved)
	found.Findings, found.Total = nil, 0
	return found, err
}

// TestALiarUnderManyNamesIsFoundOut: one builds wrong, and two confirm whatever came, to
// which the hub listens no more than to one.
func TestALiarUnderManyNamesIsFoundOut(t *testing.T) {
	y, of := fanoronaYardOn(t, bitboard.Board{Width: 3, Height: 3}, construction.Order{Metric: "wdl", Pieces: 4})
	y.indices = 64
	h := y.start(t, t.TempDir(), func(o *Options) { o.Audited = 1 })
	builder := y.brings(t, h.Inside(), "builder")
	builds := builder.Builds
	builder.Builds = func(s proofs.Setting) (construction.Game, error) {
		game, err := builds(s)
		return forging{game, of}, err
	}
	atWork(t, builder)
	c := dial(t, h.Inside())
	for _, name := range []string{"first", "second"} {
		confirms := y.brings(t, h.Inside(), name)
		tables := confirms.Tables
		confirms.Tables = func(s proofs.Setting) (inspection.Game, error) {
			game, err := tables(s)
			return blind{game}, err
		}
		confirms.Builds = builder.Builds
		atWork(t, confirms)
	}
	if _, err := c.Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	for h.Status().Jobs.Refuted == 0 { // the hub has found out one of them
		time.Sleep(time.Millisecond)
	}
	atWork(t, y.brings(t, h.Inside(), "honest"))
	y.built(t, c)
}

// watchful is a game whose pieces are watched: whether a group is grounded beside its shares.
type watchful struct {
	construction.Game
	beside *atomic.Bool
}

func (g watchful) Pieces(ctx context.Context, of verify.Group, load verify.Loader) (inspection.Pieces, error) {
	pieces, err := g.Game.Pieces(ctx, of, load)
	return &watchfulPieces{Pieces: pieces, beside: g.beside}, err
}

type watchfulPieces struct {
	inspection.Pieces
	beside  *atomic.Bool
	shares  atomic.Int32
	grounds atomic.Int32
}

// look looks whether shares are derived and the group is grounded, for a moment.
func (p *watchfulPieces) look() {
	for range 1000 {
		if p.shares.Load() > 0 && p.grounds.Load() > 0 {
			p.beside.Store(true)
		}
		runtime.Gosched()
	}
}

func (p *watchfulPieces) Share(ctx context.Context, slice string, lo, hi uint64, moved func(uint64)) (verify.Found, error) {
	p.shares.Add(1)
	defer p.shares.Add(-1)
	p.look()
	return p.Pieces.Share(ctx, slice, lo, hi, moved)
}

func (p *watchfulPieces) Ground(ctx context.Context, workers int, moved func(uint64)) (verify.Found, error) {
	p.grounds.Add(1)
	defer p.grounds.Add(-1)
	p.look()
	return p.Pieces.Ground(ctx, workers, moved)
}

// TestWhoBuiltAGroupBuildsAnother, while all jobs that lanes may want are shares of those before, which
// others are to derive.
func TestWhoBuiltAGroupBuildsAnother(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 5})
	y.plain(t, y.dir)
	y.order.Pieces = 6 // of which there are three groups, and none needs another
	h := y.start(t, t.TempDir(), nil)
	h.busy(t, "other") // it may derive them, and takes one
	builder := y.brings(t, h.Inside(), "builder")
	builds := make(chan string)
	builder.Builds = func(proofs.Setting) (construction.Game, error) {
		return announced{y.game(y.limits(1 << 30)), builds}, nil
	}
	atWork(t, builder)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	for built := make(map[string]bool); len(built) < 3; {
		select {
		case group := <-builds:
			if built[group] {
				t.Fatalf("%s is built twice", group)
			}
			built[group] = true
		case <-time.After(soon):
			t.Fatalf("nothing is built after %v, of which shares are out: %+v", built, h.Status().Jobs)
		}
	}
}

// announced is a game that tells what it is to build.
type announced struct {
	construction.Game
	builds chan<- string
}

func (g announced) Build(ctx context.Context, task construction.Task, load verify.Loader, out io.Writer) (construction.Made, error) {
	g.builds <- task.String()
	return g.Game.Build(ctx, task, load, out)
}

// TestAGroupIsGroundedAlone: what is not grounded is taken out of the tables, and shares beside that
// would have nothing to be derived from.
func TestAGroupIsGroundedAlone(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 4})
	beside := new(atomic.Bool)
	h := y.start(t, t.TempDir(), func(o *Options) {
		o.Workers = 4
		builds := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			game, err := builds(s)
			return watchful{game, beside}, err
		}
	})
	atWork(t, y.brings(t, h.Inside(), "builder"))
	y.built(t, dial(t, h.Inside()))
	if beside.Load() {
		t.Error("a group is grounded while shares of it are derived")
	}
}

// TestALiarIsKnownWhereverAHubIsKilled: as long as what refutes it is in the ledger, so is that it was
// wrong.
func TestALiarIsKnownWhereverAHubIsKilled(t *testing.T) {
	y, dir, left := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2}), t.TempDir(), t.TempDir()
	found := make(chan struct{})
	h := y.start(t, dir, func(o *Options) {
		o.Notice = func(text string) {
			if t.Log(text); strings.Contains(text, "believed no more") {
				if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
					t.Error(err)
				}
				close(found)
			}
		}
	})
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	d, answer := r.receive()
	for ; d.Piece == nil; d, answer = r.receive() {
		r.leave(answer)
		atWork(t, y.brings(t, h.Inside(), "builder"))
	}
	answer.Piece = &inspection.Answer{Found: 1, First: "all is wrong"}
	if d.Piece.Slice == "" {
		answer.Piece.Quiet = make([]uint64, len(d.Piece.Group.Slices))
	}
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Fatal(got)
	}
	<-found
	h.Close()
	text, err := os.ReadFile(filepath.Join(left, ledgerName))
	if err != nil {
		t.Fatal(err)
	}
	y.dir = filepath.Join(t.TempDir(), "db")
	known, refuted := 0, 0
	for end := len(text); end > 0; end = bytes.LastIndexByte(text[:end-1], '\n') + 1 {
		told := t.TempDir()
		if err := errors.Join(os.CopyFS(told, os.DirFS(left)), os.WriteFile(filepath.Join(told, ledgerName), text[:end], 0o666)); err != nil {
			t.Fatal(err)
		}
		made, wrong := y.recalled(t, told)
		if !made {
			continue
		}
		if known++; wrong {
			refuted++
		}
		byHub := 0
		if _, err := ledger.Read(bytes.NewReader(text[:end]), func(e ledger.Entry) {
			if e.Piece != nil && e.Piece.Worker == "" && e.Piece.Job == d.Piece.Job {
				byHub++
			}
		}); err != nil {
			t.Fatal(err)
		}
		if wrong != (byHub > 0) {
			t.Errorf("the liar is known: %v, after %d lines of what the hub came to\n%s", wrong, byHub, text[:end])
		}
	}
	if known < 2 || refuted == 0 {
		t.Errorf("the group was known %d times, and the liar %d times:\n%s", known, refuted, text)
	}
}

// TestALargeGroupMayComeToAHubThatBeginsAnew, before it knows which groups it lacks, and before it has
// given that one out itself.
func TestALargeGroupMayComeToAHubThatBeginsAnew(t *testing.T) {
	y := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2})
	var reading sync.Mutex
	reading.Lock()
	h := y.start(t, t.TempDir(), func(o *Options) {
		o.MostPart = 10
		builds := o.Builds
		o.Builds = func(s proofs.Setting) (construction.Game, error) {
			reading.Lock()
			defer reading.Unlock()
			return builds(s)
		}
	})
	if _, err := h.ask("", wire.Ask{Question: y.question()}); err != nil {
		t.Fatal(err)
	}
	name, piece := wire.NewName(), make([]byte, 20)
	if size, err := h.addPiece("", name, "0", piece); size != 0 || !errors.Is(err, errUnsure) {
		t.Errorf("while tables are read: %d bytes, %v", size, err)
	}
	reading.Unlock()
	for h.Status().Questions[0].Stage == wire.Preparing {
		runtime.Gosched()
	}
	if size, err := h.addPiece("", name, "0", piece); size != 20 || err != nil {
		t.Errorf("before the group is given out: %d bytes, %v", size, err)
	}
	if _, err := h.addPiece("", wire.NewName(), "0", make([]byte, 1<<20)); !errors.Is(err, errUpload) {
		t.Errorf("more than any group has: %v", err)
	}
}

// TestAGroupOutlivesALiarWhoBuiltTheSame: files are the same, whoever builds them. That one is believed
// no more costs a hub that starts again nothing of another's.
func TestAGroupOutlivesALiarWhoBuiltTheSame(t *testing.T) {
	y, dir := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 2}), t.TempDir()
	h := y.start(t, dir, nil)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), y.question()); err != nil {
		t.Fatal(err)
	}
	r := newRogue(t, h)
	for d, answer := r.receive(); d.Piece == nil; d, answer = r.receive() {
		r.leave(answer)
		atWork(t, y.brings(t, h.Inside(), "builder"))
	}
	left := filepath.Join(t.TempDir(), "left")
	if err := os.CopyFS(left, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	h.Close()
	y.dir = filepath.Join(t.TempDir(), "db")
	h = y.start(t, left, func(o *Options) { o.OnlyAsked = true })
	b, err := h.openBuilding(h.questions[y.question().ID()])
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	var built *ledger.Built
	if err := h.ledger.Of(ofAll, func(e ledger.Entry) {
		if e.Built != nil {
			built = e.Built
		}
	}); err != nil || built == nil {
		t.Fatal(built, err)
	}
	again := *built
	again.Worker = "another"
	for _, e := range []ledger.Entry{{Wrong: &ledger.Wrong{Question: built.Question, Worker: built.Worker}}, {Built: &again}} {
		if err := h.ledger.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.retell(); err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(b.works, func(w *unit) bool { return w.made != nil && w.made.worker == again.Worker }) {
		t.Errorf("the group of %s is not there", again.Worker)
	}
}

// TestWhoHadPartInWhatIsStoredIsNamedAfterAStop, if it is found to be wrong by then.
func TestWhoHadPartInWhatIsStoredIsNamedAfterAStop(t *testing.T) {
	y, dir := fanoronaYard(t, construction.Order{Metric: "wdl", Pieces: 3}), t.TempDir()
	h := y.start(t, dir, func(o *Options) { o.Audited = 1 << 30 })
	one, two := startWorker(t, y.brings(t, h.Inside(), "one")), startWorker(t, y.brings(t, h.Inside(), "two"))
	for len(h.Status().Workers) < 2 {
		time.Sleep(time.Millisecond)
	}
	y.built(t, dial(t, h.Inside()))
	one()
	two()
	h.Close()
	var told []string
	h = y.start(t, dir, func(o *Options) {
		o.OnlyAsked = true
		o.Notice = func(text string) { told = append(told, text) }
	})
	b, err := h.openBuilding(h.questions[y.question().ID()])
	if err != nil {
		t.Fatal(err)
	}
	defer b.close()
	theirs := make(map[string]string) // who derived a piece that the hub did not: of others the hub knows itself
	if err := h.ledger.Of(ofAll, func(e ledger.Entry) {
		switch {
		case e.Piece == nil:
		case e.Piece.Worker == "":
			delete(theirs, e.Piece.Job)
		default:
			theirs[e.Piece.Job] = e.Piece.Worker
		}
	}); err != nil || len(theirs) == 0 {
		t.Fatal(theirs, err)
	}
	var derived string
	for _, derived = range theirs {
	}
	if err := b.retell(); err != nil || len(told) > 0 {
		t.Fatal(told, err)
	}
	b.disbelieve("another")
	if len(told) > 0 {
		t.Errorf("of another: %q", told)
	}
	b.disbelieve(derived)
	if len(told) == 0 || !strings.Contains(told[0], "had part in") {
		t.Errorf("of who derived: %q", told)
	}
}

// recalled is what a hub on a folder knows before anything else is done: whether there is a group, and
// whether the rogue was wrong.
func (y *yard) recalled(t *testing.T, dir string) (made, wrong bool) {
	t.Helper()
	h := y.start(t, dir, func(o *Options) { o.OnlyAsked = true })
	defer h.Close()
	for _, q := range h.questions {
		b, err := h.openBuilding(q)
		defer b.close()
		if err = errors.Join(err, b.retell()); err != nil {
			t.Fatal(err)
		}
		made, wrong = slices.ContainsFunc(b.works, func(w *unit) bool { return w.made != nil }), b.wrong["rogue"]
	}
	return made, wrong
}
