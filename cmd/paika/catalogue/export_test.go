package catalogue_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/csv"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"

	"paika/bitboard"
	"paika/bitboard/breakthrough"
	"paika/bitboard/fanorona"
	"paika/bitboard/konane"
	"paika/bitboard/phutball"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
	"paika/tablebase"
	"paika/tablebase/flat"
)

// flatBoard is a small board whose tables are exported whole, or up to some pieces.
type flatBoard struct {
	game, board string
	pieces      int
	metric      bitboard.Metric
	signs       string // of a position, the empty point last
	sides       [2]string
}

// flatBoards has both metrics, boards with and without a middle, square and not,
// Fanorona's slices that are stored with values left out, and Konane's opening.
var flatBoards = []flatBoard{
	{"fanorona", "3x3", bitboard.AllPieces, bitboard.DTW, "WB.", [2]string{"w", "b"}},
	{"fanorona", "3x3", 2, bitboard.WDL, "WB.", [2]string{"w", "b"}}, // what it leaves out follows from no table
	{"fanorona", "3x4", 7, bitboard.WDL, "WB.", [2]string{"w", "b"}},
	{"fanorona", "5x5", 4, bitboard.WDL, "WB.", [2]string{"w", "b"}},
	{"konane", "4x4", 7, bitboard.WDL, "xo.", [2]string{"b", "w"}},
	{"konane", "3x3", bitboard.AllPieces, bitboard.DTW, "xo.", [2]string{"b", "w"}},
	{"konane", "5x3", 6, bitboard.DTW, "xo.", [2]string{"b", "w"}},
	{"konane", "6x6", 4, bitboard.DTW, "xo.", [2]string{"b", "w"}},
	{"phutball", "3x5", bitboard.AllPieces, bitboard.DTW, "*@.", [2]string{"ohs", "eks"}},
	{"phutball", "4x4", bitboard.AllPieces, bitboard.WDL, "*@.", [2]string{"ohs", "eks"}},
	{"phutball", "5x3", bitboard.AllPieces, bitboard.WDL, "*@.", [2]string{"ohs", "eks"}},
	{"breakthrough", "3x4", 6, bitboard.DTW, "WB.", [2]string{"w", "b"}},
}

func (b flatBoard) String() string { return fmt.Sprintf("%s %s %v", b.game, b.board, b.metric) }

func (b flatBoard) open(t *testing.T) catalogue.Instance {
	t.Helper()
	game, _ := catalogue.Find(b.game)
	instance, err := game.Open(b.board, nil)
	if err != nil {
		t.Fatal(err)
	}
	return instance
}

// build makes tables and exports them.
func (b flatBoard) build(t *testing.T, instance catalogue.Instance, workers, vectors int) (tables, files string) {
	t.Helper()
	tables, files = t.TempDir(), t.TempDir()
	if _, err := instance.Build(t.Context(), tables, catalogue.BuildOptions{Pieces: b.pieces, Metric: b.metric, Workers: workers, Memory: enough}); err != nil {
		t.Fatal(err)
	}
	exported, err := instance.Export(t.Context(), tables, files, catalogue.ExportOptions{Vectors: vectors, Workers: workers, Memory: enough})
	if err != nil {
		t.Fatal(err)
	}
	if len(exported.Slices) == 0 || (exported.Vectors != "") != (vectors > 0) {
		t.Errorf("exported %+v", exported)
	}
	return tables, files
}

