package proofs_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/solver/retrograde"
)

// rows are tables of a game as rows of text, as paika export writes them.
type rows[P comparable] struct {
	name, rules string
	board       bitboard.Board
	game        bitboard.Game[P]
	tables      map[bitboard.Slice]*bitboard.Table
	lines       []string
	images      int // of the positions in the lines
}

func (r *rows[P]) Has(s bitboard.Slice) bool { return r.tables[s] != nil }

func (r *rows[P]) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.DTW, r.tables[t.Slice].DTW)
	return nil
}

func (r *rows[P]) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	r.tables[t.Slice] = &bitboard.Table{Slice: t.Slice, DTW: slices.Clone(t.DTW)}
	r.game.Walk(t.Slice, 0, r.game.Indices(t.Slice), func(index uint64, p P, images int) bool {
		o, distance := t.Outcome(index), ""
		if o.Distance != bitboard.UnknownDistance {
			distance = fmt.Sprint(o.Distance)
		}
		r.images += images
		r.lines = append(r.lines, fmt.Sprintf("%d,%s,%d,%s,%s\n", index, r.game.Format(p, 0), images, o.Value, distance))
		return true
	})
	return nil
}

// solve solves all positions with up to that many pieces, distances with them.
func (r *rows[P]) solve(t *testing.T, pieces int) {
	t.Helper()
	groups, err := bitboard.GroupsWithin(r.game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	r.tables = map[bitboard.Slice]*bitboard.Table{}
	if _, err := retrograde.Build(t.Context(), r.game, groups, r, retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: 1 << 28}); err != nil {
		t.Fatal(err)
	}
}

// agree has rows judged that are right, and some of which one is wrong. If they are right, the
// checker comes to so many positions.
func (r *rows[P]) agree(t *testing.T, p proved, rng *rand.Rand, positions int) {
	t.Helper()
	want := fmt.Sprintf(": valid, %d positions\n", positions)
	if valid, said := p.judge(t, r.name, r.board, r.rules, r.lines, "--workers", "2"); !valid || !strings.HasSuffix(said, want) {
		t.Errorf("%s, %s: %s, want %q", r.board, r.rules, said, want)
	}
	for range 8 {
		at := rng.IntN(len(r.lines))
		wrong := slices.Clone(r.lines)
		wrong[at] = changedRow(rng, wrong[at])
		if valid, said := p.judge(t, r.name, r.board, r.rules, wrong, "--workers", fmt.Sprint(1+rng.IntN(3))); valid || !strings.Contains(said, "not valid: ") {
			t.Errorf("%s, %s: %q for %q: %v, %s", r.board, r.rules, wrong[at], r.lines[at], valid, said)
		}
	}
}

// judge has the checker judge rows.
func (p proved) judge(t *testing.T, game string, board bitboard.Board, rules string, lines []string, args ...string) (valid bool, said string) {
	t.Helper()
	check := exec.CommandContext(t.Context(), filepath.Join(p.folder, "check"), append([]string{"--tables", game, board.String(), rules}, args...)...)
	check.Stdin = strings.NewReader("index,position,images,value,distance\n" + strings.Join(lines, ""))
	return verdict(t, check)
}

// agreesOnTables has tables of Fanorona judged, under all rules and on boards of all symmetries.
func (p proved) agreesOnTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		width, height, pieces, positions int
		rules                            map[string]string
	}{
		{3, 3, 9, 37320, nil},
		{3, 3, 5, 12240, map[string]string{"stalemate": "draw", "direction-rule": "no-repeat-or-reverse"}},
		{3, 3, 5, 12240, map[string]string{"direction-rule": "never-twice"}},
		{5, 3, 4, 44100, nil},
		{4, 3, 4, 16764, nil},
		{4, 4, 3, 7200, nil},
		{9, 5, 3, 174240, nil},
	} {
		rules, err := fanorona.ParseRules(c.rules)
		if err != nil {
			t.Fatal(err)
		}
		board := bitboard.Board{Width: c.width, Height: c.height}
		game, err := fanorona.New(board, rules)
		if err != nil {
			t.Fatal(err)
		}
		r := &rows[fanorona.Position]{name: "fanorona", rules: game.Rules().String(), board: board, game: game}
		r.solve(t, c.pieces)
		r.agree(t, p, rng, c.positions)
	}
}

// agreesOnKonaneTables has tables of Konane judged, all positions of small boards, and of a larger one
// those with few stones. Those of the opening are not looked at.
func (p proved) agreesOnKonaneTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 16))
	for _, c := range []struct {
		width, height, pieces, positions int
		opening                          string
	}{
		{3, 3, 9, 2 * (1<<9 - 10), "traditional"},
		{3, 4, 12, 2 * (1<<12 - 13), "any"},
		{4, 3, 12, 2 << 12, "corner-v"},
		{4, 4, 5, 2 * 6885, "centre-or-corner"},
		{6, 5, 3, 2 * 4526, "middle-h"},
	} {
		board := bitboard.Board{Width: c.width, Height: c.height}
		rules, err := konane.ParseRules(board, map[string]string{"opening": c.opening})
		if err != nil {
			t.Fatal(err)
		}
		game, err := konane.New[konane.Word](board, rules)
		if err != nil {
			t.Fatal(err)
		}
		r := &rows[konane.Position[konane.Word]]{name: "konane", rules: game.Rules().String(), board: board, game: game}
		r.solve(t, c.pieces)
		r.agree(t, p, rng, c.positions)
	}
	// Nothing was checked where all that is said is left out.
	opening := []string{"0,ox/xo b,1,win,1\n"}
	if valid, said := p.judge(t, "konane", bitboard.Board{Width: 2, Height: 2}, "opening=traditional", opening); valid || !strings.Contains(said, "all rows are of the opening") {
		t.Errorf("rows of the opening alone: %v, %s", valid, said)
	}
}

// agreesOnBreakthroughTables has tables of Breakthrough judged, whole boards and some with few pawns.
func (p proved) agreesOnBreakthroughTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 18))
	for _, c := range []struct{ width, height, pieces int }{{2, 4, 8}, {3, 4, 4}, {2, 5, 8}, {5, 5, 3}} {
		board := bitboard.Board{Width: c.width, Height: c.height}
		game, err := breakthrough.New(board)
		if err != nil {
			t.Fatal(err)
		}
		r := &rows[breakthrough.Position]{name: "breakthrough", board: board, game: game}
		r.solve(t, c.pieces)
		r.agree(t, p, rng, 2*r.images) // seen by White and by Black
	}
}

// changedRow is no row, the row twice, or one that says something else.
func changedRow(rng *rand.Rand, line string) string {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), ",")
	others := slices.DeleteFunc([]string{"win,1", "win,2", "loss,1", "loss,2", "draw,"}, func(said string) bool {
		return said == fields[3]+","+fields[4]
	})
	if distance := fields[4]; distance != "" {
		others = append(others, "draw,", fields[3]+",1"+distance, fields[3]+",2"+distance)
	}
	switch n := rng.IntN(len(others) + 2); n {
	case 0:
		return ""
	case 1:
		return line + line
	default:
		return strings.Join(append(fields[:3], others[n-2]), ",") + "\n"
	}
}
