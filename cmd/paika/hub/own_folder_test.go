package hub

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// put makes files in a folder, and the folders above them.
func put(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// there fails where a file is missing that put has made.
func there(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != name {
			t.Errorf("%s is %q: %v", name, text, err)
		}
	}
}

// Files by the names that a hub gives to what it empties at a start.
var (
	sent    = filepath.Join("incoming", wire.NewName())
	offered = filepath.Join("tables", strings.Repeat("0a", 32))
)

// TestAHubTakesNoFolderOfOtherFiles, and leaves it as it is: what is called tables there, or incoming,
// is somebody else's.
func TestAHubTakesNoFolderOfOtherFiles(t *testing.T) {
	for name, files := range map[string][]string{
		"tables beside others":      {"flat/slice", "tables/identity.json"},
		"tables alone":              {"tables/000001.sst", "tables/MANIFEST"},
		"incoming alone":            {"incoming/letter"},
		"a folder below":            {"tables/fanorona-9x5/MANIFEST"},
		"a folder named as a table": {offered + "/file"},
		"a ledger of another kind":  {"ledger", "tables/identity.json"},
		"that ledger alone":         {"ledger"},
		"keys of another kind":      {"keys/id_rsa", "tables/identity.json"},
		"another file":              {"thesis.tex"},
		"a file named as a folder":  {"nats"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put(t, dir, files...)
			before, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			h, err := Start(t.Context(), Options{Dir: dir, Version: version, Open: opener()})
			if h != nil {
				h.Close()
			}
			if !errors.Is(err, ErrForeign) {
				t.Errorf("a hub starts: %v", err)
			}
			if gone, err := Clear(dir); gone || err != nil {
				t.Errorf("it is cleared: %v, %v", gone, err)
			}
			if err := Remove(dir); err != nil {
				t.Errorf("it is to be removed: %v", err)
			}
			there(t, dir, files...)
			if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
				t.Errorf("there are %v now, and were %v: %v", after, before, err)
			}
		})
	}
}

// TestAHubTakesItsOwnFolder, whatever else has come there since, and empties what it has to of its own
// files alone.
func TestAHubTakesItsOwnFolder(t *testing.T) {
	for name, lies := range map[string]func(t *testing.T, dir string){
		"a folder that is not there": func(t *testing.T, dir string) {
			if err := os.Remove(dir); err != nil {
				t.Fatal(err)
			}
		},
		"an empty one": func(*testing.T, string) {},
		"an empty disk": func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "lost+found"), 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"one of a hub that was": func(t *testing.T, dir string) {
			startHub(t, dir, nil).Close()
			put(t, dir, sent, offered, offered+lasting.PartSuffix, "tables/identity.json", "incoming/letter", "thesis.tex")
		},
		"one of a start that was killed": func(t *testing.T, dir string) {
			put(t, dir, sent, offered)
			for _, name := range []string{"ledger.lock", "ledger", "worker.creds" + lasting.PartSuffix} {
				if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		},
		"one whose ledger is lost": func(t *testing.T, dir string) {
			startHub(t, dir, nil).Close()
			if err := os.Remove(filepath.Join(dir, "ledger")); err != nil {
				t.Fatal(err)
			}
			put(t, dir, sent, offered, "parts/part")
		},
		"one whose ledger is damaged": func(t *testing.T, dir string) {
			startHub(t, dir, nil).Close()
			put(t, dir, sent, offered, "ledger")
		},
		"one with keys": func(t *testing.T, dir string) {
			if _, err := keys.Make(dir, nil, []string{"ann"}); err != nil {
				t.Fatal(err)
			}
			put(t, dir, "authorization.conf")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			lies(t, dir)
			var others []string
			for _, name := range []string{"tables/identity.json", "incoming/letter", "thesis.tex", "authorization.conf", "parts/part"} {
				if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
					others = append(others, name)
				}
			}
			startHub(t, dir, func(o *Options) { o.Address = "127.0.0.1:0" })
			there(t, dir, others...)
			for _, name := range []string{sent, offered, offered + lasting.PartSuffix} {
				if _, err := os.Stat(filepath.Join(dir, name)); !os.IsNotExist(err) {
					t.Errorf("%s is there still: %v", name, err)
				}
			}
		})
	}
}

// TestAFolderWithOthersFilesIsNotRemoved, nor with keys, which no embedded hub has.
func TestAFolderWithOthersFilesIsNotRemoved(t *testing.T) {
	for _, other := range []string{"thesis.tex", "tables/identity.json", "incoming/letter", "keys/server.pem", "nats/file"} {
		dir := t.TempDir()
		startHub(t, dir, nil).Close()
		put(t, dir, other)
		if err := Remove(dir); err != nil {
			t.Errorf("%s: %v", other, err)
		}
		there(t, dir, other)
		if _, err := os.Stat(filepath.Join(dir, "ledger")); err != nil {
			t.Errorf("%s: the ledger beside it is gone: %v", other, err)
		}
	}
}

// TestADiskOfItsOwnIsNotRemoved: the folder of a hub may be where one is mounted.
func TestADiskOfItsOwnIsNotRemoved(t *testing.T) {
	for _, disk := range []bool{true, false} {
		dir := t.TempDir()
		put(t, dir, "incoming/"+wire.NewName())
		if disk {
			put(t, dir, foundFolder+"/x")
		}
		if err := Remove(dir); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(dir); (err == nil) != disk {
			t.Errorf("a disk: %v, and the folder: %v", disk, err)
		}
	}
}

// TestWhatIsWithinAHub is told by whatever name, be it there or not.
func TestWhatIsWithinAHub(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "hub")
	put(t, dir, "incoming/x", "fanorona-5x5/x")
	link := filepath.Join(root, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Skip(err)
	}
	t.Chdir(root)
	for path, want := range map[string]string{
		"hub/tables": "tables", "hub/tables/": "tables", "hub/tables/9x5": "tables", "link/tables/9x5": "tables", "hub/../link/incoming": "incoming",
		filepath.Join(dir, "incoming", "9x5"): "incoming", "hub/parts": "parts", "hub/keys/x": "keys",
		"hub": "", "hub/tables-9x5": "", "hub/fanorona-5x5": "", "tables": "", "other/tables": "", "incoming": "", "..": "",
	} {
		if got := Within(dir, filepath.FromSlash(path)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
		if got := Within("link", filepath.FromSlash(path)); got != want {
			t.Errorf("%s, by a link to the hub: %q, want %q", path, got, want)
		}
	}
}
