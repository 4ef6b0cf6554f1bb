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
		if !errors.Is(err, proofs.ErrPart) {
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
