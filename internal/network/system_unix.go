//go:build unix

package network

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Taken tells whether an error of listening is that somebody else has the address.
func Taken(err error) bool { return errors.Is(err, unix.EADDRINUSE) }

// Reset tells whether an error of a connection is that the other side has ended it at once.
func Reset(err error) bool { return errors.Is(err, unix.ECONNRESET) }
