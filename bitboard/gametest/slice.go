package gametest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"paika/bitboard"
)

// sliceChecker checks one slice, from one goroutine.
type sliceChecker[P comparable] struct {
	game    Game[P]
	options Options[P]
	slice   bitboard.Slice
	indices uint64
	inside  []bitboard.Slice // the slice's group
	needs   []bitboard.Slice

	valuer   *valuer[P]  // one for all positions: what it keeps from one to the next is right
	unvalued bool        // since the tables would be too large
	deep     *deepValuer // one for all positions, too
	traced   *traced     // the same

	nearWeights map[uint64]int // the same

	passed *bitboard.Slice // where the passed positions seen so far lie, or nil

	edges   bitboard.Edges // dirty from run to run, as a solver's are
	weights []uint8
}

func newSliceChecker[P comparable](game Game[P], o Options[P], s bitboard.Slice, group bitboard.Group) *sliceChecker[P] {
	return &sliceChecker[P]{game: game, options: o, slice: s, indices: game.Indices(s), inside: group.Slices, needs: group.Needs}
}

// entry is what an index of a run stands for, by Unrank and the rules.
type entry[P comparable] struct {
	index  uint64
	p      P
	weight int // 0 for a gap; nothing below then means anything
	turns  []P
	fate   bitboard.Fate
}

// together checks the first indices from several goroutines at once: a buffer that
// calls share gives wrong answers then, or is found by the race detector.
func together[P comparable](game Game[P], o Options[P], s bitboard.Slice, group bitboard.Group) error {
	const goroutines, most = 3, 8
	var all errgroup.Group
	for range goroutines {
		c := newSliceChecker(game, o, s, group)
		all.Go(func() error {
			_, err := c.run(0, min(most, c.indices))
			return err
		})
	}
	return all.Wait()
}

// run checks the indices [lo, hi) and tells how many positions they stand for.
func (c *sliceChecker[P]) run(lo, hi uint64) (positions uint64, err error) {
	if lo >= hi {
		return 0, nil
	}
	entries := make([]entry[P], 0, hi-lo)
	for i := lo; i < hi; i++ {
		e := entry[P]{index: i}
		e.p, e.weight = c.game.Unrank(c.slice, i)
		positions += uint64(e.weight)
		if e.weight != 0 {
			e.turns = c.game.Turns(nil, e.p)
			if e.fate, err = c.fate(e); err != nil {
				return 0, c.at(e, err)
			}
		}
		entries = append(entries, e)
	}
	for _, check := range []func([]entry[P]) error{c.checkWalk, c.checkPositions, c.checkChosenWalker, c.checkHeld, c.checkNearWalker, c.checkSparseValuer, c.checkDepthValuer, c.checkTracer, c.checkSettle, c.checkForward, c.checkBackward, c.checkEvaluator, c.checkCounts} {
		if err := check(entries); err != nil {
			return 0, err
		}
	}
	return positions, nil
}

// at says where an error was found.
func (c *sliceChecker[P]) at(e entry[P], err error) error {
	if e.weight == 0 {
		return fmt.Errorf("index %d, a gap: %w", e.index, err)
	}
	return fmt.Errorf("index %d, %s: %w", e.index, c.game.Format(e.p, 0), err)
}

