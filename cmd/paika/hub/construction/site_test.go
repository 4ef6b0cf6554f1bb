package construction

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

// hall is a site, and a game that builds for it.
type hall struct {
	Site
	builds Game
	typed  *game[fanorona.Position] // of the site
}

// fanorona3x3 is the game on its smallest board.
func fanorona3x3(t *testing.T, o Options) *game[fanorona.Position] {
	t.Helper()
	board := bitboard.Board{Width: 3, Height: 3}
	of, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	id := tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: fanorona.Rules{}.String()}
	o.Version, o.Workers = "of the store", 1
	if o.Building == nil {
		o.Building = func([]bitboard.Group) uint64 { return 0 }
	}
	return New(of, board, id, o).(*game[fanorona.Position])
}

// limits are options of a folder.
func limits(dir string, memory uint64) (o Options) {
	o.Dir, o.Memory = dir, memory
	return o
}

// newHall opens a folder for an order.
func newHall(t *testing.T, dir string, order Order) *hall {
	t.Helper()
	h := &hall{builds: fanorona3x3(t, limits("", 1<<30)), typed: fanorona3x3(t, limits(dir, 1<<30))}
	site, err := h.typed.Open(t.Context(), order, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := site.Close(); err != nil {
			t.Error(err)
		}
	})
	h.Site = site
	return h
}

// built builds a group elsewhere.
func (h *hall) built(t *testing.T, group int) (made Made, file string) {
	t.Helper()
	var out bytes.Buffer
	made, err := h.builds.Build(t.Context(), h.Task(group, "v"), h.Load, &out)
	if err != nil {
		t.Fatal(err)
	}
	return made, out.String()
}

// check checks a file.
func (h *hall) check(t *testing.T, group int, made Made, file string) (Checked, error) {
	t.Helper()
	return h.Check(t.Context(), group, made, strings.NewReader(file), int64(len(file)))
}

