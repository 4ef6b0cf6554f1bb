package tablebase

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"paika/bitboard"
)

func testCodec() *codec { return newCodec(testIdentity, 1) }

// drawDepths makes a chunk of depths from a palette of any size.
func drawDepths(t *rapid.T) []bitboard.Depth {
	depth := rapid.Custom(func(t *rapid.T) bitboard.Depth {
		v := bitboard.Value(rapid.IntRange(0, 2).Draw(t, "value"))
		if v == bitboard.Draw {
			return 0
		}
		return bitboard.MakeDepth(v, rapid.IntRange(0, bitboard.MaxDistance).Draw(t, "distance"))
	})
	palette := rapid.SliceOfN(depth, 1, 600).Draw(t, "palette")
	n := rapid.IntRange(1, dtwChunkIndices).Draw(t, "indices")
	step := rapid.IntRange(1, 1000).Draw(t, "step")
	depths := make([]bitboard.Depth, n)
	for i := range depths {
		depths[i] = palette[i*step%len(palette)]
	}
	return depths
}

func TestPackedDepthsUnpack(t *testing.T) {
	var packer dtwPacker
	rapid.Check(t, func(t *rapid.T) {
		depths := drawDepths(t)
		kind, packed, err := packer.pack(nil, depths)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openChunk(bitboard.DTW, kind, false, packed, len(depths))
		if err != nil {
			t.Fatal(err)
		}
		table := &bitboard.Table{DTW: make([]bitboard.Depth, len(depths))}
		c.unpack(table, 0)
		if !slices.Equal(table.DTW, depths) {
			t.Fatal("unpacked depths differ")
		}
		for i, d := range depths {
			if got := c.outcome(uint64(i)); got != d.Outcome() {
				t.Fatalf("index %d: %v, want %v", i, got, d.Outcome())
			}
		}
	})
}

// A distance that wraps round would let two wins rest on each other.
func TestDepthsThatAreNoneAreRefused(t *testing.T) {
	for _, d := range []bitboard.Depth{
		bitboard.Depth(3),
		bitboard.MakeDepth(bitboard.Draw, 1),
		bitboard.MakeDepth(bitboard.Win, bitboard.MaxDistance+1),
		bitboard.MakeDepth(bitboard.Loss, 2*bitboard.MaxDistance+1),
	} {
		if _, _, err := new(dtwPacker).pack(nil, []bitboard.Depth{d}); err == nil {
			t.Errorf("packed depth %#x", d)
		}
		packed := binary.LittleEndian.AppendUint16([]byte{1, 0}, uint16(d))
		if _, err := openChunk(bitboard.DTW, dtwZstd, false, append(packed, 0), 1); err == nil {
			t.Errorf("opened depth %#x", d)
		}
	}
}

func TestPackedValuesUnpack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, wdlChunkIndices).Draw(t, "indices")
		pattern := rapid.SliceOfN(rapid.IntRange(0, 2), 1, 50).Draw(t, "pattern")
		values := make(bitboard.Packed, bitboard.PackedWords(uint64(n)))
		for i := range n {
			values.Or(uint64(i), bitboard.Value(pattern[i%len(pattern)]))
		}
		packed, err := packWDL(nil, values, n)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openChunk(bitboard.WDL, wdlZstd, false, packed, n)
		if err != nil {
			t.Fatal(err)
		}
		table := &bitboard.Table{WDL: make(bitboard.Packed, len(values))}
		c.unpack(table, 0)
		if !slices.Equal(table.WDL, values) {
			t.Fatal("unpacked values differ")
		}
		for i := range n {
			if got := c.outcome(uint64(i)).Value; got != values.At(uint64(i)) {
				t.Fatalf("index %d: %v, want %v", i, got, values.At(uint64(i)))
			}
		}
	})
}

func TestHeldValuesUnpack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 1000).Draw(t, "indices")
		values := make(bitboard.Packed, bitboard.PackedWords(uint64(n)))
		held := make([]uint64, (n+63)/64)
		last := bitboard.Draw
		var want []bitboard.Value
		for i := range n {
			v := bitboard.Value(rapid.IntRange(0, 3).Draw(t, "value"))
			if v != 3 && rapid.Bool().Draw(t, "held") { // 3 is no value, and may be left out
				held[i/64] |= 1 << (i % 64)
				last = v
			}
			values.Or(uint64(i), v)
			want = append(want, last)
		}
		packed, err := packHeld(nil, values, held, n)
		if err != nil {
			t.Fatal(err)
		}
		c, err := openChunk(bitboard.WDL, wdlHeldZstd, true, packed, n)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range want {
			if got := c.outcome(uint64(i)).Value; got != v {
				t.Fatalf("index %d: %v, want %v", i, got, v)
			}
		}
		if _, err := openChunk(bitboard.WDL, wdlHeldZstd, false, packed, n); err == nil {
			t.Fatal("values left out of a slice that is stored whole")
		}
	})
}

// Values are all that a chunk holds: what stands behind the last one would count in the
// fingerprint of what is stored, and not in that of the values.
func TestNothingStandsBehindTheLastValue(t *testing.T) {
	for _, n := range []int{1, 31, 33, 63, 210, wdlChunkIndices - 1} {
		for _, kind := range []chunkKind{wdlZstd, wdlHeldZstd} {
			for _, spare := range []int{n, (n+31)/32*32 - 1} {
				values := make(bitboard.Packed, bitboard.PackedWords(uint64(n)))
				for _, v := range []bitboard.Value{bitboard.Win, bitboard.Loss} {
					values.Set(uint64(spare), v)
					var packed []byte
					for _, word := range values {
						packed = binary.LittleEndian.AppendUint64(packed, word)
					}
					if _, err := openChunk(bitboard.WDL, kind, kind == wdlHeldZstd, packed, n); err == nil {
						t.Errorf("kind %d, %d values: opened with a %v at %d", kind, n, v, spare)
					}
				}
			}
		}
	}
}

