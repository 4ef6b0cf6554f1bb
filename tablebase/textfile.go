package tablebase

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"github.com/zeebo/xxh3"

	"paika/internal/lasting"
)

// Small files of a store are a line with the XXH3 of the rest, in 16 hex digits,
// and the rest, which is JSON.

// errText says that a small file was changed or cut short.
var errText = errors.New("the file was changed or cut short")

// writeText puts such a file there whole or not at all, and returns once it would
// survive a power cut.
func writeText(path string, text []byte) error {
	return lasting.WriteFile(path, fmt.Appendf(nil, "%016x\n%s", xxh3.Hash(text), text))
}

// readText reads it. Its error wraps errText where the file is not as it was
// written.
func readText(path string) ([]byte, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseText(file)
}

func parseText(file []byte) ([]byte, error) {
	sum, text, _ := bytes.Cut(file, []byte("\n"))
	if string(sum) != fmt.Sprintf("%016x", xxh3.Hash(text)) {
		return nil, errText
	}
	return text, nil
}
