package proofs_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
)

// solved keeps solved slices of a game for a test, as the builder's storage and
// the checker's tables.
type solved[P comparable] struct {
	setting proofs.Setting
	game    bitboard.Game[P]
	tables  map[bitboard.Slice]*bitboard.Table
}

// shelf is that of Fanorona.
type shelf = solved[fanorona.Position]

func (s *solved[P]) Has(slice bitboard.Slice) bool { return s.tables[slice] != nil }

func (s *solved[P]) Load(_ context.Context, t *bitboard.Table) error {
	copy(t.WDL, s.tables[t.Slice].WDL)
	return nil
}

func (s *solved[P]) Save(_ context.Context, t *bitboard.Table, _ bitboard.Summary) error {
	s.tables[t.Slice] = &bitboard.Table{Slice: t.Slice, WDL: append(bitboard.Packed(nil), t.WDL...)}
	return nil
}

func (s *solved[P]) Checksum(metric bitboard.Metric, name string) (string, bool) {
	slice, err := s.game.ParseSlice(name)
	if err != nil || metric != bitboard.WDL || s.tables[slice] == nil {
		return "", false
	}
	return checksum(s.tables[slice]), true
}

func checksum(t *bitboard.Table) string {
	h := xxh3.New()
	for _, word := range t.WDL {
		fmt.Fprintf(h, "%016x", word)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

func (s *solved[P]) ProbeAll(_ context.Context, _ bitboard.Metric, positions []P, outcomes []bitboard.Outcome) error {
	for i, p := range positions {
		slice, index := s.game.Rank(p)
		outcomes[i] = s.tables[slice].Outcome(index)
	}
	return nil
}

// named names the tables, in the same order every time.
func (s *solved[P]) named() (list []proofs.Table) {
	for _, slice := range slices.Sorted(maps.Keys(s.tables)) {
		list = append(list, proofs.Table{Slice: s.game.SliceName(slice), Metric: "wdl", Checksum: checksum(s.tables[slice])})
	}
	return list
}

// newShelf solves all positions with up to that many stones; with fewer than
// two there are none.
func newShelf(t testing.TB, width, height, pieces int) *shelf {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	game, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{
		setting: proofs.Setting{Game: "fanorona", Board: board.String(), Rules: game.Rules().String()},
		game:    game,
	}
	if s.tables = map[bitboard.Slice]*bitboard.Table{}; pieces >= 2 {
		s.solve(t, pieces)
	}
	return s
}

// solve solves all positions with up to that many pieces.
func (s *solved[P]) solve(t testing.TB, pieces int) {
	t.Helper()
	s.tables = map[bitboard.Slice]*bitboard.Table{}
	groups, err := bitboard.GroupsWithin(s.game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := retrograde.Build(context.Background(), s.game, groups, s, retrograde.Options{Workers: 1, Memory: 1 << 28}); err != nil {
		t.Fatal(err)
	}
}

// prove finds out whether the side's claim is true of the start, and gives the
// certificate of what is: the claim, or the other side's claim that it is not.
func (s *solved[P]) prove(t testing.TB, claim proofs.Claim) ([]byte, proofs.Claim) {
	t.Helper()
	root, toMove, err := s.game.Start()
	if err != nil {
		t.Fatal(err)
	}
	return s.proveFrom(t, s.game.Format(root, toMove), claim)
}

// attacker is the side whose win a claim is about, and what a search finds of it
// if the claim is true.
func attacker(claim proofs.Claim) (bitboard.Side, proofnumber.Verdict) {
	if claim.Wins {
		return claim.Side, proofnumber.Proved
	}
	return claim.Side.Other(), proofnumber.Refuted
}

// proveFrom is prove from any position, relying on certificates of the same
// claim.
func (s *solved[P]) proveFrom(t testing.TB, from string, claim proofs.Claim, parts ...[]byte) ([]byte, proofs.Claim) {
	t.Helper()
	root, toMove, err := s.game.Parse(from)
	if err != nil {
		t.Fatal(err)
	}
	attacks, holds := attacker(claim)
	table, err := proofnumber.NewTable(1 << 24)
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	o := proofnumber.Options[P]{Sets: 1 << 24}
	h := proofs.Header{Setting: s.setting, Root: from}
	for _, part := range parts {
		opened, err := open(part)
		if err != nil {
			t.Fatal(err)
		}
		p := opened.Part()
		position, side, err := s.game.Parse(p.Root)
		if err != nil {
			t.Fatal(err)
		}
		h.Parts = append(h.Parts, p)
		o.Lemmas = append(o.Lemmas, proofnumber.Lemma[P]{Position: position, AttackerMoves: side == attacks, Verdict: holds})
	}
	var known []*bitboard.Table
	for _, table := range s.tables {
		known = append(known, table)
	}
	h.Tables = s.named()
	if known != nil {
		o.Tables = proofnumber.NewMemory(s.game, known)
	}
	search, err := proofnumber.New(s.game, table, o)
	if err != nil {
		t.Fatal(err)
	}
	var steps []proofs.Step[P]
	result, err := search.Extract(t.Context(), root, attacks == toMove, func(p proofnumber.Step[P]) error {
		side := attacks
		if !p.AttackerMoves {
			side = attacks.Other()
		}
		steps = append(steps, proofs.Step[P]{Position: p.Position, Side: side, Chosen: p.Chosen, To: p.To, Rank: p.Rank})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	claim = proofs.Claim{Side: attacks, Wins: true}
	if result.Verdict == proofnumber.Refuted {
		claim = proofs.Claim{Side: attacks.Other(), Wins: false}
	}
	h.Claim = claim.Text(s.game.SideName)
	var file bytes.Buffer
	w, err := proofs.NewWriter(&file, s.game, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := writeAll(w, steps); err != nil {
		t.Fatal(err)
	}
	return file.Bytes(), claim
}

// writeAll adds steps and closes the writer, up to the first error.
func writeAll[P comparable](w *proofs.Writer[P], steps []proofs.Step[P]) error {
	for _, step := range steps {
		if err := w.Add(step); err != nil {
			return err
		}
	}
	return w.Close()
}

func (s *solved[P]) check(t testing.TB, file []byte, o proofs.Options) proofs.Report {
	t.Helper()
	r, err := s.tryCheck(t, file, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (s *solved[P]) tryCheck(t testing.TB, file []byte, o proofs.Options) (proofs.Report, error) {
	opened, err := open(file)
	if err != nil {
		return proofs.Report{}, err
	}
	r, err := proofs.Check(t.Context(), s.setting, s.game, s, opened, o)
	o.Progress = nil
	if _, grows, failed := s.checkGrowing(t, &growing{file: file, step: max(1, len(file)/5)}, o); failed == nil && grows.Valid() {
		grows.Seconds, r.Seconds = 0, 0
		if err != nil || !reflect.DeepEqual(grows, r) {
			t.Errorf("valid while it grows, as %+v: %+v, %v", grows, r, err)
		}
	} else if err == nil && r.Valid() && !errors.Is(failed, proofs.ErrReadAgain) {
		t.Errorf("valid, and while it grows %+v, %v", grows, failed)
	}
	return r, err
}

// open opens a certificate.
func open(file []byte) (*proofs.File, error) {
	return proofs.Open(bytes.NewReader(file), int64(len(file)))
}

// text is a certificate's lines, without the last, which pack makes anew.
func text(t testing.TB, file []byte) []string {
	t.Helper()
	lines := strings.SplitAfter(unpackText(t, file), "\n")
	return lines[:len(lines)-2]
}

// unpackText is all of the text in a file.
func unpackText(t testing.TB, file []byte) string {
	t.Helper()
	z, err := zstd.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}

// pack makes a whole file of lines.
func pack(t testing.TB, lines []string) []byte {
	t.Helper()
	return packText(t, strings.Join(lines, "")+fmt.Sprintf("end\t%d\n", len(lines)-1))
}

// packText makes a sealed file of any text.
func packText(t testing.TB, content string) []byte {
	t.Helper()
	return sealed(frame(t, content))
}

// frame is a text as one frame.
func frame(t testing.TB, content string) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<18))
	if err != nil {
		t.Fatal(err)
	}
	return z.EncodeAll([]byte(content), nil)
}

// skipped is a frame of three bytes that zstd skips.
var skipped = []byte{0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}

// sealed is a file with a seal that fits behind it.
func sealed(file []byte) []byte {
	seal := []byte{0x50, 0x2a, 0x4d, 0x18, 8, 0, 0, 0}
	return append(append(slices.Clone(file), seal...), binary.LittleEndian.AppendUint64(nil, xxh3.Hash(file))...)
}
