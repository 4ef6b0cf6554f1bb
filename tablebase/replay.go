package tablebase

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"paika/bitboard"
)

// What Badger does to a store that was not closed: it reads the newest value log and
// the logs of memtables from the beginning, and cuts them off where the first entry
// is not whole. That is right for what a killed writer was about to write. It would
// also take away, without a word, everything behind a byte that was changed. So all
// of it is done here first, by looking, and only where nothing that is listed would
// go is Badger let in.

// checkLastLog wants the newest value log of a closed store to be whole, which is
// the one that Badger would cut.
func checkLastLog(dir string) error {
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		return err
	}
	if len(logs) == 0 {
		return nil
	}
	last := logs[len(logs)-1]
	end, err := replayFile(last.path, func(logEntry) {})
	if err != nil {
		return fmt.Errorf("%s: %w", dir, named(err))
	}
	if end != last.size {
		return fmt.Errorf("%s: %w: %s: not whole from byte %d on", dir, ErrDamaged, filepath.Base(last.path), end)
	}
	return nil
}

func replayFile(path string, do func(logEntry)) (end int64, err error) {
	log, err := openLog(path)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	return log.replay(do)
}

// logTails are what killed writers left half-written: logs, and where they end.
type logTails map[string]int64

// cut takes them off. A log without a header holds nothing, and Badger would not
// open it.
func (t logTails) cut() error {
	for path, end := range t {
		var err error
		if end < logHeaderBytes {
			err = os.Remove(path)
		} else {
			err = os.Truncate(path, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkReplay looks what Badger would find in a store that was not closed. It fails
// where chunks would be lost that are listed, and else tells what is half-written.
func (s *Store) checkReplay() (logTails, error) {
	tails := make(logTails)
	values, err := valueLogEnds(s.dir, tails)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, named(err))
	}
	found := s.newFound(values)
	if err := found.readMemtables(s.dir, tails); err != nil {
		return nil, fmt.Errorf("%s: %w", s.dir, named(err))
	}
	if err := eachTableEntry(s.dir, found.entry); err != nil {
		return nil, tablesError(s.dir, err)
	}
	if lost := found.missing(); len(lost) > 0 {
		return nil, fmt.Errorf("%s: %w: a writer was killed, and then files were changed: chunks are lost of %s",
			s.dir, ErrDamaged, strings.Join(lost, ", "))
	}
	return tails, nil
}

// valueLogEnds tells where each value log ends, as far as Badger will read it.
func valueLogEnds(dir string, tails logTails) (map[uint32]int64, error) {
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		return nil, err
	}
	ends := make(map[uint32]int64)
	last := -1
	for i, log := range logs {
		if log.size < logHeaderBytes {
			tails[log.path] = 0
			continue
		}
		ends[log.number], last = log.size, i
	}
	if last < 0 {
		return ends, nil
	}
	end, err := replayFile(logs[last].path, func(logEntry) {})
	if err != nil {
		return nil, err
	}
	ends[logs[last].number] = end
	if end < logs[last].size {
		tails[logs[last].path] = end
	}
	return ends, nil
}

// foundChunks are the chunks that Badger will find, of those that are listed.
type foundChunks struct {
	values map[uint32]int64 // where each value log ends
	slices [MetricCount]map[string]*foundSlice
	order  []*foundSlice // as they are listed
}

type foundSlice struct {
	metric bitboard.Metric
	info   SliceInfo
	chunks []uint64 // a bit each
	count  uint64
}

func (s *Store) newFound(values map[uint32]int64) *foundChunks {
	f := &foundChunks{values: values}
	for m := range s.manifests {
		f.slices[m] = make(map[string]*foundSlice)
		for _, info := range s.manifests[m].slices {
			slice := &foundSlice{metric: bitboard.Metric(m), info: info, chunks: make([]uint64, (info.Chunks+63)/64)}
			f.slices[m][info.Name] = slice
			f.order = append(f.order, slice)
		}
	}
	return f
}

// readMemtables reads the logs of memtables.
func (f *foundChunks) readMemtables(dir string, tails logTails) error {
	logs, err := numberedFiles(dir, memtableSuffix)
	if err != nil {
		return err
	}
	for _, log := range logs {
		if log.size < logHeaderBytes {
			tails[log.path] = 0
			continue
		}
		end, err := replayFile(log.path, func(e logEntry) { f.entry(e.userKey(), e.meta, e.value) })
		if err != nil {
			return err
		}
		if end < log.size {
			tails[log.path] = end
		}
	}
	return nil
}

// entry counts a chunk whose value is where it is said to be.
func (f *foundChunks) entry(key []byte, meta byte, value []byte) {
	m, name, chunk, ok := parseChunkKey(key)
	if !ok || meta&metaPointer != 0 && !f.there(value) {
		return
	}
	slice := f.slices[m][name]
	if slice == nil || chunk >= slice.info.Chunks {
		return
	}
	if bit := uint64(1) << (chunk % 64); slice.chunks[chunk/64]&bit == 0 {
		slice.chunks[chunk/64] |= bit
		slice.count++
	}
}

// there tells whether a value log reaches as far as a pointer says.
func (f *foundChunks) there(value []byte) bool {
	p, ok := parsePointer(value)
	return ok && int64(p.offset)+int64(p.length) <= f.values[p.log]
}

// mostNamed bounds how many slices an error names.
const mostNamed = 5

// missing names the slices of which chunks are not found.
func (f *foundChunks) missing() (lost []string) {
	more := 0
	for _, slice := range f.order {
		switch {
		case slice.count == slice.info.Chunks:
		case len(lost) == mostNamed:
			more++
		default:
			lost = append(lost, fmt.Sprintf("%s %s", slice.metric, slice.info.Name))
		}
	}
	if more > 0 {
		lost = append(lost, fmt.Sprintf("and %d more", more))
	}
	return lost
}
