package command

import (
	"io"
	"log/slog"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/tablebase"
)

// A server without tables finds those that are built while it runs, and tells before
// how to build them.
func TestServeFindsTablesThatAreBuiltMeanwhile(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	address := serving(t)
	if _, games := fetch(t, address+"api/v1/games"); !strings.Contains(games, `"greeting":{"build":"paika build fanorona --board 9x5"`) {
		t.Errorf("no greeting: %s", games)
	}
	position := address + "api/v1/fanorona/3x3/position?p=" + url.QueryEscape("B../.../W.. w")
	if status, answer := fetch(t, position); status != 404 || !strings.Contains(answer, `"build":"paika build fanorona --slices 1v1 --board 3x3","build_cost":{"positions":`) {
		t.Errorf("status %d, %s", status, answer)
	}
	printed(t, "build", "--board", "telo", "--pieces", "3", "--quiet")
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(100 * time.Millisecond) {
		status, answer := fetch(t, position)
		if status == 200 && strings.Contains(answer, `"value":"`) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("still status %d, %s", status, answer)
		}
	}
	if _, games := fetch(t, address+"api/v1/games"); strings.Contains(games, "greeting") || !strings.Contains(games, `"first":{"game":"fanorona","board":"3x3"`) {
		t.Errorf("games: %s", games)
	}
}

// A build that takes more than this machine has, or more than a day, is not offered.
func TestServeOffersNoBuildThatIsTooMuch(t *testing.T) {
	s, err := newOptions(nil).open([]string{"fanorona"})
	if err != nil {
		t.Fatal(err)
	}
	game, _ := catalogue.Find("fanorona")
	sh := &shelf{session: s}
	for _, c := range []struct {
		board   string
		slice   string
		workers int
		memory  uint64
		want    string
	}{
		{"5x5", "12v12", 1, 1 << 30, "it takes 8,867 MiB of memory, and 1,024 MiB are allowed"},
		{"5x5", "12v12", 1, 1 << 40, ""}, // some hours
		{"9x5", "6v6", 1, 1 << 50, "it takes about 335 hours"},
		{"5x5", "2v2", 1, 1 << 30, ""},
	} {
		instance, err := game.Open(c.board, nil)
		if err != nil {
			t.Fatal(err)
		}
		sh.workers = c.workers
		hint := sh.build(instance, c.memory, "", []string{c.slice})
		if hint.TooMuch != c.want || (hint.Command == "") != (c.want != "") || hint.Cost.Positions == 0 {
			t.Errorf("%s on %s with %d bytes: %+v", c.slice, c.board, c.memory, hint)
		}
	}
}

// A folder that is being written is left alone until the writer is done.
func TestShelvesWaitForWriters(t *testing.T) {
	base := t.TempDir()
	t.Setenv(dataVariable, base)
	s, err := newOptions(nil).open([]string{"fanorona"})
	if err != nil {
		t.Fatal(err)
	}
	s.workers = 1
	sh, err := s.openShelf(slog.New(slog.NewTextHandler(io.Discard, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer sh.close()
	printed(t, "build", "--board", "telo", "--pieces", "3", "--quiet")
	id := tablebase.Identity{Game: "fanorona", Board: bitboard.Board{Width: 3, Height: 3}.String(), Rules: "stalemate=loss,direction-rule=no-repeat"}
	dir := filepath.Join(base, "fanorona-3x3")
	writer, err := tablebase.Open(dir, id, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	always := func(int) bool { return true }
	if got := sh.more(always); len(got) > 0 {
		t.Errorf("%d tables are opened beside their writer", len(got))
	}
	if err := writer.Close(); err != nil {
		t.Fatal(err)
	}
	if got := sh.more(always); len(got) > 0 {
		t.Error("the folder is not left alone for a while")
	}
	clear(sh.later)
	if got := sh.more(func(int) bool { return false }); len(got) > 0 {
		t.Error("tables are opened that do not fit")
	}
	clear(sh.later)
	if got := sh.more(always); len(got) != 1 || got[0].Instance.Folder() != "fanorona-3x3" {
		t.Errorf("%d tables are opened, want 1", len(got))
	}
	if got := sh.more(always); len(got) > 0 {
		t.Error("tables are opened twice")
	}
}

// What --db names stands for the game and board, also where a build into it has stored nothing
// yet: the folder named for them is not served in its place.
func TestServeWaitsForTheTablesThatAreNamed(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	printed(t, "build", "--board", "telo", "--pieces", "2", "--metric", "dtw", "--quiet")
	o := newOptions(nil)
	o.board, o.db, o.workers = "telo", t.TempDir(), 1
	s, err := o.open([]string{"fanorona"})
	if err != nil {
		t.Fatal(err)
	}
	begun, err := tablebase.Open(o.db, s.instance.Identity(), tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := begun.Close(); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	sh, err := s.openShelf(slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer sh.close()
	always := func(int) bool { return true }
	if got := sh.more(always); len(sh.tables) > 0 || len(got) > 0 || !strings.Contains(log.String(), "folder="+o.db) {
		t.Fatalf("%d tables are served: %s", len(sh.tables), &log)
	}
	if hint := sh.build(s.instance, 1<<30, "", []string{"1v1"}); !strings.HasSuffix(hint.Command, "--db DIR") {
		t.Errorf("the hint is %q", hint.Command)
	}
	printed(t, "build", "--board", "telo", "--pieces", "3", "--db", o.db, "--quiet")
	clear(sh.later)
	if got := sh.more(always); len(got) != 1 {
		t.Fatalf("%d tables have come: %s", len(got), &log)
	}
	if stats, err := sh.tables[0].Tables.Stats(); err != nil || stats.Totals[0].Metric != "wdl" {
		t.Errorf("the tables are %+v, %v", stats.Totals, err)
	}
}
