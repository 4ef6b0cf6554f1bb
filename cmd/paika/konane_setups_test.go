package main

import (
	"slices"
	"strings"
	"testing"
)

// TestSetupsOfKonaneTellWhatAProofTakes: the nodes of the whole, where its parts have some, too.
func TestSetupsOfKonaneTellWhatAProofTakes(t *testing.T) {
	w := newWorkshop(t, "konane-setups", `case $1 in
value) echo '{"winner":"white","nodes":5000,"seconds":0.5}' ;;
prove) echo '{"nodes":9000,"seconds":2,"search_seconds":1,"claims":[{"openings":[{"nodes":8000}]}],"certificates":[{"positions":1700}]}' ;;
check) echo '{"valid":true}' ;;
esac`)
	status, out, complaints := w.run(t, "6x6", "certify", "corner-h,black")
	const row = "| corner-h | black | white | 5,000 | 0.50 | 1,700 valid | 9,000 | 2.00 |\n"
	if status != 0 || !strings.Contains(out, row) {
		t.Errorf("status %d, %s, want %s: %s", status, out, row, complaints)
	}
}

// TestSetupsOfKonaneAreAskedOneByOne: a question that a limit leaves undecided is told as that, and
// the next one is asked. Set-ups and sides can be named.
func TestSetupsOfKonaneAreAskedOneByOne(t *testing.T) {
	const (
		// value konane --board B --opening $6 --to-move $8: the limit ends one of the searches.
		limited = `if [ "$6 $8" = "corner-h black" ]; then echo '{"winner":null,"nodes":7,"seconds":1}'; exit 3; fi
echo '{"winner":"white","nodes":5,"seconds":0.5}'`
		failing = `echo '{"error":{"code":"memory"}}'; exit 3`
	)
	for name, c := range map[string]struct {
		program string
		args    []string
		status  int
		rows    []string
		asked   int
	}{
		"some":          {limited, []string{"8x7", "corner-h", "middle-v,white"}, 0, []string{"corner-h black undecided", "corner-h white white", "middle-v white white"}, 3},
		"none named":    {limited, []string{"2x2"}, 0, []string{"corner-h black undecided", "corner-h white white", "corner-v black white", "corner-v white white", "middle-h black white", "middle-h white white", "middle-v black white", "middle-v white white"}, 8},
		"no such":       {limited, []string{"8x7", "corner"}, 2, nil, 0},
		"no answer":     {failing, []string{"8x7"}, 3, nil, 1},
		"not certified": {limited, []string{"8x7", "certify", "corner-h,black"}, 0, []string{"corner-h black undecided"}, 1},
	} {
		w := newWorkshop(t, "konane-setups", c.program)
		status, out, complaints := w.run(t, c.args...)
		var rows []string
		for line := range strings.Lines(out) {
			if cells := strings.Split(line, " | "); len(cells) > 3 && !strings.Contains(line, "winner") {
				rows = append(rows, strings.TrimPrefix(strings.Join(cells[:3], " "), "| "))
			}
		}
		if asked := strings.Count(w.read(t, "calls"), "\n"); status != c.status || !slices.Equal(rows, c.rows) || asked != c.asked {
			t.Errorf("%s: status %d after %d questions, %q: %s", name, status, asked, rows, complaints)
		}
	}
}
