package walk

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/proofs"
)

// sketch is a game that is drawn by hand: each position has the turns that it says. Hundreds
// are slices.
type sketch struct {
	turns map[spot][]spot
	ended map[spot]bitboard.Value // of those without turns; else a loss
}

type spot int

var errSketch = errors.New("no turn of the sketch")

func (g sketch) Turns(dst []spot, p spot) []spot { return append(dst, g.turns[p]...) }

func (g sketch) Ended(p spot) bitboard.Value {
	if v, told := g.ended[p]; told {
		return v
	}
	return bitboard.Loss
}

func (g sketch) Start() (spot, bitboard.Side, error) { return 1, 0, nil }

func (g sketch) Parse(text string) (spot, bitboard.Side, error) {
	number, side, _ := strings.Cut(text, " ")
	n, err := strconv.Atoi(number)
	return spot(n), bitboard.Side(strings.Index("wb", side)), err
}

func (g sketch) Format(p spot, s bitboard.Side) string { return fmt.Sprintf("%d %c", p, "wb"[s]) }

func (g sketch) Notated(p spot, _ bitboard.Side) (turns []bitboard.Turn[spot]) {
	for _, to := range g.turns[p] {
		turns = append(turns, bitboard.Turn[spot]{Notation: fmt.Sprintf("to %d", to), To: to})
	}
	return turns
}

// ParseTurn reads "to 3", and "over to 3", which lists don't say. "jump 3" is a turn that lists
// lack.
func (g sketch) ParseTurn(p spot, _ bitboard.Side, text string) (bitboard.Turn[spot], error) {
	jumped, jumps := strings.CutPrefix(text, "jump ")
	n, err := strconv.Atoi(strings.TrimPrefix(strings.TrimPrefix(jumped, "over "), "to "))
	if to := spot(n); err == nil && (jumps || slices.Contains(g.turns[p], to)) {
		return bitboard.Turn[spot]{Notation: text, To: to}, nil
	}
	return bitboard.Turn[spot]{}, errSketch
}

func (g sketch) SideName(s bitboard.Side) string { return [...]string{"white", "black"}[s] }

func (g sketch) SliceOf(p spot) bitboard.Slice { return bitboard.Slice(p / 100) }

func (g sketch) ParseSlice(name string) (bitboard.Slice, error) {
	n, err := strconv.Atoi(name)
	return bitboard.Slice(n), err
}

// sketched is a win of White's. 1 is White's, 2 and 3 Black's, 4 White's again. Turns to 100 and
// more lead into tables, to 50 and more to the end of the game, to 20 and more out of the proof.
var sketched = sketch{
	turns: map[spot][]spot{
		1: {20, 2, 50, 100}, 2: {4, 3, 100, 50}, 3: {4}, 4: {21, 3, 51},
		5: {2, 5}, 6: {4, 100, 51}, 20: {21}, 21: {20}, 100: {20}, 101: {20},
	},
	ended: map[spot]bitboard.Value{51: bitboard.Win, 52: bitboard.Draw},
}

var sketchedHeader = proofs.Header{Claim: "white-wins", Tables: []proofs.Table{{Slice: "1"}}}

