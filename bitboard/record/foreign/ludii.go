package foreign

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"paika/bitboard"
	"paika/bitboard/record"
)

// trialReader goes through the lines of a trial.
type trialReader struct {
	in      *input
	at      int // offset of the line
	game    string
	board   bitboard.Board
	options bool // the lines are options
	placed  int  // stones, before play
	moves   []trialMove
}

// trialMove is a line about a move: one step of a turn, or a pass.
type trialMove struct {
	at       int // offset
	mover    int // 1 or 2
	pass     bool
	from, to int // sites; the same where a stone is removed
	removed  []int
}

// trialBoards are the boards of a game, by the options that name them, with the default
// under the empty name; none of games that are not read.
func trialBoards(game string) map[string]bitboard.Board {
	switch game {
	case fanoronaName:
		return map[string]bitboard.Board{
			"":              {Width: 9, Height: 5},
			"Version/Telo":  {Width: 3, Height: 3},
			"Version/Dimy":  {Width: 5, Height: 5},
			"Version/Tsivy": {Width: 9, Height: 5},
		}
	case konaneName:
		boards := map[string]bitboard.Board{"": {Width: 10, Height: 10}}
		for n := 6; n <= 16; n += 2 {
			boards[fmt.Sprintf("Board Size/%dx%d", n, n)] = bitboard.Board{Width: n, Height: n}
		}
		return boards
	}
	return nil
}

func readTrial(in *input) (*record.Record, error) {
	r := &trialReader{in: in}
	for line := range strings.Lines(in.text) {
		if err := r.line(strings.TrimSpace(line)); err != nil {
			return nil, in.fail(r.at, "%w", err)
		}
		r.at += len(line)
	}
	if r.game == "" {
		return nil, in.fail(len(in.text), "want a trial, which begins with game= and the file of a game")
	}
	if want := r.stones(); r.placed != 0 && r.placed != want {
		return nil, in.fail(len(in.text), "%s placed, and %s on %v has %d", bitboard.Count(r.placed, "stone"), r.game, r.board, want)
	}
	turns, err := r.turns()
	if err != nil {
		return nil, err
	}
	tags := []record.Tag{tag(record.TagGame, r.game), tag(record.TagBoard, r.board.String())}
	if r.game == konaneName {
		tags = append(tags, tag(record.TagRules, "opening=centre-or-corner"))
	}
	return recordOf(tags, turns), nil
}

// stones is how many there are at the start.
func (r *trialReader) stones() int {
	if r.game == fanoronaName {
		return r.board.Points() - 1
	}
	return r.board.Points()
}

// line takes up one line. Those that say nothing of the play are left out.
func (r *trialReader) line(text string) error {
	switch {
	case text == "":
		return nil
	case r.game == "":
		return r.named(text)
	case text == "START GAME OPTIONS" || text == "END GAME OPTIONS":
		r.options = text == "START GAME OPTIONS"
		return nil
	case r.options:
		return r.option(text)
	case text == "SANDBOX=true":
		return errors.New("stones were set by hand in the sandbox: want a game that was played")
	case strings.HasPrefix(text, "Move="):
		return r.move(text)
	}
	return nil
}

// named reads the line that names the game's file.
func (r *trialReader) named(text string) error {
	file, found := strings.CutPrefix(text, "game=")
	if !found {
		return errors.New("want a trial, which begins with game= and the file of a game")
	}
	name := strings.ToLower(strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), ".lud"))
	boards := trialBoards(name)
	if boards == nil {
		return fmt.Errorf("game %s: ludii's Fanorona and Konane are read", bitboard.Quote(name))
	}
	r.game, r.board = name, boards[""]
	return nil
}

func (r *trialReader) option(text string) error {
	board, known := trialBoards(r.game)[text]
	if !known {
		return fmt.Errorf("option %s: want a board, such as Board Size/8x8 or Version/Tsivy", bitboard.Quote(text))
	}
	r.board = board
	return nil
}

// move reads a line such as
//
//	Move=[Move:mover=1,from=9,to=9,actions=[Remove:type=Cell,to=9,decision=true]]
func (r *trialReader) move(text string) error {
	inner, opened := strings.CutPrefix(text, "Move=[Move:")
	inner, closed := strings.CutSuffix(inner, "]]")
	head, list, found := strings.Cut(inner, "actions=[")
	if !opened || !closed || !found {
		return errors.New("want Move=[Move:…,actions=[…]]")
	}
	mover, err := field(head, "mover")
	if err != nil {
		return err
	}
	if mover == 0 {
		r.placed++
		return nil
	}
	if mover > 2 {
		return fmt.Errorf("player %d moves: want 1 or 2", mover)
	}
	if len(r.moves) == record.MostTurns {
		return fmt.Errorf("%w: want at most %d moves", record.ErrTooLarge, record.MostTurns)
	}
	m := trialMove{at: r.at, mover: mover, from: -1}
	for action := range strings.SplitSeq(list, "],[") {
		if err := r.action(&m, action); err != nil {
			return err
		}
	}
	if m.from < 0 && !m.pass {
		return errors.New("want a stone that is moved or removed, or a pass")
	}
	r.moves = append(r.moves, m)
	return nil
}

