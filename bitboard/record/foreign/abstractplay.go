package foreign

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"paika/bitboard"
	"paika/bitboard/record"
)

// report is the header of a game report, as far as a record has a place for it.
type report struct {
	Game struct {
		Name     string   `json:"name"`
		Variants []string `json:"variants"`
	} `json:"game"`
	Site struct {
		Name string `json:"name"`
	} `json:"site"`
	Event   string `json:"event"`
	Round   string `json:"round"`
	DateEnd string `json:"date-end"`
	Players []struct {
		Name   string   `json:"name"`
		Result *float64 `json:"result"`
	} `json:"players"`
}

// reportReader goes through the JSON of a report or of its rounds.
type reportReader struct {
	in      *input
	decoder *json.Decoder
	header  *report // nil until there is one
	moves   []move
	end     string // the word that ended the game in place of a turn; empty for none
}

// move is a turn as the report has it, and where.
type move struct {
	text string
	at   record.Place
}

func readReport(in *input, s Setting) (*record.Record, error) {
	r := &reportReader{in: in, decoder: json.NewDecoder(strings.NewReader(in.text))}
	if err := r.read(); err != nil {
		return nil, r.failed(err)
	}
	s, tags, err := r.setting(s)
	if err == nil { // names may have characters that no record has
		_, err = recordOf(tags, nil).Format()
	}
	if err != nil {
		return nil, &record.Error{At: beginning(), Err: err}
	}
	read := konaneTurn
	if s.Game == fanoronaName {
		read = fanoronaTurn
	}
	turns := make([]*record.Node, len(r.moves))
	for i, m := range r.moves {
		turn, err := read(s.Board, m.text)
		if err != nil {
			return nil, &record.Error{At: m.at, Err: fmt.Errorf("turn %d: %w", i+1, err)}
		}
		turns[i] = &record.Node{Turn: turn, At: m.at}
	}
	return recordOf(tags, turns), nil
}

// failed gives an error its place, if it has none.
func (r *reportReader) failed(err error) error {
	var placed *record.Error
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &placed):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return r.in.fail(len(r.in.text), "the JSON ends too early")
	case errors.As(err, &syntax):
		return r.in.fail(max(int(syntax.Offset)-1, int(r.decoder.InputOffset())), "no JSON: %w", err)
	}
	return r.in.fail(int(r.decoder.InputOffset()), "no game report: %w", err)
}

// next is the offset of the next value.
func (r *reportReader) next() int {
	at := int(r.decoder.InputOffset())
	for at < len(r.in.text) && strings.IndexByte(" \t\r\n,:", r.in.text[at]) >= 0 {
		at++
	}
	return at
}

func (r *reportReader) read() error {
	at := r.next()
	first, err := r.decoder.Token()
	switch {
	case err != nil:
		return err
	case first == json.Delim('['):
		err = r.rounds()
	case first == json.Delim('{'):
		err = r.report()
	default:
		return r.in.fail(at, "want a game report or its rounds: an object or an array")
	}
	if err != nil {
		return err
	}
	at = r.next()
	if _, err := r.decoder.Token(); err != io.EOF {
		return r.in.fail(at, "want nothing after the game")
	}
	return nil
}

// report reads what follows the brace that opens one.
func (r *reportReader) report() error {
	found := false
	for r.decoder.More() {
		at := r.next()
		key, err := r.decoder.Token()
		if err != nil {
			return err
		}
		switch key {
		case "header":
			if r.header != nil {
				return r.in.fail(at, "header stands there twice")
			}
			err = r.decoder.Decode(&r.header) // null is none
		case "moves":
			if found {
				return r.in.fail(at, "moves stand there twice")
			}
			found = true
			err = r.open(r.rounds)
		default:
			return r.in.fail(at, "unknown key %s: want header and moves", bitboard.Quote(fmt.Sprint(key)))
		}
		if err != nil {
			return err
		}
	}
	if !found || r.header == nil {
		return r.in.fail(r.next(), "want a header and moves")
	}
	_, err := r.decoder.Token()
	return err
}

