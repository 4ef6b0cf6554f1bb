package catalogue_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs/complete"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// A proof that is stopped while it is completed leaves the certificate over tables, from
// which completing goes on.
func TestAProofThatIsStoppedKeepsItsCertificateOverTables(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	ctx, cancel := context.WithCancel(t.Context())
	out := filepath.Join(w.files, "whole")
	proved, err := w.instance.Prove(ctx, w.tables, catalogue.Start, catalogue.ProveOptions{
		Claim: "white-wins", Out: out, Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
		Completing: func(prover.Work) { cancel() },
	})
	if !errors.Is(err, context.Canceled) || proved.Result != proofnumber.Proved || len(proved.Certificates) != 1 || proved.Certificates[0].Complete {
		t.Fatalf("%+v, %v", proved, err)
	}
	if entries := w.listed(t); len(entries) != 1 {
		t.Fatalf("%v in the folder", entries)
	}
	file, err := catalogue.OpenCertificate(t.Context(), out, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	checked, err := w.instance.Check(t.Context(), w.tables, file, catalogue.CheckOptions{Workers: 1, Memory: 1 << 30})
	if err != nil || !checked.Valid || checked.Tables == 0 {
		t.Errorf("%+v, %v", checked, err)
	}
	made, err := w.instance.Complete(t.Context(), w.tables, file, catalogue.CompleteOptions{Out: out + ".complete", Workers: 2, Memory: 1 << 30})
	if err != nil || !made.Valid || made.Kept == 0 || made.Added == 0 || made.Positions != made.Kept+made.Added || made.Bytes == 0 {
		t.Errorf("%+v, %v", made, err)
	}
}

// TestAProofThatIsStoppedWhileItIsCompletedGoesOn: the same call takes up the certificates that the
// search came to, and searches no more, wherever it was stopped.
func TestAProofThatIsStoppedWhileItIsCompletedGoesOn(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.DTW, 4)
	saves := filepath.Join(t.TempDir(), "saves")
	out, whole := filepath.Join(w.files, "proof"), filepath.Join(t.TempDir(), "whole")
	prove := func(out, checkpoints, until string) (catalogue.Proved, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return w.instance.Prove(ctx, w.tables, catalogue.Start, catalogue.ProveOptions{
			Claim: "white-wins", Out: out, Complete: true, Workers: 2, Memory: 1 << 30, Table: 1 << 24, Checkpoints: checkpoints,
			Completing: func(p prover.Work) {
				if until != "" && strings.HasPrefix(p.Doing, until) {
					cancel()
				}
			},
		})
	}
	first, err := prove(out, saves, "completing")
	if !errors.Is(err, context.Canceled) || first.Checkpoint == "" || first.Nodes == 0 {
		t.Fatalf("%+v, %v", first, err)
	}
	again, err := prove(out, saves, "checking")
	if !errors.Is(err, context.Canceled) || again.Checkpoint != first.Checkpoint || again.Resumed != first.Nodes || again.Nodes != first.Nodes {
		t.Fatalf("%+v, %v", again, err)
	}
	done, err := prove(out, saves, "")
	if err != nil || done.Result != proofnumber.Proved || done.Checkpoint != "" || done.Resumed != first.Nodes || done.Nodes != first.Nodes || !done.Certificates[0].Complete {
		t.Fatalf("%+v, %v", done, err)
	}
	if _, err := os.Stat(saves); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is left: %v", err)
	}
	if undisturbed, err := prove(whole, "", ""); err != nil || undisturbed.Resumed != 0 || len(undisturbed.Certificates) != 1 {
		t.Errorf("%+v, %v", undisturbed, err)
	}
}

