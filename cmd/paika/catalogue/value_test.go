package catalogue_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/solver/cgt"
	"paika/solver/checkpoint"
)

// konaneWith opens Konane on a board, with corner-h, and no tables.
func konaneWith(t *testing.T, board, toMove string) catalogue.Tables {
	t.Helper()
	game, _ := catalogue.Find("konane")
	instance, err := game.Open(board, map[string]string{"opening": "corner-h", "to-move": toMove})
	if err != nil {
		t.Fatal(err)
	}
	tables, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tables.Close() })
	return tables
}

// valueOf asks about the start.
func valueOf(t *testing.T, ctx context.Context, tables catalogue.Tables, o catalogue.ValueOptions) catalogue.Value {
	t.Helper()
	o.Workers = 1
	answers, err := tables.Value(ctx, []string{catalogue.Start}, o)
	if err != nil {
		t.Fatal(err)
	}
	if answers[0].Err != nil {
		t.Fatal(answers[0].Err)
	}
	return answers[0].Result
}

// littleMemory is enough for a search, and for small forms.
const littleMemory = 98 << 20

// On 5x6 whoever begins loses, and it takes more to see that White does than that Black does.
func TestWhoWinsIsKnownWithoutTheForm(t *testing.T) {
	first := valueOf(t, t.Context(), konaneWith(t, "5x6", "white"), catalogue.ValueOptions{})
	for name, c := range map[string]struct {
		board  string
		o      catalogue.ValueOptions
		nodes  func(nodes uint64) bool
		reason error
	}{
		"forms that take more memory": {
			"5x5", catalogue.ValueOptions{Memory: littleMemory},
			func(nodes uint64) bool { return nodes > 0 }, cgt.ErrMemory,
		},
		"a second search that comes to its limit": {
			"5x6", catalogue.ValueOptions{Nodes: first.Nodes * 2},
			func(nodes uint64) bool { return nodes == first.Nodes*3 }, prover.ErrUndecided,
		},
		"a second search that is stopped": {
			"5x6", catalogue.ValueOptions{},
			func(nodes uint64) bool { return nodes > first.Nodes*2 }, context.Canceled,
		},
		"others were asked, and there is no second search": {
			"5x6", catalogue.ValueOptions{Memory: littleMemory, Ask: func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
				return catalogue.Settled{Nodes: 7, Holds: 1}, nil
			}},
			func(nodes uint64) bool { return nodes == 7 }, cgt.ErrMemory,
		},
	} {
		t.Run(name, func(t *testing.T) {
			tables := konaneWith(t, c.board, "white")
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				c.o.CGT = true
				c.o.Progress = func(nodes uint64) {
					if c.reason == context.Canceled && nodes > first.Nodes*2 {
						cancel()
						synctest.Wait() // for the search to hear of it before it ends
					}
				}
				v := valueOf(t, ctx, tables, c.o)
				if v.Winner == nil || *v.Winner != "black" || v.Form != (catalogue.Form{}) || !errors.Is(v.Formless, c.reason) || !c.nodes(v.Nodes) {
					t.Errorf("%+v, %v: want black without a form, for %v", v, v.Formless, c.reason)
				}
			})
		})
	}
}

