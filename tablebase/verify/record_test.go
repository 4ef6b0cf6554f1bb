package verify

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
	"paika/internal/lasting"
	"paika/tablebase"
	"paika/tablebase/internal/graphgame"
)

// stopVerify breaks a verification off when a share of its work is done.
func stopVerify(t *testing.T, s Store, g *graphgame.Game, opts Options, percent uint64) Report {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts.Progress = func(done, total uint64) {
		if 100*done >= percent*total {
			cancel()
		}
	}
	report, err := Run(ctx, g, s, opts)
	wantError(t, err, context.Canceled)
	return report
}

// A verification that is stopped, time and again, finds what one finds that
// comes to its end at once, and derives nothing twice that was shown.
func TestVerifyGoesOn(t *testing.T) {
	for _, sparse := range first(1, []int{2, 0}) {
		game := graphgame.New(101, 4, 17_000)
		game.Sparse = sparse
		sol := game.Solve()
		wrong := game.Solve()
		wrong.Depths[3][5] ^= 3 // a finding or two in the second group
		for name, sol := range map[string]*graphgame.Solution{"right": sol, "wrong": wrong} {
			for _, metrics := range first(1, [][]bitboard.Metric{{bitboard.WDL, bitboard.DTW}, {bitboard.WDL}}) {
				s := openTest(t, storedTest(t, sol, metrics...), toRead)
				want := verify(t, s, game, Options{})
				opts := Options{Record: filepath.Join(t.TempDir(), "record"), Version: "v1", Workers: 2}
				var earlier []int
				opts.GoingOn = func(e Earlier, _ int) { earlier = append(earlier, e.Slices) }
				for i, percent := range []uint64{10, 76, 10, 95, 10} { // at 10 it still reads
					report := stopVerify(t, s, game, opts, percent)
					if report.Saved != (i > 0) || report.Unsaved != nil {
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
	game := graphgame.New(102, 3, 5_000)
	sol := game.Solve()
	s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
	opts := Options{Record: filepath.Join(t.TempDir(), "record"), Version: "v1"}
	if stopped := stopVerify(t, s, game, opts, 90); !stopped.Saved {
		t.Fatal("nothing to go on from")
	}
	kept, err := os.ReadFile(opts.Record)
	if err != nil {
		t.Fatal(err)
	}
	earlier := func(s Store, opts Options) (Earlier, Report) {
		if err := os.WriteFile(opts.Record, kept, 0o666); err != nil {
			t.Fatal(err)
		}
		report := verify(t, s, game, opts)
		return report.Earlier, report
	}
	same, _ := earlier(s, opts)
	if same.Slices < 4 { // two groups: the one rests on the other
		t.Fatalf("the same tables go on after %d slices", same.Slices)
	}
	other := opts
	other.Version = "v2"
	if e, _ := earlier(s, other); e.Slices != 0 {
		t.Errorf("another version goes on after %+v", e)
	}
	if e, _ := earlier(s, Options{Record: opts.Record, Version: "v1", ChecksumsOnly: true}); e.Slices != 0 {
		t.Errorf("checksums alone go on after %+v", e)
	}

	// Values of the first group, on which all others rest, are wrong.
	changed := game.Solve()
	changed.Depths[0][slices.Index(changed.Depths[0], bitboard.MakeDepth(bitboard.Win, 1))] = 0
	e, report := earlier(openTest(t, storedTest(t, changed, bitboard.WDL), toRead), opts)
	if e.Slices != 0 || report.OK() {
		t.Errorf("changed values: it goes on after %+v, %v", e, report.Findings)
	}

	// What the manifest says of a slice is wrong, and its values are right.
	info, _ := s.Slice(bitboard.WDL, "1v2")
	info.Quiet++
	e, report = earlier(claims{s, info}, opts)
	if e.Slices >= same.Slices || !finds(report, "quiet") {
		t.Errorf("a changed manifest: it goes on after %+v, %v", e, report.Findings)
	}
}

// A record stays good where tables are added: those of a further group in the same metric, or
// distances, of which no group is whole.
func TestARecordStaysGoodBesideMoreTables(t *testing.T) {
	game := graphgame.New(102, 3, 500)
	sol := game.Solve()
	s := openTest(t, t.TempDir(), tablebase.Options{})
	save := func(m bitboard.Metric, list ...bitboard.Slice) {
		t.Helper()
		for _, slice := range list {
			if err := saveOne(t.Context(), s, sol, m, slice); err != nil {
				t.Fatal(err)
			}
		}
	}
	save(bitboard.WDL, 0, 1, 2, 3)
	opts := Options{Record: filepath.Join(t.TempDir(), "record"), Version: "v1"}
	stopped := stopVerify(t, s, game, opts, 80) // within the second group
	if !stopped.Saved || stopped.Derived == 0 {
		t.Fatalf("nothing to go on from: %+v", stopped)
	}
	kept, err := os.ReadFile(opts.Record)
	if err != nil {
		t.Fatal(err)
	}
	for _, more := range []func(){
		func() {},
		func() { save(bitboard.WDL, 4, 5) },
		func() { save(bitboard.DTW, 4) },
	} {
		more()
		if err := os.WriteFile(opts.Record, kept, 0o666); err != nil {
			t.Fatal(err)
		}
		if report := verify(t, s, game, opts); report.Earlier.Slices != stopped.Derived {
			t.Errorf("of %d slices, it goes on after %d, want %d", report.Slices, report.Earlier.Slices, stopped.Derived)
		}
	}
}

// What wdl beside distances agrees with is part of what was shown: where it has changed, the group
// is derived again.
func TestARecordIsVoidForChangedTablesBesideDistances(t *testing.T) {
	game := graphgame.New(107, 3, 5_000)
	sol := game.Solve()
	opts := Options{Record: filepath.Join(t.TempDir(), "record"), Version: "v1"}
	s := openTest(t, storedTest(t, sol, bitboard.WDL, bitboard.DTW), toRead)
	if stopped := stopVerify(t, s, game, opts, 85); !stopped.Saved {
		t.Fatal("nothing to go on from")
	}
	kept, err := os.ReadFile(opts.Record)
	if err != nil {
		t.Fatal(err)
	}
	same := verify(t, s, game, opts)
	if same.Earlier.Slices == 0 || !same.OK() {
		t.Fatalf("%+v", same)
	}
	// Of the same tables, the first slice has another win in wdl.
	dir := t.TempDir()
	changed := openTest(t, dir, tablebase.Options{})
	wrong := game.Solve()
	at := slices.IndexFunc(wrong.Depths[0], func(d bitboard.Depth) bool { return d.Value() == bitboard.Win })
	wrong.Depths[0][at] = 0
	saveAll(t, changed, wrong, bitboard.WDL)
	saveAll(t, changed, sol, bitboard.DTW)
	if err := os.WriteFile(opts.Record, kept, 0o666); err != nil {
		t.Fatal(err)
	}
	report := verify(t, changed, game, opts)
	if report.OK() || !finds(report, "value") || report.Earlier.Slices >= same.Earlier.Slices {
		t.Errorf("it goes on after %+v, %v", report.Earlier, report.Findings)
	}
}

// What two versions have shown stands in one record, and each goes on by its own, until one of them
// comes to the end.
func TestARecordKeepsWhatAnotherVersionHasShown(t *testing.T) {
	game := graphgame.New(106, 4, 5_000)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	path := filepath.Join(t.TempDir(), "record")
	shown := make(map[string]int) // slices, by version
	run := func(version string, percent uint64) {
		t.Helper()
		report := stopVerify(t, s, game, Options{Record: path, Version: version}, percent)
		if !report.Saved || report.Unsaved != nil || report.Earlier.Slices != shown[version] {
			t.Errorf("%s goes on after %d slices, want %d: %+v", version, report.Earlier.Slices, shown[version], report)
		}
		shown[version] = report.Earlier.Slices + report.Derived
	}
	for _, percent := range []uint64{85, 65} { // at 50 all is read
		run("v1", percent)
		run("v2", percent-10)
	}
	if shown["v1"] == 0 || shown["v2"] == 0 {
		t.Fatalf("nothing is shown: %v", shown)
	}
	if report := verify(t, s, game, Options{Record: path, Version: "v2"}); report.Earlier.Slices != shown["v2"] || !report.OK() {
		t.Errorf("%+v, want what %d slices take off", report, shown["v2"])
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the record is still there: %v", err)
	}
}

// A record has room for all groups of a game, and what others have shown has what is left.
func TestARecordIsNeverTooLong(t *testing.T) {
	digits := func(from, many int) (list []string) {
		for i := range many {
			list = append(list, fmt.Sprintf("%064x", from+i))
		}
		return list
	}
	for _, many := range []int{0, 1, maxRecorded - 1, maxRecorded} {
		r := record{path: filepath.Join(t.TempDir(), "record"), shown: digits(0, many), earlier: digits(max(0, many-1), maxRecorded)}
		if err := r.write(); err != nil {
			t.Fatal(err)
		}
		again := record{path: r.path}
		if err := again.open(); err != nil || !slices.Equal(again.earlier, digits(0, maxRecorded)) {
			t.Errorf("%d shown: %d are read, %v", many, len(again.earlier), err)
		}
	}
}

// A record is written now and then though nobody stops the run: what a killed one had shown, the
// next takes up.
func TestARecordIsWrittenNowAndThen(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	path := filepath.Join(t.TempDir(), "record")
	running := record{path: path} // last written long ago
	running.add(digits)
	next := record{path: path}
	if err := next.open(); err != nil || !next.takeUp(digits) {
		t.Errorf("it is not taken up, %v", err)
	}
}

// Whatever stands where the record should be is not overwritten.
func TestAFileThatIsNoRecordIsAnError(t *testing.T) {
	game := graphgame.New(103, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	whole := string(formatRecord([]string{strings.Repeat("0123456789abcdef", 4)}))
	for name, text := range map[string]string{
		"a letter":        "Dear friend",
		"empty":           "",
		"cut short":       whole[:len(whole)-5],
		"changed":         strings.Replace(whole, "a", "b", 1),
		"goes on":         whole + "x",
		"no digits":       recordHeading() + recordSum("x\n") + "\nx\n",
		"a newer format":  strings.Replace(whole, "verify 1", "verify 2", 1),
		"very much of it": string(formatRecord(make([]string, 0))) + strings.Repeat("0", maxRecordBytes),
	} {
		path := filepath.Join(t.TempDir(), "record")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := Run(t.Context(), game, s, Options{Record: path})
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
	game := graphgame.New(104, 3, 5_000)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	opts := Options{Record: filepath.Join(t.TempDir(), "missing", "record")}
	if report := stopVerify(t, s, game, opts, 80); report.Saved || report.Unsaved == nil {
		t.Errorf("saved %v, %v", report.Saved, report.Unsaved)
	}
	if report := verify(t, s, game, opts); !report.OK() || report.Unsaved != nil {
		t.Errorf("%+v", report)
	}
}

// What a run that was killed left of a record goes with the next that comes to its end, also
// where that writes none.
func TestWhatAKillLeftOfARecordGoes(t *testing.T) {
	game := graphgame.New(105, 2, 500)
	s := openTest(t, storedTest(t, game.Solve(), bitboard.WDL), toRead)
	opts := Options{Record: filepath.Join(t.TempDir(), "record")}
	part := opts.Record + lasting.PartSuffix
	if err := os.WriteFile(part, []byte("paika ver"), 0o666); err != nil {
		t.Fatal(err)
	}
	if report := verify(t, s, game, opts); !report.OK() || report.Unsaved != nil {
		t.Errorf("%+v", report)
	}
	if _, err := os.Lstat(part); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("it is still there: %v", err)
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
		read(fmt.Appendf(nil, "%s%s\n%s", recordHeading(), recordSum(string(text)), text)) // past the checksum
	})
}

// TestAReportThatNobodyTookIsGivenAgain: the record stays, by which nothing is derived twice that was right.
func TestAReportThatNobodyTookIsGivenAgain(t *testing.T) {
	game := graphgame.New(101, 4, 17_000)
	for _, wrong := range []bool{false, true} {
		sol := game.Solve()
		if wrong {
			sol.Depths[3][5] ^= 3
		}
		s := openTest(t, storedTest(t, sol, bitboard.WDL), toRead)
		want := verify(t, s, game, Options{})
		untold := errors.New("nobody is there")
		opts := Options{Record: filepath.Join(t.TempDir(), "record"), Version: "v1", Tell: func(Report) error { return untold }}
		for i := range 2 {
			report, err := Run(t.Context(), game, s, opts)
			if !errors.Is(err, untold) || !report.Saved || !reflect.DeepEqual(report.Findings, want.Findings) {
				t.Errorf("wrong %v, run %d: %v, %+v", wrong, i, err, report)
			}
			if wrong != (report.Total > 0) || i > 0 && (wrong != (report.Derived > 0) || report.Earlier.Slices == 0) {
				t.Errorf("wrong %v, run %d: %+v", wrong, i, report)
			}
		}
		var told Report
		opts.Tell = func(r Report) error {
			told = r
			if _, err := os.Stat(opts.Record); err != nil {
				t.Errorf("wrong %v: told without a record: %v", wrong, err)
			}
			return nil
		}
		got := verify(t, s, game, opts)
		if !reflect.DeepEqual(told, got) {
			t.Errorf("wrong %v: told %+v, got %+v", wrong, told, got)
		}
		if _, err := os.Stat(opts.Record); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("wrong %v: the record is left: %v", wrong, err)
		}
	}
}
