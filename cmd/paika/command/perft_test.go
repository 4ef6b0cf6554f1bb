package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// A count that is stopped tells of the depths that it has finished, wherever it is stopped.
func TestPerftThatIsStoppedTellsWhatItHasCounted(t *testing.T) {
	want := []uint64{5, 21, 202, 3469}
	args := []string{"perft", "--board", "5x5", "--count", "positions", "--depth", "4", "--workers", "1"}
	most := 0 // depths that were told
	for looks := int64(1); ; looks++ {
		status, stdout, _ := stoppedAt(t, looks, append(args, "--json")...)
		if status != stopped {
			break // it came to its end before
		}
		var told struct {
			Error    struct{ Code string }
			Finished struct {
				Position, Count string
				Nodes           []uint64
			}
		}
		if err := json.Unmarshal([]byte(stdout), &told); err != nil || told.Error.Code != "stopped" {
			t.Fatalf("stopped at look %d: %s", looks, stdout)
		}
		got := told.Finished
		if len(got.Nodes) >= len(want) || fmt.Sprint(got.Nodes) != fmt.Sprint(want[:len(got.Nodes)]) {
			t.Errorf("stopped at look %d: %v, want the beginning of %v", looks, got.Nodes, want)
		}
		if len(got.Nodes) > 0 && (got.Position != "BBBBB/BBBBB/BW.BW/WWWWW/WWWWW w" || got.Count != "positions") {
			t.Errorf("stopped at look %d: %s", looks, stdout)
		}
		if most < len(got.Nodes) {
			most = len(got.Nodes)
			checkStoppedText(t, looks, most, args)
		}
	}
	if most != len(want)-1 {
		t.Errorf("at most %d depths were told, want %d", most, len(want)-1)
	}
}

// checkStoppedText compares what people are told with what programs are.
func checkStoppedText(t *testing.T, looks int64, finished int, args []string) {
	t.Helper()
	status, stdout, stderr := stoppedAt(t, looks, args...)
	if status != stopped || strings.Count(stdout, "\n") != finished+3 || !strings.HasPrefix(stdout, "depth  positions\n1  ") {
		t.Errorf("stopped at look %d with %d depths: %d, %s", looks, finished, status, stdout)
	}
	if want := fmt.Sprintf("paika: stopped while depth %d of 4 was counted\npaika: stopped\n", finished+1); stderr != want {
		t.Errorf("stopped at look %d: %q, want %q", looks, stderr, want)
	}
}

// Depths that have no nodes are not counted one by one, nor are those of a tree that thins out.
func TestPerftToTheEndOfTheGameIsNotCountedForEachDepth(t *testing.T) {
	status, stdout, stderr := runQuietly(t, "perft", "konane", "--board", "4x4", "--depth", "1000", "--json")
	if status != done || strings.Count(stdout, ",0") < 900 {
		t.Errorf("%d, %s, %s", status, shortly(stdout), stderr)
	}
}

// stoppedAt runs a command that is stopped when it has looked so many times whether it is.
func stoppedAt(t *testing.T, looks int64, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	inner, end := context.WithCancel(t.Context())
	defer end()
	ctx := &endsAtLook{Context: inner, end: end}
	ctx.looks.Store(looks)
	var out, problems strings.Builder
	status = Run(ctx, args, strings.NewReader(""), &out, &problems)
	return status, out.String(), problems.String()
}
