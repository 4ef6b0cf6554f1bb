package catalogue

import "errors"

// ErrTooLarge says that a text from outside is larger than is read.
var ErrTooLarge = errors.New("the input is too large")
