package proofs_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
)

// readersVariable asks, if it is "required", for tests of programs in other languages to
// fail, not to be skipped, where a compiler or a library is missing.
const readersVariable = "PAIKA_READER_TESTS"

// checker compiles the checker in C, and gives a function that runs it on a file. It
// tells whether the file is valid, and what was printed.
func checker(t *testing.T) func(file []byte) (valid bool, said string) {
	t.Helper()
	folder := t.TempDir()
	program := filepath.Join(folder, "check")
	compiled, err := exec.CommandContext(t.Context(), "gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", program, "checker/check.c", "-lzstd", "-lxxhash").CombinedOutput()
	if err != nil && os.Getenv(readersVariable) != "required" {
		t.Skip("the checker in C needs gcc, libzstd-dev and libxxhash-dev")
	} else if err != nil {
		t.Fatalf("the checker in C: %v: %s", err, compiled)
	}
	path := filepath.Join(folder, "certificate")
	return func(file []byte) (bool, string) {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		said, err := exec.CommandContext(t.Context(), program, path).CombinedOutput()
		var status *exec.ExitError
		if errors.As(err, &status) && (status.ExitCode() == 1 || status.ExitCode() == 2) {
			return false, string(said)
		} else if err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		return true, string(said)
	}
}

// TestCheckersAgree has certificates checked by the program in C, which was written from
// FORMAT.md: those of whole games, and as many that were changed.
func TestCheckersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("another program checks each certificate")
	}
	check := checker(t)
	rng := rand.New(rand.NewPCG(5, 6))
	both := map[bool]int{}
	for _, rules := range []map[string]string{
		nil,
		{"stalemate": "draw", "direction-rule": "no-repeat-or-reverse"},
		{"direction-rule": "never-twice"},
	} {
		f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, rules)
		for i := range 300 {
			s := f.seeds[rng.IntN(len(f.seeds))]
			if i%3 == 0 {
				s = f.lies[rng.IntN(len(f.lies))]
			}
			if len(s.parts) > 0 {
				continue
			}
			text := s.text
			for range rng.IntN(3) {
				text = f.change(t, rng, text)
			}
			file := packText(t, withEnd(text))
			if rng.IntN(10) == 0 {
				file = damage(rng, file)
			}
			want := f.judgeFile(t, file, nil)
			if valid, said := check(file); valid != want {
				t.Fatalf("valid is %v, want %v: %s\n%s", valid, want, said, text)
			}
			both[want]++
		}
	}
	if both[true] < 100 || both[false] < 100 {
		t.Errorf("%d certificates are valid and %d are not: the test is worth little", both[true], both[false])
	}
	for _, board := range []bitboard.Board{{Width: 5, Height: 3}, {Width: 3, Height: 5}, {Width: 5, Height: 5}} {
		s := newShelf(t, board.Width, board.Height, 0)
		for _, side := range []bitboard.Side{0, 1} {
			file, claim := s.prove(t, proofs.Claim{Side: side})
			if valid, said := check(file); !valid || !strings.Contains(said, ", the start position: valid, ") {
				t.Errorf("%v, %v: %s", board, claim, said)
			}
		}
	}
}

// A board has one spelling: " 3x3" is none.
func TestTheCheckerInCReadsABoardAsItIsWritten(t *testing.T) {
	check := checker(t)
	text := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil).seeds[0].text
	for _, board := range []string{"3x3", " 3x3", "3x 3", "3x3 ", "03x3", "3x", "3", "", "0x3", "3x0", "9x9", "3y3"} {
		file := packText(t, withEnd(strings.Replace(text, `"board":"3x3"`, `"board":"`+board+`"`, 1)))
		if valid, said := check(file); valid != (board == "3x3") {
			t.Errorf("board %q: %s", board, said)
		}
	}
}

// There is one blank before the side to move, in a record as in the root.
func TestCheckersAgreeOnBlanks(t *testing.T) {
	check := checker(t)
	f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil)
	text := f.seeds[0].text
	for _, changed := range []string{text, strings.Replace(text, " b\t*", "  b\t*", 1), strings.Replace(text, ` w",`, `  w",`, 1)} {
		file := packText(t, withEnd(changed))
		if valid, said := check(file); valid != (changed == text) {
			t.Errorf("%s\n%s", said, changed)
		}
		if changed == text {
			continue
		}
		if r, err := f.all.tryCheck(t, file, proofs.Options{}); err == nil && r.Valid() {
			t.Errorf("paika finds it valid: %s", changed)
		}
	}
}

// forgerOf is a forger of certificates of Fanorona without tables.
func forgerOf(t *testing.T, board bitboard.Board, options map[string]string) *forger[fanorona.Position] {
	t.Helper()
	rules, err := fanorona.ParseRules(options)
	if err != nil {
		t.Fatal(err)
	}
	game, err := fanorona.New(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	setting := proofs.Setting{Game: "fanorona", Board: board.String(), Rules: rules.String()}
	return newForger(t, setting, bitboard.Game[fanorona.Position](game), 0, 4)
}
