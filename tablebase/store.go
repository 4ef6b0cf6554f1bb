package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
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

// Store is an open folder of tables. All methods are safe for concurrent use.
type Store struct {
	dir    string
	id     Identity
	opts   Options
	folder *badgerdir.Folder
	past   chunkSource // where a store is read past Badger, or nil
	codec  *codec
	values sync.Pool // *[]byte, for values as they are stored

	saving sync.Mutex // held by Save, from the first chunk to the manifest

	mu        sync.RWMutex // guards what follows
	manifests [bitboard.MetricCount]manifest
	told      [bitboard.MetricCount]*sync.Map // of the slices listed, by name: whether they leave values out, where that was asked
}

// chunkSource has chunks by their keys. It is safe for concurrent use.
type chunkSource interface {
	// copyValue reads the value at a key into the buffer. An absent key is
	// badgerdir.ErrNoKey.
	copyValue(key []byte, buffer *[]byte) error
}

func newStore(dir string, id Identity, opts Options) *Store {
	s := &Store{dir: dir, id: id, opts: opts}
	for m := range s.told {
		s.told[m] = new(sync.Map)
	}
	return s
}

// Open opens the store of id in dir, or creates it.
//
// Errors: ErrNotReplaced, ErrNotFolder, ErrNotFile, ErrNotReadable, ErrLocked, ErrNewerFormat,
// ErrOlderFormat, ErrDamaged, ErrTooManyFiles, ErrNoMemory, ErrFile, *IdentityError; to be read,
// ErrNoStore and ErrUnclean as well; to be written, ErrForeignFiles, ErrNotWritable, ErrMoved,
// ErrDiskFull and ErrFileTooLarge.
func Open(dir string, id Identity, opts Options) (*Store, error) {
	return open(dir, id, opts, badgerdir.RealSystem())
}

func open(dir string, id Identity, opts Options, system badgerdir.System) (*Store, error) {
	if opts.Workers <= 0 {
		opts.Workers = runtime.GOMAXPROCS(0)
	}
	s := newStore(dir, id, opts)
	if err := s.open(system); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

func (s *Store) open(system badgerdir.System) error {
	s.codec = newCodec(s.id, s.opts.Workers)
	if s.opts.ReadOnly {
		return s.openToRead(system)
	}
	return s.openToWrite(system)
}

// folderOptions say what a store knows of its folder.
func folderOptions(system badgerdir.System) badgerdir.Options {
	return badgerdir.Options{Recorded: recorded, LeastValue: leastChunkBytes + zstdFrameBytes, System: system}
}

// zstdFrameBytes is the least that compressed values take.
const zstdFrameBytes = 9

// openToRead changes nothing in the folder, and lets Badger see it only where it
// has nothing to change.
func (s *Store) openToRead(system badgerdir.System) (err error) {
	if err := s.checkFolder(); err != nil {
		return err
	}
	if err := s.checkIdentity(); err != nil {
		return err
	}
	if s.folder, err = badgerdir.Lock(s.dir, badgerdir.Reading, folderOptions(system)); err != nil {
		return err
	}
	if err := s.folder.CheckClosed(); err != nil {
		return err
	}
	if err := s.readManifests(); err != nil {
		return err
	}
	if err := s.folder.CheckLimits(); err != nil {
		return err
	}
	return s.folder.Open()
}

// openToWrite looks at everything before it lets Badger change anything.
func (s *Store) openToWrite(system badgerdir.System) (err error) {
	if err := checkReplaced(s.dir); err != nil {
		return err
	}
	if err := badgerdir.Make(s.dir); err != nil {
		return err
	}
	if err := badgerdir.CheckFiles(s.dir, badgerdir.Writing, recorded); err != nil {
		return err
	}
	if _, err := s.checkOurs(); err != nil { // nothing is made, no lock either, where others have their files
		return err
	}
	if s.folder, err = badgerdir.Lock(s.dir, badgerdir.Writing, folderOptions(system)); err != nil {
		return err
	}
	missing, err := s.checkOurs()
	if err != nil {
		return err
	}
	if err := s.tidyParts(); err != nil {
		return err
	}
	if missing {
		if err := s.create(); err != nil {
			return err
		}
	}
	if err := s.folder.CheckSpace(0); err != nil {
		return err
	}
	if err := s.folder.CheckLimits(); err != nil {
		return err
	}
	if err := s.readManifests(); err != nil {
		return err
	}
	if err := s.folder.Prepare(s.newFound()); err != nil {
		return err
	}
	if err := s.folder.Open(); err != nil {
		return err
	}
	if err := s.raiseFormat(); err != nil {
		return err
	}
	return s.tidyCheckpoints()
}

// checkFolder tells a folder that is missing from one without a store, and looks whether its
// files are some.
func (s *Store) checkFolder() error {
	if err := checkReplaced(s.dir); err != nil {
		return err
	}
	err := badgerdir.Check(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w: the folder does not exist", s.dir, ErrNoStore)
	}
	if err != nil {
		return err
	}
	return badgerdir.CheckFiles(s.dir, badgerdir.Reading, recorded)
}

// checkOurs wants the store to be that of the identity, or to be missing from a folder that is
// empty.
func (s *Store) checkOurs() (missing bool, err error) {
	err = readIdentity(s.dir, s.id)
	if errors.Is(err, fs.ErrNotExist) {
		return true, checkEmpty(s.dir)
	}
	return false, err
}

func (s *Store) checkIdentity() error {
	err := readIdentity(s.dir, s.id)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", s.dir, ErrNoStore)
	}
	return err
}

