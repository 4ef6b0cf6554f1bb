package hub

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

const version = "test"

// A game is what a test asks about.
type game struct {
	setting proofs.Setting
	start   string
	open    func(context.Context) (share.Site, error)
	decide  func(t *testing.T, claim string) proofnumber.Verdict // by one search
	check   func(t *testing.T, text []byte) proofs.Report
}

func newGame[P comparable](t testing.TB, name string, board bitboard.Board, rules string, of bitboard.Game[P], err error) *game {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	subject := prover.Subject[P]{Game: of, Board: board, Identity: tablebase.Identity{Game: name, Board: board.String(), Rules: rules}}
	root, side, err := of.Start()
	if err != nil {
		t.Fatal(err)
	}
	setting := proofs.Setting(subject.Identity)
	return &game{
		setting: setting, start: of.Format(root, side),
		open: func(ctx context.Context) (share.Site, error) {
			return share.NewSite(ctx, subject, "", prover.LoadOptions{Workers: 1, Memory: 1 << 30})
		},
		decide: func(t *testing.T, text string) proofnumber.Verdict {
			claim, err := proofs.ParseClaim(text, of.SideName)
			if err != nil {
				t.Fatal(err)
			}
			d, err := prover.Decide(t.Context(), subject, prover.Question[P]{Root: root, Side: side, Claims: []proofs.Claim{claim}}, 1<<22, proofnumber.Options[P]{})
			if err != nil {
				t.Fatal(err)
			}
			return d.Verdict
		},
		check: func(t *testing.T, text []byte) proofs.Report {
			t.Helper()
			file, err := proofs.Open(bytes.NewReader(text), int64(len(text)))
			if err != nil {
				t.Fatal(err)
			}
			report, err := proofs.Check(t.Context(), setting, of, nil, file, proofs.Options{})
			if err != nil || len(file.Header.Parts) > 0 {
				t.Fatal(file.Header.Parts, err)
			}
			return report
		},
	}
}

func fanoronaOn(t testing.TB, width, height int) *game {
	board := bitboard.Board{Width: width, Height: height}
	of, err := fanorona.New(board, fanorona.Rules{})
	return newGame[fanorona.Position](t, "fanorona", board, fanorona.Rules{}.String(), of, err)
}

func (g *game) question(claim string) wire.Question {
	return wire.Question{Setting: g.setting, Position: g.start, Claim: claim}
}

// opener opens sites of games.
func opener(games ...*game) share.Opener {
	return func(ctx context.Context, setting proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
		for _, g := range games {
			if g.setting == setting {
				return g.open(ctx)
			}
		}
		return nil, fmt.Errorf("no game %v", setting)
	}
}

// startHub starts a hub on a folder, with jobs so small that many are split.
func startHub(t *testing.T, dir string, change func(*Options), games ...*game) *Hub {
	t.Helper()
	o := Options{Dir: dir, Version: version, Open: opener(games...), Workers: 2, Memory: 1 << 24, Least: 20, Notice: func(text string) { t.Log(text) }}
	if change != nil {
		change(&o)
	}
	o.Most = cmp.Or(o.Most, o.Least)
	h, err := Start(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(h.Close)
	return h
}

// work has a worker at work until the function is called.
func work(t *testing.T, a link.Access, name string, lanes int, games ...*game) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var group sync.WaitGroup
	dir := t.TempDir()
	group.Go(func() {
		err := worker.Work(ctx, worker.Options{Access: a, Name: name, Version: version, Lanes: lanes, Table: 1 << 20, Sets: 1 << 20, Dir: dir, Open: opener(games...), Notice: func(text string) { t.Log(text) }})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("worker %s: %v", name, err)
		}
	})
	stop = sync.OnceFunc(func() { cancel(); group.Wait() })
	t.Cleanup(stop)
	return stop
}

