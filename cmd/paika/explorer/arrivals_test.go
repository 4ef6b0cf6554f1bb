package explorer

import (
	"net/http"
	"sync"
	"testing"
	"time"

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

// Tables that come after somebody asked about their board are served to whoever asks next, some
// seconds later: looks are no more frequent.
func TestTablesThatComeAreServedOnBoardsAskedAboutBefore(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		config := newServer(t, unhurried()).config
		came := config.Tables[0]
		config.Tables = config.Tables[1:]
		var come []Table
		looks := 0
		config.More = func() []Table {
			looks++
			defer func() { come = nil }()
			return come
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		ask := func(status, looked int) {
			t.Helper()
			if w := get(s.Handler(), about("fanorona", "5x5", "position", won)); w.Code != status || looks != looked {
				t.Errorf("status %d after %d looks, want %d after %d", w.Code, looks, status, looked)
			}
		}
		ask(http.StatusNotFound, 1)
		come = []Table{came}
		time.Sleep(lookEvery - time.Nanosecond)
		ask(http.StatusNotFound, 1)
		time.Sleep(time.Nanosecond)
		ask(http.StatusOK, 2)
		ask(http.StatusOK, 2)
	})
}

// A look that takes its time keeps no other request waiting.
func TestNobodyWaitsForALookForTables(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		config := newServer(t, unhurried()).config
		looking, end := make(chan bool), make(chan bool)
		config.More = func() []Table {
			looking <- true
			<-end
			return nil
		}
		s, err := New(config)
		if err != nil {
			t.Fatal(err)
		}
		answered := make(chan int)
		go func() { answered <- get(s.Handler(), about("fanorona", "5x5", "turns", won)).Code }()
		<-looking
		if w := get(s.Handler(), about("fanorona", "5x5", "turns", won)); w.Code != http.StatusOK {
			t.Errorf("status %d", w.Code)
		}
		close(end)
		if status := <-answered; status != http.StatusOK {
			t.Errorf("who looked: status %d", status)
		}
	})
}
