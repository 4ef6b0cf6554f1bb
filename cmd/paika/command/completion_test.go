package command

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// completions are the words that a shell is offered behind others, and what it is to
// do beside.
func completions(t *testing.T, words ...string) (offered []string, then string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status := Run(t.Context(), append([]string{cobra.ShellCompNoDescRequestCmd}, words...), strings.NewReader(""), &stdout, &stderr)
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	if status != done || len(lines) == 0 {
		t.Fatalf("%q: exit status %d, %q, %s", words, status, stdout.String(), stderr.String())
	}
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// What a shell is told to do beside, as it reads it.
const (
	listFiles     = ":0"
	listNothing   = ":4"
	listByEnding  = ":8"
	listFolders   = ":16"
	everyClaim    = "draw white-wins white-not-lost black-wins black-not-lost"
	playersClaims = "first-wins first-not-lost second-wins second-not-lost"
)

func TestCompletion(t *testing.T) {
	t.Setenv(dataVariable, t.TempDir())
	for line, want := range map[string]string{
		"build |":               "fanorona konane phutball breakthrough " + listNothing,
		"build ko|":             "konane " + listNothing,
		"build konane |":        listNothing,
		"turns |":               "fanorona konane phutball breakthrough start - " + listNothing,
		"turns konane |":        "start - " + listNothing,
		"turns start |":         listNothing,
		"export |":              "fanorona konane phutball breakthrough " + listFiles,
		"export fanorona |":     listFolders,
		"export flat |":         listNothing,
		"import |":              "fanorona konane phutball breakthrough " + listFiles,
		"annotate konane |":     listFiles,
		"win-in-one |":          "phutball " + listNothing,
		"win-in-one phutball |": "start - " + listNothing,
		"bench |":               "perft build probe search win-in-one all " + listNothing,
		"bench s|":              "search " + listNothing,
		"bench perft s|":        "search " + listNothing,
		"bench perft probe |":   "build search win-in-one all " + listNothing,
		"help an|":              "annotate " + listNothing,
		"version |":             listNothing,
		"check |":               "proof whole first second ohs eks white black " + listByEnding,
		"check a.proof b |":     "proof whole first second ohs eks white black " + listByEnding,
		"query --proof |":       "proof whole first second ohs eks white black " + listByEnding,

		"build --metric |":              "wdl dtw " + listNothing,
		"build --metric=d|":             "dtw " + listNothing,
		"build --pieces |":              "all " + listNothing,
		"build --memory |":              listNothing,
		"build --workers |":             listNothing,
		"build --db |":                  listFolders,
		"prove --out |":                 listFiles,
		"prove --method p|":             "pn2 pn " + listNothing,
		"perft --count |":               "sequences positions " + listNothing,
		"export --format |":             "flat csv parquet " + listNothing,
		"build --board |":               "9x5 telo dimy tsivy " + listNothing,
		"build konane --board |":        "8x8 " + listNothing,
		"build --board 7|":              "7x3 7x4 7x5 7x6 7x7 7x8 " + listNothing,
		"build breakthrough --board 8|": "8x4 8x5 8x6 8x7 8x8 " + listNothing,

		"record |":                  "breakthrough fanorona konane phutball " + listFiles,
		"record --from o|":          "openspiel " + listNothing,
		"record --from l|":          "ludii " + listNothing,
		"record --to |":             "abstractplay openspiel " + listNothing,
		"build --stalemate |":       "loss draw " + listNothing,
		"build konane --opening c|": "centre-or-corner corner-h corner-v " + listNothing,
		"build --rules s|":          "stalemate=loss stalemate=draw " + listNothing,
		"build konane --rules opening=any,to-move=|": "opening=any,to-move=black opening=any,to-move=white " + listNothing,
		"build --board telo --slices 2v|":            "2v1 2v2 2v3 2v4 2v5 2v6 2v7 " + listNothing,
		"build --board telo --slices 1v1,1v|":        "1v1,1v2 1v1,1v3 1v1,1v4 1v1,1v5 1v1,1v6 1v1,1v7 1v1,1v8 " + listNothing,
		"build --board 2x2 --slices |":               listNothing,
		"export --slices |":                          listNothing, // none is stored
		"work |":                                     "nats://127.0.0.1:4222 " + listNothing,
		"jobs --hub |":                               "nats://127.0.0.1:4222 " + listNothing,
		"prove --hub |":                              "nats://127.0.0.1:4222 embedded " + listNothing,
		"value --hub |":                              "nats://127.0.0.1:4222 embedded " + listNothing,
		"prove --claim |":                            everyClaim + " " + listNothing,
		"prove konane --claim |":                     playersClaims + " " + listNothing,
		"prove konane --opening corner-h --claim w|": "white-wins white-not-lost " + listNothing,
		"prove phutball --board 3x7 --claim o|":      "ohs-wins ohs-not-lost " + listNothing,
		"prove konane --board 2x2 .o/xo --claim |":   playersClaims + " " + listNothing, // no position
	} {
		words := strings.Split(strings.TrimSuffix(line, "|"), " ")
		offered, then := completions(t, words...)
		slices.Sort(offered)
		wanted := strings.Fields(want)
		wanted, last := wanted[:len(wanted)-1], wanted[len(wanted)-1]
		slices.Sort(wanted)
		if !slices.Equal(offered, wanted) || then != last {
			t.Errorf("paika %s: %v %s, want %v %s", line, offered, then, wanted, last)
		}
	}
}

// Slices that are exported are stored ones.
func TestCompletionKnowsStoredSlices(t *testing.T) {
	dir, _ := builtTelo(t)
	got, _ := completions(t, "export", "--board", "telo", "--db", dir, "--slices", "8")
	if want := []string{"8v1"}; !slices.Equal(got, want) {
		t.Errorf("stored slices: %v, want %v", got, want)
	}
}

// Every place that a usage names is one that completion knows.
func TestUsagesNamePlacesThatAreCompleted(t *testing.T) {
	known := []string{"GAME", "POSITION", "DIR", "FILE", "PART", "URL", "COMMAND", "SUITE"}
	for _, cmd := range newRoot(newOptions(nil)).Commands() {
		usage, _, _ := strings.Cut(cmd.Use, " --")
		for _, place := range strings.Fields(usage)[1:] {
			name := strings.TrimSuffix(strings.Trim(place, "[]"), "...")
			if strings.ToUpper(name) == name && !slices.Contains(known, name) {
				t.Errorf("paika %s: %s is completed by nothing", cmd.Use, place)
			}
		}
	}
}

func TestCompletionNeverWrites(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	completions(t, "export", "--db", dir, "--slices", "")
	if _, err := os.Stat(dir); err == nil {
		t.Errorf("%s was made", dir)
	}
}

// With --json the script stands in an object.
func TestCompletionPrintsAScriptInJSON(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		var plain, object, stderr bytes.Buffer
		status := Run(t.Context(), []string{"completion", shell}, nil, &plain, &stderr)
		again := Run(t.Context(), []string{"completion", shell, "--json"}, nil, &object, &stderr)
		var got shownScript
		if err := json.Unmarshal(object.Bytes(), &got); err != nil {
			t.Errorf("%s: %v", shell, err)
		}
		if status != done || again != done || got.Script != plain.String() || got.Script == "" {
			t.Errorf("%s: exit statuses %d and %d, %d bytes and %d, %s", shell, status, again, plain.Len(), len(got.Script), stderr.String())
		}
	}
}
