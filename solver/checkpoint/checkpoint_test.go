package checkpoint

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
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
		want := Header{About: "a search", Nodes: 12}
		if err := Save(t.Context(), path, want, entries(n)); err != nil {
			t.Fatal(err)
		}
		var sum, count uint64
		got, err := Load(t.Context(), path, want.About, func(first, second uint64) { sum, count = sum+first^second, count+1 })
		if err != nil || got != want {
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
	ignore := func(uint64, uint64) {}
	if _, err := Load(t.Context(), path, "another", ignore); !errors.Is(err, ErrOther) {
		t.Errorf("another search: %v", err)
	}
	if _, err := Load(t.Context(), path+"s", "a search", ignore); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	damaged := filepath.Join(dir, "damaged")
	refuse := func(what string, content []byte) {
		t.Helper()
		if err := os.WriteFile(damaged, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(t.Context(), damaged, "a search", ignore); !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", what, err)
		}
	}
	for n := 0; n < len(whole); n += 1 + n/16 {
		refuse("cut short", whole[:n])
	}
	for at := 80; at < len(whole); at += 97 {
		changed := append([]byte(nil), whole...)
		changed[at] ^= 0x10
		refuse("changed", changed)
	}
}

func TestStoppedSaveLeavesTheFileBefore(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "search")
	if err := Save(t.Context(), path, Header{Nodes: 1}, entries(5)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Save(ctx, path, Header{Nodes: 2}, entries(2*block)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if h, err := Load(t.Context(), path, "", func(uint64, uint64) {}); err != nil || h.Nodes != 1 {
		t.Errorf("the file before: %v, %v", h, err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%d files are left, want 1", len(files))
	}
}
