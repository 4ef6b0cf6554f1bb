package command

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/proofs"
)

// builtTelo is a folder of all tables of telo.
func builtTelo(t *testing.T) (dir string, telo catalogue.Instance) {
	t.Helper()
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "tables")
	if status, _, stderr := runQuietly(t, "build", "--board", "telo", "--pieces", "all", "--db", dir); status != done {
		t.Fatal(stderr)
	}
	return dir, telo
}

// stopVerifying breaks off what `paika verify` does when most of it is done.
func stopVerifying(t *testing.T, telo catalogue.Instance, dir string) catalogue.Verified {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	v, err := telo.Verify(ctx, dir, catalogue.VerifyOptions{
		Workers: 1, Memory: 1 << 30, Record: lasting.Beside(dir, recordSuffix), Version: ownVersion(),
		Progress: func(done, total uint64) {
			if 4*done > 3*total {
				cancel()
			}
		},
	})
	if !errors.Is(err, context.Canceled) || v.Saved == "" || v.Derived == 0 || v.OK != (v.Found == 0) {
		t.Fatalf("%+v, %v", v, err)
	}
	return v
}

func TestVerifyGoesOnWhereItWasStopped(t *testing.T) {
	dir, telo := builtTelo(t)
	args := []string{"verify", "--board", "telo", "--db", dir}
	stopped := stopVerifying(t, telo, dir)
	record := dir + ".verify"
	if stopped.Saved != record {
		t.Errorf("saved in %s, want %s", stopped.Saved, record)
	}
	status, stdout, stderr := runQuietly(t, args...)
	if status != done || !regexp.MustCompile(`^paika: going on: [1-9][0-9]* of [0-9]+ slices were verified before, as `+regexp.QuoteMeta(record)+` tells\n$`).MatchString(stderr) {
		t.Errorf("exit status %d, standard error %q", status, stderr)
	}
	if !regexp.MustCompile(`: all is well, .*\n[1-9][0-9]* of [0-9]+ slices, [0-9,]+ positions, were derived by a run before, as ` + regexp.QuoteMeta(record) + ` told\n$`).MatchString(stdout) {
		t.Errorf("standard output %q", stdout)
	}
	if _, err := os.Stat(record); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the record is still there: %v", err)
	}
	stopVerifying(t, telo, dir)
	status, stdout, _ = runQuietly(t, append(args, "--json")...)
	if status != done || !strings.Contains(stdout, `"earlier":{"record":`) || strings.Count(stdout, "\n") != 1 {
		t.Errorf("exit status %d, standard output %q", status, stdout)
	}
	status, stdout, stderr = runQuietly(t, args...)
	if status != done || stderr != "" || strings.Contains(stdout, "before") {
		t.Errorf("once all is done: exit status %d, %q, %q", status, stdout, stderr)
	}
}

func TestVerifyRefusesARecordThatIsNone(t *testing.T) {
	dir, _ := builtTelo(t)
	if err := os.WriteFile(dir+".verify", []byte("Dear friend"), 0o666); err != nil {
		t.Fatal(err)
	}
	status, stdout, stderr := runQuietly(t, "verify", "--board", "telo", "--db", dir)
	if status != unavailable || stdout != "" || !strings.Contains(stderr, dir+".verify: no record of verified tables") {
		t.Errorf("exit status %d, %q, %q", status, stdout, stderr)
	}
}

func TestAStoppedVerificationSaysHowToGoOn(t *testing.T) {
	s := session{options: &options{args: []string{"verify", "--board", "telo"}}}
	earlier := &catalogue.Earlier{Slices: 2}
	for want, v := range map[string]catalogue.Verified{
		"paika: 3 of 28 slices checked, and nothing saved\n":                                             {Slices: 28, Derived: 3},
		"paika: 5 of 28 slices checked, saved in tables.verify; go on with: paika verify --board telo\n": {Slices: 28, Derived: 3, Earlier: earlier, Saved: "tables.verify"},

		"paika: stopped while tables were read; what a run before saved in tables.verify stands; go on with: paika verify --board telo\n": {Slices: 28, Saved: "tables.verify"},
	} {
		var got bytes.Buffer
		printPartlyVerified(&got, s, v)
		if got.String() != want {
			t.Errorf("%q, want %q", got.String(), want)
		}
	}
}

