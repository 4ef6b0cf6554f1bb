package benchmarks

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"strings"

	"paika/bitboard"
)

//go:embed problems/*.txt
var problemFiles embed.FS

// SearchTable is what a search for a problem gets for its transposition table, or for
// its tree, in bytes.
const SearchTable = 32 << 20

// SearchSets is what it gets for the sets of positions beside that, in bytes: as many positions as
// the table has places, and room for more.
const SearchSets = 128 << 20

// Problem is a claim that is known to be true.
type Problem struct {
	Name     string // file and line
	Game     string
	Board    string
	Rules    map[string]string
	Position string
	Claim    string
	Source   string // where the answer is from
}

// fields of a line of a file of problems.
const fields = 6

// ParseProblems reads a file of problems: a line each, with game, board, rule
// options ("-" for none), position, claim and source, and ";" between them. Empty
// lines, and those that begin with "#", say nothing. Errors name file and line.
func ParseProblems(file, text string) ([]Problem, error) {
	var problems []Problem
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name := fmt.Sprintf("%s:%d", file, i+1)
		p, err := parseProblem(line)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		p.Name = name
		problems = append(problems, p)
	}
	return problems, nil
}

func parseProblem(line string) (Problem, error) {
	cells := strings.Split(line, ";")
	if len(cells) != fields {
		return Problem{}, fmt.Errorf("%d columns: want %d: game; board; rules; position; claim; source", len(cells), fields)
	}
	for i := range cells {
		if cells[i] = strings.TrimSpace(cells[i]); cells[i] == "" {
			return Problem{}, fmt.Errorf("column %d is empty", i+1)
		}
	}
	p := Problem{Game: cells[0], Board: cells[1], Rules: map[string]string{}, Position: cells[3], Claim: cells[4], Source: cells[5]}
	if cells[2] == "-" {
		return p, nil
	}
	chosen, err := bitboard.ParseOptions(cells[2])
	if err != nil {
		return Problem{}, fmt.Errorf("rule %w", err)
	}
	for _, option := range chosen {
		p.Rules[option.Name] = option.Value
	}
	return p, nil
}

// Format writes the problem as a line that ParseProblems reads.
func (p Problem) Format(w io.Writer) error {
	rules := "-"
	if chosen := p.ChosenRules(); chosen != "" {
		rules = chosen
	}
	_, err := fmt.Fprintf(w, "%s; %s; %s; %s; %s; %s\n", p.Game, p.Board, rules, p.Position, p.Claim, p.Source)
	return err
}

// ChosenRules writes the rule options as name=value, sorted, with "," between them;
// it is empty where there are none.
func (p Problem) ChosenRules() string {
	var pairs []string
	for option, value := range p.Rules {
		pairs = append(pairs, option+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, ",")
}

// Problems lists the problems of all games, or of one.
func Problems(game string) ([]Problem, error) {
	entries, err := problemFiles.ReadDir("problems")
	if err != nil {
		return nil, err
	}
	var all []Problem
	for _, entry := range entries {
		text, err := problemFiles.ReadFile("problems/" + entry.Name())
		if err != nil {
			return nil, err
		}
		problems, err := ParseProblems(entry.Name(), string(text))
		if err != nil {
			return nil, err
		}
		for _, p := range problems {
			if game == "" || p.Game == game {
				all = append(all, p)
			}
		}
	}
	return all, nil
}

//go:embed positions/*.txt
var positionFiles embed.FS

// Positions lists the positions that the probe suite looks up in the tables of a
// game on a board, as its folder of tables is named: from random games.
func Positions(folder string) ([]string, error) {
	text, err := positionFiles.ReadFile("positions/" + folder + ".txt")
	if err != nil {
		return nil, err
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n"), nil
}
