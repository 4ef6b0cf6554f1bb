package tablebase

import (
	"context"
	"errors"
	"os"

	"github.com/dgraph-io/badger/v4"

	"paika/bitboard"
)

// chunkLogs are the value logs of a store, read without Badger: which chunk is
// where is told by the logs themselves. Where one was written more than once, the
// last that is whole counts. It is safe for concurrent use.
type chunkLogs struct {
	files  []*os.File
	places [MetricCount]map[string][]chunkPlace // by slice and chunk

	// unlisted are slices that the logs have chunks of, and no manifest names.
	unlisted [MetricCount]map[string]bool
}

// chunkPlace is where a stored value is; with a length of 0 it is nowhere.
type chunkPlace struct {
	file, offset, length uint32
}

// openChunkLogs looks for the chunks of the slices that are listed. It takes 12
// bytes of memory for each of them.
func openChunkLogs(ctx context.Context, dir string, listed [MetricCount]manifest) (l *chunkLogs, err error) {
	l = new(chunkLogs)
	defer func() {
		if err != nil {
			l.Close()
		}
	}()
	for m := range listed {
		l.places[m] = make(map[string][]chunkPlace)
		l.unlisted[m] = make(map[string]bool)
		for _, info := range listed[m].slices {
			l.places[m][info.Name] = make([]chunkPlace, info.Chunks)
		}
	}
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		return nil, err
	}
	for _, log := range logs {
		if err := l.add(ctx, log.path); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// add looks through one more log.
func (l *chunkLogs) add(ctx context.Context, path string) error {
	log, err := openLog(path)
	if err != nil {
		return err
	}
	file := uint32(len(l.files))
	l.files = append(l.files, log.file)
	return log.search(ctx, func(e logEntry) error {
		m, name, chunk, ok := parseChunkKey(e.userKey())
		if !ok {
			return nil
		}
		places, listed := l.places[m][name]
		switch {
		case !listed:
			l.unlisted[m][name] = true
		case chunk < uint64(len(places)):
			places[chunk] = chunkPlace{file, uint32(e.end) - uint32(len(e.value)) - crcBytes, uint32(len(e.value))}
		}
		return nil
	})
}

// copyValue reads the value at a key into the buffer. An absent key is
// badger.ErrKeyNotFound.
func (l *chunkLogs) copyValue(key []byte, buffer *[]byte) error {
	m, name, chunk, ok := parseChunkKey(key)
	places := l.places[m][name]
	if !ok || chunk >= uint64(len(places)) || places[chunk].length == 0 {
		return badger.ErrKeyNotFound
	}
	p := places[chunk]
	if uint32(cap(*buffer)) < p.length {
		*buffer = make([]byte, p.length)
	}
	*buffer = (*buffer)[:p.length]
	_, err := l.files[p.file].ReadAt(*buffer, int64(p.offset))
	return err
}

// lost are slices of which there are chunks, and of which no manifest says what
// they hold, for the metrics whose manifests can't be read.
func (l *chunkLogs) lost(m bitboard.Metric) (names []string) {
	for name := range l.unlisted[m] {
		names = append(names, name)
	}
	return names
}

// Close ends the reading.
func (l *chunkLogs) Close() (err error) {
	for _, file := range l.files {
		err = errors.Join(err, file.Close())
	}
	return err
}
