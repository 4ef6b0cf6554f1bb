package winone

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"paika/bitboard"
	"paika/bitboard/phutball"
)

// CNF is a formula in conjunctive normal form: clauses of literals, which are
// variables from 1 or their negatives.
type CNF struct {
	Variables int
	Clauses   [][]int
}

// ErrTooLarge says that the board of a formula would have more than
// phutball.MostPoints points.
var ErrTooLarge = errors.New("the board is too large")

// mostClauses bounds the clauses that are read. A board has room for fewer with
// literals.
const mostClauses = 1 << 20

// ReadDIMACS reads a formula in the format of the SAT competitions: comment
// lines that begin with "c", a line "p cnf VARIABLES CLAUSES", then the
// literals of each clause, ended by 0. A line that begins with "%" ends it, as in the
// files of SATLIB, which have a 0 behind. Errors name the line. They wrap ErrTooLarge
// as soon as what has been read is too much for a board: nothing larger is ever
// held.
func ReadDIMACS(r io.Reader) (CNF, error) {
	d := dimacs{words: words{in: bufio.NewReader(r), line: 1}}
	for {
		word, first, err := d.next()
		if errors.Is(err, io.EOF) || first && word == "%" {
			break
		}
		if err != nil {
			return CNF{}, err
		}
		if err := d.word(word, first); err != nil {
			return CNF{}, fmt.Errorf("line %d: %w", d.line, err)
		}
	}
	switch {
	case !d.begun:
		return CNF{}, errors.New(`no line "p cnf VARIABLES CLAUSES"`)
	case len(d.clause) > 0:
		return CNF{}, errors.New("the last clause is not ended by 0")
	case len(d.formula.Clauses) != d.clauses:
		return CNF{}, fmt.Errorf("%s, but the first line tells %d", bitboard.Count(len(d.formula.Clauses), "clause"), d.clauses)
	}
	return d.formula, nil
}

// words takes a text apart. Nothing of it is held but one word.
type words struct {
	in   *bufio.Reader
	line int  // from 1
	old  bool // a word of the line was read
}

// mostWord bounds the words that are held, in bytes. No number is so long.
const mostWord = 64

// next gives the next word, cut where it is too long, and tells whether it is the
// first of its line.
func (w *words) next() (word string, first bool, err error) {
	for {
		word, end, err := w.inLine()
		if err != nil {
			return "", false, err
		}
		if !end {
			first, w.old = !w.old, true
			return word, first, nil
		}
		w.line++
		w.old = false
	}
}

// inLine gives the next word of the line, or tells that the line ends.
func (w *words) inLine() (word string, end bool, err error) {
	var held []byte
	for {
		letter, err := w.in.ReadByte()
		if err != nil && (!errors.Is(err, io.EOF) || held == nil) {
			return "", false, err
		}
		blank := err != nil || strings.IndexByte(" \t\r\v\f\n", letter) >= 0
		switch {
		case blank && held != nil:
			if err == nil {
				err = w.in.UnreadByte()
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			return string(held), false, err
		case letter == '\n':
			return "", true, nil
		case !blank && len(held) < mostWord:
			held = append(held, letter)
		}
	}
}

// skip goes on to the end of the line.
func (w *words) skip() error {
	for {
		_, err := w.in.ReadSlice('\n')
		switch {
		case err == nil:
			return w.in.UnreadByte()
		case errors.Is(err, io.EOF):
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// dimacs is what has been read.
type dimacs struct {
	words
	formula  CNF
	begun    bool
	clauses  int // that there should be
	literals int
	clause   []int
}

// word takes up a word.
func (d *dimacs) word(word string, first bool) error {
	switch {
	case first && strings.HasPrefix(word, "c"):
		return d.skip()
	case first && word == "p":
		return d.header()
	case !d.begun:
		return fmt.Errorf("%s stands before \"p cnf VARIABLES CLAUSES\"", bitboard.Quote(word))
	}
	l, err := strconv.Atoi(word)
	switch {
	case err != nil:
		return fmt.Errorf("%s: want a literal or 0", bitboard.Quote(word))
	case len(d.formula.Clauses) == d.clauses:
		return fmt.Errorf("more than %s, which the first line tells", bitboard.Count(d.clauses, "clause"))
	case l == 0:
		d.formula.Clauses = append(d.formula.Clauses, d.clause)
		d.clause = nil
		return nil
	case l > d.formula.Variables || l < -d.formula.Variables:
		return fmt.Errorf("literal %d: the variables are 1 to %d", l, d.formula.Variables)
	}
	d.literals++
	d.clause = append(d.clause, l)
	return d.fits()
}

// mostHeader bounds the words of a header that are held; it has three behind "p".
const mostHeader = 4

func (d *dimacs) header() error {
	if d.begun {
		return errors.New(`a second line "p"`)
	}
	shown := []string{"p"}
	for {
		word, end, err := d.inLine()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if end {
			if err := d.in.UnreadByte(); err != nil {
				return err
			}
			break
		}
		if len(shown) > mostHeader {
			shown[mostHeader] = "..."
			break
		}
		shown = append(shown, word)
	}
	if len(shown) == mostHeader && shown[1] == "cnf" {
		variables, errV := strconv.Atoi(shown[2])
		clauses, errC := strconv.Atoi(shown[3])
		if errV == nil && errC == nil && variables >= 0 && clauses >= 0 {
			d.begun, d.formula.Variables, d.clauses = true, variables, clauses
			return d.bounded()
		}
	}
	return fmt.Errorf("%s: want \"p cnf VARIABLES CLAUSES\"", bitboard.Quote(strings.Join(shown, " ")))
}

// bounded fails if the header tells of too much.
func (d *dimacs) bounded() error {
	if err := d.fits(); err != nil {
		return err
	}
	if d.clauses > mostClauses {
		return fmt.Errorf("%d clauses: want at most %d", d.clauses, mostClauses)
	}
	return nil
}

// fits fails if the board would be too large for what has been read.
func (d *dimacs) fits() error {
	variables, rows := d.formula.Variables, "more than 67108864"
	if variables <= phutball.MostPoints {
		board := boardOf(variables, d.literals, len(d.formula.Clauses))
		if board.Width <= phutball.MostPoints/board.Height {
			return nil
		}
		rows = strconv.Itoa(board.Height)
	}
	width := boardOf(0, d.literals, 0).Width
	return fmt.Errorf("%w: %s and %s so far make %s rows of %d points or more, and it may have %d points",
		ErrTooLarge, bitboard.Count(variables, "variable"), bitboard.Count(d.literals, "literal"), rows, width, phutball.MostPoints)
}

// Board is the board that FromCNF lays out.
func (f CNF) Board() bitboard.Board {
	literals := 0
	for _, c := range f.Clauses {
		literals += len(c)
	}
	return boardOf(f.Variables, literals, len(f.Clauses))
}
