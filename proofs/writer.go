package proofs

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/parallel"
)

// A Step is a position of a certificate. It has a turn chosen where it is the
// move of the side that the claim is about, and stands for all turns otherwise.
type Step[P comparable] struct {
	Position P
	Side     bitboard.Side // to move
	Chosen   bool
	To       P      // the position that the turn chosen leads to
	Rank     uint32 // "wins" only
}

// Writer writes a certificate as its steps come. With one worker it holds none of them,
// with more some thousands. It is for one goroutine.
type Writer[P comparable] struct {
	game      Game[P]
	claim     Claim
	tables    []Table // that the header names
	out       *zstd.Encoder
	seal      *sealWriter
	line      []byte
	positions uint64

	workers int
	waiting []Step[P] // that are not written yet
	texts   [][]byte  // of blocks of them, by slot
	failed  error     // the first: what follows can't make up for it
}

const (
	mostWaiting = 1 << 13 // steps that several workers write at a time
	formatBlock = 1 << 8  // steps that one of them takes at a time
)

// NewWriter begins a certificate. The header's format is filled in; its claim
// and root must be in the game's notation.
//
// workers is how many goroutines write steps as text, one if it is less. With two or more, compression goes on
// beside them. The file is the same. A caller that may leave the writer unclosed calls Discard before it closes out.
func NewWriter[P comparable](out io.Writer, game Game[P], h Header, workers int) (*Writer[P], error) {
	claim, err := ParseClaim(h.Claim, game.SideName)
	if err != nil {
		return nil, err
	}
	if _, _, err := game.Parse(h.Root); err != nil {
		return nil, fmt.Errorf("root of a certificate: %w", err)
	}
	h.Format = FormatVersion
	if h.Tables == nil {
		h.Tables = []Table{}
	}
	line, err := headerLine(h)
	if err != nil {
		return nil, err
	}
	if err := checkSpelling(line); err != nil {
		return nil, err
	}
	if len(line)-1 > maxLineBytes {
		return nil, fmt.Errorf("%w: with %s and %s the header takes %d bytes, and %d are allowed", ErrTooLong, bitboard.Count(len(h.Tables), "table"), bitboard.Count(len(h.Parts), "part"), len(line)-1, maxLineBytes)
	}
	seal := &sealWriter{out: out, hash: xxh3.New()}
	workers = max(1, workers)
	z, err := zstd.NewWriter(seal, zstd.WithEncoderConcurrency(min(workers, 2))) // with two, it does not wait for what it has written
	if err != nil {
		return nil, err
	}
	w := &Writer[P]{game: game, claim: claim, tables: h.Tables, out: z, seal: seal, workers: workers}
	w.texts = make([][]byte, workers*parallel.SlotsPerWorker)
	_, err = z.Write(line)
	return w, err
}

// headerLine is a header as it stands in files. Signs of HTML, of which positions have some, are not
// escaped: other readers may know no escapes.
func headerLine(h Header) ([]byte, error) {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	err := e.Encode(h)
	return line.Bytes(), err
}

// Add writes a step. It fails on one that the game or the claim does not allow, and the writer fails from then
// on. With several workers such an error, and one of writing, may come with a later step, or from Close.
func (w *Writer[P]) Add(s Step[P]) error {
	if w.workers > 1 {
		w.waiting = append(w.waiting, s)
		if len(w.waiting) < mostWaiting {
			return w.failed
		}
		return w.writeWaiting()
	}
	if w.failed == nil {
		w.line, w.failed = w.format(w.line[:0], s)
	}
	return w.write(w.line, 1)
}

// format appends the line of a step to others, unless it is not allowed.
func (w *Writer[P]) format(lines []byte, s Step[P]) ([]byte, error) {
	rec := Record{Position: w.game.Format(s.Position, s.Side), Turn: AllTurns, Rank: s.Rank}
	if s.Chosen != (s.Side == w.claim.Side) {
		return nil, fmt.Errorf("%s: a turn is chosen for %s and no one else", rec.Position, w.game.SideName(w.claim.Side))
	}
	if s.Chosen {
		var found bool
		if rec.Turn, found = bitboard.TurnName(w.game, s.Position, s.Side, s.To); !found {
			return nil, fmt.Errorf("%s: no turn leads to %s", rec.Position, w.game.Format(s.To, s.Side.Other()))
		}
	}
	return append(rec.Append(lines, w.claim.Wins), '\n'), nil
}

// write writes the lines of so many records, unless the writer has failed.
func (w *Writer[P]) write(lines []byte, records int) error {
	if w.failed == nil {
		w.positions += uint64(records)
		_, w.failed = w.out.Write(lines)
	}
	return w.failed
}

// writeWaiting writes the steps that wait, in the order in which they came, unless the writer has failed.
func (w *Writer[P]) writeWaiting() error {
	steps := w.waiting
	w.waiting = w.waiting[:0]
	if len(steps) == 0 || w.failed != nil {
		return w.failed
	}
	blocks := uint64(len(steps)+formatBlock-1) / formatBlock
	of := func(block uint64) []Step[P] {
		return steps[block*formatBlock : min((block+1)*formatBlock, uint64(len(steps)))]
	}
	err := parallel.InOrder(context.Background(), w.workers, blocks, func(_, slot int, block uint64) (lines []byte, err error) {
		lines = w.texts[slot][:0]
		for _, s := range of(block) {
			if lines, err = w.format(lines, s); err != nil {
				return nil, err
			}
		}
		w.texts[slot] = lines
		return lines, nil
	}, func(block uint64, lines []byte) error {
		return w.write(lines, len(of(block)))
	})
	w.failed = cmp.Or(w.failed, err)
	return w.failed
}

// Copy writes a record as it is. Nothing in it is looked at: it may be one that no check
// lets pass.
func (w *Writer[P]) Copy(rec Record) error {
	if err := w.writeWaiting(); err != nil {
		return err
	}
	w.line = append(rec.Append(w.line[:0], w.claim.Wins), '\n')
	return w.write(w.line, 1)
}

// Close ends the certificate. Without it, what was written is none.
func (w *Writer[P]) Close() error {
	if err := w.writeWaiting(); err != nil {
		return err
	}
	if err := w.write([]byte(endLine(w.positions)+"\n"), 0); err != nil {
		return err
	}
	if err := w.out.Close(); err != nil {
		return err
	}
	return w.seal.close()
}

// Discard waits until nothing is written any more. A certificate that was not closed stays none, and the
// writer is of no use then. It may be called at any time.
func (w *Writer[P]) Discard() { w.out.Reset(nil) }

// sealWriter hashes what it passes on.
type sealWriter struct {
	out  io.Writer
	hash *xxh3.Hasher
}

func (w *sealWriter) Write(p []byte) (int, error) {
	_, _ = w.hash.Write(p) // it never fails
	return w.out.Write(p)
}

// close writes the seal.
func (w *sealWriter) close() error {
	_, err := w.out.Write(seal(w.hash.Sum64()))
	return err
}
