package tablebase

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/lasting"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/textfile"
)

// Whole tables are made in a folder beside that of the damaged ones, in whose place they come
// by two renames. A file in that folder says in whose place, and, as the last thing before the
// first rename, that they are whole. So what a repair left that was stopped is gone on with for
// the same tables alone, and takes their place where it is whole, and never else.

// Names of folders beside that of a store that is repaired.
const (
	replacementSuffix = ".repair"
	asideSuffix       = ".damaged"
)

// replacesFile is in the folder of a replacement until it has taken its place.
const replacesFile = "REPLACES"

// replacesRecord is what that file says.
type replacesRecord struct {
	Of       string `json:"of"`                 // of the damaged tables: see manifestsSum
	Aside    string `json:"aside"`              // the name that their folder gets; empty until the replacement is whole
	Clearing bool   `json:"clearing,omitempty"` // what is there is of other tables, and goes
}

// RealFolder is the folder of tables itself, wherever links lead, be it there or not: that is
// what a repair renames. It keeps the name that was given where that is one of the folder itself.
func RealFolder(named string) (string, error) {
	dir, err := filepath.Abs(named)
	if err != nil {
		return "", err
	}
	real, err := lasting.Follow(dir)
	if err != nil {
		return "", err
	}
	above, err := filepath.EvalSymlinks(lasting.FolderOf(real)) // in one look: links may change meanwhile
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return real, nil
	case errors.Is(err, syscall.ENOTDIR):
		return "", fmt.Errorf("%s: %w", named, ErrNotFolder)
	case err != nil: // which may name no path
		return "", &fs.PathError{Op: "follow", Path: named, Err: err}
	}
	real = filepath.Join(above, filepath.Base(real))
	if named = filepath.Clean(named); filepath.Base(named) == filepath.Base(real) && lasting.SameFile(filepath.Dir(named), above) {
		return named, nil
	}
	return real, nil
}

// ReplacementFolder is where the repaired store of a folder is made, which is no link.
func ReplacementFolder(dir string) string { return dir + replacementSuffix }

// manifestsSum tells tables from others: it is the XXH3, in hex, of their manifests and the
// copies of these, as the files are.
func manifestsSum(dir string) string {
	sum := xxh3.New()
	for m := range bitboard.MetricCount {
		for _, path := range manifestPaths(dir, m) {
			var text []byte
			err := badgerdir.CheckFile(path)
			if err == nil {
				text, err = textfile.ReadWhole(path)
			}
			fmt.Fprintf(sum, "%s %d %t\n", filepath.Base(path), len(text), err == nil)
			sum.Write(text)
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

// readReplaces reads what is said of a replacement. Where nothing is that was written so, it
// is empty.
func readReplaces(beside string) (r replacesRecord) {
	path := filepath.Join(beside, replacesFile)
	if badgerdir.CheckFile(path) != nil {
		return r
	}
	if text, err := textfile.Read(path); err != nil || json.Unmarshal(text, &r) != nil {
		return replacesRecord{}
	}
	return r
}

func writeReplaces(beside string, r replacesRecord) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return textfile.Write(filepath.Join(beside, replacesFile), text)
}

// BeginReplacement gets the folder ready in which whole tables are to be made. What a repair
// of the same tables left there stays, to be gone on with; that of others goes. Nothing is changed
// where anything else is: a link, other files, or tables of which nothing says that a repair made
// them. Who may use the damaged tables may use the folder. Its owner is the user.
//
// Errors: ErrNotMovable, ErrNoRepair, ErrForeignFiles, ErrNotFolder, ErrLocked, and those of making
// a folder and its files.
func (w *Wreck) BeginReplacement() (beside string, err error) { return w.beginReplacement(owned) }

// beginReplacement is BeginReplacement where the store's own files are those of owned.
func (w *Wreck) beginReplacement(owned func(name string) bool) (beside string, err error) {
	dir := w.store.dir
	if err := badgerdir.CheckMovable(dir); err != nil {
		return "", err
	}
	beside = ReplacementFolder(dir)
	if err := checkRepair(beside); err != nil { // before anything is changed there
		return "", err
	}
	if err := badgerdir.Make(beside); err != nil {
		return "", err
	}
	if err := badgerdir.TakeAccess(beside, dir); err != nil {
		return "", err
	}
	folder, err := badgerdir.Lock(beside, badgerdir.Writing, folderOptions(badgerdir.RealSystem()))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, folder.Close()) }()
	if err := lasting.RemovePart(filepath.Join(beside, replacesFile)); err != nil {
		return "", err
	}
	if err := checkRepair(beside); err != nil {
		return "", err
	}
	of := replacesRecord{Of: manifestsSum(dir)}
	switch left := readReplaces(beside); {
	case left == of:
		return beside, nil
	case left.Clearing, left.Of != "" && left.Of != of.Of:
		if err := clearReplacement(folder, beside, of.Of, owned); err != nil {
			return "", err
		}
	}
	return beside, folder.WriteError(writeReplaces(beside, of))
}

