package proofnumber

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// Checkpoint is what is written with a table. The table is all the state that
// a search has: its path is found again from the root in a moment.
type Checkpoint struct {
	About string `json:"about"` // the game, rules and end positions that the entries hold for
	Nodes uint64 `json:"nodes"` // searched so far
}

// checkpointRecord is the first line of the file.
type checkpointRecord struct {
	Format int `json:"format"`
	Checkpoint
}

const checkpointFormat = 1

var (
	// ErrCheckpoint says that a file is no checkpoint, or a damaged one.
	ErrCheckpoint = errors.New("not a checkpoint that this program reads")

	// ErrOtherSearch says that a checkpoint's entries do not hold here.
	ErrOtherSearch = errors.New("the checkpoint is of another search")
)

// savedBlock is how many entries are written between two looks at the context.
const savedBlock = 1 << 14

// Save writes the table to a file, which is there whole or not at all. It may be
// called while searches go on; they lose nothing but the time.
//
// The file is a line of JSON and then, compressed, the entries in use as pairs
// of key and data, and a pair of their number and 0.
func (t *Table) Save(ctx context.Context, path string, c Checkpoint) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	err = t.write(ctx, f, c)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("saving a checkpoint: %w", errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

func (t *Table) write(ctx context.Context, out io.Writer, c Checkpoint) error {
	line, err := json.Marshal(checkpointRecord{checkpointFormat, c})
	if err != nil {
		return err
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return err
	}
	z, err := zstd.NewWriter(out, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	var saved uint64
	buffer := make([]byte, 0, EntryBytes*savedBlock)
	for i := 0; i < len(t.words); {
		buffer = buffer[:0]
		for ; i < len(t.words) && len(buffer) < cap(buffer); i += 2 {
			data := atomic.LoadUint64(&t.words[i+1])
			if data == 0 {
				continue
			}
			buffer = binary.LittleEndian.AppendUint64(buffer, atomic.LoadUint64(&t.words[i])^data)
			buffer = binary.LittleEndian.AppendUint64(buffer, data)
			saved++
		}
		if _, err := z.Write(buffer); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	end := binary.LittleEndian.AppendUint64(nil, saved)
	if _, err := z.Write(append(end, make([]byte, 8)...)); err != nil {
		return err
	}
	return z.Close()
}

// Load adds the entries of a checkpoint to the table, which may have another
// size than the one that was saved, and gives the number of nodes searched
// before. No search may use the table meanwhile.
//
// It fails with ErrOtherSearch where about is not what the checkpoint says, and
// with ErrCheckpoint, after adding some entries, where the file is damaged.
func (t *Table) Load(ctx context.Context, path, about string) (nodes uint64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	line, err := in.ReadBytes('\n')
	if err != nil {
		return 0, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	var rec checkpointRecord
	if err := json.Unmarshal(line, &rec); err != nil {
		return 0, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	}
	switch {
	case rec.Format != checkpointFormat:
		return 0, fmt.Errorf("%s: %w: format %d, want %d", path, ErrCheckpoint, rec.Format, checkpointFormat)
	case rec.About != about:
		return 0, fmt.Errorf("%s: %w: it is about %q, want %q", path, ErrOtherSearch, rec.About, about)
	}
	if err := t.read(ctx, in); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return rec.Nodes, nil
}

func (t *Table) read(ctx context.Context, in io.Reader) error {
	z, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return err
	}
	defer z.Close()
	var pair [EntryBytes]byte
	for read := uint64(0); ; read++ {
		if read%savedBlock == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(z, pair[:]); err != nil {
			return fmt.Errorf("%w: entry %d: %w", ErrCheckpoint, read, err)
		}
		key, data := binary.LittleEndian.Uint64(pair[:]), binary.LittleEndian.Uint64(pair[8:])
		if data != 0 {
			t.store(key, unpack(data))
			continue
		}
		if key != read {
			return fmt.Errorf("%w: %d entries, want %d", ErrCheckpoint, read, key)
		}
		// The stream's own checksum comes after its last byte.
		if _, err := z.Read(pair[:1]); err != io.EOF {
			return fmt.Errorf("%w: no end after entry %d: %v", ErrCheckpoint, read, err)
		}
		return nil
	}
}
