package explorer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/zeebo/xxh3"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// answer is the answer to a question: anything that has a JSON form, or what is drawn.
type answer func(ctx context.Context, q question) (any, error)

// drawn is an answer that is an SVG document.
type drawn []byte

// about answers requests about a view, within the limits. Errors are about the
// parameter named where they do not say another.
func (s *Server) about(parameter string, f answer, known []string) http.HandlerFunc {
	return s.shared(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := s.within(r)
		defer cancel()
		v, result, err := s.work(ctx, w, r, f, known)
		if err != nil {
			s.fail(w, err, v, parameter)
			return
		}
		if r.Method == http.MethodPost || strings.HasSuffix(r.Pattern, "random") {
			w.Header().Set("Cache-Control", notStored)
		}
		if result.contentType == svgType {
			w.Header().Set("Content-Security-Policy", picturePolicy)
		}
		s.send(ctx, w, r, result)
	})
}

// work reads a question, waits for a place, and works the answer out there. The
// view is nil where the error came before it.
func (s *Server) work(ctx context.Context, w http.ResponseWriter, r *http.Request, f answer, known []string) (*view, document, error) {
	parameters, err := readParameters(r, known)
	if err != nil {
		return nil, document{}, err
	}
	body, err := s.receive(w, r)
	if err != nil {
		return nil, document{}, err
	}
	place, err := s.working.hold(ctx)
	if err != nil {
		return nil, document{}, err
	}
	defer func() { place.leave() }()
	v, err := s.view(r, parameters)
	if err != nil {
		return nil, document{}, err
	}
	w.Header().Set(boardHeader, nameOf(v.instance).String())
	result, err := f(ctx, question{v, parameters, body, place})
	if err != nil {
		return v, document{}, err
	}
	if picture, ok := result.(drawn); ok {
		return v, newDocument(svgType, picture), nil
	}
	encoded, err := encode(result)
	return v, newDocument(jsonType, encoded), err
}

// boardHeader names what an answer is about as all lists do: a request may spell the rules in
// another way.
const boardHeader = "Paika-Board"

// view is the one that a request's path and rules name.
func (s *Server) view(r *http.Request, parameters url.Values) (*view, error) {
	s.look()
	return s.views.find(name{r.PathValue("game"), r.PathValue("board"), parameters.Get("rules")})
}

// encode is a result as it is sent.
func encode(result any) ([]byte, error) {
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(result)
	return body.Bytes(), err
}

// send answers with a document. A large one waits until those that are being sent
// leave room, and is given up where too many wait already.
func (s *Server) send(ctx context.Context, w http.ResponseWriter, r *http.Request, d document) {
	if len(d.body) > smallAnswer {
		kept, err := s.finished.try(int64(len(d.body)))
		if err != nil {
			s.fail(w, err, nil, "")
			return
		}
		defer kept()
		sent, err := s.sending.enter(ctx, int64(len(d.body)))
		if err != nil {
			s.fail(w, err, nil, "")
			return
		}
		defer sent()
	}
	d.send(w, r)
}

// tag is the entity tag of a body. It is a weak one: a compressed body has the
// same.
func tag(body []byte) string { return fmt.Sprintf(`W/"%016x"`, xxh3.Hash(body)) }

// one asks about the position in the parameter p.
func one[T any](ctx context.Context, s *Server, q question, ask func(context.Context, []string) ([]catalogue.Answer[T], error)) (any, error) {
	position, err := q.parameter("p")
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	answers, err := ask(ctx, []string{position})
	if err != nil {
		return nil, err
	}
	return answers[0].Result, answers[0].Err
}

func (s *Server) position(ctx context.Context, q question) (any, error) {
	return one(ctx, s, q, q.view.tables.Query)
}

func (s *Server) turns(ctx context.Context, q question) (any, error) {
	return one(ctx, s, q, q.view.tables.Turns)
}

// played is the answer of play.
type played struct {
	Position string `json:"position"`
	Turn     string `json:"turn"`
	After    string `json:"after"`
}

func (s *Server) play(_ context.Context, q question) (any, error) {
	position, err := q.parameter("p")
	if err != nil {
		return nil, err
	}
	turn, err := q.parameter("turn")
	if err != nil {
		return nil, err
	}
	written, err := q.view.tables.Written(position)
	if err != nil {
		return nil, err
	}
	after, err := q.view.tables.Play(position, turn)
	return played{written, turn, after}, err
}

