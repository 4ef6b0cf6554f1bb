package tablebase

import (
	"encoding/binary"
	"errors"

	"github.com/zeebo/xxh3"
)

// sealBytes is the length of the checksum in front of every stored value.
const sealBytes = 8

var errSeal = errors.New("checksum mismatch: the stored value was changed")

// seal fills the first sealBytes of value with the checksum of the rest at
// that key.
func seal(key, value []byte) {
	binary.LittleEndian.PutUint64(value, sealOf(key, value[sealBytes:]))
}

// unseal returns what seal protected.
func unseal(key, value []byte) ([]byte, error) {
	if len(value) < sealBytes {
		return nil, errors.New("the stored value is missing or cut short")
	}
	body := value[sealBytes:]
	if binary.LittleEndian.Uint64(value) != sealOf(key, body) {
		return nil, errSeal
	}
	return body, nil
}

func sealOf(key, body []byte) uint64 { return xxh3.HashSeed(body, xxh3.Hash(key)) }
