package proofs_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"paika/proofs"
)

// twoFaced makes two certificates of one header, that have other records, as many, and the
// same seal. Each has the records of both, of which one stands behind signs that make no record of it:
// two bytes change places, the end of a line and a sign. Other lines are no records.
//
// XXH3 multiplies the halves of a word, each with a secret that everybody knows added by bits, and
// adds the word and the product to sums. Where two words of one sum have one lower half, and their
// secrets one byte of the upper half, these bytes of theirs may change places.
func twoFaced(t *testing.T, header, one, other string) (a, b []byte) {
	t.Helper()
	const (
		first, second = 256, 320 // where the words stand: in one block, and for one sum
		length        = 600
	)
	lower := map[int]string{first: "maaa", second: "$BWR"} // alike once the secrets are added, cb79e64e and 825ad07d
	var text []byte
	fill := func(end int) { text = append(text, bytes.Repeat([]byte("-"), end-rawHead-len(text))...) }
	text = append(text, header...)
	for i, record := range []string{one, other} {
		at := []int{first, second}[i]
		fill(at)
		text = append(text, lower[at]+"\n-"[i:i+1]+record...)
	}
	fill(length)
	text = append(text, "\nend\t4\n"...)
	file := raw(text)
	turned := bytes.Clone(file)
	turned[first+4], turned[second+4] = file[second+4], file[first+4]
	return sealed(file), sealed(turned)
}

// rawHead is where the text of a raw frame begins, in bytes.
const rawHead = 9

// raw is a frame that holds a text of at most 4 KiB as it is, in one block.
func raw(text []byte) []byte {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 0x10} // a window of 4 KiB
	size := uint32(len(text))<<3 | 1                 // a raw block, the last one
	return append(append(frame, byte(size), byte(size>>8), byte(size>>16)), text...)
}

// changing is a file that is another one once it was read so many times.
type changing struct {
	before, after []byte
	stays         int // times that it is read as before
	times         int
}

func (c *changing) ReadAt(p []byte, offset int64) (int, error) {
	if offset == 0 {
		c.times++
	}
	if c.times > c.stays {
		return bytes.NewReader(c.after).ReadAt(p, offset)
	}
	return bytes.NewReader(c.before).ReadAt(p, offset)
}

// falseIfChanged are two certificates of a false claim and one seal: the first has the root, and
// the second a turn that wins elsewhere.
func falseIfChanged(t *testing.T, s *shelf) (before, after []byte) {
	t.Helper()
	const root = "BBB/B.B/..W w"
	header := fmt.Sprintf(`{"format":1,"game":"fanorona","board":"3x3","rules":%q,"claim":"white-wins","root":%q,"tables":[]}`+"\n", s.setting.Rules, root)
	before, after = twoFaced(t, header, root+"\tc1-c2\t2\n", ".../.../W.B w\ta1-b1A\t1\n")
	if bytes.Equal(before, after) || xxh3.Hash(before[:len(before)-16]) != xxh3.Hash(after[:len(after)-16]) {
		t.Fatal("the files are no two of one seal")
	}
	return before, after
}

// A file that changes while it is checked shows nothing, though its seal fits all the time:
// positions of the one are no answer to turns of the other.
func TestAFileThatChangesIsNotValid(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	before, after := falseIfChanged(t, s)
	for name, file := range map[string][]byte{"before": before, "after": after} {
		if r := s.check(t, file, proofs.Options{}); r.Valid() || r.Positions != 4 {
			t.Errorf("%s: %d positions, %v", name, r.Positions, r.Findings)
		}
	}
	opened, err := proofs.Open(&changing{before: before, after: after, stays: 2}, int64(len(before)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, 5, "changes while it is read")
}

// The digest is that of the bytes that were checked, or none: other bytes of the same seal have no part in it,
// nor has another seal.
func TestTheDigestIsOfWhatWasChecked(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	before, after := falseIfChanged(t, s)
	reseal := bytes.Clone(before)
	reseal[len(reseal)-1] ^= 1
	for name, other := range map[string][]byte{"one seal": after, "another seal": reseal, "the same": before} {
		at := &changing{before: before, after: other, stays: math.MaxInt}
		opened, err := proofs.Open(at, int64(len(before)))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{}); err != nil {
			t.Fatal(err)
		}
		at.stays = 0
		digest, err := opened.Digest(t.Context())
		if name == "the same" {
			if want := fmt.Sprintf("%x", sha256.Sum256(before)); digest != want || err != nil {
				t.Errorf("%s: %s, %v, want %s", name, digest, err, want)
			}
		} else if !errors.Is(err, proofs.ErrFormat) || digest != "" {
			t.Errorf("%s: %s, %v, want no digest", name, digest, err)
		}
	}
}

