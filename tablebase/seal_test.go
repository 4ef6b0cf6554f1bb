package tablebase

import (
	"errors"
	"slices"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"paika/bitboard"
)

// A chunk belongs to one game, board, set of rules, metric, slice and place in
// it. Put anywhere else, whole as it is, it is refused.
func TestAChunkOfOtherTablesIsRefused(t *testing.T) {
	sol := newGraphGame(81, 1, 70_000).solve()
	at := newChunkKeys(bitboard.WDL, "2v1").key(nil, 0)
	for _, other := range []Identity{
		{Game: "tree", Board: testIdentity.Board, Rules: testIdentity.Rules},
		{Game: testIdentity.Game, Board: "2x2", Rules: testIdentity.Rules},
		{Game: testIdentity.Game, Board: testIdentity.Board, Rules: "gaps=false"},
	} {
		dir := storedTest(t, sol, bitboard.WDL)
		replaceChunk(t, dir, at, chunkOf(t, other, sol, at))
		s := openTest(t, dir, Options{ReadOnly: true})
		tables := s.Tables(bitboard.WDL, sol.game)
		err := tables.Load(t.Context(), newTable(bitboard.WDL, 0, sol.game.Indices(0)))
		var damaged *ChunkError
		if !errors.As(err, &damaged) || damaged.Chunk != 0 || !errors.Is(err, errSeal) {
			t.Errorf("a chunk of %v was loaded: %v", other, err)
		}
		if _, err := NewProber(s, sol.game, 0).Probe(graphPos{Slice: 0, Index: firstInPlay(sol)}); !errors.As(err, &damaged) {
			t.Errorf("a chunk of %v was probed: %v", other, err)
		}
		if report := verify(t, s, sol.game, VerifyOptions{}); !finds(report, "chunk 0") {
			t.Errorf("a chunk of %v was verified: %v", other, report.Findings)
		}
	}
}

// firstInPlay is an index of the first slice where the game is not over.
func firstInPlay(sol *solution) uint32 {
	return uint32(slices.IndexFunc(sol.game.nodes[0], func(n graphNode) bool { return n.weight > 0 && len(n.turns) > 0 }))
}

// chunkOf is the first chunk of the first slice as the store of another identity
// has it.
func chunkOf(t *testing.T, id Identity, sol *solution, key []byte) (value []byte) {
	t.Helper()
	codec, err := newCodec(id, 1)
	if err != nil {
		t.Fatal(err)
	}
	packed, err := packWDL(nil, sol.table(bitboard.WDL, 0).WDL, wdlChunkIndices)
	if err != nil {
		t.Fatal(err)
	}
	return codec.encode(key, wdlZstd, wdlChunkIndices, packed)
}

// replaceChunk puts a value into a closed store, which it closes again.
func replaceChunk(t *testing.T, dir string, key, value []byte) {
	t.Helper()
	s := openTest(t, dir, Options{})
	if err := s.update([]*badger.Entry{badger.NewEntry(key, value)}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
