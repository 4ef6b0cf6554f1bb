package checkpoint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// entries yields the first n of an endless row.
func entries(n uint64) func(func(uint64, uint64) bool) {
	return func(yield func(uint64, uint64) bool) {
		for i := uint64(1); i <= n; i++ {
			if !yield(i*0x9e3779b97f4a7c15|1, i) {
				return
			}
		}
	}
}

func TestLoadGivesWhatWasSaved(t *testing.T) {
	for _, n := range []uint64{0, 1, block - 1, block, 3*block + 7} {
		path := filepath.Join(t.TempDir(), "search")
		want := Header{About: "a search", Nodes: 12, Work: map[uint64]uint64{3: 4}}
		if err := Save(t.Context(), path, want, entries(n)); err != nil {
			t.Fatal(err)
		}
		var sum, count uint64
		got, err := Load(t.Context(), path, want.About, func(first, second uint64) { sum, count = sum+first^second, count+1 })
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%d entries: %v, %v", n, got, err)
		}
		var wantSum uint64
		for first, second := range entries(n) {
			wantSum = wantSum + first ^ second
		}
		if count != n || sum != wantSum {
			t.Errorf("%d entries, want %d, or others", count, n)
		}
	}
}

func TestLoadRefuses(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "search")
	if err := Save(t.Context(), path, Header{About: "a search"}, entries(1000)); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	load := func(path, about string) (sum uint64, err error) {
		_, err = Load(t.Context(), path, about, func(first, second uint64) { sum = 31*sum + first ^ second })
		return sum, err
	}
	if _, err := load(path, "another"); !errors.Is(err, ErrOther) {
		t.Errorf("another search: %v", err)
	}
	if _, err := load(path+"s", "a search"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	want, err := load(path, "a search")
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(dir, "damaged")
	for n := 0; n < len(whole); n += 1 + n/16 {
		if err := os.WriteFile(damaged, whole[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := load(damaged, "a search"); !errors.Is(err, ErrFormat) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(whole), err)
		}
	}
	for at := 0; at < len(whole); at += 97 {
		changed := append([]byte(nil), whole...)
		changed[at] ^= 0x10
		if err := os.WriteFile(damaged, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		// A bit that decompression does not look at may be any.
		if got, err := load(damaged, "a search"); err == nil && got != want {
			t.Errorf("byte %d changed: other entries, and no error", at)
		}
	}
}
