package foreign

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"paika/bitboard"
	"paika/bitboard/record"
)

// observed is what an observation string begins with.
const observed = "Player to move: "

// spielBoard is the board that OpenSpiel plays on where nothing is said.
var spielBoard = bitboard.Board{Width: 8, Height: 8}

// spiel is Konane on one of its boards.
type spiel struct{ board bitboard.Board }

// flipped is a point seen from the other program: with Black's point at the top left.
func (g spiel) flipped(p bitboard.Point) bitboard.Point {
	if g.board.Height%2 == 0 {
		p.Rank = g.board.Height - 1 - p.Rank
	}
	return p
}

// jumps is the most jumps that an action counts.
func (g spiel) jumps() int { return max(2, (max(g.board.Width, g.board.Height)-1)/2) }

// steps are the directions of an action: up, right, down, left.
var steps = [4]bitboard.Point{{Rank: 1}, {File: 1}, {Rank: -1}, {File: -1}}

// action is the number of the removal of a stone, or of a jump between two points, all as
// they lie here.
func (g spiel) action(points []bitboard.Point) int {
	from := g.flipped(points[0])
	square := (g.board.Height-1-from.Rank)*g.board.Width + from.File
	if len(points) == 1 {
		return square
	}
	to := g.flipped(points[1])
	way := bitboard.Point{File: cmp.Compare(to.File, from.File), Rank: cmp.Compare(to.Rank, from.Rank)}
	direction := 0
	for steps[direction] != way {
		direction++
	}
	jumps := max(to.File-from.File, from.File-to.File, to.Rank-from.Rank, from.Rank-to.Rank) / 2
	return g.board.Points() + (square*len(steps)+direction)*g.jumps() + jumps - 1
}

// turn is that of an action.
func (g spiel) turn(action int) (string, error) {
	square, jump := action, action >= g.board.Points()
	direction, jumps := 0, 0
	if jump {
		rest := action - g.board.Points()
		jumps = rest%g.jumps() + 1
		direction = rest / g.jumps() % len(steps)
		square = rest / g.jumps() / len(steps)
	}
	if action < 0 || square >= g.board.Points() {
		return "", fmt.Errorf("there is no action %d on %v", action, g.board)
	}
	from := bitboard.Point{File: square % g.board.Width, Rank: g.board.Height - 1 - square/g.board.Width}
	if !jump {
		return "-" + g.flipped(from).String(), nil
	}
	to := bitboard.Point{File: from.File + 2*jumps*steps[direction].File, Rank: from.Rank + 2*jumps*steps[direction].Rank}
	if to.File < 0 || to.File >= g.board.Width || to.Rank < 0 || to.Rank >= g.board.Height {
		return "", fmt.Errorf("action %d leads off the board of %v", action, g.board)
	}
	return g.flipped(from).String() + "-" + g.flipped(to).String(), nil
}

// named is the turn of an action's string, "e4" or "e6e4".
func (g spiel) named(text string) (string, error) {
	from, at, err := g.board.ScanPoint(text, 0)
	if err != nil || at == len(text) {
		return "-" + g.flipped(from).String(), err
	}
	to, at, err := g.board.ScanPoint(text, at)
	if err != nil {
		return "", err
	}
	if at != len(text) {
		return "", &bitboard.SyntaxError{Text: text, Offset: at, What: "want nothing after the action"}
	}
	return g.flipped(from).String() + "-" + g.flipped(to).String(), nil
}

func readSpiel(in *input, s Setting) (*record.Record, error) {
	if s.Game != konaneName && s.Game != "" {
		return nil, in.fail(0, "game %s: openspiel's konane is read and written", bitboard.Quote(s.Game))
	}
	if strings.HasPrefix(in.text, observed) {
		return readObservation(in)
	}
	g := spiel{s.Board}
	if g.board == (bitboard.Board{}) {
		g.board = spielBoard
	}
	var turns []*record.Node
	for at := 0; at < len(in.text); {
		if strings.IndexByte(", \t\r\n", in.text[at]) >= 0 {
			at++
			continue
		}
		word := in.text[at:]
		if end := strings.IndexAny(word, ", \t\r\n"); end >= 0 {
			word = word[:end]
		}
		turn, err := g.read(word)
		if err == nil && len(turns) == record.MostTurns {
			err = fmt.Errorf("%w: want at most %d turns", record.ErrTooLarge, record.MostTurns)
		}
		if err != nil {
			return nil, in.fail(at, "turn %d: %w", len(turns)+1, err)
		}
		turns = append(turns, &record.Node{Turn: turn, At: in.place(at)})
		at += len(word)
	}
	return recordOf(spielTags(g.board), turns), nil
}

// read reads an action by its number or its string.
func (g spiel) read(word string) (string, error) {
	if word[0] < '0' || word[0] > '9' {
		return g.named(word)
	}
	action, err := strconv.Atoi(word)
	if err != nil {
		return "", fmt.Errorf("action %s: want a number or a string such as e6e4", bitboard.Quote(word))
	}
	return g.turn(action)
}

