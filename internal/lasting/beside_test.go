package lasting

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatStandsBesideAFolder(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		"tables": "tables.hub", "tables/": "tables.hub", "a/../b": "b.hub", "..tables": "..tables.hub",
		".": here + ".hub", "./": here + ".hub", "": here + ".hub", "a/..": here + ".hub",
		"..": filepath.Dir(here) + ".hub", "../..": filepath.Dir(filepath.Dir(here)) + ".hub",
	} {
		if got := Beside(dir, ".hub"); got != filepath.FromSlash(want) {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}
