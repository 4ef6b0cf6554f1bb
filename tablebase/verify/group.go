package verify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"paika/bitboard"
	"paika/internal/offheap"
	"paika/tablebase"
)

// blockIndices is how much of a slice a worker takes at a time: a multiple of
// 64, so that no two workers share a word of bits.
const blockIndices = 1 << 14

// derive proves one group, or reports why it cannot.
func (v *verifier[P]) derive(ctx context.Context, c groupCheck) (derived bool, err error) {
	if s, damaged := v.damagedOf(c); damaged {
		v.giveUp(c, fmt.Sprintf("%s is damaged", v.game.SliceName(s)))
		return false, nil
	}
	if err := v.load(ctx, c); err != nil {
		return false, v.lost(c, err)
	}
	moved := v.progress.Add
	if c.metric == bitboard.WDL {
		shown, told, err := v.deriveAnew(ctx, c)
		if shown || err != nil {
			return shown, err
		}
		if err := v.load(ctx, c); err != nil {
			return false, v.lost(c, err)
		}
		moved = beyond(told, moved)
	}
	t := v.derivation(c).team(v.opts.Workers, &v.findings, moved)
	err = t.all(ctx, func(s bitboard.Slice) error { return v.completeOnce(ctx, t, s) }, func(s bitboard.Slice, sum Sums) {
		v.check(c, s, &sum)
	})
	if t.spent {
		v.dropGroup(c)
	}
	return err == nil, err
}

// deriveAnew tries to show a group in wdl in the quicker way: see anew. Where it can't, nothing of
// that is reported, the tables of the group are gone, and so much of its progress is told.
func (v *verifier[P]) deriveAnew(ctx context.Context, c groupCheck) (shown bool, told uint64, err error) {
	var sum atomic.Uint64
	t := v.derivation(c).team(v.opts.Workers, &findings{limit: 1}, func(indices uint64) {
		sum.Add(indices)
		v.progress.Add(indices)
	})
	shown, err = t.anew(ctx, func(s bitboard.Slice) error { return v.completeOnce(ctx, t, s) }, v.storedPrint, func(s bitboard.Slice, sum Sums) {
		v.check(c, s, &sum)
	})
	if !shown {
		v.dropGroup(c)
	}
	return shown, sum.Load(), err
}

// storedPrint is the fingerprint of a slice in wdl: as it was read, or, where it leaves values out,
// as the manifest has it, which is held against what completes it.
func (v *verifier[P]) storedPrint(s bitboard.Slice) string {
	if v.leavesOut[s] {
		return v.listed[bitboard.WDL][s].Fingerprint
	}
	return v.sums[bitboard.WDL][s]
}

// beyond tells of what goes beyond so many indices that were told before.
func beyond(told uint64, moved func(indices uint64)) func(indices uint64) {
	var sum atomic.Uint64
	return func(indices uint64) {
		all := sum.Add(indices)
		moved(min(indices, all-min(all, told)))
	}
}

// dropGroup drops the tables of the group. What needs them loads them anew.
func (v *verifier[P]) dropGroup(c groupCheck) {
	for _, s := range c.group.Slices {
		v.drop(c.metric, s)
	}
}

// withoutDamaged leaves out of a check in dtw the slices in wdl beside it that can't be
// read.
func (v *verifier[P]) withoutDamaged(c groupCheck) groupCheck {
	damaged := func(s bitboard.Slice) bool { return v.broken[bitboard.WDL][s] }
	if c.metric == bitboard.WDL || !slices.ContainsFunc(c.agree, damaged) {
		return c
	}
	whole := c
	whole.agree = slices.DeleteFunc(slices.Clone(c.agree), damaged)
	whole.sparse = slices.DeleteFunc(slices.Clone(c.sparse), damaged)
	v.progress.Add(c.work(v.game.Indices) - whole.work(v.game.Indices))
	return whole
}

