package catalogue_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/construction"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Every game must open as it is advertised: on its board and each named one,
// with each value of each option, under a folder of its own that leads back.
func TestEveryGameOpensAsListed(t *testing.T) {
	for _, g := range catalogue.Games() {
		folders := make(map[string]string)
		check := func(board string, rules map[string]string) {
			t.Helper()
			instance, err := g.Open(board, rules)
			if err != nil {
				t.Errorf("%s on %q with %v: %v", g.Name, board, rules, err)
				return
			}
			id := instance.Identity().String()
			if other, taken := folders[instance.Folder()]; taken && other != id {
				t.Errorf("folder %s is for %s and for %s", instance.Folder(), other, id)
			}
			folders[instance.Folder()] = id
			back := inFolder(t, instance.Folder())
			if len(back) != 1 || back[0].Instance.Identity() != instance.Identity() {
				t.Errorf("folder %s does not lead back to %s", instance.Folder(), id)
			}
		}
		check("", nil)
		for _, named := range g.Boards {
			check(named.Name, nil)
			check(named.Board, nil)
		}
		for _, a := range g.Options {
			for _, value := range a.Values {
				if strings.Contains(value, "<") {
					continue // a pattern
				}
				rules := needed(a)
				rules[a.Name] = value
				check("", rules)
				for _, b := range g.Options {
					both := needed(a)
					maps.Copy(both, needed(b))
					if _, clash := both[a.Name]; clash || strings.Contains(b.Values[len(b.Values)-1], "<") {
						continue
					}
					both[a.Name] = value
					both[b.Name] = b.Values[len(b.Values)-1]
					check("", both)
				}
			}
		}
	}
}

// needed is the choice that an option needs to have a meaning.
func needed(o catalogue.RuleOption) map[string]string {
	rules := make(map[string]string)
	if name, value, found := strings.Cut(o.With, "="); found {
		rules[name] = value
	}
	return rules
}

// The first value listed of an option is what leaving it out means.
func TestListedDefaultsAreTheGames(t *testing.T) {
	for _, g := range catalogue.Games() {
		spelled := make(map[string]string)
		for _, option := range g.Options {
			if option.With == "" {
				spelled[option.Name] = option.Default()
			}
		}
		left, err := g.Open("", nil)
		if err != nil {
			t.Fatal(err)
		}
		said, err := g.Open("", spelled)
		if err != nil {
			t.Fatal(err)
		}
		if left.Identity() != said.Identity() || left.Folder() != said.Folder() || len(said.ChosenRules()) > 0 {
			t.Errorf("%s: %v and %v differ", g.Name, left.Identity(), said.Identity())
		}
	}
}

