package proofs_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/proofs"
)

// readersVariable asks, if it is "required", for tests of programs in other languages to
// fail, not to be skipped, where a compiler or a library is missing.
const readersVariable = "PAIKA_READER_TESTS"

// checker compiles the checker in C, and gives a function that runs it on a file. It
// tells whether the file is valid, and what was printed.
func checker(t *testing.T) func(file []byte) (valid bool, said string) {
	t.Helper()
	program := compiledChecker(t)
	path := filepath.Join(filepath.Dir(program), "certificate")
	return func(file []byte) (bool, string) {
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		return verdict(t, exec.CommandContext(t.Context(), program, path))
	}
}

// compiledChecker compiles the checker in C, in a folder of its own, with more arguments of the
// compiler.
func compiledChecker(t *testing.T, more ...string) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "check")
	arguments := append([]string{"-O2", "-Wall", "-Wextra", "-Werror", "-o", program, "checker/check.c"}, more...)
	compiled, err := exec.CommandContext(t.Context(), "gcc", append(arguments, "-lzstd", "-lxxhash")...).CombinedOutput()
	if err != nil && os.Getenv(readersVariable) != "required" {
		t.Skip("the checker in C needs gcc, libzstd-dev and libxxhash-dev")
	} else if err != nil {
		t.Fatalf("the checker in C: %v: %s", err, compiled)
	}
	return program
}

// theoremVariable asks, if it is "required", for tests of the checker that is proved sound to
// fail, not to be skipped, where Coq or OCaml is missing.
const theoremVariable = "PAIKA_THEOREM_TESTS"

// A proved checker is that in theorem, in the folder where it was built.
type proved struct{ folder string }

// newProved has Coq check that the checker is sound, and builds it.
func newProved(t *testing.T) proved {
	t.Helper()
	for _, command := range []string{"coqc", "ocamlopt"} {
		if _, err := exec.LookPath(command); err != nil {
			if os.Getenv(theoremVariable) == "required" {
				t.Fatal(err)
			}
			t.Skip("the checker that is proved sound needs Coq and OCaml")
		}
	}
	folder := t.TempDir()
	built, err := exec.CommandContext(t.Context(), "theorem/build", folder).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, built)
	}
	byLists, byWords, both := strings.Cut(string(built), withoutAxioms)
	if !both || byLists != "" {
		t.Fatalf("Coq says %q, want first that the theorem on lists rests on no axiom: %q", built, withoutAxioms)
	}
	if !strings.Contains(byWords, "Axioms:\n") {
		t.Fatalf("Coq says %q, want that the theorem on words rests on its integers", byWords)
	}
	return proved{folder}
}

// withoutAxioms is what Coq says of a theorem that rests on none.
const withoutAxioms = "Closed under the global context\n"

// A checker is not built where a theorem rests on more than the integers of Coq, whatever that is
// called.
func TestAxiomsAreFound(t *testing.T) {
	const integers = "Axioms:\nsub_spec\n  : forall x y : int, x\nsub : int -> int -> int\nint : Set\n"
	for said, passes := range map[string]bool{
		withoutAxioms:                                  true,
		withoutAxioms + integers:                       true,
		integers + "helper' : False\n":                 false,
		integers + "x1 : False\n":                      false,
		integers + "lemma_2\n  : False\n":              false,
		integers + "Packed.sub : int\n":                false,
		integers + "A_b.sub_spec : False\n":            false,
		"Axioms:\nfunctional_extensionality_dep : x\n": false,
	} {
		axioms := exec.CommandContext(t.Context(), "theorem/axioms")
		axioms.Stdin = strings.NewReader(said)
		told, err := axioms.Output()
		if string(told) != said || (err == nil) != passes {
			t.Errorf("%q: %v, told %q", said, err, told)
		}
	}
}

// A proof that is left out is found before Coq is asked: by such a name it would pass for one of Coq's own.
func TestProofsThatAreLeftOutAreFound(t *testing.T) {
	for text, words := range map[string]string{
		"Conjectures add_spec : False.": "a proof is left out",
		"Conjecture add_spec : False.":  "a proof is left out",
		"Axioms add_spec : False.":      "a proof is left out",
		"Admit Obligations.":            "a proof is left out",
		"Variable add_spec : False.":    "outside a section this is an axiom",
	} {
		folder := filepath.Join(t.TempDir(), "theorem")
		if err := os.CopyFS(folder, os.DirFS("theorem")); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "Wrong.v"), []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		build := exec.CommandContext(t.Context(), "bash", filepath.Join(folder, "build"), t.TempDir())
		if out, err := build.CombinedOutput(); err == nil || !strings.Contains(string(out), words) || !strings.Contains(string(out), "Wrong.v") {
			t.Errorf("%s: %v, %s", text, err, out)
		}
	}
}

// foundValid is how the checker ends what it says of a certificate that is valid.
var foundValid = regexp.MustCompile(`: valid, \d+ positions\n$`)

