package command

import (
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// What was stored wrong has the right checksums, so that a repair would find nothing.
func TestWhatWasStoredWrongIsNotToBeRepaired(t *testing.T) {
	for name, c := range map[string]struct {
		metric bitboard.Metric
		slice  string
		spoil  func(*bitboard.Table, *bitboard.Summary)
		args   []string
	}{
		"a figure": {bitboard.DTW, "1v1", func(_ *bitboard.Table, s *bitboard.Summary) { s.LongestWin++ }, []string{"stats", "--longest", "--metric", "dtw"}},
		"values": {bitboard.WDL, "1v1", func(table *bitboard.Table, s *bitboard.Summary) {
			clear(table.WDL) // all of them draws
			*s = bitboard.Summary{Slice: s.Slice, Draw: s.Win + s.Loss + s.Draw}
		}, []string{"export", "--format", "flat", filepath.Join(t.TempDir(), "flat"), "--metric", "wdl"}},
	} {
		dir := filepath.Join(t.TempDir(), "tables")
		tables := []string{"--board", "telo", "--db", dir}
		if status, _, stderr := runQuietly(t, append(tables, "build", "--pieces", "3", "--metric", c.metric.String())...); status != done {
			t.Fatal(stderr)
		}
		storeSpoiled(t, dir, c.metric, c.slice, c.spoil)
		status, stdout, stderr := runQuietly(t, append(c.args, tables...)...)
		if status != unavailable || !strings.Contains(stderr, "repair keeps what was stored so: move "+dir+" away, and build the tables anew") {
			t.Errorf("%s: exit status %d, %q, %q", name, status, stdout, stderr)
		}
		if status, stdout, stderr = runQuietly(t, append(tables, "repair", "--dry-run")...); status != done || !strings.Contains(stdout, "nothing is wrong") {
			t.Errorf("%s: a repair, exit status %d, %q, %q", name, status, stdout, stderr)
		}
	}
}

// storeSpoiled stores a slice anew, once something of it is changed.
func storeSpoiled(t *testing.T, dir string, m bitboard.Metric, name string, spoil func(*bitboard.Table, *bitboard.Summary)) {
	t.Helper()
	game := gameOfTelo(t)
	slice, err := game.ParseSlice(name)
	if err != nil {
		t.Fatal(err)
	}
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(dir, telo.Identity(), tablebase.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	tables, table := store.Tables(m, game), bitboard.NewTable(m, slice, game.Indices(slice))
	if err := tables.Load(t.Context(), table); err != nil {
		t.Fatal(err)
	}
	info, _ := store.Slice(m, name)
	summary := bitboard.Summary{
		Slice: slice, Win: info.Win, Loss: info.Loss, Draw: info.Draw, Inside: info.Quiet,
		LongestWin: info.LongestWin, LongestLoss: info.LongestLoss,
	}
	spoil(table, &summary)
	if err := tables.Save(t.Context(), table, summary); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
