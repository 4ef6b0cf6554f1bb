package hub

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/tablebase/verify"
)

var (
	faultsHub    = flag.String("faults-hub", "", "folder of a hub that has built and is stopped, for scripts/hub-faults")
	faultsTables = flag.String("faults-tables", "", "folder of its tables")
)

// TestWhatIsStoredWasDerivedAgain reads it off the ledger: of each group that is stored all
// pieces have answers, by others than its builder, and one at least by the hub.
func TestWhatIsStoredWasDerivedAgain(t *testing.T) {
	if *faultsHub == "" {
		t.Skip("there is no hub that was built with: scripts/hub-faults has one")
	}
	y, _ := fanoronaYardOn(t, rogueAt(t), construction.Order{Metric: bitboard.WDL.String(), Pieces: *rogueMost})
	limits := y.limits(1 << 30)
	limits.Dir = *faultsTables
	site, err := y.game(limits).Open(t.Context(), y.order, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer site.Close()
	text, err := os.ReadFile(filepath.Join(*faultsHub, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	all := entriesOf(t, text)
	for place, g := range site.Groups() {
		own := site.Stored(place)
		if own == nil {
			t.Errorf("%v is not stored", g.Slices)
			continue
		}
		named := site.Task(place, "").Group
		named.Tables = slices.Concat(named.Tables, own)
		if !slices.ContainsFunc(all, func(e ledger.Entry) bool {
			return e.Built != nil && sameTables(e.Built.Made, own) && y.derivedAgain(site, named, e.Built.Worker, all)
		}) {
			t.Errorf("%v is stored, and was not derived again", g.Slices)
		}
	}
}

// sameTables tells whether a group came with the values of tables.
func sameTables(made construction.Made, tables []verify.Table) bool {
	return slices.EqualFunc(made.Parts, tables, func(p construction.Part, t verify.Table) bool { return p.Fingerprint == t.Stored })
}

// derivedAgain tells whether the lines of a ledger have all of a group that a worker built.
func (y *yard) derivedAgain(site construction.Site, g verify.Group, builder string, all []ledger.Entry) bool {
	terms := inspection.Terms{Setting: y.question().Setting, Version: all[0].Start.Version, Not: builder, Counts: site.Indices}
	i := inspection.Inspect([]verify.Group{g}, terms)
	for _, e := range all {
		switch {
		case e.Wrong != nil:
			i.Disbelieve(e.Wrong.Worker)
		case e.Piece != nil:
			i.Recall(e.Piece.Worker, e.Piece.Job, e.Piece.Answer)
			if e.Piece.Refutes != "" {
				i.Disbelieve(e.Piece.Refutes)
			}
		}
		if i.Known() && !i.Suspect() && i.Progress().Hub > 0 { // then it was stored, whoever is found out later
			return true
		}
	}
	return false
}
