package badgerdir

import "context"

// Place is where in the value logs a value is; with a length of 0 it is nowhere. It
// takes 12 bytes.
type Place struct {
	file, offset, length uint32
}

// SearchLogs reads all value logs past Badger, and tells do of every value whose key
// begins with that byte, those behind damage included. Where one was written more than
// once, the last counts. Errors: those of SystemError, and that of ctx.
func (f *Folder) SearchLogs(ctx context.Context, first byte, do func(key []byte, at Place)) error {
	logs, err := numberedFiles(f.dir, valueLogSuffix)
	if err != nil {
		return ReadError(f.dir, err)
	}
	for _, log := range logs {
		if err := f.searchLog(ctx, log.path, first, do); err != nil {
			return ReadError(f.dir, err)
		}
	}
	return nil
}

// searchLog reads one of them, and keeps it open.
func (f *Folder) searchLog(ctx context.Context, path string, first byte, do func(key []byte, at Place)) error {
	log, err := openLog(path)
	if err != nil {
		return err
	}
	number := uint32(len(f.logs))
	f.logs = append(f.logs, log.file)
	return log.search(ctx, first, func(e logEntry) error {
		do(e.userKey(), Place{number, uint32(e.end) - uint32(len(e.value)) - crcBytes, uint32(len(e.value))})
		return nil
	})
}

// ReadLog reads the value at a place that SearchLogs found into a buffer, and makes that
// larger where it is too short. Errors: ErrNoKey, ErrClosed, and those of the system.
func (f *Folder) ReadLog(p Place, buffer *[]byte) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	switch {
	case p.length == 0:
		return ErrNoKey
	case f.logs == nil:
		return ErrClosed
	}
	if uint32(cap(*buffer)) < p.length {
		*buffer = make([]byte, p.length)
	}
	*buffer = (*buffer)[:p.length]
	_, err := f.logs[p.file].ReadAt(*buffer, int64(p.offset))
	return err
}

// ValueLogBytes is the size of all value logs.
func (f *Folder) ValueLogBytes() (sum uint64, err error) {
	logs, err := numberedFiles(f.dir, valueLogSuffix)
	for _, log := range logs {
		sum += uint64(log.size)
	}
	return sum, err
}
