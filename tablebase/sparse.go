package tablebase

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
)

// Values may be left out of a slice (bitboard.Sparse) where one look ahead finds them:
// where every slice that its turns lead to is stored whole. So of a build only the
// largest slices can be stored so, which none of the others needs. They are most of it.

// ForBuild is t as a build of these groups uses it: Save leaves values out of slices of
// the groups that no other slice needs, among the groups' and those that are stored.
func (t *Tables) ForBuild(groups []bitboard.Group) *Tables {
	build := *t
	build.groups = groups
	return &build
}

// LeavesOut tells whether a slice is stored with values left out. It reads a chunk at
// the first call, and then knows until a slice is saved.
func (t *Tables) LeavesOut(s bitboard.Slice) bool {
	if _, sparse := t.space.(bitboard.HeldMask); !sparse || !t.Has(s) {
		return false
	}
	name := t.space.SliceName(s)
	t.store.mu.RLock()
	info, stored := t.store.manifests[t.metric].find(name)
	told := t.store.told[t.metric]
	t.store.mu.RUnlock()
	if !stored { // any more
		return false
	}
	if leavesOut, known := told.Load(name); known {
		return leavesOut.(bool)
	}
	r := t.store.newSliceReader(context.Background(), t.metric, info, t.space)
	if !r.unsure {
		told.Store(name, r.leavesOut)
	}
	return r.leavesOut
}

// SaveWhole replaces a slice that is stored with values left out by its table, which
// has them all. Until it returns nil, the slice counts as absent, and as lost where it fails
// half-way (Store.Replacing). Errors: those of Save. Where the table has other values than were
// saved, the slice is lost: a *SliceError wraps ErrDamaged and ErrReplacing.
func (t *Tables) SaveWhole(ctx context.Context, table *bitboard.Table) error {
	info, err := t.stored(table)
	if err != nil {
		return err
	}
	if err := t.ForBuild(nil).save(ctx, info.Name, table, info.summary(table.Slice), info.Fingerprint); err != nil {
		return &SliceError{t.metric, info.Name, err}
	}
	return nil
}

// summary is what Save was told of a slice.
func (i SliceInfo) summary(s bitboard.Slice) bitboard.Summary {
	return bitboard.Summary{
		Slice: s, Win: i.Win, Loss: i.Loss, Draw: i.Draw, Inside: i.Quiet,
		LongestWin: i.LongestWin, LongestLoss: i.LongestLoss,
	}
}

// toLeaveOut tells what of a slice is to be stored, or nil where all of it is.
func (t *Tables) toLeaveOut(s bitboard.Slice) bitboard.HeldMask {
	mask, sparse := t.space.(bitboard.HeldMask)
	if !sparse || t.metric != bitboard.WDL || t.needed(s) || !t.oneLookAhead(s) {
		return nil
	}
	return mask
}

// needed tells whether a slice is needed by one of the build, or by one that is stored.
func (t *Tables) needed(s bitboard.Slice) bool {
	all, _ := t.space.Groups() // a board without groups has no tables
	return slices.ContainsFunc(all, func(g bitboard.Group) bool {
		return slices.Contains(g.Needs, s) && (t.builds(g) || slices.ContainsFunc(g.Slices, t.Has))
	})
}

// builds tells whether a group is of the build.
func (t *Tables) builds(g bitboard.Group) bool {
	return slices.ContainsFunc(t.groups, func(of bitboard.Group) bool { return slices.Equal(of.Slices, g.Slices) })
}

// oneLookAhead tells whether a slice is of the build, and what it needs is stored whole.
func (t *Tables) oneLookAhead(s bitboard.Slice) bool {
	at := slices.IndexFunc(t.groups, func(g bitboard.Group) bool { return slices.Contains(g.Slices, s) })
	return at >= 0 && !slices.ContainsFunc(t.groups[at].Needs, func(need bitboard.Slice) bool {
		return !t.Has(need) || t.LeavesOut(need)
	})
}

// checkLook fails where one look ahead would not find what a slice leaves out, or what
// others do that follow from it. The error wraps ErrLookTwice.
func (t *Tables) checkLook(s bitboard.Slice) error {
	groups, err := t.space.Groups()
	if err != nil {
		return err
	}
	for _, g := range groups {
		if slices.Contains(g.Slices, s) {
			for _, need := range g.Needs {
				if !t.Has(need) || t.LeavesOut(need) {
					return fmt.Errorf("%w: what it leaves out follows from slice %s, which is not stored whole", ErrLookTwice, t.space.SliceName(need))
				}
			}
		}
		if slices.Contains(g.Needs, s) {
			for _, other := range g.Slices {
				if t.LeavesOut(other) {
					return fmt.Errorf("%w: what slice %s leaves out follows from it", ErrLookTwice, t.space.SliceName(other))
				}
			}
		}
	}
	return nil
}

// mostLooks bounds the chunks that are looked for to tell how a slice is stored: a manifest may
// claim any number of them.
const mostLooks = 4096

// findKind gives that of the first chunk that can be read, or 0: all chunks of a slice
// have the same. It looks for one until ctx ends, and where there are many, from all over the slice:
// what is lost lies together.
func (r *sliceReader) findKind(ctx context.Context) (kind chunkKind) {
	chunks := ChunkCount(r.metric, r.indices)
	looks := min(chunks, mostLooks)
	for look := range looks {
		if ctx.Err() != nil {
			break
		}
		key := r.keys.key(nil, look*chunks/looks)
		err := r.store.value(key, func(value []byte) (err error) {
			kind, _, err = r.store.codec.open(key, value)
			return err
		})
		if err == nil || errors.Is(err, ErrClosed) {
			break
		}
	}
	return kind
}
