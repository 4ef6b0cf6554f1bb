package phutball

import (
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	for _, c := range []struct{ position, turn, want string }{
		{"ball=B2 men=C3 to=ohs board=3x3", "B2->4", `
  4        1
  3  . . *
  2  . @ .
  1  . . .
     A B C`},
		{"ball=<0 men=C3 to=ohs board=3x3", "", `
  3    . . *
  2    . . .
  1    . . .
  0  @
       A B C`},
		{"ball=B2 men=B3,A1 to=ohs board=3x4", "", `
  4  . . .
  3  . * .
  2  . @ .
  1  * . .
     A B C`},
		{"ball=B2 men=B3,B5,C5 to=ohs board=3x5", "B2-B4-B6", `
  6    2
  5  . * *
  4  . 1 .
  3  . * .
  2  . @ .
  1  . . .
     A B C`},
		{"ball=B2 men=A1 to=eks board=3x4", "C3", `
  4  . . .
  3  . . 1
  2  . @ .
  1  * . .
     A B C`},
		{"@B0 .../.*./... ohs", "", `
  3  . . .
  2  . * .
  1  . . .
  0    @
     A B C`},
		{"ball=Z2 men=AA3,AB2 to=ohs board=29x4", "Z2-AB4", `
  4  . . . . . . . . . . . . . . . . . . . . . . . . . . 1 . .
  3  . . . . . . . . . . . . . . . . . . . . . . . . . * . . .
  2  . . . . . . . . . . . . . . . . . . . . . . . . @ . * . .
  1  . . . . . . . . . . . . . . . . . . . . . . . . . . . . .
     A B C D E F G H J K L M N O P Q R S T U V W X Y Z A A A A
                                                       A B C D`},
	} {
		l, err := ParseLayout(c.position, newGame(t, "3x3", Rules{}).Board())
		if err != nil {
			t.Fatal(err)
		}
		got, err := NewGrid(l.Board, Rules{CornerExit: true}).Draw(l, c.turn)
		if err != nil {
			t.Fatal(err)
		}
		if trimmed(got) != strings.TrimPrefix(c.want, "\n") {
			t.Errorf("%s, %s: got\n%s", c.position, c.turn, got)
		}
	}
}

// trimmed is a text without the spaces at the ends of its lines.
func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Join(lines, "\n")
}

func TestDrawSaysWhatForbidsATurn(t *testing.T) {
	l, err := ParseLayout("ball=K6 men=J7,H8,G10,H11 to=ohs", Default)
	if err != nil {
		t.Fatal(err)
	}
	_, err = NewGrid(l.Board, Rules{}).Draw(l, "K6-G9-J9-G7")
	if want := `turn "K6-G9-J9-G7": jump 2, G9-J9: there is no man on H9 to jump`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
