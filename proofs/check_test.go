package proofs_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
)

var (
	whiteWins    = proofs.Claim{Side: 0, Wins: true}
	whiteNotLost = proofs.Claim{Side: 0}
	blackNotLost = proofs.Claim{Side: 1}
)

func TestCertificatesOfTrueClaimsHold(t *testing.T) {
	for _, c := range []struct {
		width, height, pieces int
		claim                 proofs.Claim
	}{
		{3, 3, 0, whiteWins},
		{3, 3, 4, whiteWins},
		{5, 3, 4, whiteWins},
		{3, 5, 4, whiteWins},
		{5, 5, 4, whiteNotLost},
		{5, 5, 4, blackNotLost},
	} {
		s := newShelf(t, c.width, c.height, c.pieces)
		file, got := s.prove(t, c.claim)
		if got != c.claim {
			t.Errorf("%dx%d: %v came out as %v", c.width, c.height, c.claim, got)
		}
		var first proofs.Report
		for i, o := range []proofs.Options{{}, {Workers: 3}, {Workers: 2, Memory: 1 << 16}} {
			r := s.check(t, file, o)
			if !r.Valid() {
				t.Errorf("%dx%d %v with %+v: %v", c.width, c.height, c.claim, o, r.Findings)
			}
			if i == 0 {
				first = r
			} else if r.Positions != first.Positions || r.Leaves != first.Leaves {
				t.Errorf("%+v: %d positions and %d leaves, want %d and %d", o, r.Positions, r.Leaves, first.Positions, first.Leaves)
			}
			t.Logf("%dx%d %v: %d positions, %d leaves, %d bytes, %d passes", c.width, c.height, got, r.Positions, r.Leaves, len(file), r.Passes)
		}
	}
}

// What is told of the progress counts all passes, of which the first one finds more as it goes.
func TestProgressCountsAllPasses(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	var done, total int64
	tell := func(d, of int64) {
		if d < done || of < total || d > of {
			t.Errorf("%d of %d bytes after %d of %d", d, of, done, total)
		}
		done, total = d, of
	}
	r := s.check(t, file, proofs.Options{Workers: 2, Memory: 300, Progress: tell})
	if want := int64(2*r.Passes) * int64(len(file)); r.Passes < 2 || total != want || done == 0 {
		t.Errorf("%d passes: %d of %d bytes, want %d in all", r.Passes, done, total, want)
	}
	done, total = 0, 0
	if r := s.check(t, file, proofs.Options{Workers: 8, Progress: tell}); r.Passes != 1 || total != int64(2*len(file)) || done+16 != total {
		t.Errorf("read once: %d of %d bytes, want twice %d, but for the seal", done, total, len(file))
	}
}

// find is the first line from 1 on that has all the parts.
func find(t *testing.T, lines []string, parts ...string) int {
	t.Helper()
	i := slices.IndexFunc(lines[1:], func(line string) bool {
		for _, part := range parts {
			if !strings.Contains(line, part) {
				return false
			}
		}
		return true
	})
	if i < 0 {
		t.Fatalf("no line with %q", parts)
	}
	return i + 1
}

// TestMutations changes a certificate that holds in one place, and wants the
// fault named with its place.
func TestMutations(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	for _, c := range []struct {
		name   string
		reason string
		mutate func(lines []string) (changed []string, record int)
	}{
		{"an illegal turn", "", func(lines []string) ([]string, int) {
			i := find(t, lines, " w\t")
			fields := strings.Split(lines[i], "\t")
			lines[i] = fields[0] + "\ta1-a1\t" + fields[2]
			return lines, i
		}},
		{"no turn chosen", "no turn is chosen for white", func(lines []string) ([]string, int) {
			i := find(t, lines, " w\t")
			fields := strings.Split(lines[i], "\t")
			lines[i] = fields[0] + "\t*\t" + fields[2]
			return lines, i
		}},
		{"one turn for all", "is chosen for black", func(lines []string) ([]string, int) {
			i := find(t, lines, " b\t*")
			lines[i] = strings.Replace(lines[i], "*", "a1-a2", 1)
			return lines, i
		}},
		{"a losing turn", "", func(lines []string) ([]string, int) {
			i, turn := s.losingTurn(t, lines)
			fields := strings.Split(lines[i], "\t")
			lines[i] = fields[0] + "\t" + turn + "\t" + fields[2]
			return lines, i
		}},
		{"a position dropped", "is neither in the certificate nor in its tables", func(lines []string) ([]string, int) {
			return slices.Delete(lines, 2, 3), 1
		}},
		{"the root dropped", "is neither in the certificate nor in its tables", func(lines []string) ([]string, int) {
			return slices.Delete(lines, 1, 2), 0
		}},
		{"a rank that does not fall", "want less than", func(lines []string) ([]string, int) {
			fields := strings.Split(lines[2], "\t")
			lines[2] = fields[0] + "\t" + fields[1] + "\t4000000000\n"
			return lines, 1
		}},
		{"a position twice", "stands in the certificate twice", func(lines []string) ([]string, int) {
			return append(lines, lines[3]), len(lines)
		}},
		{"an unknown letter", "unknown letter", func(lines []string) ([]string, int) {
			lines[4] = "X" + lines[4][1:]
			return lines, 4
		}},
		{"a field too few", "2 fields, want 3", func(lines []string) ([]string, int) {
			lines[5] = lines[5][:strings.LastIndex(lines[5], "\t")] + "\n"
			return lines, 5
		}},
		{"a field too many", "4 fields, want 3", func(lines []string) ([]string, int) {
			lines[5] = strings.TrimSpace(lines[5]) + "\t1\n"
			return lines, 5
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			lines, record := c.mutate(text(t, file))
			for _, o := range []proofs.Options{{}, {Workers: 2, Memory: 300}} {
				wantFinding(t, s.check(t, pack(t, lines), o), record, c.reason)
			}
		})
	}
}

