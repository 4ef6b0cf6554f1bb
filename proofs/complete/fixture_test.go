package complete_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/proofs"
	"paika/proofs/complete"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
)

// solved is a game with solved slices, in one metric: the builder's storage, the
// checker's tables, and hints.
type solved[P comparable] struct {
	setting proofs.Setting
	game    bitboard.Game[P]
	metric  bitboard.Metric
	tables  map[bitboard.Slice]*bitboard.Table
}

func (s *solved[P]) Has(slice bitboard.Slice) bool { return s.tables[slice] != nil }

func (s *solved[P]) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, s.tables[t.Slice].WDL)
	copy(t.DTW, s.tables[t.Slice].DTW)
	return nil
}

func (s *solved[P]) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	kept := &bitboard.Table{Slice: t.Slice}
	if t.WDL != nil {
		kept.WDL = append(bitboard.Packed(nil), t.WDL...)
	}
	if t.DTW != nil {
		kept.DTW = append([]bitboard.Depth(nil), t.DTW...)
	}
	s.tables[t.Slice] = kept
	return nil
}

// Checksum is the same for every table: nothing here is about checksums.
func (s *solved[P]) Checksum(metric bitboard.Metric, name string) (string, bool) {
	slice, err := s.game.ParseSlice(name)
	return "of a test", err == nil && metric == s.metric && s.tables[slice] != nil
}

func (s *solved[P]) ProbeAll(_ context.Context, _ bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	for i, p := range positions {
		outcomes[i], _ = s.Hint(p)
	}
	return nil
}

// Ready has nothing to do: all tables are at hand.
func (s *solved[P]) Ready(context.Context, bitboard.Group) error { return nil }

func (s *solved[P]) Hint(p P) (bitboard.Outcome, bool) {
	table := s.tables[s.game.SliceOf(p)]
	if table == nil {
		return bitboard.Outcome{}, false
	}
	_, index := s.game.Rank(p)
	return table.Outcome(index), true
}

// solve makes tables of up to that many pieces; of none with 0, of all with whole.
func solve[P comparable](t testing.TB, setting proofs.Setting, game bitboard.Game[P], metric bitboard.Metric, pieces int) *solved[P] {
	t.Helper()
	s := &solved[P]{setting: setting, game: game, metric: metric, tables: make(map[bitboard.Slice]*bitboard.Table)}
	if pieces == 0 {
		return s
	}
	if pieces == whole {
		pieces = bitboard.AllPieces
	}
	groups, err := bitboard.GroupsWithin(game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := retrograde.Build(t.Context(), game, groups, s, retrograde.Options{Metric: metric, Workers: 2, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	return s
}

// whole asks for tables of all pieces.
const whole = -1

func newFanorona(t testing.TB, width, height int, metric bitboard.Metric, pieces int) *solved[fanorona.Position] {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return solve(t, proofs.Setting{Game: "fanorona", Board: board.String(), Rules: game.Rules().String()}, bitboard.Game[fanorona.Position](game), metric, pieces)
}

func newPhutball(t testing.TB, width, height int, metric bitboard.Metric, pieces int) *solved[phutball.Position] {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	game, err := phutball.New(board, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	return solve(t, proofs.Setting{Game: "phutball", Board: board.String()}, bitboard.Game[phutball.Position](game), metric, pieces)
}

func newBreakthrough(t testing.TB, width, height int, metric bitboard.Metric, pieces int) *solved[breakthrough.Position] {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	game, err := breakthrough.New(board)
	if err != nil {
		t.Fatal(err)
	}
	return solve(t, proofs.Setting{Game: "breakthrough", Board: board.String()}, bitboard.Game[breakthrough.Position](game), metric, pieces)
}

func newKonane(t testing.TB, width, height int, metric bitboard.Metric, pieces int) *solved[konane.Position[konane.Word]] {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	game, err := konane.New[konane.Word](board, konane.Rules{Opening: konane.Opening{Kind: konane.CornerH}})
	if err != nil {
		t.Fatal(err)
	}
	return solve(t, proofs.Setting{Game: "konane", Board: board.String()}, bitboard.Game[konane.Position[konane.Word]](game), metric, pieces)
}

// claim proves the claim about the start, or else the other side's that contradicts it,
// and gives its certificate.
func (s *solved[P]) claim(t testing.TB, claim proofs.Claim) []byte {
	t.Helper()
	root, toMove, err := s.game.Start()
	if err != nil {
		t.Fatal(err)
	}
	attacker := claim.Side
	if !claim.Wins {
		attacker = claim.Side.Other()
	}
	table, err := proofnumber.NewTable(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	o := proofnumber.Options[P]{Sets: 1 << 26}
	h := proofs.Header{Setting: s.setting, Root: s.game.Format(root, toMove)}
	var known []*bitboard.Table
	for slice, table := range s.tables {
		known = append(known, table)
		h.Tables = append(h.Tables, proofs.Table{Slice: s.game.SliceName(slice), Metric: s.metric.String(), Checksum: "of a test"})
	}
	if known != nil {
		o.Tables = proofnumber.NewMemory(s.game, known)
	}
	search, err := proofnumber.New(s.game, table, o)
	if err != nil {
		t.Fatal(err)
	}
	result, err := search.Solve(t.Context(), root, attacker == toMove)
	if err != nil {
		t.Fatal(err)
	}
	claim = proofs.Claim{Side: attacker, Wins: true}
	if result.Verdict == proofnumber.Refuted {
		claim = proofs.Claim{Side: attacker.Other()}
	}
	h.Claim = claim.Text(s.game.SideName)
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, s.game, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = search.Extract(t.Context(), root, attacker == toMove, func(p proofnumber.Step[P]) error {
		side := attacker
		if !p.AttackerMoves {
			side = attacker.Other()
		}
		return w.Add(proofs.Step[P]{Position: p.Position, Side: side, Chosen: p.Chosen, To: p.To, Rank: p.Rank})
	})
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func open(t testing.TB, file []byte) *proofs.File {
	t.Helper()
	opened, err := proofs.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return opened
}

// complete completes a certificate with hints.
func (s *solved[P]) complete(t testing.TB, file []byte, hints complete.Hints[P], o complete.Options) ([]byte, complete.Result, error) {
	t.Helper()
	var out bytes.Buffer
	result, err := complete.Write(t.Context(), &out, s.game, open(t, file), hints, o)
	return out.Bytes(), result, err
}

// check checks a certificate with no tables at hand.
func (s *solved[P]) check(t testing.TB, file []byte) proofs.Report {
	t.Helper()
	r, err := proofs.Check(t.Context(), s.setting, s.game, nil, open(t, file), proofs.Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	if r.Leaves != 0 {
		t.Errorf("%d turns lead into tables", r.Leaves)
	}
	return r
}
