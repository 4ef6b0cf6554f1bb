package share

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/jobs"
	"paika/solver/proofnumber"
)

// ErrPart says that a file does not show what it is said to show.
var ErrPart = errors.New("the part does not show what it should")

// ErrResult says that a result is about something else, or makes no sense.
var ErrResult = errors.New("no result of this question")

// Proof is a question with its upper positions. All methods but Check, CheckGrowing and
// Write are for one goroutine at a time.
type Proof interface {
	// Next gives out a task, for one of so many workers at it, and Return takes one back
	// of which nothing came.
	Next(workers int) (Task, bool)
	Return(t Task)

	// Wanted tells whether what is found out about a position can still matter,
	// Readable whether it is a position at all.
	Wanted(position string) bool
	Readable(position string) bool

	// Hints are what a stranger tells of the turns of a position, if that is of each,
	// and else none.
	Hints(position string, turns []jobs.Turn) []jobs.Turn

	// Turns counts those of a position, up to a bound; none of what is no position.
	Turns(position string, most int) int

	// Attack is the claim of all tasks, that the attacker wins; Defence its opposite.
	Attack() string
	Defence() string

	// Check checks a part that is to show a verdict about a position: a file that came
	// from anywhere. It may be called at any time by many. Errors wrap ErrPart, or are
	// the context's, of the text of the position, or of reading the file.
	Check(ctx context.Context, position string, v proofnumber.Verdict, at io.ReaderAt, size int64) (Part, error)

	// CheckGrowing checks a part while it is still being written, as proofs.OpenGrowing reads it, and tells what it shows
	// about a position. All its memory is borrowed. It may be called at any time by many. An error,
	// whatever it wraps, says that nothing is known of the part, which Check may find valid once it is there.
	CheckGrowing(ctx context.Context, position string, at io.ReaderAt) (proofnumber.Verdict, Part, error)

	// Take takes up a result, which the caller has checked, or read from its ledger.
	// The first one about a position counts. Errors wrap ErrResult.
	Take(r Result) error

	// TakeOther is Take of a result of another question: it helps, and its nodes are none of this one's.
	TakeOther(r Result) error

	// Verdict is what is known of the claim of the question.
	Verdict() proofnumber.Verdict

	// Stuck says why there will be no verdict, once no task is out; nil as long as there may be one:
	// all hangs on positions with too many turns, of which it names one.
	Stuck() error

	// Rests lists the parts that the verdict rests on.
	Rests() []Part

	// Write writes one certificate of the verdict to a file, which has its name once it is
	// checked: of the claim or, where that is refuted, of its opposite. A part that shows the verdict alone is
	// copied: it was checked, and has its digest. Parts are read at the paths that path
	// gives for their digests. No other method but Check and CheckGrowing may be called meanwhile.
	Write(ctx context.Context, file string, path func(digest string) string) (Part, error)

	// Progress tells how far it has come, but for the openings; Bytes about how much memory the
	// upper positions and all results take that were taken up, whether the upper positions have come to
	// theirs or not.
	Progress() Progress
	Bytes() uint64

	// Openings tells what is known after each turn from the position: none where there are more
	// than mostOpenings.
	Openings() []Opening
}

// Progress is how far a question has come.
type Progress struct {
	Nodes    uint64    `json:"nodes"`              // of all results but those of other questions
	InFlight int       `json:"in_flight"`          // tasks given out
	Splits   int       `json:"splits"`             // positions of the upper tree with their turns
	Vertices int       `json:"vertices"`           // of the upper tree
	Openings []Opening `json:"openings,omitempty"` // where they are asked for, of mostOpenings at the most: else none
}

// mostOpenings is how many turns from the position of a question are told of one by one: all that
// fit an answer.
const mostOpenings = 1 << 12

