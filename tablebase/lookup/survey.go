package lookup

import (
	"context"
	"fmt"

	"paika/bitboard"
	"paika/tablebase"
)

// SurveyOptions say what a survey looks for and within which limits.
type SurveyOptions struct {
	Zugzwang bool // count zugzwangs; see tablebase.Survey
	Lines    bool // follow best play from the longest win and loss of each slice
	Workers  int  // goroutines; one by default
	Memory   uint64
	Progress func(done, total uint64) // indices of all slices; one call at a time
}

// Survey is what is found of one slice when all its positions are looked at.
type Survey[P comparable] struct {
	tablebase.Survey[P]

	// Lines is best play from Longest, by bitboard.Value: nil where there is none, or
	// where it was not asked for.
	Lines [3]*Query[P]
}

// Survey looks at every position of the slices, which must be stored, one slice
// after the other. What the tables with distances have for the longest win and loss
// is compared with the manifest: where they differ, the error wraps
// tablebase.ErrStoredSo. Memory bounds the buffers, in bytes. Other errors are those
// of Rate, and of its positions.
func (l *Lookup[P]) Survey(ctx context.Context, slices []bitboard.Slice, o SurveyOptions) ([]Survey[P], error) {
	var done, total uint64
	for _, s := range slices {
		total += l.game.Indices(s)
	}
	surveys := make([]Survey[P], len(slices))
	for i, s := range slices {
		if _, err := l.storedIn(s); err != nil {
			return nil, err
		}
		found, err := l.prober.Survey(ctx, s, tablebase.SurveyOptions{
			Zugzwang: o.Zugzwang, Workers: o.Workers, Memory: o.Memory,
			Progress: func(indices, _ uint64) { o.report(done+indices, total) },
		})
		if err == nil {
			err = l.checkLongest(s, found)
		}
		if err != nil {
			return nil, err
		}
		done += l.game.Indices(s)
		surveys[i].Survey = found
	}
	if !o.Lines {
		return surveys, nil
	}
	return surveys, l.playOut(ctx, surveys)
}

func (o *SurveyOptions) report(done, total uint64) {
	if o.Progress != nil {
		o.Progress(done, total)
	}
}

// checkLongest compares the longest win and loss that the manifest tells of with
// those found.
func (l *Lookup[P]) checkLongest(s bitboard.Slice, found tablebase.Survey[P]) error {
	if found.Metric != bitboard.DTW {
		return nil
	}
	name := l.game.SliceName(s)
	info, _ := l.store.Slice(bitboard.DTW, name)
	for _, c := range []struct {
		value  bitboard.Value
		stored int
	}{{bitboard.Win, info.LongestWin}, {bitboard.Loss, info.LongestLoss}} {
		// Without any, the length is 0 and the distance UnknownDistance.
		if got := len(found.Distances[c.value]) - 1; got != c.stored {
			return fmt.Errorf("slice %s: %w: the longest %s takes %s, and the manifest says %d (-1 for none)",
				name, tablebase.ErrStoredSo, c.value, bitboard.Count(got, "turn"), c.stored)
		}
	}
	return nil
}

// playOut follows best play from every longest position, all of them together.
func (l *Lookup[P]) playOut(ctx context.Context, surveys []Survey[P]) error {
	var longest []P
	var places []**Query[P]
	for i := range surveys {
		for v, p := range surveys[i].Longest {
			if p != nil {
				longest, places = append(longest, *p), append(places, &surveys[i].Lines[v])
			}
		}
	}
	queries, err := l.Query(ctx, longest)
	if err != nil {
		return err
	}
	for i := range queries {
		if queries[i].Err != nil {
			return queries[i].Err
		}
		*places[i] = &queries[i]
	}
	return nil
}
