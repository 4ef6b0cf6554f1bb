package explorer

import (
	"net/http"
	"sync"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// Tables come while many ask about their board: every answer is one by the rules or
// one by the tables, and once it is by the tables it stays so.
func TestTablesComeWhileManyAsk(t *testing.T) {
	game, _ := catalogue.Find("fanorona")
	instance, err := game.Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: bitboard.AllPieces, Workers: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	config := newServer(t, unhurried()).config
	calls := 0
	config.More = func() []Table { // never by two at a time, or the race detector sees it
		if calls++; calls != 1 {
			return nil
		}
		return []Table{{instance, tables}}
	}
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			known := false
			for range 100 {
				switch status := get(s.Handler(), about("fanorona", "3x3", "position", "start")).Code; {
				case status == http.StatusOK:
					known = true
				case status != http.StatusNotFound || known:
					t.Errorf("status %d, though the tables were known: %t", status, known)
				}
			}
		})
	}
	group.Wait()
	if status := get(s.Handler(), about("fanorona", "3x3", "position", "start")).Code; status != http.StatusOK {
		t.Errorf("status %d: the tables never came", status)
	}
}
