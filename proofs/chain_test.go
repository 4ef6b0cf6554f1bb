package proofs_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paika/bitboard/fanorona"
	"paika/proofs"
)

// sources names certificates by their place in the list.
func (s *solved[P]) sources(t *testing.T, files ...[]byte) (all []proofs.Source) {
	t.Helper()
	for i, file := range files {
		opened, err := proofs.Open(bytes.NewReader(file), int64(len(file)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, proofs.Source{Name: fmt.Sprint("file ", i), File: opened, Setting: s.setting})
	}
	return all
}

// Parts stand behind their own parts, in whatever order they are given, and a chain
// finds each of them valid.
func TestArrangedPartsAreCheckedInTurn(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	all := s.sources(t, append([][]byte{whole}, parts...)...)
	ordered, err := proofs.Arrange(s.setting, all[0].Header.Claim, all)
	if err != nil || len(ordered) != len(all) || ordered[len(all)-1].Name != all[0].Name {
		t.Fatalf("%d of %d, %v; want the whole last", len(ordered), len(all), err)
	}
	var told []string
	chain := proofs.NewChain[fanorona.Position](s.setting, s.game, s, proofs.Options{Workers: 2}, func(name string, done, total int64) {
		if !slices.Contains(told, name) {
			told = append(told, name)
		}
	})
	reports, err := chain.CheckParts(t.Context(), ordered)
	if err != nil || len(reports) != len(all) || len(told) != len(all) {
		t.Errorf("%d reports, %d told of, %v", len(reports), len(told), err)
	}
}

func TestChainWantsPartsChecked(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	all := s.sources(t, append([][]byte{whole}, parts...)...)
	chain := proofs.NewChain[fanorona.Position](s.setting, s.game, s, proofs.Options{}, nil)
	var need *proofs.NeedError
	if _, err := chain.Check(t.Context(), all[0]); !errors.As(err, &need) {
		t.Errorf("%v, want what is missing", err)
	}
}

func TestArrangeRefusesWhatIsNoPart(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	all := s.sources(t, append([][]byte{whole}, parts...)...)
	claim, elsewhere := all[0].Header.Claim, s.setting
	elsewhere.Board = "3x3"
	for name, err := range map[string]error{
		"another setting": second(proofs.Arrange(elsewhere, claim, all)),
		"another claim":   second(proofs.Arrange(s.setting, "black-wins", all)),
		"one twice":       second(proofs.Arrange(s.setting, claim, append(slices.Clone(all), all[1]))),
		"the first twice": second(proofs.Arrange(s.setting, claim, append(slices.Clone(all), all[0]))),
	} {
		if !errors.Is(err, proofs.ErrPart) || strings.Contains(name, "twice") && !strings.Contains(err.Error(), "it is given twice") {
			t.Errorf("%s: %v, want %v", name, err, proofs.ErrPart)
		}
	}
	var need *proofs.NeedError
	if _, err := proofs.Arrange(s.setting, claim, all[:1]); !errors.As(err, &need) {
		t.Errorf("without its parts: %v", err)
	}
	others := s.sources(t, append([][]byte{whole, resealed(t, parts[0])}, parts[1:]...)...)
	if _, err := proofs.Arrange(s.setting, claim, others); !errors.As(err, &need) {
		t.Errorf("with another one from the root of a part: %v", err)
	}
}

// inEveryOrder calls do with the sources in every order.
func inEveryOrder(all []proofs.Source, do func(ordered []proofs.Source)) {
	var choose func(ordered, rest []proofs.Source)
	choose = func(ordered, rest []proofs.Source) {
		if len(rest) == 0 {
			do(slices.Clone(ordered))
		}
		for i := range rest {
			choose(append(slices.Clone(ordered), rest[i]), slices.Delete(slices.Clone(rest), i, i+1))
		}
	}
	choose(nil, all)
}

// names are those of sources.
func names(all []proofs.Source) (list []string) {
	for _, s := range all {
		list = append(list, s.Name)
	}
	return list
}

// family is certificates of which the first relies on the second, and that on the third, but none
// on the fourth: by what their headers say.
func (s *solved[P]) family(t *testing.T) (all []proofs.Source) {
	t.Helper()
	whole, parts := s.apart(t, whiteWins)
	all = s.sources(t, whole, parts[0], resealed(t, parts[0]), resealed(t, resealed(t, parts[0])))
	for i, name := range []string{"whole", "part", "inner", "stranger"} {
		all[i].Name, all[i].Header.Parts = name, nil
	}
	all[0].Header.Parts = []proofs.Part{all[1].Part()}
	all[1].Header.Parts = []proofs.Part{all[2].Part()}
	return all
}

// Parts of parts stand before these, whatever the order that they are given in. What nothing in a
// certificate relies on is no part of its proof.
func TestPartsOfPartsAreArranged(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	all := s.family(t)
	whole, part, inner, stranger := all[0], all[1], all[2], all[3]
	inEveryOrder(all[:3], func(given []proofs.Source) {
		ordered, err := proofs.Arrange(s.setting, whole.Header.Claim, given)
		if got := names(ordered); err != nil || !slices.Equal(got, []string{"inner", "part", "whole"}) {
			t.Errorf("%q come as %q, %v", names(given), got, err)
		}
	})
	for _, needs := range [][]proofs.Part{{part.Part()}, {part.Part(), inner.Part()}, {inner.Part(), part.Part()}} {
		whole.Header.Parts = needs
		inEveryOrder([]proofs.Source{part, inner}, func(given []proofs.Source) {
			ordered, err := whole.Arrange(given)
			if got := names(ordered); err != nil || !slices.Equal(got, []string{"inner", "part"}) {
				t.Errorf("parts of the whole: %q come as %q, %v", names(given), got, err)
			}
		})
		inEveryOrder([]proofs.Source{part, inner, stranger}, func(given []proofs.Source) {
			if ordered, err := whole.Arrange(given); !errors.Is(err, proofs.ErrPart) || !strings.HasPrefix(err.Error(), "stranger: ") {
				t.Errorf("with a stranger: %q come as %q, %v", names(given), names(ordered), err)
			}
		})
	}
	whole.Header.Parts = []proofs.Part{part.Part()}
	for _, given := range [][]proofs.Source{nil, {part}, {inner}, {stranger}} {
		var need *proofs.NeedError
		if ordered, err := whole.Arrange(given); !errors.As(err, &need) {
			t.Errorf("%q are all that is there: they come as %q, %v", names(given), names(ordered), err)
		}
	}
	if _, err := whole.Arrange([]proofs.Source{part, inner, whole}); !errors.Is(err, proofs.ErrPart) {
		t.Errorf("as a part of itself: %v", err)
	}
}

// What a certificate relies on is found by way of its parts, each once, and not itself.
func TestBehindACertificateAreItsPartsAndTheirs(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	all := s.family(t)
	whole, part, inner := all[0], all[1], all[2]
	check := func(of proofs.Source, given []proofs.Source, want ...string) {
		t.Helper()
		got := names(of.Behind(given))
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Fatalf("behind the %s are %q of %q, want %q", of.Name, got, names(given), want)
		}
	}
	inEveryOrder(all, func(given []proofs.Source) {
		whole.Header.Parts = []proofs.Part{part.Part()}
		check(whole, given, "inner", "part")
		check(part, given, "inner")
		check(inner, given)
		whole.Header.Parts = []proofs.Part{inner.Part(), part.Part()}
		check(whole, given, "inner", "part")
	})
	whole.Header.Parts = []proofs.Part{part.Part()}
	check(whole, []proofs.Source{inner})
	check(whole, []proofs.Source{part}, "part")
	inner.Header.Parts = []proofs.Part{part.Part()} // which takes two files of one checksum
	check(whole, all, "inner", "part")
	if _, err := whole.Arrange([]proofs.Source{part, inner}); !errors.Is(err, proofs.ErrPart) {
		t.Errorf("parts in a circle: %v", err)
	}
}

