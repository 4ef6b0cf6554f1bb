package tablebase

import (
	"errors"
	"os"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
)

// A writer whose folder was moved writes nothing of a store into what has its name by now, and tells.
func TestAMovedStoreIsNotWritten(t *testing.T) {
	if !badgerdir.MovesOpen {
		t.Skip("no folder is renamed whose files are open")
	}
	m, space, dir := bitboard.WDL, shortSpace, t.TempDir()
	store, tables := checkpointsOf(t, dir, m, space)
	group := space.unfinished(m, 1, 2, 3)
	saveCheckpoint(t, tables, "text", group)
	if err := errors.Join(space.save(store, m, 0), os.Rename(dir, dir+"-moved")); err != nil {
		t.Fatal(err)
	}
	_, others := checkpointsOf(t, dir, m, space)
	saveCheckpoint(t, others, "another's", group)
	if err := errors.Join(space.save(others.store, m, 1), others.store.Close()); err != nil {
		t.Fatal(err)
	}
	want := takeSnapshot(t, dir)
	for what, err := range map[string]error{
		"a slice":           space.save(store, m, 1),
		"a slice there was": space.save(store, m, 0),
		"a manifest":        store.writeManifest(m, store.manifests[m]),
		"a checkpoint":      tables.SaveCheckpoint(nil, group),
		"one that goes":     tables.DropCheckpoint(group),
		"closing":           store.Close(),
	} {
		if !errors.Is(err, ErrMoved) {
			t.Errorf("%s: %v", what, err)
		}
	}
	want.unchanged(t, dir)
	_, err := Open(dir+"-moved", testIdentity, Options{ReadOnly: true})
	if !errors.Is(err, ErrLocked) && !errors.Is(err, ErrUnclean) {
		t.Errorf("what was moved: %v", err)
	}
}
