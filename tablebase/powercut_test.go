package tablebase

import (
	"bytes"
	"flag"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
)

var powerCuts = flag.Int("powercuts", 20, "moments at which TestPowerCuts cuts the power")

// blockBytes is what a disk writes whole or not at all.
const blockBytes = 4096

// disk records what of a store is on disk for certain. Files that are written
// through package lasting are, as soon as they are there; so are the tables and
// the MANIFEST of Badger, which it syncs itself. Its logs are what they were when
// they were synced last, but for blocks that the system may have written since, in
// any order.
type disk struct {
	t      *testing.T
	dir    string
	synced snapshot // of the logs
	states []diskState
}

// diskState is a moment at which the power may go.
type diskState struct {
	written, synced snapshot
	listed          map[string]bool // by saves that came to their end
}

func (d *disk) record() {
	state := diskState{takeSnapshot(d.t, d.dir), maps.Clone(d.synced), make(map[string]bool)}
	for _, m := range bothMetrics {
		list, err := readManifestFile(manifestPath(d.dir, m), testIdentity, m)
		if err != nil {
			d.t.Fatal(err)
		}
		for _, info := range list.slices {
			state.listed[m.String()+info.Name] = true
		}
	}
	d.states = append(d.states, state)
}

// sync is a moment at which much is written and not synced.
func (d *disk) sync(path string) error {
	d.record()
	if err := lasting.SyncFile(path); err != nil {
		return err
	}
	file, err := readSnapshotFile(path)
	if err != nil {
		return err
	}
	d.synced[filepath.Base(path)] = file
	return nil
}

// cut is what is left when the power goes.
func (s diskState) cut(random *rand.Rand) snapshot {
	left := make(snapshot)
	for name, written := range s.written {
		switch filepath.Ext(name) {
		case valueLogSuffix, memtableSuffix:
			synced, ever := s.synced[name]
			if !ever && random.IntN(3) == 0 {
				continue // nor is its name
			}
			left[name] = mixed(random, synced, written)
		default:
			left[name] = written
		}
	}
	return left
}

// mixed is a file of which some blocks were written since it was synced.
func mixed(random *rand.Rand, synced, written snapshotFile) snapshotFile {
	size := written.size
	if synced.size > 0 && random.IntN(2) == 0 {
		size = synced.size
	}
	n := max(len(synced.data), len(written.data))
	before, after := grown(synced.data, n), grown(written.data, n)
	likely := random.IntN(4) // that a block is written
	for at := 0; at < n; at += blockBytes {
		end := min(at+blockBytes, n)
		if random.IntN(4) < likely {
			copy(before[at:end], after[at:end])
		}
	}
	data := bytes.TrimRight(before, "\x00")
	return snapshotFile{data[:min(int64(len(data)), size)], size}
}

func grown(data []byte, n int) []byte { return append(bytes.Clone(data), make([]byte, n-len(data))...) }

// A power cut takes nothing of what a save promised, and leaves nothing that is half
// written and taken for whole.
func TestPowerCuts(t *testing.T) {
	if testing.Short() && *powerCuts <= 20 {
		t.Skip("opens many stores one after the other")
	}
	space := noiseSpace{slices: 3, indices: 140_000}
	d := &disk{t: t, dir: t.TempDir(), synced: make(snapshot)}
	work := badgerdir.System{Free: badgerdir.RealSystem().Free, Sync: d.sync}
	for _, m := range bothMetrics {
		for slice := range space.slices {
			s, err := open(d.dir, testIdentity, Options{Version: "test"}, work)
			if err != nil {
				t.Fatal(err)
			}
			if err := space.save(s, m, slice); err != nil {
				t.Fatal(err)
			}
			d.record()
			if slice == 1 { // replaced by other values, and again
				other := space
				other.other = 1
				if err := other.save(s, m, slice); err != nil {
					t.Fatal(err)
				}
				if err := space.save(s, m, slice); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			d.record()
		}
	}
	random := rand.New(rand.NewPCG(81, 1))
	for range *powerCuts {
		checkCut(t, d.states[random.IntN(len(d.states))], random, space)
	}
}

// checkCut opens what is left.
func checkCut(t *testing.T, state diskState, random *rand.Rand, space noiseSpace) {
	dir := state.cut(random).write(t)
	s, err := Open(dir, testIdentity, Options{Version: "test"})
	if err != nil {
		t.Error(err)
		return
	}
	defer s.Close()
	for m := range bitboard.MetricCount {
		for slice := range space.slices {
			name := space.SliceName(slice)
			if !state.listed[m.String()+name] {
				continue
			}
			got, want := bitboard.NewTable(m, slice, space.Indices(slice)), space.table(m, slice)
			if err := s.Tables(m, space).Load(t.Context(), got); err != nil {
				t.Error(err)
			} else if !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
				other := space
				other.other = 1
				if want = other.table(m, slice); !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
					t.Errorf("%v %s is what nobody saved", m, name)
				}
			}
		}
	}
	if err := space.build(s); err != nil {
		t.Error(err)
	}
}
