package proofs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// TestHeadersAreStrict: what Go's JSON would let pass is refused, and named.
func TestHeadersAreStrict(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	whole := strings.TrimSpace(lines[0])
	with := func(old, changed string) string {
		if !strings.Contains(whole, old) {
			t.Fatalf("%s has no %s", whole, old)
		}
		return strings.Replace(whole, old, changed, 1)
	}
	for _, c := range []struct{ name, header, reason string }{
		{"a key twice", with(`{"format":1`, `{"claim":"black-wins","format":1`), `the key "claim" twice`},
		{"a key of another case", with(`"claim"`, `"Claim"`), `unknown key "Claim"`},
		{"a key that folds to one", with(`"tables"`, `"tableſ"`), `no plain text`},
		{"an unknown key", with(`{"format":1`, `{"format":1,"trusted":true`), `trusted`},
		{"an unknown key of a table", with(`"tables":[]`, `"tables":[{"slice":"1v1","size":3}]`), `size`},
		{"a key of a table twice", with(`"tables":[]`, `"tables":[{"slice":"1v1","slice":"2v1"}]`), `the key "slice" twice`},
		{"a newer format", with(`"format":1`, `"format":2`), "format 2, want 1"},
		{"a negative format", with(`"format":1`, `"format":-1`), "format -1, want 1"},
		{"no format", with(`"format":1,`, ``), `lacks the key "format"`},
		{"no rules", with(`"rules":"stalemate=loss,direction-rule=no-repeat",`, ``), `lacks the key "rules"`},
		{"no tables", with(`,"tables":[]`, ``), `lacks the key "tables"`},
		{"no list of tables", with(`"tables":[]`, `"tables":null`), `"tables" is null`},
		{"no text of rules", with(`"rules":"stalemate=loss,direction-rule=no-repeat"`, `"rules":null`), `"rules" is null`},
		{"no list of parts", with(`"tables":[]`, `"tables":[],"parts":null`), `"parts" is null`},
		{"a number for a text", with(`"board":"3x3"`, `"board":3`), `its "board" is a JSON number`},
		{"a text for a list", with(`"tables":[]`, `"tables":"1v1"`), `its "tables" is a JSON string`},
		{"a format with a point", with(`"format":1`, `"format":1.0`), `its "format" is a JSON number 1.0`},
		{"a format with an exponent", with(`"format":1`, `"format":1e0`), `its "format" is a JSON number 1e0`},
		{"a blank in front", " " + whole, "a blank that is in no text"},
		{"a blank behind", whole + " ", "a blank that is in no text"},
		{"blanks around a colon", with(`"format":1`, `"format" : 1`), "a blank that is in no text"},
		{"a carriage return behind a comma", with(`,"game"`, ",\r\"game\""), "no plain text, byte 13"},
		{"a control character in a text", with(`"fanorona"`, "\"fano\x01rona\""), "no plain text, byte 1"},
		{"a tab behind a comma", with(`,"game"`, ",\t\"game\""), "a blank that is in no text"},
		{"an escaped sign", with(`BBB/`, `BBB\/`), "an escape"},
		{"an escaped letter of a key", with(`"format"`, `"\u0066ormat"`), "an escape"},
		{"an escaped letter of a value", with(`"fanorona"`, `"f\u0061norona"`), "an escape"},
		{"a list", "[" + whole + "]", "a JSON array"},
		{"two values", whole + whole, "something follows"},
		{"nothing", "", "cut short"},
		{"null", "null", `lacks the key "format"`},
		{"half an object", whole[:len(whole)/2], "the header"},
		{"no JSON", "certificate", "the header"},
		{"deep lists", strings.Repeat("[", 60000), "the header"},
		{"no UTF-8", with(`"3x3"`, "\"3x3\xff\""), "UTF-8"},
		{"a line end of two bytes", whole + "\r", `\r\n`},
		{"a long line", with(`"tables":[]`, `"tables":[`+strings.Repeat(`{"slice":"1v1"},`, 1<<13)+`{}]`), "longer than 65535 bytes"},
	} {
		lines[0] = c.header + "\n"
		_, err := s.tryCheck(t, pack(t, lines), proofs.Options{})
		if !errors.Is(err, proofs.ErrFormat) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", c.name, err, c.reason)
		}
		if err != nil && len(err.Error()) > 400 {
			t.Errorf("%s: the message has %d bytes", c.name, len(err.Error()))
		}
	}
}