// clearReplacement removes what a repair of other tables left. It says so first, and that stays: one
// that is stopped here is gone on with, and nothing that is half cleared takes anybody's place.
func clearReplacement(folder *badgerdir.Folder, beside, of string, owned func(name string) bool) error {
	if err := folder.WriteError(writeReplaces(beside, replacesRecord{Of: of, Clearing: true})); err != nil {
		return err
	}
	return folder.Clear(func(name string) bool { return name != replacesFile && owned(name) })
}

// checkRepair wants there to be nothing where a replacement is made, or an empty folder, or what a
// repair left, as is said there before there are any tables.
func checkRepair(beside string) error {
	switch info, err := os.Lstat(beside); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%s: it is a link, and %w", beside, ErrNotFolder)
	case !info.IsDir():
		return fmt.Errorf("%s: %w", beside, ErrNotFolder)
	case readReplaces(beside).Of != "":
		return nil
	case Exists(beside):
		return fmt.Errorf("%s: %w: remove them, or give their folder another name", beside, ErrNoRepair)
	}
	return checkEmpty(beside)
}

// Replace puts the replacement, which must be closed and whole, in the place of the damaged
// folder. It keeps that under a new name, which it tells, and closes it. Should the process end
// between the two renames, FinishReplacing does the second.
func (w *Wreck) Replace() (aside string, err error) {
	if aside, err = w.PutAside(); err != nil {
		return "", err
	}
	dir := w.store.dir
	if err := os.Rename(ReplacementFolder(dir), dir); err != nil {
		return "", errors.Join(err, os.Rename(aside, dir), w.Close())
	}
	return aside, errors.Join(placed(dir), w.Close())
}

// PutAside is the first step of Replace. Where the system renames folders whose files are open,
// it is done under the lock, so that whoever waits for the folder does not come between.
func (w *Wreck) PutAside() (aside string, err error) {
	dir := w.store.dir
	if aside, err = freeName(dir + asideSuffix); err != nil {
		return "", err
	}
	if err := writeReplaces(ReplacementFolder(dir), replacesRecord{Of: manifestsSum(dir), Aside: filepath.Base(aside)}); err != nil {
		return "", err
	}
	if !badgerdir.MovesOpen {
		if err := w.Close(); err != nil {
			return "", err
		}
	}
	return aside, os.Rename(dir, aside)
}

// placed has a replacement stay in the place that it has taken.
func placed(dir string) error {
	if err := lasting.SyncFolder(filepath.Dir(dir)); err != nil {
		return err
	}
	return lasting.Remove(filepath.Join(dir, replacesFile))
}

// FinishReplacing does what a Replace did not come to: the folder has been put aside, and the
// replacement is whole. Otherwise it does nothing. It tells whether the replacement came into its
// place, be it beside an error. The folder is no link (RealFolder). Errors: ErrLocked where that
// Replace is still at it.
func FinishReplacing(dir string) (finished bool, err error) {
	aside := putAside(dir)
	if aside == "" {
		return false, nil
	}
	lock, err := badgerdir.Lock(aside, badgerdir.Salvaging, folderOptions(badgerdir.RealSystem()))
	if err != nil {
		return false, err
	}
	if putAside(dir) != "" {
		if err = os.Rename(ReplacementFolder(dir), dir); err == nil {
			finished, err = true, placed(dir)
		}
	}
	return finished, errors.Join(err, lock.Close())
}

// putAside is where the tables of a folder are that was put aside, and whose replacement is
// whole and has not come into its place. Otherwise it is empty.
func putAside(dir string) (aside string) {
	if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	r := readReplaces(ReplacementFolder(dir))
	if r.Aside == "" || r.Aside != filepath.Base(r.Aside) {
		return ""
	}
	aside = filepath.Join(filepath.Dir(dir), r.Aside)
	if _, err := os.Stat(aside); err != nil || manifestsSum(aside) != r.Of {
		return ""
	}
	return aside
}

// checkReplaced wants no folder to be missing whose tables were put aside by a repair.
func checkReplaced(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	real, err := RealFolder(dir)
	if err != nil || putAside(real) == "" {
		return nil
	}
	return fmt.Errorf("%s: %w: they are in %s", dir, ErrNotReplaced, ReplacementFolder(real))
}

// freeName gives the name, or with a number behind it, that nothing has.
func freeName(name string) (string, error) {
	for n := 1; ; n++ {
		free := name
		if n > 1 {
			free = fmt.Sprintf("%s-%d", name, n)
		}
		if _, err := os.Lstat(free); err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return free, nil
			}
			return "", err
		}
	}
}