// An encoder that has seen other chunks writes what a new one writes, or
// manifests would depend on the number of workers.
func TestCompressionHasNoMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("makes many encoders one after the other")
	}
	used, key := testCodec(), []byte("key")
	random := rand.New(rand.NewPCG(51, 1))
	for range 12 {
		packed := make([]byte, 1+random.IntN(20_000))
		letters := 1 + random.IntN(9)
		for i := range packed {
			packed[i] = packed[max(0, i-random.IntN(300))]
			if random.IntN(4) == 0 {
				packed[i] = byte(random.IntN(letters))
			}
		}
		for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			for _, indices := range []uint64{1, smallSlice + 1} {
				encode := func(c *codec) []byte { return c.encode(c.encoders(metric, indices), key, wdlZstd, 1, packed) }
				if !bytes.Equal(encode(used), encode(testCodec())) {
					t.Fatalf("a used encoder differs from a new one in chunks of %v, of a slice with %d indices", metric, indices)
				}
			}
		}
	}
}

func TestChunkAtAnotherKeyIsRefused(t *testing.T) {
	c := testCodec()
	at := newChunkKeys(bitboard.WDL, "3v2").key(nil, 7)
	value := c.encode(c.best, at, wdlZstd, 32, make([]byte, 8))
	if _, _, err := c.decode(at, value, 32, nil); err != nil {
		t.Fatal(err)
	}
	for _, key := range [][]byte{
		newChunkKeys(bitboard.WDL, "3v2").key(nil, 8),
		newChunkKeys(bitboard.WDL, "2v3").key(nil, 7),
		newChunkKeys(bitboard.DTW, "3v2").key(nil, 7),
	} {
		if _, _, err := c.decode(key, value, 32, nil); err == nil {
			t.Errorf("decoded at key %q", key)
		}
	}
	if _, _, err := c.decode(at, value, 33, nil); err == nil {
		t.Error("decoded with another number of indices")
	}
}

// A chunk may claim what it likes: no more is decompressed than a chunk has.
func TestChunksDoNotGrowWithoutBounds(t *testing.T) {
	if testing.Short() {
		t.Skip("compresses a gigabyte")
	}
	c, key := testCodec(), []byte("key")
	for claimed, size := range map[int]int{maxPackedBytes: 256 << 20, wdlBytes(1000): 256 << 20, 8: 9, 256 << 20: 256 << 20} {
		value := c.encode(c.best, key, wdlZstd, 1000, make([]byte, size))
		binary.LittleEndian.PutUint32(value[sealBytes+5:], uint32(claimed))
		c.seal(key, value)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := c.decode(key, value, 1000, nil)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; err == nil || took > 4<<20 {
			t.Errorf("%d bytes that claim to be %d: %d bytes taken, %v", size, claimed, took, err)
		}
	}
}

// FuzzDecode changes a chunk that was stored. Nothing but the stored chunk
// itself may decode, and nothing may panic. The seal is made right as well, to
// reach what lies behind it; what then decodes must be whole.
func FuzzDecode(f *testing.F) {
	codec := testCodec()
	key := newChunkKeys(bitboard.DTW, "3v2").key(nil, 0)
	var packer dtwPacker
	depths := make([]bitboard.Depth, 1000)
	for i := range depths {
		depths[i] = bitboard.MakeDepth(bitboard.Win, i%300)
	}
	var stored [][]byte
	for _, part := range [][]bitboard.Depth{depths, depths[:100]} {
		kind, packed, err := packer.pack(nil, part)
		if err != nil {
			f.Fatal(err)
		}
		stored = append(stored, codec.encode(codec.better, key, kind, len(part), packed))
	}
	stored = append(stored, codec.encode(codec.best, key, wdlZstd, 64, make([]byte, 16)), codec.encode(codec.best, key, wdlHeldZstd, 100, make([]byte, 32)))
	for _, value := range stored {
		f.Add(value, uint16(1000))
		f.Add(value[:len(value)/2], uint16(100))
	}
	f.Fuzz(func(t *testing.T, value []byte, n uint16) {
		for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
			if decodes(codec, m, key, value, int(n)) && !slices.ContainsFunc(stored, func(s []byte) bool { return bytes.Equal(s, value) }) {
				t.Error("decoded a changed chunk")
			}
			if len(value) >= sealBytes {
				sealed := bytes.Clone(value)
				codec.seal(key, sealed)
				decodes(codec, m, key, sealed, int(n))
			}
		}
	})
}

// decodes reads every value of what it can decode.
func decodes(codec *codec, m bitboard.Metric, key, value []byte, n int) bool {
	kind, packed, err := codec.decode(key, value, n, nil)
	if err != nil {
		return false
	}
	c, err := openChunk(m, kind, true, packed, n)
	if err != nil {
		return false
	}
	table := bitboard.NewTable(m, 0, uint64(n))
	c.unpack(table, 0)
	hasher := new(sectionHasher)
	sections, err := hasher.table(nil, table, 0, n)
	if err != nil {
		panic(err)
	}
	if len(hasher.chunk(nil, &c)) != len(sections) {
		panic("a chunk and its table have other sections")
	}
	for i := range n {
		if c.outcome(uint64(i)).Value != table.Outcome(uint64(i)).Value {
			panic("a chunk and its table have other values")
		}
	}
	return true
}
