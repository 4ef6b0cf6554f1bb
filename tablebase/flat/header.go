package flat

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"paika/bitboard"
	"paika/tablebase"
)

// FormatVersion is that of the files that are read and written.
const FormatVersion = 1

// maxHeaderBytes bounds a header: a reader finds its end in so many bytes.
const maxHeaderBytes = 4096

// FirstWord begins every file.
const FirstWord = "paika flat "

// The indices of a block. Both divide into the sections of a fingerprint.
const (
	wdlBlockIndices = 1 << 16
	dtwBlockIndices = 1 << 14
)

// Suffix is behind the name of every file.
const Suffix = ".flat"

// Header says what a file is about and what it claims.
type Header struct {
	Identity tablebase.Identity
	Metric   bitboard.Metric
	Slice    string
	Indices  uint64 // gaps included

	Positions       uint64 // symmetry undone
	Win, Loss, Draw uint64
	Quiet           uint64 // decided inside the group, or over
	LongestWin      int    // turns, or bitboard.UnknownDistance
	LongestLoss     int
	Fingerprint     string // of the values: see the package tablebase
}

// NewHeader is the header of a slice that a store describes.
func NewHeader(id tablebase.Identity, m bitboard.Metric, info tablebase.SliceInfo) Header {
	return Header{
		Identity: id, Metric: m, Slice: info.Name, Indices: info.Indices,
		Positions: info.Positions, Win: info.Win, Loss: info.Loss, Draw: info.Draw, Quiet: info.Quiet,
		LongestWin: info.LongestWin, LongestLoss: info.LongestLoss, Fingerprint: info.Fingerprint,
	}
}

// FileName is the name of the file of a slice in a metric.
func FileName(slice string, m bitboard.Metric) string { return slice + "." + m.String() + Suffix }

// IsFileName tells whether a name is of the form of FileName. Other files mean nothing.
func IsFileName(name string) bool {
	return strings.HasSuffix(name, FileName("", bitboard.WDL)) || strings.HasSuffix(name, FileName("", bitboard.DTW))
}

// FileName is the name that the file ought to have.
func (h Header) FileName() string { return FileName(h.Slice, h.Metric) }

// blockIndices is how many indices the blocks of a metric have.
func blockIndices(m bitboard.Metric) uint64 {
	if m == bitboard.DTW {
		return dtwBlockIndices
	}
	return wdlBlockIndices
}

// blockBytes is the length of the values of n indices.
func blockBytes(m bitboard.Metric, n uint64) uint64 {
	if m == bitboard.DTW {
		return 2 * n
	}
	return (n + 3) / 4
}

// frameExtra is what a compressed block can have more than its values, in bytes.
const frameExtra = 1 << 10

// mostFrame bounds a compressed block, in bytes.
func (h Header) mostFrame() uint64 {
	return blockBytes(h.Metric, blockIndices(h.Metric)) + frameExtra
}

// blocks is how many blocks the file has.
func (h Header) blocks() uint64 {
	size := blockIndices(h.Metric)
	return h.Indices/size + min(1, h.Indices%size)
}

// span is the indices of a block: those from lo on and below hi.
func (h Header) span(block uint64) (lo, hi uint64) {
	lo = block * blockIndices(h.Metric)
	return lo, min(h.Indices, lo+blockIndices(h.Metric))
}

// text is the header as it stands in a file.
func (h Header) text() []byte {
	var b bytes.Buffer
	line := func(key string, value any) { fmt.Fprintf(&b, "%s %v\n", key, value) }
	line("paika flat", FormatVersion)
	line("game", h.Identity.Game)
	line("board", h.Identity.Board)
	line("rules", h.Identity.Rules)
	line("metric", h.Metric)
	line("slice", h.Slice)
	line("indices", h.Indices)
	line("positions", h.Positions)
	line("wins", h.Win)
	line("losses", h.Loss)
	line("draws", h.Draw)
	line("quiet", h.Quiet)
	line("longest-win", orDash(h.LongestWin))
	line("longest-loss", orDash(h.LongestLoss))
	line("fingerprint", h.Fingerprint)
	line("block-indices", blockIndices(h.Metric))
	line("blocks", h.blocks())
	b.WriteByte('\n')
	return b.Bytes()
}

const noDistance = "-"

func orDash(distance int) string {
	if distance == bitboard.UnknownDistance {
		return noDistance
	}
	return strconv.Itoa(distance)
}

// parseHeader reads the header that some bytes begin with, and gives its length.
// Only what text writes is one.
func parseHeader(file []byte) (h Header, length int, err error) {
	if !bytes.HasPrefix(file, []byte(FirstWord)) {
		return h, 0, ErrNotFlat
	}
	version, _, _ := bytes.Cut(file[len(FirstWord):], []byte("\n"))
	if n, err := strconv.ParseUint(string(version), 10, 31); err == nil && n > FormatVersion {
		return h, 0, fmt.Errorf("%w: format %d, this program reads format %d", tablebase.ErrNewerFormat, n, FormatVersion)
	}
	end := bytes.Index(file, []byte("\n\n"))
	if end < 0 || end+2 > maxHeaderBytes {
		return h, 0, fmt.Errorf("%w: it has no end", ErrHeader)
	}
	length = end + 2
	if h, err = parseLines(string(file[:end])); err != nil {
		return h, 0, err
	}
	if !bytes.Equal(h.text(), file[:length]) {
		return h, 0, fmt.Errorf("%w: it is not in the form that is written", ErrHeader)
	}
	return h, length, nil
}

// parseLines reads what stands behind each key, whatever the keys are: the caller
// compares the whole.
func parseLines(text string) (h Header, err error) {
	values := make(map[string]string)
	for line := range strings.SplitSeq(text, "\n") {
		key, value, _ := strings.Cut(line, " ")
		values[key] = value
	}
	number := func(key string) uint64 {
		n, numberErr := strconv.ParseUint(values[key], 10, 64)
		if numberErr != nil && err == nil {
			err = fmt.Errorf("%w: %s %s is no number", ErrHeader, key, bitboard.Quote(values[key]))
		}
		return n
	}
	distance := func(key string) int {
		if values[key] == noDistance {
			return bitboard.UnknownDistance
		}
		n := number(key)
		if n > bitboard.MaxDistance && err == nil {
			err = fmt.Errorf("%w: %s %d is no distance", ErrHeader, key, n)
		}
		return int(min(n, bitboard.MaxDistance))
	}
	h = Header{
		Identity: tablebase.Identity{Game: values["game"], Board: values["board"], Rules: values["rules"]},
		Slice:    values["slice"], Indices: number("indices"),
		Positions: number("positions"), Win: number("wins"), Loss: number("losses"), Draw: number("draws"), Quiet: number("quiet"),
		LongestWin: distance("longest-win"), LongestLoss: distance("longest-loss"), Fingerprint: values["fingerprint"],
	}
	if err != nil {
		return h, err
	}
	if h.Metric, err = bitboard.ParseMetric(values["metric"]); err != nil {
		return h, fmt.Errorf("%w: %w", ErrHeader, err)
	}
	if h.Indices == 0 || h.Indices >= bitboard.MaxIndices {
		return h, fmt.Errorf("%w: %s", ErrHeader, bitboard.Count(h.Indices, "index"))
	}
	return h, nil
}