// derivation is that of a check whose tables are in memory.
func (v *verifier[P]) derivation(c groupCheck) *derivation[P] {
	d := newDerivation(v.game, c, hasRoom(v.game, &c, v.opts.Workers, v.opts.Memory, false))
	for _, s := range c.loaded() {
		d.add(c.metric, v.tables[c.metric][s])
	}
	for _, s := range c.agree {
		d.add(bitboard.WDL, v.tables[bitboard.WDL][s])
	}
	for _, s := range c.sparse {
		d.addSparse(s, v.listed[bitboard.WDL][s].Fingerprint)
	}
	d.fingerprint = func(ctx context.Context, m bitboard.Metric, t *bitboard.Table) (string, error) {
		return v.store.Tables(m, v.game).Fingerprint(ctx, t)
	}
	return d
}

// completeOnce completes a slice, unless a check before this one did.
func (v *verifier[P]) completeOnce(ctx context.Context, t *team[P], s bitboard.Slice) error {
	if v.complete[s] {
		t.moved(v.game.Indices(s))
		return nil
	}
	v.complete[s] = true
	return t.complete(ctx, s)
}

// check holds the manifests against the sums of a slice of a group.
func (v *verifier[P]) check(c groupCheck, s bitboard.Slice, sum *Sums) {
	v.report.Positions += sum.Total()
	for _, f := range v.compareGroup(c, s, sum) {
		v.findings.add(f)
	}
}

// damagedOf finds a slice that can't be read, and without which a check can't be made.
func (v *verifier[P]) damagedOf(c groupCheck) (s bitboard.Slice, damaged bool) {
	list := c.loaded()
	at := slices.IndexFunc(list, func(s bitboard.Slice) bool { return v.broken[c.metric][s] })
	if at < 0 {
		return 0, false
	}
	return list[at], true
}

// giveUp reports a group that cannot be derived, and with it what is beside it in wdl.
func (v *verifier[P]) giveUp(c groupCheck, why string) {
	for _, s := range c.group.Slices {
		v.underivable(c.metric, s, why)
	}
	for _, s := range c.agree {
		v.underivable(bitboard.WDL, s, "it is held against dtw, where "+why)
	}
	v.progress.Add(c.work(v.game.Indices))
}

// lost reports a group whose tables were whole when they were scanned, and can't
// be read any more.
func (v *verifier[P]) lost(c groupCheck, err error) error {
	if !errors.Is(err, tablebase.ErrDamaged) {
		return err
	}
	v.dropAll()
	v.giveUp(c, err.Error())
	return nil
}

// load makes the tables of a check the only ones in memory. Those that the last
// check had as well stay.
func (v *verifier[P]) load(ctx context.Context, c groupCheck) error {
	want := [bitboard.MetricCount][]bitboard.Slice{}
	want[c.metric] = c.loaded()
	want[bitboard.WDL] = append(want[bitboard.WDL], c.agree...)
	for m := range want {
		for s := range v.tables[m] {
			if !slices.Contains(want[m], s) {
				v.drop(bitboard.Metric(m), s)
			}
		}
	}
	// Without this the room that a game has let go of would stay beside that of the next
	// group until the heap has doubled, and Memory would be wrong.
	offheap.Collect()
	for m := range bitboard.MetricCount {
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
	table, err := v.makeTable(m, s)
	if err != nil {
		return err
	}
	if err := v.store.Tables(m, v.game).Load(ctx, table); err != nil {
		v.drop(m, s)
		return err
	}
	return nil
}

// makeTable makes a table that is to be loaded.
func (v *verifier[P]) makeTable(m bitboard.Metric, s bitboard.Slice) (*bitboard.Table, error) {
	// Turns look it up in no order.
	table, err := tablebase.MakeTable(m, s, v.listed[m][s].Indices)
	if err != nil {
		return nil, fmt.Errorf("slice %s: %w", v.game.SliceName(s), err)
	}
	v.tables[m][s] = table
	return table, nil
}

// drop gives the memory of a table back, if there is one.
func (v *verifier[P]) drop(m bitboard.Metric, s bitboard.Slice) {
	if v.tables[m][s] == nil {
		return
	}
	tablebase.FreeTable(v.tables[m][s])
	delete(v.tables[m], s)
	delete(v.complete, s)
}

// dropAll gives back the memory of all tables.
func (v *verifier[P]) dropAll() {
	for m := range v.tables {
		for s := range v.tables[m] {
			v.drop(bitboard.Metric(m), s)
		}
	}
}
