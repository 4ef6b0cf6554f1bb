package flat_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/internal/graphgame"
)

var identity = tablebase.Identity{Game: "graph", Board: "1x1", Rules: "gaps=true"}

// graph is the game on a random graph with what Count asks of a kernel.
type graph struct {
	bitboard.Kernel
	*graphgame.Game
}

func (g graph) Weights(dst []uint8, s bitboard.Slice, lo, hi uint64) []uint8 {
	for _, n := range g.Nodes[s][lo:hi] {
		dst = append(dst, n.Weight)
	}
	return dst
}

// Settle leaves open what play inside the group decides, and all else to edges.
func (g graph) Settle(s bitboard.Slice, lo, hi uint64, e *bitboard.Edges) {
	e.Reset()
	for _, n := range g.Nodes[s][lo:hi] {
		fate, stays, wins := bitboard.ByEdges, false, false
		for _, q := range n.Turns {
			stays = stays || q.Slice/2 == s/2
			wins = wins || q.Slice == graphgame.Outside && g.Ended(q) == bitboard.Loss
		}
		switch {
		case n.Weight == 0:
			fate = bitboard.Gap
		case len(n.Turns) == 0 && n.Ended == bitboard.Loss:
			fate = bitboard.Lost
		case len(n.Turns) == 0 && n.Ended == bitboard.Draw:
			fate = bitboard.Drawn
		case len(n.Turns) == 0, stays && !wins:
			fate = bitboard.Open
		case wins:
			fate = bitboard.Won
		}
		e.Fates, e.Ends = append(e.Fates, fate), append(e.Ends, 0)
	}
}

// slice is one that is solved: a header and the values.
type slice struct {
	game   graph
	header flat.Header
	table  *bitboard.Table
}

// solved gives the first slice of a game with so many indices.
func solved(t testing.TB, seed, indices uint64, m bitboard.Metric) slice {
	t.Helper()
	game := graphgame.New(seed, 1, indices)
	sol := game.Solve()
	table, sum := sol.Table(m, 0), sol.Summary(m, 0)
	for i, n := range game.Nodes[0] { // a gap is a draw
		switch {
		case n.Weight > 0:
		case m == bitboard.DTW:
			table.DTW[i] = 0
		default:
			table.WDL.Set(uint64(i), bitboard.Draw)
		}
	}
	h := flat.NewHeader(identity, m, tablebase.SliceInfo{
		Name: game.SliceName(0), Indices: game.Indices(0), Positions: sum.Positions(), Win: sum.Win, Loss: sum.Loss, Draw: sum.Draw,
		Quiet: sum.Inside, LongestWin: sum.LongestWin, LongestLoss: sum.LongestLoss,
	})
	h.Fingerprint = naiveFingerprint(h, table)
	return slice{graph{nil, game}, h, table}
}

