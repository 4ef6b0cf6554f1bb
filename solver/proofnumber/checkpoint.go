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
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// Checkpoint is what is written with a table. The table is all the state that
// a search has: its path is found again from the root in a moment.
type Checkpoint struct {
	About   string            `json:"about"`   // the game, rules and end positions that the entries hold for
	Nodes   uint64            `json:"nodes"`   // searched so far
	Seconds float64           `json:"seconds"` // that it took
	Work    map[uint64]uint64 `json:"work"`    // nodes below each turn from the root, by key
}

// checkpointRecord is the first line of the file.
type checkpointRecord struct {
	Format int `json:"format"`
	Checkpoint
}

const checkpointFormat = 2

var (
	// ErrCheckpoint says that a file is no checkpoint, or a damaged one.
	ErrCheckpoint = errors.New("not a checkpoint that this program reads")

	// ErrOtherSearch says that a checkpoint's entries do not hold here.
	ErrOtherSearch = errors.New("the checkpoint is of another search")
)

// savedBlock is how many entries are written between two looks at the context.
const savedBlock = 1 << 14

// Save writes the table to a file, which is there whole or not at all. It may be
// called while searches go on; they lose nothing but the time. Until it is whole
// the file has ".part" behind its name.
//
// The file is one zstd stream with a checksum: a line of JSON, then the entries
// in use as pairs of key and data, and a pair of their number and 0.
func (t *Table) Save(ctx context.Context, path string, c Checkpoint) error {
	part := path + ".part"
	f, err := os.Create(part)
	if err != nil {
		return fmt.Errorf("saving a checkpoint: %w", err)
	}
	err = t.write(ctx, f, c)
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

func (t *Table) write(ctx context.Context, out io.Writer, c Checkpoint) error {
	line, err := json.Marshal(checkpointRecord{checkpointFormat, c})
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
// size than the one that was saved, and gives what was written with them. No
// search may use the table meanwhile.
//
// It fails with ErrOtherSearch where about is not what the checkpoint says, and
// with ErrCheckpoint where the file is damaged. The table may hold some of its
// entries then and must not be used.
func (t *Table) Load(ctx context.Context, path, about string) (Checkpoint, error) {
	f, err := os.Open(path)
	if err != nil {
		return Checkpoint{}, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return Checkpoint{}, err
	}
	defer z.Close()
	in := bufio.NewReaderSize(z, EntryBytes*savedBlock)
	var rec checkpointRecord
	line, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &rec)
	}
	switch {
	case err != nil:
		return Checkpoint{}, fmt.Errorf("%s: %w: %w", path, ErrCheckpoint, err)
	case rec.Format != checkpointFormat:
		return Checkpoint{}, fmt.Errorf("%s: %w: format %d, want %d", path, ErrCheckpoint, rec.Format, checkpointFormat)
	case rec.About != about:
		return Checkpoint{}, fmt.Errorf("%s: %w: it is about %q, want %q", path, ErrOtherSearch, rec.About, about)
	}
	if err := t.read(ctx, in); err != nil {
		return Checkpoint{}, fmt.Errorf("%s: %w", path, err)
	}
	return rec.Checkpoint, nil
}

func (t *Table) read(ctx context.Context, in io.Reader) error {
	var pair [EntryBytes]byte
	for read := uint64(0); ; read++ {
		if read%savedBlock == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if _, err := io.ReadFull(in, pair[:]); err != nil {
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
		if _, err := in.Read(pair[:1]); err != io.EOF {
			return fmt.Errorf("%w: no end after entry %d: %v", ErrCheckpoint, read, err)
		}
		return nil
	}
}

// Checkpoint is what a search has to have written with its table, so that
// another one can Resume.
func (s *Search[P]) Checkpoint(about string, seconds float64) Checkpoint {
	return Checkpoint{About: about, Nodes: s.Nodes(), Seconds: seconds, Work: s.work.copy()}
}

// Resume counts what a search before this one did, over the table that it saved
// and that was loaded.
func (s *Search[P]) Resume(c Checkpoint) {
	s.searched.Add(c.Nodes)
	for key, nodes := range c.Work {
		s.work.add(key, nodes)
	}
}