func walkSketch(t *testing.T, header proofs.Header, extract bool, pages ...Pages) *Proof[spot] {
	t.Helper()
	var all []Certificate
	for _, p := range pages {
		all = append(all, Certificate{header, p})
	}
	w, err := New(sketched, all...)
	if extract {
		w, err = NewExtract(sketched, all[0])
	}
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// told is a step in a line: where the position stands, then each turn as its notation, a "!"
// where it is chosen, where it leads, and a "+" where the claim holds there.
func told(s Step[spot]) string {
	places := [...]string{"outside", "listed", "beyond", "in a table", "ended"}
	holds := func(h bool) string { return map[bool]string{true: "+"}[h] }
	text := fmt.Sprintf("%s%s %d:", places[s.Place], holds(s.Holds), s.Rank)
	for _, t := range s.Turns {
		text += fmt.Sprintf(" %s%s %s%s,", t.Notation, map[bool]string{true: "!"}[t.Chosen], places[t.Place], holds(t.Holds))
	}
	return text
}

// Every position and turn is told of by where it stands: records go before tables, tables
// before ends of the game.
func TestWhatAProofSaysOfPositions(t *testing.T) {
	pages := Pages{
		"1 w": {Turn: "to 2", Rank: 4}, "2 b": {Turn: "*", Rank: 3}, "3 b": {Turn: "*", Rank: 1}, "6 b": {Turn: "*", Rank: 3},
		"4 w": {Turn: "over to 3", Rank: 2}, "101 w": {Turn: "to 20", Rank: 9},
	}
	for _, c := range []struct {
		p     spot
		side  bitboard.Side
		claim string
		want  string
	}{
		{1, 0, "white-wins", "listed+ 4: to 20 outside, to 2! listed+, to 50 ended+, to 100 in a table,"},
		{6, 1, "white-wins", "listed+ 3: to 4 listed+, to 100 in a table+, to 51 ended+,"},
		{4, 0, "white-wins", "listed+ 2: to 21 outside, to 3! listed+, to 51 ended,"},
		{20, 0, "white-wins", "outside 0: to 21 outside,"},
		{20, 1, "white-wins", "outside 0: to 21 outside,"},
		{2, 0, "white-wins", "outside 0: to 4 outside, to 3 listed+, to 100 in a table, to 50 ended+,"},
		{100, 0, "white-wins", "in a table 0: to 20 outside,"},
		{50, 1, "white-wins", "ended+ 0:"},
		{50, 0, "white-wins", "ended 0:"},
		{51, 0, "white-wins", "ended+ 0:"},
		{51, 1, "white-wins", "ended 0:"},
		{52, 0, "white-wins", "ended 0:"},
		{52, 0, "white-not-lost", "ended+ 0:"},
		{52, 0, "black-not-lost", "ended+ 0:"},
		{50, 0, "black-wins", "ended+ 0:"},
	} {
		header := sketchedHeader
		header.Claim = c.claim
		w := walkSketch(t, header, false, pages)
		step, err := w.At(c.p, c.side, nil)
		if got := told(step); err != nil || got != c.want || step.Position != c.p || step.Side != c.side {
			t.Errorf("%d, %d, %s: %q, %v, want %q", c.p, c.side, c.claim, got, err, c.want)
		}
	}
	w := walkSketch(t, sketchedHeader, false, Pages{})
	if got := w.Claim(); got != (proofs.Claim{Side: 0, Wins: true}) {
		t.Errorf("claim %v", got)
	}
}

// All turns of the other side's are in the proof.
func TestTheOtherSideHasNoTurnOutOfAProof(t *testing.T) {
	all := Pages{"3 b": {Turn: "*", Rank: 7}, "4 w": {Turn: "to 3", Rank: 2}, "101 b": {Turn: "*", Rank: 1}, "20 w": {Turn: "to 21"}}
	if step, err := walkSketch(t, sketchedHeader, false, all).At(3, 1, nil); err != nil || told(step) != "listed+ 7: to 4 listed+," {
		t.Errorf("%q, %v", told(step), err)
	}
	// A record goes before the table that has its slice.
	if step, err := walkSketch(t, sketchedHeader, false, all).At(101, 1, nil); err != nil || told(step) != "listed+ 1: to 20 listed+," {
		t.Errorf("%q, %v", told(step), err)
	}
	delete(all, "4 w")
	if step, err := walkSketch(t, sketchedHeader, false, all).At(3, 1, nil); !errors.Is(err, ErrTorn) {
		t.Errorf("%q, %v", told(step), err)
	}
}

// A chosen turn is in the proof, however its record spells it.
func TestAChosenTurnLeadsToWhatIsProved(t *testing.T) {
	for _, c := range []struct {
		turn    string
		extract bool
		want    string // empty: the index is torn
	}{
		{"to 3", false, "listed+ 2: to 21 outside, to 3! listed+, to 51 ended,"},
		{"over to 3", false, "listed+ 2: to 21 outside, to 3! listed+, to 51 ended,"},
		{"to 21", false, ""},
		{"over to 21", false, ""},
		{"to 21", true, "listed+ 2: to 21! beyond+, to 3 listed+, to 51 ended,"},
		{"over to 21", true, "listed+ 2: to 21! beyond+, to 3 listed+, to 51 ended,"},
		{"to 51", true, ""}, // Black, who has the move there, has won
		{"over to 51", true, ""},
		{"to 22", true, ""}, // no turn
		{"jump 22", true, ""},
		{"", true, ""},
	} {
		w := walkSketch(t, sketchedHeader, c.extract, Pages{"3 b": {Turn: "*", Rank: 1}, "4 w": {Turn: c.turn, Rank: 2}})
		step, err := w.At(4, 0, nil)
		if c.want == "" {
			if !errors.Is(err, ErrTorn) {
				t.Errorf("%q, extract %v: %q, %v, want ErrTorn", c.turn, c.extract, told(step), err)
			}
		} else if err != nil || told(step) != c.want {
			t.Errorf("%q, extract %v: %q, %v, want %q", c.turn, c.extract, told(step), err, c.want)
		}
	}
}

// An extract ends before the proof does: its own turns lead beyond, others out.
func TestAnExtractHasMoreBeyond(t *testing.T) {
	w := walkSketch(t, sketchedHeader, true, Pages{"5 b": {Turn: "*", Rank: 5}, "1 w": {Turn: "to 2", Rank: 4}})
	for _, c := range []struct {
		p    spot
		side bitboard.Side
		want string
	}{
		{5, 1, "listed+ 5: to 2 beyond+, to 5 beyond+,"},
		{1, 0, "listed+ 4: to 20 outside, to 2! beyond+, to 50 ended+, to 100 in a table,"},
		{2, 1, "outside 0: to 4 outside, to 3 outside, to 100 in a table, to 50 ended,"},
	} {
		if step, err := w.At(c.p, c.side, nil); err != nil || told(step) != c.want {
			t.Errorf("%d: %q, %v, want %q", c.p, told(step), err, c.want)
		}
	}
}

// The first of the books that has a position tells of it.
func TestPartsComeBeforeWhatNamesThem(t *testing.T) {
	w := walkSketch(t, sketchedHeader, false, Pages{"3 b": {Turn: "*", Rank: 7}, "4 w": {Turn: "to 3", Rank: 6}}, Pages{"3 b": {Turn: "*", Rank: 9}, "20 w": {Turn: "to 21"}, "21 b": {Turn: "*"}})
	for p, want := range map[spot]uint32{3: 7, 4: 6} {
		if step, err := w.At(p, bitboard.Side(4-p), nil); err != nil || step.Rank != want {
			t.Errorf("%d: rank %d, %v, want %d", p, step.Rank, err, want)
		}
	}
	if step, err := w.At(20, 0, nil); err != nil || told(step) != "listed+ 0: to 21! listed+," {
		t.Errorf("%q, %v", told(step), err)
	}
}

// Of a win no way through several certificates is a circle, though each of two has a turn that
// keeps the claim by the other: the first that has a position, in a table too, tells of it.
func TestNoWayThroughAWinIsACircle(t *testing.T) {
	circle := sketch{turns: map[spot][]spot{1: {110}, 110: {1}, 120: {1}}}
	byTable := proofs.Header{Claim: "white-wins", Tables: []proofs.Table{{Slice: "1", Metric: "wdl", Checksum: "a"}}}
	w, err := New(circle,
		Certificate{byTable, Pages{"1 w": {Turn: "to 110", Rank: 5}}},
		Certificate{proofs.Header{Claim: "white-wins"}, Pages{"110 b": {Turn: "*", Rank: 9}}},
		Certificate{byTable, Pages{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tables Shelf
		want   Step[spot]
	}{
		{func(t proofs.Table) bool { return t.Checksum == "a" }, Step[spot]{Place: InTable, Certificate: 0, Tables: byTable.Tables, AtHand: true}},
		{func(t proofs.Table) bool { return t.Checksum == "b" }, Step[spot]{Place: Listed, Certificate: 1, Holds: true, Rank: 9}},
		{nil, Step[spot]{Place: Listed, Certificate: 1, Holds: true, Rank: 9}},
	} {
		got, err := w.At(110, 1, c.tables)
		got.Position, got.Side, got.Turns = 0, 0, nil
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v, %v, want %+v", got, err, c.want)
		}
	}
	if got, err := w.At(1, 0, nil); err != nil || told(got) != "listed+ 5: to 110! listed+," || got.Certificate != 0 {
		t.Errorf("%q of %d, %v", told(got), got.Certificate, err)
	}
	// A table that is not at hand has it if no certificate does: that of the first that names it.
	if got, err := w.At(120, 1, nil); err != nil || got.Place != InTable || got.AtHand || got.Certificate != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	// By the rules a game is over whatever table has it that is not at hand.
	if got, err := w.At(130, 1, nil); err != nil || got.Place != Ended || !got.Holds || got.Certificate != -1 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := w.At(7, 1, nil); err != nil || got.Place != Ended || got.Certificate != -1 {
		t.Errorf("%+v, %v", got, err)
	}
}

// Of a slice's tables any that is at hand tells, whatever its metric.
func TestAnyTableThatIsAtHandTells(t *testing.T) {
	header := proofs.Header{Claim: "white-wins", Tables: []proofs.Table{
		{Slice: "1", Metric: "wdl", Checksum: "a"}, {Slice: "1", Metric: "dtw", Checksum: "b"}, {Slice: "2", Metric: "wdl", Checksum: "c"},
	}}
	w := walkSketch(t, header, false, Pages{})
	for at, want := range map[string]bool{"a": true, "b": true, "c": false} {
		step, err := w.At(100, 0, func(t proofs.Table) bool { return t.Checksum == at })
		if err != nil || step.Place != InTable || step.AtHand != want || len(step.Tables) != 2 {
			t.Errorf("%s is at hand: %+v, %v, want %v", at, step, err, want)
		}
	}
}

// What can't be read is an error, and no position outside the proof.
func TestABookThatFailsIsNoAnswer(t *testing.T) {
	for _, lost := range []string{"4 w", "3 b"} {
		w, err := New(sketched, Certificate{sketchedHeader, failingBook(lost)}, Certificate{sketchedHeader, Pages{"4 w": {Turn: "to 3"}, "3 b": {Turn: "*"}}})
		if err != nil {
			t.Fatal(err)
		}
		if step, err := w.At(4, 0, nil); !errors.Is(err, errSketch) {
			t.Errorf("%s can't be read: %q, %v", lost, told(step), err)
		}
		if pages, _, err := Extract(w, 4, 0, 9); !errors.Is(err, errSketch) {
			t.Errorf("%s can't be read: %v, %v", lost, pages, err)
		}
	}
}

// failingBook has nothing, and fails at a position.
type failingBook string

func (f failingBook) Find(position string) (rec proofs.Record, found bool, err error) {
	if position == string(f) {
		err = errSketch
	}
	return rec, false, err
}

func TestHeadersThatMakeNoProof(t *testing.T) {
	for _, header := range []proofs.Header{
		{Claim: "white-draws"},
		{Claim: "white-wins", Tables: []proofs.Table{{Slice: "1"}, {Slice: "x"}}},
	} {
		if w, err := New(sketched, Certificate{sketchedHeader, Pages{}}, Certificate{header, Pages{}}); err == nil {
			t.Errorf("%v: %v", header, w)
		}
		if w, err := NewExtract(sketched, Certificate{header, Pages{}}); err == nil {
			t.Errorf("%v: %v", header, w)
		}
	}
}

// An extract has whole plies, each position once, and no more than fit.
func TestExtractsHaveWholePlies(t *testing.T) {
	rec := func(turn string, rank uint32) proofs.Record { return proofs.Record{Turn: turn, Rank: rank} }
	pages := Pages{
		"1 w": rec("over to 2", 9), "2 b": rec("*", 8), "4 w": rec("to 3", 7), "3 w": rec("to 4", 6),
		"3 b": rec("*", 5), "20 w": rec("to 21", 1),
	}
	w := walkSketch(t, sketchedHeader, false, pages)
	for most, want := range []struct{ positions, plies int }{{0, 0}, {1, 1}, {2, 2}, {2, 2}, {4, 3}, {5, 4}, {5, 4}} {
		got, n, err := Extract(w, 1, 0, most) // 3 and 4 are White's in one ply, 4 b is none, 4 w was there
		if err != nil || n != want.plies || len(got) != want.positions {
			t.Errorf("%d positions at most: %v in %d plies, %v, want %v", most, slices.Sorted(maps.Keys(got)), n, err, want)
		}
		for position, rec := range got {
			full := pages[position]
			full.Position = position
			if rec != full {
				t.Errorf("%s: %v, want %v", position, rec, full)
			}
		}
	}
	if _, _, err := Extract(walkSketch(t, sketchedHeader, false, Pages{"1 w": rec("to 3", 1)}), 1, 0, 9); !errors.Is(err, errSketch) {
		t.Errorf("a turn that is none: %v", err)
	}
}

// counting counts how often each position is looked up.
type counting struct {
	Pages
	asked map[string]int
}

func (c counting) Find(position string) (proofs.Record, bool, error) {
	c.asked[position]++
	return c.Pages.Find(position)
}

// Many ways lead to a position, and what follows from it is looked up once: else extracts would
// take as long as there are ways.
func TestExtractsFollowAPositionOnce(t *testing.T) {
	braid, pages := sketch{turns: make(map[spot][]spot)}, make(Pages)
	const plies = 12
	for p := spot(0); p < 2*plies; p++ {
		next := p - p%2 + 2
		braid.turns[p] = []spot{next, next + 1}
		pages[braid.Format(p, bitboard.Side(p/2%2))] = proofs.Record{Turn: proofs.AllTurns}
	}
	book := counting{pages, make(map[string]int)}
	w, err := New(braid, Certificate{proofs.Header{Claim: "white-not-lost"}, book})
	if err != nil {
		t.Fatal(err)
	}
	if got, n, err := Extract(w, 0, 0, 100); err != nil || n != plies || len(got) != 2*plies-1 {
		t.Errorf("%d positions in %d plies, %v", len(got), n, err)
	}
	for position := range pages {
		if asked := book.asked[position]; asked > 1 {
			t.Errorf("%s is looked up %d times", position, asked)
		}
	}
}

// certificate is one of the sketch, with so many records.
func certificate(t *testing.T, claim string, n int, record func(i int) proofs.Record) *proofs.File {
	t.Helper()
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, sketched, proofs.Header{Setting: proofs.Setting{Game: "sketch"}, Claim: claim, Root: "1 w"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.Copy(record(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := proofs.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// unranked is a record of a position of its own.
func unranked(i int) proofs.Record {
	return proofs.Record{Position: fmt.Sprintf("%d w", i), Turn: "turn"}
}
