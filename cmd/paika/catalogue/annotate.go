package catalogue

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"sync"

	"paika/bitboard"
	"paika/bitboard/record"
	"paika/tablebase/lookup"
)

// Annotated is a game record with what each turn was worth and gave away.
type Annotated struct {
	Game     string          `json:"game"`
	Board    string          `json:"board"`
	Rules    string          `json:"rules"` // every option spelled out
	Tags     []RecordTag     `json:"tags"`  // those that say nothing of the above
	Position string          `json:"position"`
	Comment  string          `json:"comment,omitempty"` // about that position, which play begins from
	Turns    []AnnotatedTurn `json:"turns"`

	// Record is the record as text, with what the tables say in its comments. It is null where that
	// makes it larger than a record can be.
	Record *string `json:"record"`
}

// RecordTag says something of a game as a whole.
type RecordTag struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// AnnotatedTurn is a turn of a record. Its value and distance are for the side that
// makes it, this turn counted, as in Turn: all are null where the tables say nothing.
type AnnotatedTurn struct {
	Number int    `json:"number"` // from 1
	By     string `json:"by"`     // who makes it
	Turn
	Before   *Worth  `json:"before"`    // what there was to be had, for the same side
	GaveAway *string `json:"gave_away"` // nothing, distance or value
	Best     *string `json:"best"`      // a turn that gives nothing away: this one if it does not
	Missing  string  `json:"missing,omitempty"`
	Comment  string  `json:"comment,omitempty"` // of the record

	// Variations are what might have been played in place of the turn.
	Variations [][]AnnotatedTurn `json:"variations,omitempty"`
}

// Worth is a value with its distance in turns, null for draws and without dtw.
type Worth struct {
	Value    string `json:"value"`
	Distance *int   `json:"distance"`
}

func (w Worth) String() string {
	if w.Distance == nil {
		return w.Value
	}
	return fmt.Sprintf("%s in %d", w.Value, *w.Distance)
}

// Worth is what the turn is worth, or nil where that is not known.
func (t AnnotatedTurn) Worth() *Worth {
	if t.Value == nil {
		return nil
	}
	return &Worth{*t.Value, t.Distance}
}

// Gave tells whether the turn is known to give something away.
func (t AnnotatedTurn) Gave() bool {
	return t.GaveAway != nil && *t.GaveAway != lookup.GaveNothing.String()
}

// Words are what the tables say of a turn, as a comment has it; empty for nothing.
func (t AnnotatedTurn) Words() string {
	worth := t.Worth()
	switch {
	case worth == nil:
		return ""
	case !t.Gave():
		return worth.String()
	case t.Best == nil:
		return fmt.Sprintf("%v instead of %v", worth, t.Before)
	}
	return fmt.Sprintf("%v instead of %v: %s", worth, t.Before, *t.Best)
}

// OpenRecord opens the game that a record is of. What is given beside the record
// must agree with it, and stands in for tags that it lacks: a game's name, a board
// and rule options, each empty for none. Errors in tags are of type *record.Error,
// those in what is given *ParameterError, but for the name of a game that there is not.
func OpenRecord(r *record.Record, name, board string, rules map[string]string) (Instance, error) {
	game, err := gameOf(r, name)
	if err != nil {
		return nil, err
	}
	board, err = game.boardOf(r, board)
	if err != nil {
		return nil, err
	}
	own, err := rulesOf(r)
	if err != nil {
		return nil, err
	}
	instance, err := game.Open(board, own)
	if err != nil {
		return nil, game.inTags(r, board, err)
	}
	if len(rules) == 0 {
		return instance, nil
	}
	asked := maps.Clone(own)
	maps.Copy(asked, rules)
	if instance, err = game.Open(board, asked); err != nil {
		return nil, err
	}
	return instance, game.sameRules(r, instance)
}

// gameOf is the game of that name, or else the one that the record names, or else
// the first.
func gameOf(r *record.Record, name string) (Game, error) {
	if name != "" {
		game, found := Find(name)
		if !found {
			return Game{}, errUnknownGame(name)
		}
		return game, sameGame(r, name)
	}
	tag, tagged := r.Tag(record.TagGame)
	if !tagged {
		return Games()[0], nil
	}
	game, found := Find(tag.Text)
	if !found {
		return Game{}, &record.Error{At: tag.At, Err: errUnknownGame(tag.Text)}
	}
	return game, nil
}