// action takes up one action of a move. A stone goes by a Move. Where there is none, the
// Remove that was decided is all: a Konane opening.
func (r *trialReader) action(m *trialMove, text string) (err error) {
	name, fields, _ := strings.Cut(text, ":")
	switch name {
	case "Pass":
		m.pass = true
	case "Move":
		if m.from, err = r.site(fields, "from"); err == nil {
			m.to, err = r.site(fields, "to")
		}
	case "Remove":
		var at int
		if at, err = r.site(fields, "to"); err != nil {
			return err
		}
		if strings.Contains(fields, "decision=true") {
			m.from, m.to = at, at
		} else {
			m.removed = append(m.removed, at)
		}
	case "Select", "SetNextPlayer":
	default:
		return fmt.Errorf("action %s: want Move, Remove, Select, SetNextPlayer or Pass", bitboard.Quote(name))
	}
	return err
}

// site reads the number of a point.
func (r *trialReader) site(fields, name string) (int, error) {
	n, err := field(fields, name)
	if err == nil && n >= r.board.Points() {
		err = fmt.Errorf("there is no site %d on %v", n, r.board)
	}
	return n, err
}

// field reads a number from fields such as "mover=1,from=9".
func field(fields, name string) (int, error) {
	for one := range strings.SplitSeq(fields, ",") {
		if text, found := strings.CutPrefix(one, name+"="); found {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return 0, fmt.Errorf("%s=%s: want a number", name, bitboard.Shorten(text))
			}
			return n, nil
		}
	}
	return 0, fmt.Errorf("want %s=", name)
}

// turns puts the moves of a player that follow each other together to a turn. A pass ends
// a turn; one that makes no turn stands at the end of a game alone.
func (r *trialReader) turns() (turns []*record.Node, err error) {
	for at := 0; at < len(r.moves); {
		end := at + 1
		for end < len(r.moves) && r.moves[end].mover == r.moves[at].mover && !r.moves[end-1].pass {
			end++
		}
		steps := r.moves[at:end]
		first, last := steps[0], len(steps)-1
		if first.pass && end == len(r.moves) {
			break
		}
		switch {
		case first.pass:
			err = errors.New("a player passes, who has to move here or has lost")
		case first.mover != 1+len(turns)%2:
			err = fmt.Errorf("player %d moves where the other one is to", first.mover)
		}
		var turn string
		if steps[last].pass && err == nil {
			steps = steps[:last]
		}
		if err == nil {
			turn, err = r.turn(steps)
		}
		if err != nil {
			return nil, r.in.fail(first.at, "turn %d: %w", len(turns)+1, err)
		}
		turns = append(turns, &record.Node{Turn: turn, At: r.in.place(first.at)})
		at = end
	}
	return turns, nil
}

// turn writes the steps of a turn as it is written here.
func (r *trialReader) turn(steps []trialMove) (string, error) {
	text := r.point(steps[0].from).String()
	for i, s := range steps {
		switch {
		case i > 0 && s.from != steps[i-1].to, s.from == s.to && len(steps) > 1:
			return "", fmt.Errorf("several steps of more than one stone: look at site %d", s.from)
		case r.game == fanoronaName:
			step, err := r.step(s)
			if err != nil {
				return "", err
			}
			text += "-" + step
		case s.from == s.to:
			text = "-" + text
		case i == len(steps)-1:
			text += "-" + r.point(s.to).String()
		}
	}
	return text, nil
}

// step is one of Fanorona: the point where it leads, and how it takes.
func (r *trialReader) step(s trialMove) (string, error) {
	from, to := r.point(s.from), r.point(s.to)
	if len(s.removed) == 0 {
		return to.String(), nil
	}
	way := bitboard.Point{File: to.File - from.File, Rank: to.Rank - from.Rank}
	taken := make([]bitboard.Point, len(s.removed))
	for i, site := range s.removed {
		taken[i] = r.point(site)
	}
	switch {
	case slices.Contains(taken, bitboard.Point{File: to.File + way.File, Rank: to.Rank + way.Rank}):
		return to.String() + "A", nil
	case slices.Contains(taken, bitboard.Point{File: from.File - way.File, Rank: from.Rank - way.Rank}):
		return to.String() + "W", nil
	}
	return "", fmt.Errorf("the step from site %d to %d takes a stone neither ahead nor behind", s.from, s.to)
}

// point is that of a site. Sites are counted by ranks, from the bottom left. Konane has
// Black's stones on the other points there, and Fanorona's 5x5 is mirrored.
func (r *trialReader) point(site int) bitboard.Point {
	p := bitboard.Point{File: site % r.board.Width, Rank: site / r.board.Width}
	switch {
	case r.game == konaneName:
		p.Rank = r.board.Height - 1 - p.Rank
	case r.board.Width == 5:
		p.File = r.board.Width - 1 - p.File
	}
	return p
}
