package retrograde_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// onDisk builds into a store, which is opened and closed again for each run.
type onDisk struct {
	t       *testing.T
	dir     string
	game    *fanorona.Game
	version string
}

func (d onDisk) open() *tablebase.Store {
	d.t.Helper()
	store, err := tablebase.Open(d.dir, tablebase.Identity{Game: "fanorona", Board: "5x3"}, tablebase.Options{Version: d.version, Workers: 2})
	if err != nil {
		d.t.Fatal(err)
	}
	return store
}

func (d onDisk) build(ctx context.Context, opts retrograde.Options) error {
	d.t.Helper()
	store := d.open()
	_, err := retrograde.Build(ctx, d.game, groups(d.t, d.game, 7), store.Tables(opts.Metric, d.game), opts)
	return errors.Join(err, store.Close())
}

// manifest is that of a store in which every value is right.
func (d onDisk) manifest(metric bitboard.Metric) string {
	d.t.Helper()
	store := d.open()
	defer store.Close()
	report, err := verify.Run(d.t.Context(), d.game, store, verify.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	for _, f := range report.Findings {
		d.t.Error(f)
	}
	text, err := store.Manifest(metric)
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}

// Groups go on from checkpoints on disk, and come to the tables of a build that
// was never stopped.
func TestCheckpointsOnDiskTakeUpAGroup(t *testing.T) {
	if testing.Short() {
		t.Skip("opens a store for each of many stops")
	}
	g := newGame(t, "5x3", fanorona.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}
		whole, stopped := onDisk{t: t, dir: t.TempDir(), game: g}, onDisk{t: t, dir: t.TempDir(), game: g}
		if err := whole.build(t.Context(), opts); err != nil {
			t.Fatal(err)
		}
		opts = opts.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
		stops, kept := 0, 0
		for ; ; stops++ {
			// Each run may do a little more than the one before.
			err := stopped.build(stopAfter(t.Context(), 40*(stops+3)), opts)
			if err == nil {
				break
			}
			var at *retrograde.StoppedError
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
			if errors.As(err, &at) {
				if at.Kept {
					kept++
				}
				if at.Kept == at.Early || at.Checkpoint != nil || at.Group == "" || at.Phase == "" {
					t.Errorf("%+v", at)
				}
			}
		}
		t.Logf("%v: %d stops, %d checkpoints", metric, stops, kept)
		if kept < 20 {
			t.Errorf("%v: only %d checkpoints", metric, kept)
		}
		if got, want := stopped.manifest(metric), whole.manifest(metric); got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// A checkpoint of another version is neither gone on from nor replaced, whenever the build is
// stopped: the program that made it goes on.
func TestTheWorkOfAnotherVersionStays(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
	d := onDisk{t: t, dir: t.TempDir(), game: g, version: "first"}
	stopped, entered := opts, context.Background()
	stopped.Entered = func(group, phase string) {
		if phase == retrograde.Counting && len(strings.Fields(group)) == 2 {
			entered.(*countdown).left.Store(0)
		}
	}
	entered = stopAfter(t.Context(), 1<<40)
	if err := d.build(entered, stopped); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	read := func() (path, text string) {
		t.Helper()
		paths, err := filepath.Glob(filepath.Join(d.dir, "checkpoint-*"))
		if err != nil || len(paths) != 1 {
			t.Fatal(paths, err)
		}
		whole, err := os.ReadFile(paths[0])
		if err != nil {
			t.Fatal(err)
		}
		return paths[0], string(whole)
	}
	path, want := read()
	for _, asked := range []int{1 << 40, 3, 30} {
		d.version = "second"
		err := d.build(stopAfter(t.Context(), asked), opts)
		if asked == 1<<40 && (err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "version first, and this is version second")) {
			t.Errorf("another version: %v", err)
		}
		if _, got := read(); got != want {
			t.Fatalf("stopped after %d, the other version has replaced it", asked)
		}
	}
	d.version, stopped.Entered = "first", nil
	store := d.open()
	result, err := retrograde.Build(t.Context(), g, groups(t, g, 7), store.Tables(bitboard.WDL, g), stopped)
	if err := errors.Join(err, store.Close()); err != nil || result.Before == 0 {
		t.Errorf("the first goes on after %v s, %v", result.Before, err)
	}
}

// killed has every checkpoint of a build, with what was stored by then: what there would be if the
// build had been killed.
type killed struct {
	*memory
	phase  string
	phases int // begun so far
	states []savedState
}

// savedState is a checkpoint, and how far the work was.
type savedState struct {
	checkpoints
	phase    string
	phases   int
	Distance int
}

func (k *killed) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	s := savedState{checkpoints: checkpoints{memory: newMemory()}, phase: k.phase, phases: k.phases}
	maps.Copy(s.memory.tables, k.tables)
	maps.Copy(s.summaries, k.summaries)
	err := errors.Join(s.SaveCheckpoint(text, tables), json.Unmarshal(text, &s))
	k.states = append(k.states, s)
	return err
}

