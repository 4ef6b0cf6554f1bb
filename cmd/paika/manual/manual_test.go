package manual_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/manual"
)

// render gives the files of a place by name.
func render(t *testing.T, p manual.Place) map[string]manual.File {
	t.Helper()
	files, err := manual.Render(p)
	if err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]manual.File)
	for _, f := range files {
		byName[f.Name] = f
	}
	if len(byName) != len(files) {
		t.Fatalf("%d files have %d names", len(files), len(byName))
	}
	return byName
}

// Every file in pages/ is in the manual.
func TestNoPageIsLeftOut(t *testing.T) {
	served := render(t, manual.Served)
	err := filepath.WalkDir("pages", func(file string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			if name := strings.TrimSuffix(path.Base(file), ".md"); served[name].Body == nil {
				t.Errorf("%s is not in the manual", file)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

var (
	reference  = regexp.MustCompile(`(?:href|src)="([^"]*)"`)
	identifier = regexp.MustCompile(`id="([^"]*)"`)
)

// identifiers are those that a link into a page can name.
func identifiers(page string) []string {
	var all []string
	for _, m := range identifier.FindAllStringSubmatch(page, -1) {
		all = append(all, m[1])
	}
	return all
}

// A picture is a file of the manual: an empty address would be that of the page, which is there.
func TestPicturesAreShown(t *testing.T) {
	picture := regexp.MustCompile(`<img src="([^"]*)"`)
	for _, place := range []manual.Place{manual.Served, manual.Folder} {
		files, shown := render(t, place), 0
		for name, page := range files {
			for _, m := range picture.FindAllSubmatch(page.Body, -1) {
				shown++
				if source := string(m[1]); files[path.Base(source)].Type != "image/png" {
					t.Errorf("%s shows %q, which is no picture", name, source)
				}
			}
		}
		if shown == 0 {
			t.Error("no page shows a picture: the search went wrong")
		}
	}
}

// Every link of every page leads to something, with its anchor, served or in a folder.
func TestLinksLeadSomewhere(t *testing.T) {
	beside := []string{"/", "/assets/favicon.svg"} // of the server
	for _, place := range []struct {
		manual.Place
		address func(name string) string
	}{
		{manual.Served, func(name string) string {
			if name == manual.Index {
				return "/doc"
			}
			return "/doc/" + name
		}},
		{manual.Folder, func(name string) string { return "/some/folder/" + name }},
	} {
		files := render(t, place.Place)
		at := make(map[string]string) // bodies by address
		for name, f := range files {
			at[place.address(name)] = string(f.Body)
		}
		for name, f := range files {
			from, err := url.Parse(place.address(name))
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range reference.FindAllStringSubmatch(string(f.Body), -1) {
				to, err := from.Parse(m[1])
				switch {
				case err != nil:
					t.Errorf("%s: link %s: %v", name, m[1], err)
				case to.Host != "" || place.Place == manual.Served && slices.Contains(beside, to.Path):
				case at[to.Path] == "":
					t.Errorf("%s: link %s: there is nothing at %s", name, m[1], to.Path)
				case to.Fragment != "" && !slices.Contains(identifiers(at[to.Path]), to.Fragment):
					t.Errorf("%s: link %s: nothing is called so at %s", name, m[1], to.Path)
				}
			}
			if all := slices.Sorted(slices.Values(identifiers(string(f.Body)))); len(slices.Compact(slices.Clone(all))) < len(all) {
				t.Errorf("%s: some name stands for two things: %q", name, all)
			}
		}
	}
}

var markdownLink = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every link holds on disk as well: in the Markdown of the pages, and in README.md.
func TestLinksHoldOnDisk(t *testing.T) {
	sources, err := filepath.Glob("pages/*.md")
	if err != nil || len(sources) == 0 {
		t.Fatalf("%d pages, error %v", len(sources), err)
	}
	served := render(t, manual.Served)
	for _, file := range append(sources, readme) {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range markdownLink.FindAllStringSubmatch(string(body), -1) {
			target, anchor := leadsTo(t, file, m[1])
			if anchor == "" {
				continue
			}
			page, known := served[strings.TrimSuffix(path.Base(target), ".md")]
			if !known || !slices.Contains(identifiers(string(page.Body)), anchor) {
				t.Errorf("%s: link %s: no page has a heading of that name", file, m[1])
			}
		}
	}
}

// leadsTo wants something to be where a link of a file leads, unless that is another
// server, and gives it with the anchor there.
func leadsTo(t *testing.T, file, link string) (target, anchor string) {
	t.Helper()
	if strings.Contains(link, "://") {
		return "", ""
	}
	to, anchor, _ := strings.Cut(link, "#")
	if target = file; to != "" {
		target = filepath.Join(filepath.Dir(file), to)
	}
	if _, err := os.Stat(target); err != nil {
		t.Errorf("%s: link %s: %v", file, link, err)
	}
	return target, anchor
}

// documents runs scripts/documents, which scripts/release packs by.
func documents(t *testing.T, folder, page string) (dir string, err error) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("scripts/documents is written for GNU tools")
	}
	dir = t.TempDir()
	out, err := exec.Command(root+"/scripts/documents", folder, page, dir).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return dir, err
}

// Every link of every page in a release's archives leads to something in the archive.
func TestLinksHoldInARelease(t *testing.T) {
	for _, c := range []struct {
		folder, page string
		wanted       []string
	}{
		{root, "README.md", []string{"LICENSE", "CITATION.cff", "proofs/FORMAT.md", "proofs/theorem/build", "proofs/theorem/axioms", "proofs/theorem/main.ml", "proofs/theorem/Slices.v", "cmd/paika/explorer/client/client.py", "cmd/paika/manual/pages/pictures/choice.png", "benchmarks/results/build.json"}},
		{root + "/tablebase", "FORMAT.md", []string{"readers/c/probe.c", "readers/python/probe.py"}},
	} {
		dir, err := documents(t, c.folder, c.page)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range append(c.wanted, c.page) {
			want, err := os.ReadFile(filepath.Join(c.folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %d bytes of %d, error %v", name, len(got), len(want), err)
			}
			there, err := os.Stat(filepath.Join(c.folder, name))
			if err != nil {
				t.Fatal(err)
			}
			if packed, err := os.Stat(filepath.Join(dir, name)); err == nil && packed.Mode()&0o100 != there.Mode()&0o100 {
				t.Errorf("%s: a program that cannot be run, or another way round", name)
			}
		}
		err = filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".md" {
				return err
			}
			body, err := os.ReadFile(file)
			for _, m := range markdownLink.FindAllStringSubmatch(string(body), -1) {
				if target, _ := leadsTo(t, file, m[1]); target != "" && !strings.HasPrefix(target, dir) {
					t.Errorf("%s: link %s leads out of the archive", file, m[1])
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// What leads out of the folder, or nowhere, is not packed.
func TestNoReleaseHasALinkThatLeadsNowhere(t *testing.T) {
	for link, want := range map[string]string{
		"gone.md":     "README.md leads to ./gone.md, which there is not",
		"../page.md":  "README.md leads to ./../page.md, which is not below",
		"/etc/passwd": "README.md leads to .//etc/passwd, which there is not",
	} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "README.md"), []byte("[one](README.md#here) [two]("+link+")\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := documents(t, folder, "README.md"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a link to %s: error %v, want %s", link, err, want)
		}
	}
}

// The server's policy allows nothing inline, and no page asks for it.
func TestPagesArePlain(t *testing.T) {
	for name, f := range render(t, manual.Served) {
		if !strings.HasPrefix(f.Type, "text/html") {
			continue
		}
		for _, unwanted := range []string{"<script", "style=", "<style", "raw HTML omitted"} {
			if strings.Contains(string(f.Body), unwanted) {
				t.Errorf("%s has %s", name, unwanted)
			}
		}
		if strings.Count(string(f.Body), "<h1") != 1 {
			t.Errorf("%s: want one title", name)
		}
	}
}

// screens is how long README.md may be: three screens, in lines.
const screens = 120

// The README is read to its end.
func TestREADMEIsShort(t *testing.T) {
	body, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(body), "\n"); n > screens {
		t.Errorf("README.md has %d lines, want at most %d: the pages are for the rest", n, screens)
	}
}