// Opening is what is known of the claim after a turn from the position of the question,
// in the order of the rules. Of a turn that is undecided both numbers are 0 where nobody has told any,
// as they are where it is decided.
type Opening struct {
	Turn     string              `json:"turn"`
	Position string              `json:"position"`
	Result   proofnumber.Verdict `json:"result"`
	Proof    uint32              `json:"proof"`
	Disproof uint32              `json:"disproof"`
	Nodes    *uint64             `json:"nodes"` // visited behind the turn; nil where not all are told turn by turn
}

// proof is a Proof.
type proof[P comparable] struct {
	*site[P]
	question  Question
	claim     proofs.Claim
	wins, not proofs.Claim
	root      P
	side      bitboard.Side
	tree      *jobs.Tree[P]
	parts     map[jobs.Node[P]]Part
}

func (s *site[P]) Proof(q Question) (Proof, error) {
	s = s.named(q.Claim)
	root, side, err := s.of.Game.Parse(q.Position)
	if err != nil {
		return nil, err
	}
	claim, err := proofs.ParseClaim(q.Claim, s.of.Game.SideName)
	if err != nil {
		return nil, err
	}
	if err := bitboard.AdmitTurns(s.of.Game, root, side, jobs.MostTurns); err != nil {
		return nil, err
	}
	p := &proof[P]{site: s, question: q, claim: claim, root: root, side: side, parts: make(map[jobs.Node[P]]Part)}
	p.wins, p.not = claim, proofs.Claim{Side: claim.Side.Other()}
	if !claim.Wins {
		p.wins, p.not = proofs.Claim{Side: claim.Side.Other(), Wins: true}, claim
	}
	p.tree = jobs.New(jobs.Node[P]{Position: root, AttackerMoves: side == p.wins.Side}, jobs.Options[P]{
		Rules: s.of.Game, Values: s.values(), Estimate: s.of.Estimate, Least: q.Least, Most: q.Most,
	})
	return p, nil
}

// mover is the side to move of a node.
func (p *proof[P]) mover(attackerMoves bool) bitboard.Side {
	if attackerMoves {
		return p.wins.Side
	}
	return p.not.Side
}

// node reads a position.
func (p *proof[P]) node(position string) (n jobs.Node[P], err error) {
	at, side, err := p.of.Game.Parse(position)
	if err != nil {
		return n, fmt.Errorf("%w: %w", ErrResult, err)
	}
	return jobs.Node[P]{Position: at, AttackerMoves: side == p.wins.Side}, nil
}

func (p *proof[P]) text(n jobs.Node[P]) string {
	return p.of.Game.Format(n.Position, p.mover(n.AttackerMoves))
}

func (p *proof[P]) Next(workers int) (Task, bool) {
	job, found := p.tree.Next(workers)
	if !found {
		return Task{}, false
	}
	id := p.of.Identity
	return newTask(jobs.Identity{
		Game: id.Game, Board: id.Board, Rules: id.Rules, Claim: p.Attack(), Position: p.text(job.Node),
		Tables: p.Tables(), Nodes: job.Nodes, Version: p.question.Version,
	}, job.Before, job.Beside), true
}

func (p *proof[P]) Return(t Task) {
	if n, err := p.node(t.Position); err == nil {
		p.tree.Return(n)
	}
}

func (p *proof[P]) Wanted(position string) bool {
	n, err := p.node(position)
	return err == nil && p.tree.Wanted(n)
}

func (p *proof[P]) Readable(position string) bool {
	_, err := p.node(position)
	return err == nil
}

func (p *proof[P]) Hints(position string, turns []jobs.Turn) []jobs.Turn {
	n, err := p.node(position)
	if err != nil || len(turns) != bitboard.CountTurns(p.of.Game, n.Position, len(turns)+1) {
		return nil
	}
	return turns
}

func (p *proof[P]) Turns(position string, most int) int {
	n, err := p.node(position)
	if err != nil {
		return 0
	}
	return bitboard.CountTurns(p.of.Game, n.Position, most)
}

func (p *proof[P]) Attack() string  { return p.wins.Text(p.of.Game.SideName) }
func (p *proof[P]) Defence() string { return p.not.Text(p.of.Game.SideName) }

