package tablebase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
)

// SliceFile is the file of a slice that is to be stored. Its methods are for one
// goroutine at a time.
type SliceFile struct {
	into  *Tables
	from  *Tables // over the file
	slice bitboard.Slice
	info  SliceInfo
}

// OpenSlice takes up the file of a slice, of so many bytes, and holds what its document says
// against the game and against the size of the file. The file stays in use.
//
// Errors: *SliceFileError, and those of the source.
func (t *Tables) OpenSlice(s bitboard.Slice, source io.ReaderAt, size int64) (*SliceFile, error) {
	name := t.space.SliceName(s)
	document, err := readDocument(source, size)
	if err != nil {
		return nil, t.failedFile(name, err)
	}
	f := &SliceFile{into: t, slice: s}
	if f.info, err = t.parseDocument(s, document); err != nil {
		return nil, t.failedFile(name, err)
	}
	chunks, err := findInFile(source, uint64(lengthBytes+len(document)), f.info, uint64(size))
	if err != nil {
		return nil, t.failedFile(name, err)
	}
	from := newStore("", t.store.id, t.store.opts)
	from.codec, from.past = t.store.codec, chunks
	from.manifests[t.metric].slices = []SliceInfo{f.info}
	f.from = from.Tables(t.metric, t.space)
	return f, nil
}

// errFile marks what is wrong with a file, beside errors of reading it.
type errFile struct{ error }

func wrong(format string, args ...any) error { return errFile{fmt.Errorf(format, args...)} }

// failedFile says which file is wrong. Other errors stay as they are.
func (t *Tables) failedFile(name string, err error) error {
	var of errFile
	if errors.As(err, &of) {
		return &SliceFileError{t.metric, name, of.error}
	}
	return fmt.Errorf("%s: %w", SliceFileName(name, t.metric), err)
}

// readAt fills a buffer.
func readAt(source io.ReaderAt, buffer []byte, offset uint64) error {
	n, err := source.ReadAt(buffer, int64(offset))
	switch {
	case n == len(buffer):
		return nil
	case err == io.EOF:
		return wrong("it was cut short")
	}
	return err
}

