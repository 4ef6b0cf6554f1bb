package hub

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// entry is a line of the ledger: one of its fields is there.
type entry struct {
	At       time.Time     `json:"at"`
	Start    *startLine    `json:"start,omitempty"`
	Question *questionLine `json:"question,omitempty"`
	Result   *resultLine   `json:"result,omitempty"`
	Piece    *pieceLine    `json:"piece,omitempty"`
	Built    *builtLine    `json:"built,omitempty"`
	Wrong    *wrongLine    `json:"wrong,omitempty"`
	Answer   *answerLine   `json:"answer,omitempty"`
	Taken    *takenLine    `json:"taken,omitempty"`
}

// startLine says that a hub began.
type startLine struct {
	Version string `json:"version"`
}

// questionLine says what was asked.
type questionLine struct {
	ID string `json:"id"`
	wire.Question
}

// resultLine says what was found out about a position.
type resultLine struct {
	Question string `json:"question"`

	// Setting is that of a part whose question is in no line any more.
	Setting *proofs.Setting `json:"setting,omitempty"`

	Tables string `json:"tables"` // fingerprint of those that it was found with
	Worker string `json:"worker"`
	share.Result
}

// pieceLine says what a piece of a verification came to.
type pieceLine struct {
	Question string `json:"question"`
	Job      string `json:"job"`
	Worker   string `json:"worker,omitempty"` // empty: the hub itself
	inspection.Answer
}

// builtLine says that a group of a construction came, whose file is there.
type builtLine struct {
	Question string `json:"question"`
	Job      string `json:"job"`
	Worker   string `json:"worker"`
	construction.Made
}

// wrongLine says that a worker of a construction was wrong, and is believed no more.
type wrongLine struct {
	Question string `json:"question"`
	Worker   string `json:"worker"`
}

// takenLine says that the answer to a verification or a construction has arrived. What is
// known of it does not count when it is asked again.
type takenLine struct {
	Question string `json:"question"`
}

// answerLine says what a question came to.
type answerLine struct {
	Question string              `json:"question"`
	Verdict  proofnumber.Verdict `json:"verdict"`
	Nodes    uint64              `json:"nodes"`
	Seconds  float64             `json:"seconds"`
	Tables   int                 `json:"tables"` // slices
	Proof    share.Part          `json:"proof"`  // its certificate: of the claim, or of the opposite one

	// Report is what a verification found.
	Report *inspection.Report `json:"report,omitempty"`

	// Built is what a construction came to.
	Built *construction.Tally `json:"built,omitempty"`
}

// certified tells whether there is a certificate of the answer.
func (a *answerLine) certified() bool { return a.Report == nil && a.Built == nil }

// ledger is an append-only file of entries. Its methods are safe for concurrent use.
type ledger struct {
	file   *os.File
	unlock func()

	mutex   sync.Mutex
	broken  bool   // the last line is not whole
	written uint64 // lines since it was opened

	syncing sync.Mutex
	synced  uint64 // of those written
}

const (
	hashDigits = 16

	// mostLine bounds the bytes of a line. Longer ones are none.
	mostLine = 1 << 20
)

// openLedger opens a ledger for one writer, and makes it where it is missing. It fails
// with lasting.ErrLocked where another hub has it.
func openLedger(path string) (*ledger, error) {
	unlock, err := lasting.Lock(path)
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		unlock()
		return nil, err
	}
	l := &ledger{file: file, unlock: unlock}
	if l.broken, err = endsTorn(file); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// endsTorn tells whether a file ends within a line.
func endsTorn(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	var last [1]byte
	_, err = file.ReadAt(last[:], info.Size()-1)
	return last[0] != '\n', err
}

// each reads the entries that are whole, as far as there are any at the moment, and
// tells how many lines are not.
func (l *ledger) each(take func(entry)) (torn int, err error) {
	info, err := l.file.Stat()
	if err != nil {
		return 0, err
	}
	return readLedger(io.NewSectionReader(l.file, 0, info.Size()), take)
}

// readLedger takes the lines apart.
func readLedger(text io.Reader, take func(entry)) (torn int, err error) {
	in := bufio.NewReaderSize(text, mostLine)
	for long := false; ; { // long: of the line, more than fits was read
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			long = true
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return torn, err
		}
		if len(line) > 0 || long {
			if e, whole := parseLine(string(line)); whole && !long {
				take(e)
			} else {
				torn++
			}
		}
		if long = false; err != nil {
			return torn, nil
		}
	}
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

// add adds an entry. One that fails leaves nothing behind, if it can.
func (l *ledger) add(e entry) error {
	e.At = time.Now().UTC().Truncate(time.Millisecond)
	line, err := e.line()
	if err != nil {
		return err
	}
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.broken {
		line = "\n" + line
	}
	info, err := l.file.Stat()
	if err != nil {
		return err
	}
	if _, err := l.file.WriteString(line); err != nil {
		if l.file.Truncate(info.Size()) != nil {
			l.broken = true
		}
		return err
	}
	l.broken = false
	l.written++
	return nil
}

// sync has on disk what was added before. Who calls it together shares a sync.
func (l *ledger) sync() error {
	wanted := l.lines()
	l.syncing.Lock()
	defer l.syncing.Unlock()
	if l.synced >= wanted {
		return nil
	}
	all := l.lines()
	if err := l.file.Sync(); err != nil {
		return err
	}
	l.synced = all
	return nil
}

// lines counts what was added.
func (l *ledger) lines() uint64 {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.written
}

func (l *ledger) close() {
	l.file.Close()
	l.unlock()
}
