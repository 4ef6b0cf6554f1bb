package plot

import (
	"path/filepath"

	"paika/internal/lasting"
)

// MakeFolder makes a folder for charts, where it is missing, and fails where no
// file can be written in it. It is for before the work that the charts show.
func MakeFolder(dir string) error {
	if err := lasting.MakeFolder(dir, 0o777); err != nil {
		return err
	}
	f, err := lasting.CreateRegular(filepath.Join(dir, "chart.svg"))
	if err != nil {
		return err
	}
	f.Discard()
	return nil
}
