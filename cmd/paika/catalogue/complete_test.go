package catalogue_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs/complete"
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
	if entries := w.listed(t); len(entries) != 1 {
		t.Errorf("%v in the folder", entries)
	}
}
