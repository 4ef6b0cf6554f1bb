package bitboard

import (
	"fmt"
	"math"
	"math/bits"
	"sync/atomic"
)

// Packed is an array of values at 2 bits each, 32 to a word, the first in the
// lowest bits.
type Packed []uint64

// PackedWords is the length, in words, of a Packed for n values.
func PackedWords(n uint64) uint64 { return n/32 + (n%32+31)/32 }

// At returns the value at index i.
func (a Packed) At(i uint64) Value { return Value(a[i>>5]>>(i&31*2)) & 3 }

// Load is At where other goroutines may be setting values of the word atomically.
func (a Packed) Load(i uint64) Value {
	return Value(atomic.LoadUint64(&a[i>>5])>>(i&31*2)) & 3
}

// Or sets, in the two bits at index i, the bits of v as well. It is for arrays
// filled in ascending order by one goroutine.
func (a Packed) Or(i uint64, v Value) { a[i>>5] |= uint64(v) << (i & 31 * 2) }

// OrBits is Or for 64 values from index i on, bit k of lower and of upper for the two bits
// of the k-th.
func (a Packed) OrBits(i uint64, lower, upper uint64) {
	a.orWord(i, spread(lower)|spread(upper)<<1)
	a.orWord(i+32, spread(lower>>32)|spread(upper>>32)<<1)
}

// orWord is Or for 32 values from index i on. Zeros may reach beyond the array.
func (a Packed) orWord(i uint64, word uint64) {
	if word == 0 {
		return
	}
	at, shift := i>>5, i&31*2
	a[at] |= word << shift
	if rest := word >> 1 >> (63 - shift); rest != 0 {
		a[at+1] |= rest
	}
}

// spread moves bit k of the lower 32 to bit 2k.
func spread(bits uint64) uint64 {
	bits &= 0x00000000ffffffff
	bits = (bits | bits<<16) & 0x0000ffff0000ffff
	bits = (bits | bits<<8) & 0x00ff00ff00ff00ff
	bits = (bits | bits<<4) & 0x0f0f0f0f0f0f0f0f
	bits = (bits | bits<<2) & 0x3333333333333333
	return (bits | bits<<1) & 0x5555555555555555
}

// Set puts v at index i. Other goroutines must not touch the word.
func (a Packed) Set(i uint64, v Value) {
	shift := i & 31 * 2
	a[i>>5] = a[i>>5]&^(3<<shift) | uint64(v)<<shift
}

// SetBits is Set for each of 64 values from index i on that has a bit in chosen: to bit k of
// lower and of upper for the k-th. Those have no other bits, and zeros may reach beyond the
// array.
func (a Packed) SetBits(i uint64, chosen, lower, upper uint64) {
	a.setWord(i, 3*spread(chosen), spread(lower)|spread(upper)<<1)
	if chosen >>= 32; chosen != 0 {
		a.setWord(i+32, 3*spread(chosen), spread(lower>>32)|spread(upper>>32)<<1)
	}
}

// setWord sets, of 32 values from index i on, the bits that are chosen.
func (a Packed) setWord(i, chosen, word uint64) {
	at, shift := i>>5, i&31*2
	a[at] = a[at]&^(chosen<<shift) | word<<shift
	if rest := chosen >> 1 >> (63 - shift); rest != 0 {
		a[at+1] = a[at+1]&^rest | word>>1>>(63-shift)
	}
}

// Equal tells which of the values at the indices from 64k on are v, a bit each. Where the array
// ends with the first 32, the others are not.
func (a Packed) Equal(k uint64, v Value) uint64 {
	same := equal(a[2*k], v)
	if next := 2*k + 1; next < uint64(len(a)) {
		same |= equal(a[next], v) << 32
	}
	return same
}

// equal tells which of the values of a word are v, in the lower 32 bits.
func equal(word uint64, v Value) uint64 {
	same := ^(word ^ uint64(v)*0x5555555555555555)
	same = same & (same >> 1) & 0x5555555555555555
	same = (same | same>>1) & 0x3333333333333333
	same = (same | same>>2) & 0x0f0f0f0f0f0f0f0f
	same = (same | same>>4) & 0x00ff00ff00ff00ff
	same = (same | same>>8) & 0x0000ffff0000ffff
	return (same | same>>16) & 0x00000000ffffffff
}

// Count tells how often each value stands at the indices of [lo, hi).
func (a Packed) Count(lo, hi uint64) (many [4]uint64) {
	const low = 0x5555555555555555 // the lower bit of each value
	for lo < hi {
		end := min(hi, lo&^31+32)
		chosen := uint64(low) >> (64 - 2*(end-lo)) << (lo & 31 * 2)
		word := a[lo>>5]
		for v := range many[1:] {
			v++
			same := ^(word ^ uint64(v)*low)
			many[v] += uint64(bits.OnesCount64(same & (same >> 1) & chosen))
		}
		many[0] += end - lo
		lo = end
	}
	many[0] -= many[1] + many[2] + many[3]
	return many
}

// Table is the values of one slice in memory: WDL for the metric wdl, DTW (one
// Depth an index) for dtw; the other is nil. What stands at a gap means
// nothing.
type Table struct {
	Slice Slice
	WDL   Packed
	DTW   []Depth
}

// CheckLength wants a table to have the values of so many indices in a metric.
func (t *Table) CheckLength(m Metric, indices uint64) error {
	if err := m.Check(); err != nil {
		return err
	}
	have, want := uint64(len(t.WDL)), PackedWords(indices)
	if m == DTW {
		have, want = uint64(len(t.DTW)), indices
	}
	if have != want {
		return fmt.Errorf("the table in memory has length %d, want %d", have, want)
	}
	return nil
}

// NewTable makes room for the values of a slice, all of them draws.
func NewTable(m Metric, s Slice, indices uint64) *Table {
	if m == DTW {
		return &Table{Slice: s, DTW: make([]Depth, indices)}
	}
	return &Table{Slice: s, WDL: make(Packed, PackedWords(indices))}
}

// TableBytes is what the values of a slice take in memory, or the highest number of 64 bits
// where that is less.
func TableBytes(m Metric, indices uint64) uint64 {
	if m == DTW {
		return 2 * min(indices, math.MaxUint64/2)
	}
	return 8 * PackedWords(indices)
}

// Outcome is what the table says of an index.
func (t *Table) Outcome(i uint64) Outcome {
	if t.DTW != nil {
		return t.DTW[i].Outcome()
	}
	return Outcome{t.WDL.At(i), UnknownDistance}
}

// Summary is what is counted of a solved slice, with symmetry undone.
type Summary struct {
	Slice           Slice
	Win, Loss, Draw uint64 // positions, for the side to move
	Inside          uint64 // positions that no turn out of the group decides: open ones, and those where the game is over
	LongestWin      int    // turns, or UnknownDistance where the metric stores none or there is none
	LongestLoss     int
}

// Positions is the number of positions counted.
func (s Summary) Positions() uint64 { return s.Win + s.Loss + s.Draw }
