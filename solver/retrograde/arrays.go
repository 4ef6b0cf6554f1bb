package retrograde

import (
	"unsafe"

	"paika/internal/offheap"
)

// arrays counts what a build has in arrays off the Go heap, in bytes. It is for one
// goroutine.
type arrays struct{ inUse, peak uint64 }

// take is offheap.Make, and counts.
func take[T offheap.Number](taken *arrays, n uint64) ([]T, error) {
	a, err := offheap.Make[T](n)
	if err == nil {
		taken.inUse += arrayBytes(a)
		taken.peak = max(taken.peak, taken.inUse)
	}
	return a, err
}

// give frees an array that came from take, or is nil.
func give[T offheap.Number](taken *arrays, a []T) {
	taken.inUse -= arrayBytes(a)
	offheap.Free(a)
}

func arrayBytes[T offheap.Number](a []T) uint64 {
	var zero T
	return uint64(cap(a)) * uint64(unsafe.Sizeof(zero))
}
