package phutball

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"paika/bitboard"
)

// Default is the board that Phutball is played on where nothing else is said.
var Default = bitboard.Board{Width: 15, Height: 19}

// MostPoints bounds the boards of layouts and grids, in points. Those of a Game are far
// smaller.
const MostPoints = 1 << 26

var sideNames = [2]string{"ohs", "eks"}

// Layout is a position as people see it, Ohs attacking the top row, on a board
// of any size.
type Layout struct {
	Board bitboard.Board
	Side  bitboard.Side  // to move: 0 is Ohs, 1 Eks
	Ball  bitboard.Point // off the board one beyond its ranks, and its files at a corner
	Men   []uint64       // a bit a point, row by row from the bottom left
}

// NewLayout is an empty board with the ball at a point.
func NewLayout(board bitboard.Board, side bitboard.Side, ball bitboard.Point) Layout {
	return Layout{board, side, ball, make([]uint64, (board.Points()+63)/64)}
}

// Man tells whether there is a man on a point of the board.
func (l *Layout) Man(p bitboard.Point) bool {
	i := p.Rank*l.Board.Width + p.File
	return l.Men[i/64]>>(i%64)&1 != 0
}

// Place puts a man on a point of the board.
func (l *Layout) Place(p bitboard.Point) {
	i := p.Rank*l.Board.Width + p.File
	l.Men[i/64] |= 1 << (i % 64)
}

// onBoard tells whether the ball is on a point.
func (l *Layout) onBoard() bool { return l.holds(l.Ball) }

// holds tells whether a point is one of the board.
func (l *Layout) holds(p bitboard.Point) bool {
	return p.File >= 0 && p.File < l.Board.Width && p.Rank >= 0 && p.Rank < l.Board.Height
}

// String draws the layout as ParseLayout reads it: the rows from the top, then
// the side to move. A ball off the board stands in front.
func (l Layout) String() string {
	rows := l.Board.FormatRows(func(p bitboard.Point) byte {
		switch {
		case p == l.Ball:
			return '@'
		case l.Man(p):
			return '*'
		}
		return '.'
	})
	text := rows + " " + sideNames[l.Side]
	if !l.onBoard() {
		text = "@" + PointName(l.Board, l.Ball) + " " + text
	}
	return text
}

// PointName is a point's name: letters for its column, A to Z without I, then
// AA, AB and so on, and the number of its row, from 1 at the bottom. Off the
// board the row is 0 or H+1, and behind a corner the column is < or >.
func PointName(board bitboard.Board, p bitboard.Point) string {
	row := strconv.Itoa(p.Rank + 1)
	switch {
	case p.File < 0:
		return "<" + row
	case p.File >= board.Width:
		return ">" + row
	}
	var letters []byte
	for n := p.File + 1; n > 0; n = (n - 1) / len(columnLetters) {
		letters = append([]byte{columnLetters[(n-1)%len(columnLetters)]}, letters...)
	}
	return string(letters) + row
}

const columnLetters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

