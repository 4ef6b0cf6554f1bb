// Package offheap allocates big arrays of numbers outside the Go heap, on huge
// pages where the system has them. The garbage collector neither scans nor counts
// them. A random read costs one cache miss, and seldom one more for the page
// table. Freed memory goes back to the system at once. [Collect] is for what lies on
// the heap all the same.
package offheap

import (
	"errors"
	"fmt"
	"unsafe"

	"paika/internal/usage"
)

// Number is what arrays may hold: nothing with pointers.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64
}

// ErrMemory says that the system refuses memory.
var ErrMemory = errors.New("the system refuses the memory that is allowed")

// Make returns an array of n zeros, aligned to a page. Free it when no
// reference to it is left. Errors wrap ErrMemory where the system refuses.
func Make[T Number](n uint64) ([]T, error) {
	var zero T
	bytes := n * uint64(unsafe.Sizeof(zero))
	if n == 0 || bytes/n != uint64(unsafe.Sizeof(zero)) || bytes > 1<<47 {
		return nil, fmt.Errorf("an array of %s elements of %s can't be had", usage.Thousands(n), usage.Bytes(uint64(unsafe.Sizeof(zero))))
	}
	memory, err := reserve(bytes)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrMemory, usage.Amount(bytes), err)
	}
	return unsafe.Slice((*T)(memory), n), nil
}

// Free gives back an array that Make returned. No part of it may be used
// afterwards. A nil array is left alone.
func Free[T Number](a []T) {
	if cap(a) == 0 {
		return
	}
	release(unsafe.Pointer(unsafe.SliceData(a)), uint64(cap(a))*uint64(unsafe.Sizeof(a[:1][0])))
}
