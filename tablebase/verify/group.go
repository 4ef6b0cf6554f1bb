package verify

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"paika/bitboard"
	"paika/tablebase"
)

// blockIndices is how much of a slice a worker takes at a time: a multiple of
// 64, so that no two workers share a word of bits.
const blockIndices = 1 << 14

// derive proves one group, or reports why it cannot.
func (v *verifier[P]) derive(ctx context.Context, c groupCheck) error {
	for _, s := range c.loaded() {
		if v.broken[c.metric][s] {
			v.giveUp(c, fmt.Sprintf("%s is damaged", v.game.SliceName(s)))
			return nil
		}
	}
	if err := v.load(ctx, c); err != nil {
		return v.lost(c, err)
	}
	d := newDerivation(v, c)
	for _, s := range c.sparse {
		if err := d.complete(ctx, s); err != nil {
			return err
		}
	}
	for _, s := range c.group.Slices {
		if err := d.check(ctx, s); err != nil {
			return err
		}
	}
	if c.metric == bitboard.WDL {
		return d.ground(ctx)
	}
	return nil
}

// giveUp reports a group that cannot be derived.
func (v *verifier[P]) giveUp(c groupCheck, why string) {
	for _, s := range c.group.Slices {
		v.underivable(c.metric, s, why)
	}
	v.progress.Add(c.work(v.game.Indices))
}

// lost reports a group whose tables were whole when they were scanned, and can't
// be read any more.
func (v *verifier[P]) lost(c groupCheck, err error) error {
	if !errors.Is(err, tablebase.ErrDamaged) {
		return err
	}
	for m := range v.tables {
		clear(v.tables[m])
	}
	clear(v.complete)
	v.giveUp(c, err.Error())
	return nil
}

// load makes the tables of a check the only ones in memory. Those that the last
// check had as well stay.
func (v *verifier[P]) load(ctx context.Context, c groupCheck) error {
	want := [tablebase.MetricCount][]bitboard.Slice{}
	want[c.metric] = c.loaded()
	want[bitboard.WDL] = append(want[bitboard.WDL], c.agree...)
	for m := range want {
		for s := range v.tables[m] {
			if !slices.Contains(want[m], s) {
				delete(v.tables[m], s)
				delete(v.complete, s)
			}
		}
	}
	// Without this the tables let go of would stay beside the new ones until
	// the heap has doubled, and Memory would be wrong.
	runtime.GC()
	for m := range bitboard.Metric(tablebase.MetricCount) {
		for _, s := range want[m] {
			if err := v.loadTable(ctx, m, s); err != nil {
				return err
			}
		}
	}
	return nil
}

func (v *verifier[P]) loadTable(ctx context.Context, m bitboard.Metric, s bitboard.Slice) error {
	if v.tables[m][s] != nil || v.broken[m][s] {
		return nil
	}
	table := bitboard.NewTable(m, s, v.listed[m][s].Indices)
	if err := v.store.Tables(m, v.game).Load(ctx, table); err != nil {
		return err
	}
	v.tables[m][s] = table
	return nil
}