// fate is what Settle must answer, derived from the turns.
func (c *sliceChecker[P]) fate(e entry[P]) (bitboard.Fate, error) {
	if len(e.turns) == 0 {
		switch c.game.Ended(e.p) {
		case bitboard.Loss:
			return bitboard.Lost, nil
		case bitboard.Draw:
			return bitboard.Drawn, nil
		}
		return 0, errors.New("over and won for the side to move: want no slice to hold it (see bitboard.Rules)")
	}
	fate, edges := bitboard.ByEdges, false
	for _, q := range e.turns {
		switch {
		case !c.options.Outside(q):
			s := c.game.SliceOf(q)
			if slices.Contains(c.inside, s) {
				fate = bitboard.Open
			} else if !slices.Contains(c.needs, s) {
				if len(c.game.Turns(nil, q)) == 0 {
					return 0, fmt.Errorf("a turn ends the game with %s, in a slice that the group does not need: if no slice holds it, Options.Outside must tell so", c.game.Format(q, 1))
				}
				return 0, fmt.Errorf("a turn leads to slice %s, which the group does not need", c.game.SliceName(s))
			}
			edges = true
		case len(c.game.Turns(nil, q)) != 0:
			return 0, fmt.Errorf("play goes on after a turn to %s, outside of all slices", c.game.Format(q, 1))
		case c.game.Ended(q) == bitboard.Loss:
			return bitboard.Won, nil
		case c.game.Ended(q) == bitboard.Draw:
			return 0, fmt.Errorf("a turn draws with %s, outside of all slices, where no edge can lead", c.game.Format(q, 1))
		}
	}
	if !edges {
		return 0, errors.New("every turn loses outside of all slices, and no fate says so")
	}
	return fate, nil
}

// checkWalk checks that Walk and Weights agree with Unrank.
func (c *sliceChecker[P]) checkWalk(entries []entry[P]) error {
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	var walked []entry[P]
	c.game.Walk(c.slice, lo, hi, func(index uint64, p P, weight int) bool {
		walked = append(walked, entry[P]{index: index, p: p, weight: weight})
		return true
	})
	c.weights = c.game.Weights(c.weights[:0], c.slice, lo, hi)
	if len(c.weights) != len(entries) {
		return fmt.Errorf("indices [%d, %d): %d weights", lo, hi, len(c.weights))
	}
	for i, e := range entries {
		if int(c.weights[i]) != e.weight {
			return c.at(e, fmt.Errorf("method Weights tells %d, Unrank %d", c.weights[i], e.weight))
		}
		switch goes := len(walked) > 0 && walked[0].index == e.index; {
		case goes && e.weight == 0:
			return c.at(e, errors.New("the walk goes there"))
		case !goes && e.weight != 0:
			return c.at(e, errors.New("the walk passes it by"))
		case goes && (walked[0].p != e.p || walked[0].weight != e.weight):
			return c.at(e, fmt.Errorf("the walk tells %s and weight %d, Unrank weight %d", c.game.Format(walked[0].p, 0), walked[0].weight, e.weight))
		case goes:
			walked = walked[1:]
		}
	}
	if len(walked) != 0 {
		return fmt.Errorf("indices [%d, %d): the walk goes to index %d", lo, hi, walked[0].index)
	}
	return c.checkWalkStops(lo, hi)
}

func (c *sliceChecker[P]) checkWalkStops(lo, hi uint64) error {
	yields := 0
	c.game.Walk(c.slice, lo, hi, func(uint64, P, int) bool {
		yields++
		return false
	})
	if yields > 1 {
		return fmt.Errorf("indices [%d, %d): the walk goes on after yield answered false", lo, hi)
	}
	return nil
}

// checkHeld checks, where the game is a bitboard.Sparse, that Holds and Held
// agree, and that all turns of what they leave out lead out of the group.
func (c *sliceChecker[P]) checkHeld(entries []entry[P]) error {
	game, is := c.game.(bitboard.Sparse[P])
	if !is {
		return nil
	}
	lo := entries[0].index
	held := make([]uint64, (len(entries)+63)/64)
	held[0] = ^uint64(0) // what stands there must not matter
	game.Held(held, c.slice, lo, lo+uint64(len(entries)))
	for i, e := range entries {
		holds := e.weight != 0 && game.Holds(e.p)
		switch {
		case held[i/64]>>(i%64)&1 != 0 != holds:
			return c.at(e, fmt.Errorf("method Held tells %t, Holds %t", !holds, holds))
		case e.weight == 0 || holds:
			continue
		case len(e.turns) == 0:
			return c.at(e, errors.New("left out, and has no turns"))
		}
		for _, q := range e.turns {
			if !c.options.Outside(q) && slices.Contains(c.inside, c.game.SliceOf(q)) {
				return c.at(e, fmt.Errorf("left out, and a turn to %s stays in the group", c.game.Format(q, 1)))
			}
		}
	}
	return nil
}

