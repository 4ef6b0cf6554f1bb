// Package textfile reads and writes the small files of a store, which are there whole
// or not at all, and tell when they were changed.
//
// Such a file is a line with a checksum, in 16 hex digits, and the rest, which is JSON.
// The checksum is the XXH3 of the file's name, a zero and the rest: a file that was put
// in the place of another, such as an old copy in that of a manifest, is not as it was
// written.
package textfile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"paika/internal/lasting"
)

// ErrChanged says that a file is not as it was written.
var ErrChanged = errors.New("the file was changed or cut short")

// Write puts such a file there whole or not at all, and returns once it would
// survive a power cut.
func Write(path string, text []byte) error {
	return lasting.WriteFile(path, Text(filepath.Base(path), text))
}

// Text is what such a file of that name holds.
func Text(name string, text []byte) []byte { return append(textSum(name, text), text...) }

// textSum is the first line of the file of that name.
func textSum(name string, text []byte) []byte {
	sum := xxh3.New()
	sum.WriteString(name)
	sum.Write([]byte{0})
	sum.Write(text)
	return fmt.Appendf(nil, "%016x\n", sum.Sum64())
}

// Read reads it. Its error wraps ErrChanged where the file is not as it was
// written.
func Read(path string) ([]byte, error) {
	file, err := ReadWhole(path)
	if err != nil {
		return nil, err
	}
	return Parse(filepath.Base(path), file)
}

// mostBytes bounds a file of a store that is held in memory as a whole: those of this package,
// and the tables of Badger, which stay far below.
const mostBytes = 256 << 20

// ReadWhole is os.ReadFile for a file that CheckSize lets pass.
func ReadWhole(path string) ([]byte, error) {
	if err := CheckSize(path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// CheckSize looks whether a file is larger than any that is held in memory as a whole. Its
// error is that of os.Stat, or wraps ErrChanged.
func CheckSize(path string) error {
	info, err := os.Stat(path)
	if err == nil && info.Size() > mostBytes {
		err = fmt.Errorf("%w: it has %d bytes, want at most %d", ErrChanged, info.Size(), mostBytes)
	}
	return err
}

// Parse reads the contents of the file of that name. Its error is ErrChanged.
func Parse(name string, file []byte) ([]byte, error) {
	text, ok := bytes.CutPrefix(file, textSum(name, file[min(len(file), sumLine):]))
	if !ok {
		return nil, ErrChanged
	}
	return text, nil
}

// sumLine is the length of the first line in bytes.
const sumLine = 17
