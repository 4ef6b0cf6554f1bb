package proofs_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/proofs"
)

var mutations = flag.Int("mutations", 600, "certificates that TestMutatedCertificates changes")

// TestMutatedCertificates changes certificates of true and of false claims at random, with seals that fit.
// Each is rejected, or its claim is true by tables of the whole board.
func TestMutatedCertificates(t *testing.T) {
	boards := mutants(t)
	rng := rand.New(rand.NewPCG(1, 2))
	rejected, valid := 0, 0
	for i := range *mutations {
		board := boards[i%len(boards)]
		if accepted := board.mutate(t, rng); accepted {
			valid++
		} else {
			rejected++
		}
	}
	t.Logf("%d certificates changed: %d rejected, %d valid and true, 0 valid and false", *mutations, rejected, valid)
	if rejected < *mutations/3 {
		t.Errorf("%d of %d rejected: the changes change nothing", rejected, *mutations)
	}
}

// TestTheSameCertificatesAreChangedEveryTime, or what fails could not be repeated.
func TestTheSameCertificatesAreChangedEveryTime(t *testing.T) {
	again := mutants(t)
	for i, board := range mutants(t) {
		if !slices.Equal(board.texts(), again[i].texts()) {
			t.Errorf("board %d has other certificates the second time", i)
		}
	}
}

// mutant is a board with certificates to change.
type mutant interface {
	// mutate changes one certificate, or a part of it too, and fails if it is valid
	// and false.
	mutate(t testing.TB, rng *rand.Rand) (valid bool)

	// texts are the certificates before that.
	texts() []string

	// judge checks the text of a certificate, and fails if that is valid and false.
	judge(t testing.TB, text string, parts ...string) (valid bool)

	// judgeFile is judge for a file, which may rely on what is proved.
	judgeFile(t testing.TB, file []byte, proved map[string]proofs.Header) (valid bool)
}

// mutants solves boards of each game as a whole.
func mutants(t testing.TB) []mutant {
	t.Helper()
	f, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	board := bitboard.Board{Width: 3, Height: 4}
	opening, err := konane.ParseRules(board, map[string]string{"opening": "corner-h"})
	if err != nil {
		t.Fatal(err)
	}
	k, err := konane.New[konane.Word](board, opening)
	if err != nil {
		t.Fatal(err)
	}
	p, err := phutball.New(bitboard.Board{Width: 3, Height: 3}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	players, err := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 4}, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := breakthrough.New(bitboard.Board{Width: 3, Height: 4})
	if err != nil {
		t.Fatal(err)
	}
	return []mutant{
		newForger(t, proofs.Setting{Game: "fanorona", Board: "3x3"}, f, 3, 4),
		newForger(t, proofs.Setting{Game: "fanorona", Board: "3x3"}, f, 0, 16),
		newForger(t, proofs.Setting{Game: "konane", Board: "3x4"}, k, 5, 4),
		newForger(t, proofs.Setting{Game: "konane", Board: "3x4"}, players.ByPlayers(), 5, 4),
		newForger(t, proofs.Setting{Game: "phutball", Board: "3x3"}, p, 0, 4),
		newForger(t, proofs.Setting{Game: "breakthrough", Board: "3x4"}, b, 5, 4),
	}
}

// forger changes certificates of a board.
type forger[P comparable] struct {
	all, some *solved[P] // tables of the whole board, and those for certificates
	seeds     []seed     // whose claims are true
	lies      []seed     // whose claims are not
	positions []string
}

// seed is the text of a certificate, and those of its parts.
type seed struct {
	text  string
	parts []string
}

