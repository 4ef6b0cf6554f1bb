package attack

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Trials of each campaign, whole and in a plain go test.
const (
	closedFlips, fewClosedFlips = 1000, 12
	killedFlips, fewKilledFlips = 500, 6
	closedCuts, fewClosedCuts   = 200, 8
	killedCuts, fewKilledCuts   = 100, 4
)

// target is a store that is damaged in copies.
type target struct {
	oracle oracle
	dir    string            // holds db
	listed func(at int) bool // by the position's place among the oracle's
	killed bool              // its writer did not close it
	files  []string          // of db
}

func newClosed(t *testing.T) target {
	t.Helper()
	dir := t.TempDir()
	must(t, dir, "", on("build", "db", "--pieces", "all", "--metric", "dtw")...)
	return target{oracle: newOracle(t, dir, "db"), dir: dir, listed: everything, files: filesOf(t, filepath.Join(dir, "db"))}
}

// newKilled kills builds until one leaves some slices listed and others not.
func newKilled(t *testing.T, o oracle) target {
	t.Helper()
	build := on("build", "db", "--pieces", "all", "--metric", "dtw")
	for after := 100 * time.Millisecond; after < patience; after += after / 4 {
		dir := t.TempDir()
		if runAndKill(t, dir, after, build...) {
			after /= 2
			continue
		}
		listed := listedAfter(t, dir)
		if len(listed) < 5 {
			continue
		}
		return target{oracle: o, dir: dir, killed: true, files: filesOf(t, filepath.Join(dir, "db")),
			listed: func(at int) bool { return listed[o.right[at].Slice] }}
	}
	t.Fatal("no kill leaves a store in part")
	return target{}
}

// listedAfter tells what the next writer finds listed in a copy of a killed store.
func listedAfter(t *testing.T, dir string) map[string]bool {
	t.Helper()
	if _, err := os.Stat(filepath.Join(dir, "db")); errors.Is(err, fs.ErrNotExist) {
		return nil // killed before there was a folder
	}
	again := t.TempDir()
	copyFolder(t, filepath.Join(dir, "db"), filepath.Join(again, "db"))
	if s := reopen(t, again); s.status != statusDone {
		return nil // killed before there was a store
	}
	var stats struct{ Slices []struct{ Slice string } }
	if err := json.Unmarshal([]byte(must(t, again, "", on("stats", "db", "--json")...)), &stats); err != nil {
		t.Fatal(err)
	}
	listed := make(map[string]bool)
	for _, s := range stats.Slices {
		listed[s.Slice] = true
	}
	return listed
}

// reopen has a writer open and close a store: it builds the smallest slice, which
// is there already.
func reopen(t *testing.T, dir string) said {
	t.Helper()
	return paika(t, dir, "", on("build", "db", "--slices", "1v1", "--metric", "dtw", "--quiet")...)
}

func filesOf(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
}

