package proofs

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
)

const (
	// maxLineBytes bounds a line, without its end. A header of that length names some 600 parts.
	maxLineBytes = 1<<16 - 1

	// maxWindowBytes bounds what decompression keeps. The writer uses 8 MiB.
	maxWindowBytes = 32 << 20
)

// File is a certificate that was opened. Its header was read; whether anything
// in it is true is for Check to tell.
type File struct {
	Header Header

	line    []byte // of the header
	seal    []byte // at the end of the file; nil where there is none
	at      io.ReaderAt
	size    int64 // endless of one that grows, until it was read to its end
	growing bool  // it is written while it is read: see OpenGrowing

	// What was read to its end has one sum under a key that nobody knows: two files of one
	// seal are easily made.
	key   maphash.Seed
	mutex sync.Mutex
	sum   uint64
	known bool
}

// Open reads the first line of a certificate, of that many bytes, by which the
// caller finds the game and the tables for Check. Its error wraps ErrFormat
// unless reading itself failed. The bytes must stay as they are: where they change between
// two readings to the end, the second one fails.
func Open(at io.ReaderAt, size int64) (*File, error) {
	r, err := begin(at, size)
	if err != nil {
		return nil, err
	}
	return r.opened()
}

// opened reads the header, and closes the reader.
func (r *reader) opened() (f *File, err error) {
	defer r.zstd.Close()
	f = r.of
	if f.line, err = r.line(); err == nil {
		f.Header, err = parseHeader(f.line)
	}
	if err != nil {
		return nil, r.malformed(err)
	}
	return f, nil
}

// begin reads the seal of a file of that many bytes, and gives a reader of what it
// seals, to be closed.
func begin(at io.ReaderAt, size int64) (*reader, error) {
	if size == 0 {
		return nil, fmt.Errorf("%w: the file is empty", ErrFormat)
	}
	f := &File{at: at, size: size, key: maphash.MakeSeed()}
	if err := f.readSeal(); err != nil {
		return nil, err
	}
	return f.newReader()
}

// Part is how another certificate names this one, by its seal. The checksum is
// empty where the file has no seal.
func (f *File) Part() Part {
	p := Part{Root: f.Header.Root}
	if f.seal != nil {
		p.Checksum = checksum(binary.LittleEndian.Uint64(f.seal[sealBytes-hashBytes:]))
	}
	return p
}

// parseHeader reads a header, in which no key is unknown or stands twice, and none but parts is
// missing.
func parseHeader(line []byte) (h Header, err error) {
	if err := checkSpelling(line); err != nil {
		return h, err
	}
	if err := checkKeys(line); err != nil {
		return h, err
	}
	if err := checkValues(line); err != nil {
		return h, err
	}
	if err := strictly(line, &h); err != nil {
		return h, errHeader(err)
	}
	if h.Format != FormatVersion {
		return h, fmt.Errorf("format %d, want %d", h.Format, FormatVersion)
	}
	if len(h.Parts) == 0 {
		h.Parts = nil // an empty list says what a missing one says
	}
	return h, nil
}

// strictly reads JSON without unknown keys.
func strictly(line []byte, value any) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	return d.Decode(value)
}

// checkSpelling wants a header without blanks between what it has, whatever JSON takes for one, and without
// escapes, of plain text alone. No value needs any: so a reader that knows no other JSON reads the same.
func checkSpelling(line []byte) error {
	text := false
	for _, c := range bytes.TrimSuffix(line, []byte("\n")) {
		switch {
		case c == '"':
			text = !text
		case c == '\\':
			return errors.New(`the header has an escape, "\"`)
		case !text && (c == ' ' || c == '\t'):
			return errors.New("the header has a blank that is in no text")
		case c < ' ' || c > '~':
			return fmt.Errorf("the header has a character that is no plain text, byte %d", c)
		}
	}
	return nil
}

