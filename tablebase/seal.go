package tablebase

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/zeebo/xxh3"
)

// sealBytes is the length of the checksum in front of every stored value.
const sealBytes = 8

var errSeal = errors.New("checksum mismatch: the stored value was changed, or belongs to other tables")

// sealer seals the values of one store. A seal binds a value to game, board and
// rules, and to its key, which names metric, slice and chunk.
type sealer uint64

// newSealer makes the sealer of the store of id.
func newSealer(id Identity) sealer {
	return sealer(xxh3.HashString(fmt.Sprintf("%q %q %q", id.Game, id.Board, id.Rules)))
}

// seal fills the first sealBytes of value with the checksum of the rest at
// that key.
func (s sealer) seal(key, value []byte) {
	binary.LittleEndian.PutUint64(value, s.sealOf(key, value[sealBytes:]))
}

// unseal returns what seal protected.
func (s sealer) unseal(key, value []byte) ([]byte, error) {
	switch {
	case len(value) == 0:
		return nil, errMissingChunk
	case len(value) < sealBytes:
		return nil, errShortChunk
	}
	body := value[sealBytes:]
	if binary.LittleEndian.Uint64(value) != s.sealOf(key, body) {
		return nil, errSeal
	}
	return body, nil
}

func (s sealer) sealOf(key, body []byte) uint64 {
	return xxh3.HashSeed(body, xxh3.HashSeed(key, uint64(s)))
}
