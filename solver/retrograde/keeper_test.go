package retrograde

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paika/bitboard"
)

// slow is where saving a checkpoint takes long, and may fail.
type slow struct {
	takes time.Duration
	saves int
	fails []error // one after the other, and none then
}

func (s *slow) SaveCheckpoint([]byte, []*bitboard.Table) (err error) {
	s.saves++
	time.Sleep(s.takes)
	if len(s.fails) > 0 {
		err, s.fails = s.fails[0], s.fails[1:]
	}
	return err
}

func (*slow) LoadCheckpoint(context.Context, []*bitboard.Table) (text []byte, refused, err error) {
	return nil, nil, nil
}
func (*slow) RefuseCheckpoint([]*bitboard.Table, error) error { return nil }
func (*slow) DropCheckpoint([]*bitboard.Table) error          { return nil }

// TestACheckpointIsDueAfterTheIntervalOrItsShareOfTheTime, whichever is longer, since the last was
// begun.
func TestACheckpointIsDueAfterTheIntervalOrItsShareOfTheTime(t *testing.T) {
	for _, c := range []struct {
		takes, work time.Duration
		want        int
	}{
		{time.Second, time.Hour, 11},           // every five minutes, the first after five
		{15 * time.Second, time.Hour, 11},      // the same: twenty times as long is as much
		{10 * time.Minute, 10 * time.Hour, 3},  // after five minutes, and then every 200
		{10 * time.Minute, 4 * time.Minute, 0}, // none before
		{time.Minute, 6 * time.Hour, 18},       // after five minutes, and then every twenty
	} {
		synctest.Test(t, func(t *testing.T) {
			s, now := &slow{takes: c.takes}, time.Now()
			k := &keeper{storage: s, grain: defaultGrain, state: &state{Settled: []uint64{1}}, began: now, last: now}
			for time.Since(now) < c.work {
				k.due()
				time.Sleep(time.Second)
			}
			if s.saves != c.want {
				t.Errorf("where saving takes %v, it is done %d times in %v, want %d", c.takes, s.saves, c.work, c.want)
			}
		})
	}
}

// TestACheckpointThatCannotBeSavedIsTold while the work goes on: the first of a row.
func TestACheckpointThatCannotBeSavedIsTold(t *testing.T) {
	full, gone := errors.New("the disk is full"), errors.New("the disk is gone")
	synctest.Test(t, func(t *testing.T) {
		var told []string
		s, now := &slow{fails: []error{nil, full, gone, nil, gone, gone}}, time.Now()
		k := &keeper{
			storage: s, grain: defaultGrain, state: &state{Settled: []uint64{1}}, began: now, last: now,
			notice: func(text string) { told = append(told, text) },
		}
		for time.Since(now) < time.Hour {
			k.due()
			time.Sleep(time.Second)
		}
		if len(told) != 2 || !strings.Contains(told[0], full.Error()) || !strings.Contains(told[1], gone.Error()) {
			t.Errorf("told %q of %d tries", told, s.saves)
		}
		if err := k.save(); err != nil {
			t.Errorf("the last time: %v", err)
		}
	})
}