func (k *killed) LoadCheckpoint(context.Context, []*bitboard.Table) (text []byte, refused, err error) {
	return nil, nil, nil
}
func (k *killed) RefuseCheckpoint([]*bitboard.Table, error) error { return nil }
func (k *killed) DropCheckpoint([]*bitboard.Table) error          { return nil }

// within tells whether two checkpoints were saved in one and the same phase, and for dtw in one
// round.
func (k *killed) within(phase string) bool {
	for i := 1; i < len(k.states); i++ {
		before, after := &k.states[i-1], &k.states[i]
		if after.phase == phase && after.phases == before.phases && after.Distance == before.Distance {
			return true
		}
	}
	return false
}

// Checkpoints are saved now and then though nobody stops the build: while it settles, within a
// sweep, within a round and by sets. A build that is killed goes on from each.
func TestCheckpointsAreSavedInAllThatTakesLong(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	sets, setGroups := newPhutball(t, "3x5", phutball.Rules{})
	phases := []string{retrograde.Settling, retrograde.Sweeping, retrograde.Propagating}
	rounds := []string{"finding losses in 2 turns and wins in 3", "finding losses in 10 turns and wins in 11"}
	for _, c := range []struct {
		name   string
		game   retrograde.Game
		groups []bitboard.Group
		few    uint64
		within []string // phases
	}{
		{"fanorona", g, groups(t, g, 5), 128, phases},
		{"no faster ways", struct{ retrograde.Game }{g}, groups(t, g, 4), 128, phases},
		{"sets", sets, setGroups, 1 << 40, rounds},
		{"few are left of sets", sets, setGroups, 64, rounds},
	} {
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}.WithGrain(512, 64, 16, 128, 1024).WithCheckpointsAlways().WithFew(c.few)
			k := &killed{memory: newMemory()}
			watched := opts
			watched.Entered = func(_, phase string) { k.phase, k.phases = phase, k.phases+1 }
			if _, err := retrograde.Build(t.Context(), c.game, c.groups, k, watched); err != nil {
				t.Fatal(err)
			}
			for _, phase := range c.within {
				if !k.within(phase) {
					t.Errorf("%s, %v: no two of %d checkpoints are saved in the middle of %s", c.name, metric, len(k.states), phase)
				}
			}
			for i := 0; i < len(k.states); i += 1 + len(k.states)/20 {
				s := &k.states[i].checkpoints
				if _, err := retrograde.Build(t.Context(), c.game, c.groups, s, opts); err != nil || s.taken != 1 || !s.same(k.memory) {
					t.Errorf("%s, %v: killed after %d of %d checkpoints: %v, taken up %d times, the same tables: %v", c.name, metric, i+1, len(k.states), err, s.taken, s.same(k.memory))
				}
			}
		}
	}
}

