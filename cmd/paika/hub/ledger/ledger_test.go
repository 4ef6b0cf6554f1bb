package ledger

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

func someEntries() []Entry {
	return []Entry{
		{Start: &Start{Version: "v"}},
		{Question: &Question{ID: "q", By: "ann", Question: wire.Question{Position: "p", Claim: "white-wins"}}},
		{Result: &Result{Question: "q", Tables: "none", Worker: "w", Result: share.Result{Job: "j", Claim: "c", Position: "p\tä", Nodes: 3, Turns: []jobs.Turn{{Numbers: jobs.Numbers{Proof: 1, Disproof: 2}}}}}},
		{Result: &Result{Question: "q", Result: share.Result{Verdict: proofnumber.Proved, Part: share.Part{Digest: "d", Checksum: "s", Positions: 4, Bytes: 5}}}},
		{Answer: &Answer{Question: "q", Verdict: proofnumber.Refuted, Nodes: 7}},
	}
}

// open opens a ledger whatever it has.
func open(path string) (*Ledger, error) {
	l, _, err := Open(path, func(Entry) {})
	return l, err
}

// linesOf reads the lines of a ledger.
func linesOf(t *testing.T, text []byte) (entries []Entry, torn int) {
	t.Helper()
	torn, err := Read(bytes.NewReader(text), func(e Entry) { entries = append(entries, e) })
	if err != nil {
		t.Fatal(err)
	}
	return entries, torn
}

// written is a ledger of some entries, and these as they stand there.
func written(t *testing.T, path string) (text []byte, entries []Entry) {
	t.Helper()
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range someEntries() {
		if err := errors.Join(l.Add(e), l.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	l.Close()
	text, err = os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	entries, torn := linesOf(t, text)
	if torn != 0 || len(entries) != len(someEntries()) {
		t.Fatalf("%d entries, %d torn", len(entries), torn)
	}
	for i, e := range someEntries() {
		if e.At = entries[i].At; !reflect.DeepEqual(e, entries[i]) {
			t.Errorf("read %+v, want %+v", entries[i], e)
		}
	}
	return text, entries
}

// TestALedgerCutAtAnyByteLosesItsLastLineAlone, and what is added behind it counts.
func TestALedgerCutAtAnyByteLosesItsLastLineAlone(t *testing.T) {
	text, entries := written(t, filepath.Join(t.TempDir(), "ledger"))
	for cut := range len(text) + 1 {
		whole := bytes.Count(text[:cut], []byte("\n"))
		got, torn := linesOf(t, text[:cut])
		partly := cut > 0 && text[cut-1] != '\n'
		if len(got) != whole || (torn == 1) != partly || !reflect.DeepEqual(got, append([]Entry{}, entries[:whole]...)) && whole > 0 {
			t.Fatalf("cut at %d of %d: %d entries, %d torn", cut, len(text), len(got), torn)
		}
	}
	path := filepath.Join(t.TempDir(), "ledger")
	cut := len(text) - 10
	if err := os.WriteFile(path, text[:cut], 0o666); err != nil {
		t.Fatal(err)
	}
	count := 0
	l, torn, err := Open(path, func(Entry) { count++ })
	if err != nil || torn != 1 || count != len(entries)-1 {
		t.Fatalf("%d entries, %d torn, %v", count, torn, err)
	}
	for _, version := range []string{"next", "later"} {
		if err := l.Add(Entry{Start: &Start{Version: version}}); err != nil {
			t.Fatal(err)
		}
	}
	if l.Lines() != 2 {
		t.Errorf("%d lines were added, want 2", l.Lines())
	}
	l.Close()
	all, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, torn := linesOf(t, all)
	if torn != 1 || len(got) != len(entries)+1 || got[len(got)-1].Start.Version != "later" {
		t.Errorf("%d entries, %d torn: want what was added behind the torn line", len(got), torn)
	}
}

// TestAChangedByteLosesItsLineAlone, or two where it was the end of one.
func TestAChangedByteLosesItsLineAlone(t *testing.T) {
	text, entries := written(t, filepath.Join(t.TempDir(), "ledger"))
	for at := range text {
		changed := bytes.Clone(text)
		changed[at] ^= 1
		lost := 1
		if text[at] == '\n' && at < len(text)-1 {
			lost = 2
		}
		if got, torn := linesOf(t, changed); len(got) != len(entries)-lost || torn == 0 {
			t.Errorf("byte %d changed: %d entries of %d, %d torn", at, len(got), len(entries), torn)
		}
	}
}

func TestALedgerIsForOneHub(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := open(path); err == nil || !strings.Contains(err.Error(), lasting.ErrLocked.Error()) {
		t.Errorf("opened twice: %v", err)
	}
	l.Close()
	second, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	l.Close()
	if _, err := open(path); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("opened twice, where the first one is closed twice: %v", err)
	}
}

// TestALineWithoutAnEndIsLeftOut, and takes no memory.
func TestALineWithoutAnEndIsLeftOut(t *testing.T) {
	text, entries := written(t, filepath.Join(t.TempDir(), "ledger"))
	long := strings.Repeat("x", 3*mostLine+7)
	for _, damaged := range []string{long + "\n" + string(text), string(text) + long, string(text) + long + "\n"} {
		if got, torn := linesOf(t, []byte(damaged)); torn != 1 || len(got) != len(entries) {
			t.Errorf("%d entries of %d, %d torn", len(got), len(entries), torn)
		}
	}
}

// What could not be read again is not written.
func TestALineIsNotTooLongToBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, bytes := range []int{mostLine / 2, mostLine - 10, mostLine} {
		err := l.Add(Entry{Start: &Start{Version: strings.Repeat("v", bytes)}})
		if fits := bytes == mostLine/2; fits != (err == nil) {
			t.Errorf("a version of %d bytes: %v", bytes, err)
		}
	}
	l.Close()
	entries := 0
	again, torn, err := Open(path, func(Entry) { entries++ })
	if err == nil {
		again.Close()
	}
	if err != nil || torn != 0 || entries != 1 {
		t.Errorf("%d entries, %d torn, %v", entries, torn, err)
	}
}

