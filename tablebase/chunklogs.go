package tablebase

import (
	"context"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
)

// chunkLogs are the value logs of a store, read without Badger: which chunk is
// where is told by the logs themselves. Where one was written more than once, the
// last that is whole counts. It is safe for concurrent use.
type chunkLogs struct {
	folder *badgerdir.Folder
	places [MetricCount]map[string][]badgerdir.Place // by slice and chunk

	// unlisted are slices that the logs have chunks of, and no manifest names.
	unlisted [MetricCount]map[string]bool
}

// findChunks looks for the chunks of the slices that are listed. It takes 12
// bytes of memory for each of them.
func findChunks(ctx context.Context, folder *badgerdir.Folder, listed [MetricCount]manifest) (*chunkLogs, error) {
	l := &chunkLogs{folder: folder}
	for m := range listed {
		l.places[m] = make(map[string][]badgerdir.Place)
		l.unlisted[m] = make(map[string]bool)
		for _, info := range listed[m].slices {
			l.places[m][info.Name] = make([]badgerdir.Place, info.Chunks)
		}
	}
	return l, folder.SearchLogs(ctx, chunkKeyByte, l.add)
}

// add notes where a chunk is.
func (l *chunkLogs) add(key []byte, at badgerdir.Place) {
	m, name, chunk, ok := parseChunkKey(key)
	if !ok {
		return
	}
	places, listed := l.places[m][name]
	switch {
	case !listed:
		l.unlisted[m][name] = true
	case chunk < uint64(len(places)):
		places[chunk] = at
	}
}

// copyValue implements chunkSource.
func (l *chunkLogs) copyValue(key []byte, buffer *[]byte) error {
	m, name, chunk, ok := parseChunkKey(key)
	places := l.places[m][name]
	if !ok || chunk >= uint64(len(places)) {
		return badgerdir.ErrNoKey
	}
	return l.folder.ReadLog(places[chunk], buffer)
}

// lost are slices of which there are chunks, and of which no manifest says what
// they hold, for the metrics whose manifests can't be read.
func (l *chunkLogs) lost(m bitboard.Metric) (names []string) {
	for name := range l.unlisted[m] {
		names = append(names, name)
	}
	return names
}
