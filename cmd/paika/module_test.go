package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// module is the path that go.mod gives this module.
func module(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	path, found := strings.CutPrefix(first, "module ")
	if !found {
		t.Fatalf("go.mod begins with %q", first)
	}
	return path
}

// TestTheModuleCanBeRenamed renames a copy, and has Go find all that is imported in it,
// tests and what they embed included. It compiles nothing.
func TestTheModuleCanBeRenamed(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash to run the script with")
	}
	home := "example.org/lab/paika"
	if module(t) == home { // whoever renames it may take that name
		home = "example.org/other/paika"
	}
	folder := filepath.Join(t.TempDir(), "copy")
	copyTree(t, folder)
	in(t, folder, "scripts/rename-module", home)
	for _, file := range []string{"bitboard/doc.go", "cmd/paika/command/record.go", "README.md", "ARCHITECTURE.md"} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		if old := regexp.MustCompile(`(?m)(^|[\s"(\[` + "`" + `])paika/(bitboard|solver|tablebase|proofs)/\w+`).FindString(string(text)); old != "" {
			t.Errorf("%s still has %q", file, old)
		}
	}
	before := module(t)
	list := in(t, folder, "go", "list", "-mod=readonly", "-deps", "-test", "./...")
	ours := 0
	for line := range strings.Lines(list) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), " ") // of a test: the program that it is of
		if within(name, before) {
			t.Errorf("%s has its old name", name)
		}
		if within(name, home) {
			ours++
		}
	}
	if ours < 2*len(imports(t)) {
		t.Errorf("%d packages, tests included, have the new name: want all", ours)
	}
}

// copyTree copies what belongs to the module: no hidden folder, and no data.
func copyTree(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if name != "." && (strings.HasPrefix(name, ".") || name == "paika-data" || name == "dist") {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o777)
		}
		if !entry.Type().IsRegular() || strings.HasPrefix(name, ".") || name == "paika" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o777)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// in runs a program in a folder, and gives its output.
func in(t *testing.T, folder, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	if strings.Contains(program, "/") {
		cmd = exec.CommandContext(t.Context(), "bash", append([]string{program}, args...)...)
	}
	cmd.Dir = folder
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", program, args, err, &complaints)
	}
	return string(out)
}