// checkAll runs the checker on the texts of some certificates, which it tells of in their order.
func (p proved) checkAll(t *testing.T, texts []string) (all []judgement) {
	t.Helper()
	folder := t.TempDir()
	var paths []string
	for i, text := range texts {
		path := filepath.Join(folder, strconv.Itoa(i))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	valid, said := verdict(t, exec.CommandContext(t.Context(), filepath.Join(p.folder, "check"), paths...))
	told := strings.SplitAfter(said, "\n")
	if len(told) != len(texts)+1 {
		t.Fatalf("%d certificates, and it says\n%s", len(texts), said)
	}
	none := true
	for i, path := range paths {
		line, found := strings.CutPrefix(told[i], path+": ")
		if !found {
			t.Fatalf("of %s it says %q", path, told[i])
		}
		j := judgement{foundValid.MatchString(line), line}
		none = none && j.valid
		all = append(all, j)
	}
	if valid != none {
		t.Fatalf("its status says that all are valid: %v\n%s", valid, said)
	}
	return all
}

// A judgement is what a checker says of a certificate.
type judgement struct {
	valid bool
	said  string
}

// check runs the checker on the text of a certificate.
func (p proved) check(t *testing.T, text string, args ...string) (valid bool, said string) {
	t.Helper()
	check := exec.CommandContext(t.Context(), filepath.Join(p.folder, "check"), args...)
	check.Stdin = strings.NewReader(text)
	return verdict(t, check)
}

// theorem has Coq check a certificate, whose claim is a theorem then.
func (p proved) theorem(t *testing.T, text string) (valid bool, said string) {
	t.Helper()
	valid, theory := p.check(t, text, "--theory", "claimed")
	if !valid {
		t.Fatalf("no theory of it is written: %s", theory)
	}
	if err := os.WriteFile(filepath.Join(p.folder, "claimed.v"), []byte(theory), 0o600); err != nil {
		t.Fatal(err)
	}
	coq := exec.CommandContext(t.Context(), "coqc", "-q", "-w", "none", "-Q", ".", "Paika", "claimed.v")
	coq.Dir = p.folder
	return verdict(t, coq)
}

// verdict runs a checker, which ends with status 0 where a certificate is valid, and with 1 or 2
// where it is not.
func verdict(t *testing.T, check *exec.Cmd) (valid bool, said string) {
	t.Helper()
	out, err := check.CombinedOutput()
	var status *exec.ExitError
	if errors.As(err, &status) && (status.ExitCode() == 1 || status.ExitCode() == 2) {
		return false, string(out)
	} else if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return true, string(out)
}

// An other is another checker.
type other struct {
	check    func(t *testing.T, file []byte) (valid bool, said string)
	checkAll func(t *testing.T, files [][]byte) []judgement // in one process, where it can
	bytes    bool                                           // it looks at all bytes of a file, and not at the text in it alone
}

// The checker in C says once what is no record, and that its verdict could not be written.
func TestTheCheckerInCSaysEachFaultOnce(t *testing.T) {
	program := compiledChecker(t)
	s := newShelf(t, 3, 3, 0)
	const root = "BBB/B.B/..W w"
	text := fmt.Sprintf(`{"format":1,"game":"fanorona","board":"3x3","rules":%q,"claim":"white-wins","root":%q,"tables":[]}`+"\n", s.setting.Rules, root) +
		root + "\tc1-c2\tx\nend\t1\n"
	path := filepath.Join(t.TempDir(), "wrong")
	if err := os.WriteFile(path, sealed(raw([]byte(text))), 0o600); err != nil {
		t.Fatal(err)
	}
	if valid, said := verdict(t, exec.CommandContext(t.Context(), program, path)); valid || strings.Count(said, "this is no record") != 1 {
		t.Errorf("valid is %v: %s", valid, said)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	check := exec.CommandContext(t.Context(), program, path)
	var said strings.Builder
	check.Stdout, check.Stderr = full, &said
	var status *exec.ExitError
	if err := check.Run(); !errors.As(err, &status) || status.ExitCode() != 2 || !strings.Contains(said.String(), "standard output: cannot be written") {
		t.Errorf("on a full disk: %v, %s", err, said.String())
	}
}

// TestCheckersAgree has certificates checked by the program in C, which was written from
// FORMAT.md, and by the one whose soundness is a theorem.
func TestCheckersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("other programs check each certificate")
	}
	t.Run("in C", func(t *testing.T) {
		check := checker(t)
		other{
			check: func(t *testing.T, file []byte) (bool, string) { return check(file) },
			checkAll: func(t *testing.T, files [][]byte) (all []judgement) {
				for _, file := range files {
					valid, said := check(file)
					all = append(all, judgement{valid, said})
				}
				return all
			},
			bytes: true,
		}.agrees(t)
	})
	t.Run("proved", func(t *testing.T) {
		p := newProved(t)
		o := other{
			check: func(t *testing.T, file []byte) (bool, string) { return p.check(t, unpackText(t, file)) },
			checkAll: func(t *testing.T, files [][]byte) []judgement {
				var texts []string
				for _, file := range files {
					texts = append(texts, unpackText(t, file))
				}
				return p.checkAll(t, texts)
			},
		}
		o.agrees(t)
		t.Run("on Konane", o.agreesOnKonane)
		t.Run("on files", o.agreesOnFiles)
		t.Run("on gaps", o.agreesOnGaps)
		t.Run("on colours", o.agreesOnColours)
		t.Run("on Phutball", o.agreesOnPhutball)
		t.Run("on turns of Phutball", o.agreesOnPhutballTurns)
		t.Run("on many turns", o.agreesOnManyTurns)
		t.Run("on Breakthrough", o.agreesOnBreakthrough)
		t.Run("on tables", p.agreesOnTables)
		t.Run("on tables of Konane", p.agreesOnKonaneTables)
		t.Run("on tables of Breakthrough", p.agreesOnBreakthroughTables)
		t.Run("side by side", p.agreesSideBySide)
		t.Run("on files that are missing", p.tellsOfMissingFiles)
		t.Run("in Coq itself", p.agreesInCoq)
	})
}