func dial(t *testing.T, a link.Access) *client.Client {
	t.Helper()
	c, err := client.Dial(a)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// answered waits for the answer to a question, and checks its certificate.
func answered(t *testing.T, c *client.Client, g *game, claim string) wire.State {
	t.Helper()
	s, err := c.Wait(t.Context(), g.question(claim), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := g.decide(t, claim); s.Result != want {
		t.Errorf("%s: %v, want %v", claim, s.Result, want)
	}
	var file bytes.Buffer
	if err := c.Fetch(t.Context(), s, &file); err != nil {
		t.Fatal(err)
	}
	report := g.check(t, file.Bytes())
	if !report.Valid() || report.Header.Root != g.start || (report.Header.Claim == claim) != (s.Result == proofnumber.Proved) {
		t.Errorf("%s is %v: certificate %+v, %v", claim, s.Result, report.Header, report.Findings)
	}
	return s
}

// certificateFromElsewhere is what another hub answers to whether White wins.
func certificateFromElsewhere(t *testing.T, g *game) *bytes.Buffer {
	t.Helper()
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least = 1000 }, g)
	work(t, h.Inside(), "honest", 1, g)
	c := dial(t, h.Inside())
	file := new(bytes.Buffer)
	if err := c.Fetch(t.Context(), answered(t, c, g, "white-wins"), file); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestAHubAnswersAsOneSearchDoes is over the games and both outcomes, with one, two and
// four lanes.
func TestAHubAnswersAsOneSearchDoes(t *testing.T) {
	small := bitboard.Board{Width: 4, Height: 4}
	king, err := konane.New[konane.Word](small, konane.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	pawns, err := breakthrough.New(bitboard.Board{Width: 3, Height: 4})
	hall := newGame[breakthrough.Position](t, "breakthrough", bitboard.Board{Width: 3, Height: 4}, "", pawns, err)
	ball, err := phutball.New(bitboard.Board{Width: 3, Height: 5}, phutball.Rules{})
	field := newGame[phutball.Position](t, "phutball", bitboard.Board{Width: 3, Height: 5}, phutball.Rules{}.String(), ball, err)
	stones := newGame[konane.Position[konane.Word]](t, "konane", small, konane.Rules{}.String(), king.ByPlayers(), nil)
	star := fanoronaOn(t, 3, 3)
	for i, asked := range []struct {
		*game
		claims []string
	}{
		{star, []string{"white-wins", "black-not-lost"}},
		{stones, []string{"first-wins", "second-wins"}},
		{hall, []string{"white-wins", "white-not-lost", "black-wins"}},
		{field, []string{"ohs-wins", "ohs-not-lost"}},
	} {
		h := startHub(t, t.TempDir(), nil, asked.game)
		stop := work(t, h.Inside(), "w", []int{1, 2, 4, 2}[i], asked.game)
		c := dial(t, h.Inside())
		seen := make(map[proofnumber.Verdict]bool)
		for _, claim := range asked.claims {
			seen[answered(t, c, asked.game, claim).Result] = true
		}
		if s := h.Status(); s.Jobs.Accepted == 0 || s.Jobs.Rejected+s.Jobs.Unknown+s.Jobs.Refused > 0 {
			t.Errorf("%+v", s.Jobs)
		}
		stop()
		h.Close()
	}
}

// TestAQuestionThatIsOverHasNoJobInFlight, though the answer came while several were out.
func TestAQuestionThatIsOverHasNoJobInFlight(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	work(t, h.Inside(), "one", 1, g)
	work(t, h.Inside(), "other", 1, g)
	for len(h.Status().Workers) < 2 {
		time.Sleep(time.Millisecond)
	}
	if s := answered(t, dial(t, h.Inside()), g, "white-wins"); s.InFlight != 0 {
		t.Errorf("%d jobs are in flight", s.InFlight)
	}
}

// TestALoneTeamAnswersByOnePart, which is the certificate: nothing is split that nobody
// else could work at, and its lanes search together.
func TestALoneTeamAnswersByOnePart(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	for claim, refuted := range map[string]bool{"white-wins": false, "black-not-lost": true} {
		dir := t.TempDir()
		h := startHub(t, dir, func(o *Options) { o.Most = 1 << 20 }, g)
		stop := work(t, h.Inside(), "w", 3, g)
		s := answered(t, dial(t, h.Inside()), g, claim)
		if lines := decidedLines(t, dir); len(lines) != 1 || lines[g.start] != 1 || s.Proof.Digest == "" {
			t.Errorf("%s: decided are %v, want the start alone", claim, lines)
		}
		if _, err := os.Stat(h.partPath(s.Proof.Digest)); err != nil {
			t.Errorf("%s: the certificate is no part: %v", claim, err)
		}
		if jobs := h.Status().Jobs; jobs.Accepted < 2 {
			t.Errorf("%s: %+v: want several jobs of the start", claim, jobs)
		}
		if (s.Result == proofnumber.Refuted) != refuted {
			t.Errorf("%s is %v", claim, s.Result)
		}
		stop()
		h.Close()
	}
}

// TestJobsOfProofsAreForTeams: a lone one has one job, of several each has one and few
// wait.
func TestJobsOfProofsAreForTeams(t *testing.T) {
	for _, c := range []struct{ lanes, teams, team, out int }{{1, 1, 1, 1}, {2, 1, 2, 1}, {64, 1, 64, 1}, {65, 2, 33, 3}, {512, 8, 64, 10}} {
		if wire.Teams(c.lanes) != c.teams || wire.Team(c.lanes) != c.team || enough(c.teams) != c.out {
			t.Errorf("%d lanes: %d teams of %d with %d jobs, want %+v", c.lanes, wire.Teams(c.lanes), wire.Team(c.lanes), enough(wire.Teams(c.lanes)), c)
		}
	}
}

// TestOverTheNetwork: worker and client are elsewhere, and need the credentials.
func TestOverTheNetwork(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Address = "127.0.0.1:0" }, g)
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	work(t, a, "far", 2, g)
	answered(t, dial(t, a), g, "white-wins")
	wrong := filepath.Join(t.TempDir(), "creds")
	if err := os.WriteFile(wrong, []byte("worker:guess\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for credentials, says := range map[string]string{"": "wants credentials", wrong: wrong} {
		_, err := client.Dial(link.Access{URL: h.URL(), Credentials: credentials})
		if !errors.Is(err, nats.ErrAuthorization) || !strings.Contains(err.Error(), says) {
			t.Errorf("with %q: %v", credentials, err)
		}
	}
	if info, err := os.Stat(h.Credentials()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("credentials: %v, %v", info.Mode(), err)
	}
}

// TestAHubListensOnThisMachineAlone, since nothing is encrypted.
func TestAHubListensOnThisMachineAlone(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":4222", "192.0.2.1:0", "example.org:0", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000"} {
		if _, err := Start(t.Context(), Options{Dir: t.TempDir(), Address: address}); !errors.Is(err, ErrAddress) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// TestAHubSaysWhyItsServerDoesNotStart, and at once.
func TestAHubSaysWhyItsServerDoesNotStart(t *testing.T) {
	dir := t.TempDir()
	startHub(t, dir, nil).Close()
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "nats")), os.WriteFile(filepath.Join(dir, "nats"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	if _, err := Start(t.Context(), Options{Dir: dir}); !errors.Is(err, ErrCarrier) || !strings.Contains(err.Error(), filepath.Join(dir, "nats")) {
		t.Errorf("%v", err)
	}
}

func TestAFolderIsForOneHub(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	if _, err := Start(t.Context(), Options{Dir: h.options.Dir}); !errors.Is(err, lasting.ErrLocked) {
		t.Errorf("a second hub: %v", err)
	}
}

// ofAll is what Of reads all lines about questions with.
func ofAll(string) bool { return true }

// entriesOf reads the lines of a ledger.
func entriesOf(t *testing.T, text []byte) (entries []ledger.Entry) {
	t.Helper()
	if _, err := ledger.Read(bytes.NewReader(text), func(e ledger.Entry) { entries = append(entries, e) }); err != nil {
		t.Fatal(err)
	}
	return entries
}

// decidedLines are the positions that a ledger has as decided, each as often as it
// stands there.
func decidedLines(t *testing.T, dir string) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	decided := make(map[string]int)
	entries := entriesOf(t, text)
	for _, e := range entries {
		if e.Result == nil || e.Result.Verdict == proofnumber.Undecided {
			continue
		}
		decided[e.Result.Position]++
		if info, err := os.Stat(filepath.Join(dir, "parts", e.Result.Part.Digest)); err != nil || info.Size() != e.Result.Part.Bytes {
			t.Errorf("a line without its file: %v", err)
		}
	}
	return decided
}

// An idler is a site whose searchers do so many jobs, and then dream until they are
// stopped.
type idler struct {
	share.Site
	jobs atomic.Int32
}

func (s *idler) Searcher(o share.SearcherOptions) (share.Searcher, error) {
	searcher, err := s.Site.Searcher(o)
	return &dreamer{searcher, s}, err
}

type dreamer struct {
	share.Searcher
	site *idler
}

func (s *dreamer) Search(ctx context.Context, task share.Task, version string, workers int, file string, watch share.Watch) (share.Found, error) {
	if s.site.jobs.Add(-1) < 0 {
		<-ctx.Done()
		return share.Found{}, ctx.Err()
	}
	return s.Searcher.Search(ctx, task, version, workers, file, watch)
}

// TestAWorkerTellsOfTheJobAtHand: its nodes grow long before there is a result.
func TestAWorkerTellsOfTheJobAtHand(t *testing.T) {
	g := fanoronaOn(t, 9, 5)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Least = 1 << 40 }, g)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	work(t, h.Inside(), "w", 2, g)
	grown := func(from uint64) uint64 {
		for {
			s := h.Status()
			if s.Jobs.Accepted > 0 {
				t.Fatalf("%+v: want the first job to be at hand", s.Jobs)
			}
			if q := s.Questions[0]; len(s.Workers) == 1 && s.Workers[0].Nodes > from && q.AtHand > from && q.Visited() == q.AtHand {
				return max(s.Workers[0].Nodes, q.AtHand)
			}
			time.Sleep(time.Millisecond)
		}
	}
	grown(grown(0))
}