// checkKeys wants one JSON value in which no object has a key twice, nor one that
// encoding/json takes for a key of Header though it is spelled otherwise.
func checkKeys(line []byte) error {
	d := json.NewDecoder(bytes.NewReader(line))
	type level struct {
		keys map[string]bool // nil in a list
		key  bool            // a key is next
	}
	var open []level
	for {
		token, err := d.Token()
		if err != nil {
			return errHeader(err)
		}
		if n := len(open); n > 0 && open[n-1].key {
			if key, ok := token.(string); ok {
				switch {
				case strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "":
					return fmt.Errorf("the header has an unknown key %s", bitboard.Quote(key))
				case open[n-1].keys[key]:
					return fmt.Errorf("the header has the key %s twice", bitboard.Quote(key))
				}
				open[n-1].keys[key] = true
				open[n-1].key = false
				continue
			}
		}
		switch token {
		case json.Delim('{'):
			open = append(open, level{keys: make(map[string]bool), key: true})
			continue
		case json.Delim('['):
			open = append(open, level{})
			continue
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		if len(open) == 0 {
			break
		}
		open[len(open)-1].key = open[len(open)-1].keys != nil
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("something follows the header in its line")
	}
	return nil
}

// checkValues wants a JSON object that has every key of a header, but for parts, and no key
// without a value.
func checkValues(line []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(line, &values); err != nil {
		return errHeader(err)
	}
	for _, key := range [...]string{"format", "game", "board", "rules", "claim", "root", "tables", "parts"} {
		switch value, found := values[key]; {
		case found && string(value) == "null":
			return fmt.Errorf("the header's key %q is null", key)
		case !found && key != "parts":
			return fmt.Errorf("the header lacks the key %q", key)
		}
	}
	return nil
}

// errHeader says what is wrong with the JSON of a header.
func errHeader(err error) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind):
		key := kind.Field[strings.LastIndexByte(kind.Field, '.')+1:]
		return fmt.Errorf("the header is of another form: its %s is a JSON %s", bitboard.Quote(key), kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the header is cut short")
	}
	return fmt.Errorf("the header is no JSON object as documented: %s", bitboard.Shorten(strings.TrimPrefix(err.Error(), "json: ")))
}

// A reader gives the lines of a certificate and makes sure that it is whole.
type reader struct {
	of      *File
	file    io.Reader    // what stands before the seal
	read    int64        // bytes of that
	failed  error        // why it could not be read
	hash    *xxh3.Hasher // of what was read of the file
	keyed   maphash.Hash // the same, under the file's key
	zstd    *zstd.Decoder
	lines   *bufio.Reader
	records uint64 // given so far
}

// newReader begins at the header.
func (f *File) newReader() (*reader, error) {
	r := &reader{of: f, hash: xxh3.New()}
	if f.size == endless {
		r.file = &growingReader{of: f}
	} else {
		r.file = io.NewSectionReader(f.at, 0, f.size-int64(len(f.seal)))
	}
	r.keyed.SetSeed(f.key)
	read := []io.Writer{r.hash, &r.keyed}
	if f.seal != nil || f.size == endless { // else the file is refused anyway, and may end within its seal
		read = append(read, new(frames))
	}
	var err error
	r.zstd, err = zstd.NewReader(io.TeeReader(source{r}, io.MultiWriter(read...)), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindowBytes))
	if err != nil {
		return nil, err
	}
	r.lines = bufio.NewReaderSize(r.zstd, maxLineBytes+1)
	return r, nil
}

// records begins at the first record.
func (f *File) records() (*reader, error) {
	r, err := f.newReader()
	if err != nil {
		return nil, err
	}
	if line, err := r.line(); err != nil || !bytes.Equal(line, f.line) {
		r.zstd.Close()
		return nil, cmp.Or(r.failed, errChanges)
	}
	return r, nil
}

// source reads what stands before the seal, and keeps why that failed: what nobody could
// read is not damaged.
type source struct{ *reader }

func (s source) Read(p []byte) (int, error) {
	n, err := s.file.Read(p)
	s.read += int64(n)
	if err != nil && err != io.EOF {
		s.failed = err
	}
	return n, err
}

// stays tells whether a reading to the end has the sum of the one before.
func (f *File) stays(sum uint64) bool {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if !f.known {
		f.sum, f.known = sum, true
	}
	return f.sum == sum
}

// malformed says that the file is none of those that are read, unless reading itself
// failed.
func (r *reader) malformed(err error) error {
	if r.failed != nil {
		return r.failed
	}
	return fmt.Errorf("%w: %w", ErrFormat, err)
}