// checkPositions checks what the fine contract says of each position.
func (c *sliceChecker[P]) checkPositions(entries []entry[P]) error {
	for _, e := range entries {
		if e.weight == 0 {
			continue
		}
		for _, check := range []func(entry[P]) error{c.checkRank, c.checkTurns, c.checkPieces, c.checkBatch, c.checkUnmoves, c.checkText, c.checkPass, c.checkRepresentative, c.checkTurnWalker, c.checkTurnRanker, c.checkTurnValuer} {
			if err := check(e); err != nil {
				return c.at(e, err)
			}
		}
	}
	return nil
}

// checkPieces checks, where the game is a bitboard.PieceCounter, that a position has no more pieces
// than its slice is said to have.
func (c *sliceChecker[P]) checkPieces(e entry[P]) error {
	counter, is := c.game.(bitboard.PieceCounter[P])
	if !is {
		return nil
	}
	if has, most := counter.CountPieces(e.p), c.game.Pieces(c.slice); has > most {
		return fmt.Errorf("it has %d pieces, and method Pieces tells %d at most", has, most)
	}
	return nil
}

// checkText checks the notation of a position with either side to move.
func (c *sliceChecker[P]) checkText(e entry[P]) error {
	return errors.Join(checkText(c.game, e.p, 0), checkText(c.game, e.p, 1))
}

// checkPass checks, where the game is a bitboard.Passer, that a pass moves no
// piece, changes the side and undoes itself, and that the passed positions of
// the slice lie in one slice.
func (c *sliceChecker[P]) checkPass(e entry[P]) error {
	passer, ok := c.game.(bitboard.Passer[P])
	if !ok {
		return nil
	}
	q, exists := passer.Pass(e.p)
	if !exists {
		return nil
	}
	if back, exists := passer.Pass(q); !exists || back != e.p {
		return fmt.Errorf("passed twice it is %s", c.game.Format(back, 0))
	}
	text, passed := c.game.Format(e.p, 0), c.game.Format(q, 1)
	if pieces(text) != pieces(passed) || text == passed {
		return fmt.Errorf("passed it is %s", passed)
	}
	s := c.game.SliceOf(q)
	if c.passed != nil && s != *c.passed {
		return fmt.Errorf("passed it is in slice %s, others are in %s", c.game.SliceName(s), c.game.SliceName(*c.passed))
	}
	c.passed = &s
	return nil
}

// pieces is a position's text without the side to move, which follows a blank.
func pieces(text string) string {
	pieces, _, _ := strings.Cut(text, " ")
	return pieces
}

// checkRank checks that all images of a position, and as many as its weight
// tells, have its index.
func (c *sliceChecker[P]) checkRank(e entry[P]) error {
	images := make(map[P]bool)
	for _, image := range c.options.Images(e.p) {
		images[image] = true
		if s, index := c.game.Rank(image); s != c.slice || index != e.index {
			return fmt.Errorf("its image %s has index %d of slice %s", c.game.Format(image, 0), index, c.game.SliceName(s))
		}
		if s := c.game.SliceOf(image); s != c.slice {
			return fmt.Errorf("its image %s is in slice %s", c.game.Format(image, 0), c.game.SliceName(s))
		}
	}
	if !images[e.p] || len(images) != e.weight {
		return fmt.Errorf("weight %d, but %d images", e.weight, len(images))
	}
	return nil
}

