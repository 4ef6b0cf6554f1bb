package catalogue

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"paika/bitboard"
	"paika/tablebase"
)

// Probe is what the tables say of a position itself.
type Probe struct {
	Position string `json:"position"`
	Over     bool   `json:"over"`     // the rules alone decide it
	Slice    string `json:"slice"`    // empty where the game is over
	Metric   string `json:"metric"`   // likewise
	Value    string `json:"value"`    // for the side to move
	Distance *int   `json:"distance"` // in turns; null for draws and without dtw
}

// ErrNoLongest says that a slice has no longest win.
var ErrNoLongest = errors.New("no longest win")

// SliceNameError says that a game has no slice of that name.
type SliceNameError struct {
	Name string
	Err  error // the game's
}

func (e *SliceNameError) Error() string { return e.Err.Error() }

// Unwrap returns the game's error.
func (e *SliceNameError) Unwrap() error { return e.Err }

// Probe looks positions up, without their turns.
func (t *tables[P]) Probe(ctx context.Context, positions []string) ([]Answer[Probe], error) {
	return answers(t, ctx, positions, func(_ context.Context, roots []*node[P]) ([]Answer[Probe], error) {
		results := make([]Answer[Probe], 0, len(roots))
		for _, root := range roots {
			if root.rating.known {
				results = append(results, Answer[Probe]{Result: t.probed(root)})
			} else {
				results = append(results, Answer[Probe]{Err: t.missing(root.position)})
			}
		}
		return results, nil
	})
}

// probed is what the tables say of a node that they rate.
func (t *tables[P]) probed(n *node[P]) Probe {
	probe := Probe{
		Position: t.game.Format(n.position, n.side),
		Over:     n.over,
		Value:    n.rating.Value.String(),
		Distance: n.rating.distance(),
	}
	if !n.over {
		slice := t.game.SliceOf(n.position)
		metric, _ := t.metric(slice)
		probe.Slice, probe.Metric = t.game.SliceName(slice), metric.String()
	}
	return probe
}

// Play makes a turn.
func (n *instance[P]) Play(position, turn string) (string, error) {
	p, side, err := n.parse(position)
	if err != nil {
		return "", err
	}
	made, err := n.game.ParseTurn(p, side, turn)
	if err != nil {
		return "", &TurnError{err}
	}
	return n.game.Format(made.To, side.Other()), nil
}

// most images that an index stands for.
const mostImages = 8

// randomTries bounds the search for an index that is no gap.
const randomTries = 1 << 20

// Random draws indices until one is kept, as often as it stands for positions.
func (t *tables[P]) Random(ctx context.Context, slice string) (Probe, error) {
	s, _, err := t.storedSlice(slice)
	if err != nil {
		return Probe{}, err
	}
	for try := 0; try < randomTries && t.game.Indices(s) > 0; try++ {
		if p, weight := t.game.Unrank(s, rand.Uint64N(t.game.Indices(s))); rand.IntN(mostImages) < weight {
			return t.probeOne(ctx, p)
		}
	}
	return Probe{}, fmt.Errorf("slice %s: no position found in %d tries", slice, randomTries)
}

// Longest scans a slice for its longest win.
func (t *tables[P]) Longest(ctx context.Context, slice string) (Probe, error) {
	s, metric, err := t.storedSlice(slice)
	if err != nil {
		return Probe{}, err
	}
	info, _ := t.store.Slice(metric, slice)
	switch {
	case metric != bitboard.DTW:
		return Probe{}, fmt.Errorf("%w: slice %s is stored without distances, which --metric dtw builds", ErrNoLongest, slice)
	case info.LongestWin == bitboard.UnknownDistance:
		return Probe{}, fmt.Errorf("%w: in slice %s nothing is won", ErrNoLongest, slice)
	}
	var longest *P
	err = t.prober.Find(ctx, s, bitboard.Outcome{Value: bitboard.Win, Distance: info.LongestWin}, func(p P) bool {
		longest = &p
		return false
	})
	switch {
	case err != nil:
		return Probe{}, err
	case longest == nil:
		return Probe{}, fmt.Errorf("slice %s: its longest win is not in its table", slice)
	}
	return t.probeOne(ctx, *longest)
}

// Drawn lists drawn positions of a slice.
func (t *tables[P]) Drawn(ctx context.Context, slice string, most int) ([]Probe, error) {
	s, _, err := t.storedSlice(slice)
	if err != nil {
		return nil, err
	}
	var drawn []string
	err = t.prober.Find(ctx, s, bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}, func(p P) bool {
		drawn = append(drawn, t.game.Format(p, 0))
		return len(drawn) < most
	})
	if err != nil {
		return nil, err
	}
	answers, err := t.Probe(ctx, drawn)
	probes := make([]Probe, 0, len(answers))
	for _, a := range answers {
		err = errors.Join(err, a.Err)
		probes = append(probes, a.Result)
	}
	return probes, err
}

// storedSlice finds a slice by its name, and the better metric in which it is
// stored.
func (t *tables[P]) storedSlice(name string) (bitboard.Slice, bitboard.Metric, error) {
	s, err := t.game.ParseSlice(name)
	if err != nil {
		return 0, 0, &SliceNameError{name, err}
	}
	metric, stored := t.metric(s)
	if !stored {
		return 0, 0, &tablebase.MissingError{Slice: name}
	}
	return s, metric, nil
}

// probeOne looks up a position with the first side to move, or whichever side
// the position itself tells.
func (t *tables[P]) probeOne(ctx context.Context, p P) (Probe, error) {
	answers, err := t.Probe(ctx, []string{t.game.Format(p, 0)})
	if err != nil {
		return Probe{}, err
	}
	return answers[0].Result, answers[0].Err
}
