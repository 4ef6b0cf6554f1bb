package cgt

import (
	"context"
	"errors"
)

// Within calls a function that works with the games of a universe. Its error is the context's
// where that ends meanwhile, ErrMemory where the work passes Memory, and ErrRange where it meets
// a number out of range. What the function was to find is not found then, and the games that
// there are stay good.
func (u *Universe) Within(ctx context.Context, work func()) error { return u.within(ctx, 0, work) }

// Hold counts so many bytes, held beside the games, until the end of the innermost Within, and
// for good outside of one. It panics with ErrMemory where they pass Memory.
func (u *Universe) Hold(bytes uint64) {
	if u.beside += bytes; !u.fits(0) {
		panic(ErrMemory)
	}
}

// within is Within, with so many bytes held beside the games at the start.
func (u *Universe) within(ctx context.Context, beside uint64, work func()) (err error) {
	outerCtx, outerBeside := u.ctx, u.beside
	u.ctx, u.beside = ctx, outerBeside+beside
	defer func() {
		u.ctx, u.beside = outerCtx, outerBeside
		switch reason := recover().(type) {
		case nil:
		case ended:
			err = reason.error
		case error:
			if !errors.Is(reason, ErrRange) && !errors.Is(reason, ErrMemory) {
				panic(reason)
			}
			err = reason
		default:
			panic(reason)
		}
	}()
	u.look()
	work()
	return nil
}

// ended is a panic because a context has.
type ended struct{ error }

// stepsToLook is the number of steps after which the context is asked.
const stepsToLook = 1 << 8

// step is called before games or texts, comparisons or sums are made: it looks now and then
// whether that may go on.
func (u *Universe) step() {
	if u.steps++; u.steps%stepsToLook == 0 {
		u.look()
	} else if !u.fits(0) {
		panic(ErrMemory)
	}
}

// look panics where the work may not go on.
func (u *Universe) look() {
	if u.ctx != nil {
		if err := u.ctx.Err(); err != nil {
			panic(ended{err})
		}
	}
	if !u.fits(0) {
		panic(ErrMemory)
	}
}
