package bitboard

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Count comes to what At tells one by one, whole words or not, and Equal does.
func TestPackedCountsLikeAt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	a := make(Packed, 4)
	for i := range a {
		a[i] = random.Uint64()
	}
	for i := range uint64(len(a) * 32) {
		for v := range Value(4) {
			if got := a.Equal(i/64, v)>>(i%64)&1 != 0; got != (a.At(i) == v) {
				t.Fatalf("index %d: it is %v: %v, want %v", i, v, got, !got)
			}
		}
	}
	for lo := range uint64(len(a)*32 + 1) {
		for hi := lo; hi <= uint64(len(a)*32); hi++ {
			var want [4]uint64
			for i := lo; i < hi; i++ {
				want[a.At(i)]++
			}
			if got := a.Count(lo, hi); got != want {
				t.Fatalf("indices [%d, %d): %v, want %v", lo, hi, got, want)
			}
		}
	}
}

// OrBits does for 64 values, wherever the first stands, what Or does for each.
func TestOrBitsIsOrOfManyValues(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for i := range uint64(70) {
		many := min(64, uint64(4*32)-i) // bits beyond the array are zeros
		lower, upper := random.Uint64()>>(64-many), random.Uint64()>>(64-many)
		got, want := Packed{1, 0, 2, 0}, Packed{1, 0, 2, 0}
		got.OrBits(i, lower, upper)
		for k := range many {
			want.Or(i+k, Value(lower>>k&1|upper>>k&1<<1))
		}
		if !slices.Equal(got, want) {
			t.Fatalf("from index %d on: %x, want %x", i, got, want)
		}
	}
}

// SetBits does for the values that are chosen, wherever the first stands, what Set does for
// each, and leaves the others alone.
func TestSetBitsIsSetOfManyValues(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for i := range uint64(70) {
		many := min(64, uint64(4*32)-i) // bits beyond the array are zeros
		chosen := random.Uint64() >> (64 - many)
		lower, upper := random.Uint64()&chosen, random.Uint64()&chosen
		got := Packed{random.Uint64(), random.Uint64(), random.Uint64(), random.Uint64()}
		want := slices.Clone(got)
		got.SetBits(i, chosen, lower, upper)
		for k := range many {
			if chosen>>k&1 != 0 {
				want.Set(i+k, Value(lower>>k&1|upper>>k&1<<1))
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("from index %d on: %x, want %x", i, got, want)
		}
	}
}

// Sizes of slices that no table holds stay in the order of their indices.
func TestSizesOfHugeSlicesDoNotWrap(t *testing.T) {
	for _, m := range []Metric{WDL, DTW} {
		before := uint64(0)
		for _, indices := range []uint64{0, 1, 32, 33, 1 << 48, 1 << 62, 1<<63 - 1, 1 << 63, math.MaxUint64 - 31, math.MaxUint64 - 30, math.MaxUint64} {
			bytes := TableBytes(m, indices)
			if bytes < before || bytes < indices/4 || indices > 0 && bytes == 0 {
				t.Errorf("%v: %d indices take %d bytes, fewer %d", m, indices, bytes, before)
			}
			before = bytes
		}
	}
	if got := []uint64{PackedWords(0), PackedWords(1), PackedWords(32), PackedWords(33), PackedWords(math.MaxUint64)}; !slices.Equal(got, []uint64{0, 1, 1, 2, 1 << 59}) {
		t.Errorf("words: %v", got)
	}
}
