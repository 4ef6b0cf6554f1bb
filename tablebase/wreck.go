package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/textfile"
)

// Wreck is a store that may be damaged. It is read from its manifests and value
// logs alone, past Badger, and is not changed. What is whole can be copied into
// another store. It is for one goroutine at a time.
type Wreck struct {
	store  *Store // read-only, over the logs
	space  Space
	closed bool
	faults []error
	lost   []*SliceError // of which is known, before chunks are read, that they are
}

// StoredSlice names a slice in a metric.
type StoredSlice struct {
	Metric bitboard.Metric
	Slice  string
}

// OpenWreck locks the folder and finds the chunks of what is listed. It reads the
// whole value log, and takes some 15 bytes of memory a chunk that is there. Of the options, Workers and
// ReadOnly count: with ReadOnly others may read the folder meanwhile, and without it
// nobody, so that it can be replaced.
//
// Errors: ErrNoStore, ErrNotReplaced, ErrNotFolder, ErrNotFile, ErrLocked, ErrOlderFormat, ErrNewerFormat,
// ErrNotReadable, ErrTooManyFiles, *IdentityError, that of ctx. Damage is none of them.
func OpenWreck(ctx context.Context, dir string, id Identity, space Space, o Options) (w *Wreck, err error) {
	access := badgerdir.Salvaging
	if o.ReadOnly {
		access = badgerdir.Examining
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	s := newStore(dir, id, Options{ReadOnly: true, Workers: o.Workers})
	w = &Wreck{store: s, space: space}
	if err := w.open(ctx, access); err != nil {
		s.release()
		return nil, err
	}
	return w, nil
}

func (w *Wreck) open(ctx context.Context, access badgerdir.Access) (err error) {
	s := w.store
	s.codec = newCodec(s.id, s.opts.Workers)
	if err := s.checkFolder(); err != nil {
		return err
	}
	if _, err := w.identify(); err != nil { // nothing is made, no lock either, where there are no tables
		return err
	}
	if s.folder, err = badgerdir.Lock(s.dir, access, folderOptions(badgerdir.RealSystem())); err != nil {
		return err
	}
	fault, err := w.identify()
	if err != nil {
		return err
	}
	if fault != nil {
		w.faults = append(w.faults, fault)
	}
	last := w.readManifests()
	logs, err := findChunks(ctx, s.folder, s.manifests)
	if err != nil {
		return err
	}
	s.past = logs
	if err := w.dropIncomplete(logs); err != nil {
		return err
	}
	if err := w.checkFiles(); err != nil {
		return err
	}
	for m := range bitboard.MetricCount {
		if !last[m] {
			w.loseUnlisted(m, logs.unlisted[m])
		}
	}
	return nil
}

// loseUnlisted counts slices of a metric as lost of which there are chunks, and of which no
// manifest says what they hold: the manifest can't be read.
func (w *Wreck) loseUnlisted(m bitboard.Metric, unlisted map[string]bool) {
	var lost []bitboard.Slice
	for name := range unlisted {
		s, err := w.space.ParseSlice(name)
		if err == nil && !slices.Contains(w.store.manifests[m].replacing, name) {
			lost = append(lost, s)
		}
	}
	slices.Sort(lost)
	for _, s := range lost {
		w.lost = append(w.lost, &SliceError{m, w.space.SliceName(s), errNotListed})
	}
}

// dropIncomplete counts slices as lost of which chunks are missing, and those that a manifest claims more
// bytes of than there are. The others have as many chunks as it claims.
func (w *Wreck) dropIncomplete(logs *chunkLogs) error {
	room, err := w.store.folder.ValueLogBytes()
	if err != nil {
		return err
	}
	for m := range bitboard.MetricCount {
		list := &w.store.manifests[m]
		list.slices = slices.DeleteFunc(list.slices, func(info SliceInfo) bool {
			why := checkRoom([]SliceInfo{info}, room)
			if chunk, some := logs.places[m][info.Name].missing(); some {
				why = fmt.Errorf("chunk %d: %w", chunk, errMissingChunk)
			}
			if why != nil {
				w.lost = append(w.lost, &SliceError{m, info.Name, why})
			}
			return why != nil
		})
	}
	return nil
}

var errNotListed = errors.New("what the manifest said of it is lost")

// identify wants the store to be that of the identity. Where that can't be read, which is a fault,
// it goes by the manifests.
func (w *Wreck) identify() (fault, err error) {
	s := w.store
	err = readIdentity(s.dir, s.id)
	if err == nil {
		return nil, nil
	}
	gone := errors.Is(err, fs.ErrNotExist)
	if gone {
		err = badgerdir.DamagedFile(s.dir, identityFile, badgerdir.ErrGone)
	}
	if !errors.Is(err, ErrDamaged) {
		return nil, err
	}
	for m := range bitboard.MetricCount {
		for _, path := range manifestPaths(s.dir, m) {
			if _, listErr := readManifestFile(path, s.id, m); listErr == nil {
				return err, nil
			}
		}
	}
	if gone {
		err = fmt.Errorf("%s: %w", s.dir, ErrNoStore)
	}
	return nil, err
}

// readManifests takes of the manifests, or of their copies, what the game agrees
// with. It tells which are known to be the last ones: a copy may be a slice behind, unless
// the manifest that is lost was the same when the store was closed.
func (w *Wreck) readManifests() (last [bitboard.MetricCount]bool) {
	s := w.store
	for m := range bitboard.MetricCount {
		var list manifest
		for i, path := range manifestPaths(s.dir, m) {
			var err error
			if list, err = readManifestFile(path, s.id, m); err == nil {
				last[m] = i == 0 || w.leftAs(m, list)
				break
			}
			w.faults = append(w.faults, manifestError(path, err))
		}
		for _, name := range list.replacing {
			if _, err := w.space.ParseSlice(name); err == nil {
				w.lost = append(w.lost, &SliceError{m, name, ErrReplacing})
			}
		}
		list.slices = slices.DeleteFunc(slices.Clone(list.slices), func(info SliceInfo) bool { return !w.known(m, info) })
		s.manifests[m] = list
	}
	return last
}

// leftAs tells whether a manifest was so when the store was closed.
func (w *Wreck) leftAs(m bitboard.Metric, list manifest) bool {
	name := filepath.Base(manifestPath(w.store.dir, m))
	return w.store.folder.LeftWith(name, textfile.Text(name, list.text))
}

// manifestPaths are a manifest and its copy.
func manifestPaths(dir string, m bitboard.Metric) [2]string {
	return [...]string{manifestPath(dir, m), manifestPath(dir, m) + copySuffix}
}

// known tells whether the game has such a slice, and counts it as lost where the
// manifest says otherwise of it than the game.
func (w *Wreck) known(m bitboard.Metric, info SliceInfo) bool {
	slice, err := w.space.ParseSlice(info.Name)
	if err != nil {
		w.faults = append(w.faults, manifestError(manifestPath(w.store.dir, m), fmt.Errorf("slice %s: %w", info.Name, err)))
		return false
	}
	if err := checkIndices(info, w.space.Indices(slice)); err != nil {
		w.lost = append(w.lost, &SliceError{m, info.Name, err})
		return false
	}
	return true
}

// checkFiles does what a writer does before it opens a store.
func (w *Wreck) checkFiles() (err error) {
	s := w.store
	w.closed, err = s.folder.Inspect(s.newFound())
	if errors.Is(err, ErrDamaged) {
		w.addFault(err)
		return nil
	}
	return err
}

// addFault adds what the list of files says, unless it is of a file whose fault is told.
// Of a file that was changed, it says how.
func (w *Wreck) addFault(fault error) {
	var file, told *badgerdir.FileError
	at := slices.IndexFunc(w.faults, func(known error) bool {
		return errors.As(fault, &file) && errors.As(known, &told) && file.Name == told.Name
	})
	switch {
	case at < 0:
		w.faults = append(w.faults, fault)
	case errors.Is(told, textfile.ErrChanged):
		w.faults[at] = fault
	}
}

// Faults are what is wrong with the files of the store, whatever its slices hold.
func (w *Wreck) Faults() []error { return w.faults }

// Closed tells whether the last writer came to its end.
func (w *Wreck) Closed() bool { return w.closed }

// Check reads every chunk of every slice that is listed, and tells which slices are
// whole. Of those that are lost, the errors say why: one that would take two looks ahead
// is as well (ErrLookTwice). It is canceled by ctx.
func (w *Wreck) Check(ctx context.Context, progress func(done, total uint64)) (whole []StoredSlice, lost []*SliceError, err error) {
	var done, total uint64
	w.each(func(_ StoredSlice, info SliceInfo) error {
		total += info.Indices
		return nil
	})
	lost = slices.Clone(w.lost)
	err = w.each(func(s StoredSlice, info SliceInfo) error {
		err := w.check(ctx, s, info)
		if err == nil {
			err = w.checkLook(s)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			lost = append(lost, &SliceError{s.Metric, s.Slice, err})
		} else {
			whole = append(whole, s)
		}
		done += info.Indices
		progress(done, total)
		return nil
	})
	return whole, lost, err
}

func (w *Wreck) each(do func(StoredSlice, SliceInfo) error) error {
	for m := range bitboard.MetricCount {
		for _, info := range w.store.manifests[m].slices {
			if err := do(StoredSlice{m, info.Name}, info); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *Wreck) check(ctx context.Context, s StoredSlice, info SliceInfo) error {
	sum, err := w.store.eachChunk(ctx, s.Metric, info, w.space, func(*chunk, uint64) {}, func(uint64) {})
	var chunk *ChunkError
	switch {
	case errors.As(err, &chunk):
		return fmt.Errorf("chunk %d: %w", chunk.Chunk, chunk.Err)
	case err == nil && sum != info.Checksum:
		return errors.New("its chunks are not those that were saved")
	}
	return err
}

// checkLook wants one look ahead to find what a slice leaves out.
func (w *Wreck) checkLook(s StoredSlice) error {
	t := w.store.Tables(s.Metric, w.space)
	slice, err := w.space.ParseSlice(s.Slice)
	if err != nil || s.Metric != bitboard.WDL || !t.LeavesOut(slice) {
		return err
	}
	groups, err := w.space.Groups()
	if err != nil {
		return err
	}
	for _, g := range groups {
		if !slices.Contains(g.Slices, slice) {
			continue
		}
		if at := slices.IndexFunc(g.Needs, t.LeavesOut); at >= 0 {
			return fmt.Errorf("%w: they follow from those that %s leaves out", ErrLookTwice, w.space.SliceName(g.Needs[at]))
		}
	}
	return nil
}

// Copy puts a slice that is whole into another store of the same game, where it
// survives a crash when Copy returns nil. One that is there with the same values stays,
// since others may follow from what it has whole. Errors: those of Tables.Save.
func (w *Wreck) Copy(ctx context.Context, into *Store, s StoredSlice) error {
	info, ok := w.store.manifests[s.Metric].find(s.Slice)
	if !ok {
		return &SliceError{s.Metric, s.Slice, ErrNotStored}
	}
	into.saving.Lock()
	defer into.saving.Unlock()
	if there, is := into.Slice(s.Metric, s.Slice); is && there.Fingerprint == info.Fingerprint {
		return nil
	}
	if err := into.Tables(s.Metric, w.space).takeSlice(ctx, w.store, info); err != nil {
		return &SliceError{s.Metric, s.Slice, err}
	}
	return nil
}

// takeSlice puts a slice of another store into this one, chunk by chunk as they are, and
// lists it when they are on disk. The caller has the mutex of saving.
func (t *Tables) takeSlice(ctx context.Context, from *Store, info SliceInfo) error {
	s, m := t.store, t.metric
	return t.replace(info.Name, func() error {
		return s.folder.CheckSpace(storedBytes(m, info.Indices, info.Bytes))
	}, func() error {
		if err := s.takeChunks(ctx, from, newChunkKeys(m, info.Name), info.Chunks); err != nil {
			return err
		}
		if err := s.folder.Sync(); err != nil {
			return err
		}
		return s.writeManifest(m, s.manifests[m].with(info))
	})
}

func (s *Store) takeChunks(ctx context.Context, from *Store, keys chunkKeys, chunks uint64) error {
	var batch []badgerdir.Entry
	bytes := 0
	for chunk := range chunks {
		if err := ctx.Err(); err != nil {
			return err
		}
		var value []byte
		key := keys.key(nil, chunk)
		if err := from.copyValue(key, &value); err != nil {
			return err
		}
		batch, bytes = append(batch, badgerdir.Entry{Key: key, Value: value}), bytes+len(value)
		if bytes < batchBytes && len(batch) < batchEntries && chunk < chunks-1 {
			continue
		}
		if err := s.folder.Put(batch); err != nil {
			return err
		}
		batch, bytes = nil, 0
	}
	return nil
}

// CopyCheckpoints puts unfinished work into another store, so that a build there
// goes on from it. It tells how many bytes of how many are copied. One that is there already stays:
// it was copied before, or is of a later build. Errors: those of files, and that of ctx, after
// which those that were copied are whole.
func (w *Wreck) CopyCheckpoints(ctx context.Context, into *Store, progress func(done, total uint64)) error {
	paths, total, err := w.checkpointsFor(into)
	if err == nil && len(paths) > 0 {
		err = into.folder.CheckSpace(total)
	}
	if err != nil {
		return err
	}
	done := uint64(0)
	for _, path := range paths {
		err := into.takeCheckpoint(ctx, path, func(bytes int) {
			done += uint64(bytes)
			progress(done, total)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkpointsFor are the paths of those that another store lacks, and the bytes that they have.
func (w *Wreck) checkpointsFor(into *Store) (lacking []string, total uint64, err error) {
	paths, err := checkpointPaths(w.store.dir)
	if err != nil {
		return nil, 0, err
	}
	for _, path := range paths {
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) { // it was begun alone
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		if info.Mode()&fs.ModeSymlink != 0 { // what it leads to is none of the store
			continue
		}
		if _, err := os.Stat(filepath.Join(into.dir, filepath.Base(path))); err == nil {
			continue
		}
		lacking, total = append(lacking, path), total+uint64(info.Size())
	}
	return lacking, total, nil
}

// takeCheckpoint copies a checkpoint of another store, whatever is in it, and tells how many bytes
// are copied each time.
func (s *Store) takeCheckpoint(ctx context.Context, path string, copied func(bytes int)) error {
	from, err := openCheckpoint(path)
	if err != nil {
		return err
	}
	defer from.Close()
	err = lasting.WriteRegular(filepath.Join(s.dir, filepath.Base(path)), func(to io.Writer) error {
		buffer := make([]byte, sectionBytes)
		for {
			if err := ctx.Err(); err != nil {
				return err
			}
			n, readErr := from.Read(buffer)
			if _, err := to.Write(buffer[:n]); err != nil {
				return err
			}
			copied(n)
			switch {
			case errors.Is(readErr, io.EOF):
				return nil
			case readErr != nil:
				return readErr
			}
		}
	})
	if err != nil && ctx.Err() == nil {
		return s.folder.WriteError(err)
	}
	return err
}

// Close ends the use of the store, and gives its lock back.
func (w *Wreck) Close() error { return w.store.Close() }
