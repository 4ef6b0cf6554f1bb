package tablebase

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/graphgame"
)

func TestOpenRefuses(t *testing.T) {
	game := graphgame.New(1, 1, 100)
	stored := storedTest(t, game.Solve(), bitboard.WDL)
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	newer := copyFolder(t, stored)
	record := `{"format": 99, "game": "graph", "board": "1x1", "rules": "gaps=true"}`
	if err := os.WriteFile(filepath.Join(newer, identityFile), []byte(record), 0o666); err != nil {
		t.Fatal(err)
	}
	older := copyFolder(t, stored)
	record = `{"format": 1, "game": "graph", "board": "1x1", "rules": "gaps=true"}`
	if err := os.WriteFile(filepath.Join(older, identityFile), []byte(record), 0o666); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name     string
		dir      string
		readOnly bool
		want     error
	}{
		{"a folder that is missing", filepath.Join(t.TempDir(), "none"), true, ErrNoStore},
		{"a folder without tables", t.TempDir(), true, ErrNoStore},
		{"a file to read", file, true, ErrNotFolder},
		{"a file to write", file, false, ErrNotFolder},
		{"a folder below a file", filepath.Join(file, "db"), false, ErrNotFolder},
		{"a folder of other files", filepath.Dir(file), false, ErrForeignFiles},
		{"an older format to read", older, true, ErrOlderFormat},
		{"an older format to write", older, false, ErrOlderFormat},
		{"a newer format to read", newer, true, ErrNewerFormat},
		{"a newer format to write", newer, false, ErrNewerFormat},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := Open(c.dir, testIdentity, Options{ReadOnly: c.readOnly})
			wantError(t, err, c.want)
			if !strings.Contains(err.Error(), c.dir) {
				t.Errorf("%v does not name %s", err, c.dir)
			}
		})
	}
}

// Where somebody has other files, nothing is made, a lock file either.
func TestNothingIsMadeInAFolderOfOthers(t *testing.T) {
	game := graphgame.New(1, 1, 100)
	for name, open := range map[string]func(dir string) error{
		"to write": func(dir string) error {
			_, err := Open(dir, testIdentity, Options{})
			return err
		},
		"to repair": func(dir string) error {
			_, err := OpenWreck(t.Context(), dir, testIdentity, game, Options{})
			return err
		},
		"to be tidied": func(dir string) error {
			return TidyWork(dir, testIdentity, func(Checkpoint) bool { return false })
		},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "letter"), nil, 0o666); err != nil {
			t.Fatal(err)
		}
		err := open(dir)
		if entries, _ := os.ReadDir(dir); len(entries) != 1 {
			t.Errorf("opened %s: it has %v, error %v", name, entries, err)
		}
	}
}

// What is no store of that game is left as it is, whatever names its files have.
func TestARefusedFolderIsLeftAsItIs(t *testing.T) {
	tables := storedTest(t, graphgame.New(1, 1, 100).Solve(), bitboard.WDL)
	for name, c := range map[string]struct {
		dir string
		id  Identity
	}{
		"other files":            {t.TempDir(), testIdentity},
		"tables of another game": {tables, Identity{"konane", "1x1", "gaps=true"}},
	} {
		names := []string{"SIZE", closedFile + lasting.PartSuffix, identityFile + lasting.PartSuffix, "manifest-wdl" + lasting.PartSuffix, "checkpoint-wdl-0123456789abcdef" + lasting.PartSuffix, "letter"}
		for _, name := range names {
			if err := os.WriteFile(filepath.Join(c.dir, name), []byte("dear"), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Open(c.dir, c.id, Options{}); err == nil {
			t.Fatalf("%s: no error", name)
		}
		for _, file := range names {
			if text, err := os.ReadFile(filepath.Join(c.dir, file)); string(text) != "dear" {
				t.Errorf("%s: %s has %q, %v", name, file, text, err)
			}
		}
	}
}

func TestOpenRefusesTablesOfAnotherGame(t *testing.T) {
	dir := storedTest(t, graphgame.New(1, 1, 100).Solve(), bitboard.WDL)
	for _, id := range []Identity{{"konane", "1x1", "gaps=true"}, {"graph", "2x1", "gaps=true"}, {"graph", "1x1", ""}} {
		for _, readOnly := range []bool{true, false} {
			var wrong *IdentityError
			_, err := Open(dir, id, Options{ReadOnly: readOnly})
			if !errors.As(err, &wrong) || wrong.Stored != testIdentity || wrong.Wanted != id {
				t.Errorf("%v: %v", id, err)
			}
		}
	}
}

// What somebody wrote into a file as the name of a game is shown, and moves no cursor.
func TestNamesOfOtherGamesAreEscaped(t *testing.T) {
	id := Identity{"\x1b[2J", "1x1", ""}
	list, err := newManifest(id, bitboard.WDL, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = parseManifest(list.text, testIdentity, bitboard.WDL)
	for _, err := range []error{err, &IdentityError{"dir", id, testIdentity}} {
		if !strings.Contains(err.Error(), `\x1b[2J 1x1`) {
			t.Errorf("%q", err)
		}
	}
}

func TestOneWriterOrManyReaders(t *testing.T) {
	dir := storedTest(t, graphgame.New(1, 1, 100).Solve(), bitboard.WDL)
	writer := openTest(t, dir, Options{})
	_, err := Open(dir, testIdentity, Options{})
	wantError(t, err, ErrLocked)
	if !strings.Contains(err.Error(), "another paika process is writing to "+dir) {
		t.Error(err)
	}
	_, err = Open(dir, testIdentity, Options{ReadOnly: true})
	wantError(t, err, ErrLocked)
	if !strings.Contains(err.Error(), "another paika process is writing to "+dir) {
		t.Error(err)
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	first := openTest(t, dir, Options{ReadOnly: true})
	second := openTest(t, dir, Options{ReadOnly: true})
	if len(first.Slices(bitboard.WDL)) != 2 || len(second.Slices(bitboard.WDL)) != 2 {
		t.Error("both readers should see both slices")
	}
	_, err = Open(dir, testIdentity, Options{})
	wantError(t, err, ErrLocked)
}

func TestClosedStoreRefuses(t *testing.T) {
	game := graphgame.New(1, 1, 100)
	sol := game.Solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL), Options{})
	tables := s.Tables(bitboard.WDL, game)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("a second close: %v", err)
	}
	ctx := context.Background()
	wantError(t, tables.Load(ctx, bitboard.NewTable(bitboard.WDL, 0, 100)), ErrClosed)
	wantError(t, saveOne(ctx, s, sol, bitboard.WDL, 0), ErrClosed)
	_, err := NewProber(s, game, 0).Probe(openPosition(game, 0))
	wantError(t, err, ErrClosed)
	_, err = s.Manifest(bitboard.WDL)
	wantError(t, err, ErrClosed)
}

func TestSaveNeedsAWriter(t *testing.T) {
	sol := graphgame.New(1, 1, 100).Solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL), Options{ReadOnly: true})
	wantError(t, saveOne(context.Background(), s, sol, bitboard.WDL, 0), ErrReadOnly)
}

func TestMappedBytesAreThoseOfAllSlices(t *testing.T) {
	dir := storedTest(t, graphgame.New(32, 1, 1000).Solve(), bitboard.WDL)
	s := openTest(t, dir, Options{ReadOnly: true})
	var want uint64
	for _, info := range s.Slices(bitboard.WDL) {
		want += info.Bytes
	}
	if got := s.MappedBytes(); got != want || got == 0 {
		t.Errorf("%d bytes, want %d", got, want)
	}
}