// naiveFingerprint is the fingerprint as FORMAT.md defines it.
func naiveFingerprint(h flat.Header, t *bitboard.Table) string {
	var values []byte
	section := 4096
	if h.Metric == bitboard.DTW {
		section = 32768
		for _, d := range t.DTW {
			values = binary.LittleEndian.AppendUint16(values, uint16(d))
		}
	} else {
		values = make([]byte, (h.Indices+3)/4)
		for i := range h.Indices {
			values[i/4] |= byte(t.WDL.At(i)) << (i % 4 * 2)
		}
	}
	text := fmt.Sprintf("paika fingerprint 1\ngame %s\nboard %s\nrules %s\nmetric %v\nslice %s\nindices %d\n",
		h.Identity.Game, h.Identity.Board, h.Identity.Rules, h.Metric, h.Slice, h.Indices)
	for part := range slices.Chunk(values, section) {
		sum := sha256.Sum256(part)
		text += string(sum[:])
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (s slice) write(t testing.TB, workers int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := flat.Write(context.Background(), &b, s.header, s.table, workers, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// take reads a file as import does: header, values, fingerprint, counts.
func (s slice) take(name string, file []byte) (*bitboard.Table, bitboard.Summary, error) {
	f, err := flat.Read(context.Background(), name, bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, bitboard.Summary{}, err
	}
	slice, err := f.Header.Fits(s.game)
	if err != nil {
		return nil, bitboard.Summary{}, &flat.FileError{File: name, Err: err}
	}
	table := bitboard.NewTable(f.Header.Metric, slice, f.Header.Indices)
	if err := f.Load(context.Background(), table, 2, nil); err != nil {
		return nil, bitboard.Summary{}, err
	}
	sum, err := f.Count(context.Background(), s.game, table, 2)
	return table, sum, err
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for _, indices := range []uint64{5, 64, 16_383, 16_384, 70_001} {
			if testing.Short() && indices > 20_000 {
				continue // the files of the test of the specification have as many blocks
			}
			t.Run(fmt.Sprint(m, indices), func(t *testing.T) {
				s := solved(t, indices, indices, m)
				file := s.write(t, 1)
				for _, workers := range []int{-1, 0, 2, 8} {
					if !bytes.Equal(s.write(t, workers), file) {
						t.Errorf("%d workers write another file than one", workers)
					}
				}
				table, sum, err := s.take(s.header.FileName(), file)
				if err != nil {
					t.Fatal(err)
				}
				if !slices.Equal(table.WDL, s.table.WDL) || !slices.Equal(table.DTW, s.table.DTW) {
					t.Error("the values are others")
				}
				if sum.Win != s.header.Win || sum.Inside != s.header.Quiet || sum.LongestWin != s.header.LongestWin {
					t.Errorf("counted %+v, want %+v", sum, s.header)
				}
			})
		}
	}
}

// Without workers there is one.
func TestFilesAreReadByAtLeastOneWorker(t *testing.T) {
	s := solved(t, 1, 20_001, bitboard.WDL)
	file := s.write(t, 1)
	for _, workers := range []int{-1, 0} {
		f, err := flat.Read(t.Context(), s.header.FileName(), bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		table := bitboard.NewTable(bitboard.WDL, s.table.Slice, s.header.Indices)
		if err := f.Load(t.Context(), table, workers, nil); err != nil || !slices.Equal(table.WDL, s.table.WDL) {
			t.Errorf("%d workers load other values, %v", workers, err)
		}
		if sum, err := f.Count(t.Context(), s.game, table, workers); err != nil || sum.Win != s.header.Win {
			t.Errorf("%d workers count %d wins, %v, want %d", workers, sum.Win, err, s.header.Win)
		}
	}
}

// The fingerprint is that of a store.
func TestFingerprintIsThatOfAStore(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := solved(t, 3, 20_001, m)
		store, err := tablebase.Open(t.TempDir(), identity, tablebase.Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		got, err := store.Tables(m, s.game).Fingerprint(t.Context(), s.table)
		if err != nil || got != s.header.Fingerprint {
			t.Errorf("%v: %s, %v, want %s", m, got, err, s.header.Fingerprint)
		}
	}
}

// The bytes are those that FORMAT.md tells, found here without the package's reader.
func TestFileIsAsSpecified(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := solved(t, 7, 70_001, m)
		file := s.write(t, 2)
		h := s.header
		size, blocks := uint64(65_536), uint64(2)
		if m == bitboard.DTW {
			size, blocks = 16_384, 5
		}
		dash := func(n int) string {
			if n < 0 {
				return "-"
			}
			return fmt.Sprint(n)
		}
		header := fmt.Sprintf("paika flat 1\ngame graph\nboard 1x1\nrules gaps=true\nmetric %v\nslice %s\nindices 70001\npositions %d\nwins %d\nlosses %d\ndraws %d\n"+
			"quiet %d\nlongest-win %s\nlongest-loss %s\nfingerprint %s\nblock-indices %d\nblocks %d\n\n",
			m, h.Slice, h.Positions, h.Win, h.Loss, h.Draw, h.Quiet, dash(h.LongestWin), dash(h.LongestLoss), h.Fingerprint, size, blocks)
		if !strings.HasPrefix(string(file), header) {
			t.Fatalf("%v: the header is\n%.500s\nwant\n%s", m, file, header)
		}
		directory := file[uint64(len(file))-16*blocks-4 : len(file)-4]
		if crc32.ChecksumIEEE(append([]byte(header), directory...)) != binary.LittleEndian.Uint32(file[len(file)-4:]) {
			t.Errorf("%v: the checksum is wrong", m)
		}
		decoder, err := zstd.NewReader(nil)
		if err != nil {
			t.Fatal(err)
		}
		defer decoder.Close()
		for i := range h.Indices {
			if i%size != 0 && i%997 != 0 {
				continue
			}
			entry := directory[16*(i/size):]
			offset, length := binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint32(entry[8:])
			frame := file[offset:][:length]
			if crc32.ChecksumIEEE(frame) != binary.LittleEndian.Uint32(entry[12:]) {
				t.Fatalf("%v: block %d: the checksum is wrong", m, i/size)
			}
			content, err := decoder.DecodeAll(frame, nil)
			if err != nil {
				t.Fatal(err)
			}
			at, want := i%size, s.table.Outcome(i)
			if m == bitboard.WDL {
				if got := content[at/4] >> (2 * (at % 4)) & 3; got != byte(want.Value) {
					t.Errorf("wdl %d: %d, want %v", i, got, want.Value)
				}
			} else if got := int(binary.LittleEndian.Uint16(content[2*at:])); got != int(want.Value) && got != 4*want.Distance+int(want.Value) || got == 0 != (want.Value == bitboard.Draw) {
				t.Errorf("dtw %d: %d, want %v", i, got, want)
			}
		}
	}
}

// Whatever byte is changed, and wherever the file is cut, it is refused as damaged.
func TestDamageIsFound(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 13 // every bit of a byte has its turn still
	}
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := solved(t, 5, 300, m)
		name, file := s.header.FileName(), s.write(t, 1)
		refused := func(what string, file []byte) {
			t.Helper()
			if _, _, err := s.take(name, file); !errors.Is(err, tablebase.ErrDamaged) && !errors.Is(err, tablebase.ErrNewerFormat) {
				t.Errorf("%v, %s: error %v", m, what, err)
			}
		}
		for i := 0; i < len(file); i += step {
			changed := bytes.Clone(file)
			changed[i] ^= 1 << (i % 8)
			refused(fmt.Sprint("byte ", i), changed)
			refused(fmt.Sprint("cut at ", i), file[:i])
		}
		refused("longer", append(bytes.Clone(file), 0))
	}
}

// seal puts the checksums of a changed file right.
func seal(file []byte, header, blocks int) []byte {
	begin := len(file) - 4 - 16*blocks
	for i := range blocks {
		entry := file[begin+16*i:]
		offset, length := binary.LittleEndian.Uint64(entry), binary.LittleEndian.Uint32(entry[8:])
		if offset+uint64(length) <= uint64(begin) {
			binary.LittleEndian.PutUint32(entry[12:], crc32.ChecksumIEEE(file[offset:][:length]))
		}
	}
	crc := crc32.Update(crc32.ChecksumIEEE(file[:header]), crc32.IEEETable, file[begin:len(file)-4])
	binary.LittleEndian.PutUint32(file[len(file)-4:], crc)
	return file
}

// A file whose checksums are all right is still not believed.
func TestForgeriesAreRefused(t *testing.T) {
	s := solved(t, 5, 300, bitboard.DTW)
	name := s.header.FileName()
	other := func(change func(h *flat.Header, values []bitboard.Depth)) []byte {
		forged := s
		table := &bitboard.Table{DTW: slices.Clone(s.table.DTW)}
		change(&forged.header, table.DTW)
		table.DTW = table.DTW[:forged.header.Indices] // as many as the header tells
		forged.table = table
		return forged.write(t, 1)
	}
	signed := func(change func(h *flat.Header, values []bitboard.Depth)) []byte {
		return other(func(h *flat.Header, values []bitboard.Depth) {
			change(h, values)
			h.Fingerprint = naiveFingerprint(*h, &bitboard.Table{DTW: values})
		})
	}
	gap := slices.IndexFunc(s.game.Nodes[0], func(n graphgame.Node) bool { return n.Weight == 0 })
	lost := slices.IndexFunc(s.game.Nodes[0], func(n graphgame.Node) bool {
		return n.Weight > 0 && len(n.Turns) == 0 && n.Ended == bitboard.Loss
	})
	whole := s.write(t, 1)
	header := bytes.Index(whole, []byte("\n\n")) + 2
	frame := bytes.Clone(whole)
	frame[header+len(frame[header:])/2] ^= 0xff
	junk := bytes.Clone(whole)
	copy(junk[header:], "this is no zstd frame")

	// A frame that says nothing may be as long as the file: nobody is to read it whole.
	long := slices.Concat(whole[:header], []byte{0x50, 0x2a, 0x4d, 0x18, 0, 0, 4, 0}, make([]byte, 4<<16), whole[header:])
	binary.LittleEndian.PutUint32(long[len(long)-12:], uint32(len(long)-20-header))

	for _, c := range []struct {
		what string
		name string
		file []byte
		want error
	}{
		{"a block longer than its values", name, seal(long, header, 1), flat.ErrDirectory},
		{"another value", name, other(func(_ *flat.Header, v []bitboard.Depth) { v[lost] = bitboard.MakeDepth(bitboard.Win, 1) }), flat.ErrFingerprint},
		{"another value and its fingerprint", name, signed(func(_ *flat.Header, v []bitboard.Depth) { v[lost] = bitboard.MakeDepth(bitboard.Win, 1) }), flat.ErrCounts},
		{"a value at a gap", name, signed(func(_ *flat.Header, v []bitboard.Depth) { v[gap] = bitboard.MakeDepth(bitboard.Win, 1) }), flat.ErrCounts},
		{"wins for losses", name, signed(func(h *flat.Header, _ []bitboard.Depth) { h.Win, h.Loss = h.Loss, h.Win }), flat.ErrCounts},
		{"another longest win", name, signed(func(h *flat.Header, _ []bitboard.Depth) { h.LongestWin++ }), flat.ErrCounts},
		{"other quiet positions", name, signed(func(h *flat.Header, _ []bitboard.Depth) { h.Quiet++ }), flat.ErrCounts},
		{"other positions", name, signed(func(h *flat.Header, _ []bitboard.Depth) { h.Positions++ }), flat.ErrHeader},
		{"fewer indices", name, signed(func(h *flat.Header, _ []bitboard.Depth) { h.Indices-- }), flat.ErrHeader},
		{"an unknown slice", "9v9.dtw.flat", signed(func(h *flat.Header, _ []bitboard.Depth) { h.Slice = "9v9" }), flat.ErrHeader},
		{"another name", "1v2.dtw.flat", whole, flat.ErrName},
		{"another metric's name", flat.FileName(s.header.Slice, bitboard.WDL), whole, flat.ErrName},
		{"no frame", name, seal(junk, header, 1), flat.ErrBlock},
		{"a letter", name, []byte("Dear reader,\n"), flat.ErrNotFlat},
		{"nothing", name, nil, flat.ErrNotFlat},
		{"a header alone", name, whole[:header], flat.ErrDirectory},
		{"a newer format", name, bytes.Replace(whole, []byte("flat 1\n"), []byte("flat 2\n"), 1), tablebase.ErrNewerFormat},
		{"a number in another form", name, bytes.Replace(whole, []byte("indices 3"), []byte("indices 03"), 1), flat.ErrHeader},
		{"no number", name, bytes.Replace(whole, []byte("indices 3"), []byte("indices x"), 1), flat.ErrHeader},
	} {
		_, _, err := s.take(c.name, c.file)
		if !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", c.what, err, c.want)
		}
	}
	if _, _, err := s.take(name, seal(frame, header, 1)); !errors.Is(err, tablebase.ErrDamaged) {
		t.Errorf("a changed frame: error %v", err)
	}
}

