package offheap

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

const hugePage = 2 << 20

func reserve(bytes uint64) (unsafe.Pointer, error) {
	if bytes >= hugePage {
		bytes = roundUp(bytes)
	}
	memory, err := unix.MmapPtr(-1, 0, nil, uintptr(bytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		return nil, err
	}
	if bytes >= hugePage {
		// Only advice: without huge pages everything works, more slowly.
		_ = unix.Madvise(unsafe.Slice((*byte)(memory), bytes), unix.MADV_HUGEPAGE)
	}
	return memory, nil
}

func release(memory unsafe.Pointer, bytes uint64) {
	if bytes >= hugePage {
		bytes = roundUp(bytes)
	}
	if err := unix.MunmapPtr(memory, uintptr(bytes)); err != nil {
		panic(fmt.Sprintf("offheap: freeing memory that Make did not return: %v", err))
	}
}

func roundUp(bytes uint64) uint64 { return (bytes + hugePage - 1) &^ (hugePage - 1) }
