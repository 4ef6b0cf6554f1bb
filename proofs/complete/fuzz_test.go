package complete_test

import (
	"bytes"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/proofs"
	"paika/proofs/complete"
)

// FuzzWrite completes any records: what comes out has a claim that is true, or the check
// refuses it.
func FuzzWrite(f *testing.F) {
	boards := []interface {
		texts(t testing.TB) []string
		judge(t *testing.T, claim uint8, text string)
	}{
		newCompletable(f, newFanorona(f, 3, 3, bitboard.DTW, whole), 4),
		newCompletable(f, newFanorona(f, 5, 3, bitboard.DTW, whole), 3),
		newCompletable(f, newPhutball(f, 3, 3, bitboard.DTW, whole), whole),
	}
	for i, board := range boards {
		for _, text := range board.texts(f) {
			for claim := range claims() {
				f.Add(uint8(i), uint8(claim), text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, board, claim uint8, text string) {
		boards[int(board)%len(boards)].judge(t, claim, text)
	})
}

// completable is a board whose values are known, with hints of some of its tables.
type completable[P comparable] struct {
	all, some *solved[P]
}

// newCompletable leaves hints of up to that many pieces.
func newCompletable[P comparable](t testing.TB, all *solved[P], pieces int) completable[P] {
	t.Helper()
	if pieces == whole {
		return completable[P]{all, all}
	}
	some := *all
	some.tables = make(map[bitboard.Slice]*bitboard.Table)
	for slice, table := range all.tables {
		if all.game.Pieces(slice) <= pieces {
			some.tables[slice] = table
		}
	}
	return completable[P]{all, &some}
}

// texts are certificates to begin with: the root, and a line for each record.
func (c completable[P]) texts(t testing.TB) (texts []string) {
	t.Helper()
	for _, file := range c.some.holding(t) {
		opened := open(t, file)
		claim, err := proofs.ParseClaim(opened.Header.Claim, c.all.game.SideName)
		if err != nil {
			t.Fatal(err)
		}
		lines := []string{opened.Header.Root}
		for rec, err := range opened.Records(claim, opened.Part().Checksum) {
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(rec.Append(nil, claim.Wins)))
		}
		texts = append(texts, strings.Join(lines, "\n"))
	}
	return texts
}

// judge completes a certificate, and fails if the result is valid and false.
func (c completable[P]) judge(t *testing.T, number uint8, text string) {
	claim := claims()[int(number)%len(claims())]
	root, records, _ := strings.Cut(text, "\n")
	game := c.all.game
	h := proofs.Header{Setting: c.all.setting, Claim: claim.Text(game.SideName), Root: root}
	var given bytes.Buffer
	w, err := proofs.NewWriter(&given, proofs.Game[P](game), h, 1)
	if err != nil {
		return
	}
	for line := range strings.SplitSeq(records, "\n") {
		rec, _ := proofs.ParseRecord(line, claim.Wins) // whatever it has of one that is wrong
		if err := w.Copy(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := proofs.Open(bytes.NewReader(given.Bytes()), int64(given.Len()))
	if err != nil {
		return
	}
	var out bytes.Buffer
	if _, err := complete.Write(t.Context(), &out, game, file, complete.Hints[P](c.some), complete.Options{Memory: 64 << 20}); err != nil {
		return
	}
	r, err := proofs.Check(t.Context(), c.all.setting, game, nil, open(t, out.Bytes()), proofs.Options{})
	if err == nil && r.Valid() && !c.holds(t, claim, root) {
		t.Errorf("%s of %s is valid and false", h.Claim, root)
	}
}

// holds tells by the tables of the whole board whether a claim is true.
func (c completable[P]) holds(t *testing.T, claim proofs.Claim, root string) bool {
	t.Helper()
	p, side, err := c.all.game.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	outcome, _ := c.all.Hint(p)
	if len(c.all.game.Turns(nil, p)) == 0 {
		outcome.Value = c.all.game.Ended(p)
	}
	return claim.Holds(side, outcome.Value)
}
