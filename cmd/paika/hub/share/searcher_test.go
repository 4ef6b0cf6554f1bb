package share_test

import (
	"errors"
	"testing"

	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
)

// TestASearcherLeavesTablesTheirMemory: where they take half of it, the transposition table has half
// of what it would have without them. Less than 1 KiB is none.
func TestASearcherLeavesTablesTheirMemory(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	dir := built(t, of, 4)
	var small *prover.MemoryError
	if _, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: 1}); !errors.As(err, &small) {
		t.Fatal(err)
	}
	for _, c := range []struct {
		memory, table uint64
		fits          bool
	}{{1 << 30, 1100, true}, {2 * small.Tables, 2200, true}, {2 * small.Tables, 1100, false}} {
		site, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: c.memory})
		if err != nil {
			t.Fatal(err)
		}
		s, err := site.Searcher(share.SearcherOptions{Table: c.table, Sets: 1 << 20})
		if (err == nil) != c.fits {
			t.Errorf("%+v, with tables of %d: %v", c, small.Tables, err)
		}
		if err == nil {
			s.Close()
		}
		site.Close()
	}
}
