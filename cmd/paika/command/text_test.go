package command

import (
	"strings"
	"testing"

	"paika/cmd/paika/catalogue"
)

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"1":      1,
		"512B":   512,
		"4G":     4 << 30,
		"4GiB":   4 << 30,
		"4gb":    4e9,
		"1.5K":   1536,
		"512MiB": 512 << 20,
		"2T":     2 << 40,
		"1.5PiB": 3 << 49,
		"4E":     4 << 60,
		"1eb":    1e18,
		"0":      0, // from here on, an error
		"":       0,
		"G":      0,
		"4Q":     0,
		"4GG":    0,
		"-1G":    0,
		"NaN":    0,
		"9e30":   0,
		"9E":     0,
	} {
		var got size
		if err := got.Set(text); got != want || (err == nil) != (want != 0) {
			t.Errorf("Set(%q): %d, %v; want %d", text, got, err, want)
		}
	}
}

func TestFormatBytes(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 B", 1023: "1023 B", 1024: "1.0 KiB", 3 << 29: "1.5 GiB", 1 << 50: "1.0 PiB"} {
		if got := formatBytes(n); got != want {
			t.Errorf("formatBytes(%d) = %q, want %q", n, got, want)
		}
	}
}

// TestEnoughMemoryIsTaken by --memory, is enough, and no more than a unit too much.
func TestEnoughMemoryIsTaken(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "1MiB", 1: "1MiB", 1 << 20: "1MiB", 1<<20 + 1: "2MiB", 10 << 30: "10240MiB", 10<<30 + 1: "11GiB", 20 << 30: "20GiB", 20<<30 + 1: "21GiB",
	} {
		got := enoughMemory(n)
		var taken size
		if err := taken.Set(got); err != nil || got != want || uint64(taken) < n {
			t.Errorf("enoughMemory(%d) = %q, which is %d bytes, %v; want %q", n, got, taken, err, want)
		}
	}
}

func TestThousands(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 999: "999", 1000: "1,000", 6261651660: "6,261,651,660"} {
		if got := thousands(n); got != want {
			t.Errorf("thousands(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestTableAligns(t *testing.T) {
	tab := &table{left: 1}
	tab.add("slice", "win")
	tab.add("1v1", "1,000")
	tab.add("none", "")
	var got strings.Builder
	if err := tab.print(&got); err != nil {
		t.Fatal(err)
	}
	if want := "slice    win\n1v1    1,000\nnone\n"; got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

func TestCommandLineIsReadBackByAShell(t *testing.T) {
	got := catalogue.CommandLine("build", "--db", "my tables", "--rules", "stalemate=draw", "it's", "")
	if want := `paika build --db 'my tables' --rules stalemate=draw 'it'\''s' ''`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestWrap(t *testing.T) {
	if got, want := wrap([]string{"aa", "bb", "cccccc", "d"}, 5), "aa bb\ncccccc\nd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