// stored builds and stores a group.
func (h *hall) stored(t *testing.T, group int) {
	t.Helper()
	made, file := h.built(t, group)
	if err := h.Import(t.Context(), group, made, strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
}

// derived is what a group that was made comes to by the rules.
func (h *hall) derived(t *testing.T, of verify.Group, made Made, file string) []verify.Sums {
	t.Helper()
	pieces, err := h.builds.Pieces(t.Context(), of, func(ctx context.Context, table verify.Table, into *bitboard.Table) error {
		if slices.Contains(of.Slices, table.Slice) {
			return h.LoadMade(ctx, made, strings.NewReader(file), into)
		}
		return h.Load(ctx, table, into)
	})
	if err != nil {
		t.Fatal(err)
	}
	i := inspection.Inspect([]verify.Group{of}, inspection.Terms{Setting: proofs.Setting(h.typed.id), Counts: h.Indices})
	for task, found := i.Next(); found; task, found = i.Next() {
		answer, err := task.Do(t.Context(), pieces, 1, func(uint64) {})
		if err != nil {
			t.Fatal(err)
		}
		i.Decide(task.Job, answer)
	}
	if i.Suspect() {
		t.Errorf("%v is wrong", of.Slices)
	}
	return i.Sums(0)
}

// TestWhatIsBuiltElsewhereIsStoredAsOneBuildDoes, in both metrics: what a file claims is what is derived
// of its group, and anything else is not.
func TestWhatIsBuiltElsewhereIsStoredAsOneBuildDoes(t *testing.T) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		dir := filepath.Join(t.TempDir(), "db")
		h := newHall(t, dir, Order{Metric: metric.String(), Pieces: 4})
		all := h.Groups()
		for i, g := range all {
			if h.Stored(i) != nil {
				t.Errorf("%v is stored before it is built", g.Slices)
			}
			made, file := h.built(t, i)
			sum := sha256.Sum256([]byte(file))
			if made.Digest != hex.EncodeToString(sum[:]) || made.Bytes != int64(len(file)) || made.Bytes+int64(len(g.Slices))<<15 > g.Most || g.Most > made.Bytes+int64(len(g.Slices))<<17 { // with room to spare for each
				t.Errorf("%v: %d bytes of at most %d, as %s; %d came", g.Slices, made.Bytes, g.Most, made.Digest, len(file))
			}
			checked, err := h.check(t, i, made, file)
			if err != nil || !reflect.DeepEqual(checked.Group, h.Verified(i, made)) || !slices.Equal(checked.Group.Slices, g.Slices) {
				t.Fatalf("%+v, %v", checked, err)
			}
			sums := h.derived(t, checked.Group, made, file)
			if !checked.Agree(sums) {
				t.Errorf("%v in %v: it claims %+v, and is %+v", g.Slices, metric, checked.Claims, sums)
			}
			for _, change := range []func(*verify.Sums){
				func(s *verify.Sums) { s.Positions[bitboard.Win]++ },
				func(s *verify.Sums) { s.Quiet++ },
				func(s *verify.Sums) { s.Gaps[metric]++ },
			} {
				other := slices.Clone(sums)
				if change(&other[len(other)-1]); checked.Agree(other) {
					t.Errorf("%v in %v: it claims %+v, and agrees with %+v", g.Slices, metric, checked.Claims, other)
				}
			}
			other := slices.Clone(sums)
			if other[0].Longest[bitboard.Win]++; checked.Agree(other) != (metric == bitboard.WDL) { // which has no distances
				t.Errorf("%v in %v: another longest win is one: %v", g.Slices, metric, !checked.Agree(other))
			}
			if checked.Agree(sums[1:]) {
				t.Errorf("%v: a slice less agrees", g.Slices)
			}
			if err := h.Import(t.Context(), i, made, strings.NewReader(file)); err != nil {
				t.Fatal(err)
			}
			if got := h.Stored(i); !reflect.DeepEqual(got, made.Tables(metric.String())) {
				t.Errorf("%v is stored as %v, want %v", g.Slices, got, made.Tables(metric.String()))
			}
		}
		tally, err := h.Tally()
		if err != nil || err == nil && h.Close() != nil {
			t.Fatal(err)
		}
		want := plain(t, h.typed, metric, 4)
		if !reflect.DeepEqual(tally.Slices, want) || tally.Asked != len(want) || tally.Disk == 0 {
			t.Errorf("%+v\nwant %+v", tally, want)
		}
		for i, g := range all {
			var positions, indices uint64
			for _, info := range want {
				if slices.Contains(g.Slices, info.Name) {
					positions, indices = positions+info.Positions, indices+info.Indices
				}
			}
			if g.Positions != positions || g.Indices != indices {
				t.Errorf("%+v, want %d positions of %d indices", g, positions, indices)
			}
			for _, need := range g.Needs {
				if need >= i {
					t.Errorf("%v comes before what it needs, %v", g.Slices, all[need].Slices)
				}
			}
			if needs := slices.Compact(slices.Sorted(slices.Values(g.Needs))); len(needs) != len(g.Needs) {
				t.Errorf("%v needs a group twice: %v", g.Slices, g.Needs)
			}
		}
	}
}

