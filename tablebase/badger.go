package tablebase

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"paika/internal/lasting"
)

// Memory and files of Badger, in bytes. All chunks go to the value log, however
// small, so that the value log alone has them all with their keys. What Badger
// writes itself to close a transaction must not: that is a number of up to 20
// digits. A memtable of this size lists tens of thousands of chunks, and the LSM
// tree of a large store stays at a few dozen MiB.
const (
	memTableBytes  = 4 << 20
	valueThreshold = leastChunkBytes + zstdFrameBytes
	valueLogBytes  = 256 << 20
)

// zstdFrameBytes is the least that compressed values take.
const zstdFrameBytes = 9

func badgerOptions(dir string, readOnly bool) badger.Options {
	return badger.DefaultOptions(dir).
		WithReadOnly(readOnly).
		WithBypassLockGuard(true). // lockFolder holds the lock for longer
		WithLogger(nil).
		WithMetricsEnabled(false).
		WithDetectConflicts(false). // one writer
		WithSyncWrites(false).      // syncDatabase, once a slice
		WithCompression(options.None).
		WithBlockCacheSize(0).
		WithMemTableSize(memTableBytes).
		WithValueThreshold(valueThreshold).
		WithValueLogFileSize(valueLogBytes).
		WithNumCompactors(2).
		WithChecksumVerificationMode(options.OnTableAndBlockRead).
		// Badger panics on, and never unlocks, a value log entry with a broken
		// header unless it looks at the checksum first.
		WithVerifyValueChecksum(true)
}

// openBadger opens the database in dir, whose lock the caller holds and whose files
// it has looked at: Badger removes and cuts short what it does not understand, ends
// the process for some damage, and panics on other, which becomes an error here.
func openBadger(dir string, readOnly bool) (db *badger.DB, err error) {
	if err := checkTables(dir); err != nil {
		return nil, tablesError(dir, err)
	}
	if !readOnly {
		if err := dropDiscards(dir); err != nil {
			return nil, err
		}
	}
	err = guardFaults(func() error {
		db, err = badger.Open(badgerOptions(dir, readOnly))
		return err
	})
	if err == nil {
		return db, nil
	}
	if known := systemError(err); known != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, known, err)
	}
	return nil, fmt.Errorf("%s: %w: %w", dir, ErrDamaged, err)
}

// discardFile is where Badger counts what could be collected from the value log,
// which is never done here. It takes a MiB.
const discardFile = "DISCARD"

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
