package badgerdir

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dgraph-io/badger/v4"

	"paika/internal/lasting"
)

// Access is what a folder is locked for.
type Access int

const (
	Reading   Access = iota // beside other readers; the database was closed and is not changed
	Writing                 // alone
	Salvaging               // alone; the logs are read past Badger, and nothing is changed but for LOCK
	Examining               // beside readers; the same, and LOCK is not made
)

// readerPatience is how long one who changes nothing waits for a writer that may be
// about to end.
const readerPatience = time.Second

// Options are what the owner of a folder knows of it.
type Options struct {
	// Recorded tells those files beside Badger's, by name, that no one changes
	// between writers: they are recorded when a writer closes the folder.
	Recorded func(name string) bool

	// LeastValue is the length in bytes of the shortest value. All values go to the
	// value log, however short, so that it alone has them all with their keys. What
	// Badger writes itself to close a transaction must not: that is a number of up
	// to 20 digits.
	LeastValue int

	System System
}

// System is what a folder asks of the operating system. Tests put something else in
// its place.
type System struct {
	Free func(dir string) (uint64, error) // bytes that the user may still write there
	Sync func(path string) error          // brings a file to disk
}

// RealSystem is the system itself.
func RealSystem() System { return System{freeSpace, lasting.SyncFile} }

// Entry is a key and its value.
type Entry struct{ Key, Value []byte }

// Folder is a folder that is locked, whose database may be open.
type Folder struct {
	dir      string
	access   Access
	opts     Options
	locks    locks       // nil once they are given back
	reserved reservation // for what Badger writes

	mu   sync.RWMutex // held shared while db or logs are in use
	db   *badger.DB   // nil before Open and after Close
	logs []*os.File   // in its place, where the value logs are read past Badger

	left []leftFile // what the one before left, until a writer has opened the database; nil where that was killed

	unrecorded bool // a writer closed the database, and found no room to record what it left

	faulted atomic.Bool // Badger was left in the middle of something
}

// Make makes a folder that lasts, where it is missing, and wants it to be writable.
// Errors: ErrNotFolder, ErrNotWritable and those of SystemError.
func Make(dir string) error {
	err := lasting.MakeFolder(dir, 0o777)
	switch {
	case errors.Is(err, ErrNotWritable):
		return err
	case err != nil:
		return folderError(dir, err)
	case !lasting.Writable(dir):
		return fmt.Errorf("%s: %w", dir, ErrNotWritable)
	}
	return nil
}

// Check wants a folder to be there. Errors: ErrNotFolder, fs.ErrNotExist, ErrNotReadable and others
// of SystemError.
func Check(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return ReadError(dir, err)
	case err != nil:
		return folderError(dir, err)
	case !info.IsDir():
		return fmt.Errorf("%s: %w", dir, ErrNotFolder)
	}
	return nil
}

// CheckFiles wants everything to be a file that has the name of a file of Badger's or of this
// package, or of the owner's. Who opens a pipe waits for somebody to write, and a device may
// never end. A link to a file is one to who reads. To who writes it is none: the file that it
// leads to is not of the folder, and Badger would cut it short. The error wraps ErrNotFile.
// Where the folder can't be read there is none: whoever opens it next tells why.
func CheckFiles(dir string, access Access, owned func(name string) bool) error {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if e.Type().IsRegular() || !named(e.Name(), func(name string) bool { return isOurs(name) || owned(name) }) {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if access == Writing {
			return notFile(path, e.Type())
		}
		if err := CheckFile(path); err != nil {
			return err
		}
	}
	return nil
}

// named tells whether a name is one of those, where it may be that the system does not tell
// names apart by their case. Those have letters of one case.
func named(name string, those func(name string) bool) bool {
	return those(name) || those(strings.ToLower(name)) || those(strings.ToUpper(name))
}

// CheckFile wants what is at a path, if anything is, to be a file, or a link to one. The error
// wraps ErrNotFile.
func CheckFile(path string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return notFile(path, info.Mode())
	}
	return nil
}

// notFile says what is in the place of a file.
func notFile(path string, mode fs.FileMode) error {
	what := "a pipe or a device"
	switch {
	case mode.IsDir():
		what = "a folder"
	case mode&fs.ModeSymlink != 0:
		what = "a link"
	}
	return &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it is %s, and %w", what, ErrNotFile)}
}

