package tablebase

import (
	"errors"
	"io/fs"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
)

// TidyWork is for a folder that is kept for checkpoints alone, and that is closed. It removes those
// that are not needed, and the folder with the last of them, while nobody else can open it. A folder
// stays in which a slice is stored, or a file lies that is not of a store. One that is not there is
// tidy, and one that is no store is left alone. Errors: ErrLocked, *IdentityError, ErrDamaged, and
// those of files.
func TidyWork(dir string, id Identity, needed func(Checkpoint) bool) (err error) {
	if err := badgerdir.Check(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	if !Exists(dir) { // not even a lock is made there
		return nil
	}
	folder, err := badgerdir.Lock(dir, badgerdir.Writing, folderOptions(badgerdir.RealSystem()))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := readIdentity(dir, id); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	paths, err := checkpointPaths(dir)
	if err != nil {
		return err
	}
	left := false
	for _, path := range paths {
		switch c, err := describeCheckpoint(path); {
		case errors.Is(err, fs.ErrNotExist): // it was begun alone
		case errors.Is(err, errNoCheckpoint), err == nil && !needed(c):
			if err := lasting.Remove(path); err != nil {
				return err
			}
		default:
			left = true
		}
	}
	if left {
		return nil
	}
	if stores, err := storesSlices(dir, id); stores || err != nil {
		return err
	}
	return folder.Remove(owned)
}

// storesSlices tells whether a folder has any slice, or had one that a writer was replacing.
func storesSlices(dir string, id Identity) (bool, error) {
	for m := range bitboard.MetricCount {
		path := manifestPath(dir, m)
		list, err := readManifestFile(path, id, m)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, manifestError(path, err)
		}
		if len(list.slices)+len(list.replacing) > 0 {
			return true, nil
		}
	}
	return false, nil
}
