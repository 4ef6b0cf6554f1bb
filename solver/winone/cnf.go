package winone

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// CNF is a formula in conjunctive normal form: clauses of literals, which are
// variables from 1 or their negatives.
type CNF struct {
	Variables int
	Clauses   [][]int
}

// ReadDIMACS reads a formula in the format of the SAT competitions: comment
// lines that begin with "c", a line "p cnf VARIABLES CLAUSES", then the
// literals of each clause, ended by 0. Errors name the line.
func ReadDIMACS(r io.Reader) (CNF, error) {
	d := dimacs{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	for number := 1; lines.Scan(); number++ {
		if err := d.line(strings.Fields(lines.Text())); err != nil {
			return CNF{}, fmt.Errorf("line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return CNF{}, err
	}
	switch {
	case !d.begun:
		return CNF{}, errors.New(`no line "p cnf VARIABLES CLAUSES"`)
	case len(d.clause) > 0:
		return CNF{}, errors.New("the last clause is not ended by 0")
	case len(d.formula.Clauses) != d.clauses:
		return CNF{}, fmt.Errorf("%d clauses, but the first line tells %d", len(d.formula.Clauses), d.clauses)
	}
	return d.formula, nil
}

// dimacs is what has been read.
type dimacs struct {
	formula CNF
	begun   bool
	clauses int // that there should be
	clause  []int
}

func (d *dimacs) line(words []string) error {
	switch {
	case len(words) == 0 || words[0] == "c":
		return nil
	case words[0] == "p":
		return d.header(words)
	case !d.begun:
		return fmt.Errorf("%q stands before \"p cnf VARIABLES CLAUSES\"", words[0])
	}
	for _, word := range words {
		l, err := strconv.Atoi(word)
		switch {
		case err != nil:
			return fmt.Errorf("%q: want a literal or 0", word)
		case l == 0:
			d.formula.Clauses = append(d.formula.Clauses, d.clause)
			d.clause = nil
		case max(l, -l) > d.formula.Variables:
			return fmt.Errorf("literal %d: the variables are 1 to %d", l, d.formula.Variables)
		default:
			d.clause = append(d.clause, l)
		}
	}
	return nil
}

func (d *dimacs) header(words []string) error {
	if d.begun {
		return errors.New(`a second line "p"`)
	}
	if len(words) == 4 && words[1] == "cnf" {
		variables, errV := strconv.Atoi(words[2])
		clauses, errC := strconv.Atoi(words[3])
		if errV == nil && errC == nil && variables >= 0 && clauses >= 0 {
			d.begun, d.formula.Variables, d.clauses = true, variables, clauses
			return nil
		}
	}
	return fmt.Errorf("%q: want \"p cnf VARIABLES CLAUSES\"", strings.Join(words, " "))
}
