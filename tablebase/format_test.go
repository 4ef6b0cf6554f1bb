package tablebase

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// forge puts a manifest in a store, with the checksums that it ought to have.
func forge(t *testing.T, dir, text string) {
	t.Helper()
	if err := writeText(manifestPath(dir, bitboard.WDL), []byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := markClosed(dir); err != nil {
		t.Fatal(err)
	}
}

// What a manifest claims is compared with what is there before anything is looped
// over or made as large as it says.
func TestAbsurdManifestsAreRefused(t *testing.T) {
	stored := storedTest(t, graphgame.New(71, 1, 1000).Solve(), bitboard.WDL)
	s := openTest(t, stored, Options{ReadOnly: true})
	text := manifestOf(t, s, bitboard.WDL)
	for _, c := range []struct{ from, to, want string }{
		{`"indices": 1000`, `"indices": 4611686018427387904`, "at most"},
		{`"indices": 1000`, `"indices": 18446744073709551615`, "at most"},
		{`"indices": 1000`, `"indices": 65537`, "chunks for 65537 indices"},
		{`"chunks": 1`, `"chunks": 70368744177664`, "chunks for"},
		{`"bytes": `, `"bytes": 9`, "more bytes than the value log"},
		{`"bytes": `, `"bytes": 0, "more": `, "bytes for 1 chunks"},
		{`"name": "2v1"`, `"name": "1v2"`, "wrong place"},
		{`"name": "2v1"`, `"name": ""`, "slice name"},
		{`"name": "2v1"`, `"name": "2\u0000v1"`, "slice name"},
		{`"game": "graph"`, `"game": "konane"`, "konane"},
		{`"indices": 1000`, `"indices": -1`, "manifest"},
		{`"slices": [`, `"slices": [{},`, "manifest"},
	} {
		forged := strings.Replace(text, c.from, c.to, 1)
		if forged == text {
			t.Fatalf("no %s in %s", c.from, text)
		}
		dir := copyFolder(t, stored)
		forge(t, dir, forged)
		for _, readOnly := range []bool{true, false} {
			began := time.Now()
			_, err := Open(dir, testIdentity, Options{ReadOnly: readOnly})
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.to, err, c.want)
			}
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("%s: refused after %v", c.to, took)
			}
		}
	}
}

// The small files of a store are read as they were written, or not at all. None
// makes the program panic.
func FuzzSmallFiles(f *testing.F) {
	dir := storedTest(f, graphgame.New(72, 1, 1000).Solve(), bothMetrics...)
	names := []string{identityFile, closedFile, manifestFile + "wdl", manifestFile + "dtw"}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		if body, err := parseText(name, text); err == nil {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range names {
			if body, err := parseText(name, text); err == nil {
				text = body
				break
			}
		}
		if rec, err := parseIdentity(text); err == nil && rec.Format == formatVersion {
			again, _ := json.Marshal(rec)
			if same, err := parseIdentity(again); err != nil || same != rec {
				t.Errorf("%+v is read back as %+v, %v", rec, same, err)
			}
		}
		if left, err := parseClosed(text); err == nil {
			for _, file := range left {
				if filepath.Base(file.Name) != file.Name {
					t.Errorf("CLOSED reaches out of the folder: %q", file.Name)
				}
			}
		}
		for _, m := range bothMetrics {
			list, err := parseManifest(text, testIdentity, m)
			if err != nil || checkList(m, list.slices) != nil || checkRoom(list.slices, 1<<20) != nil {
				continue
			}
			chunks := uint64(0)
			for _, info := range list.slices {
				chunks += info.Chunks
			}
			if chunks > 1<<20 {
				t.Errorf("%d chunks in a MiB", chunks)
			}
		}
	})
}

// A checkpoint that is not as it was written is none; it fills no table with what
// was never there.
func FuzzCheckpoint(f *testing.F) {
	const m = bitboard.DTW
	space := noiseSpace{slices: 2, indices: 300}
	store := openTest(f, f.TempDir(), Options{Version: "test"})
	tables := store.Tables(m, space)
	whole := []*bitboard.Table{space.table(m, 0), space.table(m, 1)}
	if err := tables.SaveCheckpoint([]byte("half-way"), whole); err != nil {
		f.Fatal(err)
	}
	path := checkpointPath(store.dir, m)
	text, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)-1])
	f.Fuzz(func(t *testing.T, forged []byte) {
		if err := os.WriteFile(path, forged, 0o666); err != nil {
			t.Fatal(err)
		}
		got := []*bitboard.Table{newTable(m, 0, space.Indices(0)), newTable(m, 1, space.Indices(1))}
		note, err := tables.LoadCheckpoint(got)
		if err != nil || note != nil {
			return // its checksums are no secret: what is forged with care is read
		}
		for _, table := range got {
			for _, d := range table.DTW {
				if d != 0 {
					t.Fatal("half a checkpoint is in the tables")
				}
			}
		}
	})
}

// A log is read past damage of any kind, and what is whole in it is found.
func FuzzLog(f *testing.F) {
	killed := killedTest(f, graphgame.New(73, 1, 1000).Solve(), bothMetrics...)
	values, keys := killed.first(f, valueLogSuffix), killed.first(f, memtableSuffix)
	f.Add(killed[values].data, []byte{})
	f.Add(killed[keys].data, []byte{0, 0, 0})
	f.Add(killed[values].data[:100], killed[values].data[100:])
	path := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, before, after []byte) {
		if err := os.WriteFile(path, append(before, after...), 0o666); err != nil {
			t.Fatal(err)
		}
		log, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		entries := 0
		end, err := log.replay(func(e logEntry) { entries++ })
		if err != nil || end < logHeaderBytes {
			t.Errorf("ends at %d, %v", end, err)
		}
		last := int64(logHeaderBytes)
		err = log.search(t.Context(), func(e logEntry) error {
			if e.at < last || e.end > log.size {
				t.Errorf("an entry from %d to %d behind one to %d", e.at, e.end, last)
			}
			last = e.end
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}
