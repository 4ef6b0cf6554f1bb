package badgerdir

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

	"paika/tablebase/internal/textfile"
)

// checkTables checks the checksums of every table of the LSM tree, and then has Badger's own
// code read it: its entries, too, but for a reader, who merges no tables.
//
// Badger ends the process where a table's footer is broken, and silently goes
// on without a table whose checksum is wrong; the keys in it are then gone. It does so too
// where a table has the right checksums, and what they are of makes no sense: it panics in
// goroutines of its own, where nobody can catch it.
// The tables hold keys and pointers, about one part in a hundred of a database.
func (f *Folder) checkTables() error {
	levels := f.badgerOptions().MaxLevels
	return f.eachTable(func(id uint64, t badger.TableManifest, data []byte) error {
		if int(t.Level) >= levels {
			return errTable
		}
		if f.access != Reading {
			return eachEntry(id, t, data, func([]byte, byte, []byte) {})
		}
		_, err := openTable(id, t, data)
		return err
	})
}

// errTable says that a table makes no sense.
var errTable = errors.New("what it holds makes no sense, though its checksums are right")

// understood tells whether a function of Badger's can make sense of a table that is in memory.
func understood(read func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errTable
		}
	}()
	return read()
}

// eachTable calls do with the tables of the LSM tree, each whole. Where do panics, the
// table makes no sense. Files that Badger's MANIFEST does not name are none: a killed
// writer left them before they were whole, and what they were to hold is in the logs still.
func (f *Folder) eachTable(do func(id uint64, t badger.TableManifest, data []byte) error) error {
	manifest, err := f.readTableList()
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(manifest.Tables)) {
		path := table.NewFilename(id, f.dir)
		data, err := textfile.ReadWhole(path)
		if err != nil && !errors.Is(err, textfile.ErrChanged) {
			return err
		}
		if err == nil {
			err = understood(func() error {
				if err := checkTable(data); err != nil {
					return err
				}
				return do(id, manifest.Tables[id], data)
			})
		}
		if err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
	}
	return nil
}

// readTableList reads Badger's MANIFEST. Badger makes it before the first table.
func (f *Folder) readTableList() (badger.Manifest, error) {
	path := filepath.Join(f.dir, badger.ManifestFilename)
	_, err := textfile.ReadWhole(path) // where reading fails, Badger takes that for damage
	if errors.Is(err, fs.ErrNotExist) {
		if tables, listErr := numberedFiles(f.dir, treeSuffix); listErr == nil && len(tables) == 0 {
			return badger.Manifest{}, nil
		}
	}
	if err == nil {
		return f.replayTableList(path)
	}
	if errors.Is(err, textfile.ErrChanged) {
		err = fmt.Errorf("%s: %w", badger.ManifestFilename, err)
	}
	return badger.Manifest{}, err
}

// replayTableList reads a MANIFEST that can be read.
func (f *Folder) replayTableList(path string) (badger.Manifest, error) {
	file, err := os.Open(path)
	if err != nil {
		return badger.Manifest{}, err
	}
	defer file.Close()
	manifest, _, err := badger.ReplayManifestFile(file, 0, f.badgerOptions())
	if err != nil {
		err = fmt.Errorf("%s: %w", badger.ManifestFilename, err)
	}
	return manifest, err
}

// tablesError tells a table that is missing or changed from one that the system
// does not let us read.
func tablesError(dir string, err error) error {
	if IsSystems(err) {
		return ReadError(dir, err)
	}
	return fmt.Errorf("%s: %w: %w", dir, ErrDamaged, err)
}

// eachTableEntry calls do with every entry of the LSM tree.
func (f *Folder) eachTableEntry(do func(key []byte, meta byte, value []byte)) error {
	return f.eachTable(func(id uint64, t badger.TableManifest, data []byte) error {
		return eachEntry(id, t, data, do)
	})
}

// openTable opens a table, and has every block read.
func openTable(id uint64, t badger.TableManifest, data []byte) (*table.Table, error) {
	opened, err := table.OpenInMemoryTable(data, id, &table.Options{ReadOnly: true, Compression: t.Compression})
	if err != nil {
		return nil, err
	}
	return opened, opened.VerifyChecksum()
}

func eachEntry(id uint64, t badger.TableManifest, data []byte, do func(key []byte, meta byte, value []byte)) error {
	opened, err := openTable(id, t, data)
	if err != nil {
		return err
	}
	entries := opened.NewIterator(table.NOCACHE)
	defer entries.Close()
	for entries.Rewind(); entries.Valid(); entries.Next() {
		value := entries.Value()
		do(y.ParseKey(entries.Key()), value.Meta, value.Value)
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
