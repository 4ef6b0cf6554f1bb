package walk

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"time"

	"github.com/klauspost/compress/zstd"

	"paika/proofs"
)

// Why an index can't be used. It is made anew then.
var (
	ErrTorn   = errors.New("the index is cut short or was changed")
	ErrForged = errors.New("the index was not sealed here")
	ErrStale  = errors.New("the index is of another certificate, or by another version")
)

const (
	// FormatVersion is that of the indexes that this package writes and reads.
	FormatVersion = 2

	magic     = "paikaix\x01"
	sealBytes = 8 + 8 + sha256.Size + len(magic) // where the tail begins, its length, its MAC
	sumBytes  = 16                               // of a block's SHA-256

	blockBytes = 32 << 10 // of lines, from which on a block is full
	mostLine   = 64 << 10 // bytes of a line
	mostBlock  = blockBytes + mostLine
	mostTail   = 1 << 30
)

// Origin is what an index was made of, and by whom.
type Origin struct {
	Checker int      `json:"checker"` // proofs.CheckerVersion
	Program string   `json:"program"` // its version
	SHA256  string   `json:"sha256"`  // of the certificate
	Opened  string   `json:"opened"`  // proofs.File.OpenedDigest: its claim was read then
	Parts   []string `json:"parts"`   // SHA-256 of the parts that it relies on, in the order of its header
}

func (o Origin) equal(other Origin) bool {
	return o.Checker == other.Checker && o.Program == other.Program && o.SHA256 == other.SHA256 && o.Opened == other.Opened && slices.Equal(o.Parts, other.Parts)
}

// Checked is what the check of the certificate found, which was valid.
type Checked struct {
	Positions uint64    `json:"positions"`
	Leaves    uint64    `json:"leaves"` // turns that lead into tables
	At        time.Time `json:"at"`
}

// tail is what stands in the first line of the tail.
type tail struct {
	Format  int     `json:"format"`
	Origin  Origin  `json:"origin"`
	Checked Checked `json:"checked"`
	Wins    bool    `json:"wins"` // lines have a rank
	Blocks  uint64  `json:"blocks"`
}

// block is a part of the file.
type block struct {
	at     int64
	length int
	sum    [sumBytes]byte
	first  string // position
}

// Index finds the records of a certificate that was checked. Methods are safe for
// concurrent use.
type Index struct {
	tail   tail
	blocks []block
	file   *os.File
	zstd   *zstd.Decoder
}

// Open opens an index, and reads all of it to see that it is whole. Errors: ErrTorn,
// ErrForged, ErrStale, the system's and the context's.
func Open(ctx context.Context, path string, key Key, origin Origin) (_ *Index, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	x := &Index{file: file}
	defer func() {
		if err != nil {
			x.Close()
		}
	}()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	text, begins, err := readTail(file, info.Size(), key)
	if err != nil {
		return nil, err
	}
	if x.tail, x.blocks, err = parseTail(text, begins); err != nil {
		return nil, err
	}
	if !x.tail.Origin.equal(origin) {
		return nil, ErrStale
	}
	if x.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(mostBlock)); err != nil {
		return nil, err
	}
	if err := x.whole(ctx); err != nil {
		return nil, err
	}
	return x, nil
}

// readTail reads the tail of an index, and compares its seal.
func readTail(at io.ReaderAt, size int64, key Key) (text []byte, begins int64, err error) {
	if size < int64(sealBytes) {
		return nil, 0, ErrTorn
	}
	seal := make([]byte, sealBytes)
	if _, err := at.ReadAt(seal, size-int64(sealBytes)); err != nil {
		return nil, 0, err
	}
	if string(seal[sealBytes-len(magic):]) != magic {
		return nil, 0, ErrTorn
	}
	offset, length := binary.LittleEndian.Uint64(seal), binary.LittleEndian.Uint64(seal[8:])
	if length > mostTail || offset > uint64(size) || offset+length+uint64(sealBytes) != uint64(size) {
		return nil, 0, ErrTorn
	}
	text = make([]byte, length)
	if _, err := at.ReadAt(text, int64(offset)); err != nil {
		return nil, 0, err
	}
	if !hmac.Equal(seal[16:16+sha256.Size], sign(key, offset, text)) {
		return nil, 0, ErrForged
	}
	return text, int64(offset), nil
}