// What stands behind the bytes of a line that is too long is a part of it, and no line of its
// own, though its hash may be right: who has a long text written says nothing by it.
func TestTheRestOfALongLineIsNoLine(t *testing.T) {
	forged, err := Entry{Answer: &Answer{Question: "q", Verdict: proofnumber.Proved}}.line()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := Entry{Start: &Start{Version: "v"}}.line()
	if err != nil {
		t.Fatal(err)
	}
	for _, fill := range []int{mostLine, 2 * mostLine, 3 * mostLine} {
		for _, behind := range []string{plain, ""} {
			got, torn := linesOf(t, []byte(plain+strings.Repeat("x", fill)+forged+behind))
			if want := 1 + strings.Count(behind, "\n"); torn != 1 || len(got) != want || got[len(got)-1].Start == nil {
				t.Errorf("behind %d bytes: %d entries, %d torn, want %d and 1", fill, len(got), torn, want)
			}
		}
		if got, torn := linesOf(t, []byte(plain+strings.Repeat("x", fill))); torn != 1 || len(got) != 1 {
			t.Errorf("%d bytes at the end: %d entries, %d torn, want 1 and 1", fill, len(got), torn)
		}
	}
}

// TestAMovedLedgerIsNotSynced: files that its lines name are elsewhere.
func TestAMovedLedgerIsNotSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger")
	l, err := open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Rename(path, path+"-moved"); err != nil {
		t.Skip(err) // a system may not allow it
	}
	for _, what := range []string{"nothing", "another file"} {
		if err := errors.Join(l.Add(someEntries()[0]), l.Sync()); !errors.Is(err, ErrMoved) {
			t.Errorf("with %s in its place: %v", what, err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOfAQuestionItsLinesAloneAreRead, all of them and in order, among others, behind lines that are torn or were
// taken back, as they were added and once the ledger is opened again.
func TestOfAQuestionItsLinesAloneAreRead(t *testing.T) {
	l, disk, path := openFailing(t)
	about := func(question string, i int) []Entry {
		return []Entry{
			{Question: &Question{ID: question}}, {Result: &Result{Question: question, Worker: strconv.Itoa(i)}}, {Piece: &Piece{Question: question}},
			{Built: &Built{Question: question}}, {Wrong: &Wrong{Question: question}}, {Answer: &Answer{Question: question}}, {Taken: &Taken{Question: question}},
		}
	}
	lines := 0
	for i, questions := range []string{"a", "abc", "b", "ca", "b"} {
		for kind := range about("", 0) {
			for _, question := range questions {
				if err := l.Add(about(string(question), i)[kind]); err != nil {
					t.Fatal(err)
				}
				lines++
			}
		}
		for _, truncate := range []error{nil, errDisk} {
			disk.room, disk.truncate = 60, truncate
			if err := l.Add(about("a", i)[1]); !errors.Is(err, errDisk) {
				t.Fatal(err)
			}
			disk.room = -1
		}
		if err := l.Add(begun("between")); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string) {
		t.Helper()
		for _, wanted := range []string{"", "a", "b", "c", "ac", "abc", "x"} {
			of := func(question string) bool {
				return question != "" && strings.Contains(wanted, question) || question == wanted
			}
			var want []Entry
			bytes := 0
			for line := range strings.Lines(string(text)) {
				if e, whole := parseLine(line); whole && of(e.question()) {
					want, bytes = append(want, e), bytes+len(line)
				}
			}
			disk.read = 0
			var got []Entry
			if err := l.Of(of, func(e Entry) { got = append(got, e) }); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s, of %q: %d entries, %v, want %d", when, wanted, len(got), err, len(want))
			}
			if disk.read != bytes {
				t.Errorf("%s, of %q: %d bytes are read, want %d", when, wanted, disk.read, bytes)
			}
			if wanted == "abc" && len(want) != lines {
				t.Errorf("%s: %d entries of %d that were added", when, len(want), lines)
			}
		}
	}
	check("as added")
	l.Close()
	if l, err = open(path); err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	disk = &failing{File: l.file.(*os.File), room: -1}
	l.file = disk
	check("opened again")
}
