package attack

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/proofs"
)

// sealMagic is what a certificate's seal begins with: a zstd frame to be skipped,
// with 8 bytes in it.
var sealMagic = []byte{0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0}

// archive is what certificates are attacked with: a store that they rely on, one
// of the whole board that knows which claims are true, and true certificates.
type archive struct {
	dir    string
	oracle oracle
	values map[string]string // of every position, White to move
	texts  [][]string        // lines of certificates
}

// claims of the board's positions.
var claims = []string{"white-wins", "black-wins", "white-not-lost", "black-not-lost"}

// truths is how many certificates are made to be changed.
const truths = 24

func newArchive(t *testing.T) *archive {
	t.Helper()
	a := &archive{dir: t.TempDir(), values: make(map[string]string)}
	must(t, a.dir, "", on("build", "whole", "--pieces", "all", "--metric", "dtw")...)
	must(t, a.dir, "", on("build", "db", "--pieces", "4")...)
	a.oracle = newOracle(t, a.dir, "whole")
	for _, right := range a.oracle.right {
		a.values[right.Position] = right.Value
	}
	r := rand.New(rand.NewPCG(*seed, 100))
	for len(a.texts) < truths {
		root := a.oracle.right[r.IntN(len(a.oracle.right))].Position
		claim := claims[r.IntN(len(claims))]
		if stones(root) < 6 || !a.holds(claim, root) {
			continue
		}
		file := fmt.Sprintf("truth-%d.proof", len(a.texts))
		must(t, a.dir, "", on("prove", "db", "--claim", claim, "--out", file, root)...)
		lines := linesOf(t, filepath.Join(a.dir, file))
		if len(lines) < 3 {
			continue // the root's value follows from no position
		}
		a.texts = append(a.texts, lines)
		// What is sealed here is no worse than what the program seals.
		if err := os.WriteFile(filepath.Join(a.dir, file), sealed(t, lines), 0o666); err != nil {
			t.Fatal(err)
		}
		must(t, a.dir, "", "check", file, "--db", "db")
	}
	return a
}

func stones(position string) int { return strings.Count(position, "W") + strings.Count(position, "B") }

// holds tells whether a claim about a position is true.
func (a *archive) holds(claim, root string) bool {
	rows, side, _ := strings.Cut(root, " ")
	if side == "b" {
		rows = strings.NewReplacer("W", "B", "B", "W").Replace(rows)
		claim = exchange(claim)
	}
	value := a.values[rows+" w"]
	switch claim {
	case "white-wins":
		return value == "win"
	case "black-wins":
		return value == "loss"
	case "white-not-lost":
		return value == "win" || value == "draw"
	case "black-not-lost":
		return value == "loss" || value == "draw"
	}
	return false
}

func exchange(claim string) string {
	if rest, white := strings.CutPrefix(claim, "white"); white {
		return "black" + rest
	}
	return "white" + strings.TrimPrefix(claim, "black")
}

// linesOf reads a certificate.
func linesOf(t *testing.T, file string) []string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}

// sealed makes a certificate of lines, with a right checksum.
func sealed(t *testing.T, lines []string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	data := z.EncodeAll([]byte(strings.Join(lines, "\n")+"\n"), nil)
	hash := xxh3.Hash(data)
	return binary.LittleEndian.AppendUint64(append(data, sealMagic...), hash)
}

