package verify

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

var testIdentity = tablebase.Identity{Game: "graph", Board: "1x1", Rules: "gaps=true"}

// toRead are the options of a reader.
var toRead = tablebase.Options{ReadOnly: true}

// first is the first n of all cases where tests are to be short, as under the race
// detector: what runs at the same time is the same in all of them.
func first[T any](n int, all []T) []T {
	if testing.Short() {
		return all[:n]
	}
	return all
}

// openTest opens a store and closes it at the end of the test.
func openTest(t testing.TB, dir string, opts tablebase.Options) *tablebase.Store {
	t.Helper()
	s, err := tablebase.Open(dir, testIdentity, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// saveAll stores every slice of a solution in a metric.
func saveAll(t testing.TB, s *tablebase.Store, sol *graphgame.Solution, m bitboard.Metric) {
	t.Helper()
	for slice := range bitboard.Slice(len(sol.Depths)) {
		if err := saveOne(context.Background(), s, sol, m, slice); err != nil {
			t.Fatal(err)
		}
	}
}

func saveOne(ctx context.Context, s *tablebase.Store, sol *graphgame.Solution, m bitboard.Metric, slice bitboard.Slice) error {
	return s.Tables(m, sol.Game).ForBuild(sol.Game.Build()).Save(ctx, sol.Table(m, slice), sol.Summary(m, slice))
}

// storedTest makes a closed store of a solution.
func storedTest(t testing.TB, sol *graphgame.Solution, metrics ...bitboard.Metric) string {
	t.Helper()
	dir := t.TempDir()
	s := openTest(t, dir, tablebase.Options{Version: "test"})
	for _, m := range metrics {
		saveAll(t, s, sol, m)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// claims is a store whose manifest in wdl says something else of a slice.
type claims struct {
	*tablebase.Store
	info tablebase.SliceInfo
}

func (c claims) Slices(m bitboard.Metric) []tablebase.SliceInfo {
	list := c.Store.Slices(m)
	for i := range list {
		if m == bitboard.WDL && list[i].Name == c.info.Name {
			list[i] = c.info
		}
	}
	return list
}

// copyFolder copies a closed store.
func copyFolder(t testing.TB, from string) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

func wantError(t testing.TB, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// files are the paths of the files of a folder in which there is something.
func files(t testing.TB, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == "LOCK" })
}
