package tablebase

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"paika/bitboard"
	"paika/internal/lasting"
)

// Options say how a store is opened.
type Options struct {
	// ReadOnly opens a store that exists, beside any number of other readers.
	// Otherwise the store is created where there is none, and nobody else may
	// have it open.
	ReadOnly bool

	// Version of the program, which checkpoints name. Ignored with ReadOnly.
	Version string

	// Workers is the number of goroutines that compress or decompress chunks.
	// Default: one a core.
	Workers int
}

// readerPatience is how long a reader waits for a writer that may be about to end.
const readerPatience = time.Second

// Store is an open folder of tables. All methods are safe for concurrent use.
type Store struct {
	dir    string
	id     Identity
	opts   Options
	system system

	saving sync.Mutex // held by Save, from the first chunk to the manifest

	mu        sync.RWMutex // guards what follows; held shared while db is in use
	db        *badger.DB   // nil once closed
	logs      *chunkLogs   // in its place, where a store is read past Badger
	lock      *os.File
	codec     *codec
	manifests [MetricCount]manifest
	reserved  reservation // for what Badger writes

	faulted atomic.Bool // Badger was left in the middle of something
	values  sync.Pool   // *[]byte, for values as they are stored
}

// Open opens the store of id in dir, or creates it.
//
// Errors: ErrNotFolder, ErrLocked, ErrNewerFormat, ErrOlderFormat, ErrDamaged,
// ErrTooManyFiles, *IdentityError; to be read, ErrNoStore and ErrUnclean as well;
// to be written, ErrForeignFiles, ErrNotWritable, ErrDiskFull and ErrFileTooLarge.
func Open(dir string, id Identity, opts Options) (*Store, error) {
	return open(dir, id, opts, realSystem())
}

// system is what tests put something else in the place of.
type system struct {
	free func(dir string) (uint64, error)
	sync func(path string) error
}

func realSystem() system { return system{freeSpace, lasting.SyncFile} }

func open(dir string, id Identity, opts Options, system system) (*Store, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Store{dir: dir, id: id, opts: opts, system: system}
	if err := s.open(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) open() (err error) {
	if s.codec, err = newCodec(s.id, s.opts.Workers); err != nil {
		return err
	}
	if s.opts.ReadOnly {
		err = s.openToRead()
	} else {
		err = s.openToWrite()
	}
	if err != nil {
		s.release()
	}
	return err
}

// openToRead changes nothing in the folder, and lets Badger see it only where it
// has nothing to change.
func (s *Store) openToRead() (err error) {
	if err := s.checkFolder(); err != nil {
		return err
	}
	if err := s.checkIdentity(); err != nil {
		return err
	}
	if s.lock, err = lockFolder(s.dir, lasting.Shared, readerPatience); err != nil {
		return err
	}
	err = checkClosed(s.dir)
	if errors.Is(err, errNotClosed) {
		return fmt.Errorf("%s: %w", s.dir, ErrUnclean)
	}
	if err != nil {
		return err
	}
	if err := s.readManifests(); err != nil {
		return err
	}
	if err := checkLimits(s.dir, true); err != nil {
		return err
	}
	s.db, err = openBadger(s.dir, true)
	return err
}

// openToWrite looks at everything before it lets Badger change anything.
func (s *Store) openToWrite() (err error) {
	if err := makeFolder(s.dir); err != nil {
		return err
	}
	if s.lock, err = lockFolder(s.dir, lasting.Exclusive, 0); err != nil {
		return err
	}
	if err := s.tidyParts(); err != nil {
		return err
	}
	err = readIdentity(s.dir, s.id)
	if errors.Is(err, fs.ErrNotExist) {
		err = s.create()
	}
	if err != nil {
		return err
	}
	if err := checkSpace(s.dir, 0, s.system.free); err != nil {
		return err
	}
	if err := checkLimits(s.dir, false); err != nil {
		return err
	}
	if err := s.readManifests(); err != nil {
		return err
	}
	if err := s.prepareLogs(); err != nil {
		return err
	}
	if s.db, err = openBadger(s.dir, false); err != nil {
		return err
	}
	return s.tidyCheckpoints()
}

// prepareLogs makes sure that Badger will find all that is listed, and leaves it
// nothing to cut off.
func (s *Store) prepareLogs() error {
	err := checkClosed(s.dir)
	switch {
	case err == nil:
		if err := checkLastLog(s.dir); err != nil {
			return err
		}
		return unmarkClosed(s.dir)
	case !errors.Is(err, errNotClosed):
		return err
	}
	tails, err := s.checkReplay()
	if err != nil {
		return err
	}
	if err := unmarkClosed(s.dir); err != nil { // one that is broken
		return err
	}
	return tails.cut()
}

// makeFolder makes a folder that lasts.
func makeFolder(dir string) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return folderError(dir, err)
		}
		return lasting.SyncFolder(filepath.Dir(dir))
	}
	if err := os.MkdirAll(dir, 0o777); err != nil { // it tells a file from a folder
		return folderError(dir, err)
	}
	if !writable(dir) {
		return fmt.Errorf("%s: %w", dir, ErrNotWritable)
	}
	return nil
}

// checkFolder tells a folder that is missing from one without a store.
func (s *Store) checkFolder() error {
	info, err := os.Stat(s.dir)
	switch {
	case err != nil:
		return folderError(s.dir, err)
	case !info.IsDir():
		return fmt.Errorf("%s: %w", s.dir, ErrNotFolder)
	}
	return nil
}