// plain is what one build stores, in the order of the groups.
func plain(t *testing.T, g *game[fanorona.Position], metric bitboard.Metric, pieces int) (all []tablebase.SliceInfo) {
	t.Helper()
	groups, err := bitboard.GroupsWithin(g.of, pieces)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(filepath.Join(t.TempDir(), "plain"), g.id, tablebase.Options{Version: g.options.Version})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := retrograde.Build(t.Context(), g.of, groups, store.Tables(metric, g.of).ForBuild(groups), retrograde.Options{Metric: metric, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		for _, name := range g.names(group.Slices) {
			info, _ := store.Slice(metric, name)
			all = append(all, info)
		}
	}
	return all
}

// TestAFileThatIsNotTheGroupIsRefused: of other sizes, names, digests and fingerprints than a group has,
// or of another board. What is damaged behind a right digest is damaged all the same.
func TestAFileThatIsNotTheGroupIsRefused(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 4})
	h.stored(t, 0)
	const group = 1 // of two slices
	made, whole := h.built(t, group)
	if len(made.Parts) != 2 {
		t.Fatalf("%+v", made)
	}
	first, digest := made.Parts[0].Bytes, strings.Repeat("0", 64)
	again := func(m *Made, file string) string { // with its digest
		sum := sha256.Sum256([]byte(file))
		m.Digest, m.Bytes = hex.EncodeToString(sum[:]), int64(len(file))
		return file
	}
	for name, c := range map[string]struct {
		lie  func(m *Made) (file string)
		want error // nil: a *flat.FileError
		says string
	}{
		"a slice less":       {func(m *Made) string { m.Parts = m.Parts[:1]; return again(m, whole[:first]) }, ErrMade, "1 slice"},
		"a slice more":       {func(m *Made) string { m.Parts = append(m.Parts, m.Parts[0]); return again(m, whole+whole[:first]) }, ErrMade, "3 slices"},
		"other slices":       {func(m *Made) string { slices.Reverse(m.Parts); return again(m, whole[first:]+whole[:first]) }, ErrMade, "part 0"},
		"another path":       {func(m *Made) string { m.Parts[1].Slice = "../" + m.Parts[1].Slice; return whole }, ErrMade, "part 1"},
		"another size":       {func(m *Made) string { m.Bytes++; return whole }, ErrMade, "2 slices"},
		"less than all":      {func(m *Made) string { m.Parts[1].Bytes--; return whole }, ErrMade, "1 bytes are of no slice"},
		"more than all":      {func(m *Made) string { m.Parts[1].Bytes++; return whole }, ErrMade, "part 1"},
		"nothing of one":     {func(m *Made) string { m.Parts[0].Bytes, m.Parts[1].Bytes = m.Bytes, 0; return whole }, ErrMade, "part 1"},
		"less than nothing":  {func(m *Made) string { m.Parts[0].Bytes, m.Parts[1].Bytes = -1, m.Bytes+1; return whole }, ErrMade, "part 0"},
		"too much of one":    {func(m *Made) string { m.Parts[1].Bytes += 1 << 17; return again(m, whole+strings.Repeat("x", 1<<17)) }, ErrMade, "part 1"},
		"no fingerprint":     {func(m *Made) string { m.Parts[0].Fingerprint = "../" + digest[3:]; return whole }, ErrMade, "part 0"},
		"too short a one":    {func(m *Made) string { m.Parts[0].Fingerprint = digest[1:]; return whole }, ErrMade, "part 0"},
		"another one":        {func(m *Made) string { m.Parts[0].Fingerprint = digest; return whole }, ErrMade, "a file of"},
		"another digest":     {func(m *Made) string { m.Digest = digest; return whole }, ErrMade, "another digest"},
		"other bytes":        {func(*Made) string { return whole[:first] + "x" + whole[first+1:] }, ErrMade, "another digest"},
		"another board":      {func(m *Made) string { return again(m, strings.ReplaceAll(whole, `3x3`, `3x5`)) }, nil, "checksum"},
		"a damaged file":     {func(m *Made) string { return again(m, whole[:first]+"x"+whole[first+1:]) }, nil, ""},
		"files that overlap": {func(m *Made) string { m.Parts[0].Bytes--; m.Parts[1].Bytes++; return whole }, nil, ""},
	} {
		m := made
		m.Parts = slices.Clone(made.Parts)
		file := c.lie(&m)
		checked, err := h.check(t, group, m, file)
		damaged := errors.As(err, new(*flat.FileError))
		if err == nil || errors.Is(err, ErrMade) != (c.want == ErrMade) || damaged != (c.want == nil) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, %v, want %v with %q", name, checked, err, c.want, c.says)
		}
	}
	if _, err := h.check(t, group, made, whole); err != nil {
		t.Error(err)
	}
}

// TestAGroupOfAnotherGameIsRefused, whatever its file says of itself: of other rules it may be whole.
func TestAGroupOfAnotherGameIsRefused(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 2})
	elsewhere := fanorona3x3(t, limits("", 1<<30))
	elsewhere.id.Rules = "others"
	task := h.Task(0, "v")
	task.Setting.Rules = "others"
	var out bytes.Buffer
	made, err := elsewhere.Build(t.Context(), task, h.Load, &out)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.check(t, 0, made, out.String()); !errors.Is(err, ErrMade) {
		t.Errorf("%v", err)
	}
	if err := h.LoadMade(t.Context(), made, bytes.NewReader(out.Bytes()), nil); !errors.Is(err, ErrMade) {
		t.Errorf("%v", err)
	}
	if err := h.Import(t.Context(), 0, made, bytes.NewReader(out.Bytes())); !errors.Is(err, ErrMade) || h.Stored(0) != nil {
		t.Errorf("%v, and it is stored as %v", err, h.Stored(0))
	}
}

