package share_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// hub is where supplies of a test come from: a site with tables.
type hub struct {
	share.Site
	fetched atomic.Int32
	change  func(t proofs.Table, file []byte) ([]byte, error) // nil: as they are
}

// supply is what the hub offers. Its files come at once.
func (h *hub) supply() share.Supply {
	return share.Supply{Tables: slices.Clone(h.Named()), Fetch: func(ctx context.Context, t proofs.Table, path string, most int64, watch func(done, total int64)) error {
		h.fetched.Add(1)
		var file bytes.Buffer
		if err := h.Export(ctx, t, &file); err != nil {
			return err
		}
		text, err := file.Bytes(), error(nil)
		if h.change != nil {
			if text, err = h.change(t, text); err != nil {
				return err
			}
		}
		if int64(len(text)) > most {
			return errors.New("the file is larger than a file of the slice can be")
		}
		watch(int64(len(text)), int64(len(text)))
		return os.WriteFile(path, text, 0o666)
	}}
}

// hubWith is a hub with tables of a board.
func hubWith(t *testing.T, stones int) (*hub, prover.Subject[fanorona.Position], string) {
	of := fanoronaOn(t, 3, 3)
	dir := built(t, of, stones)
	return &hub{Site: open(t, of, dir)}, of, dir
}

func limits(t *testing.T) share.SupplyOptions {
	return share.SupplyOptions{LoadOptions: prover.LoadOptions{Workers: 1, Memory: 1 << 30}, Version: version, Notice: func(text string) { t.Log(text) }}
}

// supplied opens a site with the tables of a supply.
func supplied(t *testing.T, of prover.Subject[fanorona.Position], dir string, from share.Supply) (share.Site, error) {
	t.Helper()
	site, err := share.NewSupplied(t.Context(), of, dir, from, limits(t))
	if err == nil {
		t.Cleanup(site.Close)
	}
	return site, err
}

// alike wants a site to have the tables of a hub, and its folder no litter beside it.
func (h *hub) alike(t *testing.T, site share.Site, err error, dir string) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if site.Tables() != h.Tables() || site.Slices() != h.Slices() {
		t.Errorf("%d tables with fingerprint %s, the hub has %d with %s", site.Slices(), site.Tables(), h.Slices(), h.Tables())
	}
	litter, err := filepath.Glob(dir + ".*")
	if err != nil || len(litter) > 0 {
		t.Errorf("beside the tables lie %v, %v", litter, err)
	}
}

// TestASuppliedSiteHasTheTablesOfTheHub, from a folder that is empty, has some of them,
// has all, or more. Of those with seven stones not all values are stored, and of those with
// three where these are the largest: two of them come whole.
func TestASuppliedSiteHasTheTablesOfTheHub(t *testing.T) {
	all, of, dir := hubWith(t, 7)
	few := &hub{Site: open(t, of, built(t, of, 3))}
	for _, one := range []struct {
		*hub
		dir     string
		fetched int
	}{
		{all, filepath.Join(t.TempDir(), "new", "3x3"), all.Slices()},
		{all, built(t, of, 3), all.Slices() - few.Slices() + 2},
		{all, dir, 0},
		{few, dir, 0},
		{&hub{Site: open(t, of, "")}, dir, 0},
	} {
		one.hub.fetched.Store(0)
		site, err := supplied(t, of, one.dir, one.supply())
		one.alike(t, site, err, one.dir)
		if n := int(one.hub.fetched.Load()); n != one.fetched {
			t.Errorf("%d of %d tables are fetched, want %d", n, one.Slices(), one.fetched)
		}
		searcher, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		searcher.Close()
	}
}

