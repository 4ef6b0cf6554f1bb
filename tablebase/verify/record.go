package verify

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/internal/lasting"
)

// A record tells which groups a Run that was stopped has shown to be right,
// so that the next goes on after them. It is a text:
//
//	paika verify 1
//	16 hex digits    XXH3 of all that follows
//	64 hex digits    for each group, in no order that matters
//
// The digits of a group are the SHA-256 of what was shown: the version of the
// program that showed it, and of every slice that the group was derived from the
// metric, the fingerprint of the values as they are stored, and what the manifest
// says. The next run reads every chunk again, takes the same digits, and derives
// every group whose digits it does not find. So a record stays good where tables
// were added, and is void for what was changed. Digits that a run does not find stay in the
// file until one comes to its end: another version of the program may go on by them.
//
// Who may write beside the tables may forge a record. That is why a report tells
// apart what was derived and what a record was believed for.
func recordHeading() string { return fmt.Sprintf("paika verify %d\n", RecordFormat) }

// RecordFormat is that of the records that are written and read.
const RecordFormat = 1

// headingBytes bounds the first line.
const headingBytes = 32

// maxRecorded bounds the groups of a record, as no game has more than slices, and
// maxRecordBytes what it takes.
const (
	maxRecorded    = bitboard.MaxSlices
	maxRecordBytes = headingBytes + 17 + maxRecorded*(2*sha256.Size+1)
)

// recordEvery is how often a record is written while Run goes on.
const recordEvery = 30 * time.Second

// ErrRecord says that the file by which Run goes on is damaged or none of its
// own.
var ErrRecord = errors.New("no record of verified tables, or a damaged one; remove the file to start anew")

// record is a file in work. It is for one goroutine.
type record struct {
	path    string   // empty: there is none
	earlier []string // digits that were found in the file
	shown   []string // those that count
	written time.Time
}

// open reads the file, if it is there.
func (r *record) open() error {
	if r.path == "" {
		return nil
	}
	r.written = time.Now()
	info, err := os.Lstat(r.path) // what a link leads to is not for us to replace
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() { // opening a pipe may take for ever
		return fmt.Errorf("%s: %w", r.path, ErrRecord)
	}
	file, err := os.Open(r.path)
	if err != nil {
		return err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, int64(maxRecordBytes)+1))
	if err != nil {
		return err
	}
	if r.earlier, err = parseRecord(text); err != nil {
		return fmt.Errorf("%s: %w", r.path, err)
	}
	return nil
}

// parseRecord lists the digits of a record.
func parseRecord(text []byte) (groups []string, err error) {
	body, found := bytes.CutPrefix(text, []byte(recordHeading()))
	sum, body, ended := bytes.Cut(body, []byte("\n"))
	if !found || !ended || len(text) > maxRecordBytes || string(sum) != recordSum(string(body)) {
		return nil, ErrRecord
	}
	for line := range bytes.Lines(body) {
		line, ended := bytes.CutSuffix(line, []byte("\n"))
		if _, err := hex.DecodeString(string(line)); err != nil || !ended || len(line) != 2*sha256.Size {
			return nil, ErrRecord
		}
		groups = append(groups, string(line))
	}
	return groups, nil
}

// formatRecord is what parseRecord reads.
func formatRecord(groups []string) []byte {
	var body strings.Builder
	for _, group := range groups {
		body.WriteString(group + "\n")
	}
	return []byte(recordHeading() + recordSum(body.String()) + "\n" + body.String())
}

func recordSum(body string) string { return fmt.Sprintf("%016x", xxh3.HashString(body)) }

// takeUp tells whether the file had a group, which counts from then on.
func (r *record) takeUp(group string) bool {
	if group == "" || !slices.Contains(r.earlier, group) {
		return false
	}
	r.shown = append(r.shown, group)
	return true
}

// add notes a group, and writes the file if it is time to. That it could not is
// told by stop, which tries again.
func (r *record) add(group string) {
	if r.path == "" || group == "" {
		return
	}
	r.shown = append(r.shown, group)
	if time.Since(r.written) >= recordEvery {
		_ = r.write()
	}
}

func (r *record) write() error {
	r.written = time.Now()
	return lasting.WriteFile(r.path, formatRecord(r.groups()))
}

// groups are the digits that count, and those in the file that others may go on by, as many as a
// record has room for.
func (r *record) groups() []string {
	groups := slices.Clone(r.shown)
	for _, group := range r.earlier {
		if len(groups) < maxRecorded && !slices.Contains(r.shown, group) {
			groups = append(groups, group)
		}
	}
	return groups
}

// stop writes the file if there is anything to go on from.
func (r *record) stop() (saved bool, err error) {
	if r.path == "" || len(r.shown) == 0 {
		return false, nil
	}
	err = r.write()
	return err == nil, err
}

// stands tells whether there is anything to go on from in the file, which is as an earlier run
// left it: nothing was taken up so far, or added.
func (r *record) stands() bool { return len(r.earlier) > 0 }

// remove removes the file, since all is done, and what a killed run left of one.
func (r *record) remove() error {
	if r.path == "" {
		return nil
	}
	return errors.Join(lasting.Remove(r.path), lasting.RemovePart(r.path))
}

// recordKey is the digits of a check, or empty where something that it rests on
// is known to be wrong.
func (v *verifier[P]) recordKey(c groupCheck) string {
	h := sha256.New()
	fmt.Fprintf(h, "version %q\n", v.opts.Version)
	put := func(m bitboard.Metric, list []bitboard.Slice) bool {
		for _, s := range list {
			info, err := json.Marshal(v.listed[m][s])
			if err != nil || v.broken[m][s] {
				return false
			}
			fmt.Fprintf(h, "%v %s %s\n", m, v.sums[m][s], info)
		}
		return true
	}
	if !put(c.metric, c.loaded()) || !put(bitboard.WDL, c.agree) {
		return ""
	}
	return hex.EncodeToString(h.Sum(nil))
}
