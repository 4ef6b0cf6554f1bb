package catalogue_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/winone"
)

func openWinInOne(t *testing.T, board string, rules map[string]string) catalogue.WinsInOne {
	t.Helper()
	game, _ := catalogue.Find("phutball")
	instance, err := game.Open(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	return instance.(catalogue.WinsInOne)
}

func TestWinInOneOfAPositionThatIsOver(t *testing.T) {
	game := openWinInOne(t, "", nil)
	for position, winner := range map[string]string{
		"ball=H19 men=H18 to=ohs":         "ohs",
		"ball=H20 men=H18 to=eks":         "ohs",
		"ball=H1 men=H2 to=ohs":           "eks",
		"@B0 .../.*./... eks":             "eks",
		"ball=H18 men=H17 to=ohs":         "",
		"ball=B2 to=ohs board=3x9":        "",
		"ball=B9 men=B8 to=ohs board=3x9": "ohs",
	} {
		answers, err := game.WinInOne(t.Context(), []string{position}, catalogue.WinInOneOptions{AnyBoard: true})
		if err != nil || answers[0].Err != nil {
			t.Fatalf("%s: %v, %v", position, answers, err)
		}
		r := answers[0].Result
		if r.Over != (winner != "") || r.Winner != winner || r.Win == nil || *r.Win || r.Limit != "" {
			t.Errorf("%s: %+v, want it over %v, won by %q", position, r, winner != "", winner)
		}
	}
}

// boards are positions on many boards, each won with one jump.
func positionsOnBoards() (positions []string) {
	for width := 1; width <= 20; width++ {
		for height := 5; height <= 25; height += 4 {
			positions = append(positions, fmt.Sprintf("ball=A%d men=A%d to=ohs board=%dx%d", height-2, height-1, width, height))
		}
	}
	return positions
}

func TestEachPositionIsAnsweredOnItsOwnBoard(t *testing.T) {
	positions := positionsOnBoards()
	rand.New(rand.NewPCG(1, 0)).Shuffle(len(positions), func(i, j int) { positions[i], positions[j] = positions[j], positions[i] })
	game := openWinInOne(t, "", nil)
	for _, o := range []catalogue.WinInOneOptions{
		{AnyBoard: true},
		{AnyBoard: true, Workers: 3},
		{AnyBoard: true, Workers: 8, Memory: 48 << 20}, // enough for two
	} {
		answers, err := game.WinInOne(t.Context(), positions, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range answers {
			if a.Err != nil || a.Result.Win == nil || !*a.Result.Win || a.Result.Jumps != 1 {
				t.Errorf("%+v, %s: %+v", o, positions[i], a)
			}
			// What it prints, in rows, is on that board too.
			again, err := game.WinInOne(t.Context(), []string{a.Result.Position}, o)
			if err != nil || again[0].Err != nil || again[0].Result.Position != a.Result.Position || *again[0].Result.Series != *a.Result.Series {
				t.Errorf("%s: %+v, %v", a.Result.Position, again, err)
			}
		}
	}
}

func TestPositionOnAnotherBoardThanTheOneGiven(t *testing.T) {
	game := openWinInOne(t, "3x5", nil)
	for position, want := range map[string]string{
		"ball=A3 men=A4 to=ohs board=2x5": "board 2x5: the game is on 3x5",
		"../*./@./../.. ohs":              "board 2x5: the game is on 3x5",
	} {
		answers, err := game.WinInOne(t.Context(), []string{position}, catalogue.WinInOneOptions{})
		var syntax *bitboard.SyntaxError
		if err != nil || !errors.As(answers[0].Err, &syntax) || syntax.What != want {
			t.Errorf("%s: %v, %v, want %s", position, answers[0].Err, err, want)
		}
	}
}

// What a line claims takes no memory beyond what is allowed, and keeps no other
// line from its answer.
func TestHostilePositionsAreRefusedOneByOne(t *testing.T) {
	positions := []string{
		"ball=H10 men=H11 to=ohs",
		"ball=A2 to=ohs board=999999x999999",
		"ball=A2 to=ohs board=9000x7000",
		"ball=A2 ball=A3 to=ohs",
		"ball=A2 men=A2 to=ohs",
		"ball=A2 men=A3,A3 to=ohs",
		"ball=A99999999999999999999 to=ohs",
		"@<20 .../.../... ohs",
		"@<4 .../.../... ohs",
		"",
		"\x00\xff\x1b[2J",
		strings.Repeat("ball=A1 ", 1<<17),
		strings.Repeat("*", 1<<20),
		"ball=H10 men=H11 to=ohs",
	}
	var answers []catalogue.Answer[catalogue.WinInOne]
	var err error
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	answers, err = openWinInOne(t, "", nil).WinInOne(t.Context(), positions, catalogue.WinInOneOptions{AnyBoard: true, Memory: 64 << 20, Workers: 2})
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range answers {
		if first, last := i == 0, i == len(answers)-1; (a.Err == nil) != (first || last) {
			t.Errorf("%.40q: %.200v", positions[i], a.Err)
		}
		if a.Err != nil && len(a.Err.Error()) > 500 {
			t.Errorf("%.40q: a message of %d bytes", positions[i], len(a.Err.Error()))
		}
	}
	if !errors.Is(answers[2].Err, catalogue.ErrMemory) {
		t.Errorf("%s: %v, want %v", positions[2], answers[2].Err, catalogue.ErrMemory)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 64<<20 {
		t.Errorf("%d bytes allocated", taken)
	}
}

func TestWinInOneRefusesTooLittleMemory(t *testing.T) {
	game := openWinInOne(t, "", nil)
	if _, err := game.WinInOne(t.Context(), []string{"ball=H10 to=ohs"}, catalogue.WinInOneOptions{Memory: 1 << 20}); !errors.Is(err, catalogue.ErrMemory) {
		t.Errorf("error %v, want %v", err, catalogue.ErrMemory)
	}
	if _, err := game.WinInOneFromCNF(t.Context(), opened(strings.NewReader("p cnf 1 0\n")), catalogue.WinInOneOptions{Memory: 1 << 20}); !errors.Is(err, catalogue.ErrMemory) {
		t.Errorf("from a formula: error %v, want %v", err, catalogue.ErrMemory)
	}
}

func TestFormulaWhoseBoardIsTooLargeIsRefusedBeforehand(t *testing.T) {
	var text strings.Builder
	fmt.Fprintln(&text, "p cnf 300 900")
	for i := range 900 {
		fmt.Fprintln(&text, i%300+1, -(i*7%300 + 1), i*11%300+1, 0)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := openWinInOne(t, "", nil).WinInOneFromCNF(t.Context(), opened(strings.NewReader(text.String())), catalogue.WinInOneOptions{Memory: 1 << 30, Time: time.Hour})
	runtime.ReadMemStats(&after)
	if !errors.Is(err, catalogue.ErrMemory) || !strings.Contains(err.Error(), "16231x3613") || !strings.Contains(err.Error(), "1,024 MiB are allowed") {
		t.Errorf("error %v, want one that names the board and what is allowed", err)
	}
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 8<<20 {
		t.Errorf("%d bytes allocated", taken)
	}
	if _, err := openWinInOne(t, "", nil).WinInOneFromCNF(t.Context(), opened(strings.NewReader("p cnf 999999999 1\n1 0\n")), catalogue.WinInOneOptions{}); !errors.Is(err, winone.ErrTooLarge) {
		t.Errorf("error %v, want %v", err, winone.ErrTooLarge)
	}
}

// opened gives a formula to who opens it.
func opened(formula io.Reader) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(formula), nil }
}

// soon is a context that is done once it has been asked so many times.
type soon struct {
	context.Context
	left atomic.Int64
}

func (s *soon) Err() error {
	if s.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// Whenever it is stopped, the answers are true, and those for the first positions.
func TestStoppedItGivesTheAnswersSoFar(t *testing.T) {
	game := openWinInOne(t, "", nil)
	positions := positionsOnBoards()[:40]
	for _, workers := range []int{1, 3} {
		o := catalogue.WinInOneOptions{AnyBoard: true, Workers: workers}
		whole, err := game.WinInOne(t.Context(), positions, o)
		if err != nil || len(whole) != len(positions) {
			t.Fatalf("%d answers, %v", len(whole), err)
		}
		some := 0
		for asked := int64(0); ; asked++ {
			ctx := &soon{Context: t.Context()}
			ctx.left.Store(asked)
			answers, err := game.WinInOne(ctx, positions, o)
			for i, a := range answers {
				if a.Err != nil || a.Result.Position != whole[i].Result.Position || a.Result.Win == nil || !*a.Result.Win {
					t.Fatalf("%d workers, asked %d times: %+v for %s", workers, asked, a, positions[i])
				}
			}
			if err == nil && len(answers) == len(positions) {
				break
			}
			if !errors.Is(err, context.Canceled) || len(answers) == len(positions) {
				t.Fatalf("%d workers, asked %d times: %d answers, %v", workers, asked, len(answers), err)
			}
			if len(answers) > 0 {
				some++
			}
		}
		if some < 10 {
			t.Errorf("%d workers: %d times there were some answers: want more", workers, some)
		}
	}
}

// endless is a formula that never comes to its end.
type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '\n'
	}
	return len(p), nil
}

// stalled is one whose reader waits for ever.
type stalled struct{ context.Context }

func (s stalled) Read([]byte) (int, error) {
	<-s.Done()
	return 0, io.EOF
}

func TestTimeOfAFormulaCountsFromTheBeginning(t *testing.T) {
	game := openWinInOne(t, "", nil)
	var large strings.Builder
	fmt.Fprintln(&large, "p cnf 100 430")
	rng := rand.New(rand.NewPCG(2, 0))
	for range 430 {
		v := rng.Perm(100)
		fmt.Fprintln(&large, v[0]+1, -v[1]-1, v[2]+1, 0)
	}
	const limit = 300 * time.Millisecond
	for name, formula := range map[string]io.Reader{
		"endless": endless{}, "stalled": stalled{t.Context()}, "large": strings.NewReader(large.String()),
	} {
		r, err := game.WinInOneFromCNF(t.Context(), opened(formula), catalogue.WinInOneOptions{Time: limit})
		if err != nil || r.Win != nil || r.Limit != "time" {
			t.Errorf("%s: %+v, %v, want it not decided in time", name, r, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := game.WinInOneFromCNF(ctx, opened(endless{}), catalogue.WinInOneOptions{Time: time.Hour}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestLargeBoardsAreNotDrawn(t *testing.T) {
	n := openWinInOne(t, "", nil).(catalogue.Draws)
	if _, err := n.Draw("ball=A2 to=ohs board=1000x1000", ""); !errors.Is(err, catalogue.ErrTooLargeToDraw) {
		t.Errorf("error %v, want %v", err, catalogue.ErrTooLargeToDraw)
	}
	if text, err := n.Draw("ball=A2 men=A3 to=ohs board=2x4", "A2-A4"); err != nil || !strings.Contains(text, "1") {
		t.Errorf("%q, %v", text, err)
	}
	var syntax *bitboard.SyntaxError
	if _, err := n.Draw("@<4 .../.../... ohs", ""); !errors.As(err, &syntax) {
		t.Errorf("a ball that gets nowhere: %v", err)
	}
}
