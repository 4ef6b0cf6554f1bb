package complete_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/bitboard/phutball"
	"paika/proofs"
	"paika/proofs/complete"
)

// claims are all that there are.
func claims() []proofs.Claim {
	return []proofs.Claim{{Side: 0, Wins: true}, {Side: 1, Wins: true}, {Side: 0}, {Side: 1}}
}

// holding gives the certificates of the claims that hold for the start, each once.
func (s *solved[P]) holding(t testing.TB) (files [][]byte) {
	t.Helper()
	seen := make(map[string]bool)
	for _, claim := range claims() {
		file := s.claim(t, claim)
		if text := open(t, file).Header.Claim; !seen[text] {
			seen[text] = true
			files = append(files, file)
		}
	}
	return files
}

// A completed certificate is valid without any table, has the claim and the root of the
// one given, and as many records as it is said to have.
func TestCompletedCertificatesNeedNoTables(t *testing.T) {
	for _, pieces := range []int{0, 3, 4, 5} {
		for _, board := range [][2]int{{3, 3}, {5, 3}, {3, 5}} {
			completeAll(t, newFanorona(t, board[0], board[1], bitboard.DTW, pieces))
		}
	}
	if !testing.Short() { // where there is more of the same
		completeAll(t, newFanorona(t, 5, 5, bitboard.DTW, 4))
	}
	for _, pieces := range []int{4, 6} {
		completeAll(t, newKonane(t, 4, 3, bitboard.DTW, pieces))
	}
	completeAll(t, newPhutball(t, 3, 3, bitboard.DTW, whole))
	completeAll(t, newBreakthrough(t, 3, 4, bitboard.DTW, 8))
}

func completeAll[P comparable](t *testing.T, s *solved[P]) {
	t.Helper()
	for _, given := range s.holding(t) {
		h := open(t, given).Header
		t.Run(fmt.Sprintf("%s/%s/%d/%s", h.Game, h.Board, len(h.Tables), h.Claim), func(t *testing.T) {
			file, result, err := s.complete(t, given, s, complete.Options{})
			if err != nil {
				t.Fatal(err)
			}
			report := s.check(t, file)
			if !report.Valid() {
				t.Fatalf("not valid: %v", report.Findings)
			}
			if got := report.Header; len(got.Tables) != 0 || got.Claim != h.Claim || got.Root != h.Root || got.Setting != h.Setting {
				t.Errorf("header %+v, given %+v", got, h)
			}
			if report.Positions != result.Positions() {
				t.Errorf("%d records, said to be %d", report.Positions, result.Positions())
			}
		})
	}
}