func (s *Server) stats(_ context.Context, q question) (any, error) {
	return q.view.tables.Stats()
}

func (s *Server) random(ctx context.Context, q question) (any, error) {
	slice, err := q.parameter("slice")
	if err != nil {
		return nil, err
	}
	return q.view.tables.Random(ctx, slice)
}

// sliceKey names an answer about a slice that is kept.
type sliceKey struct{ folder, slice string }

// longestWin keeps its answers, since each takes the reading of a slice. There
// are no more of them than slices.
func (s *Server) longestWin(ctx context.Context, q question) (any, error) {
	slice, err := q.parameter("slice")
	if err != nil {
		return nil, err
	}
	key := sliceKey{q.view.instance.Folder(), slice}
	if kept, found := s.longest.Load(key); found {
		return kept, nil
	}
	probe, err := q.view.tables.Longest(ctx, slice)
	if err == nil {
		s.longest.Store(key, probe)
	}
	return probe, err
}

func (s *Server) winInOne(ctx context.Context, q question) (any, error) {
	game, ok := q.view.instance.(catalogue.WinsInOne)
	if !ok {
		return nil, refuse(catalogue.CodeNotFound, "game", "win-in-one is a question of %s alone", strings.Join(withWinInOne(), ", "))
	}
	o := catalogue.WinInOneOptions{Time: s.limits.Time / 2, Workers: 1, Memory: answerBytes}
	switch shortest := q.parameters.Get("shortest"); shortest {
	case "", "false":
	case "true":
		o.Shortest = true
	default:
		return nil, refuse(catalogue.CodeParameter, "shortest", "shortest=%s: want true or false", bitboard.Quote(shortest))
	}
	return one(ctx, s, q, func(ctx context.Context, positions []string) ([]catalogue.Answer[catalogue.WinInOne], error) {
		return game.WinInOne(ctx, positions, o)
	})
}

// withWinInOne names the games that have an answer.
func withWinInOne() (names []string) {
	for _, game := range catalogue.Games() {
		if game.Look.WinInOne {
			names = append(names, game.Name)
		}
	}
	return names
}

// bulk is the body of a request about many positions.
type bulk struct {
	Positions []string `json:"positions"`
}

// readBulk reads it. A null among the positions is none.
func readBulk(body []byte) (bulk, error) {
	var given []*string
	positions := field{name: "positions", value: &given, want: "a list of texts"}
	if err := readObject(body, positions); err != nil {
		return bulk{}, err
	}
	b := bulk{make([]string, len(given))}
	for i, text := range given {
		if text == nil {
			return bulk{}, positions.refusal()
		}
		b.Positions[i] = *text
	}
	return b, nil
}

// unanswered stands in a bulk answer for a position that has none.
type unanswered struct {
	Position string  `json:"position"`
	Problem  problem `json:"problem"`
}

// answered is the answer to a bulk request: an object for each position, in
// order.
type answered struct {
	Answers []any `json:"answers"`
}

func (s *Server) positions(ctx context.Context, q question) (any, error) {
	b, err := readBulk(q.body)
	if err != nil {
		return nil, err
	}
	if n := len(b.Positions); n > s.limits.Positions {
		return nil, refuse(catalogue.CodeLimit, "positions", "%d positions: want at most %d", n, s.limits.Positions)
	}
	s.metrics.positions.Add(float64(len(b.Positions)))
	switch detail := q.parameters.Get("detail"); detail {
	case "", "query":
		return many(ctx, s, q.view, b.Positions, q.view.tables.Query)
	case "turns":
		return many(ctx, s, q.view, b.Positions, q.view.tables.Turns)
	case "value":
		return many(ctx, s, q.view, b.Positions, q.view.tables.Probe)
	default:
		return nil, refuse(catalogue.CodeParameter, "detail", "detail=%s: want query, turns or value", bitboard.Quote(detail))
	}
}

// many asks about positions, and puts problems where there are no answers.
func many[T any](ctx context.Context, s *Server, v *view, positions []string, ask func(context.Context, []string) ([]catalogue.Answer[T], error)) (any, error) {
	all, here := answered{make([]any, len(positions))}, *v
	here.hints, here.logged = make(map[string]BuildHint), make(map[string]bool)
	fail := func(i int, err error) {
		all.Answers[i] = unanswered{positions[i], s.explain(err, &here, "positions")}
	}
	// Those that are longer than any are not asked about.
	asked, places := make([]string, 0, len(positions)), make([]int, 0, len(positions))
	for i, position := range positions {
		if err := checkLength("positions", position); err != nil {
			positions[i] = bitboard.Shorten(position)
			fail(i, err)
			continue
		}
		asked, places = append(asked, position), append(places, i)
	}
	answers, err := ask(ctx, asked)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		if err := answers[i].Err; err != nil {
			fail(places[i], err)
		} else {
			all.Answers[places[i]] = &answers[i].Result
		}
	}
	return all, nil
}

