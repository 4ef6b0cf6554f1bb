package tablebase

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/zeebo/xxh3"

	"paika/internal/lasting"
)

// Small files of a store are a line with a checksum, in 16 hex digits, and the rest,
// which is JSON. The checksum is the XXH3 of the file's name, a zero and the rest: a
// file that was put in the place of another, such as an old copy in that of a
// manifest, is not as it was written.

// errText says that a small file was changed or cut short.
var errText = errors.New("the file was changed or cut short")

// writeText puts such a file there whole or not at all, and returns once it would
// survive a power cut.
func writeText(path string, text []byte) error {
	return lasting.WriteFile(path, append(textSum(filepath.Base(path), text), text...))
}

// textSum is the first line of the file of that name.
func textSum(name string, text []byte) []byte {
	sum := xxh3.New()
	sum.WriteString(name)
	sum.Write([]byte{0})
	sum.Write(text)
	return fmt.Appendf(nil, "%016x\n", sum.Sum64())
}

// readText reads it. Its error wraps errText where the file is not as it was
// written.
func readText(path string) ([]byte, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseText(filepath.Base(path), file)
}

func parseText(name string, file []byte) ([]byte, error) {
	text, ok := bytes.CutPrefix(file, textSum(name, file[min(len(file), sumLine):]))
	if !ok {
		return nil, errText
	}
	return text, nil
}

// sumLine is the length of the first line in bytes.
const sumLine = 17