// A build that was stopped with a slice of a pair saved, which no other needed, goes on as
// a larger one that needs it, to the tables that this has without a stop.
func TestALargerBuildTakesUpAGroup(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	small, large := groups(t, g, 6), groups(t, g, 7)
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithCheckpoints(1)
	build := func(d onDisk, list []bitboard.Group, at bitboard.Slice) error {
		store := d.open()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		_, err := retrograde.Build(ctx, g, list, cutShort{store.Tables(bitboard.WDL, g).ForBuild(list), at, cancel}, opts)
		return errors.Join(err, store.Close())
	}
	whole := onDisk{t: t, dir: t.TempDir(), game: g}
	if err := build(whole, large, bitboard.MaxSlices); err != nil {
		t.Fatal(err)
	}
	want := whole.manifest(bitboard.WDL)
	last := 3 // groups, at each of which a build is stopped
	if testing.Short() {
		last = 1
	}
	for _, cut := range small[len(small)-last:] {
		stopped := onDisk{t: t, dir: t.TempDir(), game: g}
		if err := build(stopped, small, cut.Slices[0]); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if err := build(stopped, large, bitboard.MaxSlices); err != nil {
			t.Fatal(err)
		}
		if got := stopped.manifest(bitboard.WDL); got != want {
			t.Errorf("stopped at %s:\n%s\nwant\n%s", g.SliceName(cut.Slices[0]), got, want)
		}
	}
}

// What builds took that were stopped is told by the one that finishes their groups, and by no other.
func TestABuildTellsWhatItWentOnFromTook(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithCheckpoints(1)
	got := &checkpoints{memory: newMemory()}
	last := 0.0
	for stops := range 3 { // each in another phase of the last group
		ctx, stop := context.WithCancel(t.Context())
		opts.Entered = func(group, phase string) {
			if phase == []string{retrograde.Sweeping, retrograde.Propagating, retrograde.Counting}[stops] && group == "3v2 2v3" {
				stop()
			}
		}
		result, err := retrograde.Build(ctx, g, groups(t, g, 5), got, opts)
		var state struct{ Seconds float64 }
		if !errors.Is(err, context.Canceled) || json.Unmarshal(got.text, &state) != nil {
			t.Fatalf("%v, checkpoint %s", err, got.text)
		}
		if state.Seconds <= last || result.Before != 0 {
			t.Errorf("stop %d after %v s, the one before after %v s; %v s are told of", stops, state.Seconds, last, result.Before)
		}
		last = state.Seconds
	}
	opts.Entered = nil
	for _, want := range []float64{last, 0} {
		if result, err := retrograde.Build(t.Context(), g, groups(t, g, 5), got, opts); err != nil || result.Before != want {
			t.Errorf("%v s before, want %v; %v", result.Before, want, err)
		}
	}
}

// cutShort cancels a build once it has saved a slice.
type cutShort struct {
	*tablebase.Tables
	at     bitboard.Slice
	cancel context.CancelFunc
}

func (c cutShort) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	err := c.Tables.Save(ctx, t, sum)
	if t.Slice == c.at {
		c.cancel()
	}
	return err
}