// scanPointName reads a point's name at an offset in text, and gives the offset
// behind it. Errors are of type *bitboard.SyntaxError.
func scanPointName(board bitboard.Board, text string, offset int) (bitboard.Point, int, error) {
	file, at := -1, offset
	beside := strings.HasPrefix(text[offset:], "<") || strings.HasPrefix(text[offset:], ">")
	if beside {
		if text[at] == '>' {
			file = board.Width
		}
		at++
	} else {
		n := 0
		for ; at < len(text) && at < offset+8; at++ {
			letter := strings.IndexByte(columnLetters, text[at])
			if letter < 0 {
				break
			}
			n = n*len(columnLetters) + letter + 1
		}
		file = n - 1
		if at == offset {
			return bitboard.Point{}, 0, &bitboard.SyntaxError{Text: text, Offset: at, What: "want a point, such as H10 (columns have capital letters, I is skipped)"}
		}
	}
	end := at
	for end < len(text) && '0' <= text[end] && text[end] <= '9' {
		end++
	}
	if end == at {
		return bitboard.Point{}, 0, &bitboard.SyntaxError{Text: text, Offset: at, What: "want the row's number"}
	}
	row, err := strconv.Atoi(text[at:end])
	p := bitboard.Point{File: file, Rank: row - 1}
	offRanks := row == 0 || row == board.Height+1
	there := row <= board.Height+1 && file < board.Width
	if beside {
		there = offRanks // of what lies beside the files, the corners alone have names
	}
	if err != nil || text[at] == '0' && end > at+1 || !there {
		corner := bitboard.Point{File: board.Width - 1, Rank: board.Height - 1}
		what := fmt.Sprintf("%s is not on the board: want A1 to %s, or row 0 or %d", bitboard.Shorten(text[offset:end]), PointName(board, corner), board.Height+1)
		return bitboard.Point{}, 0, &bitboard.SyntaxError{Text: text, Offset: offset, What: what}
	}
	return p, end, nil
}

// ParseLayout reads a position on the board that the text itself gives: the
// number and length of its rows, or, in the short form, board=WxH. A short form
// without it is on the board given. Boards have 3 rows at least and at most
// MostPoints points. Errors are of type *bitboard.SyntaxError.
func ParseLayout(text string, board bitboard.Board) (Layout, error) {
	if isShort(text) {
		return parseShort(text, board, false)
	}
	drawn, at := drawing(text)
	first, _, _ := strings.Cut(drawn, "/")
	if first == "" {
		return Layout{}, &bitboard.SyntaxError{Text: text, Offset: 0, What: "no board: want its rows from the top, / between them, or ball=POINT men=POINT,... to=SIDE board=WxH"}
	}
	own := bitboard.Board{Width: len(first), Height: 1 + strings.Count(drawn, "/")}
	if own.Width > len(drawn)/own.Height {
		// Some row is shorter than the first: the points would take more room than
		// the text. This scan finds it.
		_, err := own.ScanRows(text, at, letters, func(bitboard.Point, byte) {})
		return Layout{}, err
	}
	if err := checkBoard(text, at, own); err != nil {
		return Layout{}, err
	}
	return parseRows(text, own)
}

// NamedBoard is the board that a position in the short form says it is on, if it names
// one. Whether Phutball can be played there is not asked.
func NamedBoard(text string) (board bitboard.Board, named bool) {
	if !isShort(text) {
		return bitboard.Board{}, false
	}
	fields, err := scanFields(text)
	if err != nil {
		return bitboard.Board{}, false
	}
	board, err = bitboard.ParseBoard(fields["board"].value)
	return board, err == nil
}

// drawing is the rows of a position and where they begin.
func drawing(text string) (rows string, at int) {
	if strings.HasPrefix(text, "@") {
		if ball, rest, found := strings.Cut(text, " "); found && strings.Contains(rest, " ") && !strings.Contains(ball, "/") {
			at = len(ball) + 1
		}
	}
	rows, _, _ = strings.Cut(text[at:], " ")
	return rows, at
}

// checkBoard fails on a board that no layout is on. The text tells of it at an
// offset.
func checkBoard(text string, at int, board bitboard.Board) error {
	if err := admitBoard(board); err != nil {
		return &bitboard.SyntaxError{Text: text, Offset: at, What: err.Error()}
	}
	return nil
}

// admitBoard fails on a board that neither a layout nor a grid is of.
func admitBoard(board bitboard.Board) error {
	switch {
	case board.Height < MinHeight:
		return fmt.Errorf("board %v: want at least %d rows", board, MinHeight)
	case board.Width < 1:
		return fmt.Errorf("board %v: want at least 1 column", board)
	case board.Width > MostPoints/board.Height:
		return fmt.Errorf("board %v: want at most %d points", board, MostPoints)
	}
	return nil
}

