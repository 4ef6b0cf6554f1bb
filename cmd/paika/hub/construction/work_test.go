package construction

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/inspection"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// workshop is a game whose checkpoints lie in a folder.
type workshop struct {
	*game[fanorona.Position]
	t      *testing.T
	groups []bitboard.Group
	told   []string // notices
}

func newWorkshop(t *testing.T) *workshop {
	board := bitboard.Board{Width: 3, Height: 3}
	of, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s := &workshop{t: t}
	if s.groups, err = of.Groups(); err != nil {
		t.Fatal(err)
	}
	id := tablebase.Identity{Game: "fanorona", Board: "3x3", Rules: fanorona.Rules{}.String()}
	s.game = New(of, board, id, Options{
		Options: inspection.Options{Workers: 1, Memory: 1 << 30}, Version: "of the store", Work: filepath.Join(t.TempDir(), "work"),
		Building: func([]bitboard.Group) uint64 { return 0 }, Notice: func(text string) { s.told = append(s.told, text) },
	}).(*game[fanorona.Position])
	return s
}

// task is that of a group.
func (s *workshop) task(g bitboard.Group) Task {
	t := Task{Setting: proofs.Setting(s.id), Group: verify.Group{Metric: "wdl", Slices: s.names(g.Slices)}}
	for _, need := range s.names(g.Needs) {
		t.Group.Tables = append(t.Group.Tables, verify.Table{Metric: "wdl", Slice: need})
	}
	return t.named()
}

// solved goes through the calls of a build of a big group, which ends with an error or none.
func (s *workshop) solved(g bitboard.Group, ended error) {
	s.t.Helper()
	var tables []*bitboard.Table
	for _, slice := range g.Slices {
		tables = append(tables, bitboard.NewTable(bitboard.WDL, slice, s.of.Indices(slice)))
	}
	with, finish := (&storage[fanorona.Position]{game: s.game, out: new(bytes.Buffer)}).keep(g)
	kept := with.(retrograde.Checkpoints)
	_, _, err := kept.LoadCheckpoint(s.t.Context(), tables)
	if err = errors.Join(err, kept.SaveCheckpoint([]byte("{}"), tables)); err == nil && ended == nil {
		err = kept.DropCheckpoint(tables)
	}
	if finish(ended); err != nil {
		s.t.Fatal(err)
	}
}

// want wants the checkpoints of these groups, and of no other, and no folder where there is none.
func (s *workshop) want(when string, groups ...bitboard.Group) {
	s.t.Helper()
	for _, g := range s.groups {
		there := s.has(g)
		if want := slices.ContainsFunc(groups, func(o bitboard.Group) bool { return slices.Equal(o.Slices, g.Slices) }); there != want {
			s.t.Errorf("%s: checkpoint of %v: %v, want %v", when, s.names(g.Slices), there, want)
		}
	}
	if _, err := os.Stat(s.options.Work); len(groups) == 0 && !errors.Is(err, os.ErrNotExist) {
		s.t.Errorf("%s: the folder is there, %v", when, err)
	}
	if len(s.told) > 0 {
		s.t.Errorf("%s: %q", when, s.told)
	}
}

// has tells whether a group has a checkpoint.
func (s *workshop) has(g bitboard.Group) (there bool) {
	names := s.names(g.Slices)
	err := tablebase.TidyWork(s.options.Work, s.id, func(c tablebase.Checkpoint) bool {
		there = there || slices.Equal(c.Slices, names)
		return true
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return there
}

// TestCheckpointsStayUntilTheHubAnswers to the group that is built, and those of other groups as
// long as the hub may give these out.
func TestCheckpointsStayUntilTheHubAnswers(t *testing.T) {
	s := newWorkshop(t)
	last := len(s.groups) - 1
	first, below, above := s.groups[0], s.groups[1], s.groups[last]
	stopped := errors.New("stopped")
	s.solved(above, stopped)
	s.want("a group is stopped", above)
	s.solved(first, nil)
	s.want("another is built", above, first)
	s.Answered(s.task(first))
	s.want("that is answered", above)
	s.solved(below, stopped)
	s.want("a third is stopped", above, below)
	s.solved(above, nil)
	s.Answered(s.task(above)) // the hub has those below it of others
	s.want("what follows from it is answered")

	s.solved(above, stopped)
	s.want("an answered group is built anew", above)
	s.solved(above, &retrograde.CountError{})
	s.want("values from a checkpoint are wrong")
}

// TestWhatAnotherVersionLeftIsSetAside: no worker waits for somebody to remove it, and none replaces
// it.
func TestWhatAnotherVersionLeftIsSetAside(t *testing.T) {
	s := newWorkshop(t)
	g := s.groups[len(s.groups)-1]
	stopped := errors.New("stopped")
	s.solved(g, stopped)
	left := s.files()
	s.options.Version = "another"
	s.solved(g, stopped)
	if len(s.told) != 1 || !strings.Contains(s.told[0], "version of the store") {
		t.Errorf("told %q", s.told)
	}
	now := s.files()
	for name, text := range left {
		if aside := now[name+".aside"]; aside != text || now[name] == text || len(now) != 2 || !strings.Contains(s.told[0], name+".aside") {
			t.Errorf("%d files, told %q; set aside as it was: %v", len(now), s.told, aside == text)
		}
	}
	s.told = nil
	s.solved(g, stopped) // this version goes on from its own
	s.want("both are there", g)
	s.Answered(s.task(g))
	s.want("the group is answered")
}

// files are the texts of the checkpoints by their names.
func (s *workshop) files() map[string]string {
	s.t.Helper()
	names, err := filepath.Glob(filepath.Join(s.options.Work, "checkpoint-*"))
	if err != nil || len(names) == 0 {
		s.t.Fatal(names, err)
	}
	texts := make(map[string]string)
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			s.t.Fatal(err)
		}
		texts[name] = string(text)
	}
	return texts
}