// A checkpoint that cannot be saved is told to whom stops the build, and to
// nobody else.
func TestBuildsGoOnWithoutCheckpoints(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithCheckpoints(1)
	full := errors.New("disk full")
	got := &checkpoints{memory: newMemory(), failSave: full}
	if _, err := retrograde.Build(t.Context(), g, groups(t, g, 5), got, opts); err != nil {
		t.Fatal(err)
	}
	if want := build(t, g, 5, opts); got.saved == 0 || !got.same(want) {
		t.Errorf("%d checkpoints tried; tables are those of a build that keeps none: %v", got.saved, got.same(want))
	}
	got = &checkpoints{memory: newMemory(), failSave: full}
	_, err := retrograde.Build(stopAfter(t.Context(), 10), g, groups(t, g, 5), got, opts)
	var at *retrograde.StoppedError
	if !errors.As(err, &at) || at.Kept || !errors.Is(at.Checkpoint, full) || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if want := fmt.Sprintf("solving %s: stopped while %s: context canceled; saving a checkpoint: disk full", at.Group, at.Phase); err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// A checkpoint whose state no build has is not gone on from, and that is told.
func TestStatesThatNoBuildHasAreRefused(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		opts := retrograde.Options{Metric: metric, Workers: 2, Memory: plenty}.WithCheckpoints(1)
		want := build(t, g, 5, opts)
		for forged, reason := range map[string]string{
			`[]`:                              "has no state",
			`{"Settled":[1],"Quiet":[0,0,0]}`: "a state that no build has",
			`{"Settled":[9223372036854775807,0],"Quiet":[0,0]}`:                    "more of slice",
			`{"Settled":[0,0],"Quiet":[9223372036854775807,0]}`:                    "more of slice",
			`{"Settled":[0,0],"Quiet":[0,0],"Swept":true,"Distance":-3}`:           "a state that no build has",
			`{"Settled":[0,0],"Quiet":[0,0],"Swept":true,"Longest":1000000000000}`: "a state that no build has",
			`{"Settled":[0,0],"Quiet":[0,0],"BySets":true}`:                        "a state that no build has",
			`{"Settled":[0,0],"Quiet":[0,0],"Seconds":-1}`:                         "a state that no build has",
		} {
			got := &checkpoints{memory: newMemory()}
			ctx, stop := context.WithCancel(t.Context())
			opts.Entered = func(group, phase string) {
				if phase == retrograde.Counting && len(strings.Fields(group)) == 2 {
					stop()
				}
			}
			if _, err := retrograde.Build(ctx, g, groups(t, g, 5), got, opts); !errors.Is(err, context.Canceled) || got.text == nil {
				t.Fatalf("%v, checkpoint %s", err, got.text)
			}
			got.text = []byte(forged)
			for _, table := range got.tables { // of values that are wrong
				for i := range table.WDL {
					table.WDL[i] = 0x5555555555555555
				}
			}
			var notices []string
			opts.Entered, opts.Notice = nil, func(text string) { notices = append(notices, text) }
			if result, err := retrograde.Build(t.Context(), g, groups(t, g, 5), got, opts); err != nil || result.Before != 0 {
				t.Fatalf("%s: %v seconds before, %v", forged, result.Before, err)
			}
			if len(notices) != 1 || !strings.Contains(notices[0], reason) || !got.same(want) {
				t.Errorf("%v, %s: told %q, want %q; the same tables: %v", metric, forged, notices, reason, got.same(want))
			}
		}
	}
}

// Depths that no build has are not gone on from, whether it marks what is in play or solves by sets.
func TestDepthsThatNoBuildHasAreRefused(t *testing.T) {
	const inPlay = 1 << 15
	fanorona3 := newGame(t, "5x3", fanorona.Rules{})
	phutball3, all := newPhutball(t, "3x5", phutball.Rules{})
	for _, c := range []struct {
		name   string
		game   retrograde.Game
		groups []bitboard.Group
		forged []bitboard.Depth
	}{
		{"marked", fanorona3, groups(t, fanorona3, 5), []bitboard.Depth{
			bitboard.MakeDepth(bitboard.Draw, 1), inPlay, inPlay | bitboard.OpenDepth,
			inPlay | bitboard.MakeDepth(bitboard.Win, bitboard.MaxDistance), 0xffff,
		}},
		{"by sets", phutball3, all, []bitboard.Depth{
			bitboard.MakeDepth(bitboard.Draw, 1), bitboard.OpenDepth, inPlay | bitboard.MakeDepth(bitboard.Win, 1), 0xffff,
		}},
	} {
		opts := retrograde.Options{Metric: bitboard.DTW, Workers: 2, Memory: plenty}.WithCheckpoints(1)
		want := newMemory()
		if _, err := retrograde.Build(t.Context(), c.game, c.groups, want, opts); err != nil {
			t.Fatal(err)
		}
		last := c.groups[len(c.groups)-1].Slices
		for _, depth := range c.forged {
			got := &checkpoints{memory: newMemory()}
			ctx, stop := context.WithCancel(t.Context())
			opts.Entered = func(group, phase string) {
				if phase == retrograde.Counting && strings.HasPrefix(group, c.game.SliceName(last[0])) {
					stop()
				}
			}
			if _, err := retrograde.Build(ctx, c.game, c.groups, got, opts); !errors.Is(err, context.Canceled) || got.text == nil {
				t.Fatalf("%s: %v, checkpoint %s", c.name, err, got.text)
			}
			values := got.tables[len(got.tables)-1].DTW
			values[len(values)-1] = depth
			var notices []string
			opts.Entered, opts.Notice = nil, func(text string) { notices = append(notices, text) }
			if result, err := retrograde.Build(t.Context(), c.game, c.groups, got, opts); err != nil || result.Before != 0 || !got.same(want) {
				t.Errorf("%s, depth %#x: %v seconds before, the same tables: %v; %v", c.name, uint16(depth), result.Before, got.same(want), err)
			}
			told := fmt.Sprintf("its checkpoint has values of slice %s that no build has", c.game.SliceName(last[len(last)-1]))
			if len(notices) != 1 || !strings.HasSuffix(notices[0], told) {
				t.Errorf("%s, depth %#x: told %q, want %q", c.name, uint16(depth), notices, told)
			}
		}
	}
}