func (o other) agrees(t *testing.T) {
	t.Run("on what was changed", o.agreesOnWhatWasChanged)
	t.Run("on whole games", o.agreesOnWholeGames)
	t.Run("on last turns", o.agreesOnLastTurns)
	t.Run("on boards", o.agreesOnBoards)
	t.Run("on blanks", o.agreesOnBlanks)
	t.Run("on counts", o.agreesOnCounts)
	t.Run("on starts", o.agreesOnStarts)
	t.Run("on headers", o.agreesOnHeaders)
	t.Run("on frames", o.agreesOnFrames)
	t.Run("on turns", o.agreesOnTurns)
}

// Certificates are changed in their text, and in bytes of the file as well.
func (o other) agreesOnWhatWasChanged(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	both := map[bool]int{}
	for _, rules := range []map[string]string{
		nil,
		{"stalemate": "draw", "direction-rule": "no-repeat-or-reverse"},
		{"direction-rule": "never-twice"},
	} {
		agreesOnForged(t, o, rng, forgerOf(t, bitboard.Board{Width: 3, Height: 3}, rules), 300, both)
	}
	if both[true] < 100 || both[false] < 100 {
		t.Errorf("%d certificates are valid and %d are not: the test is worth little", both[true], both[false])
	}
}

// agreesOnForged changes so many certificates, and counts those that are valid and those that are not.
func agreesOnForged[P comparable](t *testing.T, o other, rng *rand.Rand, f *forger[P], changes int, both map[bool]int) {
	t.Helper()
	var texts []string
	var files [][]byte
	for i := range changes {
		s := f.seeds[rng.IntN(len(f.seeds))]
		if i%3 == 0 {
			s = f.lies[rng.IntN(len(f.lies))]
		}
		if len(s.parts) > 0 {
			continue
		}
		text := s.text
		for range rng.IntN(3) {
			text = f.change(t, rng, text)
		}
		file := packText(t, withEnd(text))
		if o.bytes && rng.IntN(10) == 0 {
			file = damage(rng, file)
		}
		texts, files = append(texts, text), append(files, file)
	}
	for i, j := range o.checkAll(t, files) {
		want := f.judgeFile(t, files[i], nil)
		if j.valid != want {
			t.Fatalf("valid is %v, want %v: %s\n%s", j.valid, want, j.said, texts[i])
		}
		both[want]++
	}
}

// agreesOnKonane has certificates of Konane changed, under all rules of the opening, and those of
// whole games checked.
func (o other) agreesOnKonane(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	both := map[bool]int{}
	for _, c := range []struct {
		board   bitboard.Board
		players bool
		rules   map[string]string
	}{
		{bitboard.Board{Width: 3, Height: 3}, true, map[string]string{"opening": "traditional"}},
		{bitboard.Board{Width: 4, Height: 3}, true, map[string]string{"opening": "traditional"}},
		{bitboard.Board{Width: 3, Height: 4}, true, map[string]string{"opening": "centre-or-corner"}},
		{bitboard.Board{Width: 5, Height: 2}, true, map[string]string{"opening": "any"}},
		{bitboard.Board{Width: 3, Height: 4}, false, map[string]string{"opening": "corner-h"}},
		{bitboard.Board{Width: 3, Height: 4}, true, map[string]string{"opening": "corner-h", "to-move": "white"}},
		{bitboard.Board{Width: 4, Height: 3}, false, map[string]string{"opening": "corner-v", "to-move": "white"}},
		{bitboard.Board{Width: 4, Height: 3}, false, map[string]string{"opening": "middle-v"}},
		{bitboard.Board{Width: 3, Height: 4}, false, map[string]string{"opening": "middle-h", "to-move": "white"}},
		{bitboard.Board{Width: 1, Height: 12}, false, map[string]string{"opening": "gap:a5-a6"}},
	} {
		rules, err := konane.ParseRules(c.board, c.rules)
		if err != nil {
			t.Fatal(err)
		}
		game, err := konane.New[konane.Word](c.board, rules)
		if err != nil {
			t.Fatal(err)
		}
		setting := proofs.Setting{Game: "konane", Board: c.board.String(), Rules: strings.TrimSuffix(game.Rules().String(), blackToMove)}
		sides := bitboard.Game[konane.Position[konane.Word]](game)
		if c.players {
			sides = game.ByPlayers()
		}
		agreesOnBoard(t, o, rng, setting, sides, 100, both)
	}
	if both[true] < 100 || both[false] < 100 {
		t.Errorf("%d certificates are valid and %d are not: the test is worth little", both[true], both[false])
	}
}

// blackToMove is a rule that paika leaves out of files, though it may be there.
const blackToMove = ",to-move=black"

// agreesOnFiles has certificates checked that paika wrote, of Konane without removals, in both
// spellings of their rules.
func (o other) agreesOnFiles(t *testing.T) {
	files, err := filepath.Glob("../cmd/paika/command/testdata/*.proof")
	if err != nil || len(files) == 0 {
		t.Fatalf("%v, %v", files, err)
	}
	rules := regexp.MustCompile(`("rules":"[^"]*)"`)
	for _, path := range files {
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, more := range []string{"", blackToMove} {
			changed := packText(t, rules.ReplaceAllString(unpackText(t, file), `${1}`+more+`"`))
			if valid, said := o.check(t, changed); !valid || !strings.Contains(said, ", the start position: valid, ") {
				t.Errorf("%s with rules%s: %s", path, more, said)
			}
		}
	}
}