// parseOn reads a position on a board, and on no other.
func parseOn(text string, board bitboard.Board) (Layout, error) {
	if isShort(text) {
		return parseShort(text, board, true)
	}
	l, err := parseRows(text, board)
	if err != nil {
		if other, otherErr := ParseLayout(text, board); otherErr == nil && other.Board != board {
			_, at := drawing(text)
			return Layout{}, otherBoard(text, at, other.Board, board)
		}
	}
	return l, err
}

// otherBoard says that a position names another board than the game is on.
func otherBoard(text string, at int, named, board bitboard.Board) error {
	return &bitboard.SyntaxError{Text: text, Offset: at, What: fmt.Sprintf("board %v: the game is on %v", named, board)}
}

// Admits fails with a *bitboard.SyntaxError if the ball of the layout that a text
// gives is where no ball gets to under the rules.
func (r Rules) Admits(text string, l Layout) error {
	if !r.CornerExit && (l.Ball.File < 0 || l.Ball.File >= l.Board.Width) {
		return &bitboard.SyntaxError{Text: text, Offset: max(0, strings.IndexAny(text, "<>")), What: "no ball gets there: the rule corner-exit is off"}
	}
	return nil
}

// letters are the signs of a drawing: a vacant point, a man, the ball.
const letters = ".*@"

// isShort tells the short form from rows, which have no "=".
func isShort(text string) bool { return strings.Contains(text, "=") }

func parseRows(text string, board bitboard.Board) (Layout, error) {
	l := NewLayout(board, 0, bitboard.Point{})
	balls, at := 0, 0
	if ball, end, ok, err := scanBallOff(text, board); err != nil {
		return Layout{}, err
	} else if ok {
		l.Ball, at, balls = ball, end, 1
	}
	end, err := board.ScanRows(text, at, letters, func(p bitboard.Point, letter byte) {
		switch letter {
		case '*':
			l.Place(p)
		case '@':
			l.Ball = p
			balls++
		}
	})
	if err != nil {
		return Layout{}, err
	}
	if balls != 1 {
		return Layout{}, &bitboard.SyntaxError{Text: text, Offset: at, What: fmt.Sprintf("%d balls: want one @, or @POINT in front for a ball off the board", balls)}
	}
	l.Side, err = bitboard.ScanSide(text, end, sideNames)
	return l, err
}

// scanBallOff reads "@H20 " in front of the rows, if it is there. An "@" that
// a row begins with is followed by a letter of the drawing, never by a point.
func scanBallOff(text string, board bitboard.Board) (ball bitboard.Point, end int, ok bool, err error) {
	if len(text) < 2 || text[0] != '@' || strings.IndexByte(".*@/ ", text[1]) >= 0 {
		return bitboard.Point{}, 0, false, nil
	}
	ball, end, err = scanPointName(board, text, 1)
	if err != nil {
		return bitboard.Point{}, 0, false, err
	}
	if ball.Rank >= 0 && ball.Rank < board.Height {
		what := fmt.Sprintf("%s is on the board: draw the ball there", text[1:end])
		return bitboard.Point{}, 0, false, &bitboard.SyntaxError{Text: text, Offset: 1, What: what}
	}
	if end == len(text) || text[end] != ' ' {
		return bitboard.Point{}, 0, false, &bitboard.SyntaxError{Text: text, Offset: end, What: "want a space and the rows"}
	}
	return ball, end + 1, true, nil
}

// field is one "key=value" of the short form.
type field struct {
	key, value string
	at         int // offset of the key
}

func (f *field) valueAt() int { return f.at + len(f.key) + 1 }

