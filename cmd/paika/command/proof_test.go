package command

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A fresh server, without tables and flags, begins with the board of a proof that the
// program brings; one that was asked for a board, or has tables, with that.
func TestAFreshServerGreetsWithTheSolvedGame(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	_, games := fetch(t, serving(t)+"api/v1/games")
	if !strings.Contains(games, `"first":{"game":"fanorona","board":"9x5","rules":"",`) || !strings.Contains(games, `"status":"extract"`) {
		t.Errorf("games: %s", games)
	}
	_, games = fetch(t, serving(t, "--board", "5x5")+"api/v1/games")
	if !strings.Contains(games, `"first":{"game":"fanorona","board":"5x5","rules":"",`) {
		t.Errorf("with a board: %s", games)
	}
	printed(t, "build", "--board", "dimy", "--pieces", "2", "--quiet")
	_, games = fetch(t, serving(t)+"api/v1/games")
	if !strings.Contains(games, `"first":{"game":"fanorona","board":"5x5","rules":"",`) {
		t.Errorf("with tables: %s", games)
	}
}

// Certificates are checked while the server answers, and it begins with their board. At
// the next start their index is there.
func TestServeChecksCertificates(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	file := filepath.Join(t.TempDir(), "won.proof")
	printed(t, "build", "--board", "5x3", "--pieces", "4", "--quiet")
	printed(t, "prove", "--board", "5x3", "--claim", "white-wins", "--out", file, "--quiet")
	for _, data := range []string{"", t.TempDir()} { // the second time without tables
		if data != "" {
			t.Setenv(dataVariable, data)
		}
		address := serving(t, "--proof", file)
		if _, games := fetch(t, address+"api/v1/games"); !strings.Contains(games, `"first":{"game":"fanorona","board":"5x3","rules":"",`) {
			t.Errorf("games: %s", games)
		}
		proof := ""
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end) && !strings.Contains(proof, `"status":"checked"`); time.Sleep(20 * time.Millisecond) {
			_, proof = fetch(t, address+"api/v1/fanorona/5x3/proof?p=start")
		}
		if !strings.Contains(proof, `"value":"win"`) || !strings.Contains(proof, `"keeps":true`) {
			t.Errorf("the proof: %s", proof)
		}
		if strings.Contains(proof, filepath.Dir(file)) {
			t.Errorf("it tells of the disk: %s", proof)
		}
		// It is what the command prints.
		want := printed(t, "query", "--proof", file, "start", "--json")
		if !strings.Contains(want, strings.TrimSpace(proof)) {
			t.Errorf("query prints %s\nthe server answers %s", want, proof)
		}
		if _, outside := fetch(t, address+"api/v1/fanorona/5x3/proof?p="+url.QueryEscape("BBBBB/BWWB./W.WWW w")); !strings.Contains(outside, `"place":"outside"`) {
			t.Errorf("outside: %s", outside)
		}
	}
	// Who names another game is served that, with its own rules, and the proof beside it.
	if _, games := fetch(t, serving(t, "konane", "--proof", file)+"api/v1/games"); !strings.Contains(games, `"first":{"game":"konane","board":"8x8","rules":"",`) {
		t.Errorf("konane: %s", games)
	}
}
