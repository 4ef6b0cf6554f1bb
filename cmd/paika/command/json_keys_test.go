package command

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/wire"
)

// The manual lists the keys of every answer in JSON: what commands print on small boards is
// there, and what can't be left out is printed. No key of the list is one that no answer has.
func TestKeysOfJSONAreThoseOfTheManual(t *testing.T) {
	pages := readKeys(t)
	t.Chdir(t.TempDir())
	t.Setenv(dataVariable, "tables")
	game := "[Game \"fanorona\"]\n[Board \"3x3\"]\n[Event \"x\"]\n\n{So it begins.} 1. a1-b2A {Takes c3.} (1. c1-b2A 2. a2-a3W) 2. b3-c3\n"
	if err := os.WriteFile("game.txt", []byte(game), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ keys, args string }{
		{"build --dry-run", "build --board 3x3 --pieces all --dry-run"},
		{"build", "build --board 3x3 --pieces all --metric dtw"},
		{"verify", "verify --board 3x3"},
		{"repair", "repair --board 3x3"},
		{"stats", "stats --board 3x3 --longest --zugzwang --plot charts"},
		{"stats --manifest", "stats --board 3x3 --manifest"},
		{"stats --cgt", "stats konane --board 2x2 --cgt"},
		{"export", "export --board 3x3 flat"},
		{"export", "export --board 3x3 --format csv rows"},
		{"import", "import --board 3x3 --db again flat"},
		{"query", "query --board 3x3 start"},
		{"query", "query --board 3x3 - <<< x"},
		{"value", "value --board 3x3"},
		{"value", "value konane --board 3x3 --opening corner-h --cgt"},
		{"value", "value konane --board 4x4 --nodes 1"},
		{"turns", "turns --board 3x3"},
		{"turns", "turns --board 5x5"},
		{"annotate", "annotate game.txt"},
		{"record", "record game.txt"},
		{"win-in-one", "win-in-one phutball --shortest 'ball=H17 men=H18 to=ohs'"},
		{"prove", "prove --board 3x3 --claim white-wins --db none --out one.proof"},
		{"prove", "prove --board 5x5 --claim draw --nodes 100 --db none"},
		{"query", "query --board 3x3 --proof one.proof start"},
		{"check", "check one.proof"},
		{"complete", "complete one.proof --db none --out whole.proof"},
		{"hub init", "hub init --data hub --worker ann"},
		{"hub admission", "hub admission --data hub"},
		{"perft", "perft --board 3x3 --depth 2 --divide"},
		{"complexity", "complexity --board 3x3 --games 10"},
		{"bench", "bench perft --only konane --short"},
		{"games", "games"},
		{"version", "version"},
		{"version", "--version"},
		{"help", "help build"},
		{"completion", "completion bash"},
		{"manual", "manual html"},
		{"any, of an error", "turns --board 3x3 xx.xx"},
		{"any, of an error", "query --board 5x5 start"},
	} {
		words, input := split(t, c.args, nil)
		_, stdout, stderr := runWith(t, input, append(words, "--json")...)
		if stdout == "" {
			t.Errorf("paika %s printed nothing: %s", c.args, stderr)
		}
		if wrong := c.keys == "any, of an error" || strings.HasSuffix(c.args, "<<< x"); wrong != strings.HasPrefix(stdout, `{"error"`) {
			t.Errorf("paika %s printed %s", c.args, stdout)
		}
		for line := range strings.Lines(stdout) {
			keys := pages.of(t, c.keys)
			if strings.HasPrefix(line, `{"error"`) {
				keys = pages.of(t, "any, of an error")
			}
			var printed any
			if err := json.Unmarshal([]byte(line), &printed); err != nil {
				t.Fatalf("paika %s: %v", c.args, err)
			}
			for _, wrong := range keys.differ(printed, "") {
				t.Errorf("paika %s: %s", c.args, wrong)
			}
		}
	}

	// What only some answers have is in their types. These have more than the command prints, or
	// have themselves within.
	rare := map[string]any{
		"build": catalogue.Built{Before: 1}, "games": gameList{Solved: []catalogue.Solved{{Error: "wrong"}}},
		"check":            catalogue.Checked{Parts: make([]catalogue.Checked, 1), Halves: make([]catalogue.Checked, 1)},
		"stats --manifest": map[string]any{"game": "", "board": "", "rules": "", "metric": "", "format": 0, "slices": []any{}, "replacing": []string{"1v1"}},
	}
	whole := map[string]any{
		"build --dry-run": &catalogue.Estimate{}, "verify": &catalogue.Verified{}, "repair": &catalogue.Repaired{},
		"stats": &shownStats{}, "stats --cgt": &catalogue.Census{}, "export": &catalogue.Exported{}, "import": &catalogue.Imported{},
		"query": &catalogue.Query{}, "value": &catalogue.Value{}, "turns": &catalogue.Turns{}, "annotate": &catalogue.Annotated{}, "record": &catalogue.CheckedRecord{},
		"win-in-one": &catalogue.WinInOne{}, "prove": &catalogue.Proved{}, "complete": &catalogue.Completed{}, "check": &catalogue.Checked{},
		"hub": &hubListening{}, "hub init": &hubKeys{}, "hub repair": &hub.Repaired{}, "jobs": &wire.Status{}, "perft": &catalogue.Perft{},
		"complexity": &shownComplexity{}, "bench": &shownBench{}, "serve": &served{}, "version": &programInfo{}, "any, of an error": &lineError{},
	}
	for _, answer := range whole {
		fill(reflect.ValueOf(answer).Elem(), nil)
	}
	pages.hold(t, whole)
	pages.hold(t, rare)
	for command, keys := range pages {
		for path := range keys.leaves {
			if !keys.seen[path] {
				t.Errorf("%s: no answer has the key %s", command, path)
			}
		}
	}
}

