package proofs_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
)

// What a header names has to be there: a claim and a root that are some in the game, and
// the very tables. A table that is missing is so by whatever checksum it is named.
func TestWhatAHeaderNamesIsThere(t *testing.T) {
	s := newShelf(t, 3, 3, 4)
	file, _ := s.prove(t, whiteWins)
	for _, change := range []struct{ name, old, new, want string }{
		{"no claim", `"white-wins"`, `"white-draws"`, "unknown claim"},
		{"a claim of no side", `"white-wins"`, `"red-wins"`, "unknown claim"},
		{"no root", `"root":"BBB/`, `"root":"BBX/`, "its root"},
		{"a root of another board", `"root":"BBB/`, `"root":"BBBB/`, "its root"},
		{"no slice", `"slice":"1v1"`, `"slice":"1v10"`, "relies on"},
		{"no metric", `"metric":"wdl"`, `"metric":"wld"`, "relies on"},
		{"a table that is missing", `"tables":[`, `"tables":[{"slice":"4v4","metric":"wdl","checksum":"0123"},`, "it is missing"},
		{"one without a checksum", `"tables":[`, `"tables":[{"slice":"4v4","metric":"wdl","checksum":""},`, "it is missing"},
	} {
		lines := text(t, file)
		if !strings.Contains(lines[0], change.old) {
			t.Fatalf("%s: %s has no %s", change.name, lines[0], change.old)
		}
		lines[0] = strings.Replace(lines[0], change.old, change.new, 1)
		if r, err := s.tryCheck(t, pack(t, lines), proofs.Options{}); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("%s: %v, %v, want %q", change.name, r.Findings, err, change.want)
		}
	}
}

// A part holds under the game, the board and the rules that it was checked with, and no others.
func TestAPartIsOfTheSameSetting(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	proved := s.proved(t, parts...)
	if !s.check(t, whole, proofs.Options{Proved: proved}).Valid() {
		t.Fatal("the whole is not valid")
	}
	for name, change := range map[string]func(*proofs.Setting){
		"game":  func(s *proofs.Setting) { s.Game = "konane" },
		"board": func(s *proofs.Setting) { s.Board = "3x5" },
		"rules": func(s *proofs.Setting) { s.Rules = strings.Replace(s.Rules, "loss", "draw", 1) },
	} {
		others := maps.Clone(proved)
		for sum, h := range others {
			change(&h.Setting)
			others[sum] = h
		}
		var need *proofs.NeedError
		if r, err := s.tryCheck(t, whole, proofs.Options{Proved: others}); !errors.As(err, &need) || !strings.Contains(err.Error(), "that is of") {
			t.Errorf("parts of another %s: %v, %v", name, r.Findings, err)
		}
	}
}

// unreadable are tables that have checksums, and values that can't be read.
type unreadable struct{ *shelf }

func (unreadable) ProbeAll(context.Context, bitboard.Metric, []fanorona.Position, []bitboard.Outcome) error {
	return errDisk
}

// Tables that can't be read are an error, and prove nothing: of a root in them, and of
// turns that lead there.
func TestWhatCannotBeProbedIsAnError(t *testing.T) {
	s := newShelf(t, 3, 3, 4)
	file, _ := s.prove(t, whiteWins)
	for name, file := range map[string][]byte{
		"records": file,
		"a root":  s.forged(t, "white-wins", "..B/.../W.. w"),
	} {
		opened, err := open(file)
		if err != nil {
			t.Fatal(err)
		}
		setting := opened.Header.Setting
		if r, err := proofs.Check(t.Context(), setting, s.game, unreadable{s}, opened, proofs.Options{}); !errors.Is(err, errDisk) {
			t.Errorf("%s: %v, %v, want the disk's error", name, r.Findings, err)
		}
	}
}

// A check that is stopped shows nothing, however far it came.
func TestWhatIsStoppedIsNotValid(t *testing.T) {
	s := newShelf(t, 5, 5, 4)
	file, _ := s.prove(t, blackNotLost)
	opened, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	stopped := func(at int) (told int, r proofs.Report, err error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, err = proofs.Check(ctx, s.setting, s.game, s, opened, proofs.Options{Progress: func(int64, int64) {
			if told++; told == at {
				cancel()
			}
		}})
		return told, r, err
	}
	all, r, err := stopped(0)
	if err != nil || !r.Valid() || all < 10 {
		t.Fatalf("told %d times: %v, %v", all, r.Findings, err)
	}
	for at := 1; at <= all; at++ {
		if _, r, err := stopped(at); !errors.Is(err, context.Canceled) || r.Valid() {
			t.Errorf("stopped when it was told for time %d of %d: %v, %v", at, all, r.Findings, err)
		}
	}
}

// failsOnce is a file on a disk of which one byte can't be read after it was so many times.
type failsOnce struct {
	io.ReaderAt
	bad   int64
	times int
}

func (f *failsOnce) ReadAt(p []byte, offset int64) (int, error) {
	if offset <= f.bad && f.bad < offset+int64(len(p)) {
		if f.times--; f.times == -1 {
			return 0, errDisk
		}
	}
	return f.ReaderAt.ReadAt(p, offset)
}

// Nor does a check of a file that can't be read to its end, for the first or the second time: for
// one reading it has too little memory.
func TestWhatCannotBeReadOnIsNotValid(t *testing.T) {
	s := newShelf(t, 5, 5, 4)
	file, _ := s.prove(t, whiteNotLost) // of several blocks
	at := &failsOnce{ReaderAt: bytes.NewReader(file), bad: -1}
	opened, err := proofs.Open(at, int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for bad := int64(len(file) * 7 / 10); bad < int64(len(file))-16; bad += 9973 {
		for times := range 2 {
			at.bad, at.times = bad, times
			if r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{Memory: 1 << 16}); !errors.Is(err, errDisk) || r.Valid() {
				t.Errorf("byte %d, read %d times: %v, %v", bad, times, r.Findings, err)
			}
		}
	}
}
