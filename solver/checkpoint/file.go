package checkpoint

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"paika/internal/lasting"
	"paika/internal/progress"
)

// errIrregular says that a checkpoint is asked for where something else stands.
var errIrregular = errors.New("it is a folder, a pipe or a device: a checkpoint needs a file")

// SaveError says that a search could not be saved.
type SaveError struct {
	Path string
	Err  error
}

func (e *SaveError) Error() string {
	return fmt.Sprintf("the search could not be saved in %s: %s", e.Path, strings.TrimPrefix(e.Err.Error(), e.Path+": "))
}

// Unwrap returns the reason.
func (e *SaveError) Unwrap() error { return e.Err }

// File is the checkpoint of one search, which no other search has until Close.
// Its methods are for one goroutine at a time.
type File struct {
	path    string   // as it was asked for
	own     bool     // the program chose it, and nobody can choose another
	folders []string // to be removed if nothing is in them, each before the one above it
	final   string   // what it led to, by links, when it was locked
	unlock  func()
	link    func(from, to string) error // os.Link

	preserve func(path string) // what the next Save calls, if it is to preserve the file
	kept     []string          // the names under which that was done
}

// Open takes a checkpoint for a search. The file need not be there yet, its
// folder must. A link stands for the file that it leads to now. Errors: lasting.ErrLocked
// where another search has that, and why it can't be written.
func Open(path string) (*File, error) {
	final, err := lasting.Follow(path)
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	switch info, err := os.Stat(final); {
	case err == nil && !info.Mode().IsRegular():
		return nil, fmt.Errorf("checkpoint: %w", &fs.PathError{Op: "open", Path: path, Err: errIrregular})
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(lasting.FolderOf(final)); err != nil {
			return nil, fmt.Errorf("checkpoint %s: its folder: %w", path, err)
		}
	case err != nil:
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	unlock, err := lasting.Lock(final)
	if errors.Is(err, lasting.ErrLocked) {
		return nil, fmt.Errorf("another search has the checkpoint: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	// What can't be written at the end had better be known now.
	f, err := lasting.CreateRegular(final)
	if err != nil {
		unlock()
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	f.Discard()
	return &File{path: path, final: final, unlock: unlock, link: os.Link}, nil
}

// OpenOwn is Open of a file whose name the program chose: errors of loading do not ask for another.
// The folder is made if it is missing. Close removes it where nothing is in it, and then those above
// it that OpenOwn has made. Errors: lasting.ErrLocked where another search has the file, and a
// *SaveError.
func OpenOwn(folder, name string) (f *File, err error) {
	for range mostRemoved {
		f, err = openOwn(folder, name)
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrExist) { // made by others, and gone since
			break
		}
	}
	if err != nil && !errors.Is(err, lasting.ErrLocked) {
		err = &SaveError{Path: filepath.Join(folder, name), Err: err}
	}
	return f, err
}

// mostRemoved is how many times others may remove the folder of a checkpoint that is being opened,
// since nothing is in it yet.
const mostRemoved = 100

func openOwn(folder, name string) (*File, error) {
	missing := lasting.Missing(folder)
	if err := lasting.MakeFolder(folder, 0o777); err != nil {
		return nil, err
	}
	f, err := Open(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	f.own, f.folders = true, append([]string{folder}, missing[min(1, len(missing)):]...)
	return f, nil
}

// Path is the name of the file, as it was asked for.
func (f *File) Path() string { return f.path }

// Close lets other searches have the file. Another call does nothing.
func (f *File) Close() {
	f.unlock()
	for _, folder := range f.folders {
		if lasting.RemoveEmpty(folder) != nil {
			break // others have something there
		}
	}
	f.folders = nil
}

// Load calls add for each entry of the file, which tells whether it is one that a
// search can have written. It fails with an error that wraps fs.ErrNotExist where
// nothing is saved, ErrOther where about is not what the header says, and
// ErrFormat, perhaps after some entries, where the format of the entries is another
// or the file is damaged.
func (f *File) Load(ctx context.Context, format int, about string, add func(first, second uint64) bool) (Header, error) {
	return f.load(func(file *os.File) (Header, error) { return read(ctx, file, format, about, add) })
}

// LoadInto is Load for a table in which entries drive each other out. Before the first entry it
// calls reserve with the number of entries that the table is to have room for. A file that does
// not tell that is read twice.
func (f *File) LoadInto(ctx context.Context, format int, about string, reserve func(room uint64), add func(first, second uint64) bool) (Header, error) {
	return f.load(func(file *os.File) (Header, error) {
		room, err := readRoom(ctx, file, format, about)
		if err != nil {
			return Header{}, err
		}
		reserve(room)
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return Header{}, err
		}
		return read(ctx, file, format, about, add)
	})
}

// Head reads the header alone. Its errors are those of Load, and nil though what follows the header is
// damaged.
func (f *File) Head(ctx context.Context, format int, about string) (Header, error) {
	return f.load(func(file *os.File) (Header, error) { return read(ctx, file, format, about, nil) })
}

// Reword changes the header of what is saved, and leaves the entries. The format and about have to stay. Its
// errors are those of Load and a *SaveError; the file stands as it was then.
func (f *File) Reword(ctx context.Context, format int, about string, change func(*Header)) error {
	h, err := f.Head(ctx, format, about)
	if err != nil {
		return err
	}
	change(&h)
	var unread error
	err = lasting.WriteRegular(f.final, func(w io.Writer) error {
		err := write(ctx, w, h, func(yield func(first, second uint64) bool) {
			_, unread = f.Load(ctx, format, about, yield)
		})
		if err != nil { // which may be why not all was read
			unread = nil
		}
		return cmp.Or(err, unread)
	})
	if err != nil && unread == nil {
		err = &SaveError{f.path, err}
	}
	return err
}

// load opens the file for what reads it, and adds to its error which file that is and what to do.
func (f *File) load(read func(*os.File) (Header, error)) (Header, error) {
	file, err := os.Open(f.final)
	if err != nil {
		return Header{}, err
	}
	defer file.Close()
	h, err := read(file)
	switch {
	case f.own && isAny(err, errForeign, errUnknown, ErrOther):
		return Header{}, fmt.Errorf("%s: %w; move it away to start anew", f.path, err)
	case errors.Is(err, errForeign):
		return Header{}, fmt.Errorf("%s: %w; name another file", f.path, err)
	case errors.Is(err, errUnknown):
		return Header{}, fmt.Errorf("%s: %w; name another file or, if it was a checkpoint, remove the file to start anew", f.path, err)
	case errors.Is(err, ErrOther):
		return Header{}, fmt.Errorf("%s: %w; name another file, or move this one away", f.path, err)
	case errors.Is(err, ErrFormat):
		return Header{}, fmt.Errorf("%s: %w; remove the file to start anew", f.path, err)
	case err != nil:
		return Header{}, fmt.Errorf("%s: %w", f.path, err)
	}
	return h, nil
}

func isAny(err error, targets ...error) bool {
	return slices.ContainsFunc(targets, func(target error) bool { return errors.Is(err, target) })
}

// Fit is how much of a file a table has taken up.
type Fit struct {
	Entries uint64 // that the file holds
	Unfit   uint64 // of them, those that found no room
	Bytes   uint64 // of a table that has room for all, but for some few
}

// Preserve has the next Save keep what the file holds until then, under a name beside it that no
// file had, and tell that name. It is for who has taken up less than the file holds.
func (f *File) Preserve(kept func(path string)) { f.preserve = kept }

// Save writes the entries of a table: pairs of which the first word is not 0, in
// any order. Its error is a *SaveError, and what was saved before stands.
func (f *File) Save(ctx context.Context, h Header, entries iter.Seq2[uint64, uint64]) error {
	err := f.keep()
	if err == nil {
		err = lasting.WriteRegular(f.final, func(w io.Writer) error { return write(ctx, w, h, entries) })
	}
	if err != nil {
		return &SaveError{f.path, err}
	}
	return nil
}

// keep gives a file that is to be preserved a second name. Where there are no second names it
// moves.
func (f *File) keep() error {
	if f.preserve == nil {
		return nil
	}
	for n := 1; ; n++ {
		other := fmt.Sprintf("%s.%d", f.final, n)
		if _, err := os.Lstat(other); err == nil {
			continue
		}
		err := f.link(f.final, other)
		if err != nil && !errors.Is(err, fs.ErrExist) && !errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(f.final, other)
		}
		switch {
		case errors.Is(err, fs.ErrExist):
			continue
		case errors.Is(err, fs.ErrNotExist): // nothing is saved
			f.preserve = nil
			return nil
		case err != nil:
			return err
		}
		f.preserve(other)
		f.preserve, f.kept = nil, append(f.kept, other)
		return nil
	}
}

// Remove removes what is saved of work that is over, if there is anything, and what this File or an earlier
// one has preserved of it. A link that leads there stays: it says where the next search saves. Its error says
// all that there is to tell: an answer stands without it.
func (f *File) Remove() error {
	removed := false
	for _, path := range append(f.preserved(), f.final) {
		err := os.Remove(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return unremoved(err)
		}
		removed = removed || err == nil
	}
	if !removed {
		return nil
	}
	return unremoved(lasting.SyncFolder(lasting.FolderOf(f.final)))
}

// preserved are the names under which checkpoints of the search are kept: those that this File gave, and
// of the others of that kind those that are of the same search by their headers.
func (f *File) preserved() []string {
	kept := slices.Clone(f.kept)
	saved, err := head(f.final)
	if err != nil {
		return kept
	}
	folder := lasting.FolderOf(f.final)
	entries, _ := os.ReadDir(folder) // where nobody can read it they stay
	for _, entry := range entries {
		number, found := strings.CutPrefix(entry.Name(), filepath.Base(f.final)+".")
		path := filepath.Join(folder, entry.Name())
		if _, err := strconv.ParseUint(number, 10, 32); !found || err != nil || !entry.Type().IsRegular() || slices.Contains(kept, path) {
			continue
		}
		if h, err := head(path); err == nil && h.Format == saved.Format && h.About == saved.About {
			kept = append(kept, path)
		}
	}
	return kept
}

// There tells whether a file is there and a checkpoint, whatever it is of.
func There(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	_, err := head(path)
	return err == nil
}

// head reads the header of a file, whatever it is of.
func head(path string) (Header, error) {
	file, err := os.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer file.Close()
	return readAnyHeader(file)
}

// Remove is that of a file by its name. Its error says as much, be it that of Open.
func Remove(path string) error {
	f, err := Open(path)
	if err != nil {
		return unremoved(err)
	}
	defer f.Close()
	return f.Remove()
}

func unremoved(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the work is over, and what was saved of it could not be removed: %w", err)
}

// Every saves at intervals until the function that it gives is called, or the context ends. An attempt
// that fails costs the search nothing but what a crash would: failed, if it is not nil, is told of the
// first one, and of the first after one that went well. There are no intervals of 0.
func Every(ctx context.Context, interval time.Duration, save func(context.Context) error, failed func(error)) (stop func()) {
	well := true
	return progress.Every(ctx, interval, func(ctx context.Context) {
		err := save(ctx)
		if ctx.Err() != nil { // it was stopped: the one at the end tells
			return
		}
		if err != nil && well && failed != nil {
			failed(err)
		}
		well = err == nil
	})
}
