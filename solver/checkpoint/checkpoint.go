// Package checkpoint keeps the entries of a transposition table in a file, so
// that a search that was stopped goes on from what it had found.
//
//	err := checkpoint.Save(ctx, path, checkpoint.Header{About: about, Nodes: n}, table.entries)
//	header, err := checkpoint.Load(ctx, path, about, table.add)
//
// The file is one zstd stream with a checksum: a line of JSON, the header, then
// pairs of 64-bit words, little-endian: the entries, and at the end a pair of zero
// and their number. It is there whole or not at all; until it is whole it has
// ".part" behind its name.
package checkpoint

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"

	"github.com/klauspost/compress/zstd"
)

// Header is what a file says beside the entries. A search may leave out what it
// has no use for.
type Header struct {
	About   string            `json:"about"`             // the search that the entries hold for, in any words
	Nodes   uint64            `json:"nodes"`             // searched so far
	Seconds float64           `json:"seconds,omitempty"` // that it took
	Work    map[uint64]uint64 `json:"work,omitempty"`    // nodes below each turn from the root, by key
}

// record is the first line of the file.
type record struct {
	Format int `json:"format"`
	Header
}

const format = 2

var (
	// ErrFormat says that a file is no checkpoint, or a damaged one.
	ErrFormat = errors.New("not a checkpoint that this program reads")

	// ErrOther says that a checkpoint's entries do not hold here.
	ErrOther = errors.New("the checkpoint is of another search")
)

// entryBytes is the size of an entry, and block how many are read or written
// between two looks at the context.
const (
	entryBytes = 16
	block      = 1 << 14
)

// Save writes entries to a file: pairs of which the first word is not 0, in any
// order.
func Save(ctx context.Context, path string, h Header, entries iter.Seq2[uint64, uint64]) error {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	err = write(ctx, f, h, entries)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		return fmt.Errorf("saving a checkpoint: %w", errors.Join(err, os.Remove(part)))
	}
	return nil
}

func write(ctx context.Context, out io.Writer, h Header, entries iter.Seq2[uint64, uint64]) error {
	line, err := json.Marshal(record{format, h})
	if err != nil {
		return err
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	if _, err := z.Write(append(line, '\n')); err != nil {
		return err
	}
	var written uint64
	buffer := make([]byte, 0, entryBytes*block)
	for first, second := range entries {
		buffer = append2(buffer, first, second)
		if written++; written%block != 0 {
			continue
		}
		if _, err := z.Write(buffer); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		buffer = buffer[:0]
	}
	if _, err := z.Write(append2(buffer, 0, written)); err != nil {
		return err
	}
	return z.Close()
}

func append2(buffer []byte, first, second uint64) []byte {
	return binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(buffer, first), second)
}

// Load calls add for each entry of a file. It fails with an error that wraps
// fs.ErrNotExist where there is no file, ErrOther where about is not what the
// header says, and ErrFormat, perhaps after some entries, where the file is
// damaged.
func Load(ctx context.Context, path, about string, add func(first, second uint64)) (Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return Header{}, err
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, entryBytes*block)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return Header{}, fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
	}
	var r record
	if err := json.Unmarshal(line, &r); err != nil {
		return Header{}, fmt.Errorf("%s: %w: %w", path, ErrFormat, err)
	}
	switch {
	case r.Format != format:
		return Header{}, fmt.Errorf("%s: %w: format %d, want %d", path, ErrFormat, r.Format, format)
	case r.About != about:
		return Header{}, fmt.Errorf("%s: %w: it is about %q, want %q", path, ErrOther, r.About, about)
	}
	if err := read(ctx, in, add); err != nil {
		return Header{}, fmt.Errorf("%s: %w", path, err)
	}
	return r.Header, nil
}

func read(ctx context.Context, in io.Reader, add func(first, second uint64)) error {
	var entry [entryBytes]byte
	for n := uint64(0); ; n++ {
		if n%block == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(in, entry[:]); err != nil {
			return fmt.Errorf("%w: entry %d: %w", ErrFormat, n, err)
		}
		first, second := binary.LittleEndian.Uint64(entry[:]), binary.LittleEndian.Uint64(entry[8:])
		if first != 0 {
			add(first, second)
			continue
		}
		if second != n {
			return fmt.Errorf("%w: %d entries, want %d", ErrFormat, n, second)
		}
		// The stream's own checksum comes after its last byte.
		if _, err := in.Read(entry[:1]); err != io.EOF {
			return fmt.Errorf("%w: no end after entry %d: %v", ErrFormat, n, err)
		}
		return nil
	}
}