// mutate changes lines of a certificate of the archive, whose first is the header.
func (a *archive) mutate(t *testing.T, r *rand.Rand) (what string, data []byte) {
	t.Helper()
	lines := append([]string(nil), a.texts[r.IntN(len(a.texts))]...)
	for change := 1 + r.IntN(2); change > 0 && len(lines) > 2; change-- {
		at := 1 + r.IntN(len(lines)-2) // not the last line, which is made anew
		other := a.texts[r.IntN(len(a.texts))]
		switch r.IntN(8) {
		case 0:
			what += "a line removed, "
			lines = append(lines[:at], lines[at+1:]...)
		case 1:
			what += "a line of another, "
			lines[at] = other[1+r.IntN(len(other)-2)]
		case 2:
			what += "another claim, "
			lines[0] = a.header(t, lines[0], func(h *proofs.Header) { h.Claim = claims[r.IntN(len(claims))] })
		case 3:
			what += "another root, "
			root := a.oracle.right[r.IntN(len(a.oracle.right))].Position
			lines[0] = a.header(t, lines[0], func(h *proofs.Header) { h.Root = root })
		case 4:
			what += "another turn, "
			fields := strings.Split(lines[at], "\t")
			if turns := strings.Split(other[1+r.IntN(len(other)-2)], "\t"); len(fields) > 1 && len(turns) > 1 {
				fields[1] = turns[1]
			}
			lines[at] = strings.Join(fields, "\t")
		case 5:
			what += "another rank, "
			fields := strings.Split(lines[at], "\t")
			fields[len(fields)-1] = fmt.Sprint(r.IntN(20))
			lines[at] = strings.Join(fields, "\t")
		case 6:
			what += "a byte, "
			line := []byte(lines[at])
			if len(line) > 0 {
				line[r.IntN(len(line))] = "WB./wb\t*019acA-"[r.IntN(15)]
			}
			lines[at] = string(line)
		case 7:
			what += "no tables, "
			lines[0] = a.header(t, lines[0], func(h *proofs.Header) { h.Tables = nil })
		}
	}
	lines[len(lines)-1] = fmt.Sprintf("end\t%d", len(lines)-2)
	data = sealed(t, lines)
	if r.IntN(8) == 0 {
		what += "and a bit of the file"
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
	}
	return what, data
}

// header changes a header.
func (a *archive) header(t *testing.T, line string, change func(*proofs.Header)) string {
	t.Helper()
	var h proofs.Header
	if json.Unmarshal([]byte(line), &h) != nil {
		return line // changed before
	}
	change(&h)
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checked is what check says with --json.
type checked struct {
	Valid       bool
	Claim, Root string
	Error       *fault
}

// judgeCheck compares what check said with what is true.
func (a *archive) judgeCheck(s said) verdict {
	if v, broken := s.broken(); broken {
		return v
	}
	var c checked
	if err := json.Unmarshal([]byte(s.stdout), &c); err != nil {
		return verdict{wrong, "no JSON: " + err.Error()}
	}
	switch {
	case c.Valid != (s.status == statusDone):
		return verdict{wrong, fmt.Sprintf("valid is %v with status %d", c.Valid, s.status)}
	case !c.Valid:
		return verdict{outcome: noticed}
	case !a.holds(c.Claim, c.Root):
		return verdict{wrong, fmt.Sprintf("%s from %s: valid, and not true", c.Claim, c.Root)}
	}
	return verdict{}
}

func TestCertificatesAreTrueOrRefused(t *testing.T) {
	a := newArchive(t)
	campaign{"certificates", 10, 2000, 40}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		what, data := a.mutate(t, r)
		file := filepath.Join(t.TempDir(), "mutant.proof")
		if err := os.WriteFile(file, data, 0o666); err != nil {
			t.Fatal(err)
		}
		return what, a.judgeCheck(paika(t, a.dir, "", "check", file, "--db", "db", "--json"))
	})
	campaign{"forged parts", 11, 200, 8}.run(t, a.forgePart)
}

// forgePart forges a certificate of a claim after one turn, and has the claim
// proved before that turn, with the forgery for a part.
func (a *archive) forgePart(t *testing.T, r *rand.Rand) (what string, v verdict) {
	root, after := a.turn(t, r)
	claim := claims[r.IntN(len(claims))]
	lines := append([]string(nil), a.texts[r.IntN(len(a.texts))]...)
	lines[0] = a.header(t, lines[0], func(h *proofs.Header) { h.Claim, h.Root = claim, after })
	if r.IntN(2) == 0 {
		lines = []string{lines[0], "end\t0"}
	}
	dir := t.TempDir()
	part := filepath.Join(dir, "part.proof")
	if err := os.WriteFile(part, sealed(t, lines), 0o666); err != nil {
		t.Fatal(err)
	}
	what = fmt.Sprintf("%s from %s with a part from %s", claim, root, after)
	s := paika(t, a.dir, "", on("prove", "db", "--claim", claim, "--part", part, "--out", filepath.Join(dir, "whole.proof"), "--json", root)...)
	return what, a.judgeProof(s, claim, root)
}

// turn draws a position and one after a turn from it.
func (a *archive) turn(t *testing.T, r *rand.Rand) (root, after string) {
	t.Helper()
	for {
		root = a.oracle.right[r.IntN(len(a.oracle.right))].Position
		var listed struct{ Turns []struct{ Position string } }
		if err := json.Unmarshal([]byte(must(t, a.dir, "", on("turns", "db", "--json", root)...)), &listed); err != nil {
			t.Fatal(err)
		}
		if n := len(listed.Turns); n > 0 {
			return root, listed.Turns[r.IntN(n)].Position
		}
	}
}

