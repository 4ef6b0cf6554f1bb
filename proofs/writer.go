package proofs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
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

// Writer writes a certificate as its steps come. It holds none of them. It is
// for one goroutine.
type Writer[P comparable] struct {
	game      Game[P]
	claim     Claim
	tables    []Table // that the header names
	out       *zstd.Encoder
	seal      *sealWriter
	line      []byte
	positions uint64
}

// NewWriter begins a certificate. The header's format is filled in; its claim
// and root must be in the game's notation.
func NewWriter[P comparable](out io.Writer, game Game[P], h Header) (*Writer[P], error) {
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
	z, err := zstd.NewWriter(seal, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	w := &Writer[P]{game: game, claim: claim, tables: h.Tables, out: z, seal: seal}
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

// Add writes a step. It fails on one that the game or the claim does not allow.
func (w *Writer[P]) Add(s Step[P]) error {
	rec := Record{Position: w.game.Format(s.Position, s.Side), Turn: AllTurns, Rank: s.Rank}
	if s.Chosen != (s.Side == w.claim.Side) {
		return fmt.Errorf("%s: a turn is chosen for %s and no one else", rec.Position, w.game.SideName(w.claim.Side))
	}
	if s.Chosen {
		var found bool
		if rec.Turn, found = bitboard.TurnName(w.game, s.Position, s.Side, s.To); !found {
			return fmt.Errorf("%s: no turn leads to %s", rec.Position, w.game.Format(s.To, s.Side.Other()))
		}
	}
	return w.Copy(rec)
}

// Copy writes a record as it is. Nothing in it is looked at: it may be one that no check
// lets pass.
func (w *Writer[P]) Copy(rec Record) error {
	w.line = append(rec.Append(w.line[:0], w.claim.Wins), '\n')
	w.positions++
	_, err := w.out.Write(w.line)
	return err
}

// Close ends the certificate. Without it, what was written is none.
func (w *Writer[P]) Close() error {
	if _, err := io.WriteString(w.out, endLine(w.positions)+"\n"); err != nil {
		return err
	}
	if err := w.out.Close(); err != nil {
		return err
	}
	return w.seal.close()
}

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
