package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

const (
	root       = "../.."
	benchmarks = "benchmarks"
	allGames   = "cmd/paika/catalogue"
	contracts  = "bitboard"
)

// shared lists the packages below bitboard that are about no game.
func shared() []string {
	return []string{"bitboard/derived", "bitboard/gametest", "bitboard/placement", "bitboard/ranking", "bitboard/record"}
}

// TestImportsPointOneWay holds the packages to
//
//	cmd -> benchmarks, tablebase, proofs, solver -> bitboard
//
// without an exception. Nobody but cmd imports what lies in cmd, the catalogue that
// knows every game among it, and nobody but cmd imports benchmarks. Tests may import
// what they like.
//
// What all may use, internal, rests on nothing else, and the care for a folder of
// tables knows no game.
func TestImportsPointOneWay(t *testing.T) {
	barred := []struct{ from, to string }{
		{"bitboard", "solver"},
		{"bitboard", "tablebase"},
		{"bitboard", "proofs"},
		{"solver", "tablebase"},
		{"solver", "proofs"},
		{"tablebase", "solver"},
		{"tablebase", "proofs"},
		{"tablebase/internal/badgerdir", "bitboard"},
		{"proofs", "solver"},
	}
	for from, imports := range imports(t) {
		for _, to := range imports {
			for _, b := range barred {
				if within(from, b.from) && within(to, b.to) {
					t.Errorf("%s imports %s", from, to)
				}
			}
			if within(from, "internal") && !within(to, "internal") {
				t.Errorf("%s imports %s", from, to)
			}
			if within(to, "cmd") && !within(from, "cmd") {
				t.Errorf("%s imports %s: only cmd may", from, to)
			}
			if within(to, benchmarks) && !within(from, "cmd") && !within(from, benchmarks) {
				t.Errorf("%s imports %s: only cmd may", from, to)
			}
		}
	}
}

// TestNoPartOfTheHubImportsTheHub: workers, clients and what they share with it know the hub by
// what is said on the wire. What lasts and who may come in rest on nothing but the wire.
func TestNoPartOfTheHubImportsTheHub(t *testing.T) {
	const hub = "cmd/paika/hub"
	may := map[string][]string{
		"wire": {"construction", "inspection", "share", "tables"}, "keys": {"wire"}, "ledger": {"construction", "inspection", "share", "wire"},
		"link": {"inspection", "keys", "wire"}, "client": {"inspection", "link", "wire"},
		"worker":       {"construction", "inspection", "keys", "link", "share", "tables", "wire"},
		"construction": {"inspection"}, "inspection": {}, "share": {}, "tables": {}, "hubtest": {"keys", "link", "wire"},
	}
	for from, imports := range imports(t) {
		part, below := strings.CutPrefix(from, hub+"/")
		if _, known := may[part]; below && !known {
			t.Errorf("%s is new: say what it may import", from)
		}
		for _, to := range imports {
			if of, _ := strings.CutPrefix(to, hub+"/"); below && within(to, hub) && !slices.Contains(may[part], of) {
				t.Errorf("%s imports %s", from, to)
			}
		}
	}
}

// TestOnlyTheCatalogueKnowsTheGames allows one game to a package that is about
// that game, and none to the command line.
func TestOnlyTheCatalogueKnowsTheGames(t *testing.T) {
	for from, imports := range imports(t) {
		var games []string
		for _, to := range imports {
			if isGame(to) {
				games = append(games, to)
			}
		}
		most := 1
		if isGame(from) || within(from, "cmd") || within(from, benchmarks) || from == contracts || slices.Contains(shared(), from) {
			most = 0
		}
		if len(games) > most && from != allGames {
			t.Errorf("%s imports the games %v: want at most %d", from, games, most)
		}
	}
}

// TestNoPageKnowsAGameByName allows the explorer and its page no game's name: what
// they show of one is told by the catalogue. Text for people who read the API may
// name one as an example.
func TestNoPageKnowsAGameByName(t *testing.T) { nameless(t, "cmd/paika/explorer", 20) }

// TestNoBenchmarkKnowsAGameByName: what is measured of a game stands with it in the
// catalogue, what is known of it is data.
func TestNoBenchmarkKnowsAGameByName(t *testing.T) {
	nameless(t, "cmd/paika/bench", 6)
	nameless(t, benchmarks, 6)
}

// nameless looks for names of games in the code of a folder, which has so many files
// at least.
func nameless(t *testing.T, folder string, least int) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(filepath.Join(root, folder), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || !slices.Contains([]string{".go", ".js", ".html", ".css"}, path.Ext(file)) || strings.HasSuffix(file, "_test.go") {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		files++
		for _, name := range catalogue.Names() {
			if at := strings.Index(strings.ToLower(string(text)), name); at >= 0 {
				t.Errorf("%s names %s, in line %d", file, name, 1+strings.Count(string(text[:at]), "\n"))
			}
		}
		return nil
	})
	if err != nil || files < least {
		t.Fatalf("%d files read, error %v: the walk went wrong", files, err)
	}
}

// isGame tells the folders below bitboard that hold a game's rules.
func isGame(pkg string) bool {
	return path.Dir(pkg) == "bitboard" && !slices.Contains(shared(), pkg)
}

func within(pkg, folder string) bool { return pkg == folder || strings.HasPrefix(pkg, folder+"/") }

// imports lists, by package, the packages of this module that it imports
// outside its tests; folders stand for packages. Files for other systems count.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	ours := module(t) + "/"
	found := make(map[string][]string)
	err := filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return err
		}
		from, err := filepath.Rel(root, filepath.Dir(file))
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if to, own := strings.CutPrefix(name, ours); own && !slices.Contains(found[filepath.ToSlash(from)], to) {
				found[filepath.ToSlash(from)] = append(found[filepath.ToSlash(from)], to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(found["cmd/paika"]) == 0 {
		t.Fatal("no imports found: the walk went wrong")
	}
	return found
}

// TestTheCatalogueIsTestedFromOutside: a test file within the package would have every
// game's instance compiled once more, which takes longer than all its tests.
func TestTheCatalogueIsTestedFromOutside(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, allGames, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d test files, error %v", len(files), err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if name := parsed.Name.Name; !strings.HasSuffix(name, "_test") {
			t.Errorf("%s is of package %s", file, name)
		}
	}
}