// gameList is the answer of games.
type gameList struct {
	Games  []shownGame  `json:"games"`
	Solved []served     `json:"solved"`
	Proofs []shownProof `json:"proofs"`
	First  chosen       `json:"first"`
	Limits shownLimits  `json:"limits"`

	// Greeting tells how to come by tables, where there are none and a command makes some.
	Greeting *greeting `json:"greeting,omitempty"`
}

// greeting tells how to build the first tables.
type greeting struct {
	Build string     `json:"build"`
	Cost  *buildCost `json:"build_cost,omitempty"`
}

// shownGame is a game with what a page needs to show it.
type shownGame struct {
	catalogue.Game
	Look catalogue.Look `json:"look"`
}

// served is tables that are served.
type served struct {
	catalogue.Solved
	Stones   int  `json:"stones"`   // at most, of a position in the tables
	Complete int  `json:"complete"` // up to so many, the tables have all positions
	Start    bool `json:"start"`    // the tables have the start position
}

// shownLimits are the limits that a client can keep to.
type shownLimits struct {
	Body        int64   `json:"body"`
	Positions   int     `json:"positions"`
	Turns       int     `json:"turns"`
	Seconds     float64 `json:"seconds"`
	SearchNodes uint64  `json:"search_nodes"`
}

// games lists games and the tables that are served.
func (s *Server) games(w http.ResponseWriter, r *http.Request) {
	s.look()
	ctx, cancel := s.within(r)
	defer cancel()
	tables := s.views.all()
	list := gameList{
		Solved: []served{},
		Proofs: s.proofs(),
		First:  s.first(ctx),
		Limits: shownLimits{s.limits.Body, s.limits.Positions, s.limits.Turns, s.limits.Time.Seconds(), s.limits.SearchNodes},
	}
	for _, game := range catalogue.Games() {
		list.Games = append(list.Games, shownGame{game, game.Look})
	}
	if len(tables) == 0 {
		if hint := s.config.Build(s.config.First, ""); hint.Command != "" {
			list.Greeting = &greeting{hint.Command, hint.cost()}
		}
	}
	for _, t := range tables {
		list.Solved = append(list.Solved, s.served(ctx, t))
	}
	body, err := encode(list)
	if err != nil {
		s.fail(w, err, nil, "")
		return
	}
	s.send(ctx, w, r, newDocument(jsonType, body))
}

// served describes tables, or says that they cannot be read.
func (s *Server) served(ctx context.Context, t Table) served {
	id := t.Instance.Identity()
	one := served{Solved: catalogue.Solved{Game: id.Game, Board: id.Board, Rules: id.Rules, Totals: []catalogue.SliceStats{}}}
	stats, err := t.Tables.Stats()
	if err != nil {
		one.Error = s.explain(err, &view{instance: t.Instance}, "").Detail
		return one
	}
	one.Totals = stats.Totals
	if start, err := t.Tables.Probe(ctx, []string{catalogue.Start}); err == nil {
		one.Start = start[0].Err == nil
	}
	for _, slice := range stats.Slices {
		one.Stones = max(one.Stones, t.Instance.SlicePieces(slice.Slice))
	}
	one.Complete = s.completeOf(t.Instance, stats)
	return one
}

// completeOf is up to how many pieces tables have all slices, 0 where they lack some with the
// fewest. It keeps its answers, since the list of slices of a large board takes a while.
func (s *Server) completeOf(i catalogue.Instance, stats catalogue.Stats) int {
	if kept, found := s.complete.Load(i.Folder()); found {
		return kept.(int)
	}
	stored := make(map[string]bool)
	for _, slice := range stats.Slices {
		stored[slice.Slice] = true
	}
	complete, pieces := 0, 0
	for _, slice := range i.SliceNames() { // few pieces first
		if now := i.SlicePieces(slice); now > pieces {
			complete, pieces = pieces, now
		}
		if !stored[slice] {
			pieces = complete
			break
		}
	}
	s.complete.Store(i.Folder(), pieces)
	return pieces
}
