package proofs

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"
)

// Extract is the first plies of certificates of one position that were checked: what a
// program brings along to show that a game is solved. It proves nothing by itself; it
// says which files do.
//
// The file is one zstd stream of text in lines, sealed as a certificate is: the heading
// as JSON, then the records, each with the number of its certificate in the heading
// before it, and the line "end" with the number of records.
type Extract struct {
	ExtractHeading
	Records []map[string]Record // of each certificate, by position
}

// ExtractHeading says what an extract is of.
type ExtractHeading struct {
	Format       int         `json:"extract"` // the format of extracts
	Certificates []Extracted `json:"certificates"`
}

// Extracted is a certificate of which an extract has some records.
type Extracted struct {
	Header    Header `json:"header"`
	File      string `json:"file"`      // its name when it was checked
	Checksum  string `json:"checksum"`  // in its seal
	SHA256    string `json:"digest"`    // of all its bytes
	Bytes     int64  `json:"bytes"`     // likewise
	Plies     int    `json:"plies"`     // from the root: positions that are farther have no record
	Positions uint64 `json:"positions"` // of the whole certificate
	Leaves    uint64 `json:"leaves"`    // of its turns that lead into tables
	Checked   string `json:"checked"`   // the day on which it was found valid
	Program   string `json:"program"`   // that checked it
}

// ExtractFormat is the format of extracts that is written and read.
const ExtractFormat = 1

// mostExtracted bounds the bytes of an extract's lines: it is held in memory.
const mostExtracted = 64 << 20

// WriteExtract writes an extract.
func WriteExtract(out io.Writer, e *Extract) error {
	heading, err := json.Marshal(e.ExtractHeading)
	if err != nil {
		return err
	}
	if len(heading) > maxLineBytes {
		return fmt.Errorf("%w: the heading of an extract takes %d bytes, and %d are allowed", ErrTooLong, len(heading), maxLineBytes)
	}
	sealed := &sealWriter{out: out, hash: xxh3.New()}
	z, err := zstd.NewWriter(sealed, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	if err != nil {
		return err
	}
	text := append(heading, '\n')
	n := uint64(0)
	for i, records := range e.Records {
		wins := strings.HasSuffix(e.Certificates[i].Header.Claim, winsSuffix)
		for _, position := range slices.Sorted(maps.Keys(records)) {
			text = append(strconv.AppendInt(text, int64(i), 10), separator...)
			text = append(records[position].Append(text, wins), '\n')
			n++
		}
	}
	text = append(text, endLine(n)+"\n"...)
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return sealed.close()
}

// ReadExtract reads an extract of that many bytes. Errors wrap ErrFormat unless reading
// itself failed.
func ReadExtract(at io.ReaderAt, size int64) (*Extract, error) {
	r, err := begin(at, size)
	if err != nil {
		return nil, err
	}
	defer r.zstd.Close()
	e, err := r.extract()
	if err != nil {
		return nil, r.malformed(err)
	}
	return e, nil
}

func (r *reader) extract() (*Extract, error) {
	line, err := r.line()
	if err != nil {
		return nil, err
	}
	e := new(Extract)
	if err := checkKeys(line); err != nil {
		return nil, err
	}
	if err := strictly(line, &e.ExtractHeading); err != nil {
		return nil, errHeader(err)
	}
	if e.Format != ExtractFormat {
		return nil, fmt.Errorf("extract of format %d, want %d", e.Format, ExtractFormat)
	}
	for _, c := range e.Certificates {
		if c.Header.Format != FormatVersion {
			return nil, fmt.Errorf("format %d, want %d", c.Header.Format, FormatVersion)
		}
		e.Records = append(e.Records, make(map[string]Record))
	}
	for bytes := 0; ; {
		text, err := r.next()
		if errors.Is(err, io.EOF) {
			return e, nil
		}
		if err == nil {
			err = e.take(string(text))
		}
		if bytes += len(text); err == nil && bytes > mostExtracted {
			err = fmt.Errorf("its lines take more than %d MiB", mostExtracted>>20)
		}
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", r.records, err)
		}
	}
}

// take takes in the line of a record.
func (e *Extract) take(text string) error {
	number, line, _ := strings.Cut(text, separator)
	i, err := strconv.ParseUint(number, 10, 8)
	if err != nil || i >= uint64(len(e.Certificates)) {
		return errors.New("it is of no certificate of the heading")
	}
	rec, err := ParseRecord(line, strings.HasSuffix(e.Certificates[i].Header.Claim, winsSuffix))
	if err != nil {
		return err
	}
	if _, twice := e.Records[i][rec.Position]; twice {
		return errors.New("the position stands there twice")
	}
	e.Records[i][rec.Position] = rec
	return nil
}
