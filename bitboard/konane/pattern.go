package konane

import "encoding/binary"

// A pattern reads and writes the board of a position's text eight letters at a time: certificates have
// millions. x and o have a bit that . and / have not, by which it knows a stone, and what letter should
// then be there.
type pattern struct {
	end   int      // the letters of a board, behind which a space follows
	full  []uint64 // eight letters each, of the full board and the space, and then of nothing
	empty []uint64 // the same without stones
	read  []uint64 // all bits of those letters that there are
}

const (
	ones  = 0x0101010101010101
	stone = 6 // the bit of a letter

	// mostEights is how often there are eight letters on the largest board and in the space behind it.
	mostEights = ((maxSide+1)*maxSide + 7) / 8
)

// newPattern is the pattern of a full board.
func newPattern(board string) pattern {
	p := pattern{end: len(board)}
	for text := board + " "; text != ""; {
		some := min(8, len(text))
		letters := upToEight(text)
		text = text[some:]
		stones := letters >> stone & ones * 0xff
		p.full = append(p.full, letters)
		p.empty = append(p.empty, letters&^stones|'.'*ones&stones)
		p.read = append(p.read, ^uint64(0)>>(64-8*some))
	}
	return p
}

// upToEight gives the first letters of a text, the first one lowest.
func upToEight(text string) (letters uint64) {
	if len(text) >= 8 {
		return uint64(text[0]) | uint64(text[1])<<8 | uint64(text[2])<<16 | uint64(text[3])<<24 |
			uint64(text[4])<<32 | uint64(text[5])<<40 | uint64(text[6])<<48 | uint64(text[7])<<56
	}
	for i, letter := range []byte(text) {
		letters |= uint64(letter) << (8 * i)
	}
	return letters
}

// places has a bit for each letter of a board, and room for a word behind the last.
type places [mostEights + 8]byte

// scan tells where there are stones in the board that a text begins with, if that and the space behind it
// are as they should be.
func (p *pattern) scan(text string) (stones places, faultless bool) {
	if len(text) <= p.end {
		return stones, false
	}
	wrong := uint64(0)
	for i, read := range p.read {
		letters := upToEight(text[8*i:]) & read
		here := letters >> stone & ones
		wrong |= letters ^ p.empty[i] ^ (p.full[i]^p.empty[i])&(here*0xff)
		stones[i] = byte(here * 0x0102040810204080 >> 56)
	}
	return stones, wrong == 0
}

// draw appends the board with its stones, and the space behind it.
func (p *pattern) draw(text []byte, stones *places) []byte {
	for i, full := range p.full {
		here := uint64(stones[i]) * ones & 0x8040201008040201 // a bit of each byte
		here = (here + 0x7f*ones) >> 7 & ones
		text = binary.LittleEndian.AppendUint64(text, p.empty[i]^(full^p.empty[i])&(here*0xff))
	}
	return text
}

// run gives so many bits, from one on; put puts them there, where there are none.
func (s *places) run(from, width int) uint64 {
	return uint64(binary.LittleEndian.Uint32(s[from/8:])>>(from%8)) & (1<<width - 1)
}

func (s *places) put(from, width int, stones uint64) {
	at := s[from/8:]
	binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)|uint32(stones&(1<<width-1))<<(from%8))
}
