package catalogue

import (
	"errors"
	"strings"
	"testing"
)

// A panic in a search is the error of its position, with the place where it arose. Other
// solvers answer for the next position.
func TestPanicIsKeptToItsPosition(t *testing.T) {
	game, _ := Find("phutball")
	instance, err := game.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := instance.(phutballInstance).winSolvers(1, 0)
	ask := func() Answer[WinInOne] {
		a, err := s.answer(t.Context(), "ball=H17 men=H18 to=ohs", WinInOneOptions{AnyBoard: true})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	before := ask()
	boards, phutball := s.boards, s.game
	s.game = nil
	var mistake *PanicError
	if a := ask(); !errors.As(a.Err, &mistake) || !strings.Contains(string(mistake.Stack), "winone_solvers.go") {
		t.Errorf("without its game: %+v", a)
	}
	s.game = phutball
	if a := ask(); a.Err != nil || *a.Result.Series != *before.Result.Series || s.boards == boards {
		t.Errorf("%+v, before it %+v; with other solvers: %t", a, before, s.boards != boards)
	}
}
