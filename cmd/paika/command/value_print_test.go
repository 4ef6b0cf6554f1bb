package command

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// The time of a value is that of this run, and nodes of runs before count among its nodes: which of
// them the time is for has to be said.
func TestTheTimeOfAValueIsForNodesOfThisRun(t *testing.T) {
	for _, c := range []struct {
		nodes, resumed uint64
		want           string
	}{
		{3000, 0, "(by search, 3,000 nodes in 1.50 s)"},
		{3000, 2000, "(by search, 3,000 nodes, 2,000 of them before it was stopped, the others in 1.50 s)"},
		{3000, 3000, "(by search, 3,000 nodes, all of them before it was stopped, in 1.50 s)"},
	} {
		var out strings.Builder
		err := printValue(&out, catalogue.Value{By: catalogue.BySearch, Nodes: c.nodes, Resumed: c.resumed, Seconds: 1.5})
		if err != nil || !strings.Contains(out.String(), c.want) {
			t.Errorf("%q (%v), want %q in it", out.String(), err, c.want)
		}
	}
}
