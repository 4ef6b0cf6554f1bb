//go:build unix

package badgerdir

import (
	"io/fs"
	"testing"
)

// Nobody may do more in the folder than in the other one, but for its owner.
func TestAccessModes(t *testing.T) {
	for _, c := range []struct {
		other           fs.FileMode
		same, different fs.FileMode // of a folder of the same group, and of one that could not be
	}{
		{0o700, 0o700, 0o700},
		{0o755, 0o755, 0o755},
		{0o750, 0o750, 0o700},
		{0o770, 0o770, 0o700},
		{0o775, 0o775, 0o755},
		{0o707, 0o707, 0o700}, // the other's group is kept out
		{0o745, 0o745, 0o744},
		{0o555, 0o755, 0o755}, // the owner may write
		{0o050, 0o750, 0o700},
		{0o770 | fs.ModeSetgid, 0o770 | fs.ModeSetgid, 0o700},
		{0o777 | fs.ModeSticky, 0o777 | fs.ModeSticky, 0o777 | fs.ModeSticky},
		{0o755 | fs.ModeSetuid, 0o755, 0o755},
	} {
		if got, want := accessMode(fs.ModeDir|c.other, true), fs.ModeDir|c.same; got != want {
			t.Errorf("%v, the same group: %v, want %v", c.other, got, want)
		}
		if got, want := accessMode(fs.ModeDir|c.other, false), fs.ModeDir|c.different; got != want {
			t.Errorf("%v, another group: %v, want %v", c.other, got, want)
		}
	}
}
