package proofs_test

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"paika/proofs"
)

func someExtract() *proofs.Extract {
	setting := proofs.Setting{Game: "fanorona", Board: "3x3", Rules: "stalemate=loss,direction-rule=no-repeat"}
	of := func(claim string) proofs.Extracted {
		return proofs.Extracted{
			Header: proofs.Header{Format: proofs.FormatVersion, Setting: setting, Claim: claim, Root: "BBB/B.W/WWW w", Tables: []proofs.Table{}},
			File:   "3x3.proof", Checksum: "e6b48d9b1c15b190", SHA256: strings.Repeat("0", 64), Bytes: 500, Plies: 2, Positions: 6, Checked: "2026-01-02", Program: "test",
		}
	}
	return &proofs.Extract{
		ExtractHeading: proofs.ExtractHeading{Format: proofs.ExtractFormat, Certificates: []proofs.Extracted{of("white-wins"), of("white-not-lost")}},
		Records: []map[string]proofs.Record{
			{"BBB/B.W/WWW w": {Position: "BBB/B.W/WWW w", Turn: "c1-b2A", Rank: 5}, ".BB/BWW/WW. b": {Position: ".BB/BWW/WW. b", Turn: "*", Rank: 4}},
			{"BBB/B.W/WWW w": {Position: "BBB/B.W/WWW w", Turn: "c1-b2A"}},
		},
	}
}

func written(t testing.TB, e *proofs.Extract) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := proofs.WriteExtract(&out, e); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func readExtract(text []byte) (*proofs.Extract, error) {
	return proofs.ReadExtract(bytes.NewReader(text), int64(len(text)))
}

func TestAnExtractIsReadAsItWasWritten(t *testing.T) {
	want := someExtract()
	text := written(t, want)
	got, err := readExtract(text)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(got.Records, want.Records, maps.Equal) || got.Certificates[1].Plies != 2 {
		t.Errorf("%+v", got)
	}
	if !bytes.Equal(written(t, got), text) {
		t.Error("written again, it is another file")
	}
}

// Nothing of a damaged extract is believed, and nothing in one that is not understood.
func TestADamagedExtractIsRefused(t *testing.T) {
	text := written(t, someExtract())
	for at := range text {
		changed := slices.Clone(text)
		changed[at] ^= 0x10
		if _, err := readExtract(changed); !errors.Is(err, proofs.ErrFormat) {
			t.Errorf("byte %d changed: error %v", at, err)
		}
		if _, err := readExtract(text[:at]); !errors.Is(err, proofs.ErrFormat) {
			t.Errorf("cut to %d bytes: error %v", at, err)
		}
	}
	newer := someExtract()
	newer.Format++
	if _, err := readExtract(written(t, newer)); !errors.Is(err, proofs.ErrFormat) {
		t.Errorf("a newer format: error %v", err)
	}
	other := someExtract()
	other.Certificates[0].Header.Format++
	if _, err := readExtract(written(t, other)); !errors.Is(err, proofs.ErrFormat) {
		t.Errorf("certificates of a newer format: error %v", err)
	}
	lines := unpackText(t, text)
	lines = lines[:strings.LastIndex(lines, "end\t")]
	twice := packText(t, lines+"1\tBBB/B.W/WWW w\ta1-a2\nend\t4\n")
	if _, err := readExtract(twice); !errors.Is(err, proofs.ErrFormat) || !strings.Contains(err.Error(), "twice") {
		t.Errorf("two turns of one position: error %v", err)
	}
}

// A file is a claim: what is read is refused, or reads the same when it is written.
func FuzzReadExtract(f *testing.F) {
	f.Add(written(f, someExtract()))
	f.Add(packText(f, "{\"extract\":1,\"certificates\":[]}\nend\t0\n"))
	f.Add(packText(f, "{\"extract\":1,\"certificates\":[]}\n0\tx\t*\nend\t1\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, text []byte) {
		e, err := readExtract(text)
		if err != nil {
			return
		}
		again, err := readExtract(written(t, e))
		if err != nil || !slices.EqualFunc(again.Records, e.Records, maps.Equal) {
			t.Fatalf("written again it is %+v, error %v", again, err)
		}
	})
}