// idling is the game with sites on which so many jobs are done.
func (g *game) idling(jobs int32) *game {
	lazy := *g
	lazy.open = func(ctx context.Context) (share.Site, error) {
		site, err := g.open(ctx)
		s := &idler{Site: site}
		s.jobs.Store(jobs)
		return s, err
	}
	return &lazy
}

// TestAHubGoesOnFromItsLedger ends a hub after two results, and starts another one on
// its folder, again and again. Nothing that is in the ledger is searched again.
func TestAHubGoesOnFromItsLedger(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	for starts := 1; ; starts++ {
		h := startHub(t, dir, nil, g)
		c := dial(t, h.Inside())
		stop := work(t, h.Inside(), fmt.Sprint("w", starts), 1, g.idling(2))
		for h.Status().Jobs.Accepted < 2 {
			if s, err := h.ask("", wire.Ask{Question: g.question("white-wins")}); err != nil || s.Stage.Over() {
				break
			}
			time.Sleep(time.Millisecond)
		}
		s, err := h.ask("", wire.Ask{Question: g.question("white-wins")})
		if err != nil {
			t.Fatal(err)
		}
		if s.Stage == wire.Done {
			answered(t, c, g, "white-wins")
			if starts < 3 {
				t.Errorf("%d starts: want the work to be cut into more", starts)
			}
			stop()
			h.Close()
			break
		}
		h.Close()
		stop()
	}
	for position, times := range decidedLines(t, dir) {
		if times > 1 {
			t.Errorf("%s was decided %d times", position, times)
		}
	}
	// What is answered stays so, without a worker.
	h := startHub(t, dir, nil, g)
	answered(t, dial(t, h.Inside()), g, "white-wins")
	h.Close()

	// Lines and files that are gone are work to be done again, and no more.
	parts, err := filepath.Glob(filepath.Join(dir, "parts", "*"))
	if err != nil || len(parts) == 0 {
		t.Fatal(parts, err)
	}
	if err := os.WriteFile(parts[0], []byte("damaged"), 0o666); err != nil {
		t.Fatal(err)
	}
	lost := parts[len(parts)-1] // may be the damaged one
	for _, gone := range []string{lost, filepath.Join(dir, "nats"), filepath.Join(dir, "proofs")} {
		if err := os.RemoveAll(gone); err != nil {
			t.Fatal(err)
		}
	}
	h = startHub(t, dir, nil, g)
	work(t, h.Inside(), "again", 1, g)
	answered(t, dial(t, h.Inside()), g, "white-wins")
}