// TestAFormGoesOnFromWhatWasSaved: who wins is not searched again, and nothing is left at the end.
func TestAFormGoesOnFromWhatWasSaved(t *testing.T) {
	tables := konaneWith(t, "5x6", "white")
	whole := valueOf(t, t.Context(), tables, catalogue.ValueOptions{CGT: true})
	first := valueOf(t, t.Context(), tables, catalogue.ValueOptions{})
	path := filepath.Join(t.TempDir(), "search")
	o := catalogue.ValueOptions{CGT: true, Nodes: first.Nodes + 100, Checkpoint: path}
	before := uint64(0)
	for calls := 1; ; calls++ {
		v := valueOf(t, t.Context(), tables, o)
		if v.Winner == nil || *v.Winner != "black" || calls > 100 {
			t.Fatalf("call %d: %+v, %v", calls, v, v.Formless)
		}
		if again := v.Nodes - before; calls > 1 && again > o.Nodes+100 {
			t.Errorf("call %d took %d nodes, with %d for the second search", calls, again, o.Nodes)
		}
		before = v.Nodes
		if v.Formless == nil {
			if v.Form != whole.Form || calls < 3 || v.Checkpoints != nil {
				t.Errorf("after %d calls: %+v, want %+v", calls, v, whole)
			}
			break
		}
		if want := []string{path, path + ".swapped"}; !slices.Equal(v.Checkpoints, want) {
			t.Errorf("kept in %v, want %v", v.Checkpoints, want)
		}
		for _, kept := range v.Checkpoints {
			if _, err := os.Stat(kept); err != nil {
				t.Error(err)
			}
		}
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// TestAValueStandsWhereItsCheckpointStays: a notice tells of that.
func TestAValueStandsWhereItsCheckpointStays(t *testing.T) {
	for _, form := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "search")
		var told []string
		v := valueOf(t, t.Context(), konaneWith(t, "5x6", "white"), catalogue.ValueOptions{
			CGT: form, Checkpoint: path,
			Progress: func(uint64) {
				if err := os.MkdirAll(filepath.Join(path, "something"), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
					t.Error(err)
				}
			},
			Notice: func(text string) { told = append(told, text) },
		})
		if v.Winner == nil || *v.Winner != "black" || v.Formless != nil || form != (v.CGT != "") {
			t.Errorf("%+v, %v", v, v.Formless)
		}
		want := []string{"could not be removed"}
		if form { // for which it is saved
			want = append([]string{"could not be saved"}, want...)
		}
		if !slices.EqualFunc(told, want, strings.Contains) {
			t.Errorf("told: %q, want %q", told, want)
		}
	}
}

// TestALimitIsNoFailureWhereASearchIsNotSaved: a notice tells of that, of the search for the form,
// too, and there is no file to go on from.
func TestALimitIsNoFailureWhereASearchIsNotSaved(t *testing.T) {
	tables := konaneWith(t, "5x6", "white")
	first := valueOf(t, t.Context(), tables, catalogue.ValueOptions{})
	for limit, form := range map[uint64]bool{first.Nodes / 2: false, first.Nodes * 2: true} {
		path := filepath.Join(t.TempDir(), "search")
		var told []string
		v := valueOf(t, t.Context(), tables, catalogue.ValueOptions{
			CGT: form, Nodes: limit, Checkpoint: path,
			Progress: func(uint64) {
				for _, path := range []string{path, path + ".swapped"} {
					if _, err := os.Stat(path + lasting.LockSuffix); err != nil {
						continue // no search has it
					}
					if err := os.MkdirAll(filepath.Join(path, "something"), 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
						t.Error(err)
					}
				}
			},
			Notice: func(text string) { told = append(told, text) },
		})
		var unsaved *checkpoint.SaveError
		if (v.Winner != nil) != form || form && (!errors.Is(v.Formless, prover.ErrUndecided) || errors.As(v.Formless, &unsaved)) || slices.Contains(v.Checkpoints, path) {
			t.Errorf("%+v, %v", v, v.Formless)
		}
		if len(told) == 0 || !strings.Contains(told[0], " could not be saved") {
			t.Errorf("told: %q", told)
		}
	}
}

