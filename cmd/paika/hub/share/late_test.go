package share_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// TestTablesAreLoadedWhereTheyTell: a question about a position in them is answered at once, any
// other begins without them.
func TestTablesAreLoadedWhereTheyTell(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	dir := built(t, of, 3)
	for _, c := range []struct {
		position string
		needs    bool
	}{{"B.B/.../..W w", true}, {start(t, of), false}} {
		site := open(t, of, dir)
		if err := os.Rename(dir, dir+".away"); err != nil {
			t.Fatal(err)
		}
		_, err := site.Proof(t.Context(), share.Question{Position: c.position, Claim: "black-wins", Version: version})
		if failed := err != nil; failed != c.needs {
			t.Errorf("%s, with its tables out of reach: %v", c.position, err)
		}
		if err := os.Rename(dir+".away", dir); err != nil {
			t.Fatal(err)
		}
		proof, err := site.Proof(t.Context(), share.Question{Position: c.position, Claim: "black-wins", Version: version})
		if err != nil {
			t.Fatal(err)
		}
		if known := proof.Verdict() != proofnumber.Undecided; known != c.needs {
			t.Errorf("%s: %v", c.position, proof.Verdict())
		}
	}
}

// TestTablesAreThoseThatWereNamed, or they are not loaded, whatever became of the folder meanwhile.
func TestTablesAreThoseThatWereNamed(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	named := built(t, of, 3)
	if err := os.Mkdir(filepath.Join(t.TempDir(), "empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		dir  string
		fits bool
	}{"the same": {built(t, of, 3), true}, "more": {built(t, of, 4), true}, "fewer": {built(t, of, 2), false}, "none": {t.TempDir(), false}} {
		folder := filepath.Join(t.TempDir(), "tables")
		if err := os.CopyFS(folder, os.DirFS(named)); err != nil {
			t.Fatal(err)
		}
		site := open(t, of, folder)
		before := site.Tables()
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(c.dir, folder); err != nil {
			t.Fatal(err)
		}
		if err := site.Load(t.Context()); (err == nil) != c.fits {
			t.Errorf("%s: %v", what, err)
		}
		if site.Tables() != before {
			t.Errorf("%s: the tables are named anew", what)
		}
	}
}

// TestTablesThatDoNotFitAreRefusedBeforeTheyAreLoaded.
func TestTablesThatDoNotFitAreRefusedBeforeTheyAreLoaded(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	_, err := share.NewSite(of, built(t, of, 3), prover.LoadOptions{Workers: 1, Memory: 1})
	if !errors.As(err, new(*prover.MemoryError)) {
		t.Error(err)
	}
	site, err := share.NewSite(of, "", prover.LoadOptions{Workers: 1, Memory: 1})
	if err != nil || site.Load(t.Context()) != nil || site.Setting() != proofs.Setting(of.Identity) {
		t.Errorf("without tables: %v", err)
	}
}