// patience is how long a rogue waits for an answer.
const patience = 20 * time.Second

// A rogue speaks to a hub as a worker does, by hand.
type rogue struct {
	*testing.T
	access  link.Access
	link    *link.Link
	version string // that it says it has
}

func newRogue(t *testing.T, h *Hub) *rogue {
	t.Helper()
	return enlist(t, h.Inside(), version)
}

// alone is a hub that was asked a question, and the only worker there.
func alone(t *testing.T) (*Hub, *rogue) {
	t.Helper()
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	r := newRogue(t, h)
	if _, err := dial(t, h.Inside()).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	return h, r
}

// take takes a job, and says so.
func (r *rogue) take() (d wire.Delivery, answer wire.Result) {
	r.Helper()
	d, answer = r.receive()
	r.link.Tell(wire.SubjectStarted, answer.Started)
	return d, answer
}

// receive takes a job, and says nothing.
func (r *rogue) receive() (d wire.Delivery, answer wire.Result) {
	r.Helper()
	for {
		if d, _ := r.link.Next(r.Context(), "rogue"); d != nil {
			answer = wire.Result{Started: startedBy("rogue", d), Version: r.version, Question: d.Question}
			if d.Task != nil {
				answer.Position = d.Task.Position
			}
			return *d, answer
		}
	}
}