// recorded tells the store's own files that no one changes between writers. A
// checkpoint is none of them: it has checksums of its own, and with it no table is
// lost.
func recorded(name string) bool {
	if name == identityFile {
		return true
	}
	for m := range bitboard.MetricCount {
		if strings.TrimSuffix(name, copySuffix) == manifestFile+m.String() {
			return true
		}
	}
	return false
}

// owned tells the store's own files.
func owned(name string) bool {
	return recorded(name) || name == replacesFile || isCheckpoint(strings.TrimSuffix(name, lasting.PartSuffix))
}

// tidyParts removes what killed writers left of files that they were writing. The folder is known to be
// the store's.
func (s *Store) tidyParts() error {
	if err := s.folder.Tidy(); err != nil {
		return err
	}
	paths, err := checkpointPaths(s.dir)
	if err != nil {
		return err
	}
	paths = append(paths, filepath.Join(s.dir, identityFile))
	for m := range bitboard.MetricCount {
		paths = append(paths, manifestPath(s.dir, m), manifestPath(s.dir, m)+copySuffix)
	}
	for _, path := range paths {
		if err := lasting.RemovePart(path); err != nil {
			return fmt.Errorf("%s: %w", s.dir, badgerdir.Named(err))
		}
	}
	return nil
}

// Close ends all use of the store. A writer's last data reach the disk here,
// though nothing that Save promised depends on it. Where there is no room for them it fails
// with ErrDiskFull: the folder stays locked, and Close can be called again once there is room.
// Otherwise a second call does nothing. Where the folder was moved it fails with ErrMoved: there the
// store is like one whose writer was killed, and what is in its place is left alone.
func (s *Store) Close() error {
	s.saving.Lock()
	defer s.saving.Unlock()
	s.codec.leave()
	return s.release()
}

func (s *Store) release() error {
	if s.folder == nil {
		return nil
	}
	return s.folder.Close()
}

// Dir is the folder of the store.
func (s *Store) Dir() string { return s.dir }

// Identity is what the store was opened for.
func (s *Store) Identity() Identity { return s.id }

// value calls f with the value at a key, which is valid until f returns. An absent
// key is badgerdir.ErrNoKey.
func (s *Store) value(key []byte, f func(value []byte) error) error {
	buffer, _ := s.values.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer s.values.Put(buffer)
	if err := s.copyValue(key, buffer); err != nil {
		return err
	}
	return f(*buffer)
}

// copyValue reads a value into the buffer.
func (s *Store) copyValue(key []byte, buffer *[]byte) error {
	if s.past != nil {
		return s.past.copyValue(key, buffer)
	}
	return s.folder.Get(key, buffer)
}

// manifest is that of a metric. In one that there is not nothing is stored. The caller has the mutex.
func (s *Store) manifest(m bitboard.Metric) manifest {
	if m.Check() != nil {
		return manifest{}
	}
	return s.manifests[m]
}

// Slices lists what is stored in a metric, in the order of its manifest.
func (s *Store) Slices(m bitboard.Metric) []SliceInfo {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append([]SliceInfo(nil), s.manifest(m).slices...)
}

// Replacing names the slices of a metric that were stored, and that a writer was replacing when
// it was killed or failed: they are lost until they are stored again.
func (s *Store) Replacing(m bitboard.Metric) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.manifest(m).replacing)
}

// MappedBytes is about how much of its files the system maps into memory once all slices have
// been read or written. It counts to the program, but the system takes it back when it wants
// memory, so that it is in nobody's way: only what could be taken or not should leave it room.
func (s *Store) MappedBytes() (sum uint64) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for _, m := range s.manifests {
		for _, info := range m.slices {
			sum = ranking.Sum(sum, info.Bytes)
		}
	}
	return sum
}

// Slice describes one stored slice.
func (s *Store) Slice(m bitboard.Metric, name string) (SliceInfo, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.manifest(m).find(name)
}

// Manifest is the manifest of a metric, byte for byte as it is stored. Where
// nothing is stored yet, it lists no slices.
func (s *Store) Manifest(m bitboard.Metric) ([]byte, error) {
	if !s.folder.InUse() {
		return nil, ErrClosed
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return append([]byte(nil), s.manifest(m).text...), nil
}

// DiskBytes is what the store takes on disk: all files that are its own. Until Close the
// logs of a writer are among them, which take more than what is kept.
func (s *Store) DiskBytes() (uint64, error) { return s.folder.Bytes(owned) }