func spielTags(board bitboard.Board) []record.Tag {
	return []record.Tag{
		tag(record.TagGame, konaneName), tag(record.TagBoard, board.String()), tag(record.TagRules, "opening=centre-or-corner"),
	}
}

// readObservation reads a player and the rows of a board, each behind its number, above
// the letters of the columns.
func readObservation(in *input) (*record.Record, error) {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(in.text, "\r\n", "\n"), "\n"), "\n")
	side, known := map[string]string{"0": "b", "1": "w"}[strings.TrimPrefix(lines[0], observed)]
	if !known {
		return nil, in.fail(len(observed), "want player 0 or 1")
	}
	rows := lines[1 : len(lines)-min(1, len(lines)-1)] // the last line has letters
	if len(rows) == 0 {
		return nil, in.fail(len(in.text), "no rows: want one for each rank, and the letters of the columns below")
	}
	board := bitboard.Board{Height: len(rows)}
	signs := make([]string, len(rows))
	for i, line := range rows {
		fail := func(column int, format string, args ...any) error {
			return &record.Error{At: record.Place{Line: i + 2, Column: 1 + utf8.RuneCountInString(line[:column])}, Err: fmt.Errorf(format, args...)}
		}
		label := strconv.Itoa(len(rows) - i)
		trimmed := strings.TrimLeft(line, " ")
		at := len(line) - len(trimmed)
		rest, found := strings.CutPrefix(trimmed, label)
		if !found {
			return nil, fail(at, "want the row's number, %s", label)
		}
		at += len(label)
		if bad := strings.IndexFunc(rest, func(r rune) bool { return !strings.ContainsRune("xo.", r) }); bad >= 0 {
			return nil, fail(at+bad, "want x, o or a dot")
		}
		if i == 0 {
			board.Width = len(rest)
		}
		if len(rest) != board.Width || board.Width == 0 {
			return nil, fail(at, "%s in the row: want %d", bitboard.Count(len(rest), "point"), max(1, board.Width))
		}
		signs[i] = rest
	}
	g := spiel{board}
	text := board.FormatRows(func(p bitboard.Point) byte {
		p = g.flipped(p)
		return signs[board.Height-1-p.Rank][p.File]
	})
	return recordOf(append(spielTags(board), tag(record.TagPosition, text+" "+side)), nil), nil
}

// writeSpiel writes the history of a game, or the observation of a position.
func writeSpiel(r *record.Record, s Setting) (string, error) {
	if s.Game != konaneName || s.Board.Width < 2 || s.Board.Height < 2 {
		return "", fmt.Errorf("%w: openspiel has Konane, on boards of 2x2 and more, not %s on %v", ErrUnwritable, s.Game, s.Board)
	}
	g, turns := spiel{s.Board}, game(r)
	position, given := r.Tag(record.TagPosition)
	if given && len(turns) > 0 {
		return "", unwritable(position.At, "a game that begins elsewhere than at its start")
	}
	if !given {
		if err := keeps(r, konaneRules(removals()...)); err != nil {
			return "", err
		}
	}
	if len(turns) == 0 {
		return g.observation(position)
	}
	numbers := make([]string, len(turns))
	for i, n := range turns {
		all, err := points(g.board, n.Turn)
		if err != nil {
			return "", &record.Error{At: n.At, Err: err}
		}
		if err := removed(g.board, i, n, all); err != nil {
			return "", err
		}
		numbers[i] = strconv.Itoa(g.action(all))
	}
	return strings.Join(numbers, ", ") + "\n", nil
}

// observation writes the position of a tag, or the start where the tag is empty.
func (g spiel) observation(position record.Tag) (string, error) {
	signs, player := make(map[bitboard.Point]byte), "0"
	if position.Text != "" {
		end, err := g.board.ScanRows(position.Text, 0, "xo.", func(p bitboard.Point, sign byte) { signs[p] = sign })
		if err != nil {
			return "", &record.Error{At: position.At, Err: err}
		}
		if strings.HasPrefix(position.Text[end:], " w") {
			player = "1"
		}
	}
	var text strings.Builder
	text.WriteString(observed + player + "\n")
	margin := len(strconv.Itoa(g.board.Height))
	for rank := g.board.Height - 1; rank >= 0; rank-- {
		fmt.Fprintf(&text, "%*d", margin, rank+1)
		for file := range g.board.Width {
			p := g.flipped(bitboard.Point{File: file, Rank: rank})
			sign := "xo"[(p.File+p.Rank)%2]
			if given, there := signs[p]; there {
				sign = given
			}
			text.WriteByte(sign)
		}
		text.WriteByte('\n')
	}
	text.WriteString(strings.Repeat(" ", margin))
	for file := range g.board.Width {
		text.WriteByte('a' + byte(file))
	}
	return text.String() + "\n", nil
}