// startedBy is what a worker says of a job that it has.
func startedBy(name string, d *wire.Delivery) wire.Started {
	return wire.Started{Worker: name, Job: d.Name(), Start: d.Start, Message: d.Message, Delivery: d.Delivery}
}

// giveBack gives a job back.
func (r *rogue) giveBack(answer wire.Result) {
	r.link.Tell(wire.SubjectKept, wire.Kept{Started: answer.Started, Back: true})
}

// send sends an answer, with a file if there is one.
func (r *rogue) send(answer wire.Result, file string) wire.Outcome {
	r.Helper()
	if file != "" {
		path := filepath.Join(r.TempDir(), "file")
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			r.Fatal(err)
		}
		answer.Upload = wire.NewName()
		if err := r.link.Upload(r.Context(), answer.Upload, path, nil, func(why string) { r.Log(why) }); err != nil && !errors.Is(err, link.ErrNotTaken) {
			r.Fatal(err)
		}
	}
	var what wire.Reply
	if err := r.link.Ask(r.Context(), wire.SubjectResult, answer, &what); err != nil {
		r.Fatal(err)
	}
	return what.Outcome
}

// TestAWorkerThatLiesCostsTimeAndNoTruth sends all that a hub should not believe. Each
// is told what became of it, and counted; the answer is the right one.
func TestAWorkerThatLiesCostsTimeAndNoTruth(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.MostPart = 1 << 20 }, g)
	c := dial(t, h.Inside())

	// A true certificate of something else comes from another hub.
	truth := certificateFromElsewhere(t, g)

	r := newRogue(t, h)
	if _, err := c.Ask(t.Context(), g.question("black-not-lost")); err != nil {
		t.Fatal(err)
	}
	says := func(what string, got, want wire.Outcome) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
	lie := func(what, file string, want wire.Outcome, change func(*wire.Result)) {
		t.Helper()
		_, answer := r.take()
		answer.Verdict = proofnumber.Proved
		if change != nil {
			change(&answer)
		}
		says(what, r.send(answer, file), want)
	}
	lie("no file", "", wire.Rejected, nil)
	lie("garbage", strings.Repeat("garbage", 100), wire.Rejected, nil)
	lie("a huge file", strings.Repeat("huge", 1<<19), wire.Rejected, nil)
	lie("a part cut short", truth.String()[:truth.Len()/2], wire.Rejected, nil)
	lie("the other claim", truth.String(), wire.Rejected, func(a *wire.Result) { a.Verdict = proofnumber.Refuted })
	lie("a position that is none", truth.String(), wire.Rejected, func(a *wire.Result) { a.Position = "?" })
	lie("another version", truth.String(), wire.Refused, func(a *wire.Result) { a.Version = "older" })
	lie("a file by another's name", "", wire.Rejected, func(a *wire.Result) { a.Upload = "../../ledger" })

	// Undecided answers: by another lease, by a job that there is not, and with nodes
	// and numbers that can't be. The last one splits the root.
	_, answer := r.take()
	late := answer
	late.Delivery--
	says("an older lease", r.send(late, ""), wire.Stale)
	late = answer
	late.Start--
	says("a hub before this one", r.send(late, ""), wire.Stale)
	late = answer
	late.Job = strings.Repeat("0", 64)
	says("no job", r.send(late, ""), wire.Stale)
	late.Question = "?"
	says("no question", r.send(late, ""), wire.Unknown)
	answer.Nodes = 1 << 63
	says("numbers that can't be", r.send(answer, ""), wire.Accepted)
	says("twice", r.send(answer, ""), wire.Stale)

	// A true part of the root, though its job is over, is taken whoever sends it.
	_, answer = r.take()
	answer.Verdict, answer.Position = proofnumber.Proved, "BBB/B.W/WWW x"
	says("another position", r.send(answer, truth.String()), wire.Rejected)
	answer.Position = g.start
	says("a true part", r.send(answer, truth.String()), wire.Accepted)
	says("a copy", r.send(answer, truth.String()), wire.Copied)
	answered(t, c, g, "black-not-lost")
	if got := h.Status(); got.Jobs.Rejected != 8 || got.Jobs.Stale != 4 || got.Jobs.Refused != 1 || got.Jobs.Unknown != 1 || got.Jobs.Accepted != 2 || got.Jobs.Copied != 1 || got.Workers[0].Rejected != 8 {
		t.Errorf("%+v", got)
	}
	if got := h.nodes; got > 4*20 {
		t.Errorf("%d nodes are believed of one job of 20", got)
	}
	if left, err := os.ReadDir(h.path("incoming")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestAResultMayComeBeforeTheWordOfItsLease: they go by subjects of their own.
func TestAResultMayComeBeforeTheWordOfItsLease(t *testing.T) {
	_, r := alone(t)
	_, answer := r.receive()
	if got := r.send(answer, ""); got != wire.Accepted {
		t.Errorf("%s, want %s", got, wire.Accepted)
	}
}

// TestAPartThatGotLostIsAskedForAgain: the hub was killed between file and result.
func TestAPartThatGotLostIsAskedForAgain(t *testing.T) {
	_, r := alone(t)
	_, answer := r.take()
	answer.Verdict, answer.Upload = proofnumber.Proved, wire.NewName()
	if got := r.send(answer, ""); got != wire.Failing {
		t.Errorf("%s, want %s", got, wire.Failing)
	}
}

// TestAResultWhoseWordWasLostCountsOnce: the hub had synced it, and was killed before it
// could say so. The worker sends it to the next hub.
func TestAResultWhoseWordWasLostCountsOnce(t *testing.T) {
	g, dir := fanoronaOn(t, 3, 3), t.TempDir()
	h := startHub(t, dir, nil, g)
	c := dial(t, h.Inside())
	r := newRogue(t, h)
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	_, root := r.take()
	if got := r.send(root, ""); got != wire.Accepted {
		t.Fatal(got)
	}
	h.Close()

	h = startHub(t, dir, nil, g)
	r = newRogue(t, h)
	r.take()
	if got := r.send(root, ""); got != wire.Stale {
		t.Errorf("%s, want %s", got, wire.Stale)
	}
	if s := h.Status(); s.Questions[0].Splits != 1 {
		t.Errorf("%+v: want the root split once", s.Questions[0])
	}
}

// TestPartsThatNobodyWantsAreNotKept: true as they may be, they would fill the disk.
func TestPartsThatNobodyWantsAreNotKept(t *testing.T) {
	h, r := alone(t)
	_, answer := r.take()
	answer.Verdict, answer.Position = proofnumber.Proved, ".../.B./.W. w"
	if got := r.send(answer, "a part"); got != wire.Copied {
		t.Errorf("%s, want %s", got, wire.Copied)
	}
	if parts, err := os.ReadDir(h.path("parts")); err != nil || len(parts) > 0 {
		t.Errorf("kept: %v, %v", parts, err)
	}
}

// TestQuestionsThatShareJobsAreAllAnswered: a claim and its opposite are searched by the
// same jobs.
func TestQuestionsThatShareJobsAreAllAnswered(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	for _, claim := range []string{"white-wins", "black-not-lost"} {
		if _, err := c.Ask(t.Context(), g.question(claim)); err != nil {
			t.Fatal(err)
		}
	}
	work(t, h.Inside(), "w", 2, g)
	answered(t, c, g, "white-wins")
	answered(t, c, g, "black-not-lost")
}

// TestAHubForgetsWhatItCantAnswer, rather than be filled by it.
func TestAHubForgetsWhatItCantAnswer(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), wire.Question{Position: strings.Repeat("B", wire.MostText+1)}); !errors.Is(err, client.ErrFailed) {
		t.Errorf("a long question: %v", err)
	}
	for i := range 2 * mostUnanswered {
		if _, err := c.Wait(t.Context(), g.question(fmt.Sprint("nobody-wins-", i)), nil); !errors.Is(err, client.ErrFailed) {
			t.Fatal(err)
		}
	}
	if got := len(h.Status().Questions); got > mostUnanswered {
		t.Errorf("%d questions are listed", got)
	}
	text, err := os.ReadFile(h.path("ledger"))
	if err != nil || strings.Contains(string(text), "nobody") {
		t.Errorf("the ledger has %s, %v", text, err)
	}
}

