package tablebase

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

var testIdentity = Identity{Game: "graph", Board: "1x1", Rules: "gaps=true"}

// Names and endings of files in a folder that are not the store's own, and what
// stands and is wanted there.
const (
	closedFile     = "CLOSED"
	valueLogSuffix = ".vlog"
	memtableSuffix = ".mem"
	treeSuffix     = ".sst"
	logHeaderBytes = 20
	headroomBytes  = 16 << 20 // free, beside values
)

// openTest opens a store and closes it at the end of the test.
func openTest(t testing.TB, dir string, opts Options) *Store {
	t.Helper()
	s, err := Open(dir, testIdentity, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// saveAll stores every slice of a solution in a metric.
func saveAll(t testing.TB, s *Store, sol *graphgame.Solution, m bitboard.Metric) {
	t.Helper()
	for slice := range bitboard.Slice(len(sol.Depths)) {
		if err := saveOne(context.Background(), s, sol, m, slice); err != nil {
			t.Fatal(err)
		}
	}
}

func saveOne(ctx context.Context, s *Store, sol *graphgame.Solution, m bitboard.Metric, slice bitboard.Slice) error {
	return s.Tables(m, sol.Game).ForBuild(sol.Game.Build()).Save(ctx, sol.Table(m, slice), sol.Summary(m, slice))
}

// storedTest makes a closed store of a solution.
func storedTest(t testing.TB, sol *graphgame.Solution, metrics ...bitboard.Metric) string {
	t.Helper()
	dir := t.TempDir()
	s := openTest(t, dir, Options{Version: "test"})
	for _, m := range metrics {
		saveAll(t, s, sol, m)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func manifestOf(t testing.TB, s *Store, m bitboard.Metric) string {
	t.Helper()
	text, err := s.Manifest(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
	return slices.DeleteFunc(paths, func(path string) bool { return filepath.Base(path) == badgerdir.LockFile })
}

// firstLog is the path of the first value log of a store.
func firstLog(t testing.TB, dir string) string {
	t.Helper()
	logs, err := filepath.Glob(filepath.Join(dir, "*"+valueLogSuffix))
	if err != nil || len(logs) == 0 {
		t.Fatalf("no value log in %s: %v", dir, err)
	}
	return logs[0]
}