// What can be wrong with a file as a whole.
var (
	errShort   = errors.New("the file is cut short")
	errNoSeal  = errors.New("the seal at the end of the file is missing")
	errSeal    = errors.New("bytes of the file were changed: its seal does not fit")
	errMore    = errors.New("the file goes on behind its end")
	errChanges = errors.New("the file changes while it is read")
)

// line reads a line, without its end. It is good until the next one is read.
func (r *reader) line() ([]byte, error) {
	line, err := r.lines.ReadSlice('\n')
	switch {
	case err == bufio.ErrBufferFull:
		return nil, fmt.Errorf("a line is longer than %d bytes", maxLineBytes)
	case err != nil:
		return nil, r.readError(err)
	}
	line = line[:len(line)-1]
	switch {
	case bytes.HasSuffix(line, []byte("\r")):
		return nil, errors.New("a line ends with \\r\\n, want \\n")
	case !utf8.Valid(line):
		return nil, errors.New("a line is no UTF-8")
	}
	return line, nil
}

// readError says why a stream can't be read on.
func (r *reader) readError(err error) error {
	switch {
	case r.failed != nil:
		return r.failed
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errShort
	case errors.Is(err, errSkipped):
		return errSkipped
	case errors.Is(err, zstd.ErrMagicMismatch):
		return errors.New("it is no zstd stream")
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return fmt.Errorf("to decompress the file takes a window of more than %d MiB", maxWindowBytes>>20)
	}
	return fmt.Errorf("the file can't be decompressed: %w", err)
}

// next gives the line of the next record, which is good until another is read. At the end, which must be
// as the last line says, it gives io.EOF.
func (r *reader) next() ([]byte, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	if !bytes.HasPrefix(line, []byte(endWord+separator)) {
		r.records++
		return line, nil
	}
	return nil, r.end(line)
}

// end gives io.EOF where the last line is as it should be, and nothing follows but the seal.
func (r *reader) end(line []byte) error {
	if want := endLine(r.records); string(line) != want {
		return fmt.Errorf("the last line is %s, want %q", bitboard.Quote(string(line)), want)
	}
	switch _, err := r.lines.ReadByte(); {
	case r.failed != nil:
		return r.failed
	case err == io.EOF && r.of.seal == nil:
		return errNoSeal
	case errors.Is(err, io.ErrUnexpectedEOF):
		return r.endError()
	case err != io.EOF:
		return errMore
	case !bytes.Equal(r.of.seal, seal(r.hash.Sum64())):
		return errSeal
	case !r.of.stays(r.keyed.Sum64()):
		return errChanges
	}
	return io.EOF
}

// endError says why what stands behind the last line is no whole frame: the seal is cut, or a few
// bytes follow it, too few for the head of another frame.
func (r *reader) endError() error {
	end := make([]byte, sealBytes)
	for extra := int64(1); extra < 4 && r.of.size >= sealBytes+extra; extra++ {
		if _, r.failed = r.of.at.ReadAt(end, r.of.size-sealBytes-extra); r.failed != nil {
			return r.failed
		}
		if isSeal(end) {
			return errMore
		}
	}
	return errShort
}

// A seal ends the file: a zstd frame that decompressors skip (RFC 8878, section
// 3.1.2), with XXH3 of all bytes before it. It covers what decompression does
// not look at, and is the checksum by which a certificate is known.
const (
	sealFrame = 0x184d2a50
	hashBytes = 8
	sealBytes = 8 + hashBytes
)

func seal(hash uint64) []byte {
	s := binary.LittleEndian.AppendUint32(nil, sealFrame)
	s = binary.LittleEndian.AppendUint32(s, hashBytes)
	return binary.LittleEndian.AppendUint64(s, hash)
}

// readSeal reads what stands at the end of the file, if that is a seal.
func (f *File) readSeal() error {
	if f.size < sealBytes {
		return nil
	}
	end := make([]byte, sealBytes)
	if _, err := f.at.ReadAt(end, f.size-sealBytes); err != nil {
		return err
	}
	if isSeal(end) {
		f.seal = end
	}
	return nil
}

// isSeal tells whether some bytes are a seal, of whatever file.
func isSeal(end []byte) bool { return bytes.HasPrefix(end, seal(0)[:sealBytes-hashBytes]) }

// checksum writes a hash as headers have it.
func checksum(hash uint64) string { return fmt.Sprintf("%016x", hash) }
