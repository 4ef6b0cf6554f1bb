package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
	"paika/internal/usage"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// ErrTooManyPositions says that a slice is too large to be looked through.
var ErrTooManyPositions = errors.New("too many positions")

// SurveyOptions say what Survey adds and within which limits.
type SurveyOptions struct {
	Longest   bool
	Distances bool // as far as there are any
	Zugzwang  bool
	Workers   int                      // goroutines, at least 1; there are fewer where memory is scarce
	Memory    uint64                   // bytes beside the program and the cache of the tables; by default what Within leaves, or the least
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

	// Examples has a position of each kind that the slice has, in the order above:
	// the one with the lowest index. Totals have none.
	Examples []ZugzwangExample `json:"examples"`
}

// ZugzwangExample is a zugzwang.
type ZugzwangExample struct {
	Kind     string `json:"kind"` // the name of its count in Zugzwang
	Position string `json:"position"`
}

// zugzwang is what a survey found, as it is shown.
func (t *tables[P]) zugzwang(found lookup.Survey[P]) *Zugzwang {
	z := found.Zugzwang
	shown := &Zugzwang{Positions: z.Positions(), LossForWin: z.LossForWin, LossForDraw: z.LossForDraw, DrawForWin: z.DrawForWin, Unpassed: z.Unpassed, Examples: []ZugzwangExample{}}
	for kind, name := range [...]string{tablebase.LossForWin: "loss_for_win", tablebase.LossForDraw: "loss_for_draw", tablebase.DrawForWin: "draw_for_win"} {
		if p := found.Zugzwangs[kind]; p != nil {
			shown.Examples = append(shown.Examples, ZugzwangExample{name, t.instance.game.Format(*p, firstSide)})
		}
	}
	return shown
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
	workers, buffers, err := t.surveyors(o)
	if err != nil {
		return err
	}
	found, err := t.lookup.Survey(ctx, plan.slices, lookup.SurveyOptions{
		Zugzwang: o.Zugzwang, Lines: o.Longest, Workers: workers, Memory: buffers, Progress: o.Progress,
	})
	if err != nil {
		return err
	}
	for i, s := range plan.slices {
		for _, row := range plan.rows[s] {
			t.fill(row, found[i], o)
		}
	}
	stats.totalZugzwang()
	return nil
}

// surveyors tells how many workers there is memory for, and the bytes of their buffers: half of
// what there is, since buffers that grow leave garbage. The error wraps ErrMemory.
func (t *tables[P]) surveyors(o SurveyOptions) (workers int, buffers uint64, err error) {
	const what = "to look at every position"
	least := 2 * tablebase.SurveyBytes[P]()
	memory := o.Memory
	switch {
	case memory == 0 && t.memory > 0:
		if memory, err = admitReading(what, t.memory, least); err != nil {
			return 0, 0, err
		}
	case memory == 0:
		memory = least
	case memory < least:
		return 0, 0, fmt.Errorf("%w: %s takes %s, and %s", ErrMemory, what, usage.Needed(least), usage.Allowed(memory))
	}
	return int(min(uint64(max(1, o.Workers)), memory/least)), memory / 2, nil
}

// SurveySlice looks at every position of one slice, with distances if it is stored
// with them.
func (t *tables[P]) SurveySlice(ctx context.Context, slice string, most uint64, o SurveyOptions) (SliceStats, error) {
	stats, err := t.Stats()
	if err != nil {
		return SliceStats{}, err
	}
	s, err := t.instance.slice(slice)
	if err != nil {
		return SliceStats{}, err
	}
	m, stored := t.lookup.Metric(s)
	if !stored {
		return SliceStats{}, &tablebase.MissingError{Slice: slice}
	}
	one := stats.Only(m).Slices
	one = slices.DeleteFunc(one, func(other SliceStats) bool { return other.Slice != t.instance.game.SliceName(s) })
	if positions := one[0].Positions; positions > most {
		return SliceStats{}, fmt.Errorf("%w: %s has %d, and at most %d are looked through here; paika stats looks through all", ErrTooManyPositions, slice, positions, most)
	}
	_, passes := t.instance.game.(bitboard.Passer[P])
	o.Zugzwang = o.Zugzwang && passes
	o.Longest = o.Longest && m == bitboard.DTW
	surveyed := Stats{Slices: one}
	err = t.Survey(ctx, &surveyed, o)
	return surveyed.Slices[0], err
}

// surveyPlan is the slices to be looked at and where what is found goes: one
// that is stored in both metrics is looked at once.
type surveyPlan struct {
	slices []bitboard.Slice
	rows   map[bitboard.Slice][]*SliceStats
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
		s, err := t.instance.game.ParseSlice(row.Slice)
		if err != nil {
			return plan, err
		}
		if plan.rows[s] == nil {
			plan.slices = append(plan.slices, s)
		}
		plan.rows[s] = append(plan.rows[s], row)
	}
	if o.Longest && !distances {
		return plan, &NoSlicesError{Metric: bitboard.DTW.String()}
	}
	return plan, nil
}

func (s *SliceStats) hasDistances() bool { return s.Metric == bitboard.DTW.String() }

// fill puts into a row what is asked for of what was found.
func (t *tables[P]) fill(row *SliceStats, found lookup.Survey[P], o SurveyOptions) {
	if found.Zugzwang != nil {
		row.Zugzwang = t.zugzwang(found)
	}
	if !row.hasDistances() {
		return
	}
	if o.Distances {
		row.Distances = joined(found.Distances)
	}
	if o.Longest {
		row.Longest = &Longest{t.longestLine(found.Lines[bitboard.Win]), t.longestLine(found.Lines[bitboard.Loss])}
	}
}

// longestLine is a line as it is shown, or none.
func (t *tables[P]) longestLine(found *lookup.Query[P]) *LongestLine {
	if found == nil {
		return nil
	}
	return &LongestLine{
		Turns:    found.Rating.Distance,
		Position: t.instance.game.Format(found.Position, firstSide),
		Line:     t.instance.line(found.Position, firstSide, found.Line),
	}
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
				total.Zugzwang = &Zugzwang{Examples: []ZugzwangExample{}}
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
