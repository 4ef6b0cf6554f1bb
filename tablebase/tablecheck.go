package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/fb"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/table"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

// checkTables checks the checksums of every table of the LSM tree in dir. Files
// that Badger's MANIFEST does not name are none: a killed writer left them before
// they were whole, and what they were to hold is in the logs still.
//
// Badger ends the process where a table's footer is broken, and silently goes
// on without a table whose checksum is wrong; the keys in it are then gone.
// The tables hold keys and pointers, about one part in a hundred of a store.
func checkTables(dir string) error {
	file, err := os.Open(filepath.Join(dir, badger.ManifestFilename))
	if errors.Is(err, fs.ErrNotExist) {
		// Badger makes it before the first table.
		if tables, _ := filepath.Glob(filepath.Join(dir, "*.sst")); len(tables) == 0 {
			return nil
		}
	}
	if err != nil {
		return err
	}
	defer file.Close()
	manifest, _, err := badger.ReplayManifestFile(file, 0, badgerOptions(dir, true))
	if err != nil {
		return fmt.Errorf("%s: %w", badger.ManifestFilename, err)
	}
	for _, id := range slices.Sorted(maps.Keys(manifest.Tables)) {
		path := table.NewFilename(id, dir)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := checkTable(data); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

var errTableShort = errors.New("cut short or overwritten")

// checkTable reads a table from its end: blocks, index, index length, checksum
// of the index, checksum length.
func checkTable(data []byte) error {
	rest, sum, err := cutTail(data)
	if err != nil {
		return err
	}
	rest, index, err := cutTail(rest)
	if err != nil {
		return err
	}
	if err := verifySum(index, sum); err != nil {
		return err
	}
	return checkBlocks(rest, fb.GetRootAsTableIndex(index, 0))
}

func checkBlocks(data []byte, index *fb.TableIndex) error {
	if index.OffsetsLength() == 0 {
		return errTableShort
	}
	var at fb.BlockOffset
	for i := range index.OffsetsLength() {
		index.Offsets(&at, i)
		end := uint64(at.Offset()) + uint64(at.Len())
		if end > uint64(len(data)) {
			return errTableShort
		}
		block, sum, err := cutTail(data[at.Offset():end])
		if err != nil {
			return err
		}
		if err := verifySum(block, sum); err != nil {
			return err
		}
	}
	return nil
}

// cutTail takes off the end of data a length of 4 bytes and as many bytes as
// it says.
func cutTail(data []byte) (rest, tail []byte, err error) {
	if len(data) < 4 {
		return nil, nil, errTableShort
	}
	at := len(data) - 4
	n := uint64(binary.BigEndian.Uint32(data[at:]))
	if n > uint64(at) {
		return nil, nil, errTableShort
	}
	return data[:at-int(n)], data[at-int(n) : at], nil
}

func verifySum(data, sum []byte) error {
	var want pb.Checksum
	if err := proto.Unmarshal(sum, &want); err != nil {
		return err
	}
	if want.Algo != pb.Checksum_CRC32C && want.Algo != pb.Checksum_XXHash64 {
		return errTableShort
	}
	return y.VerifyChecksum(data, &want)
}
