package complete

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

var (
	// ErrParts says that a certificate relies on other certificates.
	ErrParts = errors.New("the certificate relies on parts: want one without")

	// ErrNoDistance says that hints for a win have values and no distances.
	ErrNoDistance = errors.New("the ranks of a win take tables with distances")

	// ErrMemory says that the positions take more memory than is allowed.
	ErrMemory = errors.New("the positions of the certificate do not fit into memory")

	// ErrChoices says that what is to be gone on with was not chosen for this certificate.
	ErrChoices = errors.New("the turns chosen before do not fit the certificate")

	// ErrRank says that ranks would pass 2^32: distances of the hints are that long.
	ErrRank = errors.New("the distances of the tables leave no room for the ranks of the certificate")
)

// UnknownError says that play comes to a position that neither the certificate has nor
// the hints know.
type UnknownError struct{ Position string }

func (e *UnknownError) Error() string {
	return fmt.Sprintf("%s follows, and neither the certificate nor a table has it", bitboard.Shorten(e.Position))
}

// ContradictionError says that the certificate, or a table, is wrong about a position.
type ContradictionError struct {
	Position string
	Reason   string
}

func (e *ContradictionError) Error() string {
	return fmt.Sprintf("the certificate or a table is wrong: %s: %s", bitboard.Shorten(e.Position), e.Reason)
}
