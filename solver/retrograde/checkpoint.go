package retrograde

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"paika/bitboard"
	"paika/internal/parallel"
)

// Checkpoints is a Storage that also keeps unfinished groups. Build calls its
// methods from one goroutine. A Storage that does not implement it loses the
// work on a group that is interrupted, and no more. Nor does Build fail where a
// checkpoint cannot be saved, on a full disk say: it goes on without.
type Checkpoints interface {
	// SaveCheckpoint replaces the checkpoint of these tables by them and a text of
	// a few hundred bytes. Where it fails, the one before is still there.
	SaveCheckpoint(text []byte, tables []*bitboard.Table) error

	// LoadCheckpoint fills the tables, which have their full lengths, and
	// returns the text, if their checkpoint is there and whole. If not, it returns nil
	// and leaves the tables zero, and where there is one it says why it refuses it, which Build tells
	// the user: the next takes its place. An error, that of ctx among them, ends the build, and what is there stays.
	LoadCheckpoint(ctx context.Context, tables []*bitboard.Table) (text []byte, refused, err error)

	// RefuseCheckpoint is told why work does not go on from the checkpoint of these tables,
	// though it is whole. Its error ends the build. Where it has none, that checkpoint is kept
	// elsewhere, of which it has told the user, and work begins anew.
	RefuseCheckpoint(tables []*bitboard.Table, why error) error

	// DropCheckpoint removes the checkpoint of these tables, if there is one.
	DropCheckpoint(tables []*bitboard.Table) error
}

// A state says how far the work on a group is. Values that are in the group's
// tables already are right, whatever the state: work that is done twice comes to
// the same values. Where they come from a checkpoint, that is believed: only verifying the
// tables derives them again.
type state struct {
	Settled  []uint64 // by slice of the group: its indices below are settled
	Inside   []uint64 `json:"Quiet"` // by slice of the group: positions below that are decided inside the group
	Swept    bool     // dtw: the first sweep is done
	Distance int      // dtw: rounds below this distance are done
	Longest  int      // dtw: the longest distance in the tables
	BySets   bool     // solved by sets
	Rounds   int      // by sets: those done, but for the last one
	Seconds  float64  // that the work took until it was saved, by all builds
}

// holds tells whether a state has work that would have to be done again without it.
func (s *state) holds() bool {
	return s.Rounds > 0 || s.Swept || s.Distance > 0 || slices.ContainsFunc(s.Settled, func(n uint64) bool { return n > 0 })
}

// A keeper saves the state of a group from time to time.
type keeper struct {
	storage Checkpoints // nil: nothing is kept
	tables  []*bitboard.Table
	grain   grain
	state   *state
	before  float64       // seconds of the work that it was taken up from
	began   time.Time     // when it was
	last    time.Time     // when it was last tried to save it
	took    time.Duration // how long that took
	kept    bool          // the storage has a checkpoint of this group, from which work can go on
	sealed  bool
	unsaved error // why the last try to save it failed, if it did
	notice  func(text string)
}

// newKeeper takes up a group's checkpoint, if it has one. Work goes on in the way in which it was
// begun, by sets or not.
func (b *builder) newKeeper(ctx context.Context, g bitboard.Group, name string, tables []*bitboard.Table) (*keeper, error) {
	now := time.Now()
	k := &keeper{tables: tables, grain: b.opts.grain, began: now, last: now, state: newState(len(tables), b.usesSets(g)), notice: b.opts.Notice}
	var indices uint64
	for _, t := range tables {
		indices += b.game.Indices(t.Slice)
	}
	storage, ok := b.storage.(Checkpoints)
	if !ok || indices < b.opts.grain.checkpoint {
		return k, nil
	}
	k.storage = storage
	taken, refused, err := b.takeUp(ctx, storage, g, name, tables)
	switch {
	case err != nil:
		return nil, fmt.Errorf("taking up the checkpoint: %w", err)
	case taken != nil:
		k.state, k.before, k.kept = taken, taken.Seconds, taken.holds()
	case refused != nil && b.opts.Notice != nil:
		b.opts.Notice(fmt.Sprintf("the work on slices %s begins anew: %v", name, refused))
	}
	return k, nil
}

// takeUp fills the tables from their checkpoint, and returns its state. Where work does not go on
// from one it tells why, unless the storage has, and the tables are zero.
func (b *builder) takeUp(ctx context.Context, storage Checkpoints, g bitboard.Group, name string, tables []*bitboard.Table) (taken *state, refused, err error) {
	text, refused, err := storage.LoadCheckpoint(ctx, tables)
	if err == nil {
		err = ctx.Err() // nothing is done by now that would have to be saved
	}
	if text == nil || err != nil {
		return nil, refused, err
	}
	taken, refused = b.readState(g, tables, text)
	if refused == nil {
		refused, err = b.checkDepths(ctx, taken, tables)
	}
	if err != nil {
		return nil, nil, err
	}
	if refused == nil {
		if refused = b.admitWay(g, name, taken.BySets); refused == nil {
			return taken, nil, nil
		}
		refused, err = nil, storage.RefuseCheckpoint(tables, refused)
	}
	for _, t := range tables {
		clear(t.WDL)
		clear(t.DTW)
	}
	return nil, refused, err
}