// sign is the seal of a tail that begins there.
func sign(key Key, offset uint64, text []byte) []byte {
	mac := hmac.New(sha256.New, key[:])
	mac.Write(binary.LittleEndian.AppendUint64([]byte(magic), offset))
	mac.Write(text)
	return mac.Sum(nil)
}

// parseTail reads a tail. The blocks must fill what stands before it.
func parseTail(text []byte, begins int64) (t tail, blocks []block, err error) {
	line, rest, found := bytes.Cut(text, []byte("\n"))
	if !found || json.Unmarshal(line, &t) != nil || t.Blocks > uint64(len(rest)) {
		return t, nil, ErrTorn
	}
	if t.Format != FormatVersion {
		return t, nil, ErrStale
	}
	blocks = make([]block, 0, t.Blocks)
	at := int64(0)
	for range t.Blocks {
		b := block{at: at}
		length, n := binary.Uvarint(rest)
		if n <= 0 || length == 0 || length > 2*mostBlock || len(rest)-n < sumBytes {
			return t, nil, ErrTorn
		}
		b.length = int(length)
		rest = rest[n+copy(b.sum[:], rest[n:]):]
		length, n = binary.Uvarint(rest)
		if n <= 0 || length > mostLine || uint64(len(rest)-n) < length {
			return t, nil, ErrTorn
		}
		b.first, rest = string(rest[n:n+int(length)]), rest[n+int(length):]
		if len(blocks) > 0 && blocks[len(blocks)-1].first >= b.first {
			return t, nil, ErrTorn
		}
		blocks = append(blocks, b)
		at += int64(b.length)
	}
	if len(rest) > 0 || at != begins {
		return t, nil, ErrTorn
	}
	return t, blocks, nil
}

// whole reads every block.
func (x *Index) whole(ctx context.Context) error {
	for i := range x.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := x.packed(i); err != nil {
			return err
		}
	}
	return nil
}

// packed reads a block as it stands in the file.
func (x *Index) packed(i int) ([]byte, error) {
	b := x.blocks[i]
	packed := make([]byte, b.length)
	switch _, err := x.file.ReadAt(packed, b.at); {
	case errors.Is(err, io.EOF):
		return nil, ErrTorn
	case err != nil:
		return nil, err
	}
	if sum := sha256.Sum256(packed); !bytes.Equal(sum[:sumBytes], b.sum[:]) {
		return nil, ErrTorn
	}
	return packed, nil
}

// Origin tells what the index is of.
func (x *Index) Origin() Origin { return x.tail.Origin }

// Checked tells what the check found of which the index was made.
func (x *Index) Checked() Checked { return x.tail.Checked }

// Find looks a position up, in the notation of the game. Errors: ErrTorn where the file
// was changed since it was opened, and the system's.
func (x *Index) Find(position string) (rec proofs.Record, found bool, err error) {
	at := sort.Search(len(x.blocks), func(i int) bool { return x.blocks[i].first > position }) - 1
	if at < 0 {
		return rec, false, nil
	}
	packed, err := x.packed(at)
	if err != nil {
		return rec, false, err
	}
	// A line ends before each line, the first one too.
	text, err := x.zstd.DecodeAll(packed, append(make([]byte, 0, mostBlock), '\n'))
	if err != nil {
		return rec, false, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	_, line, found := bytes.Cut(text, []byte("\n"+position+"\t"))
	if !found {
		return rec, false, nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	rec, err = proofs.ParseRecord(position+"\t"+string(line), x.tail.Wins)
	if err != nil {
		return rec, false, fmt.Errorf("%w: %w", ErrTorn, err)
	}
	return rec, true, nil
}

// Close ends the use of the index.
func (x *Index) Close() error {
	if x.zstd != nil {
		x.zstd.Close()
	}
	return x.file.Close()
}