// TestAStoppedProofSearchesOnWithoutItsCertificate: what the search had found is there.
func TestAStoppedProofSearchesOnWithoutItsCertificate(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.DTW, 4)
	saves, out := filepath.Join(t.TempDir(), "saves"), filepath.Join(w.files, "proof")
	var told []string
	prove := func(completing func(prover.Work)) (catalogue.Proved, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return w.instance.Prove(ctx, w.tables, catalogue.Start, catalogue.ProveOptions{
			Claim: "white-wins", Out: out, Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24, Checkpoints: saves,
			Notice: func(text string) { told = append(told, text) },
			Completing: func(p prover.Work) {
				if completing != nil && strings.HasPrefix(p.Doing, "checking") {
					cancel()
				}
			},
		})
	}
	stopped, err := prove(func(prover.Work) {})
	if !errors.Is(err, context.Canceled) || stopped.Checkpoint == "" {
		t.Fatalf("%+v, %v", stopped, err)
	}
	if left, err := filepath.Glob(filepath.Join(saves, "complete-*")); err != nil || len(left) != 1 {
		t.Fatalf("%v, %v", left, err)
	}
	if err := os.WriteFile(out, []byte("something else"), 0o666); err != nil {
		t.Fatal(err)
	}
	told = nil
	done, err := prove(nil)
	if err != nil || done.Result != proofnumber.Proved || done.Resumed != stopped.Nodes || !done.Certificates[0].Complete {
		t.Fatalf("%+v, %v", done, err)
	}
	if len(told) < 2 || !strings.Contains(told[0], "others are made") || !strings.Contains(told[1], "going on") {
		t.Errorf("told: %q", told)
	}
}

// TestWrongTablesProveNothing: a claim that is proved over them alone is neither proved nor refuted, the more
// often it is asked for.
func TestWrongTablesProveNothing(t *testing.T) {
	const pieces = 4
	w := newWorkbench(t, "3x3", bitboard.WDL, pieces)
	w.storeDraws(t)
	o := catalogue.ProveOptions{
		Claim: "black-not-lost", Out: filepath.Join(w.files, "proof"), Workers: 1, Memory: 1 << 30, Table: 1 << 24,
		Checkpoints: filepath.Join(t.TempDir(), "saves"),
	}
	if over, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); err != nil || over.Result != proofnumber.Proved {
		t.Fatalf("over the tables: %+v, %v", over, err)
	}
	o.Complete = true
	for again := range 2 {
		proved, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o)
		var wrong *catalogue.UncompletedError
		if !errors.As(err, &wrong) || wrong.File != o.Out || wrong.Claim != o.Claim || catalogue.FaultOf(err).Code != catalogue.CodeDamaged || proved.Checkpoint != "" {
			t.Errorf("%+v, %v", proved, err)
		}
		if again == 1 && proved.Resumed == 0 {
			t.Errorf("what was searched before is lost: %+v", proved)
		}
	}
	right := newWorkbench(t, "3x3", bitboard.WDL, pieces)
	if proved, err := w.instance.Prove(t.Context(), right.tables, catalogue.Start, o); err != nil || proved.Result != proofnumber.Refuted {
		t.Errorf("over true tables: %+v, %v", proved, err)
	}
}

// storeDraws has the tables tell that all positions are drawn.
func (w workbench) storeDraws(t *testing.T) {
	t.Helper()
	game, err := fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{})
	if err != nil {
		t.Fatal(err)
	}
	store, err := tablebase.Open(w.tables, w.instance.Identity(), tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	tables := store.Tables(bitboard.WDL, game)
	for _, info := range store.Slices(bitboard.WDL) {
		slice, err := game.ParseSlice(info.Name)
		if err != nil {
			t.Fatal(err)
		}
		table := bitboard.NewTable(bitboard.WDL, slice, info.Indices)
		for i := range info.Indices {
			table.WDL.Or(i, bitboard.Draw)
		}
		sum := bitboard.Summary{Slice: slice, Draw: info.Positions, LongestWin: bitboard.UnknownDistance, LongestLoss: bitboard.UnknownDistance}
		if err := tables.Save(t.Context(), table, sum); err != nil {
			t.Fatal(err)
		}
	}
}

