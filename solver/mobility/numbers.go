package mobility

import "math/bits"

// numbers are a position's for the side to move: what it takes to prove that it
// wins, and to prove that it loses.
//
// Sums of sums over a game's turns grow with its length: on 7x7 they pass 2^28
// six turns from the root. A sum that cannot grow any more looks the same
// whatever is done below it, and a search that meets one goes back and forth
// along its path. Hence 62 bits, of which the table keeps the first 23, as a
// floating-point number does. Sums are rounded up to what the table can keep, so
// that a position's numbers are the same wherever they are met.
type numbers struct{ proof, disproof uint64 }

const (
	// infinite is the number of what can't be proved, most the largest other.
	infinite = 1 << 62
	most     = 1<<62 - 1<<(62-mantissaBits-1)

	// numberBits is what a packed number takes, mantissaBits of them, and a
	// leading one that is not stored, its first digits.
	numberBits   = 28
	mantissaBits = 22
	packedMask   = 1<<numberBits - 1
)

// won and lost are the numbers of a position that the side to move wins or loses.
var (
	won  = numbers{proof: 0, disproof: infinite}
	lost = numbers{proof: infinite, disproof: 0}
)

// undecided are those of a position of which nothing is known: what a search that visits none ends with.
var undecided = numbers{proof: 1, disproof: 1}

// sound tells whether a search can have come to the numbers.
func (v numbers) sound() bool {
	if v.decided() {
		return v == won || v == lost
	}
	return v.proof <= most && v.disproof <= most
}

func (v numbers) decided() bool { return v.proof == 0 || v.disproof == 0 }

func pack(v numbers) uint64 { return packNumber(v.proof) | packNumber(v.disproof)<<numberBits }

func unpack(data uint64) numbers {
	return numbers{unpackNumber(data & packedMask), unpackNumber(data >> numberBits & packedMask)}
}

// packNumber rounds up. Larger numbers have larger codes; a sum that carries into
// the exponent is right as it stands.
func packNumber(number uint64) (code uint64) {
	shift := max(bits.Len64(number)-(mantissaBits+1), 0)
	return uint64(shift)<<mantissaBits + (number+(1<<shift-1))>>shift
}

func unpackNumber(code uint64) (number uint64) {
	shift := max(code>>mantissaBits, 1) - 1
	return (code - shift<<mantissaBits) << shift
}

// rounded is what the table makes of a number.
func rounded(number uint64) uint64 { return unpackNumber(packNumber(number)) }
