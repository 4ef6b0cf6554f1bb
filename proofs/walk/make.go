package walk

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"paika/internal/lasting"
	"paika/proofs"
)

// MakeOptions are the limits of making an index.
type MakeOptions struct {
	// Memory bounds, in bytes, the lines that are held at a time. 64 MiB by default. To merge
	// files takes some 30 MiB, whatever their number.
	Memory uint64

	// Progress, if not nil, is told now and then how many positions were read.
	Progress func(positions uint64)
}

const (
	defaultMemory = 64 << 20
	reportEvery   = 1 << 14 // positions
)

var (
	// ErrTwice says that a certificate has a position twice, which a check refuses.
	ErrTwice = errors.New("a position stands in the certificate twice")

	// ErrLong says that a record is longer than indexes have them. It fits into the
	// certificate, where its position is spelled shorter.
	ErrLong = errors.New("a record is too long for an index")
)

// Make writes the index of a certificate that was just checked, and found valid with
// that report. It keeps its lines, sorted and compressed, in files of the index's folder
// until they are merged. Errors: ErrTwice, ErrLong, those of the file, of writing, and the
// context's.
func Make[P comparable](ctx context.Context, path string, key Key, origin Origin, checked Checked, game proofs.Game[P], file *proofs.File, o MakeOptions) error {
	claim, err := proofs.ParseClaim(file.Header.Claim, game.SideName)
	if err != nil {
		return err
	}
	sorted := &sorter{folder: filepath.Dir(path), most: int(cmp.Or(o.Memory, defaultMemory) / 2)} // the other half is for its order
	defer sorted.close()
	n := uint64(0)
	var line []byte
	for rec, err := range file.Records(claim, file.Part().Checksum) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		// Positions can be spelled in more than one way: an index has one.
		p, side, err := game.Parse(rec.Position)
		if err != nil {
			return err
		}
		rec.Position = game.Format(p, side)
		if line = rec.Append(line[:0], claim.Wins); len(line) > mostLine {
			return fmt.Errorf("%w: %d bytes, want at most %d", ErrLong, len(line), mostLine)
		}
		if err := sorted.add(ctx, line); err != nil {
			return err
		}
		if n++; n%reportEvery == 0 && o.Progress != nil {
			o.Progress(n)
		}
	}
	return lasting.WriteRegular(path, func(out io.Writer) error {
		return write(out, key, tail{Format: FormatVersion, Origin: origin, Checked: checked, Wins: claim.Wins}, func(do func(line []byte) error) error {
			return sorted.sorted(ctx, do)
		})
	})
}

// write writes an index of lines that come in order.
func write(out io.Writer, key Key, t tail, lines func(do func(line []byte) error) error) error {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedDefault))
	if err != nil {
		return err
	}
	defer packer.Close()
	w := &writer{out: out, packer: packer}
	if err := lines(w.add); err != nil {
		return err
	}
	if err := w.end(); err != nil {
		return err
	}
	return w.finish(key, t)
}

// writer writes an index, block by block.
type writer struct {
	out    io.Writer
	packer *zstd.Encoder

	text   []byte // of the block at hand: its lines
	first  string // and its first position
	last   []byte // position
	packed []byte // room for a block

	blocks    uint64
	at        uint64 // where the next block begins
	directory []byte // what the tail has of each block
}

// add adds a line, and ends the block that is full with it.
func (w *writer) add(line []byte) error {
	position, _, _ := bytes.Cut(line, []byte("\t"))
	if len(w.last) > 0 && bytes.Equal(w.last, position) {
		return fmt.Errorf("%w: %s", ErrTwice, position)
	}
	w.last = append(w.last[:0], position...)
	if len(w.text) == 0 {
		w.first = string(position)
	}
	w.text = append(append(w.text, line...), '\n')
	if len(w.text) < blockBytes {
		return nil
	}
	return w.end()
}

// end writes the block at hand, if it has lines.
func (w *writer) end() error {
	if len(w.text) == 0 {
		return nil
	}
	w.packed = w.packer.EncodeAll(w.text, w.packed[:0])
	sum := sha256.Sum256(w.packed)
	w.directory = binary.AppendUvarint(w.directory, uint64(len(w.packed)))
	w.directory = append(w.directory, sum[:sumBytes]...)
	w.directory = binary.AppendUvarint(w.directory, uint64(len(w.first)))
	w.directory = append(w.directory, w.first...)
	w.blocks++
	w.at += uint64(len(w.packed))
	w.text = w.text[:0]
	_, err := w.out.Write(w.packed)
	return err
}

// finish writes the tail and its seal.
func (w *writer) finish(key Key, t tail) error {
	t.Blocks = w.blocks
	heading, err := json.Marshal(t)
	if err != nil {
		return err
	}
	text := append(append(heading, '\n'), w.directory...)
	seal := binary.LittleEndian.AppendUint64(nil, w.at)
	seal = binary.LittleEndian.AppendUint64(seal, uint64(len(text)))
	seal = append(append(seal, sign(key, w.at, text)...), magic...)
	_, err = w.out.Write(append(text, seal...))
	return err
}