// Where no turn stays in a slice nothing is open, and a checkpoint may say that all is: a build that goes
// on from it comes to its end.
func TestWhatIsOpenWithoutTurnsIsFollowed(t *testing.T) {
	kernel, err := konane.New[konane.Word](bitboard.Board{Width: 4, Height: 3}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	all, err := kernel.Groups()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		metric bitboard.Metric
		values []bitboard.Depth // all that a marked table can have
	}{
		{bitboard.WDL, nil},
		{bitboard.DTW, []bitboard.Depth{bitboard.OpenDepth, 1<<15 | bitboard.MakeDepth(bitboard.Win, 1), 1<<15 | bitboard.MakeDepth(bitboard.Loss, 2)}},
	} {
		opts := retrograde.Options{Metric: c.metric, Workers: 2, Memory: plenty}.WithCheckpoints(1)
		got := &checkpoints{memory: newMemory()}
		ctx, stop := context.WithCancel(t.Context())
		last := all[len(all)-1].Slices[0]
		opts.Entered = func(group, phase string) {
			if phase == retrograde.Counting && strings.HasPrefix(group, kernel.SliceName(last)) {
				stop()
			}
		}
		if _, err := retrograde.Build(ctx, kernel, all, got, opts); !errors.Is(err, context.Canceled) || got.text == nil {
			t.Fatalf("%v, checkpoint %s", err, got.text)
		}
		state := make(map[string]any)
		if err := json.Unmarshal(got.text, &state); err != nil {
			t.Fatal(err)
		}
		state["Longest"], state["Swept"] = 2, false
		if got.text, err = json.Marshal(state); err != nil {
			t.Fatal(err)
		}
		for _, table := range got.tables {
			clear(table.WDL)
			for i := range table.DTW {
				table.DTW[i] = c.values[i%len(c.values)]
			}
		}
		opts.Entered = nil
		if _, err := retrograde.Build(t.Context(), kernel, all, got, opts); err != nil || got.taken == 0 {
			t.Errorf("%v: %v, %d checkpoints taken up", c.metric, err, got.taken)
		}
	}
}

// A checkpoint that was refused is none to go on from, also where no other can be saved.
func TestWhatWasRefusedIsNotKept(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithCheckpoints(1)
	got := &checkpoints{memory: newMemory()}
	stop := func() *retrograde.StoppedError {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		opts.Entered = func(group, phase string) {
			if phase == retrograde.Counting && len(strings.Fields(group)) == 2 {
				cancel()
			}
		}
		_, err := retrograde.Build(ctx, g, groups(t, g, 5), got, opts)
		var at *retrograde.StoppedError
		if !errors.As(err, &at) {
			t.Fatal(err)
		}
		return at
	}
	if at := stop(); !at.Kept || at.Checkpoint != nil {
		t.Fatal(at)
	}
	got.failSave = errors.New("disk full")
	if at := stop(); !at.Kept || !errors.Is(at.Checkpoint, got.failSave) {
		t.Errorf("taken up: kept %t, %v", at.Kept, at)
	}
	got.text = []byte(`[]`)
	if at := stop(); at.Kept || !errors.Is(at.Checkpoint, got.failSave) {
		t.Errorf("refused: kept %t, %v", at.Kept, at)
	}
}

