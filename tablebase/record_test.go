package tablebase

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paika/bitboard"
)

// stopVerify breaks a verification off when a share of its work is done.
func stopVerify(t *testing.T, s *Store, g *graphGame, opts VerifyOptions, percent uint64) Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts.Progress = func(done, total uint64) {
		if 100*done >= percent*total {
			cancel()
		}
	}
	report, err := Verify(ctx, g, s, opts)
	wantError(t, err, context.Canceled)
	return report
}

// A verification that is stopped, time and again, finds what one finds that
// comes to its end at once, and derives nothing twice that was shown.
func TestVerifyGoesOn(t *testing.T) {
	for _, sparse := range []int{0, 2} {
		game := newGraphGame(101, 4, 17_000)
		game.sparse = sparse
		sol := game.solve()
		wrong := game.solve()
		wrong.depths[3][5] ^= 3 // a finding or two in the second group
		for name, sol := range map[string]*solution{"right": sol, "wrong": wrong} {
			for _, metrics := range [][]bitboard.Metric{{bitboard.WDL}, {bitboard.WDL, bitboard.DTW}} {
				s := openTest(t, storedTest(t, sol, metrics...), Options{ReadOnly: true})
				want := verify(t, s, game, VerifyOptions{})
				opts := VerifyOptions{Record: filepath.Join(t.TempDir(), "record"), Version: "v1", Workers: 2}
				var earlier []int
				opts.GoingOn = func(e Earlier, _ int) { earlier = append(earlier, e.Slices) }
				for _, percent := range []uint64{10, 76, 95} {
					report := stopVerify(t, s, game, opts, percent)
					if report.Saved != (percent > 10) || report.Unsaved != nil {
						t.Errorf("%s, %v, stopped at %d %%: saved %v, %v", name, metrics, percent, report.Saved, report.Unsaved)
					}
				}
				got := verify(t, s, game, opts)
				if len(earlier) != 2 || earlier[0] == 0 || earlier[1] <= earlier[0] {
					t.Errorf("%s, %v: it went on after %v slices", name, metrics, earlier)
				}
				if got.Derived+got.Earlier.Slices != want.Derived || got.Positions+got.Earlier.Positions != want.Positions || got.Earlier.Slices != earlier[1] {
					t.Errorf("%s, %v: %+v, want together %+v", name, metrics, got, want)
				}
				if !reflect.DeepEqual(got.Findings, want.Findings) || got.Total != want.Total || got.OK() != (name == "right") {
					t.Errorf("%s, %v: %v, want %v", name, metrics, got.Findings, want.Findings)
				}
				if _, err := os.Stat(opts.Record); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("%s, %v: the record is still there: %v", name, metrics, err)
				}
			}
		}
	}
}

// A record counts for the very tables that were shown, by the same version.
func TestARecordIsVoidForOtherTables(t *testing.T) {
	game := newGraphGame(102, 3, 5_000)
	sol := game.solve()
	dir := storedTest(t, sol, bitboard.WDL)
	opts := VerifyOptions{Record: filepath.Join(t.TempDir(), "record"), Version: "v1"}
	s := openTest(t, dir, Options{ReadOnly: true})
	if stopped := stopVerify(t, s, game, opts, 75); !stopped.Saved {
		t.Fatal("nothing to go on from")
	}
	s.Close()
	kept, err := os.ReadFile(opts.Record)
	if err != nil {
		t.Fatal(err)
	}
	earlier := func(dir string, opts VerifyOptions) (Earlier, Report) {
		if err := os.WriteFile(opts.Record, kept, 0o666); err != nil {
			t.Fatal(err)
		}
		s := openTest(t, dir, Options{ReadOnly: true})
		defer s.Close()
		report := verify(t, s, game, opts)
		return report.Earlier, report
	}
	same, _ := earlier(dir, opts)
	if same.Slices == 0 {
		t.Fatal("the same tables start anew")
	}
	other := opts
	other.Version = "v2"
	if e, _ := earlier(dir, other); e.Slices != 0 {
		t.Errorf("another version goes on after %+v", e)
	}
	if e, _ := earlier(dir, VerifyOptions{Record: opts.Record, Version: "v1", ChecksumsOnly: true}); e.Slices != 0 {
		t.Errorf("checksums alone go on after %+v", e)
	}

	// Values of the first group, on which all others rest, are wrong.
	changed := game.solve()
	changed.depths[0][slices.Index(changed.depths[0], bitboard.MakeDepth(bitboard.Win, 1))] = 0
	e, report := earlier(storedTest(t, changed, bitboard.WDL), opts)
	if e.Slices != 0 || report.OK() {
		t.Errorf("changed values: it goes on after %+v, %v", e, report.Findings)
	}

	// What the manifest says of a slice is wrong, and its values are right.
	s = openTest(t, copyFolder(t, dir), Options{})
	info, _ := s.Slice(bitboard.WDL, "1v2")
	info.Quiet++
	rewrite(t, s, info)
	s.Close()
	e, report = earlier(s.Dir(), opts)
	if e.Slices >= same.Slices || !finds(report, "quiet") {
		t.Errorf("a changed manifest: it goes on after %+v, %v", e, report.Findings)
	}

	// More tables beside them: what was shown stays.
	larger := newGraphGame(102, 3, 5_000)
	s = openTest(t, copyFolder(t, dir), Options{})
	saveAll(t, s, larger.solve(), bitboard.DTW)
	s.Close()
	if e, report := earlier(s.Dir(), opts); !report.OK() {
		t.Errorf("more tables: %+v, %v", e, report.Findings)
	}
}

