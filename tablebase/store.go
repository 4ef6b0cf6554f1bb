package tablebase

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"sync"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"paika/bitboard"
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

// readerPatience is how long a reader waits for another process that repairs
// what a killed writer left.
const readerPatience = time.Second

// Store is an open folder of tables. All methods are safe for concurrent use.
type Store struct {
	dir  string
	id   Identity
	opts Options
	free func(dir string) (uint64, error) // freeSpace, but for tests

	saving sync.Mutex // held by Save, from the first chunk to the manifest

	mu        sync.RWMutex // guards what follows; held shared while db is in use
	db        *badger.DB   // nil once closed
	lock      *os.File
	codec     *codec
	manifests [metricCount]manifest
}

// Open opens the store of id in dir, or creates it.
//
// Errors: ErrNotFolder, ErrLocked, ErrNewerFormat, ErrDamaged,
// *IdentityError; to be read, ErrNoStore and ErrUnclean as well; to be
// written, ErrForeignFiles, ErrNotWritable and ErrDiskFull.
func Open(dir string, id Identity, opts Options) (*Store, error) {
	return open(dir, id, opts, freeSpace)
}

func open(dir string, id Identity, opts Options, free func(string) (uint64, error)) (*Store, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s := &Store{dir: dir, id: id, opts: opts, free: free}
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
	if err == nil {
		err = s.readManifests()
	}
	if err == nil && !s.opts.ReadOnly {
		err = s.tidyCheckpoints()
	}
	if err != nil {
		s.release()
	}
	return err
}

func (s *Store) openToRead() (err error) {
	if err := s.checkFolder(); err != nil {
		return err
	}
	if err := s.checkIdentity(); err != nil {
		return err
	}
	err = s.lockClosed()
	for errors.Is(err, errNotClosed) {
		if err = s.repair(); err == nil {
			err = s.lockClosed() // in between, another writer may have been killed
		}
	}
	if err != nil {
		return err
	}
	s.db, err = openBadger(s.dir, true)
	return err
}

// lockClosed takes a reader's lock. It answers errNotClosed, without the lock,
// where the last writer was killed.
func (s *Store) lockClosed() (err error) {
	if s.lock, err = lockFolder(s.dir, shared, readerPatience); err != nil {
		return err
	}
	err = checkClosed(s.dir)
	if errors.Is(err, errNotClosed) {
		s.unlock()
	}
	return err
}

// repair does for a reader what the next writer would do: open the store, let
// Badger replay its logs, and close it.
func (s *Store) repair() (err error) {
	if s.lock, err = lockFolder(s.dir, exclusive, readerPatience); err != nil {
		return err
	}
	defer s.unlock()
	// Between the two locks another reader may have done it.
	err = checkClosed(s.dir)
	if errors.Is(err, errNotClosed) {
		err = s.replay()
	}
	return err
}

func (s *Store) unlock() {
	s.lock.Close()
	s.lock = nil
}

func (s *Store) replay() error {
	if !writable(s.dir) {
		return fmt.Errorf("%s: %w", s.dir, ErrUnclean)
	}
	if err := checkSpace(s.dir, 0, s.free); err != nil {
		return err
	}
	db, err := openBadger(s.dir, false)
	if err != nil {
		return err
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("%s: %w", s.dir, err)
	}
	return markClosed(s.dir)
}

func (s *Store) openToWrite() (err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return folderError(s.dir, err)
	}
	if !writable(s.dir) {
		return fmt.Errorf("%s: %w", s.dir, ErrNotWritable)
	}
	if s.lock, err = lockFolder(s.dir, exclusive, 0); err != nil {
		return err
	}
	err = readIdentity(s.dir, s.id)
	if errors.Is(err, fs.ErrNotExist) {
		err = createIdentity(s.dir, s.id)
	}
	if err != nil {
		return err
	}
	if err := checkClosed(s.dir); err != nil && !errors.Is(err, errNotClosed) {
		return err
	}
	if err := checkSpace(s.dir, 0, s.free); err != nil {
		return err
	}
	if err := unmarkClosed(s.dir); err != nil {
		return err
	}
	s.db, err = openBadger(s.dir, false)
	return err
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
	return fmt.Errorf("%s: %w", dir, err)
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
	var err error
	if s.db != nil {
		err = s.db.Close()
		if err == nil && !s.opts.ReadOnly {
			err = markClosed(s.dir)
		}
		s.db = nil
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
		s.lock = nil
	}
	return err
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Identity is what the store was opened for.
func (s *Store) Identity() Identity { return s.id }

// view runs a read-only transaction on an open store.
func (s *Store) view(f func(txn *badger.Txn) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return ErrClosed
	}
	return s.db.View(f)
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
	if entries = lacking(s.db, entries); len(entries) == 0 {
		return nil
	}
	var size uint64
	for _, e := range entries {
		size += uint64(len(e.Key) + len(e.Value))
	}
	if err := checkSpace(s.dir, size, s.free); err != nil {
		return err
	}
	return s.db.Update(func(txn *badger.Txn) error {
		for _, e := range entries {
			if err := txn.SetEntry(e); err != nil {
				return err
			}
		}
		return nil
	})
}

// lacking gives the entries that a database does not have, or can't read.
func lacking(db *badger.DB, entries []*badger.Entry) (rest []*badger.Entry) {
	txn := db.NewTransaction(false)
	defer txn.Discard()
	for _, e := range entries {
		same := false
		err := read(txn, e.Key, func(value []byte) error {
			same = bytes.Equal(value, e.Value)
			return nil
		})
		if err != nil || !same {
			rest = append(rest, e)
		}
	}
	return rest
}

// read calls f with the value at key, which is valid until f returns. An
// absent key is badger.ErrKeyNotFound.
func read(txn *badger.Txn, key []byte, f func(value []byte) error) error {
	item, err := txn.Get(key)
	if err != nil {
		return err
	}
	return item.Value(f)
}

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