// A build that is stopped while it takes up a checkpoint has done nothing that is to be saved.
func TestACheckpointThatIsJustTakenUpIsNotSavedAgain(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithGrain(256, 64, 16, 64, 1024).WithCheckpoints(1)
	got := &checkpoints{memory: newMemory()}
	if _, err := retrograde.Build(stopAfter(t.Context(), 60), g, groups(t, g, 5), got, opts); !errors.Is(err, context.Canceled) || got.text == nil {
		t.Fatalf("%v, checkpoint %s", err, got.text)
	}
	saved := got.saved
	ctx, cancel := context.WithCancel(t.Context())
	got.loaded = cancel
	if _, err := retrograde.Build(ctx, g, groups(t, g, 5), got, opts); !errors.Is(err, context.Canceled) || got.taken != 1 || got.saved != saved || got.text == nil {
		t.Errorf("%v: taken up %d times, saved %d times after that", err, got.taken, got.saved-saved)
	}
	got.loaded = nil
	if _, err := retrograde.Build(t.Context(), g, groups(t, g, 5), got, opts); err != nil || got.taken != 2 {
		t.Errorf("%v: taken up %d times", err, got.taken)
	}
}

// A build without checkpoints that is stopped while it saves a group saves all
// of it: half a group would be of no use.
func TestStoppedBuildsSaveWholeGroups(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	ctx, cancel := context.WithCancel(t.Context())
	m := cancelled{newMemory(), cancel}
	_, err := retrograde.Build(ctx, g, groups(t, g, 5), m, retrograde.Options{Workers: 2, Memory: plenty})
	if !errors.Is(err, context.Canceled) || len(m.tables) == 0 {
		t.Fatalf("%d slices, error %v", len(m.tables), err)
	}
	for _, group := range groups(t, g, 5) {
		saved := 0
		for _, s := range group.Slices {
			if m.Has(s) {
				saved++
			}
		}
		if saved != 0 && saved != len(group.Slices) {
			t.Errorf("%d of the slices %v are saved", saved, group.Slices)
		}
	}
}

// replacing is a storage in which a slice is lost that is half replaced. The build is cancelled
// in the middle of the first times.
type replacing struct {
	*sparse
	checkpoints
	cancel   func()
	replaced int
}

func (r *replacing) Has(s bitboard.Slice) bool { return r.sparse.Has(s) }

func (r *replacing) Load(ctx context.Context, t *bitboard.Table) error { return r.sparse.Load(ctx, t) }