// TestASuppliedFolderCanBeTheOneWhereItWorks: what comes lies beside it, as beside any other.
func TestASuppliedFolderCanBeTheOneWhereItWorks(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	here := filepath.Join(t.TempDir(), "3x3")
	if err := os.Mkdir(here, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Chdir(here)
	from := h.supply()
	fetch := from.Fetch
	from.Fetch = func(ctx context.Context, table proofs.Table, path string, most int64, watch func(done, total int64)) error {
		if want := here + ".fetch"; filepath.Dir(path) != want {
			t.Errorf("%s comes to %s, want it in %s", table.Slice, path, want)
		}
		return fetch(ctx, table, path, most, watch)
	}
	site, err := supplied(t, of, ".", from)
	h.alike(t, site, err, here)
}

// TestASuppliedFolderIsThatOfTheHub, to the last byte of what its manifest says: nothing is
// derived, and nothing is stored twice over. One look ahead finds every value there.
func TestASuppliedFolderIsThatOfTheHub(t *testing.T) {
	h, of, dir := hubWith(t, 7)
	for _, folder := range []string{filepath.Join(t.TempDir(), "3x3"), built(t, of, 3), built(t, of, 5)} {
		site, err := supplied(t, of, folder, h.supply())
		h.alike(t, site, err, folder)
		var manifests [2][]byte
		for i, d := range []string{dir, folder} {
			store := readOnly(t, of, d)
			if manifests[i], err = store.Manifest(bitboard.WDL); err != nil {
				t.Fatal(err)
			}
			prober := tablebase.NewProber(store, of.Game, 0)
			for _, one := range h.Named() {
				slice, err := of.Game.ParseSlice(one.Slice)
				if err != nil {
					t.Fatal(err)
				}
				p, _ := of.Game.Unrank(slice, 0)
				if _, err := prober.Probe(p); err != nil {
					t.Error(err)
				}
			}
		}
		if !bytes.Equal(manifests[0], manifests[1]) {
			t.Errorf("%s\nwant\n%s", manifests[1], manifests[0])
		}
	}
}

func readOnly(t *testing.T, of prover.Subject[fanorona.Position], dir string) *tablebase.Store {
	t.Helper()
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// TestAFolderThatIsWrittenToIsNotLent until its writer is done, and then only if it is the same.
func TestAFolderThatIsWrittenToIsNotLent(t *testing.T) {
	h, of, dir := hubWith(t, 3)
	table := h.Named()[0]
	writer, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Export(t.Context(), table, io.Discard); !errors.Is(err, tablebase.ErrLocked) {
		t.Errorf("%v, want %v", err, tablebase.ErrLocked)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if err := h.Export(t.Context(), table, io.Discard); err != nil {
		t.Error(err)
	}
	table.Checksum = strings.Repeat("0", 64)
	if err := h.Export(t.Context(), table, io.Discard); !errors.Is(err, share.ErrOther) {
		t.Errorf("%v, want %v", err, share.ErrOther)
	}
	few := &hub{Site: open(t, of, built(t, of, 2))}
	site, err := supplied(t, of, dir, few.supply())
	few.alike(t, site, err, dir)
	for _, one := range h.Named() { // those of the folder that are none of the site
		want := share.ErrOther
		if slices.Contains(few.Named(), one) {
			want = nil
		}
		if err := site.Export(t.Context(), one, io.Discard); !errors.Is(err, want) {
			t.Errorf("%v: %v, want %v", one, err, want)
		}
	}
	for _, slice := range forge(t, of, dir, 3) { // who writes finds the folder free
		at := slices.IndexFunc(h.Named(), func(one proofs.Table) bool { return one.Slice == slice })
		if err := h.Export(t.Context(), h.Named()[at], io.Discard); !errors.Is(err, share.ErrOther) || !strings.Contains(err.Error(), "by now") {
			t.Errorf("%s has other values by now: %v", slice, err)
		}
	}
}

// TestTablesAreThereOrNot: where nothing can be fetched the folder has all, or it is told at once.
func TestTablesAreThereOrNot(t *testing.T) {
	h, of, dir := hubWith(t, 4)
	site, err := supplied(t, of, dir, share.Supply{Tables: h.Named()})
	h.alike(t, site, err, dir)
	for _, lacks := range []string{built(t, of, 3), filepath.Join(t.TempDir(), "3x3")} {
		if _, err := supplied(t, of, lacks, share.Supply{Tables: h.Named()}); !errors.Is(err, share.ErrLacking) {
			t.Errorf("%s: %v", lacks, err)
		}
	}
	wide := fanoronaOn(t, 5, 3)
	if _, err := supplied(t, of, built(t, wide, 2), share.Supply{Tables: h.Named()}); !errors.As(err, new(*tablebase.IdentityError)) {
		t.Errorf("a folder of another board: %v", err)
	}
	nowhere := filepath.Join(t.TempDir(), "3x3")
	if none, err := supplied(t, of, nowhere, share.Supply{}); err != nil || none.Slices() != 0 {
		t.Errorf("no tables: %v", err)
	}
	if _, err := os.Stat(nowhere); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder is made for no tables: %v", err)
	}
}

// TestTablesWithFewStonesComeFirst, in whatever order the hub lists them, since others follow from them. One
// file at a time lies beside the tables, and it is bounded.
func TestTablesWithFewStonesComeFirst(t *testing.T) {
	h, of, _ := hubWith(t, 4)
	from, fetched := h.supply(), []string(nil)
	slices.Reverse(from.Tables)
	fetch := from.Fetch
	from.Fetch = func(ctx context.Context, table proofs.Table, path string, most int64, watch func(done, total int64)) error {
		fetched = append(fetched, table.Slice)
		if files, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*")); err != nil || len(files) > 0 || most > 1<<20 {
			t.Errorf("at most %d bytes of %s come beside %v, %v", most, table.Slice, files, err)
		}
		return fetch(ctx, table, path, most, watch)
	}
	dir := filepath.Join(t.TempDir(), "3x3")
	site, err := supplied(t, of, dir, from)
	h.alike(t, site, err, dir)
	if len(fetched) != h.Slices() || !slices.IsSortedFunc(fetched, tablebase.CompareNames) {
		t.Errorf("they come as %v", fetched)
	}
}

// TestASupplyThatBreaksOffGoesOn with what was stored before.
func TestASupplyThatBreaksOffGoesOn(t *testing.T) {
	h, of, _ := hubWith(t, 4)
	dir := filepath.Join(t.TempDir(), "3x3")
	broken := errors.New("the line")
	h.change = func(_ proofs.Table, file []byte) ([]byte, error) {
		if h.fetched.Load() > 3 {
			return nil, broken
		}
		return file, nil
	}
	if _, err := supplied(t, of, dir, h.supply()); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	h.change = nil
	h.fetched.Store(0)
	site, err := supplied(t, of, dir, h.supply())
	h.alike(t, site, err, dir)
	if n := int(h.fetched.Load()); n != h.Slices()-3 {
		t.Errorf("%d tables are fetched, 3 of %d were there", n, h.Slices())
	}
}

// TestAFileThatCameIsKeptOverAStop: the next process need not fetch it once more.
func TestAFileThatCameIsKeptOverAStop(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	dir := filepath.Join(t.TempDir(), "3x3")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	from, came := h.supply(), ""
	fetch := from.Fetch
	from.Fetch = func(ctx context.Context, table proofs.Table, path string, most int64, watch func(done, total int64)) error {
		defer cancel()
		came = path
		return fetch(ctx, table, path, most, watch)
	}
	if _, err := share.NewSupplied(ctx, of, dir, from, limits(t)); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(came); err != nil {
		t.Error(err)
	}
	site, err := supplied(t, of, dir, h.supply())
	h.alike(t, site, err, dir)
}

// copyFolder copies files, and leaves out what is empty of them: logs have much of that.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		copySparse(t, filepath.Join(from, e.Name()), filepath.Join(to, e.Name()))
	}
}

