package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

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

// A table is another one by the manifest, or its values are not those that the manifest has. Neither
// is helped by a build, which leaves what is there.
func TestACheckTellsHowATableIsAnother(t *testing.T) {
	dir, file := filepath.Join(t.TempDir(), "tables"), filepath.Join(t.TempDir(), "telo.proof")
	run := func(args ...string) (status int, stderr string) {
		status, _, stderr = runQuietly(t, append(args, "--db", dir)...)
		return status, stderr
	}
	prove := []string{"prove", "BBW/.../..W w", "--board", "telo", "--claim", "white-wins", "--out", file}
	for _, args := range [][]string{{"build", "--board", "telo", "--pieces", "3"}, prove} {
		if status, stderr := run(args...); status != done {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	storeSpoiled(t, dir, bitboard.WDL, "1v1", func(table *bitboard.Table, s *bitboard.Summary) {
		clear(table.WDL) // all of them draws, with those that are left out
		*s = bitboard.Summary{Slice: s.Slice, Draw: s.Win + s.Loss + s.Draw}
	})
	another := " has the fingerprint "
	status, stderr := run("check", file)
	if hint := "paika verify fanorona --board 3x3 --db " + dir + " tells whether it is right; if it is not, move " + dir + " away, and build the tables anew"; status != unavailable ||
		!strings.Contains(stderr, another) || !strings.Contains(stderr, ", by the manifest (tables in "+dir) || !strings.Contains(stderr, hint) || strings.Contains(stderr, "build it with") {
		t.Errorf("another table: exit status %d, %s", status, stderr)
	}
	if status, stderr := run(prove...); status != done { // which names the tables by the manifest
		t.Fatal(stderr)
	}
	status, stderr = run("check", file)
	if hint := "repair keeps what was stored so: move " + dir + " away, and build the tables anew"; status != unavailable ||
		!strings.Contains(stderr, "the fingerprint of its values is ") || !strings.Contains(stderr, hint) || strings.Contains(stderr, "build it with") {
		t.Errorf("other values: exit status %d, %s", status, stderr)
	}
}

// A search believes no table whose values are not those that the manifest has.
func TestNoProofRestsOnRelabelledTables(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tables")
	tables := []string{"--board", "telo", "--db", dir}
	if status, _, stderr := runQuietly(t, append(tables, "build", "--pieces", "3", "--metric", "dtw")...); status != done {
		t.Fatal(stderr)
	}
	manifest := func() string {
		status, stdout, stderr := runQuietly(t, append(tables, "stats", "--manifest", "--metric", "dtw")...)
		if status != done {
			t.Fatal(stderr)
		}
		return stdout
	}
	right := manifest()
	storeSpoiled(t, dir, bitboard.DTW, "2v1", func(table *bitboard.Table, s *bitboard.Summary) {
		for i, d := range table.DTW {
			if d.Value() == bitboard.Loss {
				table.DTW[i] = bitboard.MakeDepth(bitboard.Win, d.Distance())
			}
		}
		s.Win, s.Loss, s.LongestLoss = s.Win+s.Loss, 0, bitboard.UnknownDistance
	})
	fingerprint := regexp.MustCompile(`"name": ?"2v1"[^}]*"fingerprint": ?"([0-9a-f]{64})"`)
	relabel(t, dir, "manifest-dtw", fingerprint.FindStringSubmatch(manifest())[1], fingerprint.FindStringSubmatch(right)[1])
	status, stdout, stderr := runQuietly(t, append(tables, "prove", "--claim", "white-wins", "BW./.../..W w")...)
	if status != unavailable || !strings.Contains(stderr, "dtw 2v1: ") || !strings.Contains(stderr, "move "+dir+" away") {
		t.Errorf("exit status %d, %s, %s", status, stdout, stderr)
	}
}

// relabel puts a word in the place of another one in a manifest and its copy, and seals them and what
// lists the files of the folder anew.
func relabel(t *testing.T, dir, name, old, word string) {
	t.Helper()
	seal := func(name, body string) string {
		return fmt.Sprintf("%016x\n%s", xxh3.HashString(name+"\x00"+body), body)
	}
	edit := func(name string, edit func(body string) string) string {
		path := filepath.Join(dir, name)
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		_, body, _ := strings.Cut(string(text), "\n")
		file := seal(name, edit(body))
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
		return file
	}
	files := make(map[string]string)
	for _, name := range []string{name, name + ".copy"} {
		files[name] = edit(name, func(body string) string { return strings.ReplaceAll(body, old, word) })
	}
	edit("CLOSED", func(body string) string {
		var listed []struct {
			Name string `json:"name"`
			Size int    `json:"size"`
			Sum  string `json:"sum,omitempty"`
		}
		if err := json.Unmarshal([]byte(body), &listed); err != nil {
			t.Fatal(err)
		}
		for i, f := range listed {
			if file, changed := files[f.Name]; changed {
				listed[i].Size, listed[i].Sum = len(file), fmt.Sprintf("%016x", xxh3.HashString(file))
			}
		}
		text, err := json.Marshal(listed)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	})
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
