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
	places [bitboard.MetricCount]map[string]*chunkPlaces // by slice

	// unlisted are slices that the logs have chunks of, and no manifest names.
	unlisted [bitboard.MetricCount]map[string]bool
}

// chunkPlaces are where chunks of a slice are. They take memory by what is found, whatever
// number of chunks a manifest claims.
type chunkPlaces struct {
	chunks, count uint64 // of the slice, and those that are found
	pages         map[uint64]*[pageChunks]badgerdir.Place
}

// pageChunks is for how many chunks room is made together: few, since logs may have one of each.
const pageChunks = 16

// add notes where a chunk is.
func (p *chunkPlaces) add(chunk uint64, at badgerdir.Place) {
	if chunk >= p.chunks {
		return
	}
	page := p.pages[chunk/pageChunks]
	if page == nil {
		page = new([pageChunks]badgerdir.Place)
		p.pages[chunk/pageChunks] = page
	}
	place := &page[chunk%pageChunks]
	if *place == (badgerdir.Place{}) {
		p.count++
	}
	*place = at
}

// at is where a chunk is.
func (p *chunkPlaces) at(chunk uint64) (at badgerdir.Place, found bool) {
	page := p.pages[chunk/pageChunks]
	if page == nil {
		return at, false
	}
	at = page[chunk%pageChunks]
	return at, at != badgerdir.Place{}
}

// missing gives the first chunk that is not found, if not all are.
func (p *chunkPlaces) missing() (chunk uint64, some bool) {
	if p.count == p.chunks {
		return 0, false
	}
	for {
		if _, found := p.at(chunk); !found {
			return chunk, true
		}
		chunk++
	}
}

// findChunks looks for the chunks of the slices that are listed. It takes some 15
// bytes of memory for each that it finds.
func findChunks(ctx context.Context, folder *badgerdir.Folder, listed [bitboard.MetricCount]manifest) (*chunkLogs, error) {
	l := &chunkLogs{folder: folder}
	for m := range listed {
		l.places[m] = make(map[string]*chunkPlaces)
		l.unlisted[m] = make(map[string]bool)
		for _, info := range listed[m].slices {
			l.places[m][info.Name] = &chunkPlaces{chunks: info.Chunks, pages: make(map[uint64]*[pageChunks]badgerdir.Place)}
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
	if places := l.places[m][name]; places != nil {
		places.add(chunk, at)
	} else {
		l.unlisted[m][name] = true
	}
}

// copyValue implements chunkSource.
func (l *chunkLogs) copyValue(key []byte, buffer *[]byte) error {
	m, name, chunk, ok := parseChunkKey(key)
	places := l.places[m][name]
	if !ok || places == nil {
		return badgerdir.ErrNoKey
	}
	at, found := places.at(chunk)
	if !found {
		return badgerdir.ErrNoKey
	}
	return l.folder.ReadLog(at, buffer)
}