// checkTurns checks that turns are appended to what is there, and that each leads
// to a position that has an index of its own, or to the end of the game outside all
// slices.
func (c *sliceChecker[P]) checkTurns(e entry[P]) error {
	if again := c.game.Turns([]P{e.p}, e.p); again[0] != e.p || !slices.Equal(again[1:], e.turns) {
		return errors.New("method Turns gives other turns when asked again, or writes over those that it gave")
	}
	for _, q := range e.turns {
		if c.options.Outside(q) {
			if s := c.game.SliceOf(q); slices.Contains(c.inside, s) || slices.Contains(c.needs, s) {
				return fmt.Errorf("a turn ends the game with %s, which is in slice %s", c.game.Format(q, 1), c.game.SliceName(s))
			}
			continue
		}
		s, index := c.game.Rank(q)
		if n := c.game.Indices(s); index >= n {
			return fmt.Errorf("a turn leads to %s, whose index is %d of the %d of slice %s", c.game.Format(q, 1), index, n, c.game.SliceName(s))
		}
		if at, weight := c.game.Unrank(s, index); weight == 0 || at != q && !slices.Contains(c.options.Images(q), at) {
			return fmt.Errorf("a turn leads to %s, which has no index: index %d of slice %s is that of %s", c.game.Format(q, 1), index, c.game.SliceName(s), c.game.Format(at, 1))
		}
	}
	return nil
}

// checkTurnWalker checks, where the game is a bitboard.TurnWalker, that it gives the turns
// of a position as they are listed, and stops where it is told to.
func (c *sliceChecker[P]) checkTurnWalker(e entry[P]) error {
	game, is := c.game.(bitboard.TurnWalker[P])
	if !is {
		return nil
	}
	for _, most := range []int{1, (len(e.turns) + 1) / 2, len(e.turns) + 1} {
		var got []P
		game.WalkTurns(e.p, func(after P) bool {
			got = append(got, after)
			return len(got) < most
		})
		if want := e.turns[:min(most, len(e.turns))]; !slices.Equal(got, want) {
			return fmt.Errorf("method WalkTurns gives %d turns, or others than the first %d", len(got), len(want))
		}
	}
	return nil
}

// checkBatch checks, where the game is a bitboard.BatchRanker, that it ranks the
// turns of a position together as it ranks each.
func (c *sliceChecker[P]) checkBatch(e entry[P]) error {
	game, is := c.game.(bitboard.BatchRanker[P])
	if !is {
		return nil
	}
	want := append([]bitboard.Ref{0}, c.places(e.turns)...) // 0 is there before
	if got := game.RankAll(make([]bitboard.Ref, 1), e.turns); !slices.Equal(got, want) {
		return fmt.Errorf("method RankAll tells %s, Rank %s", c.names(got[min(1, len(got)):]), c.names(want[1:]))
	}
	return nil
}

// places ranks positions one by one.
func (c *sliceChecker[P]) places(positions []P) (refs []bitboard.Ref) {
	for _, q := range positions {
		if c.options.Outside(q) {
			refs = append(refs, bitboard.MakeRef(c.game.SliceOf(q), 0))
		} else {
			refs = append(refs, bitboard.MakeRef(c.game.Rank(q)))
		}
	}
	return refs
}

// checkTurnRanker checks, where the game is a bitboard.TurnRanker, that it ranks the turns
// of Turns, stops where it is told to, and, where it is no bitboard.TurnValuer, mixes no turns.
func (c *sliceChecker[P]) checkTurnRanker(e entry[P]) error {
	game, is := c.game.(bitboard.TurnRanker[P])
	if !is {
		return nil
	}
	want, follow, inside := c.places(e.turns), game.RankTurns(), 0
	for most := 1; most <= len(want)+1; most++ {
		var turns []P
		var refs []bitboard.Ref
		follow(e.p, func(q P, at bitboard.Ref) bool {
			turns, refs = append(turns, q), append(refs, at)
			return len(turns) < most
		})
		n := min(most, len(want))
		if !slices.Equal(turns, e.turns[:n]) || !slices.Equal(refs, want[:n]) {
			return fmt.Errorf("method RankTurns tells %s of %d turns, Rank %s", c.names(refs), most, c.names(want[:n]))
		}
	}
	for _, at := range want {
		if slices.Contains(c.inside, at.Slice()) {
			inside++
		}
	}
	if _, values := c.game.(bitboard.TurnValuer[P]); !values && inside > 0 && inside < len(want) {
		return fmt.Errorf("the game ranks turns as it makes them, and mixes %d that stay in the group with others", inside)
	}
	return nil
}