func (p *proof[P]) Check(ctx context.Context, position string, v proofnumber.Verdict, at io.ReaderAt, size int64) (Part, error) {
	if v == proofnumber.Undecided {
		return Part{}, fmt.Errorf("%w: it is of no verdict", ErrPart)
	}
	n, err := p.node(position)
	if err != nil {
		return Part{}, err
	}
	return p.check(ctx, p.text(n), shown(v, p.wins, p.not), at, size)
}

// check checks a certificate that needs no other and is of that claim.
func (p *proof[P]) check(ctx context.Context, root string, claim proofs.Claim, at io.ReaderAt, size int64) (Part, error) {
	file, err := proofs.Open(at, size)
	if err != nil {
		return Part{}, refusal(err)
	}
	memory, back := p.memory(size)
	defer back()
	return p.checkFile(ctx, root, claim, file, prover.CheckOptions(p.question.Workers, memory))
}

// refusal is the error of a part for one of opening or checking its file, if it is of the part.
func refusal(err error) error {
	var need *proofs.NeedError
	if errors.As(err, &need) || errors.Is(err, proofs.ErrFormat) {
		return fmt.Errorf("%w: %w", ErrPart, err)
	}
	return err
}

// checkFile is check of a file that was opened.
func (p *proof[P]) checkFile(ctx context.Context, root string, claim proofs.Claim, file *proofs.File, o proofs.Options) (Part, error) {
	refused := func(format string, args ...any) (Part, error) {
		return Part{}, fmt.Errorf("%w: %w", ErrPart, fmt.Errorf(format, args...))
	}
	h, text := file.Header, claim.Text(p.of.Game.SideName)
	switch {
	case h.Setting != p.Setting():
		return refused("it is about %v", h.Setting)
	case h.Claim != text || h.Root != root:
		return refused("it is of %s from %s, not of %s from %s", bitboard.Shorten(h.Claim), bitboard.Shorten(h.Root), text, root)
	case len(h.Parts) > 0:
		return refused("it relies on parts")
	}
	report, err := proofs.Check(ctx, p.Setting(), p.of.Game, p.checked, file, o)
	switch {
	case err != nil:
		return Part{}, refusal(err)
	case !report.Valid():
		return refused("%v", report.Findings[0])
	}
	digest, err := file.Digest(ctx) // of what was checked, or an error
	if err != nil {
		return Part{}, refusal(err)
	}
	return Part{Digest: digest, Checksum: report.Checksum, Positions: report.Positions, Bytes: file.Size()}, nil
}

func (p *proof[P]) CheckGrowing(ctx context.Context, position string, at io.ReaderAt) (v proofnumber.Verdict, part Part, err error) {
	n, err := p.node(position)
	if err != nil {
		return v, part, err
	}
	file, err := proofs.OpenGrowing(at)
	if err != nil {
		return v, part, err
	}
	if v = proofnumber.Proved; file.Header.Claim == p.Defence() {
		v = proofnumber.Refuted
	}
	if p.question.Borrow == nil {
		return v, part, proofs.ErrReadAgain
	}
	memory, back := p.question.Borrow(math.MaxUint64) // nobody knows yet how large it will be
	defer back()
	if memory < prover.CheckBytes(p.question.Workers) {
		return v, part, proofs.ErrReadAgain
	}
	part, err = p.checkFile(ctx, p.text(n), shown(v, p.wins, p.not), file, prover.CheckOptions(p.question.Workers, memory))
	return v, part, err
}

// wantedBytes is what a check has memory for, so that it reads a file once, as a multiple of the file:
// a position has 8 bytes there or more, and a check takes up to 48 for one of two words.
const wantedBytes = 6

// memory is what a check of a file of that size has, until it gives that back.
func (p *proof[P]) memory(size int64) (bytes uint64, back func()) {
	bytes, back = p.question.Memory, func() {}
	if wanted := wantedBytes * uint64(size); wanted > bytes && p.question.Borrow != nil {
		var more uint64
		more, back = p.question.Borrow(wanted - bytes)
		bytes += more
	}
	return bytes, back
}

