package share_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
	"paika/tablebase"
)

const version = "test"

// rules is a game as a subject has its rules.
type rules interface{ String() string }

func subject[P comparable](t testing.TB, name string, board bitboard.Board, r rules, game bitboard.Game[P], err error) prover.Subject[P] {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	id := tablebase.Identity{Game: name, Board: board.String()}
	if r != nil {
		id.Rules = r.String()
	}
	return prover.Subject[P]{Game: game, Board: board, Identity: id}
}

func fanoronaOn(t testing.TB, width, height int) prover.Subject[fanorona.Position] {
	board := bitboard.Board{Width: width, Height: height}
	game, err := fanorona.New(board, fanorona.Rules{})
	return subject[fanorona.Position](t, "fanorona", board, fanorona.Rules{}, game, err)
}

// built makes tables of at most that many pieces, of which the largest leave values out
// where the game can tell of which.
func built[P comparable](t testing.TB, of prover.Subject[P], pieces int) (dir string) {
	t.Helper()
	return builtIn(t, of, bitboard.WDL, pieces)
}

func builtIn[P comparable](t testing.TB, of prover.Subject[P], metric bitboard.Metric, pieces int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	groups, err := bitboard.GroupsWithin(of.Game, pieces)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(dir, of.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables := store.Tables(metric, of.Game).ForBuild(groups)
	if _, err := retrograde.Build(t.Context(), of.Game, groups, tables, retrograde.Options{Metric: metric, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func open[P comparable](t testing.TB, of prover.Subject[P], dir string) share.Site {
	t.Helper()
	site, err := share.NewSite(t.Context(), of, dir, prover.LoadOptions{Workers: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(site.Close)
	return site
}

// start is the position that games begin with.
func start[P comparable](t testing.TB, of prover.Subject[P]) string {
	t.Helper()
	p, side, err := of.Game.Start()
	if err != nil {
		t.Fatal(err)
	}
	return of.Game.Format(p, side)
}

// A team is workers that work one after the other: what comes back comes in any order.
type team struct {
	searchers []share.Searcher
	dir       string
	random    *rand.Rand
	parts     int
	change    func(text []byte) []byte // of a part, if it is not sent as it is
}

func newTeam(t testing.TB, site share.Site, workers int) *team {
	t.Helper()
	team := &team{dir: t.TempDir(), random: rand.New(rand.NewPCG(uint64(workers), 0))}
	for range workers {
		s, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Close)
		team.searchers = append(team.searchers, s)
	}
	return team
}

func (m *team) path(digest string) string { return filepath.Join(m.dir, digest) }

// do searches a task, and has its part checked.
func (m *team) do(t testing.TB, proof share.Proof, task share.Task) share.Result {
	t.Helper()
	m.parts++
	file := m.path(fmt.Sprint("part", m.parts))
	told := uint64(0)
	found, err := m.searchers[m.random.IntN(len(m.searchers))].Search(t.Context(), task, version, 1+m.random.IntN(2), file, share.Watch{Moved: func(nodes uint64) { told += nodes }})
	if err != nil {
		t.Fatal(err)
	}
	if told != found.Nodes {
		t.Errorf("told of %d nodes, took %d", told, found.Nodes)
	}
	m.talk(t)
	r := share.Result{Job: task.Job, Claim: task.Claim, Position: task.Position, Verdict: found.Verdict, Nodes: found.Nodes, Turns: found.Turns}
	if found.Verdict == proofnumber.Undecided {
		return r
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if m.change != nil {
		text = m.change(text)
	}
	if r.Part, err = proof.Check(t.Context(), task.Position, found.Verdict, bytes.NewReader(text), int64(len(text))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(m.path(r.Part.Digest), text, 0o666); err != nil {
		t.Fatal(err)
	}
	return r
}

// talk has one searcher tell the others what it has found. Now and then that is the opposite.
func (m *team) talk(t testing.TB) {
	t.Helper()
	from := m.searchers[m.random.IntN(len(m.searchers))]
	said := from.Say(nil)
	if m.random.IntN(20) == 0 {
		said = opposite(said)
	}
	for _, s := range m.searchers {
		if err := s.Hear(said); err != nil {
			t.Fatal(err)
		}
	}
}

// opposite is a word in which each entry has its two numbers, of 20 bits each, in each other's
// place: who wins loses.
func opposite(said []byte) []byte {
	said = slices.Clone(said)
	at := 12 + 8*binary.LittleEndian.Uint32(said[8:])
	for entry := said[at:]; len(entry) > 0; entry = entry[16:] {
		data := binary.LittleEndian.Uint64(entry[8:])
		phi, delta := data&(1<<20-1), data>>20&(1<<20-1)
		binary.LittleEndian.PutUint64(entry[8:], data>>40<<40|phi<<20|delta)
	}
	return said
}

// prove answers a question. It gives the results in their order.
func (m *team) prove(t testing.TB, proof share.Proof) (ledger []share.Result) {
	t.Helper()
	var out []share.Task
	for {
		for len(out) < len(m.searchers) {
			task, found := proof.Next(len(m.searchers))
			if !found {
				break
			}
			out = append(out, task)
		}
		if proof.Verdict() != proofnumber.Undecided {
			return ledger
		}
		i := m.random.IntN(len(out))
		task := out[i]
		out = append(out[:i], out[i+1:]...)
		r := m.do(t, proof, task)
		if err := proof.Take(r); err != nil {
			t.Fatal(err)
		}
		ledger = append(ledger, r)
	}
}

// checked fails unless a file is a certificate of that claim that needs no parts.
func checked[P comparable](t *testing.T, of prover.Subject[P], shelf *prover.Shelf[P], path, claim, root string) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	c, err := proofs.Open(file, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	report, err := proofs.Check(t.Context(), proofs.Setting(of.Identity), of.Game, shelf, c, proofs.Options{})
	if err != nil || !report.Valid() || c.Header.Claim != claim || c.Header.Root != root || len(c.Header.Parts) > 0 {
		t.Errorf("%s: %+v, %v, %v", claim, c.Header, report.Findings, err)
	}
}

// agrees asks all four claims about the start, split into small jobs, and compares
// with one search.
func agrees[P comparable](t *testing.T, of prover.Subject[P], dir string, least uint64) (results map[proofnumber.Verdict]int) {
	t.Helper()
	site, root := open(t, of, dir), start(t, of)
	shelf, err := prover.Load(t.Context(), of, dir, prover.UpTo(of, bitboard.AllPieces), prover.LoadOptions{Workers: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Free()
	results = make(map[proofnumber.Verdict]int)
	for _, claim := range []proofs.Claim{{Side: 0, Wins: true}, {Side: 0}, {Side: 1, Wins: true}, {Side: 1}} {
		p, side, err := of.Game.Parse(root)
		if err != nil {
			t.Fatal(err)
		}
		want, err := prover.Decide(t.Context(), of, prover.Question[P]{Root: p, Side: side, Claims: []proofs.Claim{claim}}, 1<<22, of.Search(shelf, proofnumber.DFPN, 0))
		if err != nil {
			t.Fatal(err)
		}
		for _, workers := range []int{1, 2, 4} {
			proof, err := site.Proof(share.Question{Position: root, Claim: claim.Text(of.Game.SideName), Version: version, Least: least, Most: least, Memory: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			team := newTeam(t, site, workers)
			ledger := team.prove(t, proof)
			if got := proof.Verdict(); got != want.Verdict {
				t.Fatalf("%s, %d workers: %v, want %v", claim.Text(of.Game.SideName), workers, got, want.Verdict)
			}
			results[want.Verdict]++
			path, shown := filepath.Join(t.TempDir(), "whole"), claim
			if want.Verdict == proofnumber.Refuted {
				shown = proofs.Claim{Side: claim.Side.Other(), Wins: !claim.Wins}
			}
			if _, err := proof.Write(t.Context(), path, team.path); err != nil {
				t.Fatal(err)
			}
			checked(t, of, shelf, path, shown.Text(of.Game.SideName), root)
			t.Logf("%s on %s, %s, %d workers: %d jobs, %d nodes, %d at once", of.Identity.Game, of.Identity.Board, claim.Text(of.Game.SideName), workers, len(ledger), proof.Progress().Nodes, want.Nodes)
		}
	}
	return results
}

// TestSharedProofsAnswerAsOneSearchDoes is over games and both outcomes, with one, two
// and four workers, and jobs so small that most are split.
func TestSharedProofsAnswerAsOneSearchDoes(t *testing.T) {
	both := func(t *testing.T, results map[proofnumber.Verdict]int) {
		t.Helper()
		if len(results) != 2 {
			t.Errorf("%v: want both outcomes", results)
		}
	}
	t.Run("fanorona 3x3", func(t *testing.T) { both(t, agrees(t, fanoronaOn(t, 3, 3), "", 20)) })
	t.Run("fanorona 5x3 with tables", func(t *testing.T) {
		of := fanoronaOn(t, 5, 3)
		both(t, agrees(t, of, built(t, of, 4), 20))
	})
	t.Run("fanorona 3x5 with tables", func(t *testing.T) {
		of := fanoronaOn(t, 3, 5)
		both(t, agrees(t, of, built(t, of, 4), 20))
	})
	t.Run("konane 4x4", func(t *testing.T) {
		board, r := bitboard.Board{Width: 4, Height: 4}, konane.Rules{}
		game, err := konane.New[konane.Word](board, r)
		of := subject[konane.Position[konane.Word]](t, "konane", board, r, game, err)
		of.Game = game.ByPlayers() // nobody has a colour at the start
		both(t, agrees(t, of, "", 20))
	})
	t.Run("breakthrough 3x4", func(t *testing.T) {
		board := bitboard.Board{Width: 3, Height: 4}
		game, err := breakthrough.New(board)
		both(t, agrees(t, subject[breakthrough.Position](t, "breakthrough", board, nil, game, err), "", 100))
	})
	t.Run("phutball 3x5", func(t *testing.T) {
		board := bitboard.Board{Width: 3, Height: 5}
		game, err := phutball.New(board, phutball.Rules{})
		both(t, agrees(t, subject[phutball.Position](t, "phutball", board, phutball.Rules{}, game, err), "", 100))
	})
}

// A worker may send parts with the highest ranks that there are: they are valid, and the answer is.
func TestHighRanksOfPartsSpoilNoAnswer(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	proof, err := site.Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version, Least: 20, Most: 20, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	team := newTeam(t, site, 1)
	team.change = func(text []byte) []byte { return lifted(t, of.Game, text) }
	team.prove(t, proof)
	if len(proof.Rests()) < 2 {
		t.Fatalf("the proof rests on %d parts: want several", len(proof.Rests()))
	}
	path := filepath.Join(t.TempDir(), "whole")
	if _, err := proof.Write(t.Context(), path, team.path); err != nil {
		t.Fatal(err)
	}
	checked(t, of, prover.NewShelf(of), path, "white-wins", start(t, of))
}

// lifted is a certificate with ranks as high as they go, if it is of a win.
func lifted[P comparable](t *testing.T, game proofs.Game[P], text []byte) []byte {
	t.Helper()
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(file.Header.Claim, "-wins") {
		return text
	}
	highest := uint32(0)
	for rec, err := range file.Records(proofs.Claim{Wins: true}, file.Part().Checksum) {
		if err != nil {
			t.Fatal(err)
		}
		highest = max(highest, rec.Rank)
	}
	return []byte(changed(t, game, string(text), func(*proofs.Header) {}, func(rec *proofs.Record) { rec.Rank += math.MaxUint32 - highest }))
}

// onePart is the proof of a claim of the start, and its first result, with the part that one worker
// makes of it.
func onePart(t *testing.T, of prover.Subject[fanorona.Position], claim string) (share.Proof, share.Result, []byte) {
	t.Helper()
	site := open(t, of, "")
	proof, err := site.Proof(share.Question{
		Position: start(t, of), Claim: claim, Version: version,
		Borrow: func(most uint64) (uint64, func()) { return min(most, 1<<30), func() {} },
	})
	if err != nil {
		t.Fatal(err)
	}
	team := newTeam(t, site, 1)
	r := team.prove(t, proof)[0]
	text, err := os.ReadFile(team.path(r.Part.Digest))
	if err != nil {
		t.Fatal(err)
	}
	return proof, r, text
}

// TestAPartThatShowsSomethingElseIsRefused: what a worker sends is checked as if it
// came from a stranger.
func TestAPartThatShowsSomethingElseIsRefused(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	root := start(t, of)
	proof, r, text := onePart(t, of, "white-wins")
	p, side, err := of.Game.Start()
	if err != nil {
		t.Fatal(err)
	}
	further := of.Game.Notated(p, side)[0].To
	whole := string(text)
	part, table := proofs.Part{Root: root, Checksum: r.Part.Checksum}, proofs.Table{Slice: "1v1", Metric: "wdl", Checksum: "0123456789abcdef"}
	for name, bad := range map[string]struct {
		position string
		verdict  proofnumber.Verdict
		file     string
	}{
		"another position":    {of.Game.Format(further, side.Other()), proofnumber.Proved, whole},
		"the other verdict":   {root, proofnumber.Refuted, whole},
		"no verdict":          {root, proofnumber.Undecided, whole},
		"no position":         {"BBB", proofnumber.Proved, whole},
		"nothing":             {root, proofnumber.Proved, ""},
		"garbage":             {root, proofnumber.Proved, strings.Repeat("garbage", 1000)},
		"cut short":           {root, proofnumber.Proved, whole[:len(whole)/2]},
		"a changed byte":      {root, proofnumber.Proved, whole[:len(whole)/2] + "?" + whole[len(whole)/2+1:]},
		"something behind it": {root, proofnumber.Proved, whole + "more"},
		"other rules":         {root, proofnumber.Proved, headed(t, of.Game, whole, func(h *proofs.Header) { h.Rules = "" })},
		"another board":       {root, proofnumber.Proved, headed(t, of.Game, whole, func(h *proofs.Header) { h.Board = "5x3" })},
		"tables of its own":   {root, proofnumber.Proved, headed(t, of.Game, whole, func(h *proofs.Header) { h.Tables = []proofs.Table{table} })},
		"parts of its own":    {root, proofnumber.Proved, headed(t, of.Game, whole, func(h *proofs.Header) { h.Parts = []proofs.Part{part} })},
	} {
		part, err := proof.Check(t.Context(), bad.position, bad.verdict, strings.NewReader(bad.file), int64(len(bad.file)))
		if !errors.Is(err, share.ErrPart) && !errors.Is(err, share.ErrResult) {
			t.Errorf("%s: %+v, %v", name, part, err)
		}
		if v, part, err := proof.CheckGrowing(t.Context(), bad.position, strings.NewReader(bad.file)); err == nil && v == bad.verdict {
			t.Errorf("%s, while it grows: %+v", name, part)
		}
		if name == "parts of its own" && !strings.Contains(err.Error(), "relies on parts") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := proof.Check(t.Context(), root, proofnumber.Proved, strings.NewReader(whole), int64(len(whole))); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if part, err := proof.Check(ctx, root, proofnumber.Proved, strings.NewReader(whole), int64(len(whole))); !errors.Is(err, context.Canceled) || errors.Is(err, share.ErrPart) {
		t.Errorf("a check that was stopped: %+v, %v", part, err)
	}
}

// TestAPartIsCheckedWhileItIsWritten: what it shows, and what it is, is the same as of the whole file. It is checked with
// what was borrowed, which is given back.
func TestAPartIsCheckedWhileItIsWritten(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	for _, claim := range []string{"white-wins", "black-wins"} { // one is proved, one is refuted
		_, r, text := onePart(t, of, claim)
		for most, want := range map[uint64]error{math.MaxUint64: nil, proofs.Beside(1) + 1<<24: nil, proofs.Beside(1) + 1: proofs.ErrReadAgain, proofs.Beside(1): proofs.ErrReadAgain, 0: proofs.ErrReadAgain} {
			lent := 0
			proof, err := open(t, of, "").Proof(share.Question{Position: start(t, of), Claim: claim, Version: version, Workers: 1, Borrow: func(wanted uint64) (uint64, func()) {
				lent++
				return min(wanted, most), func() { lent-- }
			}})
			if err != nil {
				t.Fatal(err)
			}
			v, part, err := proof.CheckGrowing(t.Context(), r.Position, bytes.NewReader(text))
			if !errors.Is(err, want) || lent != 0 || err == nil && (v != r.Verdict || part != r.Part) {
				t.Errorf("%s with %d bytes: %v, %+v, %v, and %d loans are left: want %v, %+v, %v", claim, most, v, part, err, lent, r.Verdict, r.Part, want)
			}
		}
	}
}

// TestChecksBorrowWhatTheyLack and give it back, whatever they find.
func TestChecksBorrowWhatTheyLack(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	_, r, text := onePart(t, of, "white-wins")
	asked, lent := []uint64{}, 0
	for _, memory := range []uint64{0, 100, 1 << 40} {
		proof, err := open(t, of, "").Proof(share.Question{
			Position: start(t, of), Claim: "white-wins", Version: version, Memory: memory,
			Borrow: func(most uint64) (uint64, func()) {
				asked, lent = append(asked, most), lent+1
				return most / 2, func() { lent-- }
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, whole := range []bool{true, false} {
			file := text
			if !whole {
				file = slices.Concat(text[:20], []byte("?"), text[21:])
			}
			_, err := proof.Check(t.Context(), r.Position, r.Verdict, bytes.NewReader(file), int64(len(file)))
			if whole != (err == nil) || lent != 0 {
				t.Errorf("whole %v: %v, and %d loans are left", whole, err, lent)
			}
		}
	}
	all := 6 * uint64(len(text))
	if len(asked) < 2 || asked[0] != all || asked[len(asked)-1] != all-100 {
		t.Errorf("asked for %d bytes, want %d and 100 less", asked, all)
	}
}

// failing is a file of which only so many reads succeed.
type failing struct {
	io.ReaderAt
	left *int
	err  error
}

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if *f.left--; *f.left < 0 {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(b, at)
}

// TestAPartThatCantBeReadIsNotRefused: whoever made it is not wrong for that.
func TestAPartThatCantBeReadIsNotRefused(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	proof, r, text := onePart(t, of, "white-wins")
	broken := errors.New("the disk")
	check := func(reads int) (left int, err error) {
		left = reads
		_, err = proof.Check(t.Context(), r.Position, r.Verdict, failing{bytes.NewReader(text), &left, broken}, int64(len(text)))
		return left, err
	}
	const enough = 1000
	left, err := check(enough)
	if err != nil || left < 0 || left == enough {
		t.Fatalf("%d of %d reads are left, %v", left, enough, err)
	}
	for reads := range enough - left {
		if _, err := check(reads); !errors.Is(err, broken) || errors.Is(err, share.ErrPart) {
			t.Errorf("after %d reads: %v, want %v", reads, err, broken)
		}
	}
}

// TestAPartOfNoVerdictIsRefused, though it is valid.
func TestAPartOfNoVerdictIsRefused(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	root := start(t, of)
	proof, _, text := onePart(t, of, "black-wins")
	for verdict, want := range map[proofnumber.Verdict]error{proofnumber.Refuted: nil, proofnumber.Proved: share.ErrPart, proofnumber.Undecided: share.ErrPart} {
		if part, err := proof.Check(t.Context(), root, verdict, bytes.NewReader(text), int64(len(text))); !errors.Is(err, want) {
			t.Errorf("%v: %+v, %v, want %v", verdict, part, err, want)
		}
	}
}

// headed is a certificate of a win with another header.
func headed[P comparable](t *testing.T, game proofs.Game[P], text string, change func(*proofs.Header)) string {
	t.Helper()
	return changed(t, game, text, change, func(*proofs.Record) {})
}

// changed is a certificate of a win with another header and other records.
func changed[P comparable](t *testing.T, game proofs.Game[P], text string, header func(*proofs.Header), record func(*proofs.Record)) string {
	t.Helper()
	file, err := proofs.Open(strings.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	h, sum := file.Header, file.Part().Checksum
	header(&h)
	var out strings.Builder
	w, err := proofs.NewWriter(&out, game, h, 1)
	if err != nil {
		t.Fatal(err)
	}
	for rec, err := range file.Records(proofs.Claim{Wins: true}, sum) {
		if err != nil {
			t.Fatal(err)
		}
		record(&rec)
		if err := w.Copy(rec); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestATaskForOthersIsRefusedByName: of another version, with other tables, of another
// game, or none at all.
func TestATaskForOthersIsRefusedByName(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	site := open(t, of, "")
	proof, err := site.Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	task, _ := proof.Next(1)
	search := func(site share.Site, version string, change func(*share.Task)) error {
		other := task
		change(&other)
		_, err := newTeam(t, site, 1).searchers[0].Search(t.Context(), other, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
		return err
	}
	tabled := open(t, of, built(t, of, 2))
	same := func(*share.Task) {}
	for name, c := range map[string]struct {
		err  error
		says string
		want error
	}{
		"version":  {search(site, "other", same), "version test, this is other", share.ErrOther},
		"tables":   {search(tabled, version, same), "fingerprint none", share.ErrOther},
		"board":    {search(site, version, func(t *share.Task) { t.Board = "5x3" }), "5x3", share.ErrOther},
		"claim":    {search(site, version, func(t *share.Task) { t.Claim = "black-not-lost" }), "want a win", share.ErrResult},
		"position": {search(site, version, func(t *share.Task) { t.Position = "?" }), "", share.ErrResult},
	} {
		if !errors.Is(c.err, c.want) || !strings.Contains(c.err.Error(), c.says) {
			t.Errorf("%s: %v, want %v with %q", name, c.err, c.want, c.says)
		}
	}
	if err := search(site, version, same); err != nil {
		t.Error(err)
	}
}

// TestAResultOfSomethingElseChangesNothing: what a ledger or a worker may hold.
func TestAResultOfSomethingElseChangesNothing(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	root := start(t, of)
	proof, err := open(t, of, "").Proof(share.Question{Position: root, Claim: "black-not-lost", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	for name, r := range map[string]share.Result{
		"claim":    {Claim: "black-wins", Position: root},
		"position": {Claim: "white-wins", Position: "?"},
		"no part":  {Claim: "white-wins", Position: root, Verdict: proofnumber.Refuted},
	} {
		if err := proof.Take(r); !errors.Is(err, share.ErrResult) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := share.Result{Claim: "white-wins", Position: root, Nodes: 7, Turns: []jobs.Turn{{Numbers: jobs.Numbers{Proof: 1, Disproof: 1}}}}
	if err := proof.Take(r); err != nil || proof.Progress().Nodes != 7 {
		t.Errorf("%v, %+v", err, proof.Progress())
	}
}

// TestResultsCountAsMemory that the tree has not come to, as it takes: those that are undecided with the numbers
// of their turns, and those that are decided with their parts.
func TestResultsCountAsMemory(t *testing.T) {
	const results = 50_000
	of := fanoronaOn(t, 9, 5)
	site := open(t, of, "")
	for name, tell := range map[string]func(i int, r *share.Result){
		"40 turns": func(_ int, r *share.Result) { r.Turns = make([]jobs.Turn, 40) },
		"no turns": func(int, *share.Result) {},
		"decided": func(i int, r *share.Result) {
			r.Verdict, r.Turns = proofnumber.Refuted, make([]jobs.Turn, 40)
			r.Part = share.Part{Digest: fmt.Sprintf("%064x", i), Checksum: fmt.Sprintf("%016x", i)}
		},
	} {
		proof, err := site.Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version})
		if err != nil {
			t.Fatal(err)
		}
		none, before := proof.Bytes(), heap()
		for i := range results {
			r := share.Result{Claim: "white-wins", Position: of.Game.Format(fanorona.Position{Own: uint64(i>>9<<10 | i&511), Opp: 1 << 40}, 0), Nodes: 1}
			tell(i, &r)
			if err := proof.TakeOther(r); err != nil {
				t.Fatal(err)
			}
		}
		got, want := float64(proof.Bytes()-none)/results, float64(heap()-before)/results
		t.Logf("%s: %.0f bytes a result, %.0f in memory", name, got, want)
		if got < 0.75*want || got > 1.5*want {
			t.Errorf("%s: %.0f bytes a result, want about %.0f", name, got, want)
		}
		runtime.KeepAlive(proof)
	}
}

// heap is the memory in use. What pools keep goes with the second collection, and what has a finalizer
// with the one behind that which calls it.
func heap() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestAPartThatShowsAllIsTheCertificate, as long as its file is what was checked.
func TestAPartThatShowsAllIsTheCertificate(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	site := open(t, of, "")
	proof, err := site.Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	team, path := newTeam(t, site, 1), filepath.Join(t.TempDir(), "whole")
	part := team.prove(t, proof)[0].Part
	if got, err := proof.Write(t.Context(), path, team.path); err != nil || got != part {
		t.Errorf("%+v, %v, want %+v", got, err, part)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(team.path(part.Digest)); err != nil || !bytes.Equal(text, whole) {
		t.Errorf("%d bytes of %d, %v", len(whole), len(text), err)
	}
	for at := range whole {
		damaged := slices.Clone(whole)
		damaged[at] ^= 1
		if err := os.WriteFile(team.path(part.Digest), damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := proof.Write(t.Context(), path, team.path); err == nil {
			t.Errorf("a part that is damaged at byte %d becomes the certificate", at)
		}
	}
	if text, err := os.ReadFile(path); err != nil || !bytes.Equal(text, whole) {
		t.Errorf("the certificate that was there is %d bytes of %d, %v", len(text), len(whole), err)
	}
	if err := os.Remove(team.path(part.Digest)); err != nil {
		t.Fatal(err)
	}
	if _, err := proof.Write(t.Context(), path, team.path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a part that is gone: %v", err)
	}
}

// TestACertificateIsCheckedOnceItIsPutTogether: parts were checked when they came, and what a ledger tells
// of them since is hearsay. One that does not show enough makes no answer.
func TestACertificateIsCheckedOnceItIsPutTogether(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	question := share.Question{Position: start(t, of), Claim: "white-wins", Version: version, Least: 20, Most: 20, Memory: 1 << 20}
	proof, err := site.Proof(question)
	if err != nil {
		t.Fatal(err)
	}
	team, path := newTeam(t, site, 1), filepath.Join(t.TempDir(), "whole")
	ledger, rests := team.prove(t, proof), proof.Rests()
	if len(rests) < 2 {
		t.Fatalf("the proof rests on %d parts: want several", len(rests))
	}
	var whole []byte
	for _, c := range []struct {
		name   string
		change func(*share.Part)
		want   error
		stays  bool // the certificate that was there
	}{
		{"as it was", func(*share.Part) {}, nil, false},
		{"gone", func(part *share.Part) { part.Digest = "nowhere" }, os.ErrNotExist, true},
		{"another one", func(part *share.Part) { part.Checksum = rests[1].Checksum }, proofs.ErrFormat, true},
		{"short of a record", func(part *share.Part) { *part = team.shortened(t, of.Game, *part) }, share.ErrPart, true},
	} {
		again, err := site.Proof(question)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range ledger {
			if r.Part == rests[0] {
				c.change(&r.Part)
			}
			if err := again.Take(r); err != nil {
				t.Fatal(err)
			}
		}
		if task, found := again.Next(1); found { // all is known
			t.Fatal(task)
		}
		if _, err := again.Write(t.Context(), path, team.path); again.Verdict() != proofnumber.Proved || !errors.Is(err, c.want) {
			t.Errorf("a part is %s: %v, %v, want %v", c.name, again.Verdict(), err, c.want)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.stays && !bytes.Equal(text, whole) {
			t.Errorf("a part is %s: the certificate that was there is %d bytes of %d", c.name, len(text), len(whole))
		}
		whole = text
	}
}

// shortened is a part that lacks its last record, and is whole otherwise.
func (m *team) shortened(t *testing.T, game proofs.Game[fanorona.Position], part share.Part) share.Part {
	t.Helper()
	text, err := os.ReadFile(m.path(part.Digest))
	if err != nil {
		t.Fatal(err)
	}
	file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w, err := proofs.NewWriter(&out, game, file.Header, 1)
	if err != nil {
		t.Fatal(err)
	}
	left := part.Positions
	for rec, err := range file.Records(proofs.Claim{Wins: true}, part.Checksum) {
		if left--; err == nil && left > 0 {
			err = w.Copy(rec)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	short, err := proofs.Open(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(out.Bytes())
	lie := share.Part{Digest: hex.EncodeToString(sum[:]), Checksum: short.Part().Checksum, Positions: part.Positions - 1, Bytes: int64(out.Len())}
	if err := os.WriteFile(m.path(lie.Digest), out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return lie
}

// TestAPositionThatIsTooMuchForATaskIsSplit, whatever its nodes. Of any other, more is asked.
func TestAPositionThatIsTooMuchForATaskIsSplit(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	root := start(t, of)
	for _, smaller := range []bool{false, true} {
		proof, err := open(t, of, "").Proof(share.Question{Position: root, Claim: "white-wins", Version: version})
		if err != nil {
			t.Fatal(err)
		}
		turns := make([]jobs.Turn, proof.Turns(root, 100))
		for i := range turns {
			turns[i].Numbers = jobs.Numbers{Proof: 1, Disproof: 1}
		}
		if err := proof.Take(share.Result{Claim: "white-wins", Position: root, Nodes: 1, Turns: turns, Smaller: smaller}); err != nil {
			t.Fatal(err)
		}
		if task, found := proof.Next(1); !found || (task.Position != root) != smaller {
			t.Errorf("too much %v: the next task is %+v", smaller, task)
		}
	}
}

// TestAPositionOfTheTablesNeedsNoPart: they tell its verdict, and the certificate names them.
func TestAPositionOfTheTablesNeedsNoPart(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	dir := built(t, of, 4)
	site, position := open(t, of, dir), "B.B/.../W.W w"
	shelf, err := prover.Load(t.Context(), of, dir, prover.UpTo(of, bitboard.AllPieces), prover.LoadOptions{Workers: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Free()
	for _, claim := range []string{"white-wins", "white-not-lost", "black-wins", "black-not-lost"} {
		proof, err := site.Proof(share.Question{Position: position, Claim: claim, Version: version, Memory: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		if task, found := proof.Next(1); found || proof.Verdict() == proofnumber.Undecided {
			t.Fatalf("%s: %v, and the task %+v", claim, proof.Verdict(), task)
		}
		path, shown := filepath.Join(t.TempDir(), "whole"), proof.Attack()
		if (claim == shown) != (proof.Verdict() == proofnumber.Proved) {
			shown = proof.Defence()
		}
		if _, err := proof.Write(t.Context(), path, func(string) string { return "" }); err != nil {
			t.Fatalf("%s: %v", claim, err)
		}
		checked(t, of, shelf, path, shown, position)
	}
}

// TestWhatAProofTellsOfPositions: which are wanted, which can be read, whose numbers are hints.
func TestWhatAProofTellsOfPositions(t *testing.T) {
	of := fanoronaOn(t, 3, 3)
	root := start(t, of)
	for _, claim := range []string{"white-wins", "black-not-lost"} {
		proof, err := open(t, of, "").Proof(share.Question{Position: root, Claim: claim, Version: version})
		if err != nil {
			t.Fatal(err)
		}
		if attack, defence := proof.Attack(), proof.Defence(); attack != "white-wins" || defence != "black-not-lost" {
			t.Errorf("%s: an attack is %s, and its opposite %s", claim, attack, defence)
		}
		other, hints := "B.B/.../W.W w", func(n int) []jobs.Turn { return make([]jobs.Turn, n) }
		p, _, err := of.Game.Parse(root)
		if err != nil {
			t.Fatal(err)
		}
		turns := len(of.Game.Turns(nil, p))
		if !proof.Wanted(root) || proof.Wanted(other) || proof.Wanted("?") || !proof.Readable(other) || proof.Readable("?") {
			t.Errorf("%s: what is wanted or can be read is not told", claim)
		}
		for _, n := range []int{0, turns - 1, turns, turns + 1} {
			if got := proof.Hints(root, hints(n)); len(got) != n && n == turns || len(got) > 0 && n != turns {
				t.Errorf("%s: of %d numbers for %d turns %d are hints", claim, n, turns, len(got))
			}
		}
		if proof.Hints("?", hints(turns)) != nil || proof.Turns("?", turns) != 0 {
			t.Errorf("%s: hints about no position, or turns of one", claim)
		}
		task, found := proof.Next(1)
		if !found || task.Position != root || proof.Progress().InFlight != 1 {
			t.Fatalf("%s: %+v, %v", claim, task, found)
		}
		proof.Return(share.Task{Identity: jobs.Identity{Position: "?"}})
		if proof.Return(task); proof.Progress().InFlight != 0 {
			t.Errorf("%s: a task that was taken back is out", claim)
		}
		told := hints(turns)
		for i := range told {
			told[i] = jobs.Turn{Numbers: jobs.Numbers{Proof: 7, Disproof: 3}}
		}
		if err := proof.Take(share.Result{Claim: "white-wins", Position: root, Turns: told}); err != nil {
			t.Fatal(err)
		}
		want := [2]uint32{7, 3}
		if claim != "white-wins" { // of which what proves the other one is a disproof
			want = [2]uint32{3, 7}
		}
		openings := proof.Openings()
		if len(openings) != turns || proof.Verdict() != proofnumber.Undecided {
			t.Errorf("%s: %d openings of %d turns", claim, len(openings), turns)
		}
		for _, o := range openings {
			if [2]uint32{o.Proof, o.Disproof} != want || o.Result != proofnumber.Undecided || o.Turn == "" {
				t.Errorf("%s: %+v, want %v", claim, o, want)
			}
		}
		first, second := share.Part{Digest: "1", Checksum: "1"}, share.Part{Digest: "2", Checksum: "2"}
		for _, part := range []share.Part{first, second} { // the first one counts
			if err := proof.Take(share.Result{Claim: "white-wins", Position: root, Verdict: proofnumber.Refuted, Part: part}); err != nil {
				t.Fatal(err)
			}
		}
		if got := proof.Rests(); !slices.Equal(got, []share.Part{first}) || proof.Wanted(root) {
			t.Errorf("%s: it rests on %v, want the first part", claim, got)
		}
	}
}

// TestTablesHaveOneFingerprint, in whatever order, and others another.
func TestTablesHaveOneFingerprint(t *testing.T) {
	a, b := proofs.Table{Slice: "1v1", Metric: "wdl", Checksum: "a"}, proofs.Table{Slice: "2v1", Metric: "wdl", Checksum: "b"}
	whole := share.Fingerprint([]proofs.Table{a, b})
	if share.Fingerprint([]proofs.Table{b, a}) != whole {
		t.Error("it depends on their order")
	}
	seen := map[string]bool{whole: true, share.Fingerprint(nil): true}
	for _, other := range []proofs.Table{{Slice: "1v2", Metric: "wdl", Checksum: "a"}, {Slice: "1v1", Metric: "dtw", Checksum: "a"}, {Slice: "1v1", Metric: "wdl", Checksum: "b"}, {Slice: "1v", Metric: "1wdl", Checksum: "a"}} {
		seen[share.Fingerprint([]proofs.Table{other, b})] = true
	}
	seen[share.Fingerprint([]proofs.Table{a})], seen[share.Fingerprint([]proofs.Table{b})] = true, true
	if len(seen) != 8 {
		t.Errorf("%d fingerprints, want 8", len(seen))
	}
}

// TestASiteServesEveryNameOfTheSides: claims about players while the opening of Konane is
// played, about colours afterwards, with the same tables.
func TestASiteServesEveryNameOfTheSides(t *testing.T) {
	board := bitboard.Board{Width: 3, Height: 3}
	game, err := konane.New[konane.Word](board, konane.Rules{})
	site := open(t, subject[konane.Position[konane.Word]](t, "konane", board, konane.Rules{}, game, err), "")
	for _, q := range []share.Question{
		{Position: "xox/oxo/xox b first", Claim: "second-wins", Version: version},
		{Position: "xo./ox./xox b", Claim: "black-wins", Version: version},
	} {
		proof, err := site.Proof(q)
		if err != nil {
			t.Fatal(err)
		}
		task, found := proof.Next(1)
		if !found || task.Claim != q.Claim || task.Position != q.Position {
			t.Fatalf("%+v: task %+v", q, task)
		}
		s, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		decided, err := s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
		if err != nil || decided.Verdict == proofnumber.Undecided {
			t.Errorf("%+v: %+v, %v", q, decided, err)
		}
		s.Close()
	}
	if _, err := site.Proof(share.Question{Position: "xox/oxo/xox b", Claim: "nobody-wins"}); err == nil {
		t.Error("a claim about nobody is taken")
	}
}

// TestTheFirstSearchHasTheOrderOfTheGame: it takes as many nodes as one without a hub. Those
// beside it have orders of their own, by chance, though none has heard of another yet.
func TestTheFirstSearchHasTheOrderOfTheGame(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site, root, claim := open(t, of, ""), start(t, of), proofs.Claim{Wins: true}
	shelf, err := prover.Load(t.Context(), of, "", prover.UpTo(of, bitboard.AllPieces), prover.LoadOptions{Workers: 1, Memory: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Free()
	p, side, err := of.Game.Parse(root)
	if err != nil {
		t.Fatal(err)
	}
	one, err := prover.Decide(t.Context(), of, prover.Question[fanorona.Position]{Root: p, Side: side, Claims: []proofs.Claim{claim}}, 1<<22, of.Search(shelf, proofnumber.DFPN, 0))
	if err != nil {
		t.Fatal(err)
	}
	proof, err := site.Proof(share.Question{Position: root, Claim: claim.Text(of.Game.SideName), Version: version, Least: 1 << 20, Most: 1 << 20, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	nodes := make(map[uint64]bool)
	for beside := range uint(4) {
		task, _ := proof.Next(4)
		if task.Beside != beside {
			t.Fatalf("%d beside it, want %d", task.Beside, beside)
		}
		solved := uint64(0)
		s, err := site.Searcher(share.SearcherOptions{Table: 1 << 22, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{
			Moved:   func(nodes uint64) { solved += nodes },
			Decided: func() { nodes[solved] = true },
		})
		s.Close()
		if err != nil || found.Verdict != one.Verdict {
			t.Fatalf("%v, %v, want %v", found.Verdict, err, one.Verdict)
		}
		if beside == 0 && !nodes[one.Nodes] {
			t.Errorf("the first took %d nodes, one without a hub %d", solved, one.Nodes)
		}
	}
	if len(nodes) == 1 {
		t.Errorf("four searches took %v nodes", nodes)
	}
}

// TestHintsBelongToTheirTurns: all who search a task tell what is behind each turn in the order of
// the rules, as the tree takes it, whatever their own order is. After one position all know as much.
func TestHintsBelongToTheirTurns(t *testing.T) {
	of := fanoronaOn(t, 5, 3)
	site := open(t, of, "")
	proof, err := site.Proof(share.Question{Position: start(t, of), Claim: "white-wins", Version: version, Least: 1, Most: 1, Memory: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	var first []jobs.Turn
	for beside := range uint(4) {
		task, _ := proof.Next(4)
		s, err := site.Searcher(share.SearcherOptions{Table: 1 << 20, Sets: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
		s.Close()
		if err != nil || found.Verdict != proofnumber.Undecided || task.Beside != beside || task.Nodes != 1 {
			t.Fatalf("%+v: %+v, %v", task, found, err)
		}
		if beside == 0 {
			first = found.Turns
		}
		if !slices.Equal(found.Turns, first) {
			t.Errorf("%d beside it: %v, the first %v", beside, found.Turns, first)
		}
	}
	if same := slices.Repeat(first[:1], len(first)); slices.Equal(first, same) {
		t.Errorf("%v: the test tells nothing", first)
	}
}

// crowded are positions of Phutball on 9x9 with so many turns that they are not listed: in the
// answer about a question, by a search with little memory, and in the tree of a question.
var crowded = []string{
	"........./........./...*...../*.*.*.*.*/.*.*@*.*./*.*.*.*.*/.*.*.*.*./*.*.*.*.*/.*.*.*.*. ohs", // 39,757
	"........./........./.*.*.*.*./*.*.*.*.*/.*.*@*.*./*.*.*.*.*/.*.*.*.*./*.*.*.*.*/.*.*.*.*. ohs", // 396,336
}

// phutball9x9 is a site, and its game.
func phutball9x9(t *testing.T) (share.Site, *phutball.Game) {
	t.Helper()
	board := bitboard.Board{Width: 9, Height: 9}
	game, err := phutball.New(board, phutball.Rules{})
	of := subject[phutball.Position](t, "phutball", board, phutball.Rules{}, game, err)
	return open(t, of, ""), game
}

// TestAQuestionWithTooManyTurnsIsRefused, by its position.
func TestAQuestionWithTooManyTurnsIsRefused(t *testing.T) {
	site, _ := phutball9x9(t)
	for position, want := range map[string]error{crowded[0]: nil, crowded[1]: bitboard.ErrTooManyTurns} {
		proof, err := site.Proof(share.Question{Position: position, Claim: "ohs-wins", Version: version})
		if !errors.Is(err, want) || err != nil && !strings.Contains(err.Error(), position) {
			t.Errorf("%s: %v, want %v", position, err, want)
		}
		if err == nil && len(proof.Openings()) > 0 {
			t.Errorf("%s: %d openings are told", position, len(proof.Openings()))
		}
	}
}

// TestATaskWithTooManyTurnsDecidesNothing, and ends no searcher.
func TestATaskWithTooManyTurnsDecidesNothing(t *testing.T) {
	site, game := phutball9x9(t)
	proof, err := site.Proof(share.Question{Position: crowded[0], Claim: "ohs-wins", Version: version, Least: 10, Most: 10})
	if err != nil {
		t.Fatal(err)
	}
	task, found := proof.Next(1)
	p, _, err := game.Parse(crowded[0])
	if !found || err != nil {
		t.Fatal(found, err)
	}
	if turns := proof.Turns(task.Position, 1<<20); turns != len(game.Turns(nil, p)) || proof.Turns(task.Position, 100) != 100 {
		t.Errorf("%d turns", turns)
	}
	result, err := newTeam(t, site, 1).searchers[0].Search(t.Context(), task, version, 1, filepath.Join(t.TempDir(), "part"), share.Watch{Moved: func(uint64) {}})
	if err != nil || result.Verdict != proofnumber.Undecided || len(result.Turns) > 0 || result.Smaller {
		t.Errorf("%v with %d turns, smaller %v, %v: want nothing", result.Verdict, len(result.Turns), result.Smaller, err)
	}
}
