package parallel

import (
	"fmt"
	"runtime/debug"
)

// PanicError is a panic that was kept to the question that it arose in: a mistake of the program.
type PanicError struct {
	Caught any
	Stack  []byte // where it arose
}

func (e *PanicError) Error() string { return fmt.Sprintf("a mistake of the program: %v", e.Caught) }

// Guard calls do. A panic in it is the error, and ends nothing else; that of a goroutine that do
// begins ends the program as ever.
func Guard(do func()) (err *PanicError) {
	defer func() {
		if caught := recover(); caught != nil {
			err = &PanicError{caught, debug.Stack()}
		}
	}()
	do()
	return nil
}