// checkRepresentative checks, where the game is a bitboard.Symmetric, that one of
// a position's images stands for all of them, and that what is said of it holds for
// the position: the index, the turns up to symmetry, and how the game ended.
func (c *sliceChecker[P]) checkRepresentative(e entry[P]) error {
	game, is := c.game.(bitboard.Symmetric[P])
	if !is {
		return nil
	}
	r := game.Representative(e.p)
	images := c.options.Images(e.p)
	if !slices.Contains(images, r) {
		return fmt.Errorf("represented by %s, which is none of its images", c.game.Format(r, 0))
	}
	for _, image := range images {
		if other := game.Representative(image); other != r {
			return fmt.Errorf("its image %s is represented by %s, it itself by %s", c.game.Format(image, 0), c.game.Format(other, 0), c.game.Format(r, 0))
		}
	}
	if s, index := c.game.Rank(r); s != c.slice || index != e.index {
		return fmt.Errorf("its representative %s has index %d of slice %s", c.game.Format(r, 0), index, c.game.SliceName(s))
	}
	turns := make(map[P]int) // by representative: those of e.p, less those of r
	for _, q := range e.turns {
		turns[game.Representative(q)]++
	}
	for _, q := range c.game.Turns(nil, r) {
		turns[game.Representative(q)]--
	}
	for q, more := range turns {
		if more != 0 {
			return fmt.Errorf("%d turns more to %s, up to symmetry, than its representative %s has", more, c.game.Format(q, 1), c.game.Format(r, 0))
		}
	}
	for _, q := range append(slices.Clone(e.turns), e.p) {
		if err := c.checkEnd(q, game.Representative(q)); err != nil {
			return err
		}
	}
	return nil
}

// checkEnd checks that the game is over in a position and in its representative
// with the same value, or in neither.
func (c *sliceChecker[P]) checkEnd(p, r P) error {
	over, also := len(c.game.Turns(nil, p)) == 0, len(c.game.Turns(nil, r)) == 0
	if over != also || over && c.game.Ended(p) != c.game.Ended(r) {
		return fmt.Errorf("%s does not end as its representative %s does", c.game.Format(p, 0), c.game.Format(r, 0))
	}
	return nil
}

// checkUnmoves checks that Unmoves leads back from where the turns inside the
// group lead, and nowhere from where none does. For all positions of a group
// that makes one the exact inverse of the other.
func (c *sliceChecker[P]) checkUnmoves(e entry[P]) error {
	for _, q := range e.turns {
		if c.isInside(q) && !slices.Contains(c.game.Unmoves(nil, q), e.p) {
			return fmt.Errorf("it is no unmove of %s, where a turn leads", c.game.Format(q, 1))
		}
	}
	kept := c.game.Unmoves([]P{e.p}, e.p)
	if len(kept) == 0 || kept[0] != e.p {
		return errors.New("method Unmoves writes over what was there")
	}
	befores := kept[1:]
	for i, before := range befores {
		switch {
		case slices.Contains(befores[:i], before):
			return fmt.Errorf("unmove %s stands there twice", c.game.Format(before, 1))
		case !c.isInside(before):
			return fmt.Errorf("unmove %s is outside of the group", c.game.Format(before, 1))
		case !slices.Contains(c.game.Turns(nil, before), e.p):
			return fmt.Errorf("no turn leads here from unmove %s", c.game.Format(before, 1))
		}
	}
	return nil
}

func (c *sliceChecker[P]) isInside(p P) bool {
	return !c.options.Outside(p) && slices.Contains(c.inside, c.game.SliceOf(p))
}