// TestSearchesAreNotCountedWhereTablesAnswer: what the rules tell took no longer than came
// before the search of another position began.
func TestSearchesAreNotCountedWhereTablesAnswer(t *testing.T) {
	began := time.Now()
	var before time.Duration
	answers, err := konaneWith(t, "5x6", "black").Value(t.Context(), []string{"...../...../...../...../...../..... b", catalogue.Start}, catalogue.ValueOptions{
		Workers: 1,
		Ask: func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
			before = time.Since(began)
			for time.Since(began) < 10*before {
				runtime.Gosched()
			}
			return catalogue.Settled{}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if over := answers[0].Result; over.By != catalogue.ByRules || over.Seconds > before.Seconds() {
		t.Errorf("%+v, %v before the search", over, before)
	}
	if searched := answers[1].Result; searched.By != catalogue.BySearch || searched.Seconds < 9*before.Seconds() {
		t.Errorf("%+v, %v before the search", searched, before)
	}
}

// What ends a search takes nothing from the answers before it, be they an error.
func TestWhatEndsASearchLeavesTheAnswersBeforeIt(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	positions := []string{"...../...../...../...../...../..... b", "none", catalogue.Start, "...../...../...../...../...../..... w"}
	answers, err := konaneWith(t, "5x6", "black").Value(ctx, positions, catalogue.ValueOptions{
		Ask: func(ctx context.Context, _ catalogue.Contest) (catalogue.Settled, error) {
			stop()
			return catalogue.Settled{}, ctx.Err()
		},
	})
	if !errors.Is(err, context.Canceled) || len(answers) != 2 || answers[0].Result.By != catalogue.ByRules || answers[1].Err == nil {
		t.Errorf("%+v, %v", answers, err)
	}
}

// TestAnswersAreToldBeforeTheNextSearch: each as soon as it is known, whatever others take; who is
// told can end it.
func TestAnswersAreToldBeforeTheNextSearch(t *testing.T) {
	black, white := "...../...../...../...../...../..... b", "...../...../...../...../...../..... w"
	positions := []string{"none", black, white, catalogue.Start, black, catalogue.Start, "none"}
	told := 0
	var before []int // told, at the beginning of each search
	o := catalogue.ValueOptions{
		Tell: func(answers []catalogue.Answer[catalogue.Value]) error {
			told += len(answers)
			return nil
		},
		Ask: func(context.Context, catalogue.Contest) (catalogue.Settled, error) {
			before = append(before, told)
			return catalogue.Settled{}, nil
		},
	}
	tables := konaneWith(t, "5x6", "black")
	answers, err := tables.Value(t.Context(), positions, o)
	if err != nil || len(answers) != len(positions) || told != len(positions) {
		t.Errorf("%d answers, %d told, %v", len(answers), told, err)
	}
	if want := []int{3, 5}; !slices.Equal(before, want) {
		t.Errorf("the searches began when %d answers were told, want %d", before, want)
	}
	full := errors.New("full")
	o.Tell = func([]catalogue.Answer[catalogue.Value]) error { return full }
	before = nil
	if _, err := tables.Value(t.Context(), positions, o); err != full || before != nil {
		t.Errorf("%d searches, %v", len(before), err)
	}
}

// TestASearchThatCantBeginTakesNoOtherAnswer: those that rules tell have theirs, with the form, too.
func TestASearchThatCantBeginTakesNoOtherAnswer(t *testing.T) {
	over, open := "...../...../...../...../...../..... b", catalogue.Start
	for name, cgt := range map[string]bool{"who wins": false, "the form": true} {
		answers, err := konaneWith(t, "5x6", "black").Value(t.Context(), []string{over, open, over, "none"}, catalogue.ValueOptions{Workers: 1, Memory: 1 << 20, CGT: cgt})
		if err != nil || len(answers) != 4 {
			t.Fatalf("%s: %+v, %v", name, answers, err)
		}
		if answers[0].Err != nil || answers[2].Err != nil || answers[2].Result.By != catalogue.ByRules || cgt && answers[2].Result.CGT == "" {
			t.Errorf("%s: %+v", name, answers)
		}
		if !errors.Is(answers[1].Err, catalogue.ErrMemory) || errors.Is(answers[3].Err, catalogue.ErrMemory) || answers[3].Err == nil {
			t.Errorf("%s: %v, %v", name, answers[1].Err, answers[3].Err)
		}
	}
}

// The size of the table is told, and with a table of that size a search takes as many nodes.
func TestNodesAreRepeatedByTheSizeOfTheTable(t *testing.T) {
	fanorona, _ := catalogue.Find("fanorona")
	instance, err := fanorona.Open("5x3", nil)
	if err != nil {
		t.Fatal(err)
	}
	stones, err := instance.Open("", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer stones.Close()
	for name, tables := range map[string]catalogue.Tables{"by mobility": konaneWith(t, "5x6", "black"), "by proof numbers": stones} {
		nodes := make(map[uint64]uint64) // by the size of the table
		for _, most := range []uint64{1<<12 + 100, 1<<16 - 1, 1 << 26} {
			v := valueOf(t, t.Context(), tables, catalogue.ValueOptions{Table: most})
			again := valueOf(t, t.Context(), tables, catalogue.ValueOptions{Table: v.TableBytes})
			if v.TableBytes == 0 || v.TableBytes > most || again.TableBytes != v.TableBytes || again.Nodes != v.Nodes {
				t.Errorf("%s, at most %d: %d nodes in %d bytes, again %d in %d", name, most, v.Nodes, v.TableBytes, again.Nodes, again.TableBytes)
			}
			nodes[v.TableBytes] = v.Nodes
		}
		if len(nodes) != 3 {
			t.Errorf("%s: %v", name, nodes)
		}
	}
	if v := valueOf(t, t.Context(), konaneWith(t, "5x6", "white"), catalogue.ValueOptions{CGT: true, Memory: 256 << 20}); v.TableBytes != 128<<20 {
		t.Errorf("%+v: want half of the memory", v)
	}
}
