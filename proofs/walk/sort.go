package walk

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"errors"
	"io"
	"os"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// A sorter sorts lines that do not fit into memory: runs of them are sorted there, kept
// in files that have no name any more where the system allows that, and merged.
type sorter struct {
	folder string // of the files
	most   int    // bytes of a run in memory

	text   []byte // lines of the run, one after the other
	starts []int  // of each
	runs   []*run
}

// lineCost is about what a line takes in memory beside its text, in bytes.
const lineCost = 16

// runWindow is what compression of a run looks back, in bytes: it bounds the memory of
// a merge.
const runWindow = 256 << 10

func (s *sorter) add(line []byte) error {
	s.starts = append(s.starts, len(s.text))
	s.text = append(s.text, line...)
	if len(s.text)+lineCost*len(s.starts) < s.most {
		return nil
	}
	return s.spill()
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

// spill writes the run in memory to a file.
func (s *sorter) spill() error {
	file, err := os.CreateTemp(s.folder, "run-*")
	if err != nil {
		return err
	}
	os.Remove(file.Name()) // now where that can be, else when it is closed
	s.runs = append(s.runs, &run{file: file})
	out, err := zstd.NewWriter(file, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(runWindow))
	if err != nil {
		return err
	}
	for _, line := range s.order() {
		if _, err := out.Write(append(line[:len(line):len(line)], '\n')); err != nil {
			return err
		}
	}
	s.text, s.starts = s.text[:0], s.starts[:0]
	return out.Close()
}

// sorted calls do for every line, in order. A line is good until the next one comes.
func (s *sorter) sorted(do func(line []byte) error) error {
	if len(s.runs) == 0 {
		for _, line := range s.order() {
			if err := do(line); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.starts) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.text, s.starts = nil, nil
	var waiting runs
	for _, r := range s.runs {
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
		if err := do(first.line); err != nil {
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
