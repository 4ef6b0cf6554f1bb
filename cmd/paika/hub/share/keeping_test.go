package share_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// told collects notices.
type told struct {
	mutex sync.Mutex
	texts []string
}

func (n *told) tell(text string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.texts = append(n.texts, text)
}

// keptSearch searches the root of 5x3 for so many nodes by a searcher that is closed then, and gives its result, and
// what was told.
func keptSearch(t *testing.T, keep *share.Keeping, nodes uint64) (share.Found, []string) {
	t.Helper()
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	var notices told
	keep.Context, keep.Notice = t.Context(), notices.tell
	_, task := rootTask(t, of, site, "white-wins", nodes)
	s, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20, Keep: keep})
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
	s.Close()
	if err != nil {
		t.Fatal(err)
	}
	return found, notices.texts
}

// TestASearchGoesOnFromItsTable: by steps that alone never decide it, each of another searcher, as after a stop.
func TestASearchGoesOnFromItsTable(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "search")
	const nodes, steps = 100, 20
	found := share.Found{}
	for step := 0; found.Verdict != proofnumber.Proved; step++ {
		if step == steps {
			t.Fatalf("not proved in %d steps of %d nodes", steps, nodes)
		}
		var notices []string
		if found, notices = keptSearch(t, &share.Keeping{Folder: dir}, nodes); len(notices) > 0 {
			t.Error(notices)
		}
		if step == 0 && found.Verdict != proofnumber.Undecided {
			t.Fatalf("%+v at once: nothing is seen to go on", found)
		}
	}
	if found, _ := keptSearch(t, &share.Keeping{Folder: filepath.Join(t.TempDir(), "other")}, nodes); found.Verdict != proofnumber.Undecided {
		t.Errorf("%+v with nothing saved", found)
	}
}

// TestWhatIsDroppedIsNotSaved, as once the question is answered.
func TestWhatIsDroppedIsNotSaved(t *testing.T) {
	keep := &share.Keeping{Folder: filepath.Join(t.TempDir(), "search")}
	keep.Drop()
	keptSearch(t, keep, 100)
	if saved, err := filepath.Glob(filepath.Join(keep.Folder, "*")); err != nil || len(saved) > 0 {
		t.Error(saved, err)
	}
}

// TestADamagedTableIsSetAside: the search begins with an empty one, says so, and what was there stays.
func TestADamagedTableIsSetAside(t *testing.T) {
	dir := t.TempDir()
	keptSearch(t, &share.Keeping{Folder: dir}, 100)
	saved, err := filepath.Glob(filepath.Join(dir, "*.search"))
	if err != nil || len(saved) != 1 {
		t.Fatal(saved, err)
	}
	text, err := os.ReadFile(saved[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := text[:len(text)*3/4]
	if err := os.WriteFile(saved[0], damaged, 0o666); err != nil {
		t.Fatal(err)
	}
	keep := &share.Keeping{Folder: dir}
	found, notices := keptSearch(t, keep, 100)
	if all := strings.Join(notices, "\n"); len(notices) != 2 || !strings.Contains(all, saved[0]) || !strings.Contains(all, "is kept in "+saved[0]+".1") {
		t.Errorf("told: %q", notices)
	}
	if found.Verdict != proofnumber.Undecided || keep.Failed() != nil {
		t.Errorf("%+v, %v", found, keep.Failed())
	}
	if aside, err := os.ReadFile(saved[0] + ".1"); err != nil || string(aside) != string(damaged) {
		t.Errorf("what was there is lost: %v", err)
	}
	if _, notices := keptSearch(t, &share.Keeping{Folder: dir}, 100); len(notices) > 0 {
		t.Errorf("the next time: %q", notices)
	}
}

// TestASearchThatCannotBeSavedSaysSo and answers all the same.
func TestASearchThatCannotBeSavedSaysSo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	keep := &share.Keeping{Folder: file}
	found, notices := keptSearch(t, keep, 1<<20)
	var failed *checkpoint.SaveError
	if found.Verdict != proofnumber.Proved || len(notices) != 1 || !errors.As(keep.Failed(), &failed) {
		t.Errorf("%+v, told %q, %v", found, notices, keep.Failed())
	}
}

// TestTakingUpATableEnds with the context, and leaves what is saved alone.
func TestTakingUpATableEnds(t *testing.T) {
	dir := t.TempDir()
	keptSearch(t, &share.Keeping{Folder: dir}, 100)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	site := open(t, fanoronaOn(t, 5, 3), "")
	_, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20, Keep: &share.Keeping{Context: ctx, Folder: dir, Notice: func(text string) { t.Error(text) }}})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, notices := keptSearch(t, &share.Keeping{Folder: dir}, 100); len(notices) > 0 {
		t.Errorf("afterwards: %q", notices)
	}
}
