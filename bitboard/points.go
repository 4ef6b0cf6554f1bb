package bitboard

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Point is a point of a board by file and rank, both counted from 0 at the
// bottom left.
type Point struct{ File, Rank int }

// String is the point's name: a letter for the file, from a, and a number for
// the rank, from 1. Boards so named have at most 26 files.
func (p Point) String() string { return string(p.Append(nil)) }

// Append appends the name to text.
func (p Point) Append(text []byte) []byte {
	return strconv.AppendInt(append(text, 'a'+byte(p.File)), int64(p.Rank+1), 10)
}

// ScanPoint reads the name of a point of the board that stands at an offset in
// text, and gives the offset behind it. Errors are of type *SyntaxError.
func (b Board) ScanPoint(text string, offset int) (Point, int, error) {
	if offset == len(text) || text[offset] < 'a' || text[offset] > 'z' {
		return Point{}, 0, &SyntaxError{text, offset, "want a point, such as a1"}
	}
	end := offset + 1
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if end == offset+1 {
		return Point{}, 0, &SyntaxError{text, end, "want the rank's number"}
	}
	p := Point{File: int(text[offset] - 'a')}
	number, err := strconv.Atoi(text[offset+1 : end])
	p.Rank = number - 1
	if err != nil || text[offset+1] == '0' || p.File >= b.Width || p.Rank >= b.Height {
		last := Point{b.Width - 1, b.Height - 1}
		return Point{}, 0, &SyntaxError{text, offset, fmt.Sprintf("%s is not on the board: want a1 to %v", Shorten(text[offset:end]), last)}
	}
	return p, end, nil
}

// ScanRows reads a board drawn at an offset in text: its ranks from the top,
// "/" between them, a letter a point, up to a space or the end of the text. It
// calls set with each point and its letter, which is no blank and no "/", and
// gives the offset behind the board. Errors are of type *SyntaxError.
func (b Board) ScanRows(text string, offset int, letters string, set func(Point, byte)) (int, error) {
	at := offset
	fail := func(format string, args ...any) (int, error) {
		return 0, &SyntaxError{text, at, fmt.Sprintf(format, args...)}
	}
	ends := func() bool { return at == len(text) || text[at] == ' ' }
	if ends() {
		return fail("no board: want %s of %s, / between them", Count(b.Height, "rank"), Count(b.Width, "point"))
	}
	if name := blankName(text, at); name != "" {
		return fail("%s before the board: want its first rank", name)
	}
	for rank := b.Height - 1; ; rank-- {
		for file := range b.Width {
			if at == len(text) || strings.IndexByte(letters, text[at]) < 0 {
				return fail("%s", b.noLetter(text, at, letters, Point{file, rank}))
			}
			set(Point{file, rank}, text[at])
			at++
		}
		name := blankName(text, at)
		switch {
		case rank == 0 && name != "":
			return fail("%s before the side to move: want a space", name)
		case !ends() && text[at] != '/':
			return fail("rank %d has more than %s", rank+1, Count(b.Width, "point"))
		case ends() && rank > 0:
			return fail("%s: want %d", Count(b.Height-rank, "rank"), b.Height)
		case !ends() && rank == 0:
			return fail("more than %s", Count(b.Height, "rank"))
		case ends():
			return at, nil
		}
		at++
	}
}

// Stones says by which letters stones of two kinds are drawn, and which bit of a set each point is: that of a
// file and a rank is bit rank*Stride+file. An empty point is drawn as a dot.
type Stones struct {
	Letters [2]byte
	Stride  uint
	adds    [256]uint64 // by letter: bit 0 for the first kind, 16 for the second, 32 for an empty point
}

// NewStones makes them ready for ScanStones.
func NewStones(letters [2]byte, stride uint) *Stones {
	s := &Stones{Letters: letters, Stride: stride}
	s.adds[letters[0]], s.adds[letters[1]], s.adds['.'] = 1, 1<<16, 1<<32
	return s
}

// ScanStones reads a board as ScanRows does, from the start of a text, and gives a set of points for each
// kind of stones. Its board must fit into 64 bits by the stride of drawn.
func (b Board) ScanStones(text string, drawn *Stones) (sets [2]uint64, end int, err error) {
	if sets, end, faultless := b.scanFaultless(text, drawn); faultless {
		return sets, end, nil
	}
	end, err = b.ScanRows(text, 0, string(drawn.Letters[:])+".", func(p Point, letter byte) {
		for kind, own := range drawn.Letters {
			if letter == own {
				sets[kind] |= 1 << (uint(p.Rank)*drawn.Stride + uint(p.File))
			}
		}
	})
	return sets, end, err
}