// boardOf is the board that the record names, which the one given must be, or else that one.
func (g Game) boardOf(r *record.Record, given string) (string, error) {
	tag, found := r.Tag(record.TagBoard)
	if !found {
		return given, nil
	}
	if given != "" {
		return tag.Text, g.sameBoard(r, given)
	}
	return tag.Text, nil
}

// rulesOf are the options of the tag for rules, none where it lacks.
func rulesOf(r *record.Record) (map[string]string, error) {
	tag, _ := r.Tag(record.TagRules)
	rules, err := ParseRules(tag.Text)
	if err != nil {
		err = &record.Error{At: tag.At, Err: err}
	}
	return rules, err
}

// inTags gives an error of Open the place of the tag that it is about, if it is about one.
// A board that is refused for the record's rules alone is an error in those.
func (g Game) inTags(r *record.Record, board string, err error) error {
	var wrong *ParameterError
	if !errors.As(err, &wrong) {
		return err
	}
	tag, found := r.Tag(record.TagRules)
	if found && wrong.Parameter == "board" {
		_, own := g.Open(board, nil)
		found = own == nil
	}
	if !found {
		tag, found = r.Tag(record.TagBoard)
	}
	if !found {
		return err
	}
	return &record.Error{At: tag.At, Err: err}
}

// agree fails where a record is of another game, board or rules, in that order: a board and
// rules are those of a game.
func agree(r *record.Record, instance Instance) error {
	id := instance.Identity()
	game, _ := Find(id.Game)
	if err := sameGame(r, id.Game); err != nil {
		return err
	}
	if err := game.sameBoard(r, id.Board); err != nil {
		return err
	}
	return game.sameRules(r, instance)
}

func sameGame(r *record.Record, name string) error {
	if tag, found := r.Tag(record.TagGame); found && tag.Text != name {
		return contradicts(tag, name)
	}
	return nil
}

func (g Game) sameBoard(r *record.Record, text string) error {
	tag, found := r.Tag(record.TagBoard)
	if !found {
		return nil
	}
	asked, err := g.parseBoard(text)
	if err != nil {
		return &ParameterError{"board", err}
	}
	if own, err := g.parseBoard(tag.Text); err != nil || own != asked {
		return contradicts(tag, fmt.Sprintf("%s on %v", g.Name, asked))
	}
	return nil
}

func (g Game) sameRules(r *record.Record, instance Instance) error {
	tag, found := r.Tag(record.TagRules)
	if !found {
		return nil
	}
	id := instance.Identity()
	rules, err := rulesOf(r)
	if err != nil {
		return err
	}
	if own, err := g.Open(id.Board, rules); err != nil || own.Identity().Rules != id.Rules {
		return contradicts(tag, fmt.Sprintf("%s on %s with %s", g.Name, id.Board, id.Rules))
	}
	return nil
}

// contradicts says that a record is of something else than what is asked about.
func contradicts(tag record.Tag, asked string) error {
	return &record.Error{At: tag.At, Err: fmt.Errorf("the record has %s %s, and %s is asked about", tag.Name, bitboard.Quote(tag.Text), asked)}
}

// Annotate judges every turn of a record, those of variations among them.
func (t *tables[P]) Annotate(ctx context.Context, r *record.Record) (Annotated, error) {
	played, err := t.instance.replay(ctx, r)
	if err != nil {
		return Annotated{}, err
	}
	made := make([]lookup.Made[P], len(played.Turns))
	for i, p := range played.Turns {
		made[i] = lookup.Made[P]{From: p.From, To: p.To}
	}
	judged, err := t.lookup.Judge(ctx, made)
	if err != nil {
		return Annotated{}, err
	}
	all := Annotated{
		Game: t.instance.identity.Game, Board: t.instance.identity.Board, Rules: t.instance.identity.Rules, Tags: []RecordTag{},
		Position: t.instance.game.Format(played.Start, played.Side), Comment: r.Root.Comment,
	}
	for _, tag := range r.Tags {
		switch tag.Name {
		case record.TagGame, record.TagBoard, record.TagRules, record.TagPosition:
		default:
			all.Tags = append(all.Tags, RecordTag{tag.Name, tag.Text})
		}
	}
	turns := make([]AnnotatedTurn, len(played.Turns))
	best := lookup.NewNotations(t.instance.game)
	for i, p := range played.Turns {
		if err := ctx.Err(); err != nil {
			return Annotated{}, err
		}
		turns[i] = t.annotated(p, judged[i])
		if j := judged[i]; j.Best != nil && j.Gave != lookup.GaveNothing {
			turns[i].Best = new(best.Of(p.From, p.Side, *j.Best))
		}
	}
	all.Turns = nested(played.Turns, turns)
	switch text, err := t.commented(r, played.Turns, turns); {
	case err == nil:
		all.Record = &text
	case !errors.Is(err, record.ErrTooLarge):
		return Annotated{}, err
	}
	return all, nil
}

