package explorer

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"
)

// long is for what takes no time on a quiet machine: who waits so long, waits in vain.
const long = 2 * time.Minute

// inBubble runs a test whose time is exact: it passes where all wait, and only there.
// What tests share is made before.
func inBubble(t *testing.T, test func(*testing.T)) {
	t.Helper()
	if _, err := tables(); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, test)
}

// stopChromium ends the browser, once it runs.
var stopChromium = func() {}

// scratch is a folder for all tests of the package.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "explorer"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	stopChromium()
	os.RemoveAll(scratch)
	os.Exit(status)
}