// scanFaultless is ScanStones of a text in which nothing is wrong up to the space behind the board;
// certificates have millions of these. For any other text it tells false, and for boards with more than 16 files.
func (b Board) scanFaultless(text string, drawn *Stones) (sets [2]uint64, end int, faultless bool) {
	end = (b.Width+1)*b.Height - 1
	if len(text) <= end || text[end] != ' ' || b.Width > 16 {
		return sets, 0, false
	}
	full := uint64(1)<<b.Width - 1
	faultless = true
	for rank, at := b.Height-1, 0; rank >= 0; rank, at = rank-1, at+b.Width+1 {
		row := uint64(0)
		for file, letter := range []byte(text[at : at+b.Width]) {
			row |= drawn.adds[letter] << (uint(file) & 15)
		}
		first, second, empty := row&0xffff, row>>16&0xffff, row>>32
		faultless = faultless && first|second|empty == full && (rank == 0 || text[at+b.Width] == '/')
		sets[0] |= first << (uint(rank) * drawn.Stride & 63)
		sets[1] |= second << (uint(rank) * drawn.Stride & 63)
	}
	return sets, end, faultless
}

// noLetter says what stands in text where the letter of a point should.
func (b Board) noLetter(text string, at int, letters string, p Point) string {
	if at == len(text) || text[at] == ' ' || text[at] == '/' {
		return fmt.Sprintf("rank %d has %s: want %d", p.Rank+1, Count(p.File, "point"), b.Width)
	}
	if name := blankName(text, at); name != "" {
		return fmt.Sprintf("%s in rank %d, which has %s so far: want %d", name, p.Rank+1, Count(p.File, "point"), b.Width)
	}
	letter, _ := utf8.DecodeRuneInString(text[at:])
	return fmt.Sprintf("unknown letter %q in rank %d: want one of %q", letter, p.Rank+1, letters)
}

// blankName names what looks like a space at an offset in text and is none.
func blankName(text string, at int) string {
	if at == len(text) || text[at] == ' ' || text[at] == '/' {
		return ""
	}
	switch letter, _ := utf8.DecodeRuneInString(text[at:]); {
	case letter == '\t':
		return "a tab"
	case letter == '\n', letter == '\r':
		return "the end of a line"
	case unicode.IsSpace(letter):
		return fmt.Sprintf("the blank %U", letter)
	}
	return ""
}

// FormatRows draws the board as ScanRows reads it.
func (b Board) FormatRows(letter func(Point) byte) string {
	return string(b.AppendRows(make([]byte, 0, (b.Width+1)*b.Height), letter))
}

// AppendRows draws the board as ScanRows reads it, and appends that to text.
func (b Board) AppendRows(text []byte, letter func(Point) byte) []byte {
	for rank := b.Height - 1; rank >= 0; rank-- {
		for file := range b.Width {
			text = append(text, letter(Point{file, rank}))
		}
		if rank > 0 {
			text = append(text, '/')
		}
	}
	return text
}

// ScanSide reads what stands behind the board in a position: a space and then
// one of two words, that of side 0 or that of side 1, up to the end of text.
// Errors are of type *SyntaxError.
func ScanSide(text string, offset int, words [2]string) (Side, error) {
	if offset == len(text) {
		return 0, &SyntaxError{text, offset, fmt.Sprintf("no side to move: want a space and %s or %s", words[0], words[1])}
	}
	at := offset + 1
	word, _, trailing := strings.Cut(text[at:], " ")
	switch {
	case text[offset] != ' ':
		return 0, &SyntaxError{text, offset, "want a space before the side to move"}
	case word == "" && trailing:
		return 0, &SyntaxError{text, at, "want one space before the side to move, and no more"}
	case word == "":
		return 0, &SyntaxError{text, at, fmt.Sprintf("no side to move: want %s or %s", words[0], words[1])}
	case word != words[0] && word != words[1]:
		return 0, &SyntaxError{text, at, fmt.Sprintf("unknown side to move %s: want %s or %s", Quote(word), words[0], words[1])}
	case trailing:
		return 0, &SyntaxError{text, at + len(word), "want nothing after the side to move"}
	case word == words[1]:
		return 1, nil
	}
	return 0, nil
}
