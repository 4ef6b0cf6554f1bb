package proofs_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paika/proofs"
)

// growing is a file that is there as far as it was asked for, and up to a step more.
type growing struct {
	file  []byte
	step  int
	there int
	fails int   // once so much was asked for, if that is more than 0
	read  int64 // bytes
}

func (g *growing) ReadAt(p []byte, offset int64) (int, error) {
	for g.there < min(int(offset)+len(p), len(g.file)) {
		g.there = min(g.there+g.step, len(g.file))
		runtime.Gosched()
	}
	if g.fails > 0 && int(offset)+len(p) > g.fails {
		return 0, errDisk
	}
	n, err := bytes.NewReader(g.file[:g.there]).ReadAt(p, offset)
	g.read += int64(n)
	return n, err
}

// checkGrowing checks a certificate while it comes piece by piece.
func (s *solved[P]) checkGrowing(t testing.TB, at io.ReaderAt, o proofs.Options) (*proofs.File, proofs.Report, error) {
	opened, err := proofs.OpenGrowing(at)
	if err != nil {
		return nil, proofs.Report{}, err
	}
	r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, o)
	return opened, r, err
}

// stored is a certificate without compression: one of several blocks, so that it comes in several pieces.
func stored(t testing.TB, file []byte) []byte {
	t.Helper()
	var all []byte
	for part := range slices.Chunk([]byte(unpackText(t, file)), 4000) {
		all = append(all, raw(part)...)
	}
	return sealed(all)
}

// A certificate that grows is checked by one reading, but for its first bytes, in which the header stands. It is known
// then how large it is, what its seal says, and what the digest of all its bytes is.
func TestACertificateIsCheckedWhileItIsWritten(t *testing.T) {
	s := newShelf(t, 5, 5, 4)
	proof, _ := s.prove(t, whiteNotLost)
	file := stored(t, proof)
	if len(file) < 3<<17 {
		t.Fatalf("the file has %d bytes: want more than are read at a time", len(file))
	}
	whole, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	want := s.check(t, file, proofs.Options{})
	for _, workers := range []int{1, 3} {
		for _, step := range []int{1000, 1 << 17, len(file)} {
			at := &growing{file: file, step: step}
			opened, r, err := s.checkGrowing(t, at, proofs.Options{Workers: workers, Progress: func(done, total int64) {
				t.Errorf("progress is told, of %d bytes", total)
			}})
			if err != nil || !r.Valid() || r.Positions != want.Positions || r.Leaves != want.Leaves || r.Checksum != want.Checksum || r.Passes != 1 {
				t.Fatalf("by steps of %d: %+v, %v: want %+v", step, r, err, want)
			}
			if most := int64(len(file)) + 1<<18; at.read > most {
				t.Errorf("%d bytes were read, of %d", at.read, len(file))
			}
			if opened.Size() != int64(len(file)) || opened.Part() != whole.Part() {
				t.Errorf("of %d bytes, %v: want %d, %v", opened.Size(), opened.Part(), len(file), whole.Part())
			}
			digest, err := opened.Digest(t.Context())
			if wanted, failed := whole.Digest(t.Context()); digest != wanted || err != nil || failed != nil {
				t.Errorf("its digest is %s, %v: want %s, %v", digest, err, wanted, failed)
			}
		}
	}
}

// Where a file that grows would have to be read again, a check says so. It takes nothing for whole that is
// cut short, or of which the rest can't be read.
func TestACertificateThatGrowsIsNotReadAgain(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	proof, _ := s.prove(t, whiteWins)
	file := stored(t, proof)
	lines := text(t, proof)
	lines[len(lines)/2] = strings.Replace(lines[len(lines)/2], "\t", "?\t", 1)
	bad := stored(t, pack(t, lines))
	lines = text(t, proof)
	missing := stored(t, pack(t, slices.Delete(lines, 2, 3)))
	for name, c := range map[string]struct {
		at   *growing
		o    proofs.Options
		want error
	}{
		"memory is short":       {&growing{file: file, step: 1000}, proofs.Options{Memory: 1 << 14}, proofs.ErrReadAgain},
		"a record is none":      {&growing{file: bad, step: 1000}, proofs.Options{}, proofs.ErrReadAgain},
		"a position is missing": {&growing{file: missing, step: 1000}, proofs.Options{}, proofs.ErrReadAgain},
		"it can't be read on":   {&growing{file: file, step: 1000, fails: len(file) / 2}, proofs.Options{}, errDisk},
		"nor at its end":        {&growing{file: file, step: 1000, fails: len(file)}, proofs.Options{}, errDisk},
		"nor at its beginning":  {&growing{file: file, step: 1000, fails: 1}, proofs.Options{}, errDisk},
		"there is nothing":      {&growing{step: 1}, proofs.Options{}, proofs.ErrFormat},
	} {
		for _, workers := range []int{1, 3} {
			c.at.there, c.o.Workers = 0, workers
			if _, r, err := s.checkGrowing(t, c.at, c.o); !errors.Is(err, c.want) || r.Valid() {
				t.Errorf("%s: %+v, %v: want %v", name, r, err, c.want)
			}
		}
	}
	for cut := 1; cut < len(file); cut += 1 + len(file)/50 {
		_, r, err := s.checkGrowing(t, &growing{file: file[:len(file)-cut], step: 5000}, proofs.Options{})
		if err == nil && r.Valid() {
			t.Errorf("valid without its last %d bytes", cut)
		}
	}
	for extra := 1; extra < 40; extra++ {
		longer := append(slices.Clone(file), make([]byte, extra)...)
		if _, r, err := s.checkGrowing(t, &growing{file: longer, step: 5000}, proofs.Options{}); err == nil && r.Valid() {
			t.Errorf("valid with %d bytes more", extra)
		}
	}
}
