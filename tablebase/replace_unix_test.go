//go:build unix

package tablebase

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"paika/bitboard"
	"paika/tablebase/internal/graphgame"
)

// Who may use damaged tables may use the whole ones, and nobody else, from the beginning.
func TestAReplacementIsForWhoMayUseTheTables(t *testing.T) {
	sol := graphgame.New(69, 1, 500).Solve()
	for _, mode := range []fs.FileMode{0o700, 0o755, 0o770 | fs.ModeSetgid, 0o777 | fs.ModeSticky} {
		dir := storedTest(t, sol, bitboard.WDL)
		group := os.Getgid()
		if os.Geteuid() == 0 {
			group++ // one of others
		}
		if err := os.Chown(dir, -1, group); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		wanted := func(folder string) {
			t.Helper()
			info, err := os.Stat(folder)
			if err != nil {
				t.Fatal(err)
			}
			if st := info.Sys().(*syscall.Stat_t); info.Mode() != fs.ModeDir|mode || int(st.Gid) != group {
				t.Errorf("%v of group %d, want %v of group %d", info.Mode(), st.Gid, fs.ModeDir|mode, group)
			}
		}
		w := replaced(t, dir, sol)
		wanted(ReplacementFolder(dir))
		aside, err := w.Replace()
		if err != nil {
			t.Fatal(err)
		}
		wanted(dir)
		wanted(aside)
	}
}
