package badgerdir

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/pb"
	"github.com/dgraph-io/badger/v4/y"
	"google.golang.org/protobuf/proto"
)

// Who can write to the folder can give tables right checksums. Badger panics on some of them, in
// goroutines of its own, and on others when it merges them: it never gets to see these.
func TestTablesWithRightChecksumsCanHoldAnything(t *testing.T) {
	whole := filled(t, 50)
	tables, err := numberedFiles(whole, treeSuffix)
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	name := filepath.Base(tables[0].path)
	data, err := os.ReadFile(tables[0].path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for seed := range uint64(300) {
		dir := t.TempDir()
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), forgedTable(t, data, rand.New(rand.NewPCG(seed, 3))), 0o666); err != nil {
			t.Fatal(err)
		}
		if openForged(t, dir, Access(seed%2)) != nil {
			refused++
		}
		os.RemoveAll(dir)
	}
	if refused < 100 {
		t.Errorf("%d of 300 were refused", refused)
	}
}

// forgedTable changes some bytes of the index of a table, or of a block, and every checksum that
// would tell.
func forgedTable(t *testing.T, data []byte, random *rand.Rand) []byte {
	t.Helper()
	rest, _, err := cutTail(bytes.Clone(data))
	if err != nil {
		t.Fatal(err)
	}
	blocks, index, err := cutTail(rest)
	if err != nil {
		t.Fatal(err)
	}
	block, _, err := cutTail(blocks)
	if err != nil {
		t.Fatal(err)
	}
	place := index
	if random.IntN(3) == 0 {
		place = block // of the one that there is
	}
	for range 1 + random.IntN(3) {
		place[random.IntN(len(place))] = [...]byte{0, 1, 0x7f, 0x80, 0xff, byte(random.Uint32())}[random.IntN(6)]
	}
	index = bytes.Clone(index)
	return withTail(withTail(withTail(bytes.Clone(block), sumOf(t, block)), index), sumOf(t, index))
}

func withTail(data, tail []byte) []byte {
	return binary.BigEndian.AppendUint32(append(data, tail...), uint32(len(tail)))
}

func sumOf(t *testing.T, data []byte) []byte {
	t.Helper()
	sum, err := proto.Marshal(&pb.Checksum{Algo: pb.Checksum_CRC32C, Sum: y.CalculateChecksum(data, pb.Checksum_CRC32C)})
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// openForged records the files of a folder as a writer leaves them, and opens it.
func openForged(t *testing.T, dir string, access Access) error {
	t.Helper()
	f, err := Lock(dir, access, testOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	left, err := f.listFiles()
	if err == nil {
		err = writeClosed(dir, left)
	}
	if err != nil {
		t.Fatal(err)
	}
	examined := examine(t, dir, f)
	if access == Reading {
		err = f.CheckClosed()
	} else {
		err = f.Prepare(wantedKeys(50))
	}
	if err == nil {
		err = f.Open()
	}
	if err != nil && !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want ErrDamaged", err)
	}
	if err != nil && examined == nil {
		t.Errorf("%v, and who repairs finds nothing", err)
	}
	return err
}

// examine is what who repairs finds in the folder that somebody has locked.
func examine(t *testing.T, dir string, f *Folder) error {
	t.Helper()
	_, err := (&Folder{dir: dir, access: Examining, opts: f.opts}).Inspect(wantedKeys(50))
	return err
}

// Badger takes the levels that its MANIFEST names for granted.
func TestATableOfNoLevelIsDamage(t *testing.T) {
	dir := filled(t, 50)
	tables, err := numberedFiles(dir, treeSuffix)
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	path := filepath.Join(dir, badger.ManifestFilename)
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var set pb.ManifestChangeSet
	for _, table := range tables {
		set.Changes = append(set.Changes, &pb.ManifestChange{Id: uint64(table.number), Op: pb.ManifestChange_CREATE, Level: 200})
	}
	text, err := proto.Marshal(&set)
	if err != nil {
		t.Fatal(err)
	}
	file = binary.BigEndian.AppendUint32(file[:8], uint32(len(text)))
	file = binary.BigEndian.AppendUint32(file, crc32.Checksum(text, y.CastagnoliCrcTable))
	if err := os.WriteFile(path, append(file, text...), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := openForged(t, dir, Reading); err == nil {
		t.Error("it was opened")
	}
}
