package proofs_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
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
