package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/catalogue"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
)

var errCut = errors.New("cut off")

// cutOff is a storage that fails at a slice.
type cutOff struct {
	*tablebase.Tables
	at bitboard.Slice
}

func (c cutOff) Save(ctx context.Context, t *bitboard.Table, sum bitboard.Summary) error {
	if t.Slice == c.at {
		return errCut
	}
	return c.Tables.Save(ctx, t, sum)
}

// halfBuilt is a folder of tables of telo, in which a build stopped just before
// it saved a slice.
func halfBuilt(t *testing.T, slice string) string {
	t.Helper()
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	telo, err := catalogue.Games()[0].Open(board.String(), nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	store, err := tablebase.Open(dir, telo.Identity(), tablebase.Options{Version: version()})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	groups, err := bitboard.GroupsWithin(game, 3)
	if err != nil {
		t.Fatal(err)
	}
	at, err := game.ParseSlice(slice)
	if err != nil {
		t.Fatal(err)
	}
	storage := cutOff{store.Tables(bitboard.WDL, game), at}
	if _, err := retrograde.Build(t.Context(), game, groups, storage, retrograde.Options{Workers: 1, Memory: 1 << 30}); !errors.Is(err, errCut) {
		t.Fatal(err)
	}
	return dir
}

func runQuietly(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	return runWith(t, "", args...)
}

// Half a group is no damage, and not all is well: verify says what it is and
// how to go on, and that mends it.
func TestVerifyOfAnUnfinishedBuildSaysHowToGoOn(t *testing.T) {
	dir := halfBuilt(t, "1v2")
	goOn := []string{"build", "fanorona", "--slices", "2v1", "--board", "telo", "--db", dir}
	hint := "paika: a build or an import of wdl was not finished; go on with the import, or with: " + catalogue.CommandLine(goOn...) + "\n"
	for _, extra := range [][]string{nil, {"--checksums-only"}, {"--json"}} {
		args := append([]string{"verify", "--board", "telo", "--db", dir}, extra...)
		status, stdout, stderr := runQuietly(t, args...)
		if status != failed {
			t.Errorf("%v: exit status %d, want %d", args, status, failed)
		}
		if want := hint + "paika: check failed: a build was not finished\n"; stderr != want {
			t.Errorf("%v: standard error is %q, want %q", args, stderr, want)
		}
		if strings.Contains(stdout, "all is well") || !strings.Contains(stdout, "unfinished build") || !strings.Contains(stdout, "1v2 is not stored") {
			t.Errorf("%v: standard output is %q", args, stdout)
		}
	}
	if status, _, stderr := runQuietly(t, goOn...); status != done {
		t.Fatalf("%v: exit status %d, %s", goOn, status, stderr)
	}
	status, stdout, stderr := runQuietly(t, "verify", "--board", "telo", "--db", dir)
	if status != done || !strings.Contains(stdout, "all is well") {
		t.Errorf("exit status %d, %s%s", status, stdout, stderr)
	}
}

// A fault is to be mended before the command is run again, and before any work there is nothing to say.
func TestWhatImportsAndExportsSayOfTheirEnd(t *testing.T) {
	s := session{options: &options{args: []string{"import", "flat"}}}
	fault := errors.New("the disk is full")
	for _, c := range []struct {
		done, all int
		err       error
		want      string
	}{
		{1, 3, context.Canceled, "paika: 1 of 3 slices stored in tables; go on with: paika import flat\n"},
		{0, 3, context.Canceled, "paika: 0 of 3 slices stored in tables; go on with: paika import flat\n"},
		{0, 0, context.Canceled, ""},
		{1, 3, fault, "paika: 1 of 3 slices stored in tables; once what is wrong is mended, go on with: paika import flat\n"},
		{0, 3, fault, ""},
	} {
		said := new(bytes.Buffer)
		printSoFar(said, s.args, c.done, c.all, "slice", "stored in tables", "go on with", c.err)
		if said.String() != c.want {
			t.Errorf("%d of %d, %v: %q, want %q", c.done, c.all, c.err, said, c.want)
		}
	}
}

// What Ctrl-C says depends on what is kept of the group in work.
func TestStoppedBuildsSayHowToGoOn(t *testing.T) {
	full := errors.New("saving a checkpoint: tables: the disk is full")
	const goOn = "paika: 2 of 7 slices in tables; go on with: paika build --pieces 7\n"
	stopped := func(kept bool, checkpoint error) error {
		return &retrograde.StoppedError{Group: "4v3 3v4", Phase: "sweeping", Kept: kept, Checkpoint: checkpoint, Err: context.Canceled}
	}
	early := &retrograde.StoppedError{Group: "4v3 3v4", Phase: "settling", Early: true, Err: context.Canceled}
	built := catalogue.Built{Asked: 7, Stats: catalogue.Stats{Slices: make([]catalogue.SliceStats, 2)}}
	s := session{options: &options{db: "tables", args: []string{"build", "--pieces", "7"}}}
	for want, err := range map[string]error{
		"": context.Canceled,
		"paika: stopped while sweeping group 4v3 3v4: not big enough for a checkpoint, it will start anew\n": stopped(false, nil),
		"paika: stopped while settling group 4v3 3v4: too early for a checkpoint, it will start anew\n":      early,
		"paika: stopped while sweeping group 4v3 3v4: it will go on from this checkpoint\n":                  stopped(true, nil),
		"paika: saving a checkpoint: tables: the disk is full\n" +
			"paika: stopped while sweeping group 4v3 3v4: it will go on from the checkpoint before\n": stopped(true, full),
		"paika: saving a checkpoint: tables: the disk is full\n" +
			"paika: stopped while sweeping group 4v3 3v4: it will start anew\n": stopped(false, full),
	} {
		var got bytes.Buffer
		printStopped(&got, s, built, err)
		if got.String() != want+goOn {
			t.Errorf("%q, want %q", got.String(), want+goOn)
		}
	}
}

// failingProver is an instance whose searches end by an error.
type failingProver struct {
	catalogue.Instance
	err error
}

func (p failingProver) Prove(context.Context, string, string, catalogue.ProveOptions) (catalogue.Proved, error) {
	return catalogue.Proved{Nodes: 1000, Checkpoint: "tables.search/draw.search"}, p.err
}

// A search whose certificate could not be written is not lost, and that is said. Where memory ended
// it, the same command is no help.
func TestASearchWithoutItsCertificateSaysHowToGoOn(t *testing.T) {
	for how, reason := range map[string]error{
		"go on with":                     errors.New("9x5.proof: no space left on device"),
		"with more --memory, go on with": fmt.Errorf("proving: %w", proofnumber.ErrSetTooSmall),
	} {
		var told bytes.Buffer
		cmd := new(cobra.Command)
		cmd.SetContext(t.Context())
		cmd.SetErr(&told)
		s := session{options: &options{db: "tables", args: []string{"prove", "--claim", "draw"}}, instance: failingProver{err: reason}}
		if err := prove(cmd, s, catalogue.ProveOptions{}); err == nil {
			t.Error("no error")
		}
		if want := "paika: 1,000 nodes saved in tables.search/draw.search; " + how + ": paika prove --claim draw\n"; told.String() != want {
			t.Errorf("%q, want %q", told.String(), want)
		}
	}
}

// The rate of a build that went on from a checkpoint counts all the time that its tables took.
func TestBuildsThatWentOnTellTheirWholeTime(t *testing.T) {
	built := catalogue.Built{Stats: catalogue.Stats{Slices: []catalogue.SliceStats{}}, Solved: 6000, Seconds: 3, Before: 2}
	for before, want := range map[float64]string{
		0: "solved 6,000 positions in 3.00 s, 2,000 positions/s\n",
		2: "solved 6,000 positions in 3.00 s, 2.00 s of them before it was stopped, 2,000 positions/s\n",
	} {
		built.Before = before
		var got strings.Builder
		if err := printBuilt(&got, "tables", built); err != nil || !strings.HasSuffix(got.String(), want) {
			t.Errorf("%q, want %q; %v", got.String(), want, err)
		}
	}
}
