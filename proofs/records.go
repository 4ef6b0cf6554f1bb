package proofs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"paika/bitboard"
)

// CheckerVersion is raised when Check, or the rules of a game, come to accept less than
// before: what an older one accepted is to be checked again.
const CheckerVersion = 3

// AllTurns is the turn of a record in which the opponent of the claim's side moves.
const AllTurns = "*"

// Record is a line of a certificate as it stands there. Nothing in it is checked but
// its form.
type Record struct {
	Position string
	Turn     string // AllTurns, or one in the game's notation
	Rank     uint32 // "wins" only
}

// ParseRecord takes a line apart. What it has of one that is wrong says where.
func ParseRecord(line string, wins bool) (rec Record, err error) {
	want := 2
	if wins {
		want = 3
	}
	var fields [3]string
	rest, more := line, true
	for i := range fields[:want] {
		fields[i], rest, more = strings.Cut(rest, separator)
		if i == 0 {
			rec.Position = fields[0]
		}
		if more != (i < want-1) {
			return rec, fmt.Errorf("%s, want %d", bitboard.Count(strings.Count(line, separator)+1, "field"), want)
		}
	}
	rec.Turn = fields[1]
	if wins {
		rank, err := strconv.ParseUint(fields[2], 10, 32)
		if err != nil {
			return rec, fmt.Errorf("rank %s: want a number below 2^32", bitboard.Quote(fields[2]))
		}
		rec.Rank = uint32(rank)
	}
	return rec, nil
}

// Append appends the line of a record, without its end. The rank stands there if the
// claim is a win.
func (r Record) Append(line []byte, wins bool) []byte {
	line = append(line, r.Position...)
	line = append(line, separator...)
	line = append(line, r.Turn...)
	if wins {
		line = append(line, separator...)
		line = strconv.AppendUint(line, uint64(r.Rank), 10)
	}
	return line
}

// Records gives the records of a certificate of that claim in the order of the file,
// and at last an error where the file is not whole, or not the one of that checksum. It
// wraps ErrFormat unless reading itself failed.
func (f *File) Records(claim Claim, sum string) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		r, err := f.records()
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer r.zstd.Close()
		for {
			line, err := r.next()
			var rec Record
			switch {
			case err == nil:
				rec, err = ParseRecord(string(line), claim.Wins)
			case errors.Is(err, io.EOF) && checksum(r.hash.Sum64()) != sum:
				err = errChanges
			case errors.Is(err, io.EOF):
				return
			}
			if err != nil {
				err = r.malformed(err)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}

// Digest is the SHA-256 of all bytes of the file, in hex: unlike the checksum in its
// seal, nobody can forge it. Errors are those of CopyTo.
func (f *File) Digest(ctx context.Context) (string, error) { return f.CopyTo(ctx, io.Discard) }

// OpenedDigest is the SHA-256, in hex, of what was read when the file was opened: the line of its header, and
// its seal. Digest is of the bytes that are there by then, which may be others.
func (f *File) OpenedDigest() string {
	sum := sha256.Sum256(append(slices.Clone(f.line), f.seal...))
	return hex.EncodeToString(sum[:])
}

// CopyTo writes all bytes of the file, and gives the SHA-256 of what it wrote, in hex. So it is the digest of
// what was checked: where these are not the bytes that were read before, the error wraps ErrFormat. A file that
// grows is to be read to its end before.
func (f *File) CopyTo(ctx context.Context, out io.Writer) (digest string, err error) {
	hash := sha256.New()
	var keyed maphash.Hash
	keyed.SetSeed(f.key)
	sealed := f.size - int64(len(f.seal))
	if err := copyAll(ctx, io.MultiWriter(hash, &keyed, out), io.NewSectionReader(f.at, 0, sealed)); err != nil {
		return "", err
	}
	var end bytes.Buffer
	if err := copyAll(ctx, io.MultiWriter(hash, &end, out), io.NewSectionReader(f.at, sealed, int64(len(f.seal)))); err != nil {
		return "", err
	}
	if !bytes.Equal(end.Bytes(), f.seal) || !f.stays(keyed.Sum64()) {
		return "", fmt.Errorf("%w: %w", ErrFormat, errChanges)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// copyAll copies until the end, or until the context is done.
func copyAll(ctx context.Context, out io.Writer, from io.Reader) error {
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		switch _, err := io.CopyN(out, from, 8<<20); err {
		case nil:
		case io.EOF:
			return nil
		default:
			return err
		}
	}
}

// Size is that of the file in bytes, or math.MaxInt64 of one that grows and was not read to its end.
func (f *File) Size() int64 { return f.size }
