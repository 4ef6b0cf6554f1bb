package command

import (
	"io"
	"strconv"
	"sync"
	"unicode"
	"unicode/utf8"
)

// plainWriter writes text for people. Texts of somebody else may stand in it, such as those of a
// certificate, of tables or of a hub, and a terminal does what control characters say, and turns
// text round by others. It writes what is not seen as Go does, but for ends of lines and tabs, and
// likewise what is no UTF-8. It can be used from several goroutines.
type plainWriter struct {
	io.Writer
	mutex sync.Mutex
	begun []byte // of a character, whose rest has not come
}

func (p *plainWriter) below() io.Writer { return p.Writer }

func (p *plainWriter) Write(text []byte) (int, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	rest := append(p.begun, text...)
	plain := make([]byte, 0, len(rest))
	for len(rest) > 0 && utf8.FullRune(rest) {
		_, size := utf8.DecodeRune(rest)
		plain = appendPlain(plain, rest[:size])
		rest = rest[size:]
	}
	p.begun = rest
	if _, err := p.Writer.Write(plain); err != nil {
		return 0, err
	}
	return len(text), nil
}

// end writes what has come of a character that has no end.
func (p *plainWriter) end() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var plain []byte
	for i := range p.begun {
		plain = appendPlain(plain, p.begun[i:i+1])
	}
	p.begun = nil
	if len(plain) == 0 {
		return nil
	}
	_, err := p.Writer.Write(plain)
	return err
}

// appendPlain appends a character as it is shown.
func appendPlain(plain, character []byte) []byte {
	r, size := utf8.DecodeRune(character)
	if r == '\n' || r == '\t' || unicode.IsGraphic(r) && (r != utf8.RuneError || size > 1) {
		return append(plain, character...)
	}
	quoted := strconv.Quote(string(character))
	return append(plain, quoted[1:len(quoted)-1]...)
}

// printPlain has a function write text for people.
func printPlain(w io.Writer, write func(w io.Writer) error) error {
	plain := &plainWriter{Writer: w}
	if err := write(plain); err != nil {
		return err
	}
	return plain.end()
}