// inFolder is what is found where there is a folder of that name.
func inFolder(t *testing.T, name string) []catalogue.Folder {
	t.Helper()
	base := t.TempDir()
	if err := os.Mkdir(filepath.Join(base, name), 0o777); err != nil {
		t.Fatal(err)
	}
	found, err := catalogue.FindFolders(base)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestFoldersOfOtherNamesAreNotTaken(t *testing.T) {
	for _, name := range []string{"fanorona", "fanorona-", "fanorona-9", "fanorona-tsivy", "fanorona-9x5,", "fanorona-9x5,stalemate=loss", "fanorona-9x5,x=y", "chess-8x8"} {
		if found := inFolder(t, name); len(found) > 0 {
			t.Errorf("%q is taken for %v", name, found[0].Instance.Identity())
		}
	}
}

func TestFindNamesEveryGame(t *testing.T) {
	for _, name := range catalogue.Names() {
		if g, found := catalogue.Find(name); !found || g.Name != name {
			t.Errorf("%s is not found", name)
		}
	}
	if _, found := catalogue.Find("chess"); found {
		t.Error("chess is found")
	}
}

// built makes the tables of all positions of 3x3 with at most that many pieces.
func built(t *testing.T, pieces int, metric bitboard.Metric) catalogue.Tables {
	t.Helper()
	instance, err := catalogue.Games()[0].Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: pieces, Metric: metric, Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open(dir, 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// reach lists the positions that play from the start leads to.
func reach(t *testing.T, tables catalogue.Tables) []string {
	t.Helper()
	seen := map[string]bool{}
	open := []string{catalogue.Start}
	for len(open) > 0 {
		answers, err := tables.Turns(t.Context(), open)
		if err != nil {
			t.Fatal(err)
		}
		open = nil
		for _, a := range answers {
			for _, turn := range a.Result.Turns {
				if !seen[turn.Position] {
					seen[turn.Position] = true
					open = append(open, turn.Position)
				}
			}
		}
	}
	return slices.Sorted(func(yield func(string) bool) {
		for position := range seen {
			if !yield(position) {
				return
			}
		}
	})
}

// What a query says must hang together: the value is that of the best turn,
// turns stand best first, and the line keeps the value from turn to turn, is as
// long as the distance, and repeats no position.
func TestQueriesHangTogether(t *testing.T) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		t.Run(metric.String(), func(t *testing.T) {
			tables := built(t, bitboard.AllPieces, metric)
			positions := reach(t, tables)
			answers, err := tables.Query(t.Context(), positions)
			if err != nil {
				t.Fatal(err)
			}
			values := make(map[string]catalogue.Query)
			for _, a := range answers {
				if a.Err != nil {
					t.Fatal(a.Err)
				}
				values[a.Result.Position] = a.Result
			}
			for _, q := range values {
				checkTurns(t, q, values)
				checkLine(t, q, values)
			}
		})
	}
}

func checkTurns(t *testing.T, q catalogue.Query, values map[string]catalogue.Query) {
	t.Helper()
	if q.Over != (len(q.Turns) == 0) {
		t.Errorf("%s: over is %t with %d turns", q.Position, q.Over, len(q.Turns))
	}
	var last lookup.Rating
	for i, turn := range q.Turns {
		rated := ratingOf(*turn.Value, turn.Distance)
		after := values[turn.Position]
		if want := ratingOf(after.Value, after.Distance).Reply(); after.Metric == q.Metric && rated != want {
			t.Errorf("%s: %s is rated %v, want %v", q.Position, turn.Turn, rated, want)
		}
		if i == 0 && rated.Value.String() != q.Value {
			t.Errorf("%s is a %s, its best turn a %v", q.Position, q.Value, rated.Value)
		}
		if i == 0 && q.Distance != nil && *turn.Distance != *q.Distance {
			t.Errorf("%s has distance %d, its best turn %d", q.Position, *q.Distance, *turn.Distance)
		}
		if i > 0 && lookup.Compare(last, rated) > 0 {
			t.Errorf("%s: %s stands too low", q.Position, turn.Turn)
		}
		last = rated
	}
}

func checkLine(t *testing.T, q catalogue.Query, values map[string]catalogue.Query) {
	t.Helper()
	at := q
	seen := map[string]bool{q.Position: true}
	for i, notation := range q.Line {
		made := slices.IndexFunc(at.Turns, func(turn catalogue.Turn) bool { return turn.Turn == notation })
		if made < 0 {
			t.Errorf("%s: turn %d of the line, %s, is illegal", q.Position, i+1, notation)
			return
		}
		if *at.Turns[made].Value != at.Value {
			t.Errorf("%s: turn %d of the line, %s, changes the value", q.Position, i+1, notation)
		}
		at = values[at.Turns[made].Position]
		if seen[at.Position] {
			t.Errorf("%s: turn %d of the line, %s, repeats a position", q.Position, i+1, notation)
		}
		seen[at.Position] = true
	}
	if at.Over != q.LineComplete {
		t.Errorf("%s: line_complete is %t", q.Position, q.LineComplete)
	}
	if q.Distance != nil && (len(q.Line) != *q.Distance || !q.LineComplete) {
		t.Errorf("%s: a line of %d turns for a distance of %d", q.Position, len(q.Line), *q.Distance)
	}
}

func ratingOf(value string, distance *int) lookup.Rating {
	r := lookup.Rating{Outcome: bitboard.Outcome{Distance: bitboard.UnknownDistance}, Known: true}
	for _, v := range []bitboard.Value{bitboard.Draw, bitboard.Win, bitboard.Loss} {
		if v.String() == value {
			r.Value = v
		}
	}
	if distance != nil {
		r.Distance = *distance
	}
	return r
}

// Positions asked about together get the answers that each gets alone.
func TestAnswersDoNotDependOnTheBatch(t *testing.T) {
	tables := built(t, 4, bitboard.DTW)
	positions := append(reach(t, tables)[:200], "nonsense", catalogue.Start)
	together, err := tables.Value(t.Context(), positions, catalogue.ValueOptions{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for i, position := range positions {
		alone, err := tables.Value(t.Context(), []string{position}, catalogue.ValueOptions{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		a, b := together[i], alone[0]
		if winnerOf(a) != winnerOf(b) || (a.Err == nil) != (b.Err == nil) || a.Err != nil && a.Err.Error() != b.Err.Error() {
			t.Errorf("%s: %v together, %v alone", position, a, b)
		}
	}
}

func TestBuildStopsWithTheContext(t *testing.T) {
	instance, err := catalogue.Games()[0].Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = instance.Build(ctx, t.TempDir(), catalogue.BuildOptions{Pieces: 3, Workers: 1, Memory: 1 << 30})
	if err == nil || !strings.Contains(err.Error(), context.Canceled.Error()) {
		t.Errorf("a cancelled build ends with %v", err)
	}
}

// What a build says that its tables take on disk is what they say who open them later.
func TestABuildTellsWhatIsKeptOnDisk(t *testing.T) {
	instance, err := catalogue.Games()[0].Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, pieces := range []int{3, 4, 4} {
		built, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: pieces, Workers: 1, Memory: 1 << 30})
		if err != nil {
			t.Fatal(err)
		}
		if kept := statsOf(t, instance, dir).DiskBytes; built.DiskBytes != kept {
			t.Errorf("%d pieces: %d bytes by the build, %d once they are built", pieces, built.DiskBytes, kept)
		}
	}
}

// What a build tells of its slices stands in the order in which who opens them later has them.
func TestABuildTellsSlicesInTheOrderOfStats(t *testing.T) {
	instance, err := catalogue.Games()[0].Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	built, err := instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 5, Workers: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	if later := statsOf(t, instance, dir); !reflect.DeepEqual(built.Slices, later.Slices) {
		t.Errorf("the build tells of %v, the tables of %v", sliceNames(built.Slices), sliceNames(later.Slices))
	}
	shared := catalogue.ConstructedTables(instance, bitboard.WDL, construction.Tally{Slices: []tablebase.SliceInfo{{Name: "2v1"}, {Name: "1v2"}}}, 1)
	if got := sliceNames(shared.Slices); !slices.Equal(got, []string{"1v2", "2v1"}) {
		t.Errorf("a hub's build tells of %v", got)
	}
}

func sliceNames(of []catalogue.SliceStats) (names []string) {
	for _, s := range of {
		names = append(names, s.Slice)
	}
	return names
}

// statsOf is what is told of the tables of a folder.
func statsOf(t *testing.T, instance catalogue.Instance, dir string) catalogue.Stats {
	t.Helper()
	tables, err := instance.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	stats, err := tables.Stats()
	if err != nil {
		t.Fatal(err)
	}
	return stats
}

// A build that is refused for want of memory makes no store where there was none.
func TestARefusedBuildLeavesNothing(t *testing.T) {
	instance, err := catalogue.Games()[0].Open("3x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	for _, dir := range []string{there, filepath.Join(there, "store")} {
		_, err = instance.Build(t.Context(), dir, catalogue.BuildOptions{Pieces: 3, Workers: 1, Memory: 1 << 20})
		if !errors.As(err, new(*retrograde.MemoryError)) {
			t.Errorf("a build within a MiB: %v", err)
		}
	}
	if left, err := os.ReadDir(there); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// winnerOf is the winner of an answer, or nothing.
func winnerOf(a catalogue.Answer[catalogue.Value]) string {
	if a.Result.Winner == nil {
		return ""
	}
	return *a.Result.Winner
}
