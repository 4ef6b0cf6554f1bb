package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOwnMaterials lists what this test was built from.
func TestOwnMaterials(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := run([]string{self}, out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Error("two runs wrote different lists")
	}
	var got struct {
		BOMFormat    string
		SerialNumber string
		Metadata     struct{ Component struct{ Name string } }
		Components   []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(first.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.BOMFormat != "CycloneDX" || got.SerialNumber != "" || got.Metadata.Component.Name == "" {
		t.Errorf("the list begins with %+v", got)
	}
	standard, library := false, false
	for _, c := range got.Components {
		standard = standard || c.Name == "std" && "go"+c.Version == strings.Fields(runtime.Version())[0]
		library = library || c.Name == "github.com/CycloneDX/cyclonedx-go" && c.PURL == "pkg:golang/"+c.Name+"@"+c.Version
	}
	if !standard || !library {
		t.Errorf("the list lacks Go or a module: %s", &first)
	}
}

func TestWhatIsNoProgramHasNoMaterials(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no program"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {text}, {text + "-missing"}, {text, text}} {
		var out bytes.Buffer
		if err := run(args, &out); err == nil || out.Len() > 0 {
			t.Errorf("%q: error %v, output %q", args, err, out.String())
		}
	}
}
