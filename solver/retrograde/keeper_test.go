package retrograde

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"paika/bitboard"
)

// slow is where saving a checkpoint takes long.
type slow struct {
	takes time.Duration
	saves int
}

func (s *slow) SaveCheckpoint([]byte, []*bitboard.Table) error {
	s.saves++
	time.Sleep(s.takes)
	return nil
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