// checkSettle checks fates, and the edges of positions decided by them.
func (c *sliceChecker[P]) checkSettle(entries []entry[P]) error {
	lo, hi := entries[0].index, entries[len(entries)-1].index+1
	c.game.Settle(c.slice, lo, hi, &c.edges)
	if len(c.edges.Fates) != len(entries) || len(c.edges.Ends) != len(entries) {
		return fmt.Errorf("edges of Settle of [%d, %d): %d fates and %d ends", lo, hi, len(c.edges.Fates), len(c.edges.Ends))
	}
	for i, e := range entries {
		if got := c.edges.Fates[i]; got != e.fate {
			return c.at(e, fmt.Errorf("fate %d, want %d", got, e.fate))
		}
		var want []bitboard.Ref
		if e.fate == bitboard.ByEdges {
			want = c.refs(e.turns)
		}
		if err := c.compare("Settle", i, want); err != nil {
			return c.at(e, err)
		}
	}
	return nil
}

// checkForward checks the edges of the open positions of a run, in disorder.
func (c *sliceChecker[P]) checkForward(entries []entry[P]) error {
	open, indices := opened(entries)
	c.game.Forward(c.slice, indices, &c.edges)
	if len(c.edges.Ends) != len(open) {
		return fmt.Errorf("edges of Forward of %d indices: %d ends", len(open), len(c.edges.Ends))
	}
	for i, e := range open {
		if err := c.compare("Forward", i, c.refs(e.turns)); err != nil {
			return c.at(e, err)
		}
	}
	return nil
}

// checkBackward checks that the edges to open positions lead back to those of
// their unmoves that are open. As Unmoves inverts Turns, which Forward agrees
// with, that makes Backward the transpose of Forward.
func (c *sliceChecker[P]) checkBackward(entries []entry[P]) error {
	open, indices := opened(entries)
	c.game.Backward(c.slice, indices, &c.edges)
	if len(c.edges.Ends) != len(open) {
		return fmt.Errorf("edges of Backward of %d indices: %d ends", len(open), len(c.edges.Ends))
	}
	for i, e := range open {
		var befores []P
		for _, before := range c.game.Unmoves(nil, e.p) {
			fate, err := c.fate(entry[P]{p: before, turns: c.game.Turns(nil, before)})
			if err != nil {
				return c.at(e, err)
			}
			if fate == bitboard.Open {
				befores = append(befores, before)
			}
		}
		if err := c.compare("Backward", i, c.refs(befores)); err != nil {
			return c.at(e, err)
		}
	}
	return nil
}

// opened picks the open entries of a run, shuffled, and their indices.
func opened[P comparable](entries []entry[P]) (open []entry[P], indices []uint64) {
	for _, e := range entries {
		if e.fate == bitboard.Open {
			open = append(open, e)
		}
	}
	rng := rand.New(rand.NewPCG(entries[0].index, 0))
	rng.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	for _, e := range open {
		indices = append(indices, e.index)
	}
	return open, indices
}

// refs names the positions that slices hold, each once, in order.
func (c *sliceChecker[P]) refs(positions []P) []bitboard.Ref {
	var refs []bitboard.Ref
	for _, p := range positions {
		if !c.options.Outside(p) {
			refs = append(refs, bitboard.MakeRef(c.game.Rank(p)))
		}
	}
	slices.Sort(refs)
	return slices.Compact(refs)
}

// compare checks entry i of the edges that a method of the kernel gave. How
// often an edge stands there is the kernel's own affair.
func (c *sliceChecker[P]) compare(method string, i int, want []bitboard.Ref) error {
	begin := uint32(0)
	if i > 0 {
		begin = c.edges.Ends[i-1]
	}
	got := slices.Clone(c.edges.Refs[begin:c.edges.Ends[i]])
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, want) {
		return fmt.Errorf("%s: edges %s, want %s", method, c.names(got), c.names(want))
	}
	return nil
}

// names writes edges as people read them.
func (c *sliceChecker[P]) names(refs []bitboard.Ref) []string {
	var names []string
	for _, r := range refs {
		names = append(names, fmt.Sprintf("%s:%d", c.game.SliceName(r.Slice()), r.Index()))
	}
	return names
}