// open reads an array by what reads its elements.
func (r *reportReader) open(elements func() error) error {
	at := r.next()
	token, err := r.decoder.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		return r.in.fail(at, "want an array")
	}
	return elements()
}

// rounds reads the elements of an array of rounds, up to its end.
func (r *reportReader) rounds() error {
	for r.decoder.More() {
		if err := r.open(r.round); err != nil {
			return err
		}
	}
	_, err := r.decoder.Token()
	return err
}

// round reads the turns of one round, up to its end.
func (r *reportReader) round() error {
	for n := 0; r.decoder.More(); n++ {
		at := r.next()
		var raw json.RawMessage
		if err := r.decoder.Decode(&raw); err != nil {
			return err
		}
		var m struct {
			Move *string `json:"move"`
		}
		if err := json.Unmarshal(raw, &m.Move); err != nil {
			if err := json.Unmarshal(raw, &m); err != nil || m.Move == nil {
				return r.in.fail(at, "want a turn: a text, or an object with a move")
			}
		}
		if m.Move == nil {
			continue // nobody moved here
		}
		_, ends := terminations()[*m.Move]
		switch {
		case r.end != "":
			return r.in.fail(at, "a turn behind %s, which ends the game", r.end)
		case len(r.moves)%2 != n:
			return r.in.fail(at, "a turn of player %d where the other one is to move", n+1)
		case ends:
			r.end = *m.Move
			continue
		case len(r.moves) == record.MostTurns:
			return r.in.fail(at, "%w: want at most %d turns", record.ErrTooLarge, record.MostTurns)
		}
		r.moves = append(r.moves, move{*m.Move, r.in.place(at)})
	}
	_, err := r.decoder.Token()
	return err
}

// setting is what the game is, and the tags that say so.
func (r *reportReader) setting(s Setting) (Setting, []record.Tag, error) {
	if r.header != nil && r.header.Game.Name != "" {
		s.Game = strings.ToLower(r.header.Game.Name)
	}
	s.Game = cmp.Or(s.Game, fanoronaName)
	boards := boardsThere(s.Game)
	if r.header != nil && len(boards) > 0 {
		named, err := variantBoard(boards, r.header.Game.Variants)
		if err != nil {
			return s, nil, err
		}
		s.Board = cmp.Or(named, s.Board)
	}
	if s.Board == (bitboard.Board{}) && len(boards) > 0 {
		s.Board = boards[0]
	}
	if err := onAbstractPlay(s); err != nil {
		return s, nil, err
	}
	tags := []record.Tag{tag(record.TagGame, s.Game), tag(record.TagBoard, s.Board.String())}
	if s.Game == konaneName {
		tags = append(tags, tag(record.TagRules, "opening="+konaneOpening(s.Board)))
	}
	return s, append(tags, r.told(s.Game)...), nil
}

// told are the tags that say who played and who won, where and when.
func (r *reportReader) told(game string) (tags []record.Tag) {
	h := cmp.Or(r.header, &report{})
	sides := [2]string{"White", "Black"} // of the first and the second player
	if game == konaneName {
		sides = [2]string{"Black", "White"}
	}
	for i, p := range h.Players[:min(2, len(h.Players))] {
		tags = append(tags, tag(sides[i], p.Name))
	}
	for _, t := range []record.Tag{
		tag("Result", r.result(game)), tag("Termination", terminations()[r.end]),
		tag("Site", h.Site.Name), tag("Event", h.Event), tag("Round", h.Round), tag("Date", h.DateEnd),
	} {
		if t.Text != "" {
			tags = append(tags, t)
		}
	}
	return tags
}

// boardsThere are those that a game is played on there, the one without a name first. Games
// that are not read have none.
func boardsThere(game string) []bitboard.Board {
	switch game {
	case fanoronaName:
		return []bitboard.Board{{Width: 9, Height: 5}}
	case konaneName:
		return []bitboard.Board{{Width: 6, Height: 6}, {Width: 7, Height: 6}, {Width: 8, Height: 8}, {Width: 9, Height: 8}, {Width: 11, Height: 8}, {Width: 15, Height: 12}}
	}
	return nil
}

