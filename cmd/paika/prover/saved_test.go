package prover_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// place is a certificate to be completed, and the folder where the search for it is saved, with
// the notices of that.
type place struct {
	of           subject
	path, folder string
	told         []string
}

func newPlace(t *testing.T, of subject) *place {
	t.Helper()
	dir := t.TempDir()
	return &place{of: of, path: filepath.Join(dir, "proof"), folder: filepath.Join(dir, "searches")}
}

func (p *place) options(folder string) prover.Options {
	return prover.Options{
		Workers: 1, Memory: 64 << 20, Table: 1 << 20, Checkpoints: folder, Notice: func(text string) { p.told = append(p.told, text) },
	}
}

// prove has a prover write the certificate.
func (p *place) prove(t *testing.T, by *prover.Prover[position], q prover.Question[position]) *prover.Answer[position] {
	t.Helper()
	file, err := lasting.CreateRegular(p.path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Discard()
	q.Files = []*lasting.File{file}
	answer, err := by.Prove(t.Context(), q)
	if err != nil || answer.Verdict != proofnumber.Proved {
		t.Fatalf("%+v, %v", answer, err)
	}
	return answer
}

// ask asks whether White wins from the start, and gives up completing the certificate, so that the
// same question can go on from there, and from what has one of the checksums.
func (p *place) ask(t *testing.T, shelf *prover.Shelf[position], completing bool, completed ...string) *prover.Answer[position] {
	t.Helper()
	p.told = nil
	start, side, _ := p.of.Game.Start()
	answer := p.prove(t, prover.New(p.of, shelf, p.options(p.folder)), prover.Question[position]{
		Root: start, Side: side, Claims: claims[:1], Completing: completing,
	})
	if completing {
		for _, checksum := range completed {
			answer.Saved.Completed(checksum)
		}
		if answer.Saved.End(context.Canceled) == "" {
			t.Fatal("nothing is saved")
		}
	}
	return answer
}

// TestCompletingGoesOnFromTheCertificatesOfTheSearchAlone: where another one stands in their place,
// if it is of the same claim, or none is to be completed, or other tables are at hand, the search goes on. What
// was made of one is good.
func TestCompletingGoesOnFromTheCertificatesOfTheSearchAlone(t *testing.T) {
	of, drawn := newSubject(t), subjectOn(t, bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{StalemateDraws: true})
	none, tables := prover.NewShelf(of), load(t, of, build(t, of, 2), prover.UpTo(of, 2))
	start, side, _ := of.Game.Start()
	other, _, err := of.Game.Parse("..B/WW./W.. w") // White wins there, too
	if err != nil {
		t.Fatal(err)
	}
	question := prover.Question[position]{Root: start, Side: side, Claims: claims[:1]}
	elsewhere, less := question, question
	elsewhere.Root, less.Claims = other, claims[1:2]
	plain := func(of subject, shelf *prover.Shelf[position]) *prover.Prover[position] {
		return prover.New(of, shelf, prover.Options{Workers: 1, Memory: 64 << 20, Table: 1 << 20})
	}
	whole := newPlace(t, of)
	whole.prove(t, plain(of, none), question)
	relying := plain(of, none)
	rely(t, relying, of, question)
	for name, c := range map[string]struct {
		shelf    *prover.Shelf[position]   // of the search
		by       *prover.Prover[position]  // who puts another certificate there then; nil: its own stays
		other    prover.Question[position] // which that is about
		then     *prover.Shelf[position]   // of the second search, if it is another
		told     []string                  // checksums of what completing made
		decides  bool                      // the question is asked again without completing
		recalled bool
	}{
		"its own":                                {shelf: none, recalled: true},
		"its own, of tables":                     {shelf: tables, recalled: true},
		"completed":                              {shelf: tables, by: plain(of, none), other: question, told: []string{"0123456789abcdef", opened(t, whole.path).Part().Checksum}, recalled: true},
		"that needs no tables, of somebody else": {shelf: tables, by: plain(of, none), other: question, told: []string{"0123456789abcdef", ""}},
		"its own, with more tables":              {shelf: none, then: tables, recalled: true},
		"its own, with fewer tables":             {shelf: tables, then: none},
		"of tables":                              {shelf: none, by: plain(of, tables), other: question},
		"of another root":                        {shelf: none, by: plain(of, none), other: elsewhere},
		"of another claim":                       {shelf: none, by: plain(of, none), other: less},
		"under other rules":                      {shelf: none, by: plain(drawn, prover.NewShelf(drawn)), other: question},
		"that names a part":                      {shelf: none, by: relying, other: question},
		"not to be completed":                    {shelf: none, decides: true},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, of)
			first := p.ask(t, c.shelf, true, c.told...)
			if first.Saved.Recalled || first.Certificates[0].Positions == 0 {
				t.Fatalf("first %+v", first)
			}
			if c.by != nil {
				p.prove(t, c.by, c.other)
			}
			if c.then == nil {
				c.then = c.shelf
			}
			answer := p.ask(t, c.then, !c.decides)
			recalled := answer.Saved != nil && answer.Saved.Recalled
			if recalled != c.recalled || len(answer.Certificates) != 1 || (answer.Certificates[0].Positions == 0) != recalled {
				t.Errorf("recalled is %v, %+v: want %v", recalled, answer, c.recalled)
			}
			if answer.Resumed != first.Nodes {
				t.Errorf("gone on from %d nodes, want %d", answer.Resumed, first.Nodes)
			}
			told, want := p.told, []string{"are not in their places", "going on"}
			switch {
			case recalled:
				want = []string{"certificates are completed"}
			case c.decides:
				want = want[1:]
			}
			if !slices.EqualFunc(told, want, strings.Contains) {
				t.Errorf("told %q, want %q", told, want)
			}
		})
	}
}