// readDocument reads what a file begins with.
func readDocument(source io.ReaderAt, size int64) ([]byte, error) {
	var length [lengthBytes]byte
	if err := readAt(source, length[:], 0); err != nil {
		return nil, err
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxDocument || int64(n) > size {
		return nil, wrong("it is no file of a slice")
	}
	document := make([]byte, n)
	return document, readAt(source, document, lengthBytes)
}

// parseDocument reads what a document says of a slice, in the one form that is written.
func (t *Tables) parseDocument(s bitboard.Slice, text []byte) (info SliceInfo, err error) {
	list, err := parseManifest(text, t.store.id, t.metric)
	if err != nil {
		return info, wrong("%w", err)
	}
	if len(list.slices) != 1 || list.slices[0].Name != t.space.SliceName(s) {
		return info, wrong("it is of another slice")
	}
	if err := checkList(t.metric, list.slices); err != nil {
		return info, wrong("%w", err)
	}
	info = list.slices[0]
	if again, err := newManifest(t.store.id, t.metric, list.slices); err != nil || !bytes.Equal(again.text, text) {
		return info, wrong("what it says of slice %s is not in the form that is written", info.Name)
	}
	if err := checkIndices(info, t.space.Indices(s)); err != nil {
		return info, wrong("%w", err)
	}
	return info, info.checkCounts(t.metric, t.space.Positions(s))
}

// checkCounts wants counts that so many positions can have.
func (i SliceInfo) checkCounts(m bitboard.Metric, positions uint64) error {
	possible := func(distance int) bool {
		return distance == bitboard.UnknownDistance || m == bitboard.DTW && distance >= 0 && distance <= bitboard.MaxDistance
	}
	switch {
	case i.Positions != positions:
		return wrong("it counts %s, the game has %d", bitboard.Count(i.Positions, "position"), positions)
	case max(i.Win, i.Loss, i.Draw, i.Quiet) > positions || i.Win+i.Loss+i.Draw != positions:
		return wrong("of %s, %s, %s and %s, %d of them quiet, can't be", bitboard.Count(positions, "position"), bitboard.Count(i.Win, "win"), bitboard.Count(i.Loss, "loss"), bitboard.Count(i.Draw, "draw"), i.Quiet)
	case !possible(i.LongestWin) || !possible(i.LongestLoss):
		return wrong("the longest win and loss can't be %d and %d turns", i.LongestWin, i.LongestLoss)
	}
	return nil
}

// fileChunks is the chunks of a file, a chunkSource.
type fileChunks struct {
	source io.ReaderAt
	starts []uint64 // of the chunks, and where the last one ends
}

// findInFile finds out where each chunk is, from an offset on, in a file of so many bytes.
func findInFile(source io.ReaderAt, from uint64, info SliceInfo, size uint64) (*fileChunks, error) {
	if info.Bytes > size || info.Chunks > size/lengthBytes || size != from+info.Bytes+info.Chunks*lengthBytes {
		return nil, wrong("it has %s, which are not those of %s with %d", bitboard.Count(size, "byte"), bitboard.Count(info.Chunks, "chunk"), info.Bytes)
	}
	lengths := make([]byte, info.Chunks*lengthBytes)
	if err := readAt(source, lengths, from+info.Bytes); err != nil {
		return nil, err
	}
	c := &fileChunks{source, append(make([]uint64, 0, info.Chunks+1), from)}
	at := from
	for length := range slices.Chunk(lengths, lengthBytes) {
		n := binary.LittleEndian.Uint32(length)
		if n > mostStored {
			return nil, wrong("chunk %d has %s, want at most %d", len(c.starts)-1, bitboard.Count(n, "byte"), mostStored)
		}
		at += uint64(n)
		c.starts = append(c.starts, at)
	}
	if at != from+info.Bytes {
		return nil, wrong("its chunks have %s, want %d", bitboard.Count(at-from, "byte"), info.Bytes)
	}
	return c, nil
}

// copyValue implements chunkSource. Keys are those of the slice.
func (c *fileChunks) copyValue(key []byte, buffer *[]byte) error {
	_, _, number, ok := parseChunkKey(key)
	if !ok || number >= uint64(len(c.starts)-1) {
		return badgerdir.ErrNoKey
	}
	from, to := c.starts[number], c.starts[number+1]
	*buffer = slices.Grow((*buffer)[:0], int(to-from))[:to-from]
	return readAt(c.source, *buffer, from)
}

// Info is what the file says of the slice.
func (f *SliceFile) Info() SliceInfo { return f.info }

// LeavesOut tells whether the file leaves values out that follow from other slices.
func (f *SliceFile) LeavesOut() bool { return f.from.LeavesOut(f.slice) }

// Weigher tells how many positions indices stand for, 0 for gaps. Every bitboard.Kernel
// is one.
type Weigher interface {
	Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8
}

// Import stores the slice as the file has it, in place of one that is there, once all of
// the file was looked at: each chunk belongs to the slice and holds values, and together
// they have the checksum that the file names. Where no values are left out, they have the
// fingerprint, too, and as many wins, losses and draws. Otherwise these are what the file
// says, as the number of quiet positions always is, until the verifier derives values. It
// tells watch how many indices were looked at.
//
// Errors: *SliceFileError, ErrLookTwice, and those of Save.
func (f *SliceFile) Import(ctx context.Context, game Weigher, watch func(indices uint64)) error {
	t := f.into
	if t.store.opts.ReadOnly {
		return &SliceError{t.metric, f.info.Name, ErrReadOnly}
	}
	if f.LeavesOut() {
		if err := t.checkLook(f.slice); err != nil {
			return &SliceError{t.metric, f.info.Name, err}
		}
	}
	if err := f.check(ctx, game, watch); err != nil {
		return t.failedFile(f.info.Name, err)
	}
	if err := f.save(ctx); err != nil {
		return &SliceError{t.metric, f.info.Name, err}
	}
	return nil
}

func (f *SliceFile) save(ctx context.Context) error {
	t := f.into
	t.store.saving.Lock()
	defer t.store.saving.Unlock()
	return t.takeSlice(ctx, f.from.store, f.info)
}

// check looks at every chunk.
func (f *SliceFile) check(ctx context.Context, game Weigher, watch func(indices uint64)) error {
	var first *ChunkError
	found, err := f.from.Scan(ctx, f.info, f.from.store.opts.Workers, func(c ScannedChunk) {
		if first == nil {
			errors.As(c.Err, &first)
		}
		watch(c.First + uint64(c.Indices))
	})
	switch {
	case err != nil:
		return err
	case first != nil:
		return wrong("chunk %d: %w", first.Chunk, first.Err)
	case found.Checksum != f.info.Checksum:
		return wrong("the checksum of its values is %s, and it names %s", found.Checksum, bitboard.Shorten(f.info.Checksum))
	case f.LeavesOut():
		return nil
	case found.Fingerprint != f.info.Fingerprint:
		return wrong("the fingerprint of its values is %s, and it names %s", found.Fingerprint, bitboard.Shorten(f.info.Fingerprint))
	}
	return f.count(ctx, game)
}

// count counts the values of a slice that leaves none out.
func (f *SliceFile) count(ctx context.Context, game Weigher) error {
	all, mutex := newTally(), sync.Mutex{}
	count := func(c *chunk, number uint64) {
		one := newTally()
		from := number * chunkIndices(c.metric)
		for i, weight := range game.Weights(nil, f.slice, from, from+uint64(c.n)) {
			one.count(c.outcome(uint64(i)), uint64(weight))
		}
		mutex.Lock()
		defer mutex.Unlock()
		all.add(one)
	}
	if _, err := f.from.store.eachChunk(ctx, f.from.metric, f.info, f.from.space, count, func(uint64) {}); err != nil {
		return err
	}
	if said := f.info.tally(); said != all {
		return wrong("by value it names %d positions, distances of up to %d, and has %d, %d", said.positions, said.longest, all.positions, all.longest)
	}
	return nil
}

// tally is how many positions have a value, by value, and the longest distance.
type tally struct {
	positions [3]uint64
	longest   [3]int
}

func newTally() tally {
	none := bitboard.UnknownDistance
	return tally{longest: [...]int{none, none, none}}
}

// tally is what a manifest says.
func (i SliceInfo) tally() tally {
	t := newTally()
	t.positions[bitboard.Win], t.positions[bitboard.Loss], t.positions[bitboard.Draw] = i.Win, i.Loss, i.Draw
	t.longest[bitboard.Win], t.longest[bitboard.Loss] = i.LongestWin, i.LongestLoss
	return t
}

func (t *tally) count(o bitboard.Outcome, weight uint64) {
	if weight == 0 {
		return
	}
	t.positions[o.Value] += weight
	if o.Value != bitboard.Draw {
		t.longest[o.Value] = max(t.longest[o.Value], o.Distance)
	}
}

func (t *tally) add(other tally) {
	for v := range t.positions {
		t.positions[v] += other.positions[v]
		t.longest[v] = max(t.longest[v], other.longest[v])
	}
}