// TestMutationsOfClosedSets does the same to a certificate that a side does not
// lose.
func TestMutationsOfClosedSets(t *testing.T) {
	s := newShelf(t, 5, 5, 5)
	file, claim := s.prove(t, whiteNotLost)
	if claim != whiteNotLost {
		t.Fatal(claim)
	}
	original := text(t, file)
	dropped := find(t, original, " w\t")
	position, _, _ := strings.Cut(original[dropped], "\t")
	r := s.check(t, pack(t, slices.Delete(slices.Clone(original), dropped, dropped+1)), proofs.Options{Workers: 2, Memory: 1 << 12})
	if r.Valid() || !slices.ContainsFunc(r.Findings, func(f proofs.Finding) bool {
		return strings.HasPrefix(f.Reason, position+", which follows, is neither")
	}) {
		t.Errorf("a position dropped: findings %v", r.Findings)
	}
	// Every other turn that leads out of the set or to a lost position of the
	// tables is found.
	set := make(map[string]bool)
	for _, line := range original[1:] {
		position, _, _ := strings.Cut(line, "\t")
		set[position] = true
	}
	changed := 0
	for i, line := range original[1:] {
		position, turn, _ := strings.Cut(strings.TrimSpace(line), "\t")
		p, side, err := s.game.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range s.game.Notated(p, side) {
			stays := set[s.game.Format(other.To, side.Other())]
			if table := s.tables[s.game.SliceOf(other.To)]; table != nil {
				_, index := s.game.Rank(other.To)
				stays = stays || table.Outcome(index).Value != bitboard.Win
			}
			if turn == "*" || other.Notation == turn || stays || len(s.game.Turns(nil, other.To)) == 0 || changed == 15 {
				continue
			}
			changed++
			lines := slices.Clone(original)
			lines[i+1] = position + "\t" + other.Notation + "\n"
			wantFinding(t, s.check(t, pack(t, lines), proofs.Options{}), i+1, "")
		}
	}
	if changed < 10 {
		t.Errorf("%d turns changed: want more", changed)
	}
}

func wantFinding(t *testing.T, r proofs.Report, record int, reason string) {
	t.Helper()
	for _, f := range r.Findings {
		if f.Record == uint64(record) && strings.Contains(f.Reason, reason) {
			return
		}
	}
	t.Errorf("findings %v: want one at record %d with %q", r.Findings, record, reason)
}

// losingTurn is a turn of a white position that leads to a position of the
// tables which White does not win.
func (s *solved[P]) losingTurn(t *testing.T, lines []string) (line int, turn string) {
	t.Helper()
	for i, line := range lines[1:] {
		position, _, _ := strings.Cut(line, "\t")
		p, side, err := s.game.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		if side != whiteWins.Side {
			continue
		}
		for _, turn := range s.game.Notated(p, side) {
			if table := s.tables[s.game.SliceOf(turn.To)]; table != nil {
				if _, index := s.game.Rank(turn.To); table.Outcome(index).Value != bitboard.Loss {
					return i + 1, turn.Notation
				}
			}
		}
	}
	t.Fatal("no such turn")
	return 0, ""
}

// dated are tables that are there with distances, and not without.
type dated struct{ *shelf }

func (d dated) Checksum(metric bitboard.Metric, slice string) (string, bool) {
	if metric != bitboard.DTW {
		return "", false
	}
	return d.shelf.Checksum(bitboard.WDL, slice)
}

func (d dated) ProbeAll(ctx context.Context, metric bitboard.Metric, positions []fanorona.Position, outcomes []bitboard.Outcome) error {
	if metric != bitboard.DTW {
		return errors.New("no such tables")
	}
	return d.shelf.ProbeAll(ctx, bitboard.WDL, positions, outcomes)
}