// judgeProof compares what prove said with what is true.
func (a *archive) judgeProof(s said, claim, root string) verdict {
	if v, broken := s.broken(); broken {
		return v
	}
	var p struct{ Result string }
	if err := json.Unmarshal([]byte(s.stdout), &p); err != nil {
		return verdict{wrong, "no JSON: " + err.Error()}
	}
	holds := a.holds(claim, root)
	switch {
	case s.status == statusDone && (p.Result != "proved" || !holds), p.Result == "proved" && !holds, p.Result == "refuted" && holds:
		return verdict{wrong, fmt.Sprintf("%s from %s: %q with status %d", claim, root, p.Result, s.status)}
	case s.status == statusDone || p.Result == "refuted":
		return verdict{}
	}
	return verdict{outcome: noticed}
}

// A checkpoint with right checksums that claims what is not so must not decide
// anything.
func TestForgedCheckpointsDecideNothing(t *testing.T) {
	dir := t.TempDir()
	value := []string{"value", "konane", "--board", "6x5", "--opening", "corner-h", "--json", "--workers", "1"}
	right := winner(t, must(t, dir, "", value...))
	kept := append(value, "--checkpoint", "kept.search")
	if s := paika(t, dir, "", append(kept, "--nodes", "3000")...); s.status != statusUndecided {
		t.Fatalf("status %d: %s", s.status, s.stderr)
	}
	saved, err := os.ReadFile(filepath.Join(dir, "kept.search"))
	if err != nil {
		t.Fatal(err)
	}
	campaign{"forged checkpoints, value", 12, 150, 6}.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
		forged := t.TempDir()
		what, data := forgeCheckpoint(t, saved, r)
		if err := os.WriteFile(filepath.Join(forged, "kept.search"), data, 0o666); err != nil {
			t.Fatal(err)
		}
		s := paika(t, forged, "", kept...)
		if v, broken := s.broken(); broken {
			return what, v
		}
		if s.status != statusDone {
			return what, verdict{outcome: noticed}
		}
		if got := winner(t, s.stdout); got != right {
			return what, verdict{wrong, fmt.Sprintf("%s wins, want %s", got, right)}
		}
		return what, verdict{}
	})
}

func winner(t *testing.T, text string) string {
	t.Helper()
	var v struct{ Winner *string }
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.Winner == nil {
		t.Fatalf("%s: %v", text, err)
	}
	return *v.Winner
}

// forgeCheckpoint changes entries of a checkpoint, and gives it a right end.
func forgeCheckpoint(t *testing.T, saved []byte, r *rand.Rand) (what string, forged []byte) {
	t.Helper()
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	text, err := z.DecodeAll(saved, nil)
	if err != nil {
		t.Fatal(err)
	}
	end := bytes.IndexByte(text, '\n') + 1
	header, entries := text[:end:end], append([]byte(nil), text[end:len(text)-16]...)
	var words [256]uint64 // second words of other entries, to be put elsewhere
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(entries[r.IntN(len(entries)/16)*16+8:])
	}
	share := r.Float64()
	kind := r.IntN(4)
	for at := 0; at < len(entries); at += 16 {
		if r.Float64() > share {
			continue
		}
		word := binary.LittleEndian.Uint64(entries[at+8:])
		switch kind {
		case 0:
			word = words[r.IntN(len(words))]
		case 1:
			word ^= 1 << r.IntN(64)
		case 2:
			word = bitsOf(word, r)
		case 3:
			word = r.Uint64()
		}
		binary.LittleEndian.PutUint64(entries[at+8:], word)
	}
	tail := binary.LittleEndian.AppendUint64(make([]byte, 8), uint64(len(entries)/16))
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return fmt.Sprintf("kind %d, %.2f of %d entries", kind, share, len(entries)/16),
		w.EncodeAll(append(append(header, entries...), tail...), nil)
}

// bitsOf sets or clears a run of bits, as a number at its end has them.
func bitsOf(word uint64, r *rand.Rand) uint64 {
	from, length := r.IntN(64), 1+r.IntN(32)
	run := (uint64(1)<<length - 1) << from
	if r.IntN(2) == 0 {
		return word | run
	}
	return word &^ run
}