func (s *Store) checkIdentity() error {
	err := readIdentity(s.dir, s.id)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", s.dir, ErrNoStore)
	}
	return err
}

func folderError(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s: %w", dir, ErrNotFolder)
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w: the folder does not exist", dir, ErrNoStore)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w", dir, ErrNotWritable)
	}
	return fmt.Errorf("%s: %w", dir, named(err))
}

// Close ends all use of the store. A writer's last data reach the disk here,
// though nothing that Save promised depends on it. A second call does nothing.
func (s *Store) Close() error {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.release()
}

func (s *Store) release() error {
	if s.faulted.Load() {
		return s.abandon()
	}
	var err error
	if s.db != nil && !s.opts.ReadOnly {
		if err = s.checkClosing(); err != nil {
			return errors.Join(err, s.abandon())
		}
	}
	if s.db != nil {
		err = guardFaults(s.db.Close)
		if err == nil && !s.opts.ReadOnly {
			err = s.markClosed()
		}
		if err != nil {
			err = s.writeError(err)
		}
		s.db = nil
	}
	if s.logs != nil {
		err = errors.Join(err, s.logs.Close())
		s.logs = nil
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	return err
}

// markClosed brings to disk what Badger left when it closed its files, and records
// it.
func (s *Store) markClosed() error {
	if err := dropDiscards(s.dir); err != nil {
		return err
	}
	if err := s.sync(); err != nil {
		return err
	}
	return markClosed(s.dir)
}

// abandon leaves a database alone that can't be closed: after a fault it may hold
// locks of its own for ever. What it has open stays open until the process ends. So
// does the lock of a writer, which may be writing still; the next one finds a store
// as a killed writer leaves it.
func (s *Store) abandon() (err error) {
	if s.db == nil {
		return nil
	}
	s.db = nil
	if s.opts.ReadOnly {
		return s.lock.Close()
	}
	return fmt.Errorf("%s: %w", s.dir, errNotClosed)
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Identity is what the store was opened for.
func (s *Store) Identity() Identity { return s.id }

// value calls f with the value at a key, which is valid until f returns. An absent
// key is badger.ErrKeyNotFound.
//
// The value is copied before f looks at it: where Badger has it, memory stands for
// a file, which may be cut short at any time.
func (s *Store) value(key []byte, f func(value []byte) error) error {
	buffer, _ := s.values.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer s.values.Put(buffer)
	s.mu.RLock()
	err := s.copyValue(key, buffer)
	s.mu.RUnlock()
	if err != nil {
		return err
	}
	return f(*buffer)
}

// copyValue reads a value into the buffer. The caller holds s.mu.
func (s *Store) copyValue(key []byte, buffer *[]byte) error {
	if s.logs != nil {
		return s.logs.copyValue(key, buffer)
	}
	if s.db == nil {
		return ErrClosed
	}
	return s.guard(func() error {
		return s.db.View(func(txn *badger.Txn) error {
			item, err := txn.Get(key)
			if err == nil {
				*buffer, err = item.ValueCopy((*buffer)[:0])
			}
			return err
		})
	})
}

// guard is guardFaults for calls after which the store is still in use.
func (s *Store) guard(f func() error) error {
	err := guardFaults(f)
	if errors.Is(err, errFault) {
		s.faulted.Store(true)
	}
	return err
}

// update commits entries in one transaction. What is there already, from a writer
// that was stopped before it could list it, is not written again: Badger keeps what
// is replaced, so that a build that comes back to a full disk time and again would
// fill any.
func (s *Store) update(entries []*badger.Entry) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return ErrClosed
	}
	if entries = s.lacking(entries); len(entries) == 0 {
		return nil
	}
	size := entryBytes(entries)
	if err := checkSpace(s.dir, size, s.system.free); err != nil {
		return err
	}
	if err := s.reserved.take(s.dir, entries); err != nil {
		return s.writeError(err)
	}
	err := s.guard(func() error {
		return s.db.Update(func(txn *badger.Txn) error {
			for _, e := range entries {
				if err := txn.SetEntry(e); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return s.writeError(err)
}

// lacking gives the entries that the store does not have, or can't read.
func (s *Store) lacking(entries []*badger.Entry) (rest []*badger.Entry) {
	var buffer []byte
	for _, e := range entries {
		if err := s.copyValue(e.Key, &buffer); err != nil || !bytes.Equal(buffer, e.Value) {
			rest = append(rest, e)
		}
	}
	return rest
}

// sync brings everything committed so far to disk.
func (s *Store) sync() error { return s.writeError(syncDatabase(s.dir, s.system.sync)) }

// Slices lists what is stored in a metric, in the order of its manifest.
func (s *Store) Slices(m bitboard.Metric) []SliceInfo {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append([]SliceInfo(nil), s.manifests[m].slices...)
}

// Slice describes one stored slice.
func (s *Store) Slice(m bitboard.Metric, name string) (SliceInfo, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.manifests[m].find(name)
}

// Manifest is the manifest of a metric, byte for byte as it is stored. Where
// nothing is stored yet, it lists no slices.
func (s *Store) Manifest(m bitboard.Metric) ([]byte, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return nil, ErrClosed
	}
	return append([]byte(nil), s.manifests[m].text...), nil
}

// DiskBytes is what the store takes on disk: all files that are its own.
func (s *Store) DiskBytes() (sum uint64, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !ours(e.Name()) {
			continue
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) { // a table that was merged into another
			continue
		}
		if err != nil {
			return 0, err
		}
		sum += diskBytes(info)
	}
	return sum, nil
}
