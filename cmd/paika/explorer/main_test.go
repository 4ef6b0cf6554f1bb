package explorer

import (
	"fmt"
	"os"
	"testing"
)

// scratch is a folder for all tests of the package.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "explorer"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.RemoveAll(scratch)
	os.Exit(status)
}