// smallest builds the first group, of one slice, and reads its file.
func (h *hall) smallest(t *testing.T) (*flat.File, bitboard.Slice) {
	t.Helper()
	_, file := h.built(t, 0)
	f, err := flat.Read(t.Context(), "1v1.wdl.flat", strings.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	slice, err := f.Header.Fits(h.typed.of)
	if err != nil {
		t.Fatal(err)
	}
	return f, slice
}

// TestAValueThatIsDamagedIsFound where header, directory and digest are whole.
func TestAValueThatIsDamagedIsFound(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 2})
	f, slice := h.smallest(t)
	table := bitboard.NewTable(bitboard.WDL, slice, f.Header.Indices)
	table.WDL[0] = 1
	var out bytes.Buffer
	if err := flat.Write(t.Context(), &out, f.Header, table, 1, nil); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	made := Made{Digest: hex.EncodeToString(sum[:]), Bytes: int64(out.Len()), Parts: []Part{{"1v1", int64(out.Len()), f.Header.Fingerprint}}}
	if _, err := h.check(t, 0, made, out.String()); !errors.Is(err, flat.ErrFingerprint) {
		t.Errorf("%v, want %v", err, flat.ErrFingerprint)
	}
}

// TestAFileOfMoreIndicesThanItsSliceIsRefused, though all of it is whole: its values would not fit a table.
func TestAFileOfMoreIndicesThanItsSliceIsRefused(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 2})
	f, slice := h.smallest(t)
	header, larger := f.Header, bitboard.NewTable(bitboard.WDL, slice, f.Header.Indices+64)
	header.Indices += 64
	fingerprint, err := header.Identity.TableFingerprint(t.Context(), bitboard.WDL, "1v1", header.Indices, larger, 1)
	if err != nil {
		t.Fatal(err)
	}
	header.Fingerprint = fingerprint
	var out bytes.Buffer
	if err := flat.Write(t.Context(), &out, header, larger, 1, nil); err != nil {
		t.Fatal(err)
	}
	sum, lie := sha256.Sum256(out.Bytes()), bytes.NewReader(out.Bytes())
	made := Made{Digest: hex.EncodeToString(sum[:]), Bytes: int64(out.Len()), Parts: []Part{{"1v1", int64(out.Len()), header.Fingerprint}}}
	_, checked := h.check(t, 0, made, out.String())
	for what, err := range map[string]error{
		"checked": checked,
		"loaded":  h.LoadMade(t.Context(), made, lie, bitboard.NewTable(bitboard.WDL, slice, f.Header.Indices)),
		"written": h.WriteMade(t.Context(), made, lie, "1v1", io.Discard),
	} {
		if !errors.Is(err, ErrMade) {
			t.Errorf("it is %s: %v, want %v", what, err, ErrMade)
		}
	}
}

// failing is a file of which reading may fail.
type failing struct {
	io.ReaderAt
	read func() error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if err := f.read(); err != nil {
		return 0, err
	}
	return f.ReaderAt.ReadAt(b, at)
}

// TestAFileThatCantBeReadIsNobodysFault: it is no group that was made wrong.
func TestAFileThatCantBeReadIsNobodysFault(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 2})
	made, file := h.built(t, 0)
	broken, many := errors.New("the disk"), 0
	count := failing{strings.NewReader(file), func() error { many++; return nil }}
	if _, err := h.Check(t.Context(), 0, made, count, made.Bytes); err != nil || many < 3 {
		t.Fatalf("%d reads, %v", many, err)
	}
	for left := range many {
		read := func() error {
			if left--; left < 0 {
				return broken
			}
			return nil
		}
		_, err := h.Check(t.Context(), 0, made, failing{strings.NewReader(file), read}, made.Bytes)
		if !errors.Is(err, broken) || errors.Is(err, ErrMade) || errors.As(err, new(*flat.FileError)) {
			t.Errorf("%v, want %v", err, broken)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	never := failing{strings.NewReader(file), func() error { t.Error("it is read though nobody waits"); return broken }}
	if _, err := h.Check(ctx, 0, made, never, made.Bytes); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// TestAGroupIsStoredOnceAllOfItIs: after a stop in between it is taken from its file once more.
func TestAGroupIsStoredOnceAllOfItIs(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 3})
	h.stored(t, 0)
	made, file := h.built(t, 1)
	half := made
	half.Parts = made.Parts[:1]
	if err := h.Import(t.Context(), 1, half, strings.NewReader(file)); err != nil || h.Stored(1) != nil {
		t.Errorf("half a group is stored as %v, %v", h.Stored(1), err)
	}
	if err := h.Import(t.Context(), 1, made, strings.NewReader(file)); err != nil || len(h.Stored(1)) != 2 {
		t.Errorf("a group is stored as %v, %v", h.Stored(1), err)
	}
}

