package walk

import (
	"bufio"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"paika/bitboard"
	"paika/bitboard/fanorona"
	"paika/proofs"
)

// positions is the size of the certificate of BenchmarkMake:
//
//	go test ./proofs/walk -run '^$' -bench Make -benchtime 1x -args -positions 12000000
var positions = flag.Int("positions", 100_000, "of the certificate that is indexed")

// BenchmarkMake makes the index of a certificate as large as is asked for, and tells
// what the process took at most, the making of the certificate included.
func BenchmarkMake(b *testing.B) {
	f, path := scattered(b, *positions)
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		file, err := proofs.Open(f, info.Size())
		if err != nil {
			b.Fatal(err)
		}
		digest, err := file.Digest(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		origin := Origin{SHA256: digest}
		if err := Make(b.Context(), path, Key{}, origin, Checked{}, game(b), file, MakeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*(*positions))/b.Elapsed().Seconds(), "positions/s")
	made, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(made.Size())/float64(*positions), "B/position")
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err == nil {
		b.ReportMetric(float64(usage.Maxrss)/1024, "MiB-peak")
	}
}

// BenchmarkOpen opens an index of that size as a server does that starts.
func BenchmarkOpen(b *testing.B) {
	f, path := scattered(b, *positions)
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		b.Fatal(err)
	}
	file, err := proofs.Open(f, info.Size())
	if err != nil {
		b.Fatal(err)
	}
	digest, err := file.Digest(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	if err := Make(b.Context(), path, Key{}, Origin{SHA256: digest}, Checked{}, game(b), file, MakeOptions{}); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		digest, err := file.Digest(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		x, err := Open(b.Context(), path, Key{}, Origin{SHA256: digest})
		if err != nil {
			b.Fatal(err)
		}
		x.Close()
	}
}

// held lists the files of a folder that the process holds.
func held(t *testing.T, folder string) (files []string) {
	t.Helper()
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range open {
		if file, err := os.Readlink(filepath.Join("/proc/self/fd", fd.Name())); err == nil && strings.HasPrefix(file, folder+"/") {
			files = append(files, file)
		}
	}
	return files
}

// What does not fit into the memory that is allowed waits in files that have no name, so that
// nothing is left of a process that is killed. None is held at the end.
func TestWhatDoesNotFitWaitsInFilesWithoutNames(t *testing.T) {
	file := certificate(t, "white-not-lost", reportEvery, unranked)
	for memory, spills := range map[uint64]bool{1 << 17: true, 64 << 20: false} {
		folder := t.TempDir()
		told := false
		err := Make(t.Context(), filepath.Join(folder, "index"), Key{}, Origin{}, Checked{}, sketched, file, MakeOptions{Memory: memory, Progress: func(uint64) {
			told = true
			if runs := held(t, folder); len(runs) > 0 != spills {
				t.Errorf("%d bytes of memory: the files %v", memory, runs)
			}
			if named, err := os.ReadDir(folder); err != nil || len(named) > 0 {
				t.Errorf("%d bytes of memory: %v, %v", memory, named, err)
			}
		}})
		if err != nil || !told {
			t.Fatal(told, err)
		}
		if runs := held(t, folder); len(runs) > 0 {
			t.Errorf("%d bytes of memory: %v are held at the end", memory, runs)
		}
	}
}

// An index that is refused holds no file.
func TestARefusedIndexHoldsNoFile(t *testing.T) {
	f := newFixture(t, 300)
	path, _ := f.index(t, 0)
	if _, err := Open(t.Context(), path, Key{}, f.origin(t)); !errors.Is(err, ErrForged) {
		t.Fatal(err)
	}
	if files := held(t, filepath.Dir(path)); len(files) > 0 {
		t.Errorf("%v are held", files)
	}
}

func game(b *testing.B) *fanorona.Game {
	b.Helper()
	g, err := fanorona.New(bitboard.Board{Width: 9, Height: 5}, fanorona.Rules{})
	if err != nil {
		b.Fatal(err)
	}
	return g
}

// scattered writes a certificate of that many positions of 9x5, which lie as far from
// each other as can be, and gives a path for its index.
func scattered(b *testing.B, positions int) (f *os.File, index string) {
	b.Helper()
	folder := b.TempDir()
	f, err := os.Create(filepath.Join(folder, "proof"))
	if err != nil {
		b.Fatal(err)
	}
	g, out := game(b), bufio.NewWriterSize(f, 1<<20)
	root, side, err := g.Start()
	if err != nil {
		b.Fatal(err)
	}
	w, err := proofs.NewWriter(out, g, proofs.Header{
		Setting: proofs.Setting{Game: "fanorona", Board: "9x5", Rules: g.Rules().String()}, Claim: "white-not-lost", Root: g.Format(root, side),
	}, 1)
	if err != nil {
		b.Fatal(err)
	}
	const cells, most = 30, 205_891_132_094_649 // 3^30
	for i := range positions {
		n := uint64(i) * 61_803_398_875 % most
		var text strings.Builder
		for c := range 45 {
			if c > 0 && c%9 == 0 {
				text.WriteByte('/')
			}
			if c < cells {
				text.WriteByte(".BW"[n%3])
				n /= 3
			} else {
				text.WriteByte("WB."[c%3])
			}
		}
		p, side, err := g.Parse(text.String() + " b")
		if err != nil {
			b.Fatal(err)
		}
		if err := w.Add(proofs.Step[fanorona.Position]{Position: p, Side: side}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	if err := out.Flush(); err != nil {
		b.Fatal(err)
	}
	return f, filepath.Join(folder, "index")
}
