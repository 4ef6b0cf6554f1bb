package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paika/bitboard"
	"paika/internal/lasting"
)

// noiseSpace has slices of positions whose values are random: what a store
// keeps may be anything.
type noiseSpace struct {
	slices  bitboard.Slice
	indices uint64
	other   uint64 // other values for other numbers
}

func (n noiseSpace) SliceName(s bitboard.Slice) string { return fmt.Sprintf("%dv1", s+1) }

func (n noiseSpace) ParseSlice(name string) (s bitboard.Slice, err error) {
	_, err = fmt.Sscanf(name, "%dv1", &s)
	return s - 1, err
}

func (n noiseSpace) Indices(s bitboard.Slice) uint64 { return n.indices + uint64(s) }

func (n noiseSpace) Groups() ([]bitboard.Group, error) { return nil, nil }

func (n noiseSpace) Positions(s bitboard.Slice) uint64 { return n.Indices(s) }

// table makes runs of some dozen distances, which compress well in parts.
func (n noiseSpace) table(m bitboard.Metric, s bitboard.Slice) *bitboard.Table {
	t := bitboard.NewTable(m, s, n.Indices(s))
	random := rand.New(rand.NewPCG(uint64(s), 41+n.other))
	for i := uint64(0); i < n.Indices(s); {
		d := bitboard.MakeDepth(bitboard.Value(1+random.IntN(2)), random.IntN(50))
		for end := min(i+random.Uint64N(8), n.Indices(s)); i < end; i++ {
			if m == bitboard.DTW {
				t.DTW[i] = d
			} else {
				t.WDL.Or(i, d.Value())
			}
		}
	}
	return t
}

func (n noiseSpace) save(s *Store, m bitboard.Metric, slice bitboard.Slice) error {
	sum := bitboard.Summary{Slice: slice, Win: n.Positions(slice)}
	return s.Tables(m, n).Save(context.Background(), n.table(m, slice), sum)
}

// build stores what is missing.
func (n noiseSpace) build(s *Store) error {
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for slice := range n.slices {
			if s.Tables(m, n).Has(slice) {
				continue
			}
			if err := n.save(s, m, slice); err != nil {
				return err
			}
		}
	}
	return nil
}

// check reads every slice that is listed.
func (n noiseSpace) check(t *testing.T, s *Store) {
	t.Helper()
	for _, m := range []bitboard.Metric{bitboard.WDL, bitboard.DTW} {
		for slice := range n.slices {
			if !s.Tables(m, n).Has(slice) {
				continue
			}
			got, want := bitboard.NewTable(m, slice, n.Indices(slice)), n.table(m, slice)
			if err := s.Tables(m, n).Load(context.Background(), got); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.WDL, want.WDL) || !slices.Equal(got.DTW, want.DTW) {
				t.Fatalf("%v %d differs", m, slice)
			}
		}
	}
}

func (n noiseSpace) checkFolder(t *testing.T, dir string) {
	t.Helper()
	s, err := Open(dir, testIdentity, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n.check(t, s)
}

// These variables tell the test process what to do instead of testing, and in
// which folder; limitVariable, which of the system's limits to lower before.
const (
	limitVariable      = "PAIKA_TEST_LIMIT"
	crashVariable      = "PAIKA_TEST_BUILD"
	checkpointVariable = "PAIKA_TEST_CHECKPOINTS"
)

func TestMain(m *testing.M) {
	if limit := os.Getenv(limitVariable); limit != "" {
		if err := openWithin(limit, os.Getenv(crashVariable)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	for variable, work := range map[string]func(dir string) error{
		crashVariable:      buildToBeKilled,
		checkpointVariable: saveCheckpointsToBeKilled,
	} {
		if dir := os.Getenv(variable); dir != "" {
			if err := work(dir); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func crashSpace() noiseSpace { return noiseSpace{slices: 5, indices: 70_000} }

func buildToBeKilled(dir string) error {
	s, err := Open(dir, testIdentity, Options{Version: "test"})
	if err != nil {
		return err
	}
	if err := crashSpace().build(s); err != nil {
		return err
	}
	return s.Close()
}

func TestKilledBuildsGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for some seconds")
	}
	whole := t.TempDir()
	start := time.Now()
	runAndKill(t, crashVariable, whole, time.Hour)
	duration := time.Since(start)
	want := manifests(t, whole)
	random := rand.New(rand.NewPCG(42, 1))
	dir := t.TempDir()
	const kills = 8
	for range kills {
		// A build goes on where the last one was, so that later kills hit later
		// slices.
		runAndKill(t, crashVariable, dir, time.Duration(random.Int64N(int64(duration/kills*2))))
		s := openTest(t, dir, Options{Version: "test"})
		crashSpace().check(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	runAndKill(t, crashVariable, dir, time.Hour)
	if got := manifests(t, dir); !slices.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	crashSpace().checkFolder(t, dir)
}

// runAndKill works in a process of its own, which gets so much time.
func runAndKill(t *testing.T, variable, dir string, after time.Duration) {
	t.Helper()
	killWhen(t, variable, dir, time.After(after))
}

// killWhen works in a process of its own, until something is due.
func killWhen(t *testing.T, variable, dir string, due <-chan time.Time) {
	t.Helper()
	work := exec.Command(os.Args[0])
	work.Env = append(os.Environ(), variable+"="+dir)
	work.Stderr = os.Stderr
	if err := work.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- work.Wait() }()
	var err error
	select {
	case err = <-ended:
	case <-due:
		work.Process.Kill()
		err = <-ended
	}
	if err != nil && work.ProcessState.Exited() {
		t.Fatal(err)
	}
}

// cameToBe tells when a file is there that is not there now.
func cameToBe(t *testing.T, path string) <-chan time.Time {
	t.Helper()
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	due := make(chan time.Time, 1)
	go func() {
		for t.Context().Err() == nil {
			if _, err := os.Stat(path); err == nil {
				due <- time.Now()
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return due
}

func manifests(t *testing.T, dir string) []string {
	t.Helper()
	s, err := Open(dir, testIdentity, Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return []string{manifestOf(t, s, bitboard.WDL), manifestOf(t, s, bitboard.DTW)}
}

// A writer that is killed between making a log and giving it its size leaves it
// with 0 bytes, and one that is killed while it writes a table of the LSM tree
// leaves a part. The next comes past that.
func TestFilesThatKilledWritersBegan(t *testing.T) {
	dir := t.TempDir()
	if err := buildToBeKilled(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, closedFile)); err != nil {
		t.Fatal(err)
	}
	left := map[string]int{"000999.vlog": 0, "00999.mem": 0, "000998.sst": 0, "000999.sst": 5000}
	for _, name := range []string{identityFile, closedFile, manifestFile + "wdl", manifestFile + "dtw", checkpointFile + "dtw"} {
		left[name+lasting.PartSuffix] = 100
	}
	for name, size := range left {
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s := openTest(t, dir, Options{})
	crashSpace().check(t, s)
	for _, part := range files(t, dir) {
		if strings.HasSuffix(part, lasting.PartSuffix) {
			t.Errorf("%s is left", part)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	crashSpace().checkFolder(t, dir)
}
