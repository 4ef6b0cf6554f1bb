package tablebase

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
	"paika/tablebase/internal/textfile"
)

// forge puts a manifest in a store, with the checksums that it ought to have.
func forge(t *testing.T, dir, text string) {
	t.Helper()
	path := manifestPath(dir, bitboard.WDL)
	if err := textfile.Write(path, []byte(text)); err != nil {
		t.Fatal(err)
	}
	recordAgain(t, path)
}

// recordAgain makes what CLOSED says of a file true again.
func recordAgain(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(filepath.Dir(path), closedFile)
	text, err := textfile.Read(closed)
	if err != nil {
		t.Fatal(err)
	}
	var list []map[string]any
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, file := range list {
		if file["name"] == filepath.Base(path) {
			file["size"], file["sum"] = len(data), fmt.Sprintf("%016x", xxh3.Hash(data))
		}
	}
	if text, err = json.Marshal(list); err != nil {
		t.Fatal(err)
	}
	if err := textfile.Write(closed, text); err != nil {
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
		{`"indices": 1000`, `"indices": 65537`, "1 chunk for 65537 indices"},
		{`"chunks": 1`, `"chunks": 70368744177664`, "chunks for"},
		{`"bytes": `, `"bytes": 9`, "more bytes than the value log"},
		{`"bytes": `, `"bytes": 0, "more": `, "bytes for 1 chunk"},
		{`"name": "2v1"`, `"name": "1v2"`, "wrong place"},
		{`"name": "2v1"`, `"name": ""`, "slice name"},
		{`"name": "2v1"`, `"name": "2\u0000v1"`, "slice name"},
		{`"name": "2v1"`, `"name": "2v1\u001b[m"`, "slice name"},
		{`"name": "2v1"`, `"name": "2v1\u202e"`, "slice name"},
		{`"fingerprint": "`, `"fingerprint": "\u001b[2J`, "fingerprint"},
		{`"checksum": "`, `"checksum": "\r`, "checksum"},
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
			_, err := Open(dir, testIdentity, Options{ReadOnly: readOnly})
			if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", c.to, err, c.want)
			}
		}
	}
}

// The small files of a store are read as they were written, or not at all. None
// makes the program panic.
func FuzzSmallFiles(f *testing.F) {
	dir := storedTest(f, graphgame.New(72, 1, 1000).Solve(), bothMetrics...)
	names := []string{identityFile, manifestFile + "wdl", manifestFile + "dtw"}
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
		if body, err := textfile.Parse(name, text); err == nil {
			f.Add(body)
		}
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, name := range names {
			if body, err := textfile.Parse(name, text); err == nil {
				text = body
				break
			}
		}
		if rec, err := parseIdentity(text); err == nil && rec.Format == FormatVersion {
			again, _ := json.Marshal(rec)
			if same, err := parseIdentity(again); err != nil || same != rec {
				t.Errorf("%+v is read back as %+v, %v", rec, same, err)
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
	path := checkpointPath(store.dir, m, 0, 1)
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
		got := []*bitboard.Table{bitboard.NewTable(m, 0, space.Indices(0)), bitboard.NewTable(m, 1, space.Indices(1))}
		note, _, err := tables.LoadCheckpoint(t.Context(), got)
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