// longDirectory makes a file with many blocks, of which each is empty.
func longDirectory(t testing.TB) (name string, file []byte) {
	t.Helper()
	s := solved(t, 5, 300, bitboard.DTW)
	whole := s.write(t, 1)
	header := bytes.Index(whole, []byte("\n\n")) + 2
	file = bytes.Replace(whole[:header], []byte("indices 300\n"), fmt.Appendf(nil, "indices %d\n", blocks<<14), 1)
	file = bytes.Replace(file, []byte("blocks 1\n"), fmt.Appendf(nil, "blocks %d\n", blocks), 1)
	header = len(file)
	file = append(file, make([]byte, 16*blocks+4)...)
	for i := range blocks { // each is empty, and stands where the header ends
		binary.LittleEndian.PutUint64(file[header+16*i:], uint64(header))
	}
	return s.header.FileName(), seal(file, header, blocks)
}

// blocks is how many a long directory has.
const blocks = 1 << 18

// A directory may be as long as its writer likes: reading it takes no more memory.
func TestADirectoryIsReadInPieces(t *testing.T) {
	name, file := longDirectory(t)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := flat.Read(t.Context(), name, bytes.NewReader(file), int64(len(file)))
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d bytes of memory for a directory of %d", took, 16*blocks)
	}
}