// agreesOnPhutball has certificates of Phutball changed and checked, under all its rules.
func (o other) agreesOnPhutball(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	both := map[bool]int{}
	for i := range 8 {
		rules := phutball.Rules{GoalStop: i&1 > 0, CornerExit: i&2 > 0, ReturnFromOff: i&4 > 0}
		boards := []bitboard.Board{{Width: 3, Height: 3}}
		if i == 0 || i == 7 {
			boards = append(boards, bitboard.Board{Width: 5, Height: 3}, bitboard.Board{Width: 1, Height: 11})
		}
		for _, board := range boards {
			game, err := phutball.New(board, rules)
			if err != nil {
				t.Fatal(err)
			}
			setting := proofs.Setting{Game: "phutball", Board: board.String(), Rules: game.Rules().String()}
			agreesOnBoard(t, o, rng, setting, game, changesOn(board), both)
		}
	}
	if both[true] < 100 || both[false] < 100 {
		t.Errorf("%d certificates are valid and %d are not: the test is worth little", both[true], both[false])
	}
}

// agreesOnBreakthrough does as much for Breakthrough.
func (o other) agreesOnBreakthrough(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 20))
	both := map[bool]int{}
	for _, board := range []bitboard.Board{{Width: 2, Height: 4}, {Width: 3, Height: 4}, {Width: 2, Height: 5}, {Width: 2, Height: 6}, {Width: 3, Height: 5}, {Width: 4, Height: 4}} {
		game, err := breakthrough.New(board)
		if err != nil {
			t.Fatal(err)
		}
		setting := proofs.Setting{Game: "breakthrough", Board: board.String()}
		agreesOnBoard(t, o, rng, setting, game, 2*changesOn(board), both)
	}
	if both[true] < 100 || both[false] < 100 {
		t.Errorf("%d certificates are valid and %d are not: the test is worth little", both[true], both[false])
	}
}

// changesOn is how many certificates of a board are changed: less where they are large.
func changesOn(board bitboard.Board) int {
	if board.Points() > 12 {
		return 20
	}
	return 120
}

// agreesOnBoard has certificates of a board changed, so many times, and those of whole games checked.
func agreesOnBoard[P comparable](t *testing.T, o other, rng *rand.Rand, setting proofs.Setting, game bitboard.Game[P], changes int, both map[bool]int) {
	t.Helper()
	agreesOnForged(t, o, rng, newForger(t, setting, game, 0, 4), changes, both)
	for _, side := range []bitboard.Side{0, 1} {
		file, claim := (&solved[P]{setting: setting, game: game}).prove(t, proofs.Claim{Side: side})
		if valid, said := o.check(t, file); !valid || !strings.Contains(said, ", the start position: valid, ") {
			t.Errorf("%v, %v: %s", setting, claim, said)
		}
	}
}

func (o other) agreesOnWholeGames(t *testing.T) {
	for _, board := range []bitboard.Board{{Width: 5, Height: 3}, {Width: 3, Height: 5}, {Width: 5, Height: 5}} {
		s := newShelf(t, board.Width, board.Height, 0)
		for _, side := range []bitboard.Side{0, 1} {
			file, claim := s.prove(t, proofs.Claim{Side: side})
			if valid, said := o.check(t, file); !valid || !strings.Contains(said, ", the start position: valid, ") {
				t.Errorf("%v, %v: %s", board, claim, said)
			}
		}
	}
}

// On boards of many points a turn takes all that Black has, or it does not.
func (o other) agreesOnLastTurns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	both := map[bool]int{}
	for _, board := range []bitboard.Board{{Width: 9, Height: 5}, {Width: 5, Height: 9}, {Width: 9, Height: 6}, {Width: 7, Height: 8}} {
		game, err := fanorona.New(board, fanorona.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		var wants []bool
		var texts []string
		var files [][]byte
		for range 60 {
			from := scattered(rng, board, 12, 1+rng.IntN(3))
			root, side, err := game.Parse(from)
			if err != nil {
				t.Fatal(err)
			}
			// A turn of each kind, and a winning one with other letters.
			var turns []string
			tried := map[bool]bool{}
			for _, turn := range game.Notated(root, side) {
				if wins := winsAtOnce(game, root, side, turn.Notation); !tried[wins] {
					tried[wins] = true
					turns = append(turns, turn.Notation)
					if wins {
						turns = append(turns, strings.NewReplacer("A", "W", "W", "A").Replace(turn.Notation), strings.TrimRight(turn.Notation, "AW"))
					}
				}
			}
			for _, turn := range turns {
				want := winsAtOnce(game, root, side, turn)
				both[want]++
				wants = append(wants, want)
				text := fmt.Sprintf(`{"format":1,"game":"fanorona","board":%q,"rules":%q,"claim":"white-wins","root":%q,"tables":[]}`+"\n%s\t%s\t1\n",
					board, game.Rules(), from, from, turn)
				texts, files = append(texts, text), append(files, packText(t, withEnd(text)))
			}
		}
		for i, j := range o.checkAll(t, files) {
			if j.valid != wants[i] {
				t.Errorf("valid is %v, want %v: %s\n%s", j.valid, wants[i], j.said, texts[i])
			}
		}
	}
	if both[true] < 40 || both[false] < 40 {
		t.Errorf("%d turns win and %d do not: the test is worth little", both[true], both[false])
	}
}