// attack damages a copy of the store, and asks it everything.
func (x target) attack(t *testing.T, damage func(db string) error) verdict {
	t.Helper()
	dir, err := os.MkdirTemp(x.dir, "trial-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	db := filepath.Join(dir, "db")
	copyFolder(t, filepath.Join(x.dir, "db"), db)
	if err := damage(db); err != nil {
		t.Fatal(err)
	}
	if x.killed {
		return x.afterWriter(t, dir)
	}
	before := contents(t, db)
	v, right := x.ask(t, dir)
	if after := contents(t, db); after != before {
		v = v.worse(verdict{lost, "a reader changed the store"})
	}
	return v.worse(x.buildAgain(t, dir, right))
}

// ask queries every position, and then verifies.
func (x target) ask(t *testing.T, dir string) (v verdict, right int) {
	t.Helper()
	v, right = x.oracle.judge(paika(t, dir, x.oracle.asked, on("query", "db", "-")...), x.listed)
	verified := paika(t, dir, "", on("verify", "db")...)
	if w, broken := verified.broken(); broken {
		return v.worse(w), right
	}
	if verified.status != statusDone {
		v = v.worse(verdict{outcome: noticed})
	} else if v.outcome != unharmed && !x.killed {
		v = v.worse(verdict{wrong, "verify finds all well where query does not"})
	}
	return v, right
}

// buildAgain has a writer with nothing to do open the store: what was right before
// must be so afterwards.
func (x target) buildAgain(t *testing.T, dir string, right int) verdict {
	t.Helper()
	s := reopen(t, dir)
	if v, broken := s.broken(); broken {
		return v
	}
	v, now := x.oracle.judge(paika(t, dir, x.oracle.asked, on("query", "db", "-")...), x.listed)
	if now < right {
		v = v.worse(verdict{lost, fmt.Sprintf("%d right answers before a build with nothing to do, %d after it: %s", right, now, s.stderr)})
	}
	return v
}

// afterWriter lets a writer take up a killed store, which readers leave to it.
func (x target) afterWriter(t *testing.T, dir string) verdict {
	t.Helper()
	s := reopen(t, dir)
	if v, broken := s.broken(); broken {
		return v
	}
	v, _ := x.ask(t, dir)
	if s.status != statusDone {
		v = v.worse(verdict{outcome: noticed})
	}
	return v
}

// contents is the files of a folder with all that they hold.
func contents(t *testing.T, dir string) string {
	t.Helper()
	text := ""
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		text += fmt.Sprintf("%s %d %x\n", e.Name(), len(data), data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// flip changes one bit of one file, each file as likely.
func (x target) flip(r *rand.Rand) (what string, damage func(db string) error) {
	name := x.files[r.IntN(len(x.files))]
	at, bit := r.Float64(), byte(1)<<r.IntN(8)
	return fmt.Sprintf("bit %#02x at %.4f of %s", bit, at, name), func(db string) error {
		return change(filepath.Join(db, name), func(data []byte) []byte {
			if len(data) > 0 {
				data[int(at*float64(len(data)))] ^= bit
			}
			return data
		})
	}
}

// cut shortens, empties, removes or exchanges files.
func (x target) cut(r *rand.Rand) (what string, damage func(db string) error) {
	name, other := x.files[r.IntN(len(x.files))], x.files[r.IntN(len(x.files))]
	at := r.Float64()
	switch r.IntN(5) {
	case 0:
		return "removed " + name, func(db string) error { return os.Remove(filepath.Join(db, name)) }
	case 1:
		return "emptied " + name, func(db string) error { return os.Truncate(filepath.Join(db, name), 0) }
	case 2:
		return name + " with the contents of " + other, func(db string) error {
			data, err := os.ReadFile(filepath.Join(db, other))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(db, name), data, 0o666)
		}
	case 3:
		return "a byte cut off " + name, func(db string) error {
			return change(filepath.Join(db, name), func(data []byte) []byte { return data[:max(0, len(data)-1)] })
		}
	}
	return fmt.Sprintf("%s cut at %.4f", name, at), func(db string) error {
		return change(filepath.Join(db, name), func(data []byte) []byte { return data[:int(at*float64(len(data)))] })
	}
}

func change(path string, how func(data []byte) []byte) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, how(data), 0o666)
}

func TestDamagedStoresAnswerRightOrNotAtAll(t *testing.T) {
	closed := newClosed(t)
	killed := newKilled(t, closed.oracle)
	for _, c := range []struct {
		campaign
		target target
		damage func(target, *rand.Rand) (string, func(db string) error)
	}{
		{campaign{"flips, closed store", 1, closedFlips, fewClosedFlips}, closed, target.flip},
		{campaign{"flips, killed store", 2, killedFlips, fewKilledFlips}, killed, target.flip},
		{campaign{"cuts, closed store", 3, closedCuts, fewClosedCuts}, closed, target.cut},
		{campaign{"cuts, killed store", 4, killedCuts, fewKilledCuts}, killed, target.cut},
	} {
		c.run(t, func(t *testing.T, r *rand.Rand) (string, verdict) {
			what, damage := c.damage(c.target, r)
			return what, c.target.attack(t, damage)
		})
	}
}