// What was checked elsewhere counts in a chain that relies on it, for what its header says.
func TestAChainReliesOnWhatWasCheckedBefore(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	all := s.sources(t, append([][]byte{whole}, parts...)...)
	for _, wrong := range []bool{false, true} {
		chain := proofs.NewChain[fanorona.Position](s.setting, s.game, s, proofs.Options{}, nil)
		for i, part := range all[1:] {
			header := part.Header
			if wrong && i == 0 {
				header.Root = all[0].Header.Root
			}
			chain.Rely(part.Part().Checksum, header)
		}
		report, err := chain.Check(t.Context(), all[0])
		var need *proofs.NeedError
		if wrong != errors.As(err, &need) || wrong == (err == nil && report.Valid()) {
			t.Errorf("another root of a part %v: %v, %v", wrong, report.Findings, err)
		}
	}
}

// resealed is a certificate of the same as another, with higher ranks.
func resealed(t *testing.T, file []byte) []byte {
	t.Helper()
	lines := text(t, file)
	for i, line := range lines[1:] {
		at := strings.LastIndex(line, "\t")
		lines[i+1] = fmt.Sprintf("%s\t%d\n", line[:at], rank(line)+1)
	}
	return pack(t, lines)
}

// A part that is not valid proves nothing: no other relies on it, and of several none after it is
// looked at.
func TestChainReliesOnNoPartThatIsNotValid(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	bad := pack(t, text(t, parts[0])[:1]) // without records
	named := text(t, whole)
	named[0] = strings.Replace(named[0], s.sources(t, parts[0])[0].Part().Checksum, s.sources(t, bad)[0].Part().Checksum, 1)
	all := s.sources(t, append([][]byte{bad, pack(t, named)}, parts[1:]...)...)
	chain := proofs.NewChain[fanorona.Position](s.setting, s.game, s, proofs.Options{}, nil)
	var invalid *proofs.InvalidPartError
	if reports, err := chain.CheckParts(t.Context(), all[:1]); !errors.As(err, &invalid) || len(reports) != 0 {
		t.Errorf("a part without records: %v, %v", reports, err)
	}
	if _, err := chain.CheckParts(t.Context(), all[2:]); err != nil {
		t.Fatal(err)
	}
	var need *proofs.NeedError
	if r, err := chain.Check(t.Context(), all[1]); !errors.As(err, &need) {
		t.Errorf("what relies on it: %v, %v", r.Findings, err)
	}
}

// The tables of several certificates are all of theirs, each once.
func TestTablesOfSeveralCertificates(t *testing.T) {
	s := newShelf(t, 3, 3, 4)
	file, _ := s.prove(t, whiteWins)
	two := s.sources(t, file, file)
	one := two[0].Header.Tables
	two[1].Header.Tables = append([]proofs.Table{{Slice: "4v4", Metric: "wdl"}}, one...)
	if got := proofs.TablesOf(two); len(one) < 2 || !slices.Equal(got, append(slices.Clone(one), two[1].Header.Tables[0])) {
		t.Errorf("%v", got)
	}
}

func second[T any](_ T, err error) error { return err }

// A certificate of another setting is never judged by the rules at hand.
func TestChainRefusesAnotherSetting(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	file, _ := s.prove(t, whiteWins)
	other := s.sources(t, file)[0]
	other.Setting.Board = "3x5"
	chain := proofs.NewChain[fanorona.Position](s.setting, s.game, s, proofs.Options{}, nil)
	var setting *proofs.SettingError
	if _, err := chain.Check(t.Context(), other); !errors.As(err, &setting) {
		t.Errorf("error %v, want a *proofs.SettingError", err)
	}
}
