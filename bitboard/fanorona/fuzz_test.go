package fanorona

import (
	"slices"
	"testing"

	"paika/bitboard"
)

// fuzzBoards have a row of each kind: odd, even, and the widest word.
var fuzzBoards = [...]string{"3x3", "9x5", "4x5", "7x8"}

// fuzzGame is one of a few games, by any number.
func fuzzGame(f *testing.F) func(number uint8) *Game {
	var games []*Game
	for _, board := range fuzzBoards {
		for direction := range DirectionRule(len(directionRules)) {
			games = append(games, newGame(f, board, Rules{Direction: direction}))
		}
	}
	return func(number uint8) *Game { return games[int(number)%len(games)] }
}

func FuzzParse(f *testing.F) {
	game := fuzzGame(f)
	f.Add(uint8(0), "BBB/B.W/WWW w")
	f.Add(uint8(3), "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW b")
	f.Add(uint8(6), "..../..../..B./..../W... w")
	f.Add(uint8(0), "BBB/B♟W/WWW w")
	f.Add(uint8(0), "")
	f.Fuzz(func(t *testing.T, number uint8, text string) {
		g := game(number)
		p, s, err := g.Parse(text)
		if err != nil {
			syntax, ok := err.(*bitboard.SyntaxError)
			if !ok || syntax.Text != text || syntax.Offset < 0 || syntax.Offset > len(text) {
				t.Fatalf("Parse(%q): error %#v", text, err)
			}
			return
		}
		if p.Own&p.Opp != 0 || (p.Own|p.Opp)&^g.points != 0 {
			t.Fatalf("Parse(%q) = %v", text, p)
		}
		if again := g.Format(p, s); again != text {
			t.Fatalf("Format gives %q for %q", again, text)
		}
	})
}

func FuzzParseTurn(f *testing.F) {
	game := fuzzGame(f)
	f.Add(uint8(3), "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w", "d3-e3W")
	f.Add(uint8(3), "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w", "f4-e4W-e3A-d4A")
	f.Add(uint8(0), ".../..B/W.. w", "a1-a2")
	f.Add(uint8(0), ".../..B/W.. w", "a1-a99999999999999999999")
	f.Add(uint8(0), ".../..B/W.. w", "a1-a1-a1A")
	f.Fuzz(func(t *testing.T, number uint8, position, text string) {
		g := game(number)
		p, s, err := g.Parse(position)
		if err != nil {
			return
		}
		turns := g.Notated(p, s)
		if len(turns) > 1000 {
			t.Skip("too many turns to fuzz fast")
		}
		turn, err := g.ParseTurn(p, s, text)
		if legal := slices.Contains(turns, turn); legal != (err == nil) {
			t.Fatalf("%s in %s: %v, %v, but legal is %v", text, position, turn, err, legal)
		}
	})
}

func FuzzUnmove(f *testing.F) {
	game := fuzzGame(f)
	f.Add(uint8(0), uint64(1), uint64(1<<6))
	f.Add(uint8(3), uint64(0x3ff), uint64(1)<<44)
	f.Add(uint8(11), uint64(0xff), uint64(0xff)<<56)
	f.Fuzz(func(t *testing.T, number uint8, own, opp uint64) {
		g := game(number)
		p := Position{own & g.points, opp &^ own & g.points}
		for _, before := range g.Unmoves(nil, p) {
			if !g.Quiet(before) || !slices.Contains(g.Turns(nil, before), p) {
				t.Fatalf("no paika of %s leads to %s", g.Format(before, 0), g.Format(p, 1))
			}
		}
		if !g.Quiet(p) {
			return
		}
		for _, after := range g.Turns(nil, p) {
			if !slices.Contains(g.Unmoves(nil, after), p) {
				t.Fatalf("%s is no unmove of %s", g.Format(p, 0), g.Format(after, 1))
			}
		}
	})
}