// A file without a fault is read once where memory holds its records and their turns, twice where it holds
// the records alone, and else twice in each pass.
func TestAFileIsReadNoMoreThanMemoryWants(t *testing.T) {
	s := newShelf(t, 5, 5, 4)
	for _, claim := range []proofs.Claim{whiteNotLost, {Side: 0, Wins: true}} {
		s, memory := s, uint64(16<<20)
		if claim.Wins {
			s, memory = newShelf(t, 5, 3, 4), 8<<20
		}
		file, _ := s.prove(t, claim)
		read := make(map[[2]int]bool)
		for ; !read[[2]int{2, 3}]; memory = memory * 2 / 3 {
			for _, workers := range []int{1, 3} {
				at := &changing{before: file, stays: math.MaxInt}
				opened, err := proofs.Open(at, int64(len(file)))
				if err != nil {
					t.Fatal(err)
				}
				at.times = 0
				r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{Workers: workers, Memory: memory})
				if err != nil || !r.Valid() || r.Positions == 0 {
					t.Fatalf("%v within %d bytes: %v, %v", claim, memory, r.Findings, err)
				}
				if want := 2 * r.Passes; at.times != want && (r.Passes > 1 || at.times != 1) {
					t.Errorf("%v within %d bytes: read %d times in %d passes", claim, memory, at.times, r.Passes)
				}
				read[[2]int{min(r.Passes, 2), min(at.times, 3)}] = true
			}
		}
		for _, want := range [][2]int{{1, 1}, {1, 2}, {2, 3}} {
			if !read[want] {
				t.Errorf("%v: never read %d times in %d passes: %v", claim, want[1], want[0], read)
			}
		}
	}
}

// A file that is damaged once a pass has found it good shows nothing: later passes see nothing of
// the turns that they are to see to.
func TestAFileThatIsDamagedBetweenPassesIsNotValid(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	proof, _ := s.prove(t, whiteWins)
	file := sealed(raw([]byte(unpackText(t, proof))))
	if r := s.check(t, file, proofs.Options{Memory: 1}); !r.Valid() || r.Passes < 2 {
		t.Fatalf("%d passes, %v: want some, and no findings", r.Passes, r.Findings)
	}
	damaged := bytes.Clone(file)
	copy(damaged[bytes.IndexByte(file, '\n')+1:], "end\t0\n")
	opened, err := proofs.Open(&changing{before: file, after: damaged, stays: 3}, int64(len(file))) // the header, and a pass
	if err != nil {
		t.Fatal(err)
	}
	r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{Memory: 1})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, 1, "goes on behind its end")
}

// otherFile is a file that is another one from the third time on that it is read, for the checker
// in C.
const otherFile = `
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
ssize_t __real_pread(int f, void *to, size_t n, off_t offset);
ssize_t __wrap_pread(int f, void *to, size_t n, off_t offset);
ssize_t __wrap_pread(int f, void *to, size_t n, off_t offset) {
    static int times;
    if (offset == 0) times++;
    return __real_pread(times > 2 ? open(getenv("OTHER"), O_RDONLY) : f, to, n, offset);
}
`

// The checker in C sees it, too.
func TestTheCheckerInCSeesThatAFileChanges(t *testing.T) {
	if testing.Short() {
		t.Skip("another program checks the certificate")
	}
	folder := t.TempDir()
	before, after := falseIfChanged(t, newShelf(t, 3, 3, 0))
	wrapped := filepath.Join(folder, "other.c")
	paths := map[string][]byte{wrapped: []byte(otherFile), filepath.Join(folder, "before"): before, filepath.Join(folder, "after"): after}
	for path, content := range paths {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	check := exec.CommandContext(t.Context(), compiledChecker(t, "-Wl,--wrap=pread", wrapped), "before")
	check.Dir, check.Env = folder, append(os.Environ(), "OTHER=after")
	if valid, said := verdict(t, check); valid || !strings.Contains(said, "changed while it was read") {
		t.Errorf("valid is %v: %s", valid, said)
	}
}