// Who knows values alone completes what a side does not lose.
func TestValuesAreEnoughNotToLose(t *testing.T) {
	s := newFanorona(t, 5, 5, bitboard.WDL, 4)
	for _, side := range []bitboard.Side{0, 1} {
		file, _, err := s.complete(t, s.claim(t, proofs.Claim{Side: side}), s, complete.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report := s.check(t, file); !report.Valid() {
			t.Error(report.Findings)
		}
	}
}

// The file depends on the certificate and the hints, and on nothing else.
func TestTheFileIsTheSameForAnyNumberOfWorkers(t *testing.T) {
	s := newFanorona(t, 5, 5, bitboard.WDL, 4)
	given := s.claim(t, proofs.Claim{Side: 0})
	one, _, err := s.complete(t, given, s, complete.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{1, 2, 8} {
		again, _, err := s.complete(t, given, s, complete.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(one, again) {
			t.Errorf("%d workers: another file", workers)
		}
	}
}

// Hints may know more than the tables that the certificate ended in.
func TestHintsMayGoBeyondTheTablesOfTheCertificate(t *testing.T) {
	for _, metric := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		s, more := newFanorona(t, 5, 3, metric, 3), newFanorona(t, 5, 3, bitboard.DTW, 5)
		for _, given := range s.holding(t) {
			file, _, err := s.complete(t, given, more, complete.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if report := s.check(t, file); !report.Valid() {
				t.Error(report.Findings)
			}
		}
	}
}

// liar tells something else than what is true.
type liar[P comparable] struct {
	*solved[P]
	lie func(P, bitboard.Outcome) bitboard.Outcome
}

func (l liar[P]) Hint(p P) (bitboard.Outcome, bool) {
	outcome, known := l.solved.Hint(p)
	if known {
		outcome = l.lie(p, outcome)
	}
	return outcome, known
}

// preparing knows the positions of a group, and those that its turns lead to, once it is made ready.
type preparing[P comparable] struct {
	*solved[P]
	ready map[bitboard.Slice]bool
	fails error // from the second group on
}

func (p *preparing[P]) Ready(_ context.Context, g bitboard.Group) error {
	if len(p.ready) > 0 && p.fails != nil {
		return p.fails
	}
	clear(p.ready)
	for _, slice := range append(append([]bitboard.Slice(nil), g.Slices...), g.Needs...) {
		p.ready[slice] = true
	}
	return nil
}

func (p *preparing[P]) Hint(at P) (bitboard.Outcome, bool) {
	if !p.ready[p.game.SliceOf(at)] {
		return bitboard.Outcome{}, false
	}
	return p.solved.Hint(at)
}

// Hints are made ready for a group before they are asked about it, and are asked about nothing else.
// Where that fails there is no certificate.
func TestHintsAreMadeReadyForAGroupAtATime(t *testing.T) {
	s := newFanorona(t, 5, 3, bitboard.DTW, 5)
	for _, given := range s.holding(t) {
		want, _, err := s.complete(t, given, s, complete.Options{})
		if err != nil {
			t.Fatal(err)
		}
		hints := &preparing[fanorona.Position]{s, make(map[bitboard.Slice]bool), nil}
		if file, _, err := s.complete(t, given, hints, complete.Options{}); err != nil || !bytes.Equal(file, want) {
			t.Errorf("%s: %v, or another file", open(t, given).Header.Claim, err)
		}
		hints.fails = errors.New("no table can be read")
		if _, _, err := s.complete(t, given, hints, complete.Options{}); !errors.Is(err, hints.fails) {
			t.Errorf("%s: where hints can't be made ready: %v", open(t, given).Header.Claim, err)
		}
	}
}

// Hints that lie are noticed: while the certificate is made, or by its check.
func TestTablesThatLieAreNoticed(t *testing.T) {
	for _, board := range [][2]int{{5, 3}, {3, 5}, {5, 5}} {
		if testing.Short() && board == [2]int{5, 5} {
			continue
		}
		s := newFanorona(t, board[0], board[1], bitboard.DTW, 4)
		holding := s.holding(t)
		for _, lie := range []struct {
			name string
			lie  func(fanorona.Position, bitboard.Outcome) bitboard.Outcome
		}{
			{"all is drawn", func(_ fanorona.Position, o bitboard.Outcome) bitboard.Outcome {
				return bitboard.Outcome{Value: bitboard.Draw, Distance: bitboard.UnknownDistance}
			}},
			{"wins are losses", func(_ fanorona.Position, o bitboard.Outcome) bitboard.Outcome {
				return bitboard.Outcome{Value: o.Value.Reply(), Distance: o.Distance}
			}},
			{"all distances are one", func(_ fanorona.Position, o bitboard.Outcome) bitboard.Outcome {
				return bitboard.Outcome{Value: o.Value, Distance: min(o.Distance, 1)}
			}},
			{"some losses are wins", func(p fanorona.Position, o bitboard.Outcome) bitboard.Outcome {
				if o.Value == bitboard.Loss && p.Own%3 == 0 {
					o.Value = bitboard.Win
				}
				return o
			}},
		} {
			for _, given := range holding {
				h := open(t, given).Header
				name := fmt.Sprintf("%s, %s: %s", h.Board, h.Claim, lie.name)
				file, _, err := s.complete(t, given, liar[fanorona.Position]{s, lie.lie}, complete.Options{})
				var wrong *complete.ContradictionError
				harmless := lie.name == "all distances are one" && open(t, given).Header.Claim != "white-wins"
				switch {
				case errors.As(err, &wrong):
				case err != nil:
					t.Errorf("%s: %v", name, err)
				case harmless:
				case s.check(t, file).Valid():
					// A lie that nobody was misled by: the check has the last word.
					if lie.name != "some losses are wins" {
						t.Errorf("%s: nobody noticed", name)
					}
				}
			}
		}
	}
}

// A certificate that proves nothing is completed to none that does.
func TestACertificateThatLacksARecordIsNotCompleted(t *testing.T) {
	s := newFanorona(t, 3, 5, bitboard.DTW, 3)
	given := s.claim(t, proofs.Claim{Side: 0, Wins: true})
	claim, err := proofs.ParseClaim(open(t, given).Header.Claim, s.game.SideName)
	if err != nil {
		t.Fatal(err)
	}
	var all []proofs.Record
	for rec, err := range open(t, given).Records(claim, open(t, given).Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, rec)
	}
	for without := range all {
		var file bytes.Buffer
		w, err := proofs.NewWriter(&file, s.game, open(t, given).Header, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i, rec := range all {
			if i == without {
				continue
			}
			if err := w.Copy(rec); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		var unknown *complete.UnknownError
		if _, _, err := s.complete(t, file.Bytes(), s, complete.Options{}); !errors.As(err, &unknown) || unknown.Position != all[without].Position {
			t.Errorf("without %s: %v", all[without].Position, err)
		}
	}
}

// A valid certificate may have the highest ranks: it is completed like any other.
func TestRanksOfAnyHeightAreCompleted(t *testing.T) {
	s, more := newFanorona(t, 5, 3, bitboard.DTW, 3), newFanorona(t, 5, 3, bitboard.DTW, 5)
	given := s.claim(t, proofs.Claim{Side: 0, Wins: true})
	for name, hints := range map[string]*solved[fanorona.Position]{"the tables of the certificate": s, "more": more} {
		_, want, err := s.complete(t, given, hints, complete.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for end, shifted := range map[string][]byte{"highest": lifted(t, s.game, given), "lowest": lowered(t, s.game, given)} {
			file, result, err := s.complete(t, shifted, hints, complete.Options{})
			if err != nil {
				t.Errorf("%s ranks, hints of %s: %v", end, name, err)
			} else if report := s.check(t, file); !report.Valid() || result != want || want.Kept == 0 {
				t.Errorf("%s ranks, hints of %s: %+v, want %+v: %v", end, name, result, want, report.Findings)
			}
		}
	}
}

// lifted is a certificate of a win with ranks as high as they go, lowered one from 0 on.
func lifted[P comparable](t *testing.T, game proofs.Game[P], file []byte) []byte {
	return shifted(t, game, file, func(_, highest uint32) uint32 { return math.MaxUint32 - highest })
}

func lowered[P comparable](t *testing.T, game proofs.Game[P], file []byte) []byte {
	return shifted(t, game, file, func(lowest, _ uint32) uint32 { return -lowest })
}

func shifted[P comparable](t *testing.T, game proofs.Game[P], file []byte, by func(lowest, highest uint32) uint32) []byte {
	t.Helper()
	var all []proofs.Record
	lowest, highest, opened := uint32(math.MaxUint32), uint32(0), open(t, file)
	for rec, err := range opened.Records(proofs.Claim{Wins: true}, opened.Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		lowest, highest, all = min(lowest, rec.Rank), max(highest, rec.Rank), append(all, rec)
	}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, game, opened.Header, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, rec := range all {
		rec.Rank += by(lowest, highest)
		if err := w.Copy(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Distances that no ranks fit above are said.
func TestHintsOfTooLongDistancesAreRefused(t *testing.T) {
	s := newFanorona(t, 5, 3, bitboard.DTW, 3)
	far := liar[fanorona.Position]{s, func(_ fanorona.Position, o bitboard.Outcome) bitboard.Outcome {
		return bitboard.Outcome{Value: o.Value, Distance: math.MaxUint32 - 1}
	}}
	if _, _, err := s.complete(t, s.claim(t, proofs.Claim{Side: 0, Wins: true}), far, complete.Options{}); !errors.Is(err, complete.ErrRank) {
		t.Error(err)
	}
}

func TestWhatCannotBeCompletedIsSaid(t *testing.T) {
	wins, draws := newFanorona(t, 3, 5, bitboard.WDL, 4), newFanorona(t, 5, 5, bitboard.WDL, 4)
	win, draw := wins.claim(t, proofs.Claim{Side: 0, Wins: true}), draws.claim(t, proofs.Claim{Side: 0})
	if _, _, err := wins.complete(t, win, wins, complete.Options{}); !errors.Is(err, complete.ErrNoDistance) {
		t.Errorf("a win by values alone: %v", err)
	}
	var unknown *complete.UnknownError
	if _, _, err := draws.complete(t, draw, newFanorona(t, 5, 5, bitboard.WDL, 3), complete.Options{}); !errors.As(err, &unknown) {
		t.Errorf("hints with fewer stones: %v", err)
	}
	if _, _, err := draws.complete(t, draw, draws, complete.Options{Memory: 1 << 16}); !errors.Is(err, complete.ErrMemory) || !strings.HasSuffix(err.Error(), ": 0 of them take 16 KiB") {
		t.Errorf("64 KiB: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := complete.Write(ctx, new(bytes.Buffer), draws.game, open(t, draw), draws, complete.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	h := open(t, draw).Header
	h.Parts = []proofs.Part{open(t, draw).Part()}
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, draws.game, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, _, err := draws.complete(t, file.Bytes(), draws, complete.Options{}); !errors.Is(err, complete.ErrParts) {
		t.Errorf("with parts: %v", err)
	}
}

// A record may stand for more turns than anyone could list.
func TestPositionsOfTooManyTurnsAreNotListed(t *testing.T) {
	s := newPhutball(t, 15, 19, bitboard.WDL, 0)
	var men []string
	for rank := 3; rank <= 18; rank++ {
		for file, letter := range "ABCDEFGHJKLMNOP" {
			if file%2 == 0 || rank%2 == 1 {
				men = append(men, fmt.Sprint(string(letter), rank))
			}
		}
	}
	root := "ball=H10 men=" + strings.Join(men, ",") + " to=ohs"
	position, side, err := s.game.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	claim := proofs.Claim{Side: side.Other()}
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, s.game, proofs.Header{Setting: s.setting, Root: root, Claim: claim.Text(s.game.SideName)}, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Add(proofs.Step[phutball.Position]{Position: position, Side: side}), w.Close()); err != nil {
		t.Fatal(err)
	}
	var wrong *complete.ContradictionError
	if _, _, err := s.complete(t, file.Bytes(), s, complete.Options{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, "more than 1048576 turns") {
		t.Errorf("error %v", err)
	}
}

// many has more turns in each position than a check lists, as far as they are counted.
type many struct{ *fanorona.Game }

func (many) CountTo(_ fanorona.Position, most int) int { return most }

// most has as many turns as a check lists at the most, wherever it has any.
type most struct{ *fanorona.Game }

func (m most) CountTo(p fanorona.Position, most int) int {
	if len(m.Turns(nil, p)) == 0 {
		return 0
	}
	return min(most, proofs.MostTurns)
}

// What a check refuses for its turns is not completed, be the game prolific or not.
func TestTurnsAreCountedAsACheckCountsThem(t *testing.T) {
	s := newFanorona(t, 3, 3, bitboard.WDL, 0)
	given := s.claim(t, proofs.Claim{Side: 0, Wins: true})
	s.game = many{s.game.(*fanorona.Game)}
	if report := s.check(t, given); report.Valid() || !strings.Contains(report.Findings[0].Reason, "more than 1048576 turns") {
		t.Errorf("a check finds %v", report.Findings)
	}
	var wrong *complete.ContradictionError
	if _, _, err := s.complete(t, given, s, complete.Options{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, "more than 1048576 turns") {
		t.Errorf("error %v", err)
	}
	s.game = most{s.game.(many).Game}
	if file, _, err := s.complete(t, given, s, complete.Options{}); err != nil || !s.check(t, file).Valid() {
		t.Errorf("of as many as are listed: %v", err)
	}
}

// small has more turns in positions of few pieces than a check lists.
type small struct{ *fanorona.Game }

func (s small) CountTo(p fanorona.Position, most int) int {
	if n := len(s.Turns(nil, p)); n == 0 || s.Pieces(s.SliceOf(p)) > 3 {
		return n
	}
	return most
}

// Members that follow are completed no more than those given, where a check refuses their turns.
func TestTurnsAreCountedInWhatFollows(t *testing.T) {
	s := newFanorona(t, 5, 3, bitboard.DTW, 3)
	for _, given := range s.holding(t) {
		s := *s
		s.game = small{s.game.(*fanorona.Game)}
		var wrong *complete.ContradictionError
		if _, _, err := s.complete(t, given, &s, complete.Options{}); !errors.As(err, &wrong) || !strings.Contains(wrong.Reason, "more than 1048576 turns") {
			t.Errorf("error %v", err)
		}
	}
}

// What a certificate says in words that its game has not is bad format; a turn that is none in its
// position is a certificate that is wrong.
func TestACertificateOfNoWordsOfTheGameIsRefused(t *testing.T) {
	s := newFanorona(t, 3, 3, bitboard.WDL, 0)
	root, side, err := s.game.Start()
	if err != nil {
		t.Fatal(err)
	}
	start := s.game.Format(root, side)
	for _, c := range []struct {
		root, position, turn string
		want                 error // nil for a contradiction
	}{
		{start, "nonsense", proofs.AllTurns, proofs.ErrFormat},
		{"nonsense", start, proofs.AllTurns, proofs.ErrFormat},
		{start, start, "a1-a1", nil},
	} {
		var file bytes.Buffer
		w, err := proofs.NewWriter(&file, s.game, proofs.Header{Setting: s.setting, Root: start, Claim: "white-not-lost"}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Copy(proofs.Record{Position: c.position, Turn: c.turn}), w.Close()); err != nil {
			t.Fatal(err)
		}
		opened := open(t, file.Bytes())
		opened.Header.Root = c.root
		_, err = complete.Write(t.Context(), io.Discard, s.game, opened, s, complete.Options{})
		var wrong *complete.ContradictionError
		if c.want != nil && !errors.Is(err, c.want) || c.want == nil && (!errors.As(err, &wrong) || wrong.Position != c.position) {
			t.Errorf("%+v: error %v", c, err)
		}
	}
}

// A file that can't be read is not called something else than a certificate.
func TestAFileThatCannotBeReadIsNoBadFormat(t *testing.T) {
	s := newFanorona(t, 3, 3, bitboard.WDL, 3)
	given := s.claim(t, proofs.Claim{Side: 0, Wins: true})
	path := filepath.Join(t.TempDir(), "given")
	if err := os.WriteFile(path, given, 0o666); err != nil {
		t.Fatal(err)
	}
	at, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := proofs.Open(at, int64(len(given)))
	if err := errors.Join(err, at.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := complete.Write(t.Context(), io.Discard, s.game, file, s, complete.Options{}); !errors.Is(err, os.ErrClosed) || errors.Is(err, proofs.ErrFormat) {
		t.Errorf("error %v", err)
	}
}