// winsAtOnce tells whether a text is a legal turn that ends the game with a win.
func winsAtOnce(game *fanorona.Game, p fanorona.Position, side bitboard.Side, text string) bool {
	turn, err := game.ParseTurn(p, side, text)
	return err == nil && turn.Notation == text && len(game.Turns(nil, turn.To)) == 0 && game.Ended(turn.To) == bitboard.Loss
}

// scattered is a position with White to move, where stones stand at random.
func scattered(rng *rand.Rand, board bitboard.Board, whites, blacks int) string {
	points := []byte(strings.Repeat("W", whites) + strings.Repeat("B", blacks) + strings.Repeat(".", board.Width*board.Height-whites-blacks))
	rng.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
	var rows []string
	for row := range slices.Chunk(points, board.Width) {
		rows = append(rows, string(row))
	}
	return strings.Join(rows, "/") + " w"
}

// A board has one spelling: " 3x3" is none.
func (o other) agreesOnBoards(t *testing.T) {
	text := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil).seeds[0].text
	for _, board := range []string{"3x3", " 3x3", "3x 3", "3x3 ", "03x3", "3x", "3", "", "0x3", "3x0", "9x9", "3y3"} {
		file := packText(t, withEnd(strings.Replace(text, `"board":"3x3"`, `"board":"`+board+`"`, 1)))
		if valid, said := o.check(t, file); valid != (board == "3x3") {
			t.Errorf("board %q: %s", board, said)
		}
	}
}

// There is one blank before the side to move, in a record as in the root.
func (o other) agreesOnBlanks(t *testing.T) {
	f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil)
	text := f.seeds[0].text
	for _, changed := range []string{text, strings.Replace(text, " b\t*", "  b\t*", 1), strings.Replace(text, ` w",`, `  w",`, 1)} {
		file := packText(t, withEnd(changed))
		if valid, said := o.check(t, file); valid != (changed == text) {
			t.Errorf("%s\n%s", said, changed)
		}
		if changed == text {
			continue
		}
		if r, err := f.all.tryCheck(t, file, proofs.Options{}); err == nil && r.Valid() {
			t.Errorf("paika finds it valid: %s", changed)
		}
	}
}

// The last line tells the number of records, and none that is the same modulo a power of two.
func (o other) agreesOnCounts(t *testing.T) {
	f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil)
	text := f.seeds[0].text
	records := new(big.Int).SetInt64(int64(strings.Count(text, "\n") - 1))
	counts := []string{"", "-1", records.String(), "0" + records.String(), records.String() + " "}
	for _, bit := range [...]uint{0, 32, 63, 64} {
		counts = append(counts, new(big.Int).Add(records, new(big.Int).Lsh(big.NewInt(1), bit)).String())
	}
	for _, count := range counts {
		file := packText(t, text+"end\t"+count+"\n")
		if valid, said := o.check(t, file); valid != (count == records.String()) {
			t.Errorf("%v records, and the last line says %q: %s", records, count, said)
		}
		if r := f.all.check(t, file, proofs.Options{}); r.Valid() != (count == records.String()) {
			t.Errorf("%v records, and the last line says %q: %v", records, count, r.Findings)
		}
	}
}

// A board with an even number of files or ranks has no start, however it is filled.
func (o other) agreesOnStarts(t *testing.T) {
	text := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil).seeds[0].text
	header, _, _ := strings.Cut(text, "\n")
	_, root, _ := strings.Cut(header, `"root":`)
	root, _, _ = strings.Cut(root, `,`)
	for _, c := range []struct {
		board, root string
		start       bool
	}{
		{"3x3", "BBB/B.W/WWW w", true},
		{"3x3", "BBB/B.W/WWW b", false},
		{"4x3", "BBBB/BW.W/WWWW w", false},
		{"3x4", "BBB/B.W/WWW/WWW w", false},
	} {
		said := strings.NewReplacer(root, `"`+c.root+`"`, `"board":"3x3"`, `"board":"`+c.board+`"`).Replace(header)
		if valid, says := o.check(t, packText(t, withEnd(said+"\n"))); valid || strings.Contains(says, "the start position") != c.start {
			t.Errorf("%s on %s, no records: valid %v, %s", c.root, c.board, valid, says)
		}
	}
}

