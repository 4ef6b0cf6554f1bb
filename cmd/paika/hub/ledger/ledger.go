package ledger

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
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
	broken  bool             // the last line is not whole
	written uint64           // lines since it was opened
	lines   map[string][]run // those that are whole, by the IDs of the questions that they are about

	syncing  sync.Mutex
	synced   uint64 // of those written
	unsynced bool   // a sync failed
}

// run is where lines stand that follow one another: from the byte from as far as the byte to.
type run struct{ from, to int64 }

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

// Open opens a ledger for one writer, and makes it where it is missing. It reads the entries that are
// whole, and tells how many lines are not. It fails with lasting.ErrLocked where another hub has the ledger.
func Open(path string, take func(Entry)) (l *Ledger, torn int, err error) {
	unlock, err := lasting.Lock(path)
	if err != nil {
		return nil, 0, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		unlock()
		return nil, 0, err
	}
	l = &Ledger{path: path, file: file, unlock: unlock, lines: make(map[string][]run)}
	if torn, err = l.readAll(take); err != nil {
		l.Close()
		return nil, torn, err
	}
	return l, torn, nil
}

// readAll reads what the file has, and enters its lines.
func (l *Ledger) readAll(take func(Entry)) (torn int, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	if l.broken, err = endsTorn(l.file, info.Size()); err != nil {
		return 0, err
	}
	text := io.NewSectionReader(l.file, 0, info.Size())
	return read(bufio.NewReaderSize(text, mostLine), func(e Entry, at run) (more bool) {
		l.enter(e, at)
		take(e)
		return true
	})
}

// enter notes where a line stands.
func (l *Ledger) enter(e Entry, at run) {
	question := e.question()
	runs := l.lines[question]
	if last := len(runs) - 1; last >= 0 && runs[last].to == at.from {
		runs[last].to = at.to
		return
	}
	l.lines[question] = append(runs, at)
}

// endsTorn tells whether a file of some bytes ends within a line.
func endsTorn(file io.ReaderAt, size int64) (bool, error) {
	if size == 0 {
		return false, nil
	}
	var last [1]byte
	_, err := file.ReadAt(last[:], size-1)
	return last[0] != '\n', err
}

// Of reads the entries about questions, in the order in which they were added, as far as there are any at the
// moment. It asks wanted once for each ID of a question, and for the empty one if there are lines about none.
// It reads the lines of those that are wanted alone. A line that is whole no more is left out.
func (l *Ledger) Of(wanted func(question string) bool, take func(Entry)) error {
	in := bufio.NewReaderSize(nil, mostLine)
	for _, r := range l.runs(wanted) {
		in.Reset(io.NewSectionReader(l.file, r.from, r.to-r.from))
		_, err := read(in, func(e Entry, _ run) (more bool) {
			take(e)
			return true
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// runs is where the lines about questions stand, in order.
func (l *Ledger) runs(wanted func(question string) bool) []run {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var all []run
	for question, runs := range l.lines {
		if wanted(question) {
			all = append(all, runs...)
		}
	}
	slices.SortFunc(all, func(a, b run) int { return cmp.Compare(a.from, b.from) })
	return all
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
	torn, err := read(bufio.NewReaderSize(file, mostLine), func(Entry, run) (more bool) {
		whole = true
		return false
	})
	return whole, !whole && torn == 0, err
}

// Read reads the entries that are whole of the text of a ledger, and tells how many lines are not.
func Read(text io.Reader, take func(Entry)) (torn int, err error) {
	return read(bufio.NewReaderSize(text, mostLine), func(e Entry, _ run) (more bool) {
		take(e)
		return true
	})
}

// read is Read until the function wants no more. It is told where a line stands as well. The reader
// has room for mostLine.
func read(in *bufio.Reader, take func(e Entry, at run) (more bool)) (torn int, err error) {
	var at run
	for long := false; ; { // long: of the line, more than fits was read
		line, err := in.ReadSlice('\n')
		at.to += int64(len(line))
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
			} else if !take(e, at) {
				return torn, nil
			}
		}
		at.from = at.to
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
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	at := run{info.Size(), info.Size() + int64(len(line))}
	if l.broken {
		line = "\n" + line
		at = run{at.from + 1, at.to + 1}
	}
	if _, err := l.file.WriteString(line); err != nil {
		if l.file.Truncate(info.Size()) != nil {
			l.broken = true
		}
		return err
	}
	l.broken = false
	l.written++
	l.enter(e, at)
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