// Repair keeps what has the right checksums, and is here, not where a hub is.
func TestWhatIsWrongIsCuredWhereItIs(t *testing.T) {
	telo, err := catalogue.Games()[0].Open("telo", nil)
	if err != nil {
		t.Fatal(err)
	}
	s := session{options: &options{db: "tables"}, game: "fanorona", board: "telo", instance: telo}
	damage := catalogue.Verified{Findings: []catalogue.Finding{{What: "chunk 17"}}}
	value := catalogue.Verified{Findings: []catalogue.Finding{{What: "chunk 17"}, {What: "value", Position: ".../.B./W.. w"}}}
	figure := catalogue.Verified{Findings: []catalogue.Finding{{What: "chunk 17"}, {Metric: "wdl", Slice: "2v1", What: "quiet"}}}
	for _, c := range []struct {
		place string
		of    catalogue.Verified
		want  string
	}{
		{"tables", figure, "figures are wrong that were stored so, which repair keeps: move tables away, and build the tables anew"},
		{"nats://hub:4222", figure, "figures are wrong that were stored so: move the hub's folder of these tables away, and build them anew"},
		{"tables", damage, "repair the tables with: paika repair fanorona --board telo --db tables"},
		{"tables", value, "values are wrong that were stored so, which repair keeps: move tables away, and build the tables anew"},
		{"nats://hub:4222", damage, "repair the tables where the hub has them"},
		{"nats://hub:4222", value, "values are wrong that were stored so: move the hub's folder of these tables away, and build them anew"},
	} {
		if got := s.cure(c.place, c.of); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A hub that began again has no report any more, and does not call what it found well.
func TestAReportThatIsGoneIsNotWell(t *testing.T) {
	q := wire.State{Question: wire.Question{Kind: wire.Verification, Setting: proofs.Setting{Game: "fanorona", Board: "3x3"}}, Stage: wire.Done}
	if got, want := tellTables(q), "fanorona on 3x3, the tables: done, the report went to who asked"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A folder of tables in which none is stored yet is not well, and says so.
func TestVerifyOfNothing(t *testing.T) {
	dir := t.TempDir()
	if err := openedStore(t, dir).Close(); err != nil {
		t.Fatal(err)
	}
	for _, extra := range []string{"--checksums-only", "--json"} {
		status, stdout, stderr := runQuietly(t, "verify", "--board", "telo", "--db", dir, extra)
		if status != unavailable || strings.Contains(stdout+stderr, "all is well") || !strings.Contains(stdout+stderr, "no tables there: not one slice is stored") {
			t.Errorf("%s: exit status %d, %q, %q", extra, status, stdout, stderr)
		}
	}
}

// The fingerprints of tables are the same for every version that will ever be.
func TestFingerprintsOfTablesStay(t *testing.T) {
	dir, telo := builtTelo(t)
	tables, err := telo.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	stats, err := tables.Stats()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := stats.Only(bitboard.WDL).Totals[0].Fingerprint, "b3fa47d22946d1b867536eacdb8cc13f2de94bdc315af00c0ebd82406258aa3d"; got != want {
		t.Errorf("telo: %s, want %s", got, want)
	}
	_, stdout, _ := runQuietly(t, "stats", "--board", "telo", "--db", dir)
	if !strings.Contains(stdout, "\nfingerprint of wdl: b3fa47d22946d1b867536eacdb8cc13f2de94bdc315af00c0ebd82406258aa3d\n") {
		t.Error(stdout)
	}
}