// Each key of a header has a value of its own kind, and none is missing.
func (o other) agreesOnHeaders(t *testing.T) {
	f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil)
	text := f.seeds[0].text
	const rules = `"rules":"stalemate=loss,direction-rule=no-repeat"`
	for _, c := range []struct {
		old, changed string
		valid        bool
	}{
		{rules, rules, true},
		{`"tables":[]`, `"tables":[],"parts":[]`, true},
		{`"format":1`, `"format":"1"`, false},
		{`"format":1`, `"format":[]`, false},
		{`"format":1`, `"format":11`, false},
		{`"format":1,`, ``, false},
		{`"tables":[]`, `"tables":"[]"`, false},
		{`"tables":[]`, `"tables":1`, false},
		{`"tables":[]`, `"tables":null`, false},
		{`,"tables":[]`, ``, false},
		{`"tables":[]`, `"tables":[],"parts":null`, false},
		{`"tables":[]`, `"tables":[],"parts":"[]"`, false},
		{rules, `"rules":`, false},
		{rules, `"rules":null`, false},
		{rules, `"rules":""`, false},
		{rules + ",", ``, false},
		{`"board":"3x3"`, `"board":3x3`, false},
		{`"format":1`, `"format":1.0`, false},
		{`"format":1`, `"format":1e0`, false},
		{`"format":1`, `"format": 1`, false},
		{`"format":1`, `"format" :1`, false},
		{`,"game"`, `, "game"`, false},
		{`,"game"`, ",\t\"game\"", false},
		{`,"game"`, ",\r\"game\"", false},
		{`"tables":[]`, "\"tables\":[\r]", false},
		{`"tables":[]`, "\"tables\":[]\r", false},
		{`{"format"`, ` {"format"`, false},
		{`{"format"`, `{ "format"`, false},
		{`"tables":[]`, `"tables":[ ]`, false},
		{"}\n", " }\n", false},
		{"}\n", "} \n", false},
		{`"root":"BB./`, `"root":"BB.\/`, false},
		{`"format"`, `"\u0066ormat"`, false},
		{`"fanorona"`, `"f\u0061norona"`, false},
	} {
		if !strings.Contains(text, c.old) {
			t.Fatalf("no %s in %s", c.old, text)
		}
		file := packText(t, withEnd(strings.Replace(text, c.old, c.changed, 1)))
		if valid, said := o.check(t, file); valid != c.valid {
			t.Errorf("%s: valid is %v: %s", c.changed, valid, said)
		}
		if r, err := f.all.tryCheck(t, file, proofs.Options{}); (err == nil && r.Valid()) != c.valid {
			t.Errorf("%s: paika finds valid %v, %v, %v", c.changed, !c.valid, r.Findings, err)
		}
	}
}

// agreesOnFrames has certificates of many frames checked, and such with frames that zstd skips.
func (o other) agreesOnFrames(t *testing.T) {
	if !o.bytes {
		t.Skip("it looks at the text alone")
	}
	f := forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil)
	text := withEnd(f.seeds[0].text)
	first, second := frame(t, text[:len(text)/2]), frame(t, text[len(text)/2:])
	for name, c := range map[string]struct {
		file  []byte
		valid bool
	}{
		"two frames":             {sealed(slices.Concat(first, second)), true},
		"empty frames":           {sealed(slices.Concat(frame(t, ""), first, frame(t, ""), second, frame(t, ""))), true},
		"one skipped in front":   {sealed(slices.Concat(skipped, first, second)), false},
		"one skipped in between": {sealed(slices.Concat(first, skipped, second)), false},
		"one skipped behind":     {sealed(slices.Concat(first, second, skipped)), false},
		"a seal twice":           {sealed(sealed(slices.Concat(first, second))), false},
		"three bytes behind":     {sealed(slices.Concat(first, second, skipped[:3])), false},
	} {
		if valid, said := o.check(t, c.file); valid != c.valid {
			t.Errorf("%s: valid is %v: %s", name, valid, said)
		}
		if r, err := f.all.tryCheck(t, c.file, proofs.Options{}); (err == nil && r.Valid()) != c.valid {
			t.Errorf("%s: paika finds valid %v, %v, %v", name, !c.valid, r.Findings, err)
		}
	}
}

// A turn that is written is the one that is played, and none that is like it: a checker that knew
// turns by numbers took the second of each, which lattice reduction found.
func (o other) agreesOnTurns(t *testing.T) {
	game, err := fanorona.New(bitboard.Board{Width: 5, Height: 5}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	setting := proofs.Setting{Game: "fanorona", Board: "5x5", Rules: game.Rules().String()}
	agreesOnWins(t, o, setting, game, "white-wins", "...../...../...../...../W.B.. w",
		"a1-b1A", "a1-e2A-c3A-e1W-e3A-a2W-c3W-b2W-e3W-c3A-b4A-b4W-c3A-d2W-e3W-d3A-e2W-c3W-b3A-a3A-d3W-e3A-a3A")
}

// agreesOnPhutballTurns is that for Phutball.
func (o other) agreesOnPhutballTurns(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 5, Height: 7}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	setting := proofs.Setting{Game: "phutball", Board: "5x7", Rules: game.Rules().String()}
	agreesOnWins(t, o, setting, game, "ohs-wins", "...../..*../..@../...../...../...../..... ohs",
		"C5-C7", ">2-E5-E3->2->4-C5-<4-D5-E5-B3-B4-<5->6-B4-A5-E4")
}

// agreesOnWins has it checked that the first of some turns wins at once, and no other one does.
func agreesOnWins[P comparable](t *testing.T, o other, setting proofs.Setting, game bitboard.Game[P], claim, root string, turns ...string) {
	t.Helper()
	s := &solved[P]{setting: setting, game: game}
	for i, turn := range turns {
		file := s.forged(t, claim, root, root+"\t"+turn+"\t1")
		if valid, said := o.check(t, file); valid != (i == 0) {
			t.Errorf("%s: valid is %v: %s", turn, valid, said)
		}
		if r := s.check(t, file, proofs.Options{}); r.Valid() != (i == 0) {
			t.Errorf("%s: paika finds %v", turn, r.Findings)
		}
	}
}

