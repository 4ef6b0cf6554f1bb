package badgerdir

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"paika/internal/lasting"
)

// Memory and files of Badger, in bytes. A memtable of this size lists tens of
// thousands of values, and the LSM tree of a large folder stays at a few dozen MiB.
const (
	memTableBytes = 4 << 20
	valueLogBytes = 256 << 20
)

func (f *Folder) badgerOptions() badger.Options {
	return badger.DefaultOptions(f.dir).
		WithReadOnly(f.access != Writing).
		WithBypassLockGuard(true). // lockFolder holds the lock for longer
		WithLogger(nil).
		WithMetricsEnabled(false).
		WithDetectConflicts(false). // one writer
		WithSyncWrites(false).      // Sync, when the owner asks for it
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithMemTableSize(memTableBytes).
		WithValueThreshold(int64(f.opts.LeastValue)).
		WithValueLogFileSize(valueLogBytes).
		WithNumCompactors(2).
		WithChecksumVerificationMode(options.OnTableAndBlockRead).
		// Badger panics on, and never unlocks, a value log entry with a broken
		// header unless it looks at the checksum first.
		WithVerifyValueChecksum(true)
}

// Open opens the database. The caller has had its files looked at, by CheckClosed to
// read and by Prepare to write: Badger removes and cuts short what it does not
// understand, ends the process for some damage, and panics on other, which becomes an
// error here.
//
// Where it fails, a folder that was closed stays so, as far as that can be.
func (f *Folder) Open() error {
	err := f.open()
	if err != nil && !errors.Is(err, errFault) {
		err = errors.Join(err, f.closeAgain())
	}
	return err
}

func (f *Folder) open() error {
	if err := f.checkFiles(); err != nil {
		return err
	}
	if f.access == Writing {
		if err := f.CheckPlace(); err != nil {
			return err
		}
		if err := dropDiscards(f.dir); err != nil {
			return err
		}
	}
	var db *badger.DB
	err := guardFaults(func() (err error) {
		db, err = badger.Open(f.badgerOptions())
		return err
	})
	if err == nil {
		f.db, f.left = db, nil
		return nil
	}
	return fmt.Errorf("%s: %w", f.dir, Named(badgersError(err)))
}

// checkFiles looks for all that Badger would not open, or end the process for.
func (f *Folder) checkFiles() error {
	if err := checkNumbers(f.dir); err != nil {
		return err
	}
	if err := checkHeaders(f.dir); err != nil {
		return err
	}
	if err := checkKeys(f.dir); err != nil {
		return err
	}
	if err := f.checkTables(); err != nil {
		return tablesError(f.dir, err)
	}
	return nil
}

// manifestRewriteFile is what Badger writes before it becomes the MANIFEST, if it does not
// stop in between.
const manifestRewriteFile = "MANIFEST-REWRITE"

// discardFile is where Badger counts what could be collected from the value log,
// which is never done here.
const discardFile = "DISCARD"

// discardBytes is what it takes.
const discardBytes = 1 << 20

// dropDiscards removes the file while the database is closed.
func dropDiscards(dir string) error { return lasting.Remove(filepath.Join(dir, discardFile)) }

// syncDatabase brings everything committed so far to disk. Badger's own Sync
// covers the newest log files alone, and not those it rotated a moment ago.
func syncDatabase(dir string, sync func(path string) error) error {
	if err := eachLog(dir, sync); err != nil {
		return err
	}
	return lasting.SyncFolder(dir)
}

// eachLog calls do for the files in dir that Badger writes to as it goes.
func eachLog(dir string, do func(path string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case valueLogSuffix, memtableSuffix:
			if err := do(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