// TestTablesAreSentAsTheyAre, from the folder and from a file.
func TestTablesAreSentAsTheyAre(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "dtw", Pieces: 3})
	h.stored(t, 0)
	made, file := h.built(t, 1)
	if err := h.Import(t.Context(), 1, made, strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	for _, table := range h.Stored(1) {
		var fromFile, fromFolder bytes.Buffer
		if err := errors.Join(h.WriteMade(t.Context(), made, strings.NewReader(file), table.Slice, &fromFile), h.Write(t.Context(), table, &fromFolder)); err != nil {
			t.Fatal(err)
		}
		slice, err := h.typed.of.ParseSlice(table.Slice)
		if err != nil {
			t.Fatal(err)
		}
		for from, values := range map[string]*bytes.Buffer{"a file": &fromFile, "the folder": &fromFolder} {
			into := bitboard.NewTable(bitboard.DTW, slice, h.Indices(table.Slice))
			if err := inspection.ReadValues(values, into); err != nil {
				t.Fatal(from, err)
			}
			found, err := h.typed.id.TableFingerprint(t.Context(), bitboard.DTW, table.Slice, h.Indices(table.Slice), into, 1)
			if err != nil || found != table.Stored {
				t.Errorf("%s of %s has the fingerprint %s, want %s; %v", table.Slice, from, found, table.Stored, err)
			}
		}
	}
	if h.Indices("../1v1") != 0 {
		t.Error("what is no slice has indices")
	}
	if err := h.Write(t.Context(), verify.Table{Slice: "../1v1"}, io.Discard); err == nil {
		t.Error("what is no slice is written")
	}
}

// TestATaskIsOfAGroupAndItsTables: of others nothing is built.
func TestATaskIsOfAGroupAndItsTables(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 4})
	h.stored(t, 0)
	h.stored(t, 1)
	for name, change := range map[string]func(*Task){
		"another game":    func(t *Task) { t.Setting.Game = "konane" },
		"another board":   func(t *Task) { t.Setting.Board = "5x3" },
		"other rules":     func(t *Task) { t.Setting.Rules = "" },
		"no metric":       func(t *Task) { t.Group.Metric = "dtm" },
		"no slices":       func(t *Task) { t.Group.Slices = nil },
		"other slices":    func(t *Task) { t.Group.Slices = []string{"1v2"} },
		"without a table": func(t *Task) { t.Group.Tables = nil },
		"another table":   func(t *Task) { t.Group.Tables[0].Slice = "1v1" },
		"another metric":  func(t *Task) { t.Group.Tables[0].Metric = "dtw" },
		"values left out": func(t *Task) { t.Group.Tables[0].Whole = t.Group.Tables[0].Stored },
	} {
		task := h.Task(2, "v")
		change(&task)
		never := func(context.Context, verify.Table, *bitboard.Table) error {
			t.Errorf("%s: a table is loaded", name)
			return nil
		}
		if made, err := h.builds.Build(t.Context(), task, never, io.Discard); !errors.Is(err, verify.ErrGroup) {
			t.Errorf("%s: %+v, %v", name, made, err)
		}
	}
}

// TestAGroupIsBuiltFromTheTablesOfItsTask: of other values nothing is, and what can't be loaded or written
// says why.
func TestAGroupIsBuiltFromTheTablesOfItsTask(t *testing.T) {
	h := newHall(t, filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 3})
	h.stored(t, 0)
	broken := errors.New("the line")
	for name, c := range map[string]struct {
		load verify.Loader
		out  io.Writer
		want error
	}{
		"other values": {func(ctx context.Context, table verify.Table, into *bitboard.Table) error {
			err := h.Load(ctx, table, into)
			into.WDL[0] ^= 1
			return err
		}, io.Discard, verify.ErrTable},
		"none":         {func(context.Context, verify.Table, *bitboard.Table) error { return broken }, io.Discard, broken},
		"nobody reads": {h.Load, refusing{broken}, broken},
	} {
		if made, err := h.builds.Build(t.Context(), h.Task(1, "v"), c.load, c.out); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", name, made, err, c.want)
		}
	}
}

