package tablebase

import (
	"sync"

	"paika/bitboard"
)

// cacheShards spreads the locks of a chunkCache. A power of two.
const cacheShards = 64

// chunkKey names a chunk by its game's slice number.
type chunkKey struct {
	metric bitboard.Metric
	slice  bitboard.Slice
	number uint64
}

// shard spreads neighbouring chunks.
func (k chunkKey) shard() uint64 {
	h := k.number<<13 ^ uint64(k.slice)<<1 ^ uint64(k.metric)
	return h * 0x9e3779b97f4a7c15 >> 58
}

// chunkCache keeps the chunks used last, within a number of bytes. It is safe
// for concurrent use.
type chunkCache struct {
	shards [cacheShards]cacheShard
}

// newChunkCache makes a cache of about that many bytes. Each shard keeps at
// least one chunk, whatever its size.
func newChunkCache(bytes int64) *chunkCache {
	c := new(chunkCache)
	for i := range c.shards {
		s := &c.shards[i]
		s.limit = bytes / cacheShards
		s.entries = make(map[chunkKey]*cacheEntry)
		s.list.next, s.list.prev = &s.list, &s.list
	}
	return c
}

func (c *chunkCache) find(k chunkKey) *chunk     { return c.shards[k.shard()].find(k) }
func (c *chunkCache) keep(k chunkKey, ch *chunk) { c.shards[k.shard()].keep(k, ch) }

// cacheShard is a map and a ring of its entries, the one used last after list.
type cacheShard struct {
	mu      sync.Mutex
	entries map[chunkKey]*cacheEntry
	list    cacheEntry
	bytes   int64
	limit   int64
}

type cacheEntry struct {
	key        chunkKey
	chunk      *chunk
	next, prev *cacheEntry
}

func (s *cacheShard) find(k chunkKey) *chunk {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.entries[k]
	if e == nil {
		return nil
	}
	e.unlink()
	e.linkAfter(&s.list)
	return e.chunk
}

func (s *cacheShard) keep(k chunkKey, c *chunk) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[k] != nil { // another goroutine read it at the same time
		return
	}
	e := &cacheEntry{key: k, chunk: c}
	s.entries[k] = e
	e.linkAfter(&s.list)
	s.bytes += c.bytes()
	for s.bytes > s.limit && s.list.prev != e {
		last := s.list.prev
		last.unlink()
		delete(s.entries, last.key)
		s.bytes -= last.chunk.bytes()
	}
}

func (e *cacheEntry) unlink() { e.prev.next, e.next.prev = e.next, e.prev }

func (e *cacheEntry) linkAfter(at *cacheEntry) {
	e.prev, e.next = at, at.next
	e.prev.next, e.next.prev = e, e
}

// bytes is about what a cached chunk occupies, its place in the cache included.
func (c *chunk) bytes() int64 { return int64(cap(c.packed)) + 256 }