// Completing that is stopped is saved; the next call goes on, to the same file, and
// leaves nothing behind.
func TestCompletingThatIsStoppedGoesOn(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	file, err := catalogue.OpenCertificate(t.Context(), w.mustProve(t, catalogue.Start, "white-wins"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	undisturbed, out, saves := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "saves")
	limits := catalogue.CompleteOptions{Out: undisturbed, Workers: 1, Memory: 1 << 30}
	if _, err := w.instance.Complete(t.Context(), w.tables, file, limits); err != nil {
		t.Fatal(err)
	}
	limits.Out, limits.Checkpoints = out, saves
	var told uint64
	for _, after := range []uint64{60, 120, 180, 30} { // the last while it goes over what was chosen before
		ctx, cancel := context.WithCancel(t.Context())
		limits.Progress = func(p prover.Work) {
			if p.Unit == "position" && p.Done > after {
				cancel()
			}
		}
		_, err := w.instance.Complete(ctx, w.tables, file, limits)
		var stopped *prover.StoppedError
		if !errors.As(err, &stopped) || !errors.Is(err, context.Canceled) || filepath.Dir(stopped.Checkpoint) != saves || stopped.Positions == 0 {
			t.Fatalf("stopped: %v", err)
		}
		if stopped.Positions < told {
			t.Errorf("stopped after %d: %d positions are saved, and %d were", after, stopped.Positions, told)
		}
		told = stopped.Positions
	}
	limits.Progress = nil
	if _, err := w.instance.Complete(t.Context(), w.tables, file, limits); err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(undisturbed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(out); err != nil || !bytes.Equal(got, want) {
		t.Errorf("another file: %v", err)
	}
	if _, err := os.Stat(saves); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the checkpoint is left: %v", err)
	}
}

// TestACompletedCertificateStandsWhereWhatWasSavedStays: a notice tells of that.
func TestACompletedCertificateStandsWhereWhatWasSavedStays(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	file, err := catalogue.OpenCertificate(t.Context(), w.mustProve(t, catalogue.Start, "white-wins"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	saves := t.TempDir()
	var told []string
	made, err := w.instance.Complete(t.Context(), w.tables, file, catalogue.CompleteOptions{
		Out: filepath.Join(t.TempDir(), "whole"), Workers: 1, Memory: 1 << 30, Checkpoints: saves,
		Progress: func(prover.Work) {
			locks, _ := filepath.Glob(filepath.Join(saves, "*"+lasting.LockSuffix))
			for _, lock := range locks { // a folder that is not empty in the place of the file
				os.MkdirAll(filepath.Join(strings.TrimSuffix(lock, lasting.LockSuffix), "something"), 0o777)
			}
		},
		Notice: func(text string) { told = append(told, text) },
	})
	if err != nil || !made.Valid {
		t.Errorf("%+v, %v", made, err)
	}
	if len(told) != 1 || !strings.Contains(told[0], "could not be removed") {
		t.Errorf("told: %q", told)
	}
}

// What can't be completed is refused before the search.
func TestAProofThatCannotBeCompletedIsNotSearched(t *testing.T) {
	w := newWorkbench(t, "3x3", bitboard.WDL, 4)
	o := catalogue.ProveOptions{Claim: "white-wins", Out: filepath.Join(w.files, "whole"), Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24}
	var lacking *prover.LackingError
	if _, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); !errors.As(err, &lacking) || lacking.Metric != bitboard.DTW || !errors.Is(err, tablebase.ErrNotStored) {
		t.Errorf("a win by values alone: %v", err)
	}
	o.Parts = []string{w.mustProve(t, "BBB/.W./WWW b", "white-wins")}
	if _, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); !errors.Is(err, complete.ErrParts) {
		t.Errorf("with a part: %v", err)
	}
	// Without tables there is nothing to complete, and parts are in the way all the same.
	if _, err := w.instance.Prove(t.Context(), t.TempDir(), catalogue.Start, o); !errors.Is(err, complete.ErrParts) {
		t.Errorf("with a part, without tables: %v", err)
	}
	if entries := w.listed(t); len(entries) != 1 {
		t.Errorf("%v in the folder", entries)
	}
}

// A draw one half of which is proved is no proof to be completed: the next run would write the
// half over tables again.
func TestHalfADrawIsNotCompleted(t *testing.T) {
	completing := false
	w := newWorkbench(t, "5x5", bitboard.WDL, 4)
	o := catalogue.ProveOptions{
		Claim: catalogue.ClaimDraw, Out: filepath.Join(w.files, "whole"), Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
		Checkpoints: filepath.Join(t.TempDir(), "search"),
		Completing:  func(prover.Work) { completing = true },
	}
	o.Nodes = 1
	for halves := 0; halves == 0; o.Nodes *= 2 { // until the first half is proved, and the second not
		proved, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o)
		if err != nil || proved.Result != proofnumber.Undecided || completing {
			t.Fatalf("%+v, %v, completing %v", proved, err, completing)
		}
		halves = len(proved.Certificates)
	}
}