// TestTheTimeOfAQuestionEndsWhereItFails, however much later somebody asks how it is.
func TestTheTimeOfAQuestionEndsWhereItFails(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	if _, err := dial(t, h.Inside()).Wait(t.Context(), g.question("nobody-wins"), nil); !errors.Is(err, client.ErrFailed) {
		t.Fatal(err)
	}
	took := h.Status().Questions[0].Seconds
	if later := h.Status().Questions[0].Seconds; took <= 0 || later != took {
		t.Errorf("it took %v s, and later %v s", took, later)
	}
}

// TestWorkersThatDieCostTheirLease: they take jobs and are never heard of again. A job whose message
// is gone without a result is noticed. Others do the work.
func TestWorkersThatDieCostTheirLease(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), func(o *Options) { o.Lease = 300 * time.Millisecond }, g)
	c := dial(t, h.Inside())
	dead := newRogue(t, h)
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	dead.take()
	dead.link.Close()
	mute := newRogue(t, h)
	_, answer := mute.take() // the same job, at its next lease
	if answer.Delivery < 2 {
		t.Errorf("delivery %d, want a second one", answer.Delivery)
	}
	h.mutex.Lock()
	message := h.out[answer.Message].lease.message
	h.mutex.Unlock()
	if err := message.DoubleAck(t.Context()); err != nil {
		t.Fatal(err)
	}
	h.Audit()
	if s := h.Status(); s.Jobs.Lost != 1 {
		t.Errorf("%+v: want the job noticed as lost", s.Jobs)
	}
	work(t, h.Inside(), "honest", 2, g)
	answered(t, c, g, "white-wins")
}

