package catalogue

import (
	"context"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/tablebase"
)

// ErrNoDistances says that longest lines were asked of tables without
// distances.
var ErrNoDistances = errors.New("none of the tables has distances: build them with --metric dtw")

// SurveyOptions say what Survey adds and within which limits.
type SurveyOptions struct {
	Longest   bool
	Distances bool // as far as there are any
	Zugzwang  bool
	Workers   int                      // goroutines, at least 1
	Memory    uint64                   // bytes that the whole program may take
	Progress  func(done, total uint64) // indices; one call at a time
}

// Longest is the longest win and loss of a slice, each nil where there is none.
// Of positions that are equally long the one with the lowest index stands here.
type Longest struct {
	Win  *LongestLine `json:"win"`
	Loss *LongestLine `json:"loss"`
}

// LongestLine is a position and best play from it to the end of the game.
type LongestLine struct {
	Turns    int      `json:"turns"`
	Position string   `json:"position"`
	Line     []string `json:"line"`
}

// Distance is the number of positions that are won and lost in some turns, with
// symmetry undone.
type Distance struct {
	Turns int    `json:"turns"`
	Win   uint64 `json:"win"`
	Loss  uint64 `json:"loss"`
}

// Zugzwang counts the positions whose side to move gets less than it would with
// the other side to move, as tablebase.Zugzwang says, with symmetry undone.
type Zugzwang struct {
	Positions   uint64 `json:"positions"`
	LossForWin  uint64 `json:"loss_for_win"` // whoever is to move loses
	LossForDraw uint64 `json:"loss_for_draw"`
	DrawForWin  uint64 `json:"draw_for_win"`
	Unpassed    uint64 `json:"unpassed"` // not asked, as they cannot have the other side to move
}

func newZugzwang(z tablebase.Zugzwang) *Zugzwang {
	return &Zugzwang{z.Positions(), z.LossForWin, z.LossForDraw, z.DrawForWin, z.Unpassed}
}

// Survey adds to stats what is asked for.
func (t *tables[P]) Survey(ctx context.Context, stats *Stats, o SurveyOptions) error {
	if t.store == nil {
		return t.absent
	}
	plan, err := t.planSurvey(stats, o)
	if err != nil {
		return err
	}
	var lines extremes
	var done uint64
	for _, s := range plan.slices {
		found, err := t.prober.Survey(ctx, s, tablebase.SurveyOptions{
			Zugzwang: o.Zugzwang, Workers: o.Workers, Memory: o.Memory / 2,
			Progress: func(indices, _ uint64) { o.report(done+indices, plan.indices) },
		})
		if err != nil {
			return err
		}
		done += t.game.Indices(s)
		for _, row := range plan.rows[s] {
			if err := t.fill(row, found, o, &lines); err != nil {
				return err
			}
		}
	}
	stats.totalZugzwang()
	return t.playOut(ctx, lines)
}

// surveyPlan is the slices to be looked at and where what is found goes: one
// that is stored in both metrics is looked at once.
type surveyPlan struct {
	slices  []bitboard.Slice
	rows    map[bitboard.Slice][]*SliceStats
	indices uint64 // of all slices
}

func (t *tables[P]) planSurvey(stats *Stats, o SurveyOptions) (surveyPlan, error) {
	plan := surveyPlan{rows: make(map[bitboard.Slice][]*SliceStats)}
	distances := false
	for i := range stats.Slices {
		row := &stats.Slices[i]
		distances = distances || row.hasDistances()
		if !row.hasDistances() && !o.Zugzwang {
			continue
		}
		s, err := t.game.ParseSlice(row.Slice)
		if err != nil {
			return plan, err
		}
		if plan.rows[s] == nil {
			plan.slices = append(plan.slices, s)
			plan.indices += t.game.Indices(s)
		}
		plan.rows[s] = append(plan.rows[s], row)
	}
	if o.Longest && !distances {
		return plan, ErrNoDistances
	}
	return plan, nil
}

func (s *SliceStats) hasDistances() bool { return s.Metric == bitboard.DTW.String() }