// ending is a source that ends a context at one of the reads.
type ending struct {
	io.ReaderAt
	left int
	end  context.CancelFunc
}

func (e *ending) ReadAt(p []byte, offset int64) (int, error) {
	if e.left--; e.left == 0 {
		e.end()
	}
	return e.ReaderAt.ReadAt(p, offset)
}

// However long a directory is, reading it ends with the context, and that is no damage.
func TestReadingADirectoryEndsWithTheContext(t *testing.T) {
	name, file := longDirectory(t)
	const at = 7 // of some hundred reads
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	source := &ending{bytes.NewReader(file), at, cancel}
	_, err := flat.Read(ctx, name, source, int64(len(file)))
	if !errors.Is(err, context.Canceled) || errors.Is(err, tablebase.ErrDamaged) {
		t.Errorf("error %v, want that of the context", err)
	}
	if source.left != 0 {
		t.Errorf("%d reads after the context's end", -source.left)
	}
}

// A table has the length that its header tells: nothing is written of another.
func TestWriteRefusesTablesOfAnotherLength(t *testing.T) {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		whole := solved(t, 5, 300, m)
		short := *whole.table
		short.WDL, short.DTW = short.WDL[:len(short.WDL)/2], short.DTW[:len(short.DTW)/2]
		for what, c := range map[string]struct {
			header flat.Header
			table  *bitboard.Table
		}{
			"a short table": {whole.header, &short}, "no table": {whole.header, &bitboard.Table{}}, "no header": {flat.Header{Metric: m}, whole.table},
		} {
			var out bytes.Buffer
			if err := flat.Write(t.Context(), &out, c.header, c.table, 2, nil); err == nil || !strings.Contains(err.Error(), "has length") || out.Len() > 0 {
				t.Errorf("%s, %v: error %v, %d bytes written", what, m, err, out.Len())
			}
		}
	}
}