func (p *proof[P]) Take(r Result) error      { return p.take(r, false) }
func (p *proof[P]) TakeOther(r Result) error { return p.take(r, true) }

// take is Take of a result of this question, or from elsewhere.
func (p *proof[P]) take(r Result, elsewhere bool) error {
	n, err := p.node(r.Position)
	switch {
	case err != nil:
		return err
	case r.Claim != p.Attack():
		return fmt.Errorf("%w: it is of %s", ErrResult, bitboard.Shorten(r.Claim))
	case r.Verdict != proofnumber.Undecided && r.Part == (Part{}):
		return fmt.Errorf("%w: it has no part", ErrResult)
	}
	if _, known := p.parts[n]; !known && r.Verdict != proofnumber.Undecided {
		p.parts[n] = r.Part
	}
	p.tree.Answer(n, jobs.Answer{Verdict: r.Verdict, Nodes: r.Nodes, Elsewhere: elsewhere, Turns: r.Turns, Smaller: r.Smaller})
	return nil
}

func (p *proof[P]) Verdict() proofnumber.Verdict { return p.ofClaim(p.tree.Verdict()) }

func (p *proof[P]) Stuck() error { return bitboard.NameTooMany(p.of.Game, p.side, p.tree.Stuck()) }

// ofClaim is what a verdict on the attacker makes of the claim of the question.
func (p *proof[P]) ofClaim(v proofnumber.Verdict) proofnumber.Verdict {
	switch {
	case p.claim.Wins || v == proofnumber.Undecided:
		return v
	case v == proofnumber.Proved:
		return proofnumber.Refuted
	}
	return proofnumber.Proved
}

func (p *proof[P]) Rests() (parts []Part) {
	_, nodes := p.tree.Support()
	for _, n := range nodes {
		parts = append(parts, p.parts[n])
	}
	return parts
}

func (p *proof[P]) Write(ctx context.Context, file string, path func(digest string) string) (Part, error) {
	out, err := lasting.CreateRegular(file)
	if err != nil {
		return Part{}, err
	}
	defer out.Discard()
	part, err := p.write(ctx, out, path)
	if err != nil {
		return Part{}, err
	}
	_, err = out.Keep()
	return part, err
}

// write is Write to a file that is kept once this has not failed.
func (p *proof[P]) write(ctx context.Context, out *lasting.File, path func(digest string) string) (Part, error) {
	part, alone := p.alone()
	claim, root := shown(p.tree.Verdict(), p.wins, p.not), p.of.Game.Format(p.root, p.side)
	var err error
	if alone {
		err = copyPart(ctx, out, path(part.Digest), part)
	} else {
		err = p.join(ctx, out, root, claim, path)
	}
	if err != nil {
		return Part{}, err
	}
	written, size, err := out.Written()
	if err != nil {
		return Part{}, err
	}
	if alone {
		return part, p.show(ctx, written, part)
	}
	return p.check(ctx, root, claim, written, size)
}

// show tells the tree which turn from the root a part chooses that shows the verdict alone. In
// one where all turns fail there is none, and the tree knows without it.
func (p *proof[P]) show(ctx context.Context, at io.ReaderAt, part Part) error {
	claim := shown(p.tree.Verdict(), p.wins, p.not)
	if claim.Side != p.side {
		return nil
	}
	file, err := proofs.Open(at, part.Bytes)
	if err != nil {
		return err
	}
	root := p.of.Game.Format(p.root, p.side)
	for record, err := range file.Records(claim, part.Checksum) {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if record.Position != root {
			continue
		}
		turn, err := p.of.Game.ParseTurn(p.root, p.side, record.Turn)
		if err == nil {
			p.tree.Show(turn.To)
		}
		return err
	}
	return nil
}

// alone is the part of the root, if it shows the verdict.
func (p *proof[P]) alone() (part Part, found bool) {
	upper, nodes := p.tree.Support()
	if len(upper) > 0 || len(nodes) == 0 {
		return part, false
	}
	return p.parts[p.tree.Root()], true
}