// Of more turns than one record may stand for none are listed: men stand between all points of the
// even lattice.
func (o other) agreesOnManyTurns(t *testing.T) {
	game, err := phutball.New(bitboard.Board{Width: 5, Height: 11}, phutball.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	s := &solved[phutball.Position]{setting: proofs.Setting{Game: "phutball", Board: "5x11", Rules: game.Rules().String()}, game: game}
	const (
		crowded = "*****/*.@.*/*****/.*.*./*****/.*.*./*****/.*.*./*****/.*.*./***** "
		many    = "more than 1048576 turns"
	)
	for _, c := range []struct {
		claim, root, record string
		valid               bool
		said, found         string
	}{
		{"ohs-wins", crowded + "ohs", crowded + "ohs\tC10-C12\t1", true, many, ""}, // not looked for
		{"eks-not-lost", crowded + "ohs", crowded + "ohs\t*", false, many, many},
		{"ohs-not-lost", crowded + "eks", crowded + "eks\t*", false, many, many},
		{"ohs-wins", crowded + "ohs", "", false, "does not have the root", "neither in the certificate"},
	} {
		var records []string
		if c.record != "" {
			records = append(records, c.record)
		}
		file := s.forged(t, c.claim, c.root, records...)
		if valid, said := o.check(t, file); valid || !strings.Contains(said, c.said) {
			t.Errorf("%q: valid is %v: %s", c.record, valid, said)
		}
		if r := s.check(t, file, proofs.Options{}); r.Valid() != c.valid || !strings.Contains(fmt.Sprint(r.Findings), c.found) {
			t.Errorf("%q: paika finds %v", c.record, r.Findings)
		}
	}
	// Some men of those are gone. Turns that are about as many as may be take too long to list here.
	rng := rand.New(rand.NewPCG(21, 22))
	both := map[bool]int{}
	for both[true] < 5 || both[false] < 5 {
		text := []byte(crowded + "ohs")
		for range 12 + rng.IntN(16) {
			if i := rng.IntN(65); text[i] == '*' {
				text[i] = '.'
			}
		}
		p, _, err := game.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		turns := game.CountTo(p, proofs.MostTurns+1)
		want := turns > proofs.MostTurns
		if both[want] == 5 || !want && turns > 1<<14 {
			continue
		}
		both[want]++
		_, said := o.check(t, s.forged(t, "eks-not-lost", string(text), string(text)+"\t*"))
		if strings.Contains(said, many) != want {
			t.Errorf("%s: too many turns is %v: %s", text, want, said)
		}
	}
}

// agreesOnGaps has rules checked whose gap there is on a board, and is not.
func (o other) agreesOnGaps(t *testing.T) {
	for _, c := range []struct {
		board   bitboard.Board
		opening string
		there   bool
	}{
		{bitboard.Board{Width: 4, Height: 4}, "gap:b2-b3", true},
		{bitboard.Board{Width: 4, Height: 4}, "gap:b3-b2", true},
		{bitboard.Board{Width: 4, Height: 4}, "gap:a1-d3", false},
		{bitboard.Board{Width: 4, Height: 4}, "gap:a1-b2", false},
		{bitboard.Board{Width: 4, Height: 4}, "gap:a1-a1", false},
		{bitboard.Board{Width: 4, Height: 4}, "gap:d4-e4", false},
		{bitboard.Board{Width: 4, Height: 4}, "gap:d1-a2", false}, // next to each other by number
		{bitboard.Board{Width: 1, Height: 8}, "corner-h", false},
		{bitboard.Board{Width: 1, Height: 8}, "middle-h", false},
		{bitboard.Board{Width: 1, Height: 8}, "corner-v", true},
		{bitboard.Board{Width: 1, Height: 8}, "middle-v", true},
		{bitboard.Board{Width: 8, Height: 1}, "corner-h", true},
		{bitboard.Board{Width: 8, Height: 1}, "middle-h", true},
		{bitboard.Board{Width: 8, Height: 1}, "corner-v", false},
		{bitboard.Board{Width: 8, Height: 1}, "middle-v", false},
	} {
		rules, err := konane.ParseRules(c.board, map[string]string{"opening": c.opening})
		if err == nil {
			_, err = konane.New[konane.Word](c.board, rules)
		}
		if (err == nil) != c.there {
			t.Errorf("%s on %v: %v", c.opening, c.board, err)
		}
		empty := strings.Repeat("/"+strings.Repeat(".", c.board.Width), c.board.Height)[1:] + " b"
		text := fmt.Sprintf(`{"format":1,"game":"konane","board":%q,"rules":"opening=%s,to-move=black","claim":"white-wins","root":%q,"tables":[]}`+"\n", c.board, c.opening, empty)
		if valid, said := o.check(t, packText(t, withEnd(text))); valid != c.there { // Black has no turn there
			t.Errorf("%s on %v: %s", c.opening, c.board, said)
		}
	}
}

// agreesOnColours has claims about players and about colours checked, from roots where nobody has a
// colour, and where they have: Black has no turn, and is the first player, or the second.
func (o other) agreesOnColours(t *testing.T) {
	const over, whole = "..x/.../x.. b", "xox/oxo/xox b"
	for _, opening := range []konane.OpeningKind{konane.Traditional, konane.CornerH} {
		game, err := konane.New[konane.Word](bitboard.Board{Width: 3, Height: 3}, konane.Rules{Opening: konane.Opening{Kind: opening}})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			claim, root string
			records     []string
			valid       bool
		}{
			{"white-wins", over, nil, true},
			{"second-wins", over + " first", nil, true},
			{"first-wins", over + " second", nil, true},
			{"second-wins", over + " second", nil, false},
			{"white-wins", over + " first", nil, false},
			{"second-wins", over, nil, false},
			{"second-not-lost", over + " first", []string{over + " first\t*"}, false},
			{"white-not-lost", over, []string{whole + "\t*"}, false},
			{"white-not-lost", whole, nil, opening == konane.CornerH}, // Black has no turn
			{"second-not-lost", whole, nil, false},
		} {
			sides := bitboard.Game[konane.Position[konane.Word]](game)
			if !strings.HasPrefix(c.claim, "white") {
				sides = game.ByPlayers()
			}
			s := &solved[konane.Position[konane.Word]]{setting: proofs.Setting{Game: "konane", Board: "3x3", Rules: strings.TrimSuffix(game.Rules().String(), blackToMove)}, game: sides}
			file := s.forged(t, c.claim, c.root, c.records...)
			if valid, said := o.check(t, file); valid != c.valid {
				t.Errorf("%v, %s from %s: valid is %v: %s", s.setting, c.claim, c.root, valid, said)
			}
			if r, err := s.tryCheck(t, file, proofs.Options{}); (err == nil && r.Valid()) != c.valid {
				t.Errorf("%v, %s from %s: paika finds valid %v, %v, %v", s.setting, c.claim, c.root, !c.valid, r.Findings, err)
			}
		}
	}
}

