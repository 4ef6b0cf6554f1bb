package badgerdir

import (
	"fmt"

	"paika/internal/usage"
)

// headroomBytes is what Badger writes besides values while a database is open:
// the log of a memtable, the table made of it, and small files.
const headroomBytes = 4 * memTableBytes

// CheckSpace fails with ErrDiskFull unless n bytes of values, or of other files of the
// owner, fit, and beside them what Badger writes: a compaction rewrites tables before
// it removes the old ones, at worst all of them.
func (f *Folder) CheckSpace(n uint64) error {
	tables, err := tableBytes(f.dir)
	if err != nil {
		return err
	}
	have, err := f.opts.System.Free(f.dir)
	if err != nil {
		return err
	}
	if need := n + headroomBytes + tables; have < need {
		return fmt.Errorf("%s: %w: %s are free, and writing needs %s", f.dir, ErrDiskFull, usage.Amount(have), usage.Needed(need))
	}
	return nil
}

func tableBytes(dir string) (sum uint64, err error) {
	tables, err := numberedFiles(dir, treeSuffix)
	for _, t := range tables {
		sum += uint64(t.size)
	}
	return sum, err
}

// checkClosing fails with ErrDiskFull where there is no room for the table that is
// made of the last memtable when the database is closed.
func (f *Folder) checkClosing() error {
	have, err := f.opts.System.Free(f.dir)
	if err != nil {
		return err
	}
	if need := uint64(2*f.reserved.keys.written + reserveStep); have < need {
		return fmt.Errorf("%s: %w: %d KiB are free, and closing needs %d", f.dir, ErrDiskFull, have>>10, need>>10)
	}
	return nil
}
