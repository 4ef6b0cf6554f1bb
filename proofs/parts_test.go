package proofs_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"paika/proofs"
)

// apart proves a claim about the start in parts: one for each turn of the
// opponent's that follows the first turn chosen.
func (s *solved[P]) apart(t *testing.T, claim proofs.Claim) (whole []byte, parts [][]byte) {
	t.Helper()
	file, got := s.prove(t, claim)
	if got != claim {
		t.Fatalf("%v came out as %v", claim, got)
	}
	lines := text(t, file)
	root, toMove, err := s.game.Start()
	if err != nil {
		t.Fatal(err)
	}
	i := find(t, lines, s.game.Format(root, toMove)+"\t")
	chosen, err := s.game.ParseTurn(root, toMove, strings.Split(strings.TrimSpace(lines[i]), "\t")[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, reply := range s.game.Notated(chosen.To, toMove.Other()) {
		part, got := s.proveFrom(t, s.game.Format(reply.To, toMove), claim)
		if got != claim {
			t.Fatalf("after %s %v came out as %v", reply.Notation, claim, got)
		}
		parts = append(parts, part)
	}
	whole, _ = s.proveFrom(t, s.game.Format(root, toMove), claim, parts...)
	return whole, parts
}

// proved checks certificates and gives what another check may rely on.
func (s *solved[P]) proved(t *testing.T, files ...[]byte) map[string]proofs.Header {
	t.Helper()
	headers := make(map[string]proofs.Header)
	for _, file := range files {
		r := s.check(t, file, proofs.Options{})
		if !r.Valid() {
			t.Fatalf("a part is not valid: %v", r.Findings)
		}
		headers[r.Checksum] = r.Header
	}
	return headers
}

func TestPartsProveTheWhole(t *testing.T) {
	for _, claim := range []proofs.Claim{whiteWins, whiteNotLost} {
		s := newShelf(t, 5, 3, 4)
		if !claim.Wins {
			s = newShelf(t, 5, 5, 4)
		}
		whole, parts := s.apart(t, claim)
		headers := s.proved(t, parts...)
		r := s.check(t, whole, proofs.Options{Proved: headers})
		if alone, _ := s.prove(t, claim); !r.Valid() || len(whole) >= len(alone) {
			t.Errorf("%v in %d parts: %d bytes, alone %d; %v", claim, len(parts), len(whole), len(alone), r.Findings)
		}
		if r.Header.Parts == nil || r.Checksum == "" {
			t.Errorf("%v: report %+v", claim, r.Header)
		}

		var need *proofs.NeedError
		refused := func(what, reason string, file []byte, proved map[string]proofs.Header) {
			t.Helper()
			_, err := s.tryCheck(t, file, proofs.Options{Proved: proved})
			if !errors.As(err, &need) || !strings.Contains(err.Error(), reason) {
				t.Errorf("%v, %s: %v, want %q", claim, what, err, reason)
			}
		}
		refused("without parts", "it is missing", whole, nil)
		refused("without one of them", "it is missing", whole, s.proved(t, parts[1:]...))

		other := text(t, whole)
		first := r.Header.Parts[0]
		other[0] = strings.Replace(other[0], first.Checksum, "0123456789abcdef", 1)
		refused("a checksum changed", "it is missing", pack(t, other), headers)
		other = text(t, whole)
		other[0] = strings.Replace(other[0], `"root":"`+first.Root+`","checksum"`, `"root":"`+r.Header.Root+`","checksum"`, 1)
		refused("a root changed", "that is of", pack(t, other), headers)
		for checksum, h := range headers {
			h.Claim = proofs.Claim{Side: 1, Wins: true}.Text(s.game.SideName)
			headers[checksum] = h
		}
		refused("parts of another claim", "that is of black-wins", whole, headers)
	}
}

// TestPartNotNamed leaves a part out of the header, so that what it proves is
// missing.
func TestPartNotNamed(t *testing.T) {
	s := newShelf(t, 5, 3, 4)
	whole, parts := s.apart(t, whiteWins)
	lines := text(t, whole)
	h, _, _ := strings.Cut(lines[0], `,"parts":`)
	lines[0] = h + "}\n"
	r := s.check(t, pack(t, lines), proofs.Options{Proved: s.proved(t, parts...)})
	wantFinding(t, r, int(r.Findings[0].Record), "is neither in the certificate nor in its tables")
}

// A part says nothing of the position with the same own stones and the other side to move.
func TestAPartIsOfTheSideToMove(t *testing.T) {
	s := newShelf(t, 3, 3, 0)
	part, _ := s.prove(t, whiteWins) // from BBB/B.W/WWW w
	line, err := json.Marshal(proofs.Header{
		Format: 1, Setting: s.setting, Claim: "white-wins", Root: "WWW/W.B/BBB b",
		Tables: []proofs.Table{}, Parts: []proofs.Part{s.sources(t, part)[0].Part()},
	})
	if err != nil {
		t.Fatal(err)
	}
	r := s.check(t, packText(t, withEnd(string(line)+"\n")), proofs.Options{Proved: s.proved(t, part)})
	wantFinding(t, r, 0, "is neither in the certificate")
}

// A certificate of an early version is told from one that names another table.
func TestTablesNamedByAnEarlierVersion(t *testing.T) {
	have := strings.Repeat("0123456789abcdef", 4)
	for checksum, want := range map[string]string{
		"0123456789abcdef":      "earlier version",
		strings.Repeat("f", 64): "the one that is there has the fingerprint " + have,
	} {
		if got := (proofs.Table{Slice: "3v2", Metric: "wdl", Checksum: checksum}).Differs(have); !strings.Contains(got, want) {
			t.Errorf("named by %s: %q, want %q", checksum, got, want)
		}
	}
}