// parseShort reads "ball=H10 men=H11,J13 to=ohs board=15x19", in any order. men
// may be empty or missing, and so may board. If the board is fixed, the text may
// name no other.
func parseShort(text string, board bitboard.Board, fixed bool) (Layout, error) {
	fields, err := scanFields(text)
	if err != nil {
		return Layout{}, err
	}
	if f, ok := fields["board"]; ok {
		named, err := bitboard.ParseBoard(f.value)
		if err != nil {
			return Layout{}, &bitboard.SyntaxError{Text: text, Offset: f.valueAt(), What: err.Error()}
		}
		if fixed && named != board {
			return Layout{}, otherBoard(text, f.valueAt(), named, board)
		}
		if err := checkBoard(text, f.valueAt(), named); err != nil {
			return Layout{}, err
		}
		board = named
	} else if err := checkBoard(text, 0, board); err != nil {
		return Layout{}, err
	}
	side, err := shortSide(text, fields)
	if err != nil {
		return Layout{}, err
	}
	ball, ok := fields["ball"]
	if !ok {
		return Layout{}, &bitboard.SyntaxError{Text: text, Offset: len(text), What: "no ball: want ball=POINT"}
	}
	at, end, err := scanPointName(board, text, ball.valueAt())
	if err != nil {
		return Layout{}, err
	}
	if end != ball.valueAt()+len(ball.value) {
		return Layout{}, &bitboard.SyntaxError{Text: text, Offset: end, What: "want a space behind the ball's point"}
	}
	l := NewLayout(board, side, at)
	if men, ok := fields["men"]; ok && men.value != "" {
		err = l.scanMen(text, men)
	}
	return l, err
}

// scanFields splits the short form at spaces.
func scanFields(text string) (map[string]field, error) {
	fields := make(map[string]field)
	at := 0
	for part := range strings.SplitSeq(text, " ") {
		f := field{at: at}
		at += len(part) + 1
		var found bool
		if f.key, f.value, found = strings.Cut(part, "="); !found {
			return nil, &bitboard.SyntaxError{Text: text, Offset: f.at, What: bitboard.Quote(part) + ": want KEY=VALUE, one space between"}
		}
		if !strings.Contains(" ball men to board ", " "+f.key+" ") {
			return nil, &bitboard.SyntaxError{Text: text, Offset: f.at, What: fmt.Sprintf("unknown key %s: want ball, men, to or board", bitboard.Quote(f.key))}
		}
		if _, twice := fields[f.key]; twice {
			return nil, &bitboard.SyntaxError{Text: text, Offset: f.at, What: f.key + " stands here a second time"}
		}
		fields[f.key] = f
	}
	return fields, nil
}

func shortSide(text string, fields map[string]field) (bitboard.Side, error) {
	to, ok := fields["to"]
	if !ok {
		return 0, &bitboard.SyntaxError{Text: text, Offset: len(text), What: "no side to move: want to=ohs or to=eks"}
	}
	for s, name := range sideNames {
		if to.value == name {
			return bitboard.Side(s), nil
		}
	}
	return 0, &bitboard.SyntaxError{Text: text, Offset: to.valueAt(), What: fmt.Sprintf("unknown side to move %s: want ohs or eks", bitboard.Quote(to.value))}
}

// scanMen reads points with commas between them and puts men there.
func (l *Layout) scanMen(text string, men field) error {
	for at, end := men.valueAt(), 0; ; at = end + 1 {
		p, behind, err := scanPointName(l.Board, text, at)
		if err != nil {
			return err
		}
		name := text[at:behind]
		switch {
		case p.Rank < 0 || p.Rank >= l.Board.Height:
			err = errors.New(name + " is off the board: men stand on it")
		case p == l.Ball:
			err = errors.New(name + " holds the ball")
		case l.Man(p):
			err = errors.New(name + " stands here a second time")
		}
		if err != nil {
			return &bitboard.SyntaxError{Text: text, Offset: at, What: err.Error()}
		}
		l.Place(p)
		if end = behind; end == men.valueAt()+len(men.value) {
			return nil
		}
		if text[end] != ',' {
			return &bitboard.SyntaxError{Text: text, Offset: end, What: "want a comma and the next man's point, or a space"}
		}
	}
}
