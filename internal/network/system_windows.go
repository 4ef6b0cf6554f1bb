package network

import (
	"errors"

	"golang.org/x/sys/windows"
)

// Taken tells whether an error of listening is that somebody else has the address, or the system keeps it.
func Taken(err error) bool {
	return errors.Is(err, windows.WSAEADDRINUSE) || errors.Is(err, windows.WSAEACCES)
}

// Reset tells whether an error of a connection is that the other side has ended it at once.
func Reset(err error) bool { return errors.Is(err, windows.WSAECONNRESET) }
