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
	"paika/bitboard/fanorona"
	"paika/solver/retrograde"
)

// rows are tables of Fanorona as rows of text, as paika export writes them.
type rows struct {
	game      bitboard.Game[fanorona.Position]
	board     bitboard.Board
	rules     string
	tables    map[bitboard.Slice]*bitboard.Table
	lines     []string
	positions uint64 // symmetry undone
}

func (r *rows) Has(s bitboard.Slice) bool { return r.tables[s] != nil }

func (r *rows) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.DTW, r.tables[t.Slice].DTW)
	return nil
}

func (r *rows) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	r.tables[t.Slice] = &bitboard.Table{Slice: t.Slice, DTW: slices.Clone(t.DTW)}
	r.game.Walk(t.Slice, 0, r.game.Indices(t.Slice), func(index uint64, p fanorona.Position, images int) bool {
		o, distance := t.Outcome(index), ""
		if o.Distance != bitboard.UnknownDistance {
			distance = fmt.Sprint(o.Distance)
		}
		r.lines = append(r.lines, fmt.Sprintf("%d,%s,%d,%s,%s\n", index, r.game.Format(p, 0), images, o.Value, distance))
		r.positions += 2 * uint64(images) // with White and with Black to move
		return true
	})
	return nil
}

// newRows solves all positions with up to that many stones, distances with them.
func newRows(t *testing.T, width, height, pieces int, options map[string]string) *rows {
	t.Helper()
	rules, err := fanorona.ParseRules(options)
	if err != nil {
		t.Fatal(err)
	}
	board := bitboard.Board{Width: width, Height: height}
	game, err := fanorona.New(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := bitboard.GroupsUpTo(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	r := &rows{game: game, board: board, rules: game.Rules().String(), tables: map[bitboard.Slice]*bitboard.Table{}}
	if _, err := retrograde.Build(t.Context(), game, groups, r, retrograde.Options{Metric: bitboard.DTW, Workers: 1, Memory: 1 << 28}); err != nil {
		t.Fatal(err)
	}
	return r
}

// judge has the checker judge rows.
func (p proved) judge(t *testing.T, r *rows, lines []string, args ...string) (valid bool, said string) {
	t.Helper()
	args = append([]string{"--tables", "fanorona", r.board.String(), r.rules}, args...)
	check := exec.CommandContext(t.Context(), filepath.Join(p.folder, "check"), args...)
	check.Stdin = strings.NewReader("index,position,images,value,distance\n" + strings.Join(lines, ""))
	return verdict(t, check)
}

// agreesOnTables has tables judged, under all rules and on boards of all symmetries, and tables of
// which one row is wrong.
func (p proved) agreesOnTables(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		width, height, pieces int
		rules                 map[string]string
	}{
		{3, 3, 9, nil},
		{3, 3, 5, map[string]string{"stalemate": "draw", "direction-rule": "no-repeat-or-reverse"}},
		{3, 3, 5, map[string]string{"direction-rule": "never-twice"}},
		{5, 3, 4, nil},
		{4, 3, 4, nil},
		{4, 4, 3, nil},
		{9, 5, 3, nil},
	} {
		r := newRows(t, c.width, c.height, c.pieces, c.rules)
		want := fmt.Sprintf(": valid, %d positions\n", r.positions)
		if valid, said := p.judge(t, r, r.lines, "--workers", "2"); !valid || !strings.HasSuffix(said, want) {
			t.Errorf("%s, %v: %s", r.board, c.rules, said)
		}
		for range 8 {
			at := rng.IntN(len(r.lines))
			wrong := slices.Clone(r.lines)
			wrong[at] = changedRow(rng, wrong[at])
			if valid, said := p.judge(t, r, wrong, "--workers", fmt.Sprint(1+rng.IntN(3))); valid || !strings.Contains(said, "not valid: ") {
				t.Errorf("%s, %v: %q for %q: %v, %s", r.board, c.rules, wrong[at], r.lines[at], valid, said)
			}
		}
	}
}

// changedRow is no row, the row twice, or one that says something else.
func changedRow(rng *rand.Rand, line string) string {
	fields := strings.Split(strings.TrimSuffix(line, "\n"), ",")
	others := slices.DeleteFunc([]string{"win,1", "win,2", "loss,1", "loss,2", "draw,"}, func(said string) bool {
		return said == fields[3]+","+fields[4]
	})
	if distance := fields[4]; distance != "" {
		others = append(others, "draw,", fields[3]+","+distance+"0", fields[3]+","+distance+"2")
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
