package hub

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// tabled is a game with tables, and a position that has more stones than they.
type tabled struct {
	prover.Subject[fanorona.Position]
	dir      string
	position string
}

func limits() prover.LoadOptions { return prover.LoadOptions{Workers: 1, Memory: 1 << 30} }

// withTables builds the tables of a board up to a number of stones, of which the largest
// leave values out.
func withTables(t *testing.T, width, height, stones int, position string) *tabled {
	t.Helper()
	board := bitboard.Board{Width: width, Height: height}
	of, err := fanorona.New(board, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	id := tablebase.Identity{Game: "fanorona", Board: board.String(), Rules: fanorona.Rules{}.String()}
	g := &tabled{prover.Subject[fanorona.Position]{Game: of, Board: board, Identity: id}, t.TempDir(), position}
	groups, err := bitboard.GroupsWithin(of, stones)
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(g.dir, id, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tables := store.Tables(bitboard.WDL, of).ForBuild(groups)
	if _, err := retrograde.Build(t.Context(), of, groups, tables, retrograde.Options{Metric: bitboard.WDL, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return g
}

func (g *tabled) question(claim string) wire.Question {
	return wire.Question{Setting: proofs.Setting(g.Identity), Position: g.position, Claim: claim}
}

// open opens the site of the folder with the tables, as a hub does.
func (g *tabled) open(ctx context.Context, _ proofs.Setting, _ string, _ *share.Supply) (share.Site, error) {
	return share.NewSite(ctx, g.Subject, g.dir, limits())
}

// start starts a hub at an address.
func (g *tabled) start(t *testing.T, dir, address string) *Hub {
	return startHub(t, dir, func(o *Options) { o.Address, o.Open, o.Memory = address, g.open, 1<<26 })
}

// farWorker is a worker elsewhere, with tables in a folder of its own.
func (g *tabled) farWorker(t *testing.T, a link.Access, dir string, fetches *atomic.Int32) worker.Options {
	return worker.Options{
		Access: a, Name: filepath.Base(t.TempDir()), Version: version, Lanes: 2, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(),
		Notice: func(text string) { t.Log(text) },
		Open: func(ctx context.Context, _ proofs.Setting, _ string, supply *share.Supply) (share.Site, error) {
			if supply == nil {
				return nil, errors.New("no tables are offered")
			}
			o := share.SupplyOptions{LoadOptions: limits(), Version: version, Notice: func(text string) {
				t.Log(text)
				if strings.HasPrefix(text, "fetching ") {
					fetches.Add(1)
				}
			}}
			return share.NewSupplied(ctx, g.Subject, dir, *supply, o)
		},
	}
}

// atWork has a worker at work until the test ends.
func atWork(t *testing.T, o worker.Options) {
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- worker.Work(ctx, o) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("worker %s: %v", o.Name, err)
		}
	})
}

// answered waits for an answer, and checks its certificate with the tables.
func (g *tabled) answered(t *testing.T, c *client.Client, claim string) wire.State {
	t.Helper()
	s, err := c.Wait(t.Context(), g.question(claim), nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := c.Fetch(t.Context(), s, &text); err != nil {
		t.Fatal(err)
	}
	shelf, err := prover.Load(t.Context(), g.Subject, g.dir, prover.UpTo(g.Subject, bitboard.AllPieces), limits())
	if err != nil {
		t.Fatal(err)
	}
	defer shelf.Free()
	file, err := proofs.Open(bytes.NewReader(text.Bytes()), int64(text.Len()))
	if err != nil {
		t.Fatal(err)
	}
	report, err := proofs.Check(t.Context(), proofs.Setting(g.Identity), g.Game, shelf, file, proofs.Options{})
	if err != nil || !report.Valid() {
		t.Errorf("%s is %v: %v, %v", claim, s.Result, report.Findings, err)
	}
	return s
}

// sevenStones is a position on 5x5 with three stones more than tables to four have.
const sevenStones = "B.B.B/...../.WW../...../W.W.. w"

// TestTablesComeToAWorkerThatHasNone, and with them it proves what a worker proves that
// has the tables of the hub. Two of them on one machine fetch them once.
func TestTablesComeToAWorkerThatHasNone(t *testing.T) {
	g := withTables(t, 5, 5, 4, sevenStones)
	near := g.start(t, t.TempDir(), "")
	atWork(t, worker.Options{Access: near.Inside(), Name: "near", Version: version, Lanes: 1, Table: 1 << 20, Sets: 1 << 20, Dir: t.TempDir(), Open: g.open})
	want := g.answered(t, dial(t, near.Inside()), "white-wins")

	keyed, files := madeKeys(t, "ann")
	for _, one := range []struct{ dir, credentials string }{
		{t.TempDir(), ""},
		{keyed, files[0]},
	} {
		h := g.start(t, one.dir, "127.0.0.1:0")
		a := link.Access{URL: h.URL(), Credentials: one.credentials}
		if a.Credentials == "" {
			a.Credentials = h.Credentials()
		}
		var fetches atomic.Int32
		tables := filepath.Join(t.TempDir(), "5x5")
		atWork(t, g.farWorker(t, a, tables, &fetches))
		atWork(t, g.farWorker(t, a, tables, &fetches))
		got := g.answered(t, dial(t, a), "white-wins")
		if got.Result != want.Result || got.Slices != want.Slices || got.Slices == 0 {
			t.Errorf("%v with %d tables, want %v with %d", got.Result, got.Slices, want.Result, want.Slices)
		}
		if n := fetches.Load(); n != 1 {
			t.Errorf("the tables are fetched %d times", n)
		}
	}
}

// TestAWorkerWithOtherValuesIsRefused, and fetches nothing.
func TestAWorkerWithOtherValuesIsRefused(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	h := g.start(t, t.TempDir(), "127.0.0.1:0")
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	if _, err := dial(t, a).Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	o := g.farWorker(t, a, g.dir, new(atomic.Int32))
	open := o.Open
	o.Open = func(ctx context.Context, setting proofs.Setting, claim string, supply *share.Supply) (share.Site, error) {
		supply.Tables[0].Checksum = strings.Repeat("0", 64)
		return open(ctx, setting, claim, supply)
	}
	if err := worker.Work(t.Context(), o); !errors.Is(err, share.ErrOther) {
		t.Errorf("%v", err)
	}
}

// TestTablesOfNoQuestionAreNotOffered.
func TestTablesOfNoQuestionAreNotOffered(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	h := g.start(t, t.TempDir(), "127.0.0.1:0")
	l := connected(t, link.Access{URL: h.URL(), Credentials: h.Credentials()})
	for _, asked := range []wire.TablesAsk{{}, {Tables: "none"}, {Tables: strings.Repeat("0", 64), File: &proofs.Table{}}} {
		if _, err := l.Tables(t.Context(), asked); !errors.Is(err, wire.ErrNotOffered) {
			t.Errorf("%+v: %v", asked, err)
		}
	}
}

// TestAHubThatCantMakeAFileSaysWhy, and tries again when it is asked again.
func TestAHubThatCantMakeAFileSaysWhy(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	h := g.start(t, t.TempDir(), "127.0.0.1:0")
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	c := dial(t, a)
	if err := os.RemoveAll(h.path("tables")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Ask(t.Context(), g.question("white-wins")); err != nil {
		t.Fatal(err)
	}
	tables := t.TempDir()
	if err := worker.Work(t.Context(), g.farWorker(t, a, tables, new(atomic.Int32))); !errors.Is(err, link.ErrRefused) {
		t.Fatalf("%v", err)
	}
	if err := os.Mkdir(h.path("tables"), 0o777); err != nil {
		t.Fatal(err)
	}
	atWork(t, g.farWorker(t, a, tables, new(atomic.Int32)))
	g.answered(t, c, "white-wins")
}

// TestTablesComeOnceNobodyWritesToThem: a folder that a build has open is no reason to refuse.
func TestTablesComeOnceNobodyWritesToThem(t *testing.T) {
	g := withTables(t, 3, 3, 3, "BBB/B.W/WWW w")
	var writer atomic.Pointer[tablebase.Store]
	h := startHub(t, t.TempDir(), func(o *Options) {
		o.Address, o.Open, o.Memory, o.Lease = "127.0.0.1:0", g.open, 1<<26, time.Second
		o.Notice = func(text string) {
			t.Log(text)
			if s := writer.Load(); s != nil && strings.Contains(text, "waits for another process") {
				if writer.CompareAndSwap(s, nil) {
					s.Close()
				}
			}
		}
	})
	a := link.Access{URL: h.URL(), Credentials: h.Credentials()}
	c := dial(t, a)
	for stage := wire.Preparing; stage == wire.Preparing; { // until the hub has loaded them
		s, err := c.Ask(t.Context(), g.question("white-wins"))
		if err != nil {
			t.Fatal(err)
		}
		stage = s.Stage
	}
	store, err := tablebase.Open(g.dir, g.Identity, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	writer.Store(store)
	atWork(t, g.farWorker(t, a, filepath.Join(t.TempDir(), "3x3"), new(atomic.Int32)))
	g.answered(t, c, "white-wins")
	if writer.Load() != nil {
		t.Error("nobody waited")
	}
}
