package command

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// endsAtLook is a context that ends when it is asked so many times whether it has.
type endsAtLook struct {
	context.Context
	end   context.CancelFunc
	looks atomic.Int64 // that are left
}

func (c *endsAtLook) Err() error {
	if c.looks.Add(-1) == 0 {
		c.end()
	}
	return c.Context.Err()
}

// Wherever a search is stopped that goes on from a file, what is said to be saved there is no less
// than was there before: where the file was still being read, nothing is said to be saved.
func TestNothingIsSaidToBeSavedThatIsNot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "search")
	args := []string{"value", "konane", "--board", "6x6", "--opening", "middle-h", "--db", "none", "--workers", "1", "--memory", "256M", "--checkpoint", path}
	if status, _, stderr := runQuietly(t, append(args, "--nodes", "20000")...); status != undecided {
		t.Fatalf("status %d: %s", status, stderr)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	count := regexp.MustCompile(`([0-9,]+) nodes? saved in `)
	reading := false // it was stopped once while it read
	for looks := int64(1); ; looks++ {
		if err := os.WriteFile(path, before, 0o600); err != nil {
			t.Fatal(err)
		}
		inner, end := context.WithCancel(t.Context())
		ctx := &endsAtLook{Context: inner, end: end}
		ctx.looks.Store(looks)
		var stdout, stderr strings.Builder
		status := Run(ctx, args, strings.NewReader(""), &stdout, &stderr)
		end()
		said := count.FindStringSubmatch(stderr.String())
		if status != stopped {
			break // the search came to its end before
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if said == nil {
			reading = reading || string(after) == string(before)
			continue
		}
		if nodes, err := strconv.Atoi(strings.ReplaceAll(said[1], ",", "")); err != nil || nodes < 20000 {
			t.Errorf("stopped at look %d: %s", looks, stderr.String())
		}
	}
	if !reading {
		t.Error("it was never stopped before the search")
	}
}