// TestEveryDamageHasItsMessage.
func TestEveryDamageHasItsMessage(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	stream, content := file[:len(file)-16], strings.Join(text(t, file), "")
	flipped := slices.Clone(file)
	flipped[len(flipped)-1] ^= 1
	record := strings.Count(content, "\n") - 1
	whole := withEnd(content)
	halves := [...]string{whole[:len(whole)/2], whole[len(whole)/2:]}
	lines := func(change func([]string) []string) []byte { return pack(t, change(text(t, file))) }
	for _, c := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"cut behind the stream", stream, "the seal at the end of the file is missing"},
		{"cut in the seal", file[:len(file)-3], "the file is cut short"},
		{"another seal", flipped, "its seal does not fit"},
		{"no end line", packText(t, content), "the file is cut short"},
		{"half a line", packText(t, content+"end"), "the file is cut short"},
		{"another end", packText(t, content+"end\t7\n"), fmt.Sprintf(`want "end\t%d"`, record)},
		{"an end with a zero in front", packText(t, fmt.Sprintf("%send\t0%d\n", content, record)), fmt.Sprintf(`want "end\t%d"`, record)},
		{"a negative end", packText(t, content+"end\t-1\n"), fmt.Sprintf(`want "end\t%d"`, record)},
		{"lines behind the end", packText(t, fmt.Sprintf("%send\t%d\n\n", content, record)), "the file goes on behind its end"},
		{"bytes behind the end", append(slices.Clone(file), "more"...), "the file goes on behind its end"},
		{"one byte behind the end", append(slices.Clone(file), '\n'), "the file goes on behind its end"},
		{"three bytes behind the end", append(slices.Clone(file), "\n\n\n"...), "the file goes on behind its end"},
		{"a file behind the end", append(slices.Clone(file), file...), "the file goes on behind its end"},
		{"zeros behind the end", append(slices.Clone(file), make([]byte, 64)...), "the file goes on behind its end"},
		{"a frame that is skipped behind the end", sealed(slices.Concat(stream, skipped)), "the file goes on behind its end"},
		{"a seal behind the seal", sealed(file), "the file goes on behind its end"},
		{"a frame that is skipped between two others", sealed(slices.Concat(frame(t, halves[0]), skipped, frame(t, halves[1]))), "a frame that zstd skips"},
		{"lines ended by two bytes", lines(func(l []string) []string {
			l[1] = strings.Replace(l[1], "\n", "\r\n", 1)
			return l
		}), `\r\n`},
		{"no UTF-8", lines(func(l []string) []string { l[1] = "\xff" + l[1]; return l }), "UTF-8"},
		{"a long line", lines(func(l []string) []string { l[1] = strings.Repeat("w", 1<<16) + l[1]; return l }), "longer than 65535 bytes"},
		{"an absurd rank", lines(func(l []string) []string {
			l[1] = strings.TrimSuffix(l[1], "\n") + "99999999999999999999\n"
			return l
		}), "want a number below 2^32"},
		{"a negative rank", lines(func(l []string) []string {
			fields := strings.Split(l[1], "\t")
			l[1] = fields[0] + "\t" + fields[1] + "\t-1\n"
			return l
		}), "want a number below 2^32"},
	} {
		r, err := s.tryCheck(t, c.file, proofs.Options{})
		if err != nil || !slices.ContainsFunc(r.Findings, func(f proofs.Finding) bool { return strings.Contains(f.Reason, c.reason) }) {
			t.Errorf("%s: %v, %v, want %q", c.name, r.Findings, err, c.reason)
		}
	}
	for _, c := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"nothing", nil, "the file is empty"},
		{"cut in its only block", file[:len(stream)-9], "the file is cut short"},
		{"no stream", []byte(strings.Repeat("certificate ", 9)), "no zstd stream"},
		{"a frame that is skipped in front", sealed(slices.Concat(skipped, stream)), "a frame that zstd skips"},
		{"an empty frame that is skipped in front", sealed(slices.Concat([]byte("\x5f\x2a\x4d\x18\x00\x00\x00\x00"), stream)), "a frame that zstd skips"},
		{"a stream of nothing", packText(t, ""), "the file is cut short"},
		{"a wide window", wide(t, content+fmt.Sprintf("end\t%d\n", record)), "window of more than 32 MiB"},
	} {
		if _, err := open(c.file); !errors.Is(err, proofs.ErrFormat) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v, want %q", c.name, err, c.reason)
		}
	}
}

