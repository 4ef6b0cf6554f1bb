package record

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"paika/bitboard"
)

// Parse reads a record. Errors are of type *Error.
func Parse(text string) (*Record, error) {
	if len(text) > MostBytes {
		return nil, &Error{Place{1, 1}, fmt.Errorf("%w: want at most %d bytes", ErrTooLarge, MostBytes)}
	}
	p := &parser{rest: text, at: Place{1, 1}, comments: make(map[*Node][]string)}
	r := &Record{}
	if err := p.tags(r); err != nil {
		return nil, err
	}
	root, err := p.movetext()
	if err != nil {
		return nil, err
	}
	for about, texts := range p.comments {
		about.Comment = joinWords(texts...)
	}
	r.Root = root
	return r, nil
}

// parser is a text that is read, and where.
type parser struct {
	rest     string
	at       Place
	turns    int
	comments map[*Node][]string // as they stand; they are put together at the end, all of a node at once
}

// peek is the next character, 0 at the end. What is no UTF-8 is utf8.RuneError.
func (p *parser) peek() rune {
	if p.rest == "" {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(p.rest)
	return r
}

// next takes it.
func (p *parser) next() rune {
	r, size := utf8.DecodeRuneInString(p.rest)
	p.rest = p.rest[size:]
	if r == '\n' {
		p.at = Place{p.at.Line + 1, 1}
	} else {
		p.at.Column++
	}
	return r
}

func (p *parser) fail(at Place, format string, args ...any) error {
	return &Error{at, fmt.Errorf(format, args...)}
}

// unexpected says that something else should stand here.
func (p *parser) unexpected(want string) error {
	if p.rest == "" {
		return p.fail(p.at, "the record ends: want %s", want)
	}
	_, size := utf8.DecodeRuneInString(p.rest)
	return p.fail(p.at, "unexpected %s: want %s", bitboard.Quote(p.rest[:size]), want)
}

func blank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }

func (p *parser) skipBlanks() {
	for blank(p.peek()) {
		p.next()
	}
}

// ByteOrderMark may stand in front of a text; it says nothing.
const ByteOrderMark = "\ufeff"

func (p *parser) tags(r *Record) error {
	p.rest = strings.TrimPrefix(p.rest, ByteOrderMark)
	seen := make(map[string]bool)
	for {
		if p.skipBlanks(); p.peek() != '[' {
			return nil
		}
		tag, err := p.tag()
		if err != nil {
			return err
		}
		if seen[tag.Name] {
			return p.fail(tag.At, "the tag %s stands there twice", tag.Name)
		}
		seen[tag.Name] = true
		r.Tags = append(r.Tags, tag)
	}
}

func (p *parser) tag() (Tag, error) {
	tag := Tag{At: p.at}
	p.next()
	p.skipBlanks()
	from := p.rest
	for p.rest != "" && nameByte(p.rest[0]) {
		p.next()
	}
	if tag.Name = from[:len(from)-len(p.rest)]; !validTagName(tag.Name) {
		return tag, p.fail(tag.At, "a tag named %s: want a letter, then letters, digits and _, at most %d", bitboard.Quote(tag.Name), mostName)
	}
	if p.skipBlanks(); p.peek() != '"' {
		return tag, p.unexpected(`a text in quotes ("), as in [Game "fanorona"]`)
	}
	p.next()
	var err error
	if tag.Text, err = p.until('"', textRune, tag.At); err != nil {
		return tag, err
	}
	if p.skipBlanks(); p.peek() != ']' {
		return tag, p.unexpected(`"]" behind the tag`)
	}
	p.next()
	return tag, nil
}

// until reads a text up to its closing sign, before which a backslash takes the
// meaning away from that sign and from itself.
func (p *parser) until(closing rune, allowed func(rune) bool, began Place) (string, error) {
	var text strings.Builder
	for {
		if p.rest == "" {
			return "", p.fail(began, `what begins here has no closing "%c"`, closing)
		}
		at, bad := p.at, p.invalid()
		r := p.next()
		switch {
		case r == closing:
			return text.String(), nil
		case r == '\\':
			if r = p.peek(); r != closing && r != '\\' {
				return "", p.unexpected(fmt.Sprintf(`"%c" or "\" behind "\"`, closing))
			}
			p.next()
		case bad || !allowed(r):
			return "", p.fail(at, "a character that does not belong into a text")
		}
		text.WriteRune(r)
	}
}