// TestAJobThatNobodyFinishesIsSplit, visibly.
func TestAJobThatNobodyFinishesIsSplit(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	r := newRogue(t, h)
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	first, answer := r.take()
	for range mostDeliveries - 1 {
		r.giveBack(answer)
		var again wire.Delivery
		if again, answer = r.take(); again.Name() != first.Name() {
			t.Fatalf("%s, then %s", first.Name(), again.Name())
		}
	}
	r.giveBack(answer)
	if next, _ := r.take(); next.Name() == first.Name() {
		t.Error("the job is handed out again")
	}
	if s := h.Status(); s.Jobs.GivenUp != 1 || s.Questions[0].Splits != 1 {
		t.Errorf("%+v", s)
	}
}

// TestOtherWorkersAreRefusedByName: those of another version when they come, those with
// other tables at their first job. Both end, and say why.
func TestOtherWorkersAreRefusedByName(t *testing.T) {
	g, other := fanoronaOn(t, 3, 3), fanoronaOn(t, 5, 3)
	h := startHub(t, t.TempDir(), nil, g)
	o := worker.Options{Access: h.Inside(), Name: "old", Version: "older", Lanes: 1, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(), Open: opener(g)}
	if err := worker.Work(t.Context(), o); !errors.Is(err, link.ErrRefused) || !strings.Contains(err.Error(), "version test") {
		t.Errorf("another version: %v", err)
	}
	c := dial(t, h.Inside())
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	o.Name, o.Version, o.Open = "other", version, func(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
		return other.open(ctx)
	}
	if err := worker.Work(t.Context(), o); !errors.Is(err, share.ErrOther) {
		t.Errorf("another game: %v", err)
	}
	if s := h.Status(); s.Jobs.Refused != 1 {
		t.Errorf("%+v", s.Jobs)
	}
	work(t, h.Inside(), "right", 1, g)
	answered(t, c, g, "white-wins")
}

