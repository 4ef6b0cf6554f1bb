package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"
)

// Memory and files of Badger, in bytes. Chunks go to the value log, so that a
// memtable of this size lists tens of thousands of them, and the LSM tree of a
// large store stays at a few dozen MiB.
const (
	memTableBytes  = 4 << 20
	valueThreshold = 1 << 10
	valueLogBytes  = 256 << 20
)

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

// openBadger opens the database in dir, whose lock the caller holds.
//
// Badger panics on some damaged files; those panics are turned into errors
// here and nowhere else. Where it would end the process, checkTables has
// looked before.
func openBadger(dir string, readOnly bool) (db *badger.DB, err error) {
	if err := checkTables(dir); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", dir, ErrDamaged, err)
	}
	if !readOnly {
		if err := dropEmptyLogs(dir); err != nil {
			return nil, err
		}
	}
	defer func() {
		if r := recover(); r != nil {
			db, err = nil, fmt.Errorf("%s: %w: %v", dir, ErrDamaged, r)
		}
	}()
	db, err = badger.Open(badgerOptions(dir, readOnly))
	switch {
	case err == nil:
		return db, nil
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%s: %w: %w", dir, ErrNotWritable, err)
	}
	return nil, fmt.Errorf("%s: %w: %w", dir, ErrDamaged, err)
}

// dropEmptyLogs removes the logs of 0 bytes that a writer leaves when it is killed
// between making one and giving it its size. Badger takes them for new files of
// its own, and then refuses to open them.
func dropEmptyLogs(dir string) error {
	return eachLog(dir, func(path string) error {
		info, err := os.Stat(path)
		if err != nil || info.Size() > 0 {
			return err
		}
		return os.Remove(path)
	})
}

// syncDatabase brings everything committed so far to disk. Badger's own Sync
// covers the newest log files alone, and not those it rotated a moment ago.
func syncDatabase(dir string) error {
	if err := eachLog(dir, syncFile); err != nil {
		return err
	}
	return syncFolder(dir)
}

// eachLog calls do for the files in dir that Badger writes to as it goes.
func eachLog(dir string, do func(path string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".vlog", ".mem":
			if err := do(filepath.Join(dir, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