// fill puts into a row what is asked for of what was found, and notes the
// positions whose lines are to follow.
func (t *tables[P]) fill(row *SliceStats, found tablebase.Survey[P], o SurveyOptions, lines *extremes) error {
	if found.Zugzwang != nil {
		row.Zugzwang = newZugzwang(*found.Zugzwang)
	}
	if !row.hasDistances() {
		return nil
	}
	if err := row.checkLongest(found.Distances); err != nil {
		return err
	}
	if o.Distances {
		row.Distances = joined(found.Distances)
	}
	if o.Longest {
		row.Longest = new(Longest)
		lines.add(t.formatted(found.Longest[bitboard.Win]), &row.Longest.Win)
		lines.add(t.formatted(found.Longest[bitboard.Loss]), &row.Longest.Loss)
	}
	return nil
}

// formatted is the text of a position, or none.
func (t *tables[P]) formatted(p *P) string {
	if p == nil {
		return ""
	}
	return t.game.Format(*p, 0)
}

func (o *SurveyOptions) report(done, total uint64) {
	if o.Progress != nil {
		o.Progress(done, total)
	}
}

// checkLongest compares the longest lines that the manifest tells of with those
// found.
func (s *SliceStats) checkLongest(found [3][]uint64) error {
	for _, c := range []struct {
		value  bitboard.Value
		stored *int
	}{{bitboard.Win, s.LongestWin}, {bitboard.Loss, s.LongestLoss}} {
		if got := known(len(found[c.value]) - 1); orUnknown(got) != orUnknown(c.stored) {
			return fmt.Errorf("slice %s: %w: the longest %s takes %d turns, and the manifest says %d (-1 for none)",
				s.Slice, tablebase.ErrDamaged, c.value, orUnknown(got), orUnknown(c.stored))
		}
	}
	return nil
}

func orUnknown(distance *int) int {
	if distance == nil {
		return bitboard.UnknownDistance
	}
	return *distance
}

// joined lists every distance at which there are positions.
func joined(found [3][]uint64) []Distance {
	at := func(v bitboard.Value, turns int) uint64 {
		if turns < len(found[v]) {
			return found[v][turns]
		}
		return 0
	}
	all := []Distance{}
	for turns := range max(len(found[bitboard.Win]), len(found[bitboard.Loss])) {
		if d := (Distance{turns, at(bitboard.Win, turns), at(bitboard.Loss, turns)}); d.Win+d.Loss > 0 {
			all = append(all, d)
		}
	}
	return all
}

// totalZugzwang sums what the slices of each metric have.
func (s *Stats) totalZugzwang() {
	for i := range s.Totals {
		total := &s.Totals[i]
		for _, row := range s.Slices {
			if row.Metric != total.Metric || row.Zugzwang == nil {
				continue
			}
			if total.Zugzwang == nil {
				total.Zugzwang = new(Zugzwang)
			}
			total.Zugzwang.include(*row.Zugzwang)
		}
	}
}

func (z *Zugzwang) include(other Zugzwang) {
	z.Positions += other.Positions
	z.LossForWin += other.LossForWin
	z.LossForDraw += other.LossForDraw
	z.DrawForWin += other.DrawForWin
	z.Unpassed += other.Unpassed
}

// extremes are positions whose lines are to be followed, and where these go.
type extremes struct {
	positions []string
	to        []**LongestLine
}

func (e *extremes) add(position string, to **LongestLine) {
	if position != "" {
		e.positions, e.to = append(e.positions, position), append(e.to, to)
	}
}

// playOut follows best play from every position, all of them together.
func (t *tables[P]) playOut(ctx context.Context, e extremes) error {
	if len(e.positions) == 0 {
		return nil
	}
	found, err := t.Query(ctx, e.positions)
	if err != nil {
		return err
	}
	for i, answer := range found {
		if answer.Err != nil {
			return answer.Err
		}
		*e.to[i] = &LongestLine{*answer.Result.Distance, answer.Result.Position, answer.Result.Line}
	}
	return nil
}