// agreesSideBySide has one, two and eight processes check a certificate of three pieces: a whole
// one, and those with a fault in the first piece, in the last one, and in both.
func (p proved) agreesSideBySide(t *testing.T) {
	// White takes Black's one stone by a1-b1A, wherever else White stands.
	const positions, root = 150_000, "...../...../...../...../W.B.. w"
	lines := []string{`{"format":1,"game":"fanorona","board":"5x5","rules":"stalemate=loss,direction-rule=no-repeat","claim":"white-wins","root":"` + root + `","tables":[]}` + "\n"}
	for i := range positions {
		position := []byte(root)
		for bit := range 20 {
			if i>>bit&1 > 0 {
				position[bit/5*6+bit%5] = 'W'
			}
		}
		lines = append(lines, string(position)+"\ta1-b1A\t1\n")
	}
	for _, faults := range [][]int{nil, {1000}, {positions - 1000}, {1000, positions - 1000}} {
		changed := slices.Clone(lines)
		for _, i := range faults {
			changed[i] = strings.Replace(changed[i], "a1-b1A", "a1-b1W", 1)
		}
		var first string
		for _, workers := range []string{"1", "2", "8"} {
			valid, said := p.check(t, withEnd(strings.Join(changed, "")), "--workers", workers)
			if first == "" {
				first = said
			}
			names := len(faults) == 0 || strings.Contains(said, changed[faults[0]][:len(root)]+": a turn leads")
			if valid != (len(faults) == 0) || said != first || !names {
				t.Errorf("faults %v, %s workers: %s", faults, workers, said)
			}
		}
	}
}

// tellsOfMissingFiles has it told of a file that it is not there, and the others checked.
func (p proved) tellsOfMissingFiles(t *testing.T) {
	folder := t.TempDir()
	there, missing := filepath.Join(folder, "there"), filepath.Join(folder, "missing")
	valid := withEnd(forgerOf(t, bitboard.Board{Width: 3, Height: 3}, nil).seeds[0].text)
	if err := os.WriteFile(there, []byte(valid), 0o600); err != nil {
		t.Fatal(err)
	}
	all, said := verdict(t, exec.CommandContext(t.Context(), filepath.Join(p.folder, "check"), "--workers", "2", there, missing, folder, there))
	lines := strings.Split(said, "\n")
	if all || len(lines) != 5 || lines[0] != lines[3] || !strings.Contains(lines[0], ": valid, ") ||
		!strings.HasPrefix(lines[1], missing+": not checked: ") || !strings.HasPrefix(lines[2], folder+": not checked: ") {
		t.Errorf("valid is %v: %s", all, said)
	}
}

// agreesInCoq has Coq check certificates of 3x3 itself, whole ones and such that lack a record.
func (p proved) agreesInCoq(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	for _, side := range []bitboard.Side{0, 1} {
		file, claim := s.prove(t, proofs.Claim{Side: side})
		lines := text(t, file)
		valid, said := p.theorem(t, withEnd(strings.Join(lines, "")))
		if !valid || said != withoutAxioms {
			t.Errorf("%v: %s", claim, said)
		}
		for i := range 3 {
			at := 1 + i*(len(lines)-2)/2
			lacking := strings.Join(slices.Delete(slices.Clone(lines), at, at+1), "")
			if valid, said := p.theorem(t, withEnd(lacking)); valid || !strings.Contains(said, "eq_refl") {
				t.Errorf("%v without %q: %v, %s", claim, lines[at], valid, said)
			}
		}
	}
}

// forgerOf is a forger of certificates of Fanorona without tables.
func forgerOf(t *testing.T, board bitboard.Board, options map[string]string) *forger[fanorona.Position] {
	t.Helper()
	rules, err := fanorona.ParseRules(options)
	if err != nil {
		t.Fatal(err)
	}
	game, err := fanorona.New(board, rules)
	if err != nil {
		t.Fatal(err)
	}
	setting := proofs.Setting{Game: "fanorona", Board: board.String(), Rules: rules.String()}
	return newForger(t, setting, bitboard.Game[fanorona.Position](game), 0, 4)
}