func (r *replacing) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	if r.Has(t.Slice) {
		delete(r.sparse.tables, t.Slice)
		if r.replaced++; r.replaced < 4 {
			r.cancel()
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.sparse.Save(ctx, t, sum)
}

func (r *replacing) SaveWhole(ctx context.Context, t *bitboard.Table) error {
	r.whole[t.Slice] = true
	return r.Save(ctx, t, r.sparse.summaries[t.Slice])
}

// A build that is stopped while it replaces a slice that was stored with values left out does not
// lose it, be it for what follows from it, or as it was left of its group by a build cut short.
func TestStoppedBuildsLoseNoSlice(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	small, large := groups(t, g, 4), groups(t, g, 5)
	opts := retrograde.Options{Workers: 2, Memory: plenty}.WithCheckpoints(1)
	pair := small[slices.IndexFunc(small, func(g bitboard.Group) bool { return len(g.Slices) == 2 })]
	for name, c := range map[string]struct {
		lacks bitboard.Slice // of what the smaller build stored
		list  []bitboard.Group
	}{
		"completed":         {bitboard.MaxSlices, large},
		"left of its group": {pair.Slices[1], small},
	} {
		s := &sparse{memory: newMemory(), game: g, whole: map[bitboard.Slice]bool{}}
		if _, err := retrograde.Build(t.Context(), g, small, s, opts); err != nil {
			t.Fatal(err)
		}
		delete(s.tables, c.lacks)
		for _, group := range small {
			for _, slice := range group.Needs {
				s.whole[slice] = slice != pair.Slices[0] // what others need is, but for one of the pair
			}
		}
		had := slices.Collect(maps.Keys(s.tables))
		r := &replacing{sparse: s, checkpoints: checkpoints{memory: newMemory()}}
		for {
			ctx, cancel := context.WithCancel(t.Context())
			r.cancel = cancel
			_, err := retrograde.Build(ctx, g, c.list, r, opts)
			cancel()
			for _, slice := range had {
				if !r.Has(slice) {
					t.Fatalf("%s: slice %s is lost: %v", name, g.SliceName(slice), err)
				}
			}
			if err == nil {
				break
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		if r.replaced == 0 {
			t.Errorf("%s: nothing is replaced", name)
		}
	}
}

// cancelled is a memory that has the build cancelled in the first save of a
// pair of slices.
type cancelled struct {
	*memory
	cancel func()
}

func (c cancelled) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	if len(c.tables) == 1 {
		c.cancel()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.memory.Save(ctx, t, sum)
}

// lasting keeps the last checkpoint of each group, also of one that is saved.
type lasting struct {
	*memory
	texts  map[bitboard.Slice][]byte // by the first slice of a group
	tables map[bitboard.Slice]*bitboard.Table
}

func (l lasting) SaveCheckpoint(text []byte, tables []*bitboard.Table) error {
	l.texts[tables[0].Slice] = text
	for _, t := range tables {
		l.tables[t.Slice] = &bitboard.Table{Slice: t.Slice, WDL: slices.Clone(t.WDL), DTW: slices.Clone(t.DTW)}
	}
	return nil
}

func (l lasting) LoadCheckpoint(_ context.Context, tables []*bitboard.Table) (text []byte, refused, err error) {
	if text = l.texts[tables[0].Slice]; text != nil {
		for _, t := range tables {
			copy(t.WDL, l.tables[t.Slice].WDL)
			copy(t.DTW, l.tables[t.Slice].DTW)
		}
	}
	return text, nil, nil
}

func (lasting) RefuseCheckpoint(_ []*bitboard.Table, why error) error { return why }

func (lasting) DropCheckpoint([]*bitboard.Table) error { return nil }

// counted counts what is settled and followed back. It has none of the faster ways.
type counted struct {
	retrograde.Game
	settled, followed *int
}

func (c counted) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	*c.settled += int(hi - lo)
	c.Game.Settle(s, lo, hi, e)
}

func (c counted) Backward(s bitboard.Slice, indices []uint64, e *bitboard.Edges) {
	*c.followed += len(indices)
	c.Game.Backward(s, indices, e)
}

// A group that was solved, and whose values were lost before they were stored, comes from its last
// checkpoint: nothing is settled or followed again.
func TestASolvedGroupComesFromItsLastCheckpoint(t *testing.T) {
	g := newGame(t, "5x3", fanorona.Rules{})
	list := groups(t, g, 6)
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		settled, followed := 0, 0
		game := counted{g, &settled, &followed}
		opts := retrograde.Options{Metric: metric, Workers: 1, Memory: plenty}.WithCheckpoints(1)
		build := func(l lasting) *memory {
			settled, followed = 0, 0
			l.memory = newMemory()
			if _, err := retrograde.Build(t.Context(), game, list, l, opts); err != nil {
				t.Fatal(err)
			}
			return l.memory
		}
		l := lasting{texts: map[bitboard.Slice][]byte{}, tables: map[bitboard.Slice]*bitboard.Table{}}
		first := build(l)
		if settled == 0 || followed == 0 {
			t.Errorf("%v: settled %d, followed %d: want some", metric, settled, followed)
		}
		if again := build(l); !again.same(first) {
			t.Errorf("%v: other tables or counts", metric)
		}
		if settled+followed > 0 {
			t.Errorf("%v: settled %d, followed %d: want none", metric, settled, followed)
		}
	}
}
