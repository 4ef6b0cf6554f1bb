package proofs_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/proofs"
)

// twoFaced makes two certificates of one header, that have other records, as many, and the
// same seal. Each has the records of both in frames of their own; two words tell which frame is
// read and which is skipped.
//
// XXH3 multiplies the halves of a word, each with a secret that everybody knows added, and adds
// the word to a sum. Where the lower half is the secret's the product is 0, whatever the upper
// half: two such words of one sum may change their upper halves.
func twoFaced(t *testing.T, header, one, other string) (a, b []byte) {
	t.Helper()
	const (
		first, second = 1024 + 8, 1024 + 328 // where the words stand: in one block, and for one sum
		frame, skip   = 0xfd2fb528, 0x184d2a50
	)
	secret := map[int][]byte{first: {0x7c, 0x01, 0x81, 0x2c}, second: {0xb8, 0x08, 0x46, 0x74}}
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	file := z.EncodeAll([]byte(header), nil)
	// skipTo skips all up to a place.
	skipTo := func(end int) {
		file = binary.LittleEndian.AppendUint32(file, skip)
		file = binary.LittleEndian.AppendUint32(file, uint32(end-len(file)-4))
		file = append(file, make([]byte, end-len(file))...)
	}
	for i, text := range []string{one, other} {
		at := []int{first, second}[i]
		skipTo(at + 4)
		copy(file[at:], secret[at])
		file = binary.LittleEndian.AppendUint32(file, frame)
		// A window, and an empty block, which is a size of 256 where the frame is skipped.
		end := len(file) + 4 + 256
		file = append(file, 0, 1, 0, 0, 0)
		size := uint32(len(text))<<3 | 1 // a raw block, the last one
		file = append(append(file, byte(size), byte(size>>8), byte(size>>16)), text...)
		skipTo(end)
	}
	file = append(file, z.EncodeAll(fmt.Appendf(nil, "end\t%d\n", strings.Count(one, "\n")), nil)...)
	face := func(skipped int) []byte {
		file := bytes.Clone(file)
		binary.LittleEndian.PutUint32(file[skipped+4:], skip)
		return sealed(file)
	}
	return face(second), face(first)
}

// changing is a file that is another one from the third time on that it is read.
type changing struct {
	before, after []byte
	times         int
}

func (c *changing) ReadAt(p []byte, offset int64) (int, error) {
	if offset == 0 {
		c.times++
	}
	if c.times > 2 {
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
		if r := s.check(t, file, proofs.Options{}); r.Valid() || r.Positions != 1 {
			t.Errorf("%s: %d positions, %v", name, r.Positions, r.Findings)
		}
	}
	opened, err := proofs.Open(&changing{before: before, after: after}, int64(len(before)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantFinding(t, r, 2, "changes while it is read")
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
