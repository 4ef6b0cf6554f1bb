package badgerdir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"

	"paika/tablebase/internal/textfile"
)

// What Badger does to a database that was not closed: it reads the newest value log and
// the logs of memtables from the beginning, and cuts them off where the first entry
// is not whole. That is right for what a killed writer was about to write. It would
// also take away, without a word, everything behind a byte that was changed. So all
// of it is done here first, by looking, and only where nothing that is wanted would
// go is Badger let in.

// checkLastLog wants the newest value log of a closed folder to be whole, which is
// the one that Badger would cut.
func checkLastLog(dir string) error {
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		return err
	}
	if len(logs) == 0 {
		return nil
	}
	last := logs[len(logs)-1]
	end, err := replayFile(last.path, func(logEntry) {})
	if err != nil {
		return ReadError(dir, err)
	}
	if end != last.size {
		return fmt.Errorf("%s: %w: %s: not whole from byte %d on", dir, ErrDamaged, filepath.Base(last.path), end)
	}
	return nil
}

// checkNumbers wants no file to have a number with a sign. Badger takes those, ends the
// process for a table below 0, and opens other files than those that it has found.
func checkNumbers(dir string) error {
	for _, suffix := range numberedSuffixes {
		files, err := numberedFiles(dir, suffix)
		if err != nil {
			return ReadError(dir, err)
		}
		for _, file := range files {
			if name := filepath.Base(file.path); name[0] == '-' || name[0] == '+' {
				return DamagedFile(dir, name, errSign)
			}
		}
	}
	return nil
}

var errSign = errors.New("its number has a sign")

// checkHeaders wants no log to name a key: nothing is encrypted, and Badger opens no database
// with a log whose key it does not have. Entries can be read all the same.
func checkHeaders(dir string) error {
	for _, suffix := range [...]string{valueLogSuffix, memtableSuffix} {
		logs, err := numberedFiles(dir, suffix)
		if err != nil {
			return ReadError(dir, err)
		}
		for _, log := range logs {
			key, err := readKey(log.path)
			if err != nil {
				return ReadError(dir, err)
			}
			if key != 0 {
				return fmt.Errorf("%s: %w: %s: its header names key %d, and nothing is encrypted", dir, ErrDamaged, filepath.Base(log.path), key)
			}
		}
	}
	return nil
}

// checkKeys wants the list of keys, where there is one, to have none and to be whole: Badger opens
// no database with another one.
func checkKeys(dir string) error {
	text, err := textfile.ReadWhole(filepath.Join(dir, badger.KeyRegistryFileName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, textfile.ErrChanged):
		return DamagedFile(dir, badger.KeyRegistryFileName, err)
	case err != nil:
		return ReadError(dir, err)
	case len(text) != keysBytes || string(text[keysRandomBytes:]) != keysText:
		return DamagedFile(dir, badger.KeyRegistryFileName, errKeys)
	}
	return nil
}

var errKeys = errors.New("it is not the list of no keys")

// A list of no keys is random bytes and a text.
const (
	keysRandomBytes = 16
	keysText        = "Hello Badger"
	keysBytes       = keysRandomBytes + len(keysText)
)

// readKey is the number of the key in a log's header, or 0 where there is no header.
func readKey(path string) (uint64, error) {
	log, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	var key [logKeyBytes]byte
	switch _, err := io.ReadFull(log, key[:]); {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return 0, nil
	case err != nil:
		return 0, err
	}
	return binary.BigEndian.Uint64(key[:]), nil
}

func replayFile(path string, do func(logEntry)) (end int64, err error) {
	log, err := openLog(path)
	if err != nil {
		return 0, err
	}
	defer log.Close()
	return log.replay(do)
}

// logTails are what killed writers left half-written: logs, and where they end.
type logTails map[string]int64

