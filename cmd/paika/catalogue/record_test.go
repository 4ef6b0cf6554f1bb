package catalogue_test

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

// A record may end in a position with more turns than anyone could list: the ball can
// jump every way from every point that it lands on.
func TestARecordMayEndAmongCountlessTurns(t *testing.T) {
	full, gaps := strings.Repeat("*", 15), strings.Repeat("*.", 7)+"*"
	rows := strings.Repeat(full+"/"+gaps+"/", 9) + full
	middle := len(rows) / 2
	position := rows[:middle] + "@" + rows[middle+1:] + " ohs"
	r := parsedRecord(t, `[Game "phutball"] [Position "`+position+`"]`)
	instance, err := catalogue.OpenRecord(r, "", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	if checked, err := instance.CheckRecord(t.Context(), r, nil); err != nil || checked.Over || checked.Last != position {
		t.Errorf("%+v, %v", checked, err)
	}
}