// invalid tells that what comes is no UTF-8.
func (p *parser) invalid() bool {
	r, size := utf8.DecodeRuneInString(p.rest)
	return r == utf8.RuneError && size <= 1
}

// line is turns one after the other: the game, or a variation.
type line struct {
	began  Place
	before *Node // of the last turn; nil until there is one
	last   *Node
	number int // of the next turn
}

// movetext reads all turns. Variations that are open lie on a stack.
func (p *parser) movetext() (*Node, error) {
	root := &Node{}
	open := []line{{last: root, number: 1}}
	for {
		p.skipBlanks()
		now := &open[len(open)-1]
		switch r := p.peek(); {
		case r == 0 && p.rest == "":
			if len(open) > 1 {
				return nil, p.fail(now.began, `the variation that begins here has no closing ")"`)
			}
			return root, nil
		case r == '{':
			if len(open) > 1 && now.before == nil {
				return nil, p.fail(p.at, "a comment before the first turn of a variation: want it behind the turn")
			}
			if err := p.comment(now.last); err != nil {
				return nil, err
			}
		case r == '(':
			if err := p.begin(&open); err != nil {
				return nil, err
			}
		case r == ')':
			if len(open) == 1 {
				return nil, p.fail(p.at, `")" without a "("`)
			}
			if now.before == nil {
				return nil, p.fail(p.at, "a variation without a turn")
			}
			p.next()
			open = open[:len(open)-1]
		default:
			if err := p.turn(now); err != nil {
				return nil, err
			}
		}
	}
}

// begin opens a variation: other turns than the last one of the line.
func (p *parser) begin(open *[]line) error {
	now := (*open)[len(*open)-1]
	switch {
	case now.before == nil:
		return p.fail(p.at, "a variation before there is a turn that it could replace")
	case len(*open) > MostDepth:
		return p.fail(p.at, "%w: variations within each other, want at most %d", ErrTooLarge, MostDepth)
	}
	*open = append(*open, line{began: p.at, last: now.before, number: now.number - 1})
	p.next()
	return nil
}

func (p *parser) comment(about *Node) error {
	began := p.at
	p.next()
	text, err := p.until('}', func(r rune) bool { return unicode.IsSpace(r) || textRune(r) }, began)
	if err != nil {
		return err
	}
	p.comments[about] = append(p.comments[about], text)
	return nil
}

// joinWords puts texts behind each other, with single blanks.
func joinWords(texts ...string) string {
	return strings.Join(strings.Fields(strings.Join(texts, " ")), " ")
}

func (p *parser) turn(l *line) error {
	at := p.at
	number := p.take(func(r rune) bool { return r >= '0' && r <= '9' })
	if number != "" {
		if p.peek() != '.' {
			return p.unexpected(`"." behind the number of a turn`)
		}
		p.take(func(r rune) bool { return r == '.' })
		if n, err := strconv.Atoi(number); err != nil || n != l.number {
			return p.fail(at, "turn %s stands where turn %d is due: each turn has a number, whoever makes it", bitboard.Shorten(number), l.number)
		}
		p.skipBlanks()
		at = p.at
	}
	word := ""
	if p.peek() < '0' || p.peek() > '9' {
		word = p.take(wordRune)
	}
	if word == "" {
		return p.unexpected("a turn")
	}
	if p.turns++; p.turns > MostTurns {
		return p.fail(at, "%w: want at most %d turns", ErrTooLarge, MostTurns)
	}
	made := &Node{Turn: word, At: at}
	l.last.Next = append(l.last.Next, made)
	l.before, l.last = l.last, made
	l.number++
	return nil
}

// take reads characters as long as they are wanted.
func (p *parser) take(wanted func(rune) bool) string {
	from := p.rest
	for p.rest != "" && !p.invalid() && wanted(p.peek()) {
		p.next()
	}
	return from[:len(from)-len(p.rest)]
}
