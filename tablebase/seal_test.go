package tablebase

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/graphgame"
)

// A chunk belongs to one game, board, set of rules, metric, slice and place in
// it. Put anywhere else, whole as it is, it is refused.
func TestAChunkOfOtherTablesIsRefused(t *testing.T) {
	sol := graphgame.New(81, 1, 70_000).Solve()
	at := newChunkKeys(bitboard.WDL, "2v1").key(nil, 0)
	for _, other := range []Identity{
		{Game: "tree", Board: testIdentity.Board, Rules: testIdentity.Rules},
		{Game: testIdentity.Game, Board: "2x2", Rules: testIdentity.Rules},
		{Game: testIdentity.Game, Board: testIdentity.Board, Rules: "gaps=false"},
	} {
		dir := storedTest(t, sol, bitboard.WDL)
		replaceChunk(t, dir, at, chunkOf(t, other, sol, at))
		s := openTest(t, dir, Options{ReadOnly: true})
		tables := s.Tables(bitboard.WDL, sol.Game)
		err := tables.Load(t.Context(), bitboard.NewTable(bitboard.WDL, 0, sol.Game.Indices(0)))
		var damaged *ChunkError
		if !errors.As(err, &damaged) || damaged.Chunk != 0 || !errors.Is(err, errSeal) {
			t.Errorf("a chunk of %v was loaded: %v", other, err)
		}
		if _, err := NewProber(s, sol.Game, 0).Probe(graphgame.Position{Slice: 0, Index: firstInPlay(sol)}); !errors.As(err, &damaged) {
			t.Errorf("a chunk of %v was probed: %v", other, err)
		}
		info, _ := s.Slice(bitboard.WDL, "2v1")
		var found error
		if _, err := tables.Scan(t.Context(), info, 1, func(c ScannedChunk) { found = cmp.Or(found, c.Err) }); err != nil || !errors.Is(found, errSeal) {
			t.Errorf("a chunk of %v was scanned: %v, %v", other, found, err)
		}
	}
}

// firstInPlay is an index of the first slice where the game is not over.
func firstInPlay(sol *graphgame.Solution) uint32 {
	return uint32(slices.IndexFunc(sol.Game.Nodes[0], func(n graphgame.Node) bool { return n.Weight > 0 && len(n.Turns) > 0 }))
}

// chunkOf is the first chunk of the first slice as the store of another identity
// has it.
func chunkOf(t *testing.T, id Identity, sol *graphgame.Solution, key []byte) (value []byte) {
	t.Helper()
	codec := newCodec(id, 1)
	packed, err := packWDL(nil, sol.Table(bitboard.WDL, 0).WDL, wdlChunkIndices)
	if err != nil {
		t.Fatal(err)
	}
	return codec.encode(codec.best, key, wdlZstd, wdlChunkIndices, packed)
}

// replaceChunk puts a value into a closed store, which it closes again.
func replaceChunk(t *testing.T, dir string, key, value []byte) {
	t.Helper()
	s := openTest(t, dir, Options{})
	if err := s.folder.Put([]badgerdir.Entry{{Key: key, Value: value}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}