// What is no value is not written.
func TestWriteRefusesWhatIsNoValue(t *testing.T) {
	s := solved(t, 5, 300, bitboard.DTW)
	s.table.DTW[17] = 3
	if err := flat.Write(t.Context(), &bytes.Buffer{}, s.header, s.table, 1, nil); !errors.Is(err, flat.ErrBlock) {
		t.Errorf("error %v", err)
	}
	s = solved(t, 5, 300, bitboard.WDL)
	s.table.WDL[2] |= 3
	if err := flat.Write(t.Context(), &bytes.Buffer{}, s.header, s.table, 1, nil); !errors.Is(err, flat.ErrBlock) {
		t.Errorf("error %v", err)
	}
}

// FuzzRead: any bytes are a file that is read, or an error; never a panic, nor memory
// for what is only claimed.
func FuzzRead(f *testing.F) {
	const most = 1 << 16
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s := solved(f, 5, 100, m)
		file := s.write(f, 1)
		f.Add(s.header.FileName(), file)
		f.Add(s.header.FileName(), file[:len(file)/2])
		f.Add(s.header.FileName(), bytes.Replace(file, []byte("indices 100"), []byte("indices 99999999999999"), 1))
	}
	f.Fuzz(func(t *testing.T, name string, file []byte) {
		read, err := flat.Read(context.Background(), name, bytes.NewReader(file), int64(len(file)))
		if err != nil || read.Header.Indices > most {
			return
		}
		table := bitboard.NewTable(read.Header.Metric, 0, read.Header.Indices)
		if err := read.Load(context.Background(), table, 1, nil); err != nil {
			return
		}
		var again bytes.Buffer
		if err := flat.Write(context.Background(), &again, read.Header, table, 1, nil); err != nil {
			t.Fatal(err)
		}
		same, err := flat.Read(context.Background(), name, bytes.NewReader(again.Bytes()), int64(again.Len()))
		if err != nil || same.Header != read.Header {
			t.Errorf("written again, it is %v, error %v", same, err)
		}
	})
}
