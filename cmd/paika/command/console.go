package command

import (
	"io"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"paika/cmd/paika/catalogue"
)

// console is a terminal whose last line tells how work goes on. What else is written to it comes
// before that line, which then stands below. It can be used from several goroutines.
type console struct {
	out   io.Writer
	width func() int // of the terminal, in characters

	mutex sync.Mutex
	line  string // that stands last, and has no end; empty for none
	wide  int    // its width, in characters
}

// layered is a writer that passes on to another one what it is given.
type layered interface{ below() io.Writer }

// layer is the uppermost writer of a type among w and those below it, or the zero value.
func layer[T io.Writer](w io.Writer) (none T) {
	for {
		if found, is := w.(T); is {
			return found
		}
		upper, is := w.(layered)
		if !is {
			return none
		}
		w = upper.below()
	}
}

// consoleOn is the console among w and the writers below it, or one on the terminal there, or nil.
func consoleOn(w io.Writer) *console {
	if c := layer[*console](w); c != nil {
		return c
	}
	if file := terminal(w); file != nil {
		return &console{out: file, width: func() int { return widthOf(file) }}
	}
	return nil
}

// terminal is the terminal that w writes to, or nil.
func terminal(w io.Writer) *os.File {
	if file := layer[*os.File](w); file != nil && term.IsTerminal(int(file.Fd())) {
		return file
	}
	return nil
}

// widthOf is the number of characters that fit on a line.
func widthOf(terminal *os.File) int {
	if width, _, err := term.GetSize(int(terminal.Fd())); err == nil && width > 0 {
		return width
	}
	return 80
}

func (c *console) below() io.Writer { return c.out }

// Write writes text in the place of the last line, and that line below it where the text ends one.
func (c *console) Write(text []byte) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	line := c.line
	c.put("")
	n, err := c.out.Write(text)
	if err == nil && strings.HasSuffix(string(text), "\n") {
		c.put(line)
	}
	return n, err
}

// show makes a line the last one.
func (c *console) show(line string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.put(line)
}

// end leaves the last line as it is: others come below it.
func (c *console) end() {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.line != "" {
		io.WriteString(c.out, "\n")
	}
	c.line, c.wide = "", 0
}

// put writes a line over the last one; an empty one leaves the cursor where that began. A line that
// is too long would not be written over, but push the screen up: it is cut. The mutex is held.
func (c *console) put(line string) {
	if line == "" && c.wide == 0 {
		return
	}
	shown := []rune(catalogue.Escape(line))
	shown = shown[:min(len(shown), max(c.width()-1, 0))]
	text := "\r" + string(shown) + strings.Repeat(" ", max(c.wide-len(shown), 0))
	if line == "" {
		text += "\r"
	}
	io.WriteString(c.out, text)
	c.line, c.wide = line, len(shown)
}