func copySparse(t *testing.T, from, to string) {
	t.Helper()
	source, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	target, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	piece, empty := make([]byte, 1<<20), make([]byte, 1<<20)
	for at := int64(0); ; {
		n, err := source.ReadAt(piece, at)
		if !bytes.Equal(piece[:n], empty[:n]) {
			if _, err := target.WriteAt(piece[:n], at); err != nil {
				t.Fatal(err)
			}
		}
		at += int64(n)
		if errors.Is(err, io.EOF) {
			err = target.Truncate(at)
			if err == nil {
				return
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestAKilledProcessLeavesWhatTheNextOneMends: its folder, as it was while a table came.
func TestAKilledProcessLeavesWhatTheNextOneMends(t *testing.T) {
	h, of, _ := hubWith(t, 4)
	dir, killed := filepath.Join(t.TempDir(), "3x3"), filepath.Join(t.TempDir(), "3x3")
	h.change = func(_ proofs.Table, file []byte) ([]byte, error) {
		if h.fetched.Load() == 3 {
			copyFolder(t, dir, killed)
			copyFolder(t, dir+".fetch", killed+".fetch")
		}
		return file, nil
	}
	if _, err := supplied(t, of, dir, h.supply()); err != nil {
		t.Fatal(err)
	}
	h.fetched.Store(0)
	h.change = nil
	site, err := supplied(t, of, killed, h.supply())
	h.alike(t, site, err, killed)
	if n := int(h.fetched.Load()); n != h.Slices()-2 {
		t.Errorf("%d tables are fetched, 2 of %d were there", n, h.Slices())
	}
}

// TestALyingHubIsFoundOut whatever it sends: nothing of it is stored.
func TestALyingHubIsFoundOut(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	other := h.Named()[1]
	wide := fanoronaOn(t, 5, 3)
	larger, lies := open(t, wide, built(t, wide, 3)), open(t, of, forged(t, of, 3))
	for what, change := range map[string]func(t proofs.Table, file []byte) ([]byte, error){
		"nothing":          func(proofs.Table, []byte) ([]byte, error) { return nil, nil },
		"a damaged header": func(_ proofs.Table, file []byte) ([]byte, error) { file[20] ^= 1; return file, nil },
		"a damaged block":  func(_ proofs.Table, file []byte) ([]byte, error) { file[len(file)/2] ^= 1; return file, nil },
		"a damaged end":    func(_ proofs.Table, file []byte) ([]byte, error) { file[len(file)-1] ^= 1; return file, nil },
		"half of it":       func(_ proofs.Table, file []byte) ([]byte, error) { return file[:len(file)/2], nil },
		"another version": func(_ proofs.Table, file []byte) ([]byte, error) {
			return bytes.Replace(file, fmt.Appendf(nil, `"format": %d`, tablebase.FormatVersion), fmt.Appendf(nil, `"format": %d`, tablebase.FormatVersion+1), 1), nil
		},
		"another board": func(t proofs.Table, _ []byte) ([]byte, error) {
			var b bytes.Buffer
			named := larger.Named()
			err := larger.Export(context.Background(), named[slices.IndexFunc(named, func(of proofs.Table) bool { return of.Slice == t.Slice })], &b)
			return b.Bytes(), err
		},
		"other values": func(t proofs.Table, _ []byte) ([]byte, error) {
			var b bytes.Buffer
			named := lies.Named()
			err := lies.Export(context.Background(), named[slices.IndexFunc(named, func(of proofs.Table) bool { return of.Slice == t.Slice })], &b)
			return b.Bytes(), err
		},
		"another slice": func(t proofs.Table, file []byte) ([]byte, error) {
			var b bytes.Buffer
			err := h.Export(context.Background(), other, &b)
			return b.Bytes(), err
		},
	} {
		dir := filepath.Join(t.TempDir(), "3x3")
		h.change = change
		if _, err := supplied(t, of, dir, h.supply()); !errors.As(err, new(*tablebase.SliceFileError)) {
			t.Errorf("%s: %v", what, err)
		}
		if files, _ := filepath.Glob(filepath.Join(dir+".fetch", "*")); len(files) > 0 {
			t.Errorf("%s stays: %v", what, files)
		}
		h.change = nil
		site, err := supplied(t, of, dir, h.supply())
		h.alike(t, site, err, dir)
	}
}

// TestOtherTablesAreRefused: those that the hub names otherwise than they are, those that
// are none of the game, and those that are here with other values.
func TestOtherTablesAreRefused(t *testing.T) {
	h, of, dir := hubWith(t, 3)
	for _, change := range []func(*proofs.Table){
		func(t *proofs.Table) { t.Checksum = strings.Repeat("0", 64) },
		func(t *proofs.Table) { t.Slice = "../1v1" },
		func(t *proofs.Table) { t.Slice = "9v9" },
		func(t *proofs.Table) { t.Slice = "01v1" },
		func(t *proofs.Table) { t.Slice = "+1v1" },
		func(t *proofs.Table) { t.Slice = "" },
		func(t *proofs.Table) { t.Metric = "dtm" },
	} {
		from := h.supply()
		change(&from.Tables[0])
		if _, err := supplied(t, of, dir, from); !errors.Is(err, share.ErrOther) {
			t.Errorf("%v: %v", from.Tables[0], err)
		}
	}
	from, lenient := h.supply(), of
	from.Tables[0].Slice, lenient.Game = "../"+from.Tables[0].Slice, readsPaths{of.Game}
	if _, err := supplied(t, lenient, filepath.Join(t.TempDir(), "3x3"), from); !errors.Is(err, share.ErrOther) {
		t.Errorf("%v: %v", from.Tables[0], err)
	}
	if h.fetched.Load() > 0 {
		t.Error("they are fetched")
	}
}

// readsPaths is a game that reads the name of a slice from that of a file.
type readsPaths struct {
	bitboard.Game[fanorona.Position]
}

func (g readsPaths) ParseSlice(name string) (bitboard.Slice, error) {
	return g.Game.ParseSlice(filepath.Base(name))
}

// TestTablesThatDoNotFitAreNotFetched since memory bounds the disk, too.
func TestTablesThatDoNotFitAreNotFetched(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	dir, small := filepath.Join(t.TempDir(), "3x3"), limits(t)
	small.Memory = 10
	var need *prover.MemoryError
	if _, err := share.NewSupplied(t.Context(), of, dir, h.supply(), small); !errors.As(err, &need) {
		t.Fatal(err)
	}
	small.Memory, small.Overhead = need.Tables+10, 11 // for what else the program has
	if _, err := share.NewSupplied(t.Context(), of, dir, h.supply(), small); !errors.As(err, new(*prover.MemoryError)) {
		t.Error(err)
	}
	if _, err := os.Stat(dir); h.fetched.Load() > 0 || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("they are fetched: %v", err)
	}
}

// TestTablesOfMoreBytesThanNumbersHaveAreNotFetched: one that has nearly 2^64 with what the program takes beside, or
// several together.
func TestTablesOfMoreBytesThanNumbersHaveAreNotFetched(t *testing.T) {
	board := bitboard.Board{Width: 12, Height: 12}
	game, err := konane.New[konane.Quad](board, konane.Rules{})
	of := subject[konane.Position[konane.Quad]](t, "konane", board, konane.Rules{}, game, err)
	for metric, many := range map[string]int{"dtw": 1, "wdl": 4} {
		table := proofs.Table{Slice: "30v30", Metric: metric, Checksum: "0123456789abcdef"}
		supply := share.Supply{Tables: slices.Repeat([]proofs.Table{table}, many)}
		supply.Fetch = func(_ context.Context, _ proofs.Table, _ string, most int64, _ func(done, total int64)) error {
			t.Errorf("%s: up to %d bytes are fetched", metric, most)
			return context.Canceled
		}
		o := limits(t)
		o.Overhead = 1 << 20
		if _, err := share.NewSupplied(t.Context(), of, filepath.Join(t.TempDir(), "12x12"), supply, o); !errors.As(err, new(*prover.MemoryError)) {
			t.Errorf("%d tables of %s: %v", many, metric, err)
		}
	}
}

// TestTwoWorkersShareOneCopy: each table is fetched once.
func TestTwoWorkersShareOneCopy(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	dir := filepath.Join(t.TempDir(), "3x3")
	sites, errs := make([]share.Site, 3), make([]error, 3)
	var group sync.WaitGroup
	for i := range sites {
		group.Go(func() { sites[i], errs[i] = share.NewSupplied(t.Context(), of, dir, h.supply(), limits(t)) })
	}
	group.Wait()
	for i, site := range sites {
		h.alike(t, site, errs[i], dir)
		site.Close()
	}
	if n := int(h.fetched.Load()); n != h.Slices() {
		t.Errorf("%d tables are fetched %d times", h.Slices(), n)
	}
}

// TestASupplyWaitsForWhoHasTheFolder.
func TestASupplyWaitsForWhoHasTheFolder(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	dir := filepath.Join(t.TempDir(), "3x3")
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	told := limits(t)
	told.Notice = func(text string) {
		if strings.Contains(text, "waiting") {
			store.Close()
		}
	}
	site, err := share.NewSupplied(t.Context(), of, dir, h.supply(), told)
	if err == nil {
		defer site.Close()
	}
	h.alike(t, site, err, dir)
}

// TestWhoWaitsForAFolderMayGo, though nobody gives it back.
func TestWhoWaitsForAFolderMayGo(t *testing.T) {
	h, of, _ := hubWith(t, 3)
	dir := filepath.Join(t.TempDir(), "3x3")
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	told := limits(t)
	told.Notice = func(string) { cancel() }
	if _, err := share.NewSupplied(ctx, of, dir, h.supply(), told); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// TestDistancesAreSupplied where they are what the hub has.
func TestDistancesAreSupplied(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	h := &hub{Site: open(t, of, builtIn(t, of, bitboard.DTW, 4))}
	dir := filepath.Join(t.TempDir(), "3x3")
	site, err := supplied(t, of, dir, h.supply())
	h.alike(t, site, err, dir)
}

// TestAWorkerThatBelievesWrongTablesConvincesNobody: a hub can send values that are wrong,
// with all their checksums, where it leaves out others. What the worker proves with them, a
// hub with right ones takes only if it is true.
func TestAWorkerThatBelievesWrongTablesConvincesNobody(t *testing.T) {
	h, of, _ := hubWith(t, 5)
	wrong := &hub{Site: open(t, of, forged(t, of, 5))}
	h.change = func(table proofs.Table, file []byte) ([]byte, error) {
		at := slices.IndexFunc(wrong.Named(), func(of proofs.Table) bool { return of.Slice == table.Slice })
		var lie bytes.Buffer
		err := wrong.Export(t.Context(), wrong.Named()[at], &lie)
		return bytes.Replace(lie.Bytes(), []byte(wrong.Named()[at].Checksum), []byte(table.Checksum), 1), err
	}
	site, err := supplied(t, of, filepath.Join(t.TempDir(), "3x3"), h.supply())
	h.alike(t, site, err, filepath.Join(t.TempDir(), "3x3"))
	refused := 0
	for _, claim := range []string{"white-wins", "black-wins"} {
		proof, err := h.Proof(share.Question{Position: start(t, of), Claim: claim, Version: version, Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		searcher, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		defer searcher.Close()
		task, _ := proof.Next(1)
		file := filepath.Join(t.TempDir(), "part")
		found, err := searcher.Search(t.Context(), task, version, 1, file, share.Watch{Moved: func(uint64) {}})
		if err != nil || found.Verdict == proofnumber.Undecided {
			t.Fatalf("%v, %v", found.Verdict, err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Check(t.Context(), task.Position, found.Verdict, bytes.NewReader(text), int64(len(text))); errors.Is(err, share.ErrPart) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if refused == 0 {
		t.Error("what is wrong made no difference")
	}
}

// forged is tables of which the largest leave values out, and have wins for all others.
func forged(t *testing.T, of prover.Subject[fanorona.Position], stones int) (dir string) {
	t.Helper()
	dir = built(t, of, stones)
	forge(t, of, dir, stones)
	return dir
}

// forge makes them of those in a folder, and names them.
func forge(t *testing.T, of prover.Subject[fanorona.Position], dir string, stones int) (names []string) {
	t.Helper()
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	groups, err := bitboard.GroupsWithin(of.Game, stones)
	if err != nil {
		t.Fatal(err)
	}
	tables := store.Tables(bitboard.WDL, of.Game)
	for _, info := range store.Slices(bitboard.WDL) {
		slice, err := of.Game.ParseSlice(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		if !tables.LeavesOut(slice) {
			continue
		}
		table := bitboard.NewTable(bitboard.WDL, slice, info.Indices)
		for i := range info.Indices {
			table.WDL.Or(i, bitboard.Win)
		}
		sum := bitboard.Summary{Slice: slice, Win: info.Positions, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
		if err := tables.ForBuild(groups).Save(t.Context(), table, sum); err != nil {
			t.Fatal(err)
		}
		names = append(names, info.Name)
	}
	if len(names) == 0 {
		t.Fatal("no table leaves values out")
	}
	return names
}