// contents are the files of a folder by name.
func contents(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]byte)
	for _, entry := range entries {
		if all[entry.Name()], err = os.ReadFile(filepath.Join(folder, entry.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// manifest is that of a folder of tables.
func manifest(t *testing.T, instance catalogue.Instance, dir string, m bitboard.Metric) []byte {
	t.Helper()
	tables, err := instance.Open(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer tables.Close()
	text, err := tables.Manifest(m)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Two builds export the same bytes, and what is imported is what was built.
func TestFlatTablesAreThoseOfTheGame(t *testing.T) {
	boards := flatBoards
	if testing.Short() {
		boards = boards[:1]
	}
	for _, b := range boards {
		t.Run(b.String(), func(t *testing.T) {
			instance := b.open(t)
			tables, files := b.build(t, instance, 1, 20)
			_, others := b.build(t, instance, 2, 20)
			want, got := contents(t, files), contents(t, others)
			if len(want) != len(got) {
				t.Errorf("%d files with one worker, %d with two", len(want), len(got))
			}
			for name := range want {
				if !bytes.Equal(want[name], got[name]) {
					t.Errorf("%s is not the same with two workers", name)
				}
			}
			imported := t.TempDir()
			for _, stored := range []int{len(want) - 1, 0} { // the second time all is there
				done, err := instance.Import(t.Context(), imported, files, catalogue.ImportOptions{Workers: 2, Memory: enough})
				if err != nil {
					t.Fatal(err)
				}
				if len(done.Slices) != len(want)-1 || done.Stored != stored {
					t.Errorf("%d files, %d of them stored, want %d", len(done.Slices), done.Stored, stored)
				}
			}
			if !bytes.Equal(manifest(t, instance, imported, b.metric), manifest(t, instance, tables, b.metric)) {
				t.Error("the manifest of what was imported is another one")
			}
		})
	}
}

// Rows have every position of a slice once, with the value that the tables tell.
func TestRowsAreThoseOfTheTables(t *testing.T) {
	b := flatBoard{game: "konane", board: "4x4", pieces: 4, metric: bitboard.DTW}
	instance := b.open(t)
	folder, _ := b.build(t, instance, 1, 0)
	tables, stats := stored(t, instance, folder)
	files := t.TempDir()
	if _, err := instance.Export(t.Context(), folder, files, catalogue.ExportOptions{Format: catalogue.CSVFormat, Vectors: 10, Workers: 1, Memory: enough}); err != nil {
		t.Fatal(err)
	}
	all := contents(t, files)
	if len(all) != len(stats.Slices)+1 || all[catalogue.RowsFile] == nil {
		t.Errorf("%d files, want %d and %s", len(all), len(stats.Slices), catalogue.RowsFile)
	}
	for _, slice := range stats.Slices {
		rows, err := csv.NewReader(bytes.NewReader(all[slice.Slice+".dtw.csv"])).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		var positions []string
		var images uint64
		for _, row := range rows[1:] {
			n, err := strconv.ParseUint(row[2], 10, 8)
			if err != nil {
				t.Fatal(err)
			}
			positions, images = append(positions, row[1]), images+n
		}
		if images != slice.Positions {
			t.Errorf("%s: rows of %d positions, want %d", slice.Slice, images, slice.Positions)
		}
		answers, err := tables.Probe(t.Context(), positions)
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows[1:] {
			want := fmt.Sprint(answers[i].Result.Value, ",")
			if d := answers[i].Result.Distance; d != nil {
				want += fmt.Sprint(*d)
			}
			if got := row[3] + "," + row[4]; got != want || answers[i].Err != nil {
				t.Errorf("%s: %s is %s, want %s, %v", slice.Slice, row[1], got, want, answers[i].Err)
			}
		}
	}
}

// Parquet has the rows that CSV has, and what a reader sees there of their columns.
func TestParquetHasTheRowsOfCSV(t *testing.T) {
	for _, b := range []flatBoard{
		{game: "konane", board: "4x4", pieces: 4, metric: bitboard.DTW},
		{game: "fanorona", board: "3x3", pieces: 4, metric: bitboard.WDL},
	} {
		instance := b.open(t)
		folder, _ := b.build(t, instance, 1, 0)
		files := make(map[catalogue.ExportFormat]map[string][]byte)
		for _, format := range []catalogue.ExportFormat{catalogue.CSVFormat, catalogue.ParquetFormat} {
			to := t.TempDir()
			if _, err := instance.Export(t.Context(), folder, to, catalogue.ExportOptions{Format: format, Vectors: 10, Workers: 1, Memory: enough}); err != nil {
				t.Fatal(err)
			}
			files[format] = contents(t, to)
		}
		if got, want := len(files[catalogue.ParquetFormat]), len(files[catalogue.CSVFormat]); got != want || got == 0 {
			t.Errorf("%s: %d files, want %d", b.game, got, want)
		}
		for name, lines := range files[catalogue.CSVFormat] {
			if name == catalogue.RowsFile {
				continue
			}
			packed := files[catalogue.ParquetFormat][strings.TrimSuffix(name, "csv")+"parquet"]
			if got := parquetLines(t, packed); got != string(lines) {
				t.Errorf("%s: %s has not the rows of its csv", b.game, name)
			}
		}
	}
}

// parquetLines writes a file of Parquet as CSV, by the names and kinds of its columns alone.
func parquetLines(t *testing.T, file []byte) string {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, path := range f.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	lines := strings.Join(names, ",") + "\n"
	for _, group := range f.RowGroups() {
		rows := group.Rows()
		buffer := make([]parquet.Row, 100)
		for {
			n, err := rows.ReadRows(buffer)
			for _, row := range buffer[:n] {
				var cells []string
				for _, value := range row {
					cell := ""
					if !value.IsNull() {
						cell = value.String()
					}
					cells = append(cells, cell)
				}
				lines += strings.Join(cells, ",") + "\n"
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		rows.Close()
	}
	return lines
}

// What is imported must be of the game, of its slice, and what tables say already.
func TestImportRefuses(t *testing.T) {
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	tables, files := b.build(t, instance, 1, 0)
	game, _ := catalogue.Find("fanorona")
	other, err := game.Open("3x3", map[string]string{"stalemate": "draw"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Import(t.Context(), t.TempDir(), files, catalogue.ImportOptions{Workers: 1, Memory: enough}); !errors.As(err, new(*tablebase.IdentityError)) {
		t.Errorf("under other rules: error %v", err)
	}
	if _, err := instance.Import(t.Context(), t.TempDir(), t.TempDir(), catalogue.ImportOptions{Workers: 1, Memory: enough}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("from an empty folder: error %v", err)
	}
	if _, err := instance.Import(t.Context(), tables, files, catalogue.ImportOptions{Workers: 1, Memory: 1}); !errors.Is(err, catalogue.ErrMemory) {
		t.Errorf("with one byte: error %v", err)
	}
	if _, err := instance.Export(t.Context(), tables, t.TempDir(), catalogue.ExportOptions{Workers: 1, Memory: 1}); !errors.Is(err, catalogue.ErrMemory) {
		t.Errorf("export with one byte: error %v", err)
	}
	const some = 300 << 20 // less than the compressors of 16 workers take
	for _, workers := range []int{2, 16} {
		_, err := instance.Export(t.Context(), tables, t.TempDir(), catalogue.ExportOptions{Workers: workers, Memory: some})
		if errors.Is(err, catalogue.ErrMemory) != (workers == 16) {
			t.Errorf("export with %d workers and 300 MiB: error %v", workers, err)
		}
		_, err = instance.Import(t.Context(), t.TempDir(), files, catalogue.ImportOptions{Workers: workers, Memory: some})
		if errors.Is(err, catalogue.ErrMemory) != (workers == 16) {
			t.Errorf("import with %d workers and 300 MiB: error %v", workers, err)
		}
	}
	if _, err := instance.Export(t.Context(), tables, t.TempDir(), catalogue.ExportOptions{Slices: []string{"4v4"}, Workers: 1, Memory: enough}); !errors.Is(err, tablebase.ErrNotStored) {
		t.Errorf("export of what is not stored: error %v", err)
	}
	one, two := filepath.Join(files, "1v2.wdl.flat"), filepath.Join(files, "2v1.wdl.flat")
	for _, err := range []error{os.Rename(one, one+"x"), os.Rename(two, one), os.Rename(one+"x", two)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	imported := t.TempDir()
	if _, err := instance.Import(t.Context(), imported, files, catalogue.ImportOptions{Workers: 1, Memory: enough}); !errors.Is(err, flat.ErrName) {
		t.Errorf("swapped files: error %v", err)
	}
	if found := contents(t, imported); len(found) > 0 {
		t.Errorf("%d files were written before the headers were looked at", len(found))
	}
}

// readersVariable asks, if it is "required", for the tests of the readers to fail, not
// to be skipped, where a compiler, a Python or their libraries are missing.
const readersVariable = "PAIKA_READER_TESTS"

// readers gives the commands that run the readers in C and in Python.
func readers(t *testing.T) map[string][]string {
	t.Helper()
	const folder = "../../../tablebase/readers"
	lack := func(what string, output []byte) {
		t.Helper()
		if os.Getenv(readersVariable) == "required" {
			t.Fatalf("%s: %s", what, output)
		}
		t.Skipf("%s", what)
	}
	probe := filepath.Join(t.TempDir(), "probe")
	if output, err := exec.CommandContext(t.Context(), "gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", probe, folder+"/c/probe.c", "-lzstd").CombinedOutput(); err != nil {
		lack("the reader in C needs gcc and libzstd-dev", output)
	}
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.CommandContext(t.Context(), python, "-c", "import zstandard").Run() == nil {
			return map[string][]string{"C": {probe}, "Python": {python, folder + "/python/probe.py"}}
		}
	}
	lack("the reader in Python needs python3 and python3-zstandard", nil)
	return nil
}

// Values that a table was stored without are told of as they are completed.
func TestExportTellsWhatItCompletes(t *testing.T) {
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 4}
	instance := b.open(t)
	tables, _ := b.build(t, instance, 1, 0)
	told := make(map[string]uint64)
	o := catalogue.ExportOptions{Slices: []string{"3v1"}, Workers: 1, Memory: enough}
	o.Progress = func(doing string, done, total uint64) {
		if done <= told[doing] || done > total {
			t.Errorf("%s: %d of %d after %d", doing, done, total, told[doing])
		}
		told[doing] = done
	}
	if _, err := instance.Export(t.Context(), tables, t.TempDir(), o); err != nil {
		t.Fatal(err)
	}
	if all := told["exporting 3v1"]; all == 0 || told["completing 3v1"] != all {
		t.Errorf("%v", told)
	}
}

// Test vectors say what readers print, who take a slice with distances where it is there, be it from
// an earlier export.
func TestVectorsAreOfTheFilesThatAreThere(t *testing.T) {
	both := flatBoard{game: "fanorona", board: "3x3", pieces: 3, metric: bitboard.DTW}
	instance := both.open(t)
	tables, files := both.build(t, instance, 1, 20)
	without := t.TempDir()
	for _, folder := range []string{tables, without} {
		if _, err := instance.Build(t.Context(), folder, catalogue.BuildOptions{Pieces: 3, Metric: bitboard.WDL, Workers: 1, Memory: enough}); err != nil {
			t.Fatal(err)
		}
	}
	vectors := func() string { return string(contents(t, files)[catalogue.VectorsFile]) }
	first := vectors()
	for _, c := range []struct {
		tables  string
		vectors int
		want    string
	}{
		{tables, 20, first},
		{without, 20, ""}, // nobody knows the distances in the files
		{tables, 20, first},
		{tables, 0, ""},
	} {
		o := catalogue.ExportOptions{Metrics: []bitboard.Metric{bitboard.WDL}, Vectors: c.vectors, Workers: 1, Memory: enough}
		if _, err := instance.Export(t.Context(), c.tables, files, o); err != nil {
			t.Fatal(err)
		}
		if got := vectors(); got != c.want || !strings.Contains(first, "win 1") {
			t.Errorf("%d vectors: %q, want %q", c.vectors, got, c.want)
		}
	}
	if _, there := contents(t, files)[catalogue.VectorsFile]; there {
		t.Error("vectors of an earlier export are there")
	}
}

// A folder has the files of one export at a time: who comes second is refused, whatever it writes,
// before it writes anything. No lock stays.
func TestOneExportAtATimeWritesToAFolder(t *testing.T) {
	first, second := flatBoard{game: "fanorona", board: "3x3", pieces: 3}, flatBoard{game: "konane", board: "3x3", pieces: bitboard.AllPieces}
	mine, others := first.open(t), second.open(t)
	tables, _ := first.build(t, mine, 1, 0)
	otherTables, _ := second.build(t, others, 1, 0)
	for _, format := range catalogue.ExportFormats() {
		to := filepath.Join(t.TempDir(), "new")
		asked := 0
		o := catalogue.ExportOptions{Format: catalogue.ExportFormat(format), Workers: 1, Memory: enough}
		o.Progress = func(string, uint64, uint64) {
			if asked++; asked > 1 {
				return
			}
			for instance, dir := range map[catalogue.Instance]string{mine: tables, others: otherTables} {
				_, err := instance.Export(t.Context(), dir, to, catalogue.ExportOptions{Format: o.Format, Workers: 1, Memory: enough})
				if !errors.Is(err, lasting.ErrLocked) || catalogue.FaultOf(err).Code != catalogue.CodeLocked || !strings.Contains(err.Error(), to+": ") {
					t.Errorf("%s: a second export: %v", format, err)
				}
			}
		}
		done, err := mine.Export(t.Context(), tables, to, o)
		if err != nil || asked == 0 {
			t.Fatalf("%s: %v, asked %d times", format, err, asked)
		}
		var want []string
		for _, s := range done.Slices {
			want = append(want, filepath.Base(s.File))
		}
		if o.Format != catalogue.FlatFormat {
			want = append(want, catalogue.RowsFile)
		}
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(contents(t, to))); !slices.Equal(got, want) {
			t.Errorf("%s: the folder has %v, want %v", format, got, want)
		}
	}
}

// An export that is stopped leaves no test vectors of files that it has replaced or joined.
func TestStoppedExportsAndImportsTellHowFarTheyCame(t *testing.T) {
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	tables, files := b.build(t, instance, 1, 20)
	const all = 3 // slices
	// second gives what stops with the second slice.
	second := func() (context.Context, func(doing string, done, total uint64)) {
		ctx, stop := context.WithCancel(t.Context())
		first := ""
		return ctx, func(doing string, _, _ uint64) {
			if first = cmp.Or(first, doing); doing != first {
				stop()
			}
		}
	}
	ctx, watch := second()
	imported, err := instance.Import(ctx, t.TempDir(), files, catalogue.ImportOptions{Workers: 1, Memory: enough, Progress: watch})
	if !errors.Is(err, context.Canceled) || imported.Stored != 1 || len(imported.Slices) != 1 || imported.Files != all {
		t.Errorf("imported %+v, %v", imported, err)
	}
	to := t.TempDir()
	ctx, watch = second()
	exported, err := instance.Export(ctx, tables, to, catalogue.ExportOptions{Vectors: 20, Workers: 1, Memory: enough, Progress: watch})
	if !errors.Is(err, context.Canceled) || len(exported.Slices) != 1 || exported.Files != all {
		t.Errorf("exported %+v, %v", exported, err)
	}
	if written, err := filepath.Glob(filepath.Join(to, "*"+flat.Suffix)); len(written) != 1 || err != nil {
		t.Errorf("there are %v, %v", written, err)
	}
}

func TestAStoppedExportLeavesNoVectorsOfOthers(t *testing.T) {
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	tables, files := b.build(t, instance, 1, 20)
	path := filepath.Join(files, catalogue.VectorsFile)
	linked := filepath.Join(t.TempDir(), "linked")
	if err := os.Rename(path, linked); err != nil {
		t.Fatal(err)
	}
	link := os.Symlink(linked, path)
	if link != nil { // not everybody may make one
		if err := os.Rename(linked, path); err != nil {
			t.Fatal(err)
		}
	}
	ctx, stop := context.WithCancel(t.Context())
	first := ""
	o := catalogue.ExportOptions{Vectors: 20, Workers: 1, Memory: enough}
	o.Progress = func(doing string, _, _ uint64) {
		if first = cmp.Or(first, doing); doing != first {
			stop()
		}
	}
	if _, err := instance.Export(ctx, tables, files, o); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("test vectors are there, error %v", err)
	}
	o.Progress = nil
	if _, err := instance.Export(t.Context(), tables, files, o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(linked); link == nil && err != nil {
		t.Errorf("the link is no more: %v", err)
	}
}

// Readers that know FORMAT.md alone say what the tables say: of the test vectors, and
// of positions by chance.
func TestReadersAgree(t *testing.T) {
	if testing.Short() {
		t.Skip("other programs read the tables, one after the other")
	}
	commands := readers(t)
	ofGame := 10_000 // positions of each game, shared by its boards
	if os.Getenv(readersVariable) == "required" {
		ofGame = 100_000
	}
	boards := make(map[string]int)
	for _, b := range flatBoards {
		boards[b.game]++
	}
	for _, b := range flatBoards {
		many := (ofGame + boards[b.game] - 1) / boards[b.game]
		t.Run(b.String(), func(t *testing.T) {
			instance := b.open(t)
			folder, files := b.build(t, instance, 2, 100)
			tables, err := instance.Open(folder, 2)
			if err != nil {
				t.Fatal(err)
			}
			defer tables.Close()
			positions, want := b.byChance(t, tables, many)
			for line := range strings.Lines(string(contents(t, files)[catalogue.VectorsFile])) {
				position, said, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
				positions, want = append(positions, position), append(want, said)
			}
			for language, command := range commands {
				if b.game == "breakthrough" && language == "C" {
					continue // which it does not know
				}
				got := ask(t, command, files, positions)
				for i := range got {
					if got[i] != want[i] && (want[i] != "?" || !strings.HasPrefix(got[i], "? ")) {
						t.Fatalf("%s: %s is %s, want %s", language, positions[i], got[i], want[i])
					}
				}
			}
		})
	}
}

// byChance draws positions, and tells what a reader has to say of each.
func (b flatBoard) byChance(t *testing.T, tables catalogue.Tables, many int) (positions, want []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(len(b.game)+len(b.board))))
	for range many {
		positions = append(positions, b.draw(t, random))
	}
	answers, err := tables.Probe(t.Context(), positions)
	if err != nil {
		t.Fatal(err)
	}
	known := 0
	for _, answer := range answers {
		said := "?"
		if answer.Err == nil {
			known++
			said = answer.Result.Value
			// Where the game is over, tables without distances do not tell that it is.
			outside := answer.Result.Over && b.outside(answer.Result.Position)
			if d := answer.Result.Distance; d != nil && (b.metric == bitboard.DTW || outside) {
				said = fmt.Sprintf("%s %d", said, *d)
			}
		}
		want = append(want, said)
	}
	if known < many/2 {
		t.Errorf("%d of %d positions are in the tables", known, many)
	}
	return positions, want
}

// outside tells of positions that are over whether they are in no slice: a side of
// Fanorona without stones, the ball of Phutball on a goal row, all of Breakthrough's.
func (b flatBoard) outside(position string) bool {
	rows := strings.Split(strings.Fields(position)[0], "/")
	switch b.game {
	case "fanorona":
		return !strings.Contains(position[:strings.IndexByte(position, ' ')], "W") || !strings.Contains(position, "B")
	case "breakthrough":
		return true
	case "phutball":
		return strings.Contains(rows[0]+rows[len(rows)-1], "@")
	}
	return false
}

// draw draws a position that notation allows, with as many pieces as are stored.
func (b flatBoard) draw(t *testing.T, random *rand.Rand) string {
	t.Helper()
	board, err := bitboard.ParseBoard(b.board)
	if err != nil {
		t.Fatal(err)
	}
	most := b.pieces
	if most == bitboard.AllPieces {
		most = board.Points()
	}
	pieces := make(map[int]bool)
	for _, p := range random.Perm(board.Points())[:1+random.IntN(most)] {
		pieces[p] = true
	}
	ball := random.IntN(board.Points())
	rows := board.FormatRows(func(p bitboard.Point) byte {
		n := p.Rank*board.Width + p.File
		switch {
		case b.game == "phutball" && n == ball:
			return '@'
		case !pieces[n]:
			return '.'
		case b.game == "phutball":
			return '*'
		case b.game == "konane":
			return b.signs[(p.File+p.Rank)%2]
		}
		return b.signs[random.IntN(2)]
	})
	return rows + " " + b.sides[random.IntN(2)]
}

// ask has a reader answer positions.
func ask(t *testing.T, command []string, files string, positions []string) []string {
	t.Helper()
	run := exec.CommandContext(t.Context(), command[0], append(command[1:], files)...)
	run.Stdin = strings.NewReader(strings.Join(positions, "\n") + "\n")
	output, err := run.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v: %v, %s", command, err, exit.Stderr)
	}
	answers := strings.Split(strings.TrimSuffix(string(output), "\n"), "\n")
	if len(answers) != len(positions) {
		t.Fatalf("%v: %d answers for %d positions", command, len(answers), len(positions))
	}
	return answers
}

// A reader says what is wrong with files, in plain words, and gives no value from them.
func TestReadersRefuseDamage(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	path := filepath.Join(files, "2v1.wdl.flat")
	whole := contents(t, files)["2v1.wdl.flat"]
	const position = "W../.W./..B w"
	for language, command := range commands {
		for name, file := range map[string][]byte{
			"header":    bytes.Replace(whole, []byte("\nwins "), []byte("\nwins 9"), 1),
			"block":     changed(whole, bytes.Index(whole, []byte("\n\n"))+8),
			"directory": changed(whole, len(whole)-20),
			"cut":       whole[:len(whole)-30],
			"format":    bytes.Replace(whole, []byte("flat 1\n"), []byte("flat 2\n"), 1),
			"letter":    []byte("Dear reader,\n"),
			"nothing":   {},
			"no key":    bytes.Replace(whole, []byte("\nblocks "), []byte("\nbricks "), 1),
			"no number": bytes.Replace(whole, []byte("\nblocks "), []byte("\nblocks x"), 1),
			"other":     bytes.Replace(whole, []byte("stalemate=loss"), []byte("stalemate=draw"), 1),
			"no blocks": bytes.Replace(whole, []byte("block-indices 65536"), []byte("block-indices 0"), 1),
			"no value":  withBlock(t, whole, bytes.Repeat([]byte{0xff}, 84/4)),
			"too much":  withBlock(t, whole, make([]byte, 64<<20)),
			"too long":  withFrame(whole, append(packed(t, make([]byte, 84/4)), skipped(66<<10)...)),
			"per block": withBlock(t, bytes.Replace(whole, []byte("block-indices 65536"), []byte("block-indices 99999999"), 1), make([]byte, 84/4)),
		} {
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			run := exec.CommandContext(context.Background(), command[0], append(command[1:], files)...)
			run.Stdin = strings.NewReader(position + "\n")
			var problems bytes.Buffer
			run.Stderr = &problems
			output, err := run.Output()
			if strings.Contains(string(output), fmt.Sprint(64<<20)) {
				t.Errorf("%s, %s: it makes room for all of it: %s", language, name, output)
			}
			if name == "nothing" && !strings.Contains(problems.String()+string(output), path) {
				t.Errorf("%s: it does not name the file: %s", language, problems.String())
			}
			if err == nil || len(output) > 0 && output[0] != '?' || len(output)+problems.Len() == 0 || strings.Contains(problems.String(), "Traceback") {
				t.Errorf("%s, %s: %s, %s, %v", language, name, output, problems.String(), err)
			}
		}
	}
}

// forgery is a file whose checksums are right, under a name.
type forgery struct {
	name string
	file []byte
}

// forgedHeaders are of another form than headers have, or contradict themselves.
func forgedHeaders(t *testing.T, whole []byte) map[string]forgery {
	t.Helper()
	const name = "2v1.wdl.flat"
	content := unpacked(t, whole)
	forged := make(map[string]forgery)
	for what, c := range map[string]struct{ name, old, new string }{
		"a leading zero":           {name, "indices 84", "indices 084"},
		"a sign":                   {name, "indices 84", "indices +84"},
		"two blanks":               {name, "indices 84", "indices  84"},
		"a blank behind":           {name, "indices 84", "indices 84 "},
		"a letter":                 {name, "\nwins ", "\nwins x"},
		"a return":                 {name, "\nquiet ", "\nquiet \r"},
		"a NUL":                    {name, "\nquiet ", "\nquiet \x00"},
		"a number of 65 bits":      {name, "\nquiet ", "\nquiet 18446744073709551616"},
		"more wins":                {name, "\nwins ", "\nwins 9"},
		"no indices":               {name, "indices 84\n", "indices 0\n"},
		"too many indices":         {name, "indices 84\n", "indices 281474976710656\n"},
		"two blocks":               {name, "\nblocks 1\n", "\nblocks 2\n"},
		"other blocks":             {name, "block-indices 65536", "block-indices 32768"},
		"blocks of dtw":            {name, "block-indices 65536", "block-indices 16384"},
		"another metric":           {name, "metric wdl", "metric dtc"},
		"a distance without dtw":   {name, "longest-win -", "longest-win 7"},
		"a long fingerprint":       {name, "fingerprint ", "fingerprint a"},
		"one more line":            {name, "\nwins ", "\nties 0\nwins "},
		"one more line at the end": {name, "\nblocks 1\n", "\nblocks 1\nties 0\n"},
		"a line twice":             {name, "\nblocks 1\n", "\nblocks 1\nindices 84\n"},
		"a line less":              {name, "longest-win -\n", ""},
		"two lines exchanged":      {name, "game fanorona\nboard 3x3", "board 3x3\ngame fanorona"},
		"a board with a zero":      {name, "board 3x3", "board 03x3"},
		"a board of three sides":   {name, "board 3x3", "board 3x3x3"},
		"a board of one side":      {name, "board 3x3", "board 3"},
		"a board without points":   {name, "board 3x3", "board 0x3"},
		"a board and a blank":      {name, "board 3x3", "board 3x3 "},
		"a version with a zero":    {name, "flat 1\n", "flat 01\n"},
		"another slice":            {name, "slice 2v1", "slice 1v2"},
		"another name":             {"zz.wdl.flat", "", ""},
		"another metric's name":    {"2v1.dtw.flat", "", ""},
		"no slice":                 {".wdl.flat", "slice 2v1", "slice "},
		"a slice and letters":      {"2v1zzz.wdl.flat", "slice 2v1", "slice 2v1zzz"},
		"a slice with a zero":      {"02v1.wdl.flat", "slice 2v1", "slice 02v1"},
		"a slice with a sign":      {"2v+1.wdl.flat", "slice 2v1", "slice 2v+1"},
		"a slice with a minus":     {"-2v1.wdl.flat", "slice 2v1", "slice -2v1"},
		"a slice of Phutball":      {"all.wdl.flat", "slice 2v1", "slice all"},
		"a slice of other boards":  {"9v1.wdl.flat", "slice 2v1", "slice 9v1"},
		"a slice of 100 and 1":     {"100v1.wdl.flat", "slice 2v1", "slice 100v1"},
	} {
		file := bytes.Replace(whole, []byte(c.old), []byte(c.new), 1)
		if c.old != "" && bytes.Equal(file, whole) {
			t.Fatalf("%s: no %q", what, c.old)
		}
		forged[what] = forgery{c.name, withBlock(t, file, content)}
	}
	dtw := strings.NewReplacer("metric wdl", "metric dtw", "block-indices 65536", "block-indices 16384", "longest-win -", "longest-win 8192")
	forged["a distance too long"] = forgery{"2v1.dtw.flat", withBlock(t, []byte(dtw.Replace(string(whole))), make([]byte, 2*84))}
	directory := len(whole) - 20
	forged["something before the directory"] = forgery{name, slices.Concat(whole[:directory], []byte("else"), whole[directory:])}
	none := regexp.MustCompile(`(?m)^(indices|positions|wins|losses|draws|quiet|blocks) \d+$`).ReplaceAll(whole[:bytes.Index(whole, []byte("\n\n"))+2], []byte("$1 0"))
	forged["no indices and no blocks"] = forgery{name, binary.LittleEndian.AppendUint32(none, crc32.ChecksumIEEE(none))}
	return forged
}

// forgedFrames hold the values of a file in other frames than it may have.
func forgedFrames(t *testing.T, whole []byte) map[string]forgery {
	t.Helper()
	content := unpacked(t, whole)
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
	forged := make(map[string]forgery)
	for what, frame := range map[string][]byte{
		"a frame without its size":         rawFrame(0x00, []byte{window128K}, content),
		"a frame of another size":          rawFrame(0x80, []byte{window128K, 99, 0, 0, 0}, content),
		"a window above 128 KiB":           rawFrame(0x80, append([]byte{window128K + 1}, size...), content),
		"a window of 128 MiB":              rawFrame(0x80, append([]byte{17 << 3}, size...), content),
		"two frames":                       append(packed(t, content[:9]), packed(t, content[9:])...),
		"a frame and an empty one":         append(packed(t, content), rawFrame(0x20, []byte{0}, nil)...),
		"a frame that says nothing before": append(skipped(9), packed(t, content)...),
		"a frame that says nothing behind": append(packed(t, content), skipped(9)...),
		"a frame that says nothing alone":  skipped(len(content)),
		"a byte behind":                    append(packed(t, content), 0),
		"half a frame":                     packed(t, content)[:8],
		"no frame":                         nil,
	} {
		forged[what] = forgery{"2v1.wdl.flat", withFrame(whole, frame)}
	}
	return forged
}

// onlyPosition is what readers are asked for of forged files.
const onlyPosition = "W../.W./..B w"

// forgedValues hold something where onlyPosition has its value, or in the same byte, that is none.
func forgedValues(t *testing.T, whole []byte) map[string]forgery {
	t.Helper()
	_, index := placeIn(fanorona.New(bitboard.Board{Width: 3, Height: 3}, fanorona.Rules{}))(t, onlyPosition)
	left := (index + 1) % 4
	if left == 0 {
		t.Fatalf("index %d is the last of its byte", index)
	}
	wdl := bytes.Replace(whole, []byte("indices 84"), fmt.Appendf(nil, "indices %d", index+1), 1)
	behind := append(make([]byte, index/4), 1<<(2*left))
	dtw := []byte(strings.NewReplacer("metric wdl", "metric dtw", "block-indices 65536", "block-indices 16384").Replace(string(whole)))
	depth := func(d uint16) []byte {
		content := make([]byte, 2*84)
		binary.LittleEndian.PutUint16(content[2*index:], d)
		return content
	}
	return map[string]forgery{
		"no value":                {"2v1.wdl.flat", withBlock(t, whole, bytes.Repeat([]byte{0xff}, 84/4))},
		"a value behind the last": {"2v1.wdl.flat", withBlock(t, wdl, behind)},
		"no value with distances": {"2v1.dtw.flat", withBlock(t, dtw, depth(7))},
		"a draw in a turn":        {"2v1.dtw.flat", withBlock(t, dtw, depth(4))},
		"a win in 8,192 turns":    {"2v1.dtw.flat", withBlock(t, dtw, depth(4*8192+1))},
	}
}

// window128K is the byte of a frame's header that tells of a window of 128 KiB.
const window128K = (17 - 10) << 3

// rawFrame is content in a zstd frame, as it is, behind a header of a descriptor and some fields.
func rawFrame(descriptor byte, fields, content []byte) []byte {
	frame := append(binary.LittleEndian.AppendUint32(nil, 0xfd2fb528), descriptor)
	head := 1 | len(content)<<3 // the last block, and raw
	return slices.Concat(frame, fields, []byte{byte(head), byte(head >> 8), byte(head >> 16)}, content)
}

// forgeries are folders of a file each, by what is wrong with it.
func forgeries(t *testing.T, instance catalogue.Instance, b flatBoard) map[string]string {
	t.Helper()
	_, files := b.build(t, instance, 1, 0)
	whole := contents(t, files)["2v1.wdl.flat"]
	all := forgedHeaders(t, whole)
	maps.Copy(all, forgedFrames(t, whole))
	maps.Copy(all, forgedValues(t, whole))
	folders := make(map[string]string)
	for what, f := range all {
		folders[what] = t.TempDir()
		if err := os.WriteFile(filepath.Join(folders[what], f.name), f.file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return folders
}

// What FORMAT.md does not allow for is not imported, however right its checksums are.
func TestImportRefusesForgeries(t *testing.T) {
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	for what, folder := range forgeries(t, instance, b) {
		_, err := instance.Import(t.Context(), t.TempDir(), folder, catalogue.ImportOptions{Workers: 1, Memory: enough})
		if !errors.Is(err, tablebase.ErrDamaged) && !errors.As(err, new(*tablebase.IdentityError)) {
			t.Errorf("%s: error %v", what, err)
		}
	}
}

// Nor do the readers give a value from it: they refuse the folder or, where it is a block, the answer.
func TestReadersRefuseForgeries(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	for what, folder := range forgeries(t, b.open(t), b) {
		for language, command := range commands {
			run := exec.CommandContext(t.Context(), command[0], append(command[1:], folder)...)
			run.Stdin = strings.NewReader(onlyPosition + "\n")
			output, err := run.CombinedOutput()
			said := string(output)
			if err == nil || strings.Contains(said, "Traceback") ||
				!strings.Contains(said, folder) && !strings.HasPrefix(said, "? slice 2v1, block 0: ") && !strings.HasPrefix(said, "? slice 2v1: no value at ") {
				t.Errorf("%s, %s: %s, %v", language, what, said, err)
			}
		}
	}
}

// Frames that FORMAT.md allows for, though paika writes others, are read.
func TestReadersTakeFramesOfOthers(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	_, files := b.build(t, instance, 1, 0)
	whole, folder := contents(t, files)["2v1.wdl.flat"], t.TempDir()
	content := unpacked(t, whole)
	size := binary.LittleEndian.AppendUint32(nil, uint32(len(content)))
	repeated := rawFrame(0x80, append([]byte{window128K}, size...), nil)
	const block, inTwo = 3, 9 // bytes: before a block, and of the first
	repeated = repeated[:len(repeated)-block]
	repeated = append(append(repeated, inTwo<<3, 0, 0), content[:inTwo]...)
	for _, b := range content[inTwo:] {
		repeated = append(repeated, 1<<3|1<<1, 0, 0, b) // one byte, once
	}
	repeated = append(repeated, 1, 0, 0)
	for what, frame := range map[string][]byte{
		"a window of 128 KiB": rawFrame(0x80, append([]byte{window128K}, size...), content),
		"many blocks":         repeated,
		"a checksum":          packed(t, content),
	} {
		if err := os.WriteFile(filepath.Join(folder, "2v1.wdl.flat"), withFrame(whole, frame), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := instance.Import(t.Context(), t.TempDir(), folder, catalogue.ImportOptions{Workers: 1, Memory: enough}); err != nil {
			t.Errorf("Go, %s: error %v", what, err)
		}
		for language, command := range commands {
			if got := ask(t, command, folder, []string{"WW./.../..B w"}); got[0] != "win" {
				t.Errorf("%s, %s: %s", language, what, got[0])
			}
		}
	}
}

// Files whose names are not those of tables mean nothing to any reader.
func TestReadersLetOtherFilesAlone(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	instance := b.open(t)
	_, files := b.build(t, instance, 1, 0)
	all := contents(t, files)
	lost := withBlock(t, all["2v1.wdl.flat"], bytes.Repeat([]byte{0xaa}, 84/4))
	for name, file := range map[string][]byte{
		"0-old.flat": lost, "zzz.flat": lost, "2v1.flat": lost, "2v1.wdl.flat.old": lost, "2v1.wdl": lost,
		"flat": lost, ".flat": lost, "torn.flat": lost[:100], "readme": []byte("Dear reader,\n"),
	} {
		if err := os.WriteFile(filepath.Join(files, name), file, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	done, err := instance.Import(t.Context(), t.TempDir(), files, catalogue.ImportOptions{Workers: 1, Memory: enough})
	if err != nil || len(done.Slices) != len(all) {
		t.Errorf("Go: %d slices of %d files, error %v", len(done.Slices), len(all), err)
	}
	for language, command := range commands {
		if got := ask(t, command, files, []string{"WW./.../..B w"}); got[0] != "win" {
			t.Errorf("%s: %s", language, got[0])
		}
	}
}

// Texts of a stranger's files do nothing to a terminal.
func TestReadersShowNoControlCharacters(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	whole := contents(t, files)["2v1.wdl.flat"]
	const escape, position = "\x1b[2J\x9b", "W../.W./..B w"
	with := func(key, value string) []byte {
		file := bytes.Replace(whole, []byte("\n"+key+" "+value+"\n"), []byte("\n"+key+" "+value+escape+"\n"), 1)
		return withBlock(t, file, bytes.Repeat([]byte{0xff}, 84/4))
	}
	for what, files := range map[string]map[string][]byte{
		"game":      {"2v1.wdl.flat": with("game", "fanorona")},
		"slice":     {"2v1.wdl.flat": with("slice", "2v1")},
		"rules":     {"2v1.wdl.flat": whole, "1v2.wdl.flat": with("rules", "stalemate=loss,direction-rule=no-repeat")},
		"blocks":    {"2v1.wdl.flat": with("blocks", "1")},
		"file name": {escape + ".wdl.flat": []byte("Dear reader,\n")},
	} {
		folder := t.TempDir()
		for name, file := range files {
			if err := os.WriteFile(filepath.Join(folder, name), file, 0o666); err != nil {
				t.Skip(err)
			}
		}
		for language, command := range commands {
			run := exec.CommandContext(t.Context(), command[0], append(command[1:], folder)...)
			run.Stdin = strings.NewReader(position + "\n")
			output, err := run.CombinedOutput()
			if err == nil || len(output) == 0 || bytes.Contains(output, []byte("Traceback")) || bytes.ContainsFunc(output, func(r rune) bool { return r != '\n' && (r < ' ' || r > '~') }) {
				t.Errorf("%s, %s: %q, %v", language, what, output, err)
			}
		}
	}
}

// The memory that a reader takes does not go with the size of a file.
func TestReadersTakeNoMemoryForDirectories(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	const blocks, size = 2 << 20, 1 << 16 // all but the first are empty
	header := contents(t, files)["2v1.wdl.flat"]
	header = header[:bytes.Index(header, []byte("\n\n"))+2]
	for key, value := range map[string]int{"indices": blocks * size, "blocks": blocks} {
		header = regexp.MustCompile(`(?m)^`+key+` \d+$`).ReplaceAll(header, fmt.Appendf(nil, "%s %d", key, value))
	}
	frame := packed(t, bytes.Repeat([]byte{0x55}, size/4))
	directory := make([]byte, 16*blocks)
	for i := range blocks {
		binary.LittleEndian.PutUint64(directory[16*i:], uint64(len(header)+len(frame)))
	}
	binary.LittleEndian.PutUint64(directory, uint64(len(header)))
	binary.LittleEndian.PutUint32(directory[8:], uint32(len(frame)))
	binary.LittleEndian.PutUint32(directory[12:], crc32.ChecksumIEEE(frame))
	sum := crc32.Update(crc32.ChecksumIEEE(header), crc32.IEEETable, directory)
	folder := t.TempDir()
	file := binary.LittleEndian.AppendUint32(slices.Concat(header, frame, directory), sum)
	if err := os.WriteFile(filepath.Join(folder, "2v1.wdl.flat"), file, 0o666); err != nil {
		t.Fatal(err)
	}
	for language, command := range commands {
		const limited = `ulimit -d 65536 && exec "$@"` // KiB: of what is no part of a file
		run := exec.CommandContext(t.Context(), "sh", append([]string{"-c", limited, "sh"}, append(command, folder)...)...)
		run.Stdin = strings.NewReader("W../.W./..B w\n")
		if output, err := run.CombinedOutput(); err != nil || string(output) != "win\n" {
			t.Errorf("%s: %.300q, %v", language, output, err)
		}
	}
}

// Blocks of all files are kept together, and no more than a reader says.
func TestTheReaderInPythonKeepsFewBlocks(t *testing.T) {
	python := readers(t)["Python"]
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 4}
	_, files := b.build(t, b.open(t), 1, 0)
	const counting = `
import sys, weakref
import probe

class Content:
    def __init__(self, values):
        self.values = values
    def __getitem__(self, i):
        return self.values[i]

def block(self, number, read=probe.Slice.block):
    content = Content(read(self, number))
    kept.add(content)
    return content

kept, probe.Slice.block, probe.KEPT_BLOCKS = weakref.WeakSet(), block, 2
tables = probe.Tables(sys.argv[1])
for position in ("W../.../..B w", "W../.W./..B w", "W../.B./..B w", "W../WW./..B w", "W../.WB/..B w"):
    tables.probe(position)
print(len(kept))
`
	run := exec.CommandContext(t.Context(), python[0], "-c", counting, files)
	run.Env = append(os.Environ(), "PYTHONDONTWRITEBYTECODE=1", "PYTHONPATH="+filepath.Dir(python[1]))
	if output, err := run.CombinedOutput(); err != nil || string(output) != "1\n" && string(output) != "2\n" {
		t.Errorf("%s, %v", output, err)
	}
}

// What a reader could not read or write is no success, and a line that is too long is one question.
func TestReadersSayWhatFailed(t *testing.T) {
	command := readers(t)["C"]
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	const position = "W../.W./..B w\n"
	answers := ask(t, command, files, []string{strings.Repeat("W", 200_000), strings.TrimSpace(position)})
	if answers[0] != "? the line is too long" || answers[1][0] == '?' {
		t.Errorf("a long line, and another: %s", answers)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	folder, err := os.Open(files)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	for what, run := range map[string]*exec.Cmd{
		"standard output": {Stdin: strings.NewReader(position), Stdout: full},
		"standard input":  {Stdin: folder},
	} {
		run.Path, run.Args = command[0], append(command[:1:1], files)
		var problems bytes.Buffer
		run.Stderr = &problems
		if err := run.Run(); err == nil || !strings.Contains(problems.String(), what) {
			t.Errorf("%s: %v, %q", what, err, problems.String())
		}
	}
}

// A file alone may be of any board: lists of its points are made for none but small ones.
func TestReadersRefuseLargeBoards(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 2}
	_, files := b.build(t, b.open(t), 1, 0)
	whole, folder := contents(t, files)["1v1.wdl.flat"], t.TempDir()
	file := withBlock(t, bytes.Replace(whole, []byte("board 3x3"), []byte("board 99999x99999"), 1), make([]byte, 5))
	if err := os.WriteFile(filepath.Join(folder, "1v1.wdl.flat"), file, 0o666); err != nil {
		t.Fatal(err)
	}
	for language, command := range commands {
		run := exec.CommandContext(t.Context(), command[0], append(command[1:], folder)...)
		output, err := run.CombinedOutput()
		if err == nil || !strings.Contains(string(output), "this reader knows boards of up to") {
			t.Errorf("%s: %v, %s", language, err, output)
		}
	}
}

// Readers look for a slice before they look for the classes of its positions, which may be more than
// memory holds.
func TestReadersLookForSlicesFirst(t *testing.T) {
	commands := readers(t)
	for _, c := range []struct {
		flatBoard
		position, want string
	}{
		{flatBoard{game: "fanorona", board: "9x5", pieces: 2}, "BBBBBBBBB/BBBBBBBBB/BWBW.BWBW/WWWWWWWWW/WWWWWWWWW w", "? slice 22v22 is not here"},
		{flatBoard{game: "fanorona", board: "9x5", pieces: 2}, "BBBBBBBB./........./........./........./WWWWWWWW. w", "? slice 8v8 is not here"},
		{flatBoard{game: "konane", board: "8x8", pieces: 2}, strings.Repeat("oxoxoxox/xoxoxoxo/", 2) + "......../......../......../........ b", "? slice 16v16 is not here"},
		{flatBoard{game: "breakthrough", board: "6x6", pieces: 2}, "BBBBBB/BBBBBB/....../....../WWWWWW/WWWWWW w", "? slice 12v12 is not here"},
	} {
		_, files := c.build(t, c.open(t), 2, 0)
		for language, command := range commands {
			if c.game == "breakthrough" && language == "C" {
				continue
			}
			if got := ask(t, command, files, []string{c.position}); got[0] != c.want {
				t.Errorf("%s: %s %s is %s, want %s", language, c.game, c.position, got[0], c.want)
			}
		}
	}
}

// Lines may end as on Windows, and what follows a character that is no text is not dropped.
func TestReadersTakeLinesAsTheyAre(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	const position = "W../.W./..B w"
	for language, command := range commands {
		got := ask(t, command, files, []string{position, position + "\r", position + "\x00", position + "\x00 more", position + "\xff"})
		if got[0][0] == '?' || got[1] != got[0] || got[2][0] != '?' || got[3][0] != '?' || got[4][0] != '?' {
			t.Errorf("%s: %q", language, got)
		}
	}
}

// What a reader cannot write in the terminal's characters it writes otherwise, and goes on.
func TestTheReaderInPythonWritesInAnyEncoding(t *testing.T) {
	python := readers(t)["Python"]
	b := flatBoard{game: "fanorona", board: "3x3", pieces: 3}
	_, files := b.build(t, b.open(t), 1, 0)
	t.Setenv("PYTHONUTF8", "0")
	t.Setenv("PYTHONIOENCODING", "cp1252:strict")
	got := ask(t, python, files, []string{"W\x81./.../... w", "W../.W./..B w"})
	if got[0][0] != '?' || got[1][0] == '?' {
		t.Errorf("%q", got)
	}
}

// A board that is almost full has few ways to set its stones, however many they are.
func TestReadersListFewSetsOfManyStones(t *testing.T) {
	commands := readers(t)
	b := flatBoard{game: "konane", board: "8x8", pieces: 2}
	_, files := b.build(t, b.open(t), 1, 0)
	file := contents(t, files)["1v1.wdl.flat"]
	file = bytes.Replace(file, []byte("\nslice 1v1\n"), []byte("\nslice 31v31\n"), 1)
	file = regexp.MustCompile(`(?m)^indices \d+$`).ReplaceAll(file, []byte("indices 1000"))
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "31v31.wdl.flat"), withBlock(t, file, make([]byte, 1000/4)), 0o666); err != nil {
		t.Fatal(err)
	}
	position := strings.Repeat("oxoxoxox/xoxoxoxo/", 2) + "oxox..ox/" + strings.Repeat("xoxoxoxo/oxoxoxox/", 2)
	position = strings.TrimSuffix(position, "/oxoxoxox/") + " b"
	for language, command := range commands {
		if got := ask(t, command, folder, []string{position}); got[0] != "draw" {
			t.Errorf("%s: %s is %s", language, position, got[0])
		}
	}
}

// withBlock is a flat file of one block with other contents, and the checksums of these.
func withBlock(t *testing.T, file, content []byte) []byte {
	t.Helper()
	return withFrame(file, packed(t, content))
}

// packed is content in a zstd frame, with its size and a checksum.
func packed(t *testing.T, content []byte) []byte {
	t.Helper()
	encoder, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	return encoder.EncodeAll(content, nil)
}

// unpacked is the content of a flat file of one block.
func unpacked(t *testing.T, file []byte) []byte {
	t.Helper()
	decoder, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer decoder.Close()
	content, err := decoder.DecodeAll(file[bytes.Index(file, []byte("\n\n"))+2:len(file)-20], nil)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// skipped is a zstd frame of so many bytes that stand for nothing.
func skipped(size int) []byte {
	frame := binary.LittleEndian.AppendUint32(nil, 0x184d2a50)
	return append(binary.LittleEndian.AppendUint32(frame, uint32(size)), make([]byte, size)...)
}

// withFrame is a flat file of one block with another frame, and the checksums of that.
func withFrame(file, frame []byte) []byte {
	header := file[:bytes.Index(file, []byte("\n\n"))+2]
	entry := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	entry = binary.LittleEndian.AppendUint32(entry, uint32(len(frame)))
	entry = binary.LittleEndian.AppendUint32(entry, crc32.ChecksumIEEE(frame))
	sum := crc32.ChecksumIEEE(slices.Concat(header, entry))
	return binary.LittleEndian.AppendUint32(slices.Concat(header, frame, entry), sum)
}

func changed(file []byte, at int) []byte {
	file = bytes.Clone(file)
	file[at] ^= 0xff
	return file
}

// The worked examples of FORMAT.md are what the games say.
func TestFormatExamples(t *testing.T) {
	text, err := os.ReadFile("../../../tablebase/FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	page := strings.Join(strings.Fields(string(text)), " ")
	var rules konane.Rules
	board := func(width, height int) bitboard.Board { return bitboard.Board{Width: width, Height: height} }
	for _, c := range []struct {
		place           func(t *testing.T, position string) (slice string, index uint64)
		position, slice string
		index           uint64
		last            string // of the calculation, in the page's words
	}{
		{placeIn(fanorona.New(board(3, 3), fanorona.Rules{})), "W../.W./..B w", "2v1", 24, "choose(8, 2) + 24 = 24"},
		{placeIn(konane.New[konane.Word](board(4, 4), rules)), "o.../..x./..../...o w", "2v1", 77, "2 × choose(8, 2) + 21 = 77"},
		{placeIn(phutball.New(board(3, 5), phutball.Rules{})), ".../*../.@./..*/... eks", "all", 49_440, "3 × 2^14 + 288 = 49,440"},
		{placeIn(breakthrough.New(board(3, 4))), "..B/.W./..B/W.. w", "2v2", 320, "177 + 3 × 45 + 8 = 320"},
	} {
		if slice, index := c.place(t, c.position); slice != c.slice || index != c.index {
			t.Errorf("%s: %s %d, want %s %d", c.position, slice, index, c.slice, c.index)
		}
		if !strings.Contains(page, "*Example.* `"+c.position+"`") || !strings.Contains(page, c.last) {
			t.Errorf("%s: FORMAT.md has another example", c.position)
		}
	}
}

// places is a game that tells where a position stands in its tables.
type places[P any] interface {
	Parse(text string) (P, bitboard.Side, error)
	Rank(p P) (bitboard.Slice, uint64)
	SliceName(s bitboard.Slice) string
}

// placeIn tells that of a game, unless it could not be made.
func placeIn[P any, G places[P]](game G, failed error) func(t *testing.T, position string) (slice string, index uint64) {
	return func(t *testing.T, position string) (string, uint64) {
		t.Helper()
		if failed != nil {
			t.Fatal(failed)
		}
		p, _, err := game.Parse(position)
		if err != nil {
			t.Fatal(err)
		}
		s, index := game.Rank(p)
		return game.SliceName(s), index
	}
}