// TestAQuestionThatCantBeAnsweredSaysWhy, and is taken up again when it is asked again.
func TestAQuestionThatCantBeAnsweredSaysWhy(t *testing.T) {
	g := fanoronaOn(t, 3, 3)
	h := startHub(t, t.TempDir(), nil, g)
	c := dial(t, h.Inside())
	for _, q := range []wire.Question{
		{}, {Setting: g.setting, Position: "?", Claim: "white-wins"}, {Setting: g.setting, Position: g.start, Claim: "nobody-wins"},
		{Setting: g.setting, Position: g.start, Claim: "white-wins", Kind: wire.Verification}, {Setting: g.setting, Kind: "build"}, {Setting: g.setting, Kind: wire.Verification},
	} {
		for range 2 {
			if _, err := c.Wait(t.Context(), q, nil); !errors.Is(err, client.ErrFailed) {
				t.Errorf("%v: %v", q, err)
			}
		}
	}
}

// TestAWorkerMayDoNoMoreThanItsWork: it can't give out jobs, nor touch the stream.
func TestAWorkerMayDoNoMoreThanItsWork(t *testing.T) {
	h := startHub(t, t.TempDir(), nil)
	r := newRogue(t, h)
	denied := make(chan error, 1)
	r.link.SetErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err })
	for _, subject := range []string{wire.SubjectJobs, "$JS.API.STREAM.DELETE." + wire.Stream, "$JS.API.STREAM.PURGE." + wire.Stream, "$JS.API.CONSUMER.MSG.NEXT." + wire.Stream + "." + wire.Consumer, "$JS.API.CONSUMER.INFO." + wire.Stream + "." + wire.Consumer, wire.Inbox("hub")} {
		if err := r.link.Publish(subject, []byte("{}")); err != nil {
			t.Fatal(err)
		}
		if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) || !strings.Contains(err.Error(), subject) {
			t.Errorf("%s: %v", subject, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if info, err := h.stream.Info(ctx); err != nil || info.State.Msgs != 0 {
		t.Errorf("%+v, %v", info, err)
	}
}
