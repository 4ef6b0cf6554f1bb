package catalogue

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"paika/bitboard"
)

// Solved is tables of a game that were found in a folder.
type Solved struct {
	Game   string       `json:"game"`
	Board  string       `json:"board"`
	Rules  string       `json:"rules"`           // every option spelled out
	Dir    string       `json:"dir,omitempty"`   // empty where it is not told
	Totals []SliceStats `json:"totals"`          // one a metric, over all its slices
	Error  string       `json:"error,omitempty"` // why the tables cannot be read

	DiskBytes uint64 `json:"disk_bytes,omitempty"` // that the files of the tables take
}

// Instance opens the game that the tables are of.
func (s Solved) Instance() (Instance, error) {
	game, found := Find(s.Game)
	if !found {
		return nil, fmt.Errorf("unknown game %s", bitboard.Quote(s.Game))
	}
	rules, err := ParseRules(s.Rules)
	if err != nil {
		return nil, err
	}
	return game.Open(s.Board, rules)
}

// FindSolved lists the tables in the folders below base that are named as
// Instance.Folder says. A base that is missing has none.
func FindSolved(base string) ([]Solved, error) {
	folders, err := FindFolders(base)
	if err != nil {
		return nil, err
	}
	solved := []Solved{}
	for _, f := range folders {
		solved = append(solved, describe(f.Instance, f.Dir))
	}
	return solved, nil
}

// Folder is a folder for the tables of an instance.
type Folder struct {
	Instance Instance
	Dir      string
}

// FindFolders lists those below base that are named for their instances, and opens none of them.
func FindFolders(base string) (folders []Folder, err error) {
	entries, err := os.ReadDir(base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		if instance, found := fromFolder(entry.Name()); found {
			folders = append(folders, Folder{instance, filepath.Join(base, entry.Name())})
		}
	}
	return folders, nil
}

func describe(instance Instance, dir string) Solved {
	id := instance.Identity()
	s := Solved{Game: id.Game, Board: id.Board, Rules: id.Rules, Dir: dir, Totals: []SliceStats{}}
	tables, err := instance.Open(dir, 1)
	if err == nil {
		defer tables.Close()
		var stats Stats
		if stats, err = tables.Stats(); err == nil {
			s.Totals, s.DiskBytes = stats.Totals, stats.DiskBytes
		}
	}
	if err != nil {
		s.Error = message(err)
	}
	return s
}