// Leaves are looked up in the metric that the header names, and nowhere else.
func TestLeavesAreLookedUpInTheirMetric(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	lines[0] = strings.ReplaceAll(lines[0], `"metric":"wdl"`, `"metric":"dtw"`)
	wrong := slices.Clone(lines)
	i, turn := s.losingTurn(t, wrong)
	fields := strings.Split(wrong[i], "\t")
	wrong[i] = fields[0] + "\t" + turn + "\t" + fields[2]
	for k, lines := range [][]string{lines, wrong} {
		opened, err := open(pack(t, lines))
		if err != nil {
			t.Fatal(err)
		}
		r, err := proofs.Check(t.Context(), s.setting, s.game, dated{s}, opened, proofs.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if k == 0 && (!r.Valid() || r.Leaves == 0) {
			t.Errorf("%d leaves: %v", r.Leaves, r.Findings)
		} else if k == 1 {
			wantFinding(t, r, i, "in the tables")
		}
	}
}

// A position that has a record needs a lower rank, though a table has it, too.
func TestRecordsGoBeforeTables(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	lines := text(t, file)
	for i, line := range lines[1:] {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		p, side, err := s.game.Parse(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		if side != whiteWins.Side {
			continue
		}
		turn, err := s.game.ParseTurn(p, side, fields[1])
		if err != nil {
			t.Fatal(err)
		}
		if s.tables[s.game.SliceOf(turn.To)] == nil {
			continue
		}
		lines = append(lines, fmt.Sprintf("%s\t*\t%s\n", s.game.Format(turn.To, side.Other()), fields[2]))
		wantFinding(t, s.check(t, pack(t, lines), proofs.Options{}), i+1, "want less than "+fields[2])
		return
	}
	t.Fatal("no turn leads into a table")
}

// TestLoopIsNoWin claims a win with a set that play never has to leave.
func TestLoopIsNoWin(t *testing.T) {
	s := newShelf(t, 5, 5, 4)
	file, claim := s.prove(t, whiteNotLost)
	if claim != whiteNotLost {
		t.Fatal(claim)
	}
	lines := text(t, file)
	lines[0] = strings.Replace(lines[0], "white-not-lost", "white-wins", 1)
	for i := range lines[1:] {
		lines[i+1] = strings.TrimSuffix(lines[i+1], "\n") + fmt.Sprintf("\t%d\n", len(lines)-i)
	}
	if r := s.check(t, pack(t, lines), proofs.Options{}); r.Valid() {
		t.Error("a closed set passes for a win")
	}
}

// A report of no check, as it comes with an error, shows nothing.
func TestWhatWasNotCheckedIsNotValid(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	if r, err := newShelf(t, 5, 3, 0).tryCheck(t, file, proofs.Options{}); err == nil || r.Valid() {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestDamagedFilesAreRejected(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	file, _ := s.prove(t, whiteWins)
	rejected := func(what string, damaged []byte) {
		r, err := s.tryCheck(t, damaged, proofs.Options{})
		switch {
		case errors.Is(err, proofs.ErrFormat):
		case err != nil:
			t.Errorf("%s: %v", what, err)
		case r.Valid():
			t.Errorf("%s: valid", what)
		}
	}
	for n := range file {
		rejected(fmt.Sprintf("cut to %d bytes", n), file[:n])
		flipped := slices.Clone(file)
		flipped[n] ^= 1 << (n % 8)
		rejected(fmt.Sprintf("byte %d flipped", n), flipped)
	}
	rejected("goes on", append(slices.Clone(file), pack(t, text(t, file))...))
}

func TestTablesMustBeThoseNamed(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	var need *proofs.NeedError
	slice, err := s.game.ParseSlice("2v1")
	if err != nil {
		t.Fatal(err)
	}
	s.tables[slice].WDL[3] ^= 1
	if _, err := s.tryCheck(t, file, proofs.Options{}); !errors.As(err, &need) || need.Need.(proofs.Table).Slice != "2v1" {
		t.Errorf("a table changed: %v", err)
	}
	delete(s.tables, slice)
	if _, err := s.tryCheck(t, file, proofs.Options{}); !errors.As(err, &need) || need.Need.(proofs.Table).Slice != "2v1" {
		t.Errorf("a table missing: %v", err)
	}
}

// TestFalseClaimsCannotBeEditedTrue puts a false claim over the certificate of a
// true one and forges the rest, round by round, after what the check finds.
func TestFalseClaimsCannotBeEditedTrue(t *testing.T) {
	s := newShelf(t, 5, 3, 3)
	file, _ := s.prove(t, whiteWins)
	original := text(t, file)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 5))
		claim := []proofs.Claim{{Side: 1, Wins: true}, blackNotLost}[rng.IntN(2)]
		e := editor{shelf: s, claim: claim, rng: rng, lines: slices.Clone(original)}
		e.lines[0] = strings.Replace(e.lines[0], whiteWins.Text(s.game.SideName), claim.Text(s.game.SideName), 1)
		for i, line := range e.lines[1:] {
			position, _, _ := strings.Cut(line, "\t")
			e.lines[i+1] = e.record(t, position, rank(line))
		}
		for range 12 {
			r := s.check(t, pack(t, e.lines), proofs.Options{})
			if r.Valid() {
				t.Fatalf("seed %d: %v passes:\n%s", seed, claim, strings.Join(e.lines, ""))
			}
			e.edit(t, r.Findings)
		}
	}
}