// rewrite replaces what the manifest says of a slice in wdl.
func rewrite(t *testing.T, s *Store, info SliceInfo) {
	t.Helper()
	s.saving.Lock()
	defer s.saving.Unlock()
	before := manifest{slices: s.manifests[bitboard.WDL].without(info.Name)}
	if err := s.writeManifest(bitboard.WDL, before.with(info)); err != nil {
		t.Fatal(err)
	}
}

// Whatever stands where the record should be is not overwritten.
func TestAFileThatIsNoRecordIsAnError(t *testing.T) {
	game := newGraphGame(103, 2, 500)
	s := openTest(t, storedTest(t, game.solve(), bitboard.WDL), Options{ReadOnly: true})
	whole := string(formatRecord([]string{strings.Repeat("0123456789abcdef", 4)}))
	for name, text := range map[string]string{
		"a letter":        "Dear friend",
		"empty":           "",
		"cut short":       whole[:len(whole)-5],
		"changed":         strings.Replace(whole, "a", "b", 1),
		"goes on":         whole + "x",
		"no digits":       recordHeading + recordSum("x\n") + "\nx\n",
		"a newer format":  strings.Replace(whole, "verify 1", "verify 2", 1),
		"very much of it": string(formatRecord(make([]string, 0))) + strings.Repeat("0", maxRecordBytes),
	} {
		path := filepath.Join(t.TempDir(), "record")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Verify(t.Context(), game, s, VerifyOptions{Record: path})
		if !errors.Is(err, ErrRecord) || !strings.Contains(fmt.Sprint(err), path) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := os.ReadFile(path); string(got) != text || err != nil {
			t.Errorf("%s: it holds %q now, %v", name, got, err)
		}
	}
}

// That a record can't be written does not keep anybody from verifying.
func TestVerifyNeedsNoRecord(t *testing.T) {
	game := newGraphGame(104, 3, 5_000)
	s := openTest(t, storedTest(t, game.solve(), bitboard.WDL), Options{ReadOnly: true})
	opts := VerifyOptions{Record: filepath.Join(t.TempDir(), "missing", "record")}
	if report := stopVerify(t, s, game, opts, 80); report.Saved || report.Unsaved == nil {
		t.Errorf("saved %v, %v", report.Saved, report.Unsaved)
	}
	if report := verify(t, s, game, opts); !report.OK() || report.Unsaved != nil {
		t.Errorf("%+v", report)
	}
}

// FuzzParseRecord reads any text as a record: it is one, byte for byte, or an
// error.
func FuzzParseRecord(f *testing.F) {
	digits := strings.Repeat("0123456789abcdef", 4)
	f.Add(formatRecord(nil))
	f.Add(formatRecord([]string{digits}))
	f.Add(formatRecord([]string{digits, strings.ToUpper(digits)}))
	f.Add([]byte("paika verify 1\n0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(text []byte) {
			groups, err := parseRecord(text)
			if err == nil && string(formatRecord(groups)) != string(text) {
				t.Errorf("%q is read as %q", text, groups)
			}
		}
		read(text)
		read(fmt.Appendf(nil, "%s%s\n%s", recordHeading, recordSum(string(text)), text)) // past the checksum
	})
}