// TestWhatCompletingCameToIsNotAskedAgain: the file goes, and its folder. It stays where completing
// was stopped, and where a certificate or a table turned out wrong: the search goes on then.
func TestWhatCompletingCameToIsNotAskedAgain(t *testing.T) {
	of := newSubject(t)
	start, side, _ := of.Game.Start()
	for _, c := range []struct {
		err             error
		stays, recalled bool
	}{
		{nil, false, false}, {&prover.RefusedError{}, true, false}, {fmt.Errorf("%w: cut", proofs.ErrFormat), true, false}, {context.Canceled, true, true},
	} {
		p := newPlace(t, of)
		answer := p.prove(t, prover.New(of, prover.NewShelf(of), p.options(p.folder)), prover.Question[position]{
			Root: start, Side: side, Claims: claims[:1], Completing: true,
		})
		path := answer.Saved.End(c.err)
		if tells := path != ""; tells != c.recalled {
			t.Errorf("%v: it goes on from %q", c.err, path)
		}
		if _, err := os.Stat(p.folder); (err == nil) != c.stays {
			t.Errorf("%v: the folder: %v", c.err, err)
		}
		again := p.ask(t, prover.NewShelf(of), true)
		if again.Saved.Recalled != c.recalled || (again.Resumed == answer.Nodes) != c.stays {
			t.Errorf("%v: again %+v", c.err, again)
		}
	}
}

// stopping is a game that tells each time that turns are listed.
type stopping struct {
	bitboard.Game[position]
	lists func()
}

func (g stopping) Turns(dst []position, p position) []position {
	g.lists()
	return g.Game.Turns(dst, p)
}

// TestASearchThatIsStoppedIsSaved, though its context has ended by then. Of so many positions writing
// would heed that.
func TestASearchThatIsStoppedIsSaved(t *testing.T) {
	const listed = 25_000
	p := newPlace(t, subjectOn(t, bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{}))
	start, side, _ := p.of.Game.Start()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	left := listed
	by := prover.New(p.of, prover.NewShelf(p.of), p.options(p.folder))
	answer, err := by.Prove(ctx, prover.Question[position]{
		Root: start, Side: side, Claims: claims[:1], Game: stopping{p.of.Game, func() {
			if left--; left == 0 {
				cancel()
			}
		}},
	})
	if answer == nil || !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, %v, want %v", answer, err, context.Canceled)
	}
	if _, err := os.Stat(answer.Checkpoint); err != nil || len(p.told) > 0 {
		t.Errorf("%v, told %q: want the search saved", err, p.told)
	}
}

// TestSearchesUnderOtherRulesAreSavedApart, and the folder goes with the last of them.
func TestSearchesUnderOtherRulesAreSavedApart(t *testing.T) {
	p := newPlace(t, newSubject(t))
	prove := func(rules fanorona.Rules, nodes uint64) *prover.Answer[position] {
		t.Helper()
		of, o := subjectOn(t, bitboard.Board{Width: 3, Height: 3}, rules), p.options(p.folder)
		o.Nodes = nodes
		start, side, _ := of.Game.Start()
		answer, err := prover.New(of, prover.NewShelf(of), o).Prove(t.Context(), prover.Question[position]{Root: start, Side: side, Claims: claims[:1]})
		if err != nil || (answer.Verdict == proofnumber.Undecided) != (answer.Checkpoint != "") {
			t.Fatalf("%v: %+v, %v", rules, answer, err)
		}
		return answer
	}
	const few, enough = 5, 0
	one, other := fanorona.Rules{}, fanorona.Rules{StalemateDraws: true}
	if a, b := prove(one, few).Checkpoint, prove(other, few).Checkpoint; a == "" || a == b {
		t.Errorf("saved in %q and %q, want two files", a, b)
	}
	prove(one, enough)
	if left, err := os.ReadDir(p.folder); err != nil || len(left) == 0 {
		t.Errorf("%v, %v are left, want the other search", left, err)
	}
	prove(other, enough)
	if left, err := os.ReadDir(p.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v, %v are left, want no folder", left, err)
	}
}
