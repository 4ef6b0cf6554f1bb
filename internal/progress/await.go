package progress

import "context"

// Await does something that knows no context, such as to open a pipe or to read it, which can
// keep one waiting for ever. Where the context ends first, Await returns its error at once; what was
// begun goes on by itself, and nobody hears what comes of it.
func Await[T any](ctx context.Context, do func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := do()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
