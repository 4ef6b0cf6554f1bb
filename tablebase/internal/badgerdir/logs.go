package badgerdir

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4/y"
)

// Badger keeps two kinds of logs, of one form. Every value is in a value log
// (.vlog) with its key; the log of a memtable (.mem) says where, until that is in a
// table of the LSM tree. Here they are read with plain reads, and never changed.
//
//	header   20 bytes: the number of a key, 0 without encryption, in 8, and what goes with it
//	entries  meta, user meta      1 byte each
//	         lengths of key and value, time it expires at: unsigned varints
//	         key                  its last 8 bytes are the version
//	         value
//	         CRC-32C of all that  4 bytes, big endian
//
// An open log is longer than what is in it; the rest is zeros. Nothing that is
// whole follows the first entry that is not, unless the log is damaged, or a power
// cut kept a later part of it and dropped an earlier.
const (
	logHeaderBytes   = 20
	logKeyBytes      = 8 // of them, for the number of the key
	versionBytes     = 8
	entryHeaderBytes = 22 // at most
	crcBytes         = crc32.Size
)

// maxEntryBytes bounds an entry: values are far smaller. What claims to be longer
// is none.
const maxEntryBytes = 1 << 20

// Bits of an entry's meta.
const (
	metaPointer = 1 << 1 // the value says where the value is
	metaInTxn   = 1 << 6 // counts only once its transaction is closed
	metaEndTxn  = 1 << 7 // closes it
)

// logEntry is an entry of a log. Its slices are valid until the next is read.
type logEntry struct {
	at, end    int64
	meta       byte
	key, value []byte // the key with its version
}

// userKey is the key as it was given to Badger.
func (e logEntry) userKey() []byte { return e.key[:len(e.key)-versionBytes] }

// version numbers the transaction.
func (e logEntry) version() uint64 { return y.ParseTs(e.key) }

// closes tells whether the entry closes that transaction.
func (e logEntry) closes(version uint64) bool {
	n, err := strconv.ParseUint(string(e.value), 10, 64)
	return err == nil && n == version
}

// logReader reads a log from any place on. It is for one goroutine at a time.
type logReader struct {
	file   *os.File
	size   int64
	buffer []byte
	window []byte // the part of buffer that holds bytes of the log
	from   int64  // where in the log they begin
}

// windowBytes is what is read at a time, at least.
const windowBytes = 1 << 20

func openLog(path string) (*logReader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		file.Close()
		return nil, err
	}
	return &logReader{file: file, size: info.Size()}, nil
}

func (l *logReader) Close() error { return l.file.Close() }

// bytes are those from there on, fewer at the end of the log.
func (l *logReader) bytes(at int64, n int) ([]byte, error) {
	n = int(min(int64(n), max(l.size-at, 0)))
	if at >= l.from && at+int64(n) <= l.from+int64(len(l.window)) {
		return l.window[at-l.from:][:n], nil
	}
	if l.buffer == nil {
		l.buffer = make([]byte, max(windowBytes, maxEntryBytes))
	}
	read, err := l.file.ReadAt(l.buffer, at)
	l.window, l.from = l.buffer[:read], at
	if read >= n {
		return l.window[:n], nil
	}
	if err == io.EOF {
		err = io.ErrUnexpectedEOF // it became shorter
	}
	return nil, fmt.Errorf("%s: %w", l.file.Name(), err)
}

// entry reads the entry that begins there. It is false where none does that is
// whole.
func (l *logReader) entry(at int64) (e logEntry, whole bool, err error) {
	head, err := l.bytes(at, entryHeaderBytes)
	if err != nil || len(head) < 2 {
		return e, false, err
	}
	lengths, header, ok := entryLengths(head)
	keyBytes, valueBytes := lengths[0], lengths[1]
	if !ok || keyBytes < versionBytes || keyBytes > maxEntryBytes || valueBytes > maxEntryBytes {
		return e, false, nil
	}
	n := header + int(keyBytes+valueBytes) + crcBytes
	if n > maxEntryBytes || at+int64(n) > l.size {
		return e, false, nil
	}
	all, err := l.bytes(at, n)
	if err != nil {
		return e, false, err
	}
	body, sum := all[:n-crcBytes], all[n-crcBytes:]
	if crc32.Checksum(body, y.CastagnoliCrcTable) != binary.BigEndian.Uint32(sum) {
		return e, false, nil
	}
	key, value := body[header:header+int(keyBytes)], body[header+int(keyBytes):]
	return logEntry{at, at + int64(n), body[0], key, value}, true, nil
}

// entryLengths reads a header: the three numbers in it, and its own length.
func entryLengths(head []byte) (lengths [3]uint64, header int, ok bool) {
	header = 2
	for i := range lengths {
		n, size := binary.Uvarint(head[header:])
		if size <= 0 {
			return lengths, 0, false
		}
		lengths[i], header = n, header+size
	}
	return lengths, header, true
}