// variantBoard is the one of some boards that variants name, or none where there are no
// variants: "8x8 board", "Size 8 board" in older reports, or "size-8", which is its name in
// the program. No two of the boards have the same width.
func variantBoard(boards []bitboard.Board, variants []string) (board bitboard.Board, err error) {
	for _, variant := range variants {
		i := slices.IndexFunc(boards, func(b bitboard.Board) bool { return namesBoard(variant, b) })
		switch {
		case i < 0:
			return board, fmt.Errorf("variant %s: want one of %s", bitboard.Quote(variant), listed(boards))
		case board != bitboard.Board{} && board != boards[i]:
			return board, fmt.Errorf("variant %s: the board is %v already", bitboard.Quote(variant), board)
		}
		board = boards[i]
	}
	return board, nil
}

// namesBoard tells whether a variant is the name of a board.
func namesBoard(variant string, board bitboard.Board) bool {
	variant = strings.ToLower(variant)
	if !strings.Contains(variant, "size") && !strings.Contains(variant, "board") {
		return false
	}
	width, height := strconv.Itoa(board.Width), strconv.Itoa(board.Height)
	numbers := strings.FieldsFunc(variant, func(r rune) bool { return r < '0' || r > '9' })
	return slices.Equal(numbers, []string{width}) || slices.Equal(numbers, []string{width, height})
}

// listed is boards between commas.
func listed(boards []bitboard.Board) string {
	var all []string
	for _, b := range boards {
		all = append(all, b.String())
	}
	return strings.Join(all, ", ")
}

// removes tells whether the players open the game there by removing stones.
func removes(board bitboard.Board) bool { return board.Width == board.Height }

// konaneOpening is the opening of a board there.
func konaneOpening(board bitboard.Board) string {
	if removes(board) {
		return "centre-or-corner"
	}
	return "middle-v"
}

// onAbstractPlay tells whether a game is played there.
func onAbstractPlay(s Setting) error {
	switch boards := boardsThere(s.Game); {
	case len(boards) == 0:
		return fmt.Errorf("game %s: abstractplay's fanorona and konane are read and written", bitboard.Quote(s.Game))
	case !slices.Contains(boards, s.Board):
		return fmt.Errorf("abstractplay has %s on %s, not on %v", s.Game, listed(boards), s.Board)
	}
	return nil
}

// begunThere fails where a game of Konane begins otherwise than games do there.
func begunThere(r *record.Record, board bitboard.Board) error {
	openings := removals()
	if !removes(board) {
		openings = []string{konaneOpening(board)}
	}
	if err := keeps(r, konaneRules(openings...)); err != nil {
		return err
	}
	for i, n := range game(r) {
		all, err := points(board, n.Turn)
		switch {
		case err != nil:
			return &record.Error{At: n.At, Err: err}
		case removes(board):
			err = removed(board, i, n, all)
		case len(all) == 1:
			err = unwritable(n.At, "turn %d, %s: no stone is removed on %v", i+1, n.Turn, board)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// writeRounds writes the rounds of a report, each on a line.
func writeRounds(r *record.Record, s Setting) (string, error) {
	if err := onAbstractPlay(s); err != nil {
		return "", fmt.Errorf("%w: %w", ErrUnwritable, err)
	}
	if t, given := r.Tag(record.TagPosition); given {
		return "", unwritable(t.At, "a game that begins elsewhere than at its start")
	}
	var err error
	if s.Game == konaneName {
		err = begunThere(r, s.Board)
	} else {
		err = keeps(r, fanoronaRules())
	}
	if err != nil {
		return "", err
	}
	var texts []string
	for _, n := range game(r) {
		text := toFanorona(n.Turn)
		if s.Game == konaneName {
			text = strings.TrimPrefix(n.Turn, "-")
		}
		texts = append(texts, strconv.Quote(text))
	}
	var rounds []string
	for round := range slices.Chunk(texts, 2) {
		rounds = append(rounds, "["+strings.Join(round, ",")+"]")
	}
	return "[" + strings.Join(rounds, ",\n") + "]\n", nil
}