func folderError(dir string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s: %w", dir, ErrNotFolder)
	case errors.Is(err, fs.ErrNotExist):
		return err
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%s: %w", dir, ErrNotWritable)
	}
	return fmt.Errorf("%s: %w", dir, Named(err))
}

// HoldsDatabase tells whether a folder has names that only a database leaves there.
func HoldsDatabase(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == closedFile || isNumbered(e.Name()) })
}

// Lock locks a folder that is there. Who is alone in it makes the file LOCK there, so that the
// caller looks first whether the folder is its own. Errors: ErrLocked, ErrNotFile, and those of
// SystemError.
func Lock(dir string, access Access, opts Options) (*Folder, error) {
	mode, patience := lasting.Exclusive, readerPatience
	switch access {
	case Reading, Examining:
		mode = lasting.Shared
	case Writing:
		patience = 0
	}
	locks, err := lockFolder(dir, mode, patience)
	if err != nil {
		return nil, err
	}
	return &Folder{dir: dir, access: access, opts: opts, locks: locks}, nil
}

// Tidy removes what a killed writer left of files that it was writing. The caller has seen that the
// folder is its own: others may have files of these names.
func (f *Folder) Tidy() error {
	if err := lasting.RemovePart(filepath.Join(f.dir, closedFile)); err != nil {
		return fmt.Errorf("%s: %w", f.dir, Named(err))
	}
	return lasting.Remove(filepath.Join(f.dir, sizeFile))
}

// CheckClosed wants the files to be those that the last writer recorded when it closed
// them. Errors: ErrUnclean where it was killed, ErrDamaged, and those of SystemError.
func (f *Folder) CheckClosed() error {
	err := f.checkClosed()
	if errors.Is(err, errNotClosed) {
		return fmt.Errorf("%s: %w", f.dir, ErrUnclean)
	}
	return err
}

// InUse tells whether the database is open.
func (f *Folder) InUse() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.db != nil
}

// Get reads the value at a key into a buffer, and makes that larger where it is too
// short. Errors: ErrNoKey, ErrClosed, ErrDamaged, and those of Badger.
//
// The value is copied before anybody looks at it: where Badger has it, memory stands
// for a file, which may be cut short at any time.
func (f *Folder) Get(key []byte, buffer *[]byte) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.get(key, buffer)
}

