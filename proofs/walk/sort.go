package walk

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"context"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A sorter sorts lines that do not fit into memory: runs of them are sorted there, kept
// in files that have no name any more where the system allows that, and merged. Whenever there
// are mostMerged runs of a level, they make one of the next, so that few files are open.
type sorter struct {
	folder string // of the files
	most   int    // bytes of a run in memory

	text   []byte // lines of the run, one after the other
	starts []int  // of each
	runs   []*run // no level after a lower one
	packer *zstd.Encoder
}

const (
	// lineCost is about what a line takes in memory beside its text, in bytes.
	lineCost = 16

	// mostMerged is how many runs are merged at a time. With runWindow, what compression of a
	// run looks back, in bytes, it bounds the memory of a merge to some 30 MiB.
	mostMerged = 32
	runWindow  = 256 << 10
)

func (s *sorter) add(ctx context.Context, line []byte) error {
	s.starts = append(s.starts, len(s.text))
	s.text = append(s.text, line...)
	if len(s.text)+lineCost*len(s.starts) < s.most {
		return nil
	}
	return s.spill(ctx)
}

// order sorts the run in memory, and gives its lines.
func (s *sorter) order() [][]byte {
	lines := make([][]byte, len(s.starts))
	for i, start := range s.starts {
		end := len(s.text)
		if i+1 < len(s.starts) {
			end = s.starts[i+1]
		}
		lines[i] = s.text[start:end]
	}
	slices.SortFunc(lines, bytes.Compare)
	return lines
}

// spill writes the run in memory to a file, and merges the levels that are full by it.
func (s *sorter) spill(ctx context.Context) error {
	err := s.keep(0, func(do func(line []byte) error) error {
		for _, line := range s.order() {
			if err := do(line); err != nil {
				return err
			}
		}
		return nil
	})
	s.text, s.starts = s.text[:0], s.starts[:0]
	for n := len(s.runs); err == nil && n >= mostMerged && s.runs[n-mostMerged].level == s.runs[n-1].level; n = len(s.runs) {
		err = s.mergeLast(ctx, mostMerged)
	}
	return err
}

// keep writes lines that come in order to a file: a run of a level.
func (s *sorter) keep(level int, lines func(do func(line []byte) error) error) error {
	file, err := os.CreateTemp(s.folder, "run-*")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // now where that can be, else when it is closed
	s.runs = append(s.runs, &run{file: file, level: level})
	if s.packer == nil {
		if s.packer, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(runWindow)); err != nil {
			return err
		}
	}
	s.packer.Reset(file)
	var text []byte
	err = lines(func(line []byte) error {
		text = append(append(text[:0], line...), '\n')
		_, err := s.packer.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return s.packer.Close()
}

// mergeLast makes one run of the last n, of the level above theirs.
func (s *sorter) mergeLast(ctx context.Context, n int) error {
	first := len(s.runs) - n
	merged := slices.Clone(s.runs[first:])
	if err := s.keep(merged[0].level+1, func(do func(line []byte) error) error { return merge(ctx, merged, do) }); err != nil {
		return err
	}
	made := s.runs[len(s.runs)-1]
	for _, r := range merged {
		r.close()
	}
	s.runs = append(s.runs[:first], made)
	return nil
}

// sorted calls do for every line, in order. A line is good until the next one comes.
func (s *sorter) sorted(ctx context.Context, do func(line []byte) error) error {
	if len(s.runs) == 0 {
		for _, line := range s.order() {
			if err := cmp.Or(ctx.Err(), do(line)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.starts) > 0 {
		if err := s.spill(ctx); err != nil {
			return err
		}
	}
	s.text, s.starts = nil, nil
	for len(s.runs) > mostMerged {
		if err := s.mergeLast(ctx, min(mostMerged, len(s.runs)-mostMerged+1)); err != nil {
			return err
		}
	}
	return merge(ctx, s.runs, do)
}

// merge calls do for every line of some runs, in order.
func merge(ctx context.Context, all []*run, do func(line []byte) error) error {
	var waiting runs
	for _, r := range all {
		switch err := r.begin(); {
		case err == nil:
			waiting = append(waiting, r)
		case !errors.Is(err, io.EOF):
			return err
		}
	}
	heap.Init(&waiting)
	for len(waiting) > 0 {
		first := waiting[0]
		if err := cmp.Or(ctx.Err(), do(first.line)); err != nil {
			return err
		}
		switch err := first.next(); {
		case err == nil:
			heap.Fix(&waiting, 0)
		case errors.Is(err, io.EOF):
			heap.Pop(&waiting)
		default:
			return err
		}
	}
	return nil
}

// close gives memory and files back.
func (s *sorter) close() {
	for _, r := range s.runs {
		r.close()
	}
	*s = sorter{}
}

// A run is sorted lines in a file.
type run struct {
	file  *os.File
	level int // how many times its lines were merged
	zstd  *zstd.Decoder
	lines *bufio.Reader
	line  []byte // at hand
}

func (r *run) begin() (err error) {
	if _, err := r.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if r.zstd, err = zstd.NewReader(r.file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true)); err != nil {
		return err
	}
	r.lines = bufio.NewReaderSize(r.zstd, mostLine+1)
	return r.next()
}

func (r *run) next() error {
	line, err := r.lines.ReadSlice('\n')
	if err == nil {
		r.line = line[:len(line)-1]
	}
	return err
}

func (r *run) close() {
	if r.zstd != nil {
		r.zstd.Close()
	}
	r.file.Close()
	os.Remove(r.file.Name())
}

// runs is a heap by the lines at hand.
type runs []*run

func (r runs) Len() int           { return len(r) }
func (r runs) Less(i, j int) bool { return cmp.Compare(string(r[i].line), string(r[j].line)) < 0 }
func (r runs) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *runs) Push(x any)        { *r = append(*r, x.(*run)) }

func (r *runs) Pop() any {
	last := len(*r) - 1
	popped := (*r)[last]
	*r = (*r)[:last]
	return popped
}