// TestAStreamHasFrames, one or more, and empty ones among them.
func TestAStreamHasFrames(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	all := unpackText(t, file)
	stream := frame(t, "")
	for len(all) > 0 {
		n := min(len(all), 100)
		stream = append(stream, frame(t, all[:n])...)
		all = all[n:]
	}
	for name, file := range map[string][]byte{
		"many":            sealed(append(stream, frame(t, "")...)),
		"of an open size": within(t, 1<<20, unpackText(t, file)),
	} {
		if r := s.check(t, file, proofs.Options{}); !r.Valid() {
			t.Errorf("%s: %v", name, r.Findings)
		}
	}
	// A block may be one byte, and stand for many.
	alike := packText(t, text(t, file)[0]+strings.Repeat("x", 1<<15)+"\nend\t1\n")
	if r := s.check(t, alike, proofs.Options{}); !slices.ContainsFunc(r.Findings, func(f proofs.Finding) bool { return strings.Contains(f.Reason, "1 field") }) {
		t.Errorf("blocks of one byte: %v", r.Findings)
	}
}

// wide seals a text that takes a window of 64 MiB to decompress.
func wide(t *testing.T, content string) []byte {
	t.Helper()
	return within(t, 64<<20, content)
}

// within seals a text, in pieces, that takes a window of so many bytes to decompress.
func within(t *testing.T, window int, content ...string) []byte {
	t.Helper()
	var file bytes.Buffer
	z, err := zstd.NewWriter(&file, zstd.WithWindowSize(window))
	if err != nil {
		t.Fatal(err)
	}
	for _, piece := range content {
		if _, err := io.WriteString(z, piece); err != nil {
			t.Fatal(err)
		}
		if err := z.Flush(); err != nil { // its size is not known beforehand
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return sealed(file.Bytes())
}

// TestChecksEndAfterManyFaults: a few thousand bytes can hold millions of them.
func TestChecksEndAfterManyFaults(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	const many = 5_000_000
	for _, c := range []struct{ name, repeated, reason string }{
		{"empty lines", "\n", "1 field, want 3"},
		{"one record", lines[1], "stands in the certificate twice"},
		{"records of nothing", "BBB/B.W/WWW w\ta1-a1\t1\n", ""},
	} {
		bomb := packText(t, lines[0]+strings.Repeat(c.repeated, many/len(c.repeated))+"end\t5\n")
		var first []proofs.Finding
		for workers := 1; workers <= 4; workers++ {
			r := s.check(t, bomb, proofs.Options{Workers: workers})
			if r.Faults != 1000 || !r.More || len(r.Findings) != 100 || r.Positions > 10_000 {
				t.Errorf("%s: %d faults, more %v, %d findings after %d records", c.name, r.Faults, r.More, len(r.Findings), r.Positions)
			}
			if !strings.Contains(r.Findings[0].Reason, c.reason) {
				t.Errorf("%s: %v, want %q", c.name, r.Findings[0], c.reason)
			}
			if first == nil {
				first = r.Findings
			} else if !slices.Equal(first, r.Findings) {
				t.Errorf("%s: other findings with %d workers", c.name, workers)
			}
		}
	}
}

// TestFewFaultsAreCountedOnce, though each pass meets them.
func TestFewFaultsAreCountedOnce(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	lines = append(lines, lines[1:]...)
	lines = append(lines, "nothing\n")
	want := s.check(t, pack(t, lines), proofs.Options{})
	if want.Faults != uint64(len(lines)/2) || want.More {
		t.Errorf("%d faults, want %d", want.Faults, len(lines)/2)
	}
	for _, memory := range []uint64{150, 300, 600} {
		got := s.check(t, pack(t, lines), proofs.Options{Workers: 2, Memory: memory})
		if got.Faults != want.Faults || !slices.Equal(got.Findings, want.Findings) || got.Passes < 2 {
			t.Errorf("within %d bytes: %d faults in %d passes, want %d", memory, got.Faults, got.Passes, want.Faults)
		}
	}
}

// TestMessagesAreShort, whatever stands in the file.
func TestMessagesAreShort(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	long := strings.Repeat("x", 60000)
	for _, line := range []string{
		long + "\t*\t1", "BBB/B.W/WWW w\t" + long + "\t1", "BBB/B.W/WWW w\t*\t" + long,
		"BBB/.W./WWW b\t" + long + "\t1", "BBB/B.W/WWW " + long + "\t*\t1", "end\t" + long,
	} {
		r := s.check(t, pack(t, append(text(t, file), line+"\n")), proofs.Options{})
		if r.Valid() {
			t.Errorf("%.40s: valid", line)
		}
		for _, f := range r.Findings {
			if len(f.String()) > 600 {
				t.Errorf("%.40s: a finding of %d bytes", line, len(f.String()))
			}
		}
	}
}

// TestWritersKeepWithinWhatIsRead: no header is written that no one reads.
func TestWritersKeepWithinWhatIsRead(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	h := proofs.Header{Setting: s.setting, Claim: "white-wins", Root: "BBB/B.W/WWW w"}
	for range 2000 {
		h.Parts = append(h.Parts, proofs.Part{Root: "BBB/.W./WWW b", Checksum: "0123456789abcdef"})
	}
	if _, err := proofs.NewWriter(new(bytes.Buffer), s.game, h, 1); !errors.Is(err, proofs.ErrTooLong) {
		t.Errorf("%v, want %v", err, proofs.ErrTooLong)
	}
	h.Parts = []proofs.Part{{Root: `BBB/.W./WWW b\`, Checksum: "0123456789abcdef"}}
	if _, err := proofs.NewWriter(new(bytes.Buffer), s.game, h, 1); err == nil || !strings.Contains(err.Error(), "an escape") {
		t.Errorf("%v, want no escape", err)
	}
}

// TestTheSettingIsGiven: a certificate is not checked by the rules of another.
func TestTheSettingIsGiven(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	s.setting.Board = "5x3"
	var other *proofs.SettingError
	if _, err := s.tryCheck(t, file, proofs.Options{}); !errors.As(err, &other) {
		t.Errorf("%v, want another setting", err)
	}
}

// TestATableIsNamedOnce: two metrics of one slice could contradict each other.
func TestATableIsNamedOnce(t *testing.T) {
	s := newShelf(t, 3, 3, 4)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	_, rest, _ := strings.Cut(lines[0], `"tables":[`)
	first, _, _ := strings.Cut(rest, "},")
	lines[0] = strings.Replace(lines[0], `"tables":[`, `"tables":[`+first+"},", 1)
	var need *proofs.NeedError
	if _, err := s.tryCheck(t, pack(t, lines), proofs.Options{}); !errors.As(err, &need) || !strings.Contains(err.Error(), "named twice") {
		t.Errorf("%v, want it refused", err)
	}
}

// failing is a file on a disk of which one byte can't be read; none where it is negative.
type failing struct {
	io.ReaderAt
	bad int64
}

var errDisk = errors.New("the disk fails")

func (f failing) ReadAt(p []byte, offset int64) (int, error) {
	if offset <= f.bad && f.bad < offset+int64(len(p)) {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(p, offset)
}

// A file that can't be read is neither damaged nor invalid: nobody knows.
func TestWhatCannotBeReadIsNoFault(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	whole := bytes.NewReader(file)
	for bad := range int64(len(file)) {
		at := &failing{whole, bad}
		if _, err := proofs.Open(at, whole.Size()); !errors.Is(err, errDisk) || errors.Is(err, proofs.ErrFormat) {
			t.Fatalf("byte %d, opened: %v", bad, err)
		}
		if _, err := proofs.ReadExtract(at, whole.Size()); !errors.Is(err, errDisk) || errors.Is(err, proofs.ErrFormat) {
			t.Fatalf("byte %d, read as an extract: %v", bad, err)
		}
		if whole.Size()-bad <= 16 {
			continue // the seal, which is read once
		}
		at.bad = -1
		opened, err := proofs.Open(at, whole.Size())
		if err != nil {
			t.Fatal(err)
		}
		at.bad = bad // the disk fails later
		if r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, proofs.Options{}); !errors.Is(err, errDisk) {
			t.Fatalf("byte %d, checked: %v, %v", bad, r.Findings, err)
		}
	}
}

// TestPositionsOfTooManyTurnsAreFaults: of this one nobody could list them.
func TestPositionsOfTooManyTurnsAreFaults(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 15, Height: 19}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s := &solved[phutball.Position]{setting: proofs.Setting{Game: "phutball", Board: "15x19"}, game: game}
	var men []string
	for rank := 2; rank < 18; rank++ {
		for file := range 15 {
			if file%2 == 0 || rank%2 == 0 {
				men = append(men, phutballPoint(file, rank))
			}
		}
	}
	root := "ball=H10 men=" + strings.Join(men, ",") + " to=ohs"
	h := proofs.Header{Format: 1, Setting: s.setting, Claim: "eks-not-lost", Root: root, Tables: []proofs.Table{}}
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	r := s.check(t, packText(t, withEnd(string(line)+"\n"+root+"\t*\n")), proofs.Options{})
	wantFinding(t, r, 1, "more than 1048576 turns")
}

// phutballPoint is the name of a point.
func phutballPoint(file, rank int) string {
	return fmt.Sprintf("%c%d", "ABCDEFGHJKLMNOP"[file], rank+1)
}