// get is Get for one who holds f.mu.
func (f *Folder) get(key []byte, buffer *[]byte) error {
	if f.db == nil {
		return ErrClosed
	}
	err := f.guard(func() error {
		return f.db.View(func(txn *badger.Txn) error {
			item, err := txn.Get(key)
			if err == nil {
				*buffer, err = item.ValueCopy((*buffer)[:0])
			}
			return err
		})
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return ErrNoKey
	}
	return err
}

// guard is guardFaults for calls after which the folder is still in use.
func (f *Folder) guard(do func() error) error {
	err := guardFaults(do)
	if errors.Is(err, errFault) {
		f.faulted.Store(true)
	}
	return err
}

// Put commits entries in one transaction. What is there already, from a writer
// that was stopped before it could list it, is not written again: Badger keeps what
// is replaced, so that a build that comes back to a full disk time and again would
// fill any. Errors: ErrClosed, ErrMoved, ErrDiskFull and others of SystemError, ErrFile, ErrDamaged.
func (f *Folder) Put(entries []Entry) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.db == nil {
		return ErrClosed
	}
	if err := f.checkPlace(); err != nil {
		return err
	}
	if entries = f.lacking(entries); len(entries) == 0 {
		return nil
	}
	if err := f.CheckSpace(entryBytes(entries)); err != nil {
		return err
	}
	if err := f.reserved.take(f.dir, entries); err != nil {
		return f.WriteError(err)
	}
	err := f.guard(func() error {
		return f.db.Update(func(txn *badger.Txn) error {
			for _, e := range entries {
				if err := txn.Set(e.Key, e.Value); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return f.WriteError(badgersError(err))
}

// lacking gives the entries that the database does not have, or can't read.
func (f *Folder) lacking(entries []Entry) (rest []Entry) {
	var buffer []byte
	for _, e := range entries {
		if err := f.get(e.Key, &buffer); err != nil || !bytes.Equal(buffer, e.Value) {
			rest = append(rest, e)
		}
	}
	return rest
}

// Sync brings everything committed so far to disk. Errors: ErrMoved, and those of the system.
func (f *Folder) Sync() error {
	if err := f.CheckPlace(); err != nil {
		return err
	}
	return f.sync()
}

// sync is Sync in a place that was looked at.
func (f *Folder) sync() error { return f.WriteError(syncDatabase(f.dir, f.opts.System.Sync)) }

// Bytes is what the folder takes on disk: Badger's files, and those that are the
// owner's by name.
func (f *Folder) Bytes(owned func(name string) bool) (sum uint64, err error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || !isOurs(e.Name()) && !owned(e.Name()) {
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

// Clear removes the files of a database, and those that are the owner's by name. What else is
// there stays. The folder is locked to write, and its database is not open. Errors: ErrMoved, and
// those of removing.
func (f *Folder) Clear(owned func(name string) bool) error {
	if err := f.CheckPlace(); err != nil {
		return err
	}
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == LockFile || !e.Type().IsRegular() || !isOurs(e.Name()) && !owned(e.Name()) {
			continue
		}
		if err := lasting.Remove(filepath.Join(f.dir, e.Name())); err != nil {
			return err
		}
	}
	return lasting.SyncFolder(f.dir)
}

// Remove clears a folder, and removes it before anybody else can have its lock. One with anything
// in it that Clear would leave stays as it is. The folder is locked to write, and its database is
// not open.
func (f *Folder) Remove(owned func(name string) bool) error {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != LockFile && (!e.Type().IsRegular() || !isOurs(e.Name()) && !owned(e.Name())) {
			return nil
		}
	}
	if err := f.Clear(owned); err != nil {
		return err
	}
	return f.removeCleared()
}

// CheckMovable wants a folder that can be renamed, as far as the system tells. The error wraps
// ErrNotMovable.
func CheckMovable(dir string) error {
	if isMount(dir) {
		return fmt.Errorf("%s: %w", dir, ErrNotMovable)
	}
	return nil
}

// isOurs tells Badger's files and those of this package.
func isOurs(name string) bool {
	switch name {
	case closedFile, LockFile, discardFile, manifestRewriteFile, badger.KeyRegistryRewriteFileName:
		return true
	}
	return isBadgers(name)
}

// Close ends all use of the folder. What a writer left is recorded here. Where there is no
// room for that it fails with ErrDiskFull: the folder stays locked, and Close can be called again
// once there is. Otherwise a second call does nothing. Where the folder was moved it fails with
// ErrMoved, and leaves it like one whose writer was killed.
func (f *Folder) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.faulted.Load() {
		return f.abandon(fmt.Errorf("%s: %w", f.dir, errNotClosed))
	}
	if f.access == Writing && (f.db != nil || f.unrecorded) {
		if err := f.checkPlace(); err != nil {
			return f.abandon(err)
		}
	}
	err := f.closeDatabase()
	if f.db != nil || f.unrecorded {
		return err
	}
	for _, file := range f.logs {
		err = errors.Join(err, file.Close())
	}
	f.logs = nil
	err = errors.Join(err, f.locks.Close())
	f.locks = nil
	return err
}

// closeDatabase closes the database, and records what a writer left. It leaves the database
// open as long as there is no room to close it: Badger can't be asked a second time.
func (f *Folder) closeDatabase() error {
	if f.db != nil {
		if f.access == Writing {
			if err := f.checkClosing(); err != nil {
				return err
			}
		}
		err := guardFaults(f.db.Close)
		f.db = nil
		if f.access != Writing {
			return nil // nothing is lost to a reader, whatever Badger could not sync
		}
		if err != nil {
			return f.WriteError(badgersError(err))
		}
		f.unrecorded = true
	}
	if !f.unrecorded {
		return nil
	}
	err := f.WriteError(f.leave())
	f.unrecorded = errors.Is(err, ErrDiskFull)
	return err
}

// leave brings to disk what Badger left when it closed its files, and records it.
func (f *Folder) leave() error {
	if err := dropDiscards(f.dir); err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	return f.markClosed()
}

// abandon leaves a database alone that can't be closed: after a fault it may hold
// locks of its own for ever, and where the folder was moved it would write elsewhere. What it has
// open stays open until the process ends. So does the lock of a writer, which may be writing still;
// the next one finds a folder as a killed writer leaves it, which why says.
func (f *Folder) abandon(why error) error {
	if f.db == nil && !f.unrecorded {
		return nil
	}
	f.db, f.unrecorded = nil, false
	if f.access != Writing {
		return f.locks.Close()
	}
	return why
}
