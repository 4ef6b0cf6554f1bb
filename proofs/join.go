package proofs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"reflect"

	"paika/bitboard"
	"paika/proofs/internal/ranks"
)

// Proved is a certificate that was checked and found valid, with its checksum. It
// names no parts.
type Proved struct {
	*File
	Checksum string
}

// errRanks says that there are more ranks, on top of each other, than a certificate can have.
var errRanks = errors.New("the ranks of the parts and the steps are too large together")

// Join writes with w, and closes it, one certificate of what several certificates of
// its claim prove together with steps above them. Each turn of a step leads to another
// step, to the root of a part, to one of the tables that w's header names, or to an end
// of the game. The parts rely on those tables or fewer, and on no parts.
//
// For "X does not lose" the parts and the steps are closed sets, or become one
// together, and a position of several keeps any of its records. For "X wins" the ranks
// of each part are numbered without gaps, since a valid part may have any, and raised
// above all before it, those of the steps above all parts, and
// a position keeps its first record, the one of the lowest rank. So what a record leads
// to has still a lower rank, be it kept from the same part or from one before. Positions
// that the tables know have no record: a part may end at one of which another has a
// record with a higher rank.
//
// At most that many bytes of positions are held at a time; parts are read several times
// where they have more. Four bytes for each rank of a part come beside it. positions is the
// number of records written. Errors are those of reading and writing, and of steps with
// ranks near 2^32.
func Join[P comparable](ctx context.Context, w *Writer[P], parts []Proved, steps []Step[P], memory uint64) (positions uint64, err error) {
	j := &joiner[P]{w: w, parts: parts, orders: make([]ranks.Order, len(parts)), seed: maphash.MakeSeed(), tabled: make(map[bitboard.Slice]bool)}
	for _, table := range w.tables {
		slice, err := w.game.ParseSlice(table.Slice)
		if err != nil {
			return 0, err
		}
		j.tabled[slice] = true
	}
	if err := j.measure(ctx); err != nil {
		return 0, err
	}
	each := uint64(5 * reflect.TypeFor[node[P]]().Size() / 2) // a map is between 7/16 and 7/8 full
	most := max(1, cmp.Or(memory, defaultMemory)/each)
	passes := (j.records+uint64(len(steps)))/most + 1
	for pass := range passes {
		if err := j.pass(ctx, steps, pass, passes); err != nil {
			return 0, err
		}
	}
	return w.positions, w.Close()
}

// A joiner puts certificates together.
type joiner[P comparable] struct {
	w       *Writer[P]
	parts   []Proved
	tabled  map[bitboard.Slice]bool
	orders  []ranks.Order // of the ranks of each part
	above   []uint32      // by part: what its ranks are raised by; at last what those of the steps are
	records uint64
	seed    maphash.Seed
	written map[node[P]]bool // of the pass
}

// measure counts records, and finds the ranks of every part.
func (j *joiner[P]) measure(ctx context.Context) error {
	base := uint64(0)
	for i := range j.parts {
		j.above = append(j.above, uint32(base))
		err := j.each(ctx, i, func(rec Record) error {
			j.records++
			j.orders[i].Add(rec.Rank)
			return nil
		})
		if err != nil {
			return err
		}
		if base += uint64(j.orders[i].Highest()); base > math.MaxUint32 {
			return errRanks
		}
	}
	j.above = append(j.above, uint32(base))
	return nil
}

// each reads the records of a part.
func (j *joiner[P]) each(ctx context.Context, part int, do func(Record) error) error {
	p := j.parts[part]
	n := 0
	for rec, err := range p.Records(j.w.claim, p.Checksum) {
		if n++; err == nil && n%blockLines == 0 {
			err = ctx.Err()
		}
		if err == nil {
			err = do(rec)
		}
		if err != nil {
			return fmt.Errorf("the part from %s: %w", p.Header.Root, err)
		}
	}
	return nil
}

// pass writes the records of those positions whose hash belongs to it.
func (j *joiner[P]) pass(ctx context.Context, steps []Step[P], pass, passes uint64) error {
	j.written = make(map[node[P]]bool)
	for i := range j.parts {
		err := j.each(ctx, i, func(rec Record) error {
			p, side, err := j.w.game.Parse(rec.Position)
			if err != nil || !j.takes(node[P]{p, side}, pass, passes) {
				return err
			}
			rec.Rank = j.above[i] + j.orders[i].Number(rec.Rank)
			return j.w.Copy(rec)
		})
		if err != nil {
			return err
		}
	}
	for _, s := range steps {
		if !j.takes(node[P]{s.Position, s.Side}, pass, passes) {
			continue
		}
		if s.Rank > math.MaxUint32-j.above[len(j.parts)] {
			return errRanks
		}
		s.Rank += j.above[len(j.parts)]
		if err := j.w.Add(s); err != nil {
			return err
		}
	}
	return nil
}

// takes tells whether a record of the position is to be written now.
func (j *joiner[P]) takes(n node[P], pass, passes uint64) bool {
	if maphash.Comparable(j.seed, n)%passes != pass || j.tabled[j.w.game.SliceOf(n.position)] || j.written[n] {
		return false
	}
	j.written[n] = true
	return true
}
