package ledger

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"time"

	"paika/internal/lasting"
)

// ErrUnsynced says that a sync failed before. A system may forget what it failed to write, and
// call the next sync a success: so there is none, until the ledger is opened again.
var ErrUnsynced = errors.New("the ledger could not be synced before: the hub has to be started again")

// ErrMoved says that the ledger is not where it was opened any more: what stands beside that name is
// another hub's, or nobody's.
var ErrMoved = errors.New("the ledger was moved or removed while a hub had it: nothing more is written")

// Ledger is an append-only file of entries. Its methods are safe for concurrent use.
type Ledger struct {
	path   string
	file   file
	unlock func()

	mutex   sync.Mutex
	broken  bool   // the last line is not whole
	written uint64 // lines since it was opened

	syncing  sync.Mutex
	synced   uint64 // of those written
	unsynced bool   // a sync failed
}

// file is what a ledger does with its file, an *os.File.
type file interface {
	io.ReaderAt
	io.StringWriter
	io.Closer
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	Sync() error
}

// mostLine bounds the bytes of a line. Longer ones are none.
const mostLine = 1 << 20

// Open opens a ledger for one writer, and makes it where it is missing. It fails with
// lasting.ErrLocked where another hub has it.
func Open(path string) (*Ledger, error) {
	unlock, err := lasting.Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		unlock()
		return nil, err
	}
	l := &Ledger{path: path, file: file, unlock: unlock}
	if l.broken, err = endsTorn(file); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// endsTorn tells whether a file ends within a line.
func endsTorn(file file) (bool, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return last[0] != '\n', err
}

// Each reads the entries that are whole, as far as there are any at the moment, and
// tells how many lines are not.
func (l *Ledger) Each(take func(Entry)) (torn int, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	return Read(io.NewSectionReader(l.file, 0, info.Size()), take)
}

// Begins tells whether a file is a ledger with a line that is whole, and whether it is empty, as one that
// is not there is as well.
func Begins(path string) (whole, empty bool, err error) {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return false, true, nil
	}
	if err != nil {
		return false, false, err
	}
	defer file.Close()
	torn, err := read(file, func(Entry) (more bool) {
		whole = true
		return false
	})
	return whole, !whole && torn == 0, err
}

// Read is Each for the text of a ledger.
func Read(text io.Reader, take func(Entry)) (torn int, err error) {
	return read(text, func(e Entry) (more bool) {
		take(e)
		return true
	})
}

// read is Read until the function wants no more.
func read(text io.Reader, take func(Entry) (more bool)) (torn int, err error) {
	in := bufio.NewReaderSize(text, mostLine)
	for long := false; ; { // long: of the line, more than fits was read
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = true
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return torn, err
		}
		if len(line) > 0 || long {
			e, whole := parseLine(string(line))
			if whole = whole && !long; !whole {
				torn++
			} else if !take(e) {
				return torn, nil
			}
		}
		if long = false; err != nil {
			return torn, nil
		}
	}
}

// Add adds an entry, with the time. One that fails leaves nothing behind, if it can. So does
// one that would be too long to be read again: it is an error.
func (l *Ledger) Add(e Entry) error {
	e.At = time.Now().UTC().Truncate(time.Millisecond)
	line, err := e.line()
	if err != nil {
		return err
	}
	if len(line) > mostLine {
		return fmt.Errorf("a line of %d bytes for the ledger: want %d at most", len(line), mostLine)
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.broken {
		line = "\n" + line
	}
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if _, err := l.file.WriteString(line); err != nil {
		if l.file.Truncate(info.Size()) != nil {
			l.broken = true
		}
		return err
	}
	l.broken = false
	l.written++
	return nil
}

// InPlace fails with ErrMoved where the ledger was moved or removed. What cannot be told is no error.
func (l *Ledger) InPlace() error {
	if there, err := lasting.StillAt(l.file, l.path, os.Stat); err == nil && !there {
		return &fs.PathError{Op: "write", Path: l.path, Err: ErrMoved}
	}
	return nil
}

// Sync has on disk what was added before. Who calls it together shares a sync. Once one has
// failed, those after it do with ErrUnsynced. Where the ledger was moved it fails with ErrMoved: files
// that its lines name went elsewhere.
func (l *Ledger) Sync() error {
	if err := l.InPlace(); err != nil {
		return err
	}
	wanted := l.Lines()
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.synced >= wanted {
		return nil
	}
	if l.unsynced {
		return ErrUnsynced
	}
	all := l.Lines()
	if err := l.file.Sync(); err != nil {
		l.unsynced = true
		return err
	}
	l.synced = all
	return nil
}

// Lines counts what was added since the ledger was opened.
func (l *Ledger) Lines() uint64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.written
}

// Close lets others have the file. What was not synced may get lost if the machine stops. Another
// call does nothing.
func (l *Ledger) Close() {
	l.file.Close()
	l.unlock()
}