// newForger solves a board, and proves what is true of positions that random play
// of so many plies meets: without tables, with those of a few pieces if there are
// any, and in parts. False claims join them.
func newForger[P comparable](t testing.TB, setting proofs.Setting, game bitboard.Game[P], pieces, plies int) *forger[P] {
	t.Helper()
	f := &forger[P]{
		all:  &solved[P]{setting: setting, game: game},
		some: &solved[P]{setting: setting, game: game, tables: map[bitboard.Slice]*bitboard.Table{}},
	}
	f.all.solve(t, bitboard.AllPieces)
	none := &solved[P]{setting: setting, game: game}
	if pieces > 0 {
		f.some.solve(t, pieces)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for len(f.positions) < 6 {
		p, side, err := game.Start()
		if err != nil {
			t.Fatal(err)
		}
		for range rng.IntN(plies) {
			turns := game.Notated(p, side)
			if len(turns) == 0 {
				break
			}
			p, side = turns[rng.IntN(len(turns))].To, side.Other()
		}
		if len(game.Turns(nil, p)) == 0 {
			continue
		}
		root := game.Format(p, side)
		f.positions = append(f.positions, root)
		claim := proofs.Claim{Side: bitboard.Side(rng.IntN(2)), Wins: true}
		for _, tables := range []*solved[P]{none, f.some} {
			file, proved := tables.proveFrom(t, root, claim)
			f.seeds = append(f.seeds, seed{text: strings.Join(text(t, file), "")})
			if part, ok := f.partOf(t, tables, file, proved); ok {
				whole, _ := tables.proveFrom(t, root, proved, part)
				f.seeds = append(f.seeds, seed{strings.Join(text(t, whole), ""), []string{strings.Join(text(t, part), "")}})
			}
		}
	}
	for range 20 {
		f.lies = append(f.lies, seed{text: f.falsehood(t, rng)})
	}
	return f
}

// falsehood is as good a certificate of a false claim as there is: every position
// that play meets, with the best turn where one is to be chosen, and ranks that
// fall as far as they can.
func (f *forger[P]) falsehood(t testing.TB, rng *rand.Rand) string {
	t.Helper()
	game := f.all.game
	root, toMove := f.anywhere(rng)
	claim := proofs.Claim{Side: bitboard.Side(rng.IntN(2)), Wins: rng.IntN(3) > 0}
	for f.holds(claim, root, toMove) {
		root, toMove = f.anywhere(rng)
	}
	// Of a win in a drawn position the ranks alone are wrong, at best.
	for range 200 {
		if claim.Wins && !f.holds(proofs.Claim{Side: claim.Side}, root, toMove) {
			if p, side := f.anywhere(rng); !f.holds(claim, p, side) {
				root, toMove = p, side
			}
		}
	}
	h := proofs.Header{Format: 1, Setting: f.all.setting, Claim: claim.Text(game.SideName), Root: game.Format(root, toMove), Tables: []proofs.Table{}}
	h.Tables = append(h.Tables, f.some.named()...)
	line, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	fmt.Fprintf(&all, "%s\n", line)
	type node struct {
		p    P
		side bitboard.Side
	}
	rank := 100_000
	seen, queue := map[node]bool{{root, toMove}: true}, []node{{root, toMove}}
	for ; len(queue) > 0 && rank > 0; queue, rank = queue[1:], rank-1 {
		at := queue[0]
		turns := game.Notated(at.p, at.side)
		if len(turns) == 0 || f.some.tables[game.SliceOf(at.p)] != nil {
			continue
		}
		chosen := "*"
		if at.side == claim.Side {
			best := -1
			for _, hope := range []proofs.Claim{claim, {Side: claim.Side}} {
				if best < 0 {
					best = slices.IndexFunc(turns, func(turn bitboard.Turn[P]) bool { return f.holds(hope, turn.To, at.side.Other()) })
				}
			}
			best = max(0, best)
			turns = turns[best : best+1]
			chosen = turns[0].Notation
		}
		fmt.Fprintf(&all, "%s\t%s", game.Format(at.p, at.side), chosen)
		if claim.Wins {
			fmt.Fprintf(&all, "\t%d", rank)
		}
		all.WriteString("\n")
		for _, turn := range turns {
			if next := (node{turn.To, at.side.Other()}); !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return all.String()
}

// anywhere is any position of the board, with any side to move.
func (f *forger[P]) anywhere(rng *rand.Rand) (P, bitboard.Side) {
	game, names := f.all.game, slices.Sorted(maps.Keys(f.all.tables))
	for {
		slice := names[rng.IntN(len(names))]
		p, weight := game.Unrank(slice, rng.Uint64N(game.Indices(slice)))
		side := bitboard.Side(rng.IntN(2))
		// In Konane the stones tell the side.
		if again, told, err := game.Parse(game.Format(p, side)); weight > 0 && err == nil && again == p && told == side {
			return p, side
		}
	}
}

// partOf proves the claim of a certificate about another of its positions.
func (f *forger[P]) partOf(t testing.TB, tables *solved[P], file []byte, claim proofs.Claim) (part []byte, ok bool) {
	lines := text(t, file)
	if len(lines) < 4 {
		return nil, false
	}
	position, _, _ := strings.Cut(lines[len(lines)/2], "\t")
	part, proved := tables.proveFrom(t, position, claim)
	return part, proved == claim
}

func (f *forger[P]) texts() (all []string) {
	for _, s := range slices.Concat(f.seeds, f.lies) {
		all = append(all, s.text)
	}
	return all
}

func (f *forger[P]) mutate(t testing.TB, rng *rand.Rand) bool {
	from := f.seeds
	if rng.IntN(2) == 0 {
		from = f.lies
	}
	s := from[rng.IntN(len(from))]
	text, parts := s.text, slices.Clone(s.parts)
	for range rng.IntN(4) {
		if len(parts) > 0 && rng.IntN(2) == 0 {
			// The forged part is named by its own checksum.
			changed := f.change(t, rng, parts[0])
			text = strings.Replace(text, partNamed(t, parts[0]).Checksum, partNamed(t, changed).Checksum, 1)
			parts[0] = changed
		} else {
			text = f.change(t, rng, text)
		}
	}
	if rng.IntN(10) == 0 {
		return f.judgeFile(t, damage(rng, packText(t, withEnd(text))), nil)
	}
	return f.judge(t, text, parts...)
}

// damage changes one byte of a file.
func damage(rng *rand.Rand, file []byte) []byte {
	file[rng.IntN(len(file))] ^= byte(1 + rng.IntN(255))
	return file
}

// partNamed is how a certificate names another, which may be none.
func partNamed(t testing.TB, text string) proofs.Part {
	if file, err := open(packText(t, withEnd(text))); err == nil {
		return file.Part()
	}
	return proofs.Part{Checksum: "0123456789abcdef"}
}

// withEnd adds the last line to a text.
func withEnd(text string) string {
	return text + fmt.Sprintf("end\t%d\n", max(0, strings.Count(text, "\n")-1))
}

// change changes the text of a certificate in one place.
func (f *forger[P]) change(t testing.TB, rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1]
	if len(lines) < 2 || rng.IntN(4) == 0 {
		lines[0] = f.changeHeader(t, rng, lines[0])
		return strings.Join(lines, "")
	}
	i, j := 1+rng.IntN(len(lines)-1), 1+rng.IntN(len(lines)-1)
	fields, others := strings.Split(strings.TrimSuffix(lines[i], "\n"), "\t"), strings.Split(strings.TrimSuffix(lines[j], "\n"), "\t")
	switch rng.IntN(8) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
		return strings.Join(lines, "")
	case 1:
		lines[i], lines[j] = lines[j], lines[i]
		return strings.Join(lines, "")
	case 2:
		if len(fields) == len(others) && len(fields) > 1 {
			fields[1] = others[1]
		}
	case 3:
		fields[0] = others[0]
	case 4:
		if p, side, err := f.all.game.Parse(fields[0]); err == nil && len(fields) > 1 {
			if turns := f.all.game.Notated(p, side); len(turns) > 0 {
				fields[1] = turns[rng.IntN(len(turns))].Notation
			}
		}
	case 5:
		if len(fields) == 3 {
			fields[2] = strconv.Itoa(rng.IntN(12))
		} else {
			fields = append(fields, strconv.Itoa(rng.IntN(12)))
		}
	case 6:
		if len(fields) > 1 {
			fields[1] = "*"
		}
	case 7:
		line := []byte(lines[i])
		line[rng.IntN(len(line))] = "BWxo./* \tabc123"[rng.IntN(15)]
		lines[i] = string(line)
		return strings.Join(lines, "")
	}
	lines[i] = strings.Join(fields, "\t") + "\n"
	return strings.Join(lines, "")
}

// changeHeader changes what a header says.
func (f *forger[P]) changeHeader(t testing.TB, rng *rand.Rand, line string) string {
	var h proofs.Header
	if err := json.Unmarshal([]byte(line), &h); err != nil {
		return line // it was changed before
	}
	side := f.all.game.SideName(bitboard.Side(rng.IntN(2)))
	switch rng.IntN(7) {
	case 0:
		h.Root = f.positions[rng.IntN(len(f.positions))]
	case 1:
		h.Claim = side + "-wins"
	case 2:
		h.Claim = side + "-not-lost"
	case 3:
		if len(h.Tables) > 0 {
			h.Tables = slices.Delete(h.Tables, 0, 1)
		}
	case 4:
		h.Parts = append(h.Parts, proofs.Part{Root: f.positions[rng.IntN(len(f.positions))], Checksum: "0123456789abcdef"})
	case 5:
		for i := range h.Parts {
			h.Parts[i].Root = f.positions[rng.IntN(len(f.positions))]
		}
	case 6:
		h.Board = "5x5"
	}
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

func (f *forger[P]) judge(t testing.TB, text string, parts ...string) bool {
	t.Helper()
	proved := make(map[string]proofs.Header)
	for _, part := range parts {
		file := packText(t, withEnd(part))
		if opened, err := open(file); err == nil && f.judgeFile(t, file, nil) {
			proved[opened.Part().Checksum] = opened.Header
		}
	}
	return f.judgeFile(t, packText(t, withEnd(text)), proved)
}

func (f *forger[P]) judgeFile(t testing.TB, file []byte, proved map[string]proofs.Header) bool {
	t.Helper()
	r, err := f.some.tryCheck(t, file, proofs.Options{Proved: proved, Memory: 1 << 10})
	if err != nil || !r.Valid() {
		return false
	}
	game := f.all.game
	claim, err := proofs.ParseClaim(r.Header.Claim, game.SideName)
	if err != nil {
		t.Fatal(err)
	}
	p, toMove, err := game.Parse(r.Header.Root)
	if err != nil {
		t.Fatal(err)
	}
	if !f.holds(claim, p, toMove) {
		t.Errorf("%s of %s is valid and false:\n%s", r.Header.Claim, r.Header.Root, strings.Join(text(t, file), ""))
	}
	return true
}

// holds tells by the tables of the whole board whether a claim is true.
func (f *forger[P]) holds(claim proofs.Claim, p P, toMove bitboard.Side) bool {
	var value bitboard.Value
	if len(f.all.game.Turns(nil, p)) == 0 {
		value = f.all.game.Ended(p)
	} else {
		slice, index := f.all.game.Rank(p)
		value = f.all.tables[slice].Outcome(index).Value
	}
	if toMove != claim.Side {
		value = value.Reply()
	}
	return value == bitboard.Win || value == bitboard.Draw && !claim.Wins
}
