package proofs_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// forged is a sealed certificate of a claim, with tables of all that was solved.
func (s *solved[P]) forged(t testing.TB, claim, root string, records ...string) []byte {
	t.Helper()
	h := proofs.Header{Format: 1, Setting: s.setting, Claim: claim, Root: root, Tables: []proofs.Table{}}
	h.Tables = append(h.Tables, s.named()...)
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return packText(t, withEnd(strings.Join(append([]string{string(line)}, records...), "\n")+"\n"))
}

// forgery is a certificate made by hand, and the fault that is to be found.
type forgery struct {
	name, claim, root string
	records           []string
	want              string
}

func refuseAll[P comparable](t *testing.T, name, board string, game bitboard.Game[P], err error, forgeries []forgery) {
	if err != nil {
		t.Fatal(err)
	}
	s := &solved[P]{setting: proofs.Setting{Game: name, Board: board}, game: game}
	for _, f := range forgeries {
		t.Run(name+"/"+f.name, func(t *testing.T) {
			r := s.check(t, s.forged(t, f.claim, f.root, f.records...), proofs.Options{})
			var all []string
			for _, found := range r.Findings {
				all = append(all, found.String())
			}
			if text := strings.Join(all, "\n"); r.Valid() || !strings.Contains(text, f.want) {
				t.Errorf("findings %q, want %q", text, f.want)
			}
		})
	}
}

// No record makes a win out of a game that is over, out of a turn that the rules do not
// allow, or out of two answers to one position.
func TestWhatIsForgedByHandIsRefused(t *testing.T) {
	f, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	refuseAll(t, "fanorona", "3x3", bitboard.Game[fanorona.Position](f), err, []forgery{
		{"the loser goes on", "white-wins", "B../.../... w", []string{"B../.../... w\ta1-a2\t1"}, "the game is over"},
		{"the winner goes on", "white-wins", "W../.../... w", []string{"W../.../... w\ta3-a2\t1"}, "the game is over"},
		{"all turns of none", "white-wins", "W../.../... b", []string{"W../.../... b\t*\t1"}, "the game is over"},
		{"a long turn from nowhere", "white-wins", ".../.../W.B w", []string{".../.../W.B w\tb1" + strings.Repeat("-b2A-b1W", 99) + "\t1"}, "...\": there is no stone on b1"},
		{"no capture where one is possible", "white-wins", "B../.../W.W w", []string{"B../.../W.W w\tc1-c2\t1"}, "capture is compulsory"},
		{"two turns of one position", "white-not-lost", "..B/.../W.. w",
			[]string{"..B/.../W.. w\ta1-a2", "..B/.../W.. w\ta1-b1"}, "stands in the certificate twice"},
		{"a circle of one rank", "white-wins", "..B/.../W.. w", []string{
			"..B/.../W.. w\ta1-a2\t7", "..B/W../... b\t*\t7",
			".../W.B/... w\ta2-a1\t7", ".../..B/W.. b\t*\t7"}, "has rank 7: want less than 7"},
		{"a rank past the last", "white-wins", "..B/.../W.. w", []string{"..B/.../W.. w\ta1-a2\t4294967296"}, "want a number below 2^32"},
		{"a rank with a sign", "white-wins", "..B/.../W.. w", []string{"..B/.../W.. w\ta1-a2\t+1"}, "want a number below 2^32"},
		{"the claim of the other side's turn", "black-wins", "..B/.../W.. w", []string{"..B/.../W.. w\ta1-a2\t1"}, "is chosen for white"},
		{"the same own stones and the other side to move", "white-wins", "WWW/W.B/BBB b", []string{"BBB/B.W/WWW w\tc1-b2A\t5"}, "WWW/W.B/BBB b, which follows, is neither"},
		{"a root that no record has", "white-not-lost", "..B/.../W.. w", nil, "is neither in the certificate"},
	})
	p, err := phutball.New(bitboard.Board{Width: 3, Height: 3}, phutball.Rules{})
	refuseAll(t, "phutball", "3x3", bitboard.Game[phutball.Position](p), err, []forgery{
		{"a ball in the goal goes on", "ohs-wins", "@../.../... eks", []string{"@../.../... eks\t*\t1"}, "the game is over"},
		{"a man placed after the goal", "ohs-wins", "ball=A1 to=ohs", []string{"ball=A1 to=ohs\tA2\t1"}, "the game is over"},
		{"one position in two spellings", "ohs-not-lost", "ball=B2 to=ohs",
			[]string{"ball=B2 to=ohs\tA1", ".../.@./... ohs\tA2"}, "stands in the certificate twice"},
	})
	b, err := breakthrough.New(bitboard.Board{Width: 3, Height: 4})
	refuseAll(t, "breakthrough", "3x4", bitboard.Game[breakthrough.Position](b), err, []forgery{
		{"a pawn that is there goes on", "black-wins", "W../..B/.../... b", []string{"W../..B/.../... b\tc3-c2\t9"}, "the game is over"},
		{"a capture straight ahead", "white-wins", ".../B../W../... w", []string{".../B../W../... w\ta2xa3\t1"}, "a pawn captures diagonally"},
	})
	k, err := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 3}, konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
	refuseAll(t, "konane", "3x3", bitboard.Game[konane.Position[konane.Word]](k), err, []forgery{
		{"who cannot move", "black-wins", ".../.../..x b", []string{".../.../..x b\tc1-a1\t1"}, "there is no stone on b1"},
		{"all turns of none", "white-wins", ".../.../..x b", []string{".../.../..x b\t*\t1"}, "the game is over"},
	})
}

// While nobody has a colour a claim is about the players. The tables know who wins then,
// the first or the second, and that is no win of White's or of Black's.
func TestNobodyHasAColourBeforeTheOpening(t *testing.T) {
	game, err := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 4}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s := &solved[konane.Position[konane.Word]]{setting: proofs.Setting{Game: "konane", Board: "3x4"}, game: game}
	s.solve(t, bitboard.AllPieces)
	for _, root := range []string{"oxo/xox/oxo/xox b", "oxo/x.x/oxo/xox w"} {
		for _, claim := range []string{"black-wins", "white-wins"} {
			r, err := s.tryCheck(t, s.forged(t, claim, root), proofs.Options{})
			if err == nil || !strings.Contains(err.Error(), "want a claim about first or second") {
				t.Errorf("%s of %s: %v, %v", claim, root, r.Findings, err)
			}
		}
	}
	r := s.check(t, s.forged(t, "white-wins", "oxo/xox/oxo/x.. b", "oxo/xox/oxo/xox b\t*\t1"), proofs.Options{})
	if !slices.ContainsFunc(r.Findings, func(f proofs.Finding) bool { return strings.Contains(f.Reason, "want a claim about first or second") }) {
		t.Errorf("a record where nobody has a colour: %v", r.Findings)
	}
	s.game = game.ByPlayers()
	for _, root := range []string{"oxo/xox/oxo/xox b first", "oxo/x.x/oxo/xox w second", "o.o/x.x/oxo/xox b first"} {
		holds := 0
		for _, claim := range []string{"first-wins", "second-wins"} {
			if s.check(t, s.forged(t, claim, root), proofs.Options{}).Valid() {
				holds++
			}
		}
		if holds != 1 {
			t.Errorf("%s: %d of two claims hold", root, holds)
		}
	}
}