// readState reads the state that a checkpoint has, and tells why it can't be one of a build.
func (b *builder) readState(g bitboard.Group, tables []*bitboard.Table, text []byte) (s *state, refused error) {
	s = new(state)
	if err := json.Unmarshal(text, s); err != nil {
		return nil, fmt.Errorf("its checkpoint has no state: %s", bitboard.Shorten(err.Error()))
	}
	if len(s.Settled) != len(tables) || len(s.Inside) != len(tables) || min(s.Distance, s.Longest, s.Rounds) < 0 || s.Seconds < 0 ||
		s.Longest >= bitboard.MaxDistance || s.Distance > s.Longest+1 || s.Rounds > mostRounds || s.BySets && b.setWords(g) == 0 {
		return nil, fmt.Errorf("its checkpoint has a state that no build has: %s", bitboard.Shorten(string(text)))
	}
	for i, t := range tables {
		if s.Settled[i] > b.game.Indices(t.Slice) || s.Inside[i] > b.game.Positions(t.Slice) {
			return nil, fmt.Errorf("its checkpoint has more of slice %s done than there is", b.game.SliceName(t.Slice))
		}
	}
	return s, nil
}

// checkDepths tells why the tables of a checkpoint can't be those of a state. For wdl all can be: two
// bits have four values, and each is one.
func (b *builder) checkDepths(ctx context.Context, s *state, tables []*bitboard.Table) (refused, err error) {
	most := mostDepths(s)
	for _, t := range tables {
		var wrong atomic.Bool
		err := parallel.Blocks(ctx, max(1, b.opts.Workers), uint64(len(t.DTW)), b.opts.grain.block, func(_ int, lo, hi uint64) {
			for _, d := range t.DTW[lo:hi] {
				if d > most[d&3] {
					wrong.Store(true)
					return
				}
			}
		})
		if err != nil {
			return nil, err
		}
		if wrong.Load() {
			return fmt.Errorf("its checkpoint has values of slice %s that no build has", b.game.SliceName(t.Slice)), nil
		}
	}
	return nil, nil
}

// mostDepths is the highest depth that a table can have in a state of the work on it, by the lowest
// two bits. What is in play is not farther than the longest distance, and a draw has none.
func mostDepths(s *state) (most [4]bitboard.Depth) {
	if s.BySets { // it marks nothing
		most[bitboard.Win], most[bitboard.Loss] = inPlay-1, inPlay-1
		return most
	}
	far := inPlay | bitboard.MakeDepth(3, s.Longest)
	most[bitboard.Win], most[bitboard.Loss], most[bitboard.OpenDepth] = far, far, inPlay-1
	return most
}

// admitWay refuses a way to solve a group that memory does not do for. Where it is another than
// the one that the group was admitted for, tables that wait for others make room.
func (b *builder) admitWay(g bitboard.Group, name string, bySets bool) error {
	if bySets == b.usesSets(g) {
		return nil
	}
	if need := total(b.bytes(g.Needs), b.workingBy(g, bySets), b.opts.Overhead); need > b.opts.Memory {
		return fmt.Errorf("to go on from its checkpoint, %w", &MemoryError{Group: name, Need: need, Have: b.opts.Memory})
	}
	for s := range b.tables {
		if !slices.Contains(g.Needs, s) {
			b.drop(s)
		}
	}
	return nil
}

func newState(slices int, bySets bool) *state {
	return &state{Settled: make([]uint64, slices), Inside: make([]uint64, slices), BySets: bySets}
}

// due saves the state if that has not been tried for a while. The first try that fails is told, and
// the first after one that went well. To be called only when no worker is at work.
func (k *keeper) due() {
	if time.Since(k.last) < max(k.grain.interval, k.grain.share*k.took) {
		return
	}
	before := k.unsaved
	if err := k.save(); err != nil && before == nil && k.notice != nil {
		k.notice(err.Error() + "; the work goes on all the same")
	}
}

// save saves the state, if it has anything. Where that fails the one before is still there, and work
// can go on. Once it is sealed, save tells how that went.
func (k *keeper) save() error {
	if k.storage != nil && !k.sealed && k.state.holds() {
		k.unsaved = k.saveNow()
	}
	return k.unsaved
}

// saveNow saves the state, and notes how long that took.
func (k *keeper) saveNow() error {
	k.last = time.Now()
	defer func() { k.took = time.Since(k.last) }()
	k.state.Seconds = k.before + time.Since(k.began).Seconds()
	text, err := json.Marshal(k.state)
	if err != nil {
		return err
	}
	if err := k.storage.SaveCheckpoint(text, k.tables); err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	k.kept = true
	return nil
}

// seal saves the state a last time, before the tables get their final form, from
// which work can't be taken up.
func (k *keeper) seal() {
	_ = k.save()
	k.sealed = true
}

// stopped saves the state if the error is that of a context at its end, and says
// where the work stopped.
func (k *keeper) stopped(ctx context.Context, err error, at Progress) error {
	ended := ctx.Err()
	if ended == nil || !errors.Is(err, ended) {
		return err
	}
	saving := k.save()
	early := k.storage != nil && !k.state.holds()
	return &StoppedError{Group: at.Group, Phase: at.Phase, Kept: k.kept, Early: early, Checkpoint: saving, Err: err}
}

// drop removes the checkpoint of a group that is saved.
func (k *keeper) drop() error {
	if k.storage == nil {
		return nil
	}
	return k.storage.DropCheckpoint(k.tables)
}