// annotated is a turn as it is shown, but for a better one.
func (t *tables[P]) annotated(p record.Played[P], j lookup.Judged[P]) AnnotatedTurn {
	a := AnnotatedTurn{
		Number: p.Number, By: t.instance.mover(p.From, p.Side), Comment: p.Node.Comment,
		Turn: Turn{p.Turn, t.instance.game.Format(p.To, p.Next), value(j.Worth), distance(j.Worth)},
	}
	if j.Before.Known {
		a.Before = &Worth{j.Before.Value.String(), distance(j.Before)}
	}
	if j.Gave != lookup.GaveUnknown {
		a.GaveAway = new(j.Gave.String())
	}
	if j.Gave == lookup.GaveNothing {
		a.Best = &a.Turn.Turn
	}
	if j.Err != nil {
		a.Missing = message(j.Err)
	}
	return a
}

// mover is what the player to move is called.
func (n *instance[P]) mover(p P, side bitboard.Side) string {
	if game, ok := n.game.(bitboard.NamedPlayers[P]); ok {
		mover, _ := game.Players(p, side)
		return mover
	}
	return n.game.SideName(side)
}

// nested puts turns that replace each other beside each other.
func nested[P comparable](played []record.Played[P], turns []AnnotatedTurn) []AnnotatedTurn {
	next := make(map[int][]int) // the turns that follow one, by its index; -1 for the start
	for i, p := range played {
		next[p.Parent] = append(next[p.Parent], i)
	}
	var from func(i int) []AnnotatedTurn
	from = func(i int) []AnnotatedTurn {
		line := []AnnotatedTurn{}
		for {
			line = append(line, turns[i])
			follow := next[i]
			if len(follow) == 0 {
				return line
			}
			i = follow[0]
			for _, other := range follow[1:] {
				turns[i].Variations = append(turns[i].Variations, from(other))
			}
		}
	}
	first := next[-1]
	if len(first) == 0 {
		return []AnnotatedTurn{}
	}
	for _, other := range first[1:] {
		turns[first[0]].Variations = append(turns[first[0]].Variations, from(other))
	}
	return from(first[0])
}

// commented is the record as text with what the tables say in the comments, in front
// of what stood there. Errors: record.ErrTooLarge, and those of record.Record.Format.
func (t *tables[P]) commented(r *record.Record, played []record.Played[P], turns []AnnotatedTurn) (string, error) {
	all := t.instance.rewritten(r, played, func(i int) string { return commentWith(turns[i].Words(), played[i].Node.Comment) })
	return all.Format()
}

// earlierWords are what Words said when the record was annotated before, at the head of a comment:
// other tables may know more by now, or less.
var earlierWords = sync.OnceValue(func() *regexp.Regexp {
	const worth = `(win|loss|draw)( in [0-9]+)?`
	return regexp.MustCompile(`^` + worth + `( instead of ` + worth + `(: [^ ]+)?)?(\. |$)`)
})

// commentWith is a comment with the words in front, in the place of earlier ones. Without words it
// stays.
func commentWith(words, comment string) string {
	if words == "" {
		return comment
	}
	comment = comment[len(earlierWords().FindString(comment)):]
	if comment == "" {
		return words
	}
	return words + ". " + comment
}

// Numbered is a turn with its number, as people read it.
func (t AnnotatedTurn) Numbered() string { return strconv.Itoa(t.Number) + ". " + t.Turn.Turn }