// replay calls do with the entries that Badger would find in the log: those before
// the first that is not whole, and of those in transactions only what was closed.
// It tells where the last of them ends.
func (l *logReader) replay(do func(logEntry)) (end int64, err error) {
	var open []int64 // where the entries of a transaction begin that is not closed yet
	var version uint64
	end = logHeaderBytes
	for at := end; ; {
		e, whole, err := l.entry(at)
		if err != nil || !whole {
			return end, err
		}
		at = e.end
		switch {
		case e.meta&metaInTxn != 0:
			if len(open) == 0 {
				version = e.version()
			}
			if e.version() != version {
				return end, nil
			}
			open = append(open, e.at)
			continue
		case e.meta&metaEndTxn != 0:
			if len(open) == 0 || !e.closes(version) {
				return end, nil
			}
			if err := l.each(open, do); err != nil {
				return end, err
			}
			open = open[:0]
		case len(open) > 0:
			return end, nil
		default:
			do(e)
		}
		end = at
	}
}

// each calls do with entries that are known to be whole.
func (l *logReader) each(places []int64, do func(logEntry)) error {
	for _, at := range places {
		e, _, err := l.entry(at)
		if err != nil {
			return err
		}
		do(e)
	}
	return nil
}

// search calls do with every value in a value log whose key begins with a byte, those
// behind damage included.
func (l *logReader) search(ctx context.Context, first byte, do func(logEntry) error) error {
	for at := int64(logHeaderBytes); at < l.size; {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, whole, err := l.valueEntry(at, first)
		if err != nil {
			return err
		}
		if whole {
			if err := do(e); err != nil {
				return err
			}
			at = e.end
			continue
		}
		if at, err = l.skipZeros(at + 1); err != nil {
			return err
		}
	}
	return nil
}

// valueEntry is entry for what may be such a value by the first bytes, which saves the
// checksums of all that is none.
func (l *logReader) valueEntry(at int64, first byte) (e logEntry, whole bool, err error) {
	head, err := l.bytes(at, 2)
	if err != nil || len(head) < 2 || head[0] != 0 || head[1] != 0 {
		return e, false, err
	}
	head, err = l.bytes(at, entryHeaderBytes+1)
	if err != nil {
		return e, false, err
	}
	lengths, key, ok := entryLengths(head)
	if !ok || lengths[2] != 0 || key == len(head) || head[key] != first {
		return e, false, nil
	}
	return l.entry(at)
}

// skipZeros gives the next place at which an entry may begin: zeros may be its
// first bytes, but not more of them than a header has.
func (l *logReader) skipZeros(at int64) (int64, error) {
	var zeros [1 << 12]byte
	for at < l.size {
		block, err := l.bytes(at, len(zeros))
		if err != nil {
			return at, err
		}
		if !bytes.Equal(block, zeros[:len(block)]) {
			first := bytes.IndexFunc(block, func(r rune) bool { return r != 0 })
			return max(at, at+int64(first)-entryHeaderBytes), nil
		}
		at += int64(len(block))
	}
	return at, nil
}

// pointer is where a value is.
type pointer struct {
	log            uint32
	length, offset uint32
}

// parsePointer reads Badger's form, which is that of the machine.
func parsePointer(value []byte) (pointer, bool) {
	if len(value) != 12 {
		return pointer{}, false
	}
	field := func(i int) uint32 { return binary.NativeEndian.Uint32(value[4*i:]) }
	return pointer{log: field(0), length: field(1), offset: field(2)}, true
}

const (
	valueLogSuffix = ".vlog"
	memtableSuffix = ".mem"
	treeSuffix     = ".sst"
)

// numberedFile is a file of Badger whose name is a number.
type numberedFile struct {
	number int64
	path   string
	size   int64
}

// numberedFiles lists the files in dir of one kind, in the order of their numbers. It goes by
// their names and follows links, as Badger does. What is no file then is an error, which wraps
// ErrNotFile: Badger would open it.
func numberedFiles(dir, suffix string) ([]numberedFile, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var list []numberedFile
	for _, e := range entries {
		number, ok := fileNumber(e.Name(), suffix)
		if !ok {
			continue
		}
		path := filepath.Join(dir, e.Name())
		info, err := os.Stat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Type().IsRegular(): // Badger just merged it into another
			continue
		case errors.Is(err, fs.ErrNotExist):
			return nil, notFile(path, e.Type())
		case err != nil:
			return nil, err
		case !info.Mode().IsRegular():
			return nil, notFile(path, info.Mode())
		}
		list = append(list, numberedFile{number, path, info.Size()})
	}
	slices.SortFunc(list, func(a, b numberedFile) int { return cmp.Compare(a.number, b.number) })
	return list, nil
}

// fileNumber takes a name such as 000001.vlog apart. Badger takes a number with a sign, too.
func fileNumber(name, suffix string) (int64, bool) {
	if filepath.Ext(name) != suffix {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(name, suffix), 10, 64)
	return n, err == nil
}
