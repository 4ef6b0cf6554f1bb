package catalogue

import (
	"context"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/tablebase/lookup"
)

// Probe is what the tables say of a position itself.
type Probe struct {
	Position string `json:"position"`
	Over     bool   `json:"over"`     // the rules alone decide it
	Slice    string `json:"slice"`    // empty where the game is over
	Metric   string `json:"metric"`   // likewise
	Value    string `json:"value"`    // for the side to move
	Distance *int   `json:"distance"` // in turns; null for draws and, but for a win with this turn, without dtw
}

// ErrNoLongest says that a slice has no longest win.
var ErrNoLongest = errors.New("no longest win")

// NoDistancesError says that it is stored without distances. It is an ErrNoLongest.
type NoDistancesError struct{ Slice string }

func (e *NoDistancesError) Error() string {
	return fmt.Sprintf("%v: slice %s is stored without distances, which --metric dtw builds", ErrNoLongest, e.Slice)
}

// Is makes the error match ErrNoLongest.
func (e *NoDistancesError) Is(target error) bool { return target == ErrNoLongest }

// SliceNameError says that a game has no slice of that name.
type SliceNameError struct {
	Name string
	Err  error // the game's
}

func (e *SliceNameError) Error() string { return e.Err.Error() }

// Unwrap returns the game's error.
func (e *SliceNameError) Unwrap() error { return e.Err }

// Probe looks positions up, without a look at their turns: what wins at once has no
// distance here where the tables have none.
func (t *tables[P]) Probe(ctx context.Context, positions []string) ([]Answer[Probe], error) {
	return answers(ctx, t.instance, positions, t.lookup.Rate, t.probe)
}

func (t *tables[P]) probe(side bitboard.Side, found lookup.Rated[P]) Answer[Probe] {
	switch {
	case found.Err != nil:
		return Answer[Probe]{Err: found.Err}
	case !found.Rating.Known:
		return Answer[Probe]{Err: t.lookup.Missing(found.Position)}
	}
	return Answer[Probe]{Result: t.probed(side, found)}
}

// probed is what the tables say of a position that they rate.
func (t *tables[P]) probed(side bitboard.Side, found lookup.Rated[P]) Probe {
	probe := Probe{
		Position: t.instance.game.Format(found.Position, side),
		Over:     found.Over,
		Value:    found.Rating.Value.String(),
		Distance: distance(found.Rating),
	}
	if !found.Over {
		probe.Slice, probe.Metric = t.instance.game.SliceName(found.Slice), found.Metric.String()
	}
	return probe
}

// firstSide moves in a position of a slice, unless the position tells its side
// itself.
const firstSide bitboard.Side = 0

// Random gives a position of a slice.
func (t *tables[P]) Random(ctx context.Context, slice string) (Probe, error) {
	s, err := t.instance.slice(slice)
	if err != nil {
		return Probe{}, err
	}
	found, err := t.lookup.Random(ctx, s)
	if err != nil {
		return Probe{}, err
	}
	answer := t.probe(firstSide, found)
	return answer.Result, answer.Err
}

// Longest gives a position with the longest win of a slice.
func (t *tables[P]) Longest(ctx context.Context, slice string) (Probe, error) {
	s, err := t.instance.slice(slice)
	if err != nil {
		return Probe{}, err
	}
	found, err := t.lookup.Longest(ctx, s)
	switch {
	case errors.Is(err, lookup.ErrNoDistances):
		return Probe{}, &NoDistancesError{slice}
	case errors.Is(err, lookup.ErrNothingWon):
		return Probe{}, fmt.Errorf("%w: in slice %s nothing is won", ErrNoLongest, slice)
	case err != nil:
		return Probe{}, err
	}
	answer := t.probe(firstSide, found)
	return answer.Result, answer.Err
}

// Drawn lists drawn positions of a slice.
func (t *tables[P]) Drawn(ctx context.Context, slice string, most int) ([]Probe, error) {
	s, err := t.instance.slice(slice)
	if err != nil {
		return nil, err
	}
	drawn, err := t.lookup.Drawn(ctx, s, most)
	probes := make([]Probe, 0, len(drawn))
	for _, found := range drawn {
		answer := t.probe(firstSide, found)
		err = errors.Join(err, answer.Err)
		probes = append(probes, answer.Result)
	}
	return probes, err
}

// slice finds a slice by its name.
func (n *instance[P]) slice(name string) (bitboard.Slice, error) {
	s, err := n.game.ParseSlice(name)
	if err != nil {
		err = &SliceNameError{name, err}
	}
	return s, err
}
