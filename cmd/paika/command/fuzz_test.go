package command

import (
	"math"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// FuzzSize: a size is a number of bytes that can be had, or an error in plain words.
func FuzzSize(f *testing.F) {
	for _, text := range []string{"1", "4G", "512MiB", "1.5K", "0", "-1G", "9e30", "NaN", "0x10", "4Q", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var s size
		err := s.Set(text)
		if err == nil && (s == 0 || s > math.MaxInt64) {
			t.Errorf("%q is taken for %d bytes", text, uint64(s))
		}
		if err != nil && strings.Contains(err.Error(), "strconv") {
			t.Errorf("%q: %v", text, err)
		}
	})
}

// FuzzSettings: a board and rule options give a game whose identity gives the same
// game again, or an error on a line that is not long.
func FuzzSettings(f *testing.F) {
	for _, game := range catalogue.Games() {
		f.Add(game.Name, game.Board, "")
	}
	f.Add("fanorona", "telo", "stalemate=draw,direction-rule=never-twice")
	f.Add("konane", "6x6", "opening=gap:c2-c3,to-move=white")
	f.Add("konane", "999999999x999999999", "opening=gap:")
	f.Add("phutball", "19x21", "goal-stop=true,corner-exit=true")
	f.Fuzz(func(t *testing.T, name, board, rules string) {
		game, found := catalogue.Find(name)
		if !found {
			return
		}
		options := make(map[string]string)
		err := catalogue.ParseRules(rules, options)
		var instance catalogue.Instance
		if err == nil {
			instance, err = game.Open(board, options)
		}
		if err != nil {
			if text := catalogue.FaultOf(err).Message; len(text) > 6*bitboard.MostEchoed || strings.Contains(text, "\n") {
				t.Errorf("%d bytes: %s", len(text), text)
			}
			return
		}
		id := instance.Identity()
		again := make(map[string]string)
		if id.Rules != "" { // a game without options has none to read
			if err := catalogue.ParseRules(id.Rules, again); err != nil {
				t.Fatalf("%v: %v", id, err)
			}
		}
		same, err := game.Open(id.Board, again)
		if err != nil || same.Identity() != id {
			t.Errorf("%v gives %v, %v", id, same, err)
		}
		if strings.ContainsAny(instance.Folder(), `:\/*?"<>|`) {
			t.Errorf("the folder %q can't be made everywhere", instance.Folder())
		}
	})
}
