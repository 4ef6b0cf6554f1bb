package lasting

import (
	"errors"
	"fmt"
	"os"
)

// ErrInput says that the file to write is one of those that are read.
var ErrInput = errors.New("it is read, too: want another file to write")

// NoInput fails with ErrInput where a path leads to the same regular file as one
// of those that are to be read.
func NoInput(path string, inputs ...string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil // nothing that could be lost
	}
	for _, input := range inputs {
		if read, err := os.Stat(input); err == nil && os.SameFile(info, read) {
			return fmt.Errorf("%s: %w", path, ErrInput)
		}
	}
	return nil
}
