package badgerdir

import (
	"os"
)

// reservation is space on disk for what Badger is about to write to its newest
// logs. It writes through memory that stands for the file, where a full disk can't
// be told as an error. One goroutine takes at a time.
type reservation struct {
	values, keys logSpace
}

// logSpace is what is reserved of one log.
type logSpace struct {
	path    string
	written int64 // at most, so far
	end     int64 // of what is reserved
}

// reserveStep is what is reserved at a time, at least.
const reserveStep = 1 << 20

// take reserves room for entries, in a value log and in that of a memtable.
func (r *reservation) take(dir string, entries []Entry) error {
	if err := r.values.take(dir, valueLogSuffix, int64(entryBytes(entries))); err != nil {
		return err
	}
	const pointerBytes = 12
	keys := int64(entryOverhead + 2*versionBytes + pointerBytes) // which closes the transaction
	for _, e := range entries {
		keys += int64(entryOverhead + len(e.Key) + pointerBytes)
	}
	return r.keys.take(dir, memtableSuffix, keys)
}

// take reserves n bytes behind what was written to the newest log of a kind.
func (l *logSpace) take(dir, suffix string, n int64) error {
	logs, err := numberedFiles(dir, suffix)
	if err != nil || len(logs) == 0 {
		return err
	}
	if newest := logs[len(logs)-1].path; newest != l.path {
		*l = logSpace{path: newest, written: logHeaderBytes + entryHeaderBytes}
	}
	l.written += n
	if l.written <= l.end {
		return nil
	}
	end := l.written + reserveStep
	f, err := os.OpenFile(l.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := allocate(f, l.end, end-l.end); err != nil {
		return err
	}
	l.end = end
	return nil
}

// entryOverhead is what an entry takes in a log beside its key and value, at most.
const entryOverhead = entryHeaderBytes + versionBytes + crcBytes

// entryBytes is what entries take in a value log, at most.
func entryBytes(entries []Entry) (sum uint64) {
	for _, e := range entries {
		sum += uint64(entryOverhead + len(e.Key) + len(e.Value))
	}
	return sum
}
