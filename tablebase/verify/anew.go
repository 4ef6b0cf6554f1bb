package verify

import (
	"context"

	"paika/bitboard"
)

// anew shows a group without a look at what its wins and losses are, as long as nothing is wrong.
// Those that rest on the group get their values anew, from the ground. Then draws are held against
// their neighbours. What stands in the tables by now is right, and must have the fingerprints of
// what was stored. It tells whether all of that is so, and hands on the sums then. If not, all finds
// out what is wrong, from tables that are loaded anew.
//
// This takes one look less at each win and loss than to hold all of them against their neighbours
// before, and to ground them then.
func (t *team[P]) anew(ctx context.Context, complete func(s bitboard.Slice) error, stored func(s bitboard.Slice) string, take func(s bitboard.Slice, sum Sums)) (shown bool, err error) {
	defer t.dropDue()
	if err := t.allAtOnce(ctx, complete); err != nil || t.findings.count() > 0 {
		return false, err
	}
	told := func(indices uint64) { t.told(t.group.Slices[0])(indices) } // one alone is traced
	if all, err := t.ground(ctx, t.rests, told); !all || err != nil {
		return false, err
	}
	t.settled = true
	sums := make(map[bitboard.Slice]Sums)
	for _, s := range t.group.Slices {
		told := t.told(s)
		if t.rests(s) {
			told = func(uint64) { t.moved(0) } // ground has
		}
		sum, err := t.whole(ctx, s, told)
		if err != nil {
			return false, err
		}
		sum.Quiet += t.leftOutQuiet[s]
		for _, w := range t.workers {
			sum.Quiet += w.settledQuiet[s]
		}
		sums[s] = sum
		if got, err := t.fingerprint(ctx, bitboard.WDL, t.tables[s]); err != nil || got != stored(s) {
			return false, err
		}
	}
	if t.findings.count() > 0 {
		return false, nil
	}
	for _, s := range t.group.Slices {
		take(s, sums[s])
	}
	return true, nil
}

// leaveSettled leaves out, of what is held of a block, the wins and losses that were settled.
func (w *deriver[P]) leaveSettled(lo, hi uint64) {
	table, settled := w.tables[w.slice].WDL, w.left[:(hi-lo+63)/64]
	if w.due[w.slice] != nil {
		copy(settled, w.held[:])
	} else {
		w.noteInside(settled, lo, hi)
	}
	for k := range settled {
		w.held[k] &^= settled[k] &^ table.Equal(lo/64+uint64(k), bitboard.Draw)
	}
}