// refusing is a writer that takes nothing.
type refusing struct{ err error }

func (r refusing) Write([]byte) (int, error) { return 0, r.err }

// TestAnOrderThatIsNoneIsRefused, and the folder is free for another one: for one at a time.
func TestAnOrderThatIsNoneIsRefused(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	for _, order := range []Order{{Metric: "dtm"}, {}, {Metric: "wdl", Slices: "1v1,9v9"}, {Metric: "wdl", Slices: "1v1,"}, {Metric: "wdl", Pieces: -1}} {
		if site, err := fanorona3x3(t, limits(dir, 1<<30)).Open(t.Context(), order, nil); err == nil || site != nil {
			t.Errorf("%+v: %v, %v", order, site, err)
		}
	}
	h := newHall(t, dir, Order{Metric: "wdl", Pieces: 2})
	if _, err := h.typed.Open(t.Context(), Order{Metric: "wdl", Pieces: 2}, nil); !errors.Is(err, tablebase.ErrLocked) {
		t.Errorf("%v, want %v", err, tablebase.ErrLocked)
	}
}

// TestASiteTakesTheMemoryThatItTells: with a byte less it refuses, and the folder is free again. What is
// stored takes none.
func TestASiteTakesTheMemoryThatItTells(t *testing.T) {
	dir, order := filepath.Join(t.TempDir(), "db"), Order{Metric: "wdl", Pieces: 3}
	h := newHall(t, dir, order)
	need, deriving, largest := h.Memory(), uint64(0), uint64(0)
	for i, g := range h.Groups() {
		pieces, err := verify.GroupMemory(h.typed.of, h.Verified(i, Made{}))
		if err != nil {
			t.Fatal(err)
		}
		deriving = max(deriving, pieces)
		for _, name := range g.Slices {
			slice, err := h.typed.of.ParseSlice(name)
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, bitboard.TableBytes(bitboard.WDL, h.Indices(name)))
			if h.Indices(name) != h.typed.of.Indices(slice) {
				t.Errorf("%s has %d indices", name, h.Indices(name))
			}
		}
		h.stored(t, i)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	if need != deriving+largest {
		t.Errorf("it takes %d bytes, to derive %d, and a table beside that %d", need, deriving, largest)
	}
	if again := newHall(t, dir, order); again.Memory() != 0 {
		t.Errorf("what is stored takes %d bytes", again.Memory())
	} else if err := again.Close(); err != nil {
		t.Fatal(err)
	}
	const overhead, building = 1000, 1 << 20
	for _, c := range []struct {
		memory  uint64
		sharers int
		alone   bool
		want    error
	}{
		{need + overhead - 1, 1, false, inspection.ErrMemory},
		{need + overhead, 0, false, nil},
		{need + overhead, 1, true, inspection.ErrMemory}, // to derive it, and not to build it
		{need + overhead + 2*building, 1, true, nil},
		{2*(need+overhead) - 1, 2, false, inspection.ErrMemory},
		{2 * (need + overhead), 2, false, nil},
		{2 * (need + overhead), 2, true, inspection.ErrMemory},
		{2 * (need + overhead + 2*building), 2, true, nil},
	} {
		o := limits(filepath.Join(t.TempDir(), "db"), c.memory)
		o.Sharers, o.Overhead, o.Alone, o.Building = c.sharers, overhead, c.alone, func([]bitboard.Group) uint64 { return building }
		for _, there := range []bool{false, true, true} { // the folder is free again
			if there {
				makeStore(t, o.Dir)
			}
			site, err := fanorona3x3(t, o).Open(t.Context(), order, nil)
			if !errors.Is(err, c.want) || (site == nil) != (err != nil) {
				t.Errorf("%d bytes for %d, alone %v: %v, want %v", c.memory, c.sharers, c.alone, err, c.want)
			}
			if lack := (*retrograde.MemoryError)(nil); errors.As(err, &lack) && (lack.Have != c.memory || lack.Need <= c.memory) {
				t.Errorf("%d bytes for %d: %v", c.memory, c.sharers, lack)
			}
			if tablebase.Exists(o.Dir) != (there || site != nil) {
				t.Errorf("%d bytes for %d, alone %v: a store is there: %v", c.memory, c.sharers, c.alone, !there)
			}
			if site == nil {
				continue
			}
			if err := site.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// makeStore makes a store without tables in a folder, unless one is there.
func makeStore(t *testing.T, dir string) {
	t.Helper()
	store, err := tablebase.Open(dir, fanorona3x3(t, limits(dir, 1<<30)).id, tablebase.Options{})
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// leftOut builds tables of at most so many pieces, and names the slices of which values are left out.
func leftOut(t *testing.T, g *game[fanorona.Position], pieces int) (names []string) {
	t.Helper()
	groups, err := bitboard.GroupsWithin(g.of, pieces)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(g.options.Dir, g.id, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables := store.Tables(bitboard.WDL, g.of).ForBuild(groups)
	if _, err := retrograde.Build(t.Context(), g.of, groups, tables, retrograde.Options{Metric: bitboard.WDL, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	for _, group := range groups {
		for _, slice := range group.Slices {
			if tables.LeavesOut(slice) {
				names = append(names, g.of.SliceName(slice))
			}
		}
	}
	if err := store.Close(); err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	return names
}

// TestWhatWasLeftOutComesBackOnce, and no more, for all groups that need it.
func TestWhatWasLeftOutComesBackOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	g := fanorona3x3(t, limits(dir, 1<<30))
	before := leftOut(t, g, 3)
	indices := func(name string) uint64 {
		slice, err := g.of.ParseSlice(name)
		if err != nil {
			t.Fatal(err)
		}
		return g.of.Indices(slice)
	}
	told := make(map[string][]uint64)
	opened, err := g.Open(t.Context(), Order{Metric: "wdl", Pieces: 5}, func(c Completing) {
		told[c.Slice] = append(told[c.Slice], c.Done)
		if c.Total != indices(c.Slice) {
			t.Errorf("%+v", c)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Close()
	if left := opened.(*site[fanorona.Position]).incomplete(); len(left) > 0 {
		t.Errorf("values of %v are left out still", g.names(left))
	}
	for name, done := range told {
		if !slices.Contains(before, name) || !slices.IsSorted(done) || done[len(done)-1] != indices(name) {
			t.Errorf("%s: told of %v", name, done)
		}
	}
	if len(told) != len(before) {
		t.Errorf("told of %v, left out was something of %v", told, before)
	}
}

// TestWhatComesBackIsNotLostByAStop: a slice of which all values are there is stored, whoever has gone.
func TestWhatComesBackIsNotLostByAStop(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "db")
	g := fanorona3x3(t, limits(dir, 1<<30))
	leftOut(t, g, 3)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	finished := ""
	order := Order{Metric: "wdl", Pieces: 5}
	if opened, err := g.Open(ctx, order, func(c Completing) {
		if c.Done == c.Total && finished == "" {
			finished = c.Slice
			cancel()
		}
	}); !errors.Is(err, context.Canceled) || opened != nil {
		t.Fatal(opened, err)
	}
	again, err := g.Open(t.Context(), order, func(c Completing) {
		if c.Slice == finished {
			t.Errorf("%s comes back once more", finished)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	for i, group := range again.Groups() {
		if stored := again.Stored(i); slices.Contains(group.Slices, finished) && len(stored) != len(group.Slices) {
			t.Errorf("of %v is stored %v", group.Slices, stored)
		}
	}
}

// TestTablesOfMoreBytesThanNumbersHaveTakeTheMost: no site has room for them.
func TestTablesOfMoreBytesThanNumbersHaveTakeTheMost(t *testing.T) {
	of, err := konane.New[konane.Quad](bitboard.Board{Width: 12, Height: 12}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	slice, err := of.ParseSlice("30v30")
	if err != nil {
		t.Fatal(err)
	}
	g := &game[konane.Position[konane.Quad]]{of: of}
	for metric, many := range map[bitboard.Metric]int{bitboard.DTW: 2, bitboard.WDL: 4} {
		if got := g.bytes(metric, slices.Repeat([]bitboard.Slice{slice}, many)...); got != math.MaxUint64 {
			t.Errorf("%d tables of %v take %d bytes", many, metric, got)
		}
	}
}
