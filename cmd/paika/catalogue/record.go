package catalogue

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/bitboard/record/foreign"
)

// CheckedRecord is a game record whose every turn is legal.
type CheckedRecord struct {
	Game     string `json:"game"`
	Board    string `json:"board"`
	Rules    string `json:"rules"`    // every option spelled out
	Position string `json:"position"` // that play begins from
	Turns    int    `json:"turns"`    // of the game
	All      int    `json:"all"`      // with those of variations
	Last     string `json:"last"`     // the position that the game comes to
	Over     bool   `json:"over"`     // there

	// Record is the record as text, in the format asked for.
	Record string `json:"record"`
}

// ReadForeign reads a game as another program writes it. The name of a game and a board
// stand in for what the text leaves open, and may be empty. Errors are of type
// *record.Error, or of a name or a board that there is not.
func ReadForeign(f foreign.Format, text, name, board string) (*record.Record, error) {
	setting := foreign.Setting{Game: name}
	game, found := Find(cmp.Or(name, Games()[0].Name))
	if !found {
		return nil, errUnknownGame(name)
	}
	if board != "" {
		var err error
		if setting.Board, err = game.parseBoard(board); err != nil {
			return nil, err
		}
	}
	return foreign.Read(f, text, setting)
}

// CheckRecord plays a record by the rules, and writes it anew: in the project's own
// format, or in another one where that is given. Errors are those of record.Replay, a
// *StartError, the context's, and those of foreign.Write.
func (n *instance[P]) CheckRecord(ctx context.Context, r *record.Record, to *foreign.Format) (CheckedRecord, error) {
	played, err := n.replay(ctx, r)
	if err != nil {
		return CheckedRecord{}, err
	}
	checked := CheckedRecord{
		Game: n.identity.Game, Board: n.identity.Board, Rules: n.identity.Rules,
		Position: n.game.Format(played.Start, played.Side), All: len(played.Turns),
	}
	last, side, at := played.Start, played.Side, -1
	for i, t := range played.Turns {
		if t.Parent == at { // the first that follows is the game's own
			last, side, at = t.To, t.Next, i
			checked.Turns++
		}
	}
	checked.Last = n.game.Format(last, side)
	checked.Over = bitboard.CountTurns(n.game, last, 1) == 0
	again := n.rewritten(r, played.Turns, func(i int) string { return played.Turns[i].Node.Comment })
	if to == nil {
		checked.Record, err = again.Format()
		return checked, err
	}
	board, err := bitboard.ParseBoard(n.identity.Board)
	if err != nil {
		return checked, err
	}
	checked.Record, err = foreign.Write(*to, again, foreign.Setting{Game: n.identity.Game, Board: board})
	return checked, err
}

// replay plays a record that is of this game, board and rules.
func (n *instance[P]) replay(ctx context.Context, r *record.Record) (*record.Replayed[P], error) {
	if err := agree(r, n); err != nil {
		return nil, err
	}
	played, err := record.Replay(ctx, n.game, r)
	if err != nil && ctx.Err() == nil && !errors.As(err, new(*record.Error)) {
		err = &StartError{err}
	}
	return played, err
}

// rewritten is a record with turns in the game's own notation, with other comments behind
// them, and with the tags that say what it is of in front.
func (n *instance[P]) rewritten(r *record.Record, played []record.Played[P], comment func(i int) string) *record.Record {
	nodes := make([]*record.Node, len(played))
	root := &record.Node{Comment: r.Root.Comment}
	for i, p := range played {
		nodes[i] = &record.Node{Turn: p.Turn, Comment: comment(i), At: p.Node.At}
		before := root
		if p.Parent >= 0 {
			before = nodes[p.Parent]
		}
		before.Next = append(before.Next, nodes[i])
	}
	all := &record.Record{Root: root, Tags: []record.Tag{
		{Name: record.TagGame, Text: n.identity.Game}, {Name: record.TagBoard, Text: n.identity.Board},
	}}
	if rules := n.ChosenRules(); len(rules) > 0 {
		all.Tags = append(all.Tags, record.Tag{Name: record.TagRules, Text: strings.Join(rules, ",")})
	}
	for _, tag := range r.Tags {
		switch tag.Name {
		case record.TagGame, record.TagBoard, record.TagRules:
		default:
			all.Tags = append(all.Tags, tag)
		}
	}
	return all
}
