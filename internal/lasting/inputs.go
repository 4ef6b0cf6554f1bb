package lasting

import (
	"errors"
	"fmt"
	"os"
)

// ErrInput says that the file to write is one of those that are read.
var ErrInput = errors.New("it is read, too: want another file to write")

// NoInput fails with ErrInput where a path leads to the same regular file as one of those
// that are to be read, or where that one has the name of its part.
func NoInput(path string, inputs ...string) error {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil // nothing that could be lost
	}
	final, wrong := Follow(path)
	for _, input := range inputs {
		if SameFile(path, input) {
			return fmt.Errorf("%s: %w", path, ErrInput)
		}
		if wrong == nil && SameFile(final+PartSuffix, input) {
			return fmt.Errorf("%s: until it is whole it lies in %s: %w", path, final+PartSuffix, ErrInput)
		}
	}
	return nil
}

// SameFile tells whether two names are of one file, or folder, that is there.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
