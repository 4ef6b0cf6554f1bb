package parallel

import (
	"strings"
	"testing"
)

func TestGuardKeepsAPanic(t *testing.T) {
	err := Guard(func() { fallen() })
	if err == nil || err.Caught != "fallen" || !strings.Contains(string(err.Stack), "parallel.fallen") {
		t.Errorf("%v", err)
	}
	done := false
	if err := Guard(func() { done = true }); err != nil || !done {
		t.Errorf("without a panic: %v, done %t", err, done)
	}
}

//go:noinline
func fallen() { panic("fallen") }
