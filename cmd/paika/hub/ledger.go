package hub

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/hub/share"
	"paika/internal/lasting"
	"paika/solver/proofnumber"
)

// entry is a line of the ledger: one of its fields is there.
type entry struct {
	At       time.Time     `json:"at"`
	Start    *startLine    `json:"start,omitempty"`
	Question *questionLine `json:"question,omitempty"`
	Result   *resultLine   `json:"result,omitempty"`
	Answer   *answerLine   `json:"answer,omitempty"`
}

// startLine says that a hub began.
type startLine struct {
	Version string `json:"version"`
}

// questionLine says what was asked.
type questionLine struct {
	ID string `json:"id"`
	Question
}

// resultLine says what was found out about a position.
type resultLine struct {
	Question string `json:"question"`
	Tables   string `json:"tables"` // fingerprint of those that it was found with
	Worker   string `json:"worker"`
	share.Result
}

// answerLine says what a question came to.
type answerLine struct {
	Question string              `json:"question"`
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Seconds  float64             `json:"seconds"`
	Tables   int                 `json:"tables"` // slices
	Proof    share.Part          `json:"proof"`  // its certificate: of the claim, or of the opposite one
}

// ledger is an append-only file of entries. Its methods are safe for concurrent use.
type ledger struct {
	mutex  sync.Mutex
	file   *os.File
	unlock func()
	broken bool // the last line is not whole
}

const hashDigits = 16

// openLedger opens a ledger for one writer, and makes it where it is missing. It gives
// the entries that are whole, and tells how many lines are not. It fails with
// lasting.ErrLocked where another hub has it.
func openLedger(path string) (l *ledger, entries []entry, torn int, err error) {
	l = new(ledger)
	if l.unlock, err = lasting.Lock(path); err != nil {
		return nil, nil, 0, err
	}
	if l.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		l.unlock()
		return nil, nil, 0, err
	}
	text, err := io.ReadAll(l.file)
	if err != nil {
		l.close()
		return nil, nil, 0, err
	}
	entries, torn = readLedger(text)
	l.broken = len(text) > 0 && text[len(text)-1] != '\n'
	return l, entries, torn, nil
}

// readLedger takes the lines apart.
func readLedger(text []byte) (entries []entry, torn int) {
	for line := range bytes.Lines(text) {
		e, whole := parseLine(string(line))
		if !whole {
			torn++
			continue
		}
		entries = append(entries, e)
	}
	return entries, torn
}

// line is an entry with the hash before it.
func (e entry) line() (string, error) {
	text, err := json.Marshal(e)
	return fmt.Sprintf("%016x %s\n", xxh3.Hash(text), text), err
}

// parseLine reads what line writes.
func parseLine(line string) (e entry, whole bool) {
	hash, text, found := strings.Cut(line, " ")
	text, ended := strings.CutSuffix(text, "\n")
	if !found || !ended || len(hash) != hashDigits || hash != fmt.Sprintf("%016x", xxh3.HashString(text)) {
		return e, false
	}
	return e, json.Unmarshal([]byte(text), &e) == nil
}

// add adds an entry, and has it on disk if it is to last.
func (l *ledger) add(e entry, lasts bool) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	e.At = time.Now().UTC().Truncate(time.Millisecond)
	line, err := e.line()
	if err != nil {
		return err
	}
	if l.broken {
		line = "\n" + line
	}
	l.broken = true
	if _, err := l.file.WriteString(line); err != nil {
		return err
	}
	l.broken = false
	if !lasts {
		return nil
	}
	return l.file.Sync()
}

func (l *ledger) close() {
	l.file.Close()
	l.unlock()
}