// TestOldCheckpointsGo once a group is answered.
func TestOldCheckpointsGo(t *testing.T) {
	s := newWorkshop(t)
	old := s.groups[len(s.groups)-1]
	s.solved(old, errors.New("stopped"))
	entries, err := filepath.Glob(filepath.Join(s.options.Work, "checkpoint-*"))
	if err != nil || len(entries) != 1 {
		t.Fatal(entries, err)
	}
	then := time.Now().Add(-mostKept - time.Hour)
	if err := os.Chtimes(entries[0], then, then); err != nil {
		t.Fatal(err)
	}
	s.Answered(s.task(s.groups[0]))
	s.want("it is old")
}

// TestAFolderInUseIsTidiedByWhoHasIt, who builds the next group while this one is sent.
func TestAFolderInUseIsTidiedByWhoHasIt(t *testing.T) {
	s := newWorkshop(t)
	sent, next := s.groups[0], s.groups[1]
	s.solved(sent, nil)
	k := &keeping[fanorona.Position]{storage: &storage[fanorona.Position]{game: s.game}, group: next}
	if _, err := k.checkpoints(); err != nil {
		t.Fatal(err)
	}
	s.Answered(s.task(sent))
	k.finish(errors.New("stopped"))
	s.want("the next is stopped")
}

// TestAFolderThatIsNotRemovedCostsNoGroup: the user is told.
func TestAFolderThatIsNotRemovedCostsNoGroup(t *testing.T) {
	s := newWorkshop(t)
	s.solved(s.groups[0], nil)
	if err := os.WriteFile(filepath.Join(s.options.Work, "manifest-wdl"), []byte("torn"), 0o666); err != nil {
		t.Fatal(err)
	}
	made, err := s.Build(t.Context(), s.task(s.groups[0]), nil, new(bytes.Buffer))
	if err != nil || made.Digest == "" {
		t.Errorf("%+v, %v", made, err)
	}
	if s.Answered(s.task(s.groups[0])); len(s.told) == 0 {
		t.Error("nothing is told")
	}
}

// TestAGroupIsBuiltWithoutAFolder where there is to be none, and where it can't be had: the user is told
// once. Where a checkpoint can't be set aside, nothing replaces it.
func TestAGroupIsBuiltWithoutAFolder(t *testing.T) {
	s := newWorkshop(t)
	g := s.groups[0]
	tables := []*bitboard.Table{bitboard.NewTable(bitboard.WDL, g.Slices[0], s.of.Indices(g.Slices[0]))}
	kept := func() (retrograde.Checkpoints, func(error)) {
		with, finish := (&storage[fanorona.Position]{game: s.game, out: new(bytes.Buffer)}).keep(g)
		c, _ := with.(retrograde.Checkpoints)
		return c, finish
	}
	why := errors.New("why it is set aside")

	another, err := tablebase.Open(s.options.Work, s.id, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	with, finish := kept()
	if text, refused, err := with.LoadCheckpoint(t.Context(), tables); text != nil || refused != nil || err != nil {
		t.Errorf("from a folder in use comes %q, %v, %v", text, refused, err)
	}
	if err := with.(*keeping[fanorona.Position]).RefuseCheckpoint(tables, why); err != nil {
		t.Errorf("a folder in use ends the build: %v", err)
	}
	if err := with.SaveCheckpoint([]byte("{}"), tables); !errors.Is(err, tablebase.ErrLocked) {
		t.Errorf("%v, want %v", err, tablebase.ErrLocked)
	}
	finish(nil)
	if len(s.told) != 1 || !strings.Contains(s.told[0], "without checkpoints") {
		t.Errorf("told %q", s.told)
	}
	if err := another.Close(); err != nil {
		t.Fatal(err)
	}

	s.told = nil
	with, finish = kept()
	if err := with.(*keeping[fanorona.Position]).RefuseCheckpoint(tables, why); err != nil {
		t.Errorf("a checkpoint that can't be set aside ends the build: %v", err)
	}
	if err := with.SaveCheckpoint([]byte("{}"), tables); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, want %v", err, fs.ErrNotExist)
	}
	finish(nil)
	if len(s.told) != 1 || !strings.Contains(s.told[0], why.Error()) {
		t.Errorf("told %q", s.told)
	}

	s.told, s.options.Work = nil, ""
	if with, _ := kept(); with != nil {
		t.Error("checkpoints are kept in no folder")
	}
}