// resaved is a checkpoint with another header and other entries.
func resaved(t *testing.T, saved []byte, change func(header, entries []byte) (newHeader, newEntries []byte)) []byte {
	t.Helper()
	in, err := zstd.NewReader(bytes.NewReader(saved))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	header, entries, _ := bytes.Cut(text, []byte("\n"))
	header, entries = change(header, entries)
	out, err := zstd.NewWriter(nil, zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	return out.EncodeAll(slices.Concat(header, []byte("\n"), entries), nil)
}

// The seconds of a proof that was gone on with, and completed then, are those of all runs.
func TestCompletingAddsToTheSecondsOfAllRuns(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	o := catalogue.ProveOptions{
		Claim: "white-wins", Out: filepath.Join(w.files, "whole"), Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
		Checkpoints: filepath.Join(t.TempDir(), "search"), Nodes: 30,
	}
	proved, err := w.instance.Prove(t.Context(), w.tables, catalogue.Start, o)
	if err != nil || proved.Result != proofnumber.Undecided {
		t.Fatalf("%+v, %v", proved, err)
	}
	saved, err := os.ReadFile(proved.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	const before = 5000.
	saved = resaved(t, saved, func(header, entries []byte) ([]byte, []byte) {
		return regexp.MustCompile(`"seconds":[0-9.e-]+`).ReplaceAll(header, fmt.Appendf(nil, `"seconds":%g`, before)), entries
	})
	if err := os.WriteFile(proved.Checkpoint, saved, 0o600); err != nil {
		t.Fatal(err)
	}
	o.Nodes = 0
	proved, err = w.instance.Prove(t.Context(), w.tables, catalogue.Start, o)
	if err != nil || proved.Result != proofnumber.Proved || !proved.Certificates[0].Complete || proved.Seconds < before || proved.Searched > proved.Seconds {
		t.Errorf("%+v, %v", proved, err)
	}
}

// The seconds of a completing that was gone on with are those of all runs, and so are those of a proof
// that was stopped as it was completed.
func TestCompletingTellsTheSecondsOfAllRuns(t *testing.T) {
	const before = 5000.
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	saves, out := filepath.Join(t.TempDir(), "saves"), filepath.Join(w.files, "whole")
	file, err := catalogue.OpenCertificate(t.Context(), w.mustProve(t, catalogue.Start, "white-wins"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	// took has what is saved of completing tell that so much time went by. It tells at least so much.
	took := func(seconds, least float64) {
		t.Helper()
		saved, err := filepath.Glob(filepath.Join(saves, "complete-*.search"))
		if err != nil || len(saved) != 1 {
			t.Fatal(saved, err)
		}
		text, err := os.ReadFile(saved[0])
		if err != nil {
			t.Fatal(err)
		}
		text = resaved(t, text, func(header, entries []byte) ([]byte, []byte) {
			told := regexp.MustCompile(`"seconds":([0-9.e-]+)`)
			match := told.FindSubmatch(header)
			if match == nil {
				t.Fatalf("no seconds are saved: %s", header)
			}
			if got, err := strconv.ParseFloat(string(match[1]), 64); err != nil || got <= least {
				t.Errorf("%s seconds are saved, want more than %g", match[1], least)
			}
			return told.ReplaceAll(header, fmt.Appendf(nil, `"seconds":%g`, seconds)), entries
		})
		if err := os.WriteFile(saved[0], text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	complete := func(stopped bool) (catalogue.Completed, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return w.instance.Complete(ctx, w.tables, file, catalogue.CompleteOptions{
			Out: out, Workers: 1, Memory: 1 << 30, Checkpoints: saves,
			Progress: func(p prover.Work) {
				if stopped && p.Unit == "position" && p.Done > 60 {
					cancel()
				}
			},
		})
	}
	prove := func(stopped bool) (catalogue.Proved, error) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		return w.instance.Prove(ctx, w.tables, catalogue.Start, catalogue.ProveOptions{
			Claim: "white-wins", Out: out, Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24, Checkpoints: saves,
			Completing: func(p prover.Work) {
				if stopped && strings.HasPrefix(p.Doing, "checking") {
					cancel()
				}
			},
		})
	}
	for _, least := range []float64{0, before} { // what is saved by the second is of both
		if made, err := complete(true); !errors.Is(err, context.Canceled) {
			t.Fatalf("%+v, %v", made, err)
		}
		took(before, least)
	}
	made, err := complete(false)
	if err != nil || made.Before != before || made.Seconds < before || made.Seconds > before+1000 || made.Checking > made.Seconds-before {
		t.Errorf("%+v, %v", made, err)
	}
	if made, err := complete(false); err != nil || made.Before != 0 || made.Seconds > 1000 {
		t.Errorf("in one run: %+v, %v", made, err)
	}
	if proved, err := prove(true); !errors.Is(err, context.Canceled) || proved.Seconds > 1000 {
		t.Fatalf("%+v, %v", proved, err)
	}
	took(before, 0)
	if proved, err := prove(true); !errors.Is(err, context.Canceled) || proved.Seconds < before {
		t.Errorf("stopped again: %+v, %v", proved, err)
	}
	proved, err := prove(false)
	if err != nil || proved.Seconds < before || proved.Seconds > before+1000 || proved.Searched > 1000 {
		t.Errorf("%+v, %v", proved, err)
	}
}

// What is saved of completing and does not fit into the memory allowed is not damaged. It stays.
func TestSavedWorkThatDoesNotFitStays(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	file, err := catalogue.OpenCertificate(t.Context(), w.mustProve(t, catalogue.Start, "white-wins"), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	ctx, cancel := context.WithCancel(t.Context())
	limits := catalogue.CompleteOptions{
		Out: filepath.Join(t.TempDir(), "whole"), Workers: 1, Memory: 70 << 20, Checkpoints: filepath.Join(t.TempDir(), "saves"),
		Progress: func(p prover.Work) {
			if p.Unit == "position" && p.Done > 60 {
				cancel()
			}
		},
	}
	_, err = w.instance.Complete(ctx, w.tables, file, limits)
	var stopped *prover.StoppedError
	if !errors.As(err, &stopped) {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(stopped.Checkpoint)
	if err != nil {
		t.Fatal(err)
	}
	const entry, many = 16, 70 << 20 / 8 / 8 // of eight bytes of choices each
	saved = resaved(t, saved, func(header, _ []byte) ([]byte, []byte) {
		entries := make([]byte, (many+1)*entry)
		for i := range many {
			entries[i*entry] = 8
		}
		binary.LittleEndian.PutUint64(entries[many*entry+8:], many)
		return header, entries
	})
	if err := os.WriteFile(stopped.Checkpoint, saved, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := w.instance.Complete(t.Context(), w.tables, file, limits); !errors.Is(err, complete.ErrMemory) || errors.Is(err, checkpoint.ErrFormat) {
		t.Errorf("error %v, want ErrMemory", err)
	}
	if left, err := os.ReadFile(stopped.Checkpoint); err != nil || !bytes.Equal(left, saved) {
		t.Errorf("it does not stay: %v", err)
	}
}

// TestTimeBoundsCompleting: where it ends, the certificate over tables stays, and what was found is
// saved.
func TestTimeBoundsCompleting(t *testing.T) {
	w := newWorkbench(t, "5x3", bitboard.DTW, 4)
	o := catalogue.ProveOptions{
		Claim: "white-wins", Out: filepath.Join(w.files, "whole"), Complete: true, Workers: 1, Memory: 1 << 30, Table: 1 << 24,
		Checkpoints: filepath.Join(t.TempDir(), "search"),
	}
	var began atomic.Bool
	o.Completing = func(at prover.Work) {
		if at.Unit == "position" && at.Done > 60 && began.CompareAndSwap(false, true) {
			<-time.After(o.Time) // which began before
		}
	}
	var proved catalogue.Proved
	var err error
	for o.Time = 200 * time.Millisecond; !began.Load(); o.Time *= 2 { // until the machine comes so far in that
		if proved, err = w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); proved.Position == "" {
			t.Fatal(err)
		} else if err == nil {
			t.Fatalf("it is completed, and nobody was told how that went: %+v", proved)
		}
	}
	if !errors.Is(err, prover.ErrUndecided) || proved.Result != proofnumber.Proved || proved.Certificates[0].Complete {
		t.Errorf("%+v, %v", proved, err)
	}
	if saved, err := os.ReadDir(o.Checkpoints); err != nil || len(saved) != 2 || !strings.HasPrefix(saved[0].Name(), "complete-white-wins-") {
		t.Errorf("%v is saved: %v", saved, err)
	}
	if entries := w.listed(t); len(entries) != 1 {
		t.Errorf("%v in the folder", entries)
	}
	o.Time, o.Completing = time.Hour, nil
	if proved, err = w.instance.Prove(t.Context(), w.tables, catalogue.Start, o); err != nil || !proved.Certificates[0].Complete {
		t.Errorf("with time: %+v, %v", proved, err)
	}
}