// cut takes them off. A log without a header holds nothing, and Badger would not
// open it.
func (t logTails) cut() error {
	for path, end := range t {
		var err error
		if end < logHeaderBytes {
			err = os.Remove(path)
		} else {
			err = os.Truncate(path, end)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Wanted is what the owner of a folder wants Badger to find.
type Wanted interface {
	// Found is told of each key that Badger will find, with its value where it is
	// said to be; of some more than once.
	Found(key []byte)

	// Missing says, in the end, what was not found, or nil.
	Missing() error
}

// Inspect looks what Badger would find, and changes nothing. closed tells whether the
// last writer came to its end. Its error wraps ErrDamaged where files were changed
// since, or where something wanted would be lost.
func (f *Folder) Inspect(w Wanted) (closed bool, err error) {
	closed, _, err = f.inspect(w)
	return closed, err
}

// Prepare makes sure that Badger will find all that is wanted, and leaves it nothing
// to cut off. It fails as Inspect does, or with ErrMoved, and then changes nothing.
func (f *Folder) Prepare(w Wanted) error {
	closed, tails, err := f.inspect(w)
	if err != nil {
		return err
	}
	if err := f.CheckPlace(); err != nil {
		return err
	}
	if closed {
		if f.left, err = f.readClosed(); err != nil {
			return err
		}
	}
	if err := unmarkClosed(f.dir); err != nil {
		return err
	}
	return tails.cut()
}

// inspect also tells what is half-written.
func (f *Folder) inspect(w Wanted) (closed bool, tails logTails, err error) {
	if err := checkNumbers(f.dir); err != nil {
		return false, nil, err
	}
	if err := checkHeaders(f.dir); err != nil {
		return false, nil, err
	}
	err = f.checkClosed()
	switch {
	case err == nil:
		if err := checkLastLog(f.dir); err != nil {
			return true, nil, err
		}
		if err := f.checkTables(); err != nil {
			return true, nil, tablesError(f.dir, err)
		}
		return true, nil, nil
	case !errors.Is(err, errNotClosed):
		return false, nil, err
	}
	tails, err = f.checkReplay(w)
	return false, tails, err
}

// checkReplay looks what Badger would find in a folder that was not closed. It fails
// where something wanted would be lost, and else tells what is half-written.
func (f *Folder) checkReplay(w Wanted) (logTails, error) {
	if err := checkKeys(f.dir); err != nil {
		return nil, err
	}
	tails := make(logTails)
	values, err := valueLogEnds(f.dir, tails)
	if err != nil {
		return nil, ReadError(f.dir, err)
	}
	r := replayer{values, w}
	if err := r.readMemtables(f.dir, tails); err != nil {
		return nil, ReadError(f.dir, err)
	}
	if err := f.eachTableEntry(r.entry); err != nil {
		return nil, tablesError(f.dir, err)
	}
	if lost := w.Missing(); lost != nil {
		return nil, fmt.Errorf("%s: %w: %w", f.dir, ErrDamaged, lost)
	}
	return tails, nil
}

// valueLogEnds tells where each value log ends, as far as Badger will read it.
func valueLogEnds(dir string, tails logTails) (map[int64]int64, error) {
	logs, err := numberedFiles(dir, valueLogSuffix)
	if err != nil {
		return nil, err
	}
	ends := make(map[int64]int64)
	last := -1
	for i, log := range logs {
		if log.size < logHeaderBytes {
			tails[log.path] = 0
			continue
		}
		ends[log.number], last = log.size, i
	}
	if last < 0 {
		return ends, nil
	}
	end, err := replayFile(logs[last].path, func(logEntry) {})
	if err != nil {
		return nil, err
	}
	ends[logs[last].number] = end
	if end < logs[last].size {
		tails[logs[last].path] = end
	}
	return ends, nil
}

// replayer tells what Badger will find.
type replayer struct {
	values map[int64]int64 // where each value log ends
	wanted Wanted
}

// readMemtables reads the logs of memtables.
func (r replayer) readMemtables(dir string, tails logTails) error {
	logs, err := numberedFiles(dir, memtableSuffix)
	if err != nil {
		return err
	}
	for _, log := range logs {
		if log.size < logHeaderBytes {
			tails[log.path] = 0
			continue
		}
		end, err := replayFile(log.path, func(e logEntry) { r.entry(e.userKey(), e.meta, e.value) })
		if err != nil {
			return err
		}
		if end < log.size {
			tails[log.path] = end
		}
	}
	return nil
}

// entry tells of a key whose value is where it is said to be.
func (r replayer) entry(key []byte, meta byte, value []byte) {
	if meta&metaPointer == 0 || r.there(value) {
		r.wanted.Found(key)
	}
}

// there tells whether a value log reaches as far as a pointer says.
func (r replayer) there(value []byte) bool {
	p, ok := parsePointer(value)
	return ok && int64(p.offset)+int64(p.length) <= r.values[int64(p.log)]
}