// copyPart copies a file that was checked. It fails where that is no longer what it was.
func copyPart(ctx context.Context, out io.Writer, path string, part Part) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	c, err := proofs.Open(file, part.Bytes)
	if err != nil {
		return fmt.Errorf("part %s: %w", part.Digest, err)
	}
	switch digest, err := c.CopyTo(ctx, out); {
	case err != nil:
		return err
	case digest != part.Digest:
		return fmt.Errorf("%w: part %s has changed", ErrPart, part.Digest)
	}
	return nil
}

// join writes the certificate of what the verdict rests on.
func (p *proof[P]) join(ctx context.Context, out io.Writer, root string, claim proofs.Claim, path func(digest string) string) error {
	w, err := proofs.NewWriter(out, p.of.Game, proofs.Header{
		Setting: p.Setting(), Claim: claim.Text(p.of.Game.SideName), Root: root, Tables: p.shelf.Named(),
	}, p.question.Workers)
	if err != nil {
		return err
	}
	defer w.Discard()
	upper, nodes := p.tree.Support()
	var parts []proofs.Proved
	for _, n := range nodes {
		part := p.parts[n]
		file, err := proofs.Open(unopened(path(part.Digest)), part.Bytes)
		if err != nil {
			return fmt.Errorf("part %s: %w", part.Digest, err)
		}
		parts = append(parts, proofs.Proved{File: file, Checksum: part.Checksum})
	}
	var steps []proofs.Step[P]
	for _, s := range upper {
		steps = append(steps, proofs.Step[P]{Position: s.Position, Side: p.mover(s.AttackerMoves), Chosen: s.Chosen, To: s.To, Rank: s.Rank})
	}
	_, err = proofs.Join(ctx, w, parts, steps, p.question.Memory)
	return err
}

// unopened is the path of a file that is open only while it is read from: a proof may
// rest on more files than a process may have open.
type unopened string

func (u unopened) ReadAt(b []byte, offset int64) (int, error) {
	file, err := os.Open(string(u))
	if err != nil {
		return 0, err
	}
	defer file.Close()
	return file.ReadAt(b, offset)
}

// vertexBytes is what a vertex takes beside its position, which is there three times: 191
// bytes in all were measured with positions of 16 (BenchmarkMemory of package jobs).
const vertexBytes = 191 - 3*16

// knownBytes is what a position takes that a result is known of, beside itself, which is there three times: in
// two maps, and in what is known. partBytes is the same of a part, with its texts and once the position,
// turnBytes of the numbers of a turn.
const (
	knownBytes = 112
	partBytes  = 240
	turnBytes  = 8
)

func (p *proof[P]) Bytes() uint64 {
	position := uint64(reflect.TypeFor[P]().Size())
	known, turns := p.tree.Told()
	return uint64(p.tree.Size())*(vertexBytes+3*position) + uint64(known)*(knownBytes+3*position) +
		uint64(len(p.parts))*(partBytes+position) + uint64(turns)*turnBytes
}

func (p *proof[P]) Progress() Progress {
	return Progress{Nodes: p.tree.Nodes(), InFlight: p.tree.InFlight(), Splits: p.tree.Splits(), Vertices: p.tree.Size()}
}

func (p *proof[P]) Openings() (all []Opening) {
	if bitboard.MoreTurnsThan(p.of.Game, p.root, mostOpenings) {
		return nil
	}
	turns := p.of.Game.Notated(p.root, p.side)
	for i, known := range p.tree.Openings() {
		o := Opening{Turn: turns[i].Notation, Position: p.of.Game.Format(known.To, p.side.Other()), Result: p.ofClaim(known.Verdict), Proof: known.Proof, Disproof: known.Disproof}
		if !known.Untold {
			o.Nodes = &known.Nodes
		}
		if !p.claim.Wins {
			o.Proof, o.Disproof = o.Disproof, o.Proof
		}
		all = append(all, o)
	}
	return all
}
