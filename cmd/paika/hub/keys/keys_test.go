package keys

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/hub/wire"
)

// TestKeysStayWhenOthersAreMade, and what is secret is for its owner alone.
func TestKeysStayWhenOthersAreMade(t *testing.T) {
	dir := t.TempDir()
	files, err := Make(dir, nil, []string{"ann"})
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	again, err := Make(dir, []string{"hub.example.org", "192.0.2.1"}, []string{"ann", "bob"})
	if err != nil || len(again) != 2 || again[0] != files[0] {
		t.Fatal(again, err)
	}
	if after, err := os.ReadFile(files[0]); err != nil || string(after) != string(before) {
		t.Errorf("ann's key is another: %v", err)
	}
	names, err := In(dir).Workers()
	if err != nil || !slices.Equal(slices.Sorted(maps.Values(names)), []string{"ann", "bob"}) {
		t.Errorf("keys %v, %v", names, err)
	}
	entries, err := os.ReadDir(string(In(dir)))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if info, err := e.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", e.Name(), info.Mode(), err)
		}
	}
	for _, name := range []string{"", "a b", "../x", ".x", "a\nb", strings.Repeat("x", wire.MostName+1)} {
		if _, err := Make(dir, nil, []string{name}); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestNamesDifferInMoreThanCase: where a file system does not tell upper from lower case, the file of
// one would be that of the other.
func TestNamesDifferInMoreThanCase(t *testing.T) {
	dir := t.TempDir()
	if _, err := Make(dir, nil, []string{"ann", "Ann"}); !errors.Is(err, ErrName) || In(dir).There() {
		t.Errorf("at once: %v", err)
	}
	files, err := Make(dir, nil, []string{"ann", "bob"})
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Make(dir, nil, []string{"eve", "ANN"}); !errors.Is(err, ErrName) || !strings.Contains(err.Error(), `"ANN"`) {
		t.Errorf("later: %v", err)
	}
	if after, err := os.ReadFile(files[0]); err != nil || string(after) != string(before) {
		t.Errorf("ann's key is another: %v", err)
	}
	// A list that has both, of a file system that tells them apart, stays good.
	list := In(dir).path(workersFile)
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	key := strings.Fields(string(text))[1]
	if err := os.WriteFile(list, append(text, "Ann "+key+"\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(In(dir).path("Ann"+credsSuffix), before, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(dir, nil, []string{"ann", "Ann", "eve"}); err != nil {
		t.Errorf("those that are there: %v", err)
	}
}

// TestAKeyThatIsGoneIsNotPromised: the hub takes it still, and the worker that has it. No other is made
// in its stead, and nothing else.
func TestAKeyThatIsGoneIsNotPromised(t *testing.T) {
	dir := t.TempDir()
	files, err := Make(dir, nil, []string{"ann"})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	list := In(dir).path(workersFile)
	before, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Make(dir, []string{"hub.example.org"}, []string{"bob", "ann"})
	if !errors.Is(err, ErrGone) || !strings.Contains(err.Error(), files[0]) || !strings.Contains(err.Error(), list) {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(list); err != nil || string(after) != string(before) {
		t.Errorf("the list is another: %q, %v", after, err)
	}
	if err := os.WriteFile(list, nil, 0o600); err != nil { // as it says
		t.Fatal(err)
	}
	if _, err := Make(dir, nil, []string{"ann"}); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(files[0]); err != nil {
		t.Error(err)
	}
}

// TestAHostHasNoPort: a certificate for one would be for nobody.
func TestAHostHasNoPort(t *testing.T) {
	dir := t.TempDir()
	if _, err := Make(dir, []string{"hub.example.org:4222"}, nil); !errors.Is(err, ErrName) || In(dir).There() {
		t.Errorf("%v", err)
	}
	if _, err := Make(dir, []string{"::1", "2001:db8::1"}, nil); err != nil {
		t.Error(err)
	}
}

// TestAFileThatIsGoneOrDamagedIsNamed, and no other is made in its stead: it would fit none of those
// that workers have.
func TestAFileThatIsGoneOrDamagedIsNamed(t *testing.T) {
	for _, name := range []string{authorityFile, serverFile} {
		for _, damage := range []func(string) error{os.Remove, func(path string) error { return os.WriteFile(path, []byte("garbage"), 0o600) }} {
			dir := t.TempDir()
			if _, err := Make(dir, nil, []string{"ann"}); err != nil {
				t.Fatal(err)
			}
			k := In(dir)
			if err := damage(k.path(name)); err != nil {
				t.Fatal(err)
			}
			_, err := k.ServerTLS()
			if name == authorityFile {
				_, err = Make(dir, nil, []string{"bob"})
			}
			if err == nil || !strings.Contains(err.Error(), k.path(name)) || !k.There() {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestOtherFilesAreNoCredentials: what stands in them is not sent to a hub.
func TestOtherFilesAreNoCredentials(t *testing.T) {
	path := filepath.Join(t.TempDir(), "passwd")
	for _, text := range []string{
		"", "worker", "worker:", ":guess", "root:x:0:0\nann:x:1:1\n", "ann: guess", "ann:gu\x00ess", "ann:gue\xffss", "ännchen:guess", "ann.lee:guess", "*:guess", "ann>:guess",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if c, err := Read(path); !errors.Is(err, ErrCredentials) || c != (Credentials{}) {
			t.Errorf("%q: %v, %v", text, c, err)
		}
	}
}

// TestAFileIsReadNoFurtherThanItMayGo, be it endless.
func TestAFileIsReadNoFurtherThanItMayGo(t *testing.T) {
	dir := t.TempDir()
	if _, err := Make(dir, nil, []string{"ann"}); err != nil {
		t.Fatal(err)
	}
	k := In(dir)
	creds := filepath.Join(t.TempDir(), CredentialsFile)
	if err := os.WriteFile(creds, []byte("worker:secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, read := range map[string]func() error{
		creds:               func() error { _, err := Read(creds); return err },
		k.path(serverFile):  func() error { _, err := k.ServerTLS(); return err },
		k.path(workersFile): func() error { _, err := k.Workers(); return err },
	} {
		if err := read(); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString(strings.Repeat("\n", 2<<20)); err != nil {
			t.Fatal(err)
		}
		file.Close()
		if err := read(); !errors.Is(err, ErrCredentials) || !strings.Contains(err.Error(), path+": ") {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Make(dir, nil, []string{"bob"}); !errors.Is(err, ErrCredentials) {
		t.Errorf("a key is made: %v", err)
	}
}

// A name is one word that can be that of a file. Without one a key would pass for the secret
// of the hub's own machine.
func TestAKeyHasAProperName(t *testing.T) {
	for _, name := range []string{"", ".ann", "..", "a/b", `a\b`, "a b", "a\tb", "a\n", "ä", strings.Repeat("x", wire.MostName+1)} {
		dir := t.TempDir()
		if files, err := Make(dir, nil, []string{name}); !errors.Is(err, ErrName) || len(files) > 0 {
			t.Errorf("%q: %v, %v, want no name", name, files, err)
		}
		if In(dir).There() {
			t.Errorf("%q: keys were made", name)
		}
	}
	dir := t.TempDir()
	if _, err := Make(dir, nil, []string{"ann"}); err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(string(In(dir)), workersFile)
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	name, key, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if name != "ann" {
		t.Fatalf("%q", text)
	}
	for _, line := range []string{"\n", key, " " + key, "ann", "ann ", "ann " + key[1:], "ann " + key + " x", "ä " + key, strings.Repeat("x", wire.MostName+1) + " " + key} {
		if err := os.WriteFile(list, []byte(string(text)+line+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if names, err := In(dir).Workers(); !errors.Is(err, ErrCredentials) {
			t.Errorf("line %q: %v, %v, want an error", line, names, err)
		}
	}
}