// hold checks answers of commands against the manual.
func (m manualKeys) hold(t *testing.T, answers map[string]any) {
	t.Helper()
	for command, answer := range answers {
		text, err := json.Marshal(answer)
		var printed any
		if err = errors.Join(err, json.Unmarshal(text, &printed)); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, wrong := range m.of(t, command).differ(printed, "") {
			t.Errorf("the type of %s: %s", command, wrong)
		}
	}
}

// answerKeys are the keys of the answers of a command, as the manual has them: paths, with a dot
// between the keys and [] behind a list.
type answerKeys struct {
	leaves map[string]bool   // whether it is there in every object that it belongs to
	same   map[string]string // paths below which all is as below another
	seen   map[string]bool
}

type manualKeys map[string]*answerKeys

func (m manualKeys) of(t *testing.T, command string) *answerKeys {
	t.Helper()
	if m[command] == nil {
		t.Fatalf("the manual has no keys of %s", command)
	}
	return m[command]
}

// readKeys reads the table of the manual.
func readKeys(t *testing.T) manualKeys {
	t.Helper()
	text, err := os.ReadFile("../manual/pages/programs.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| command | keys | what, in which unit |\n|---|---|---|\n")
	if !found {
		t.Fatal("the manual has no table of keys")
	}
	alike := regexp.MustCompile("^as `([^`]+)`")
	pages := make(manualKeys)
	command, parent := "", ""
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 {
			break
		}
		if name := strings.Trim(cells[1], " `"); name != "" {
			command, parent = name, ""
			pages[command] = &answerKeys{make(map[string]bool), make(map[string]string), make(map[string]bool)}
		}
		of := pages[command]
		for key := range strings.SplitSeq(cells[2], ",") {
			key = strings.Trim(key, " `")
			always := !strings.HasSuffix(key, "?")
			key = strings.ReplaceAll(key, "?", "")
			if strings.HasPrefix(key, ".") {
				key = parent + key
			}
			parent = key[:max(0, strings.LastIndex(key, "."))]
			if as := alike.FindStringSubmatch(strings.TrimSpace(cells[3])); as != nil {
				of.same[key] = as[1]
				continue
			}
			of.leaves[key] = always
		}
	}
	return pages
}

// meant is the path under which the manual has what is at a path.
func (k *answerKeys) meant(path string) string {
	for again := true; again; {
		again = false
		for alias, target := range k.same {
			if rest, below := strings.CutPrefix(path, alias); below && (rest == "" || rest[0] == '.') {
				path, again = target+rest, true
			}
		}
	}
	return path
}

// differ tells what of a value at a path is not as the manual has it.
func (k *answerKeys) differ(value any, path string) (wrong []string) {
	meant := k.meant(path)
	if _, leaf := k.leaves[meant]; leaf {
		k.seen[meant] = true
		return nil
	}
	switch value := value.(type) {
	case map[string]any:
		for key, below := range value {
			wrong = append(wrong, k.differ(below, strings.TrimPrefix(path+"."+key, "."))...)
		}
		if meant == path {
			wrong = append(wrong, k.missing(value, path)...)
		}
	case []any:
		if len(value) == 0 && !k.known(meant+"[]") {
			wrong = append(wrong, path+"[] is not in the manual")
		}
		for _, one := range value {
			wrong = append(wrong, k.differ(one, path+"[]")...)
		}
	default:
		if value != nil || !k.known(meant) {
			wrong = append(wrong, path+" is not in the manual")
		}
	}
	return wrong
}

// known tells whether the manual has something at a path or below.
func (k *answerKeys) known(path string) bool {
	is := func(other string) bool {
		rest, below := strings.CutPrefix(other, path)
		return below && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	for leaf := range k.leaves {
		if is(leaf) {
			return true
		}
	}
	for alias := range k.same {
		if is(alias) {
			return true
		}
	}
	return false
}

// missing tells which keys an object lacks that are always there.
func (k *answerKeys) missing(object map[string]any, path string) (wrong []string) {
	for leaf, always := range k.leaves {
		at := strings.LastIndex(leaf, ".")
		if key := strings.TrimRight(leaf[at+1:], "[]"); always && leaf[:max(0, at)] == path {
			if _, there := object[key]; !there {
				wrong = append(wrong, leaf+" is missing")
			}
		}
	}
	return wrong
}

// fill sets every field to something, so that no key is left out. Of a type within itself
// there is none.
func fill(v reflect.Value, within []reflect.Type) {
	switch {
	case slices.Contains(within, v.Type()), v.Kind() != reflect.Struct && !v.CanSet():
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		within = append(slices.Clip(within), v.Type())
		for i := range v.NumField() {
			fill(v.Field(i), within)
		}
	case reflect.Pointer:
		if !slices.Contains(within, v.Type().Elem()) {
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem(), within)
		}
	case reflect.Slice:
		switch elem := v.Type().Elem(); {
		case elem.Kind() == reflect.Uint8:
			v.SetBytes([]byte("{}"))
		case !slices.Contains(within, elem):
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			fill(v.Index(0), within)
		}
	case reflect.Interface:
		if err := reflect.ValueOf(errors.New("wrong")); err.Type().Implements(v.Type()) {
			v.Set(err)
		}
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(1)
	}
}
