package hub

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/tables"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
)

// ErrForeign says that a folder is not a hub's: nothing is written there, or removed.
var ErrForeign = errors.New("the folder holds other files and is no hub's")

// ledgerName is that of the ledger in the folder of a hub.
const ledgerName = "ledger"

// Folders in that of a hub, beside the one of keys.
const (
	partsFolder    = "parts"    // certificates that were checked
	proofsFolder   = "proofs"   // those of questions that are answered
	builtFolder    = "built"    // groups of slices, until they are stored
	incomingFolder = "incoming" // what workers are sending
	tablesFolder   = "tables"   // what they fetch
	natsFolder     = "nats"     // what the server keeps
)

// Folders beside them that an embedded hub's worker has.
const (
	WorkFolder   = "work"   // what it builds
	SearchFolder = "search" // its transposition tables
)

// proofSuffix is behind the ID of a question in the name of its certificate.
const proofSuffix = ".proof"

// dataFolder is the folder of a hub. Its methods tell what lies where in it.
type dataFolder string

func (d dataFolder) path(name string) string       { return filepath.Join(string(d), name) }
func (d dataFolder) partPath(digest string) string { return filepath.Join(d.path(partsFolder), digest) }
func (d dataFolder) proofPath(id string) string {
	return filepath.Join(d.path(proofsFolder), id+proofSuffix)
}
func (d dataFolder) builtPath(id string) string { return filepath.Join(d.path(builtFolder), id) }
func (d dataFolder) uploadPath(name string) string {
	return filepath.Join(d.path(incomingFolder), name)
}

// foundFolder is in each folder that is a file system of its own, as on a disk for a hub alone.
const foundFolder = "lost+found"

// ownFiles are the files that a hub has in its folder.
var ownFiles = []string{ledgerName, ledgerLock, keys.CredentialsFile, keys.CredentialsFile + lasting.PartSuffix}

// ownFolders are its folders. Of those that it empties it knows the names of all that it puts there,
// and of the server's that of the only folder: the function tells.
var ownFolders = map[string]func(fs.DirEntry) bool{
	incomingFolder:  isUpload,
	tablesFolder:    tables.IsFile,
	natsFolder:      func(e fs.DirEntry) bool { return e.Name() == "jetstream" },
	partsFolder:     anything,
	proofsFolder:    anything,
	builtFolder:     anything,
	keys.FolderName: anything,
	WorkFolder:      anything,
	SearchFolder:    anything,
}

func anything(fs.DirEntry) bool { return true }

// isUpload tells whether an entry is a file by the name of one that is sent.
func isUpload(e fs.DirEntry) bool { return !e.IsDir() && wire.PlainName(e.Name()) }

// CheckFolder fails with ErrForeign, in an fs.PathError, where a folder is neither empty nor a hub's.
// A line of the ledger shows a hub, and so do keys. Where there are none, as after a start that was
// killed, or once the ledger is lost, all that lies there has to have a name that a hub gives. The
// folder need not be there.
func CheckFolder(dir string) error {
	if _, err := os.Stat(keys.In(dir).Server()); err == nil {
		return nil
	}
	whole, empty, err := ledger.Begins(filepath.Join(dir, ledgerName))
	if whole || err != nil {
		return err
	}
	other, err := foreign(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, partsFolder)); other == "" && !empty && errors.Is(err, os.ErrNotExist) { // they are there before the first line
		other = ledgerName
	}
	if other != "" {
		return &fs.PathError{Op: "open", Path: dir, Err: fmt.Errorf("%w (%s)", ErrForeign, other)}
	}
	return nil
}

// foreign is the name of something in a folder that a hub does not put there, empty where there is
// nothing.
func foreign(dir string) (name string, err error) {
	all, err := entries(dir)
	if err != nil {
		return "", err
	}
	for _, e := range all {
		if slices.Contains(ownFiles, e.Name()) || e.Name() == foundFolder {
			continue
		}
		puts, ours := ownFolders[e.Name()]
		if !ours {
			return e.Name(), nil
		}
		path := filepath.Join(dir, e.Name())
		if info, err := os.Stat(path); err == nil && !info.IsDir() {
			return e.Name(), nil
		}
		inside, err := entries(path)
		if err != nil {
			return "", err
		}
		if at := slices.IndexFunc(inside, func(e fs.DirEntry) bool { return !puts(e) }); at >= 0 {
			return filepath.Join(e.Name(), inside[at].Name()), nil
		}
	}
	return "", nil
}

// entries lists a folder, which need not be there.
func entries(dir string) ([]fs.DirEntry, error) {
	list, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return list, err
}

// Within tells in which of the folders that a hub has in its own a path lies, or which of them it is;
// empty for none. Links are followed, as far as there are any.
func Within(dir, path string) (name string) {
	path = followed(path)
	for name := range ownFolders {
		way, err := filepath.Rel(followed(filepath.Join(dir, name)), path)
		if err == nil && way != ".." && !strings.HasPrefix(way, ".."+string(filepath.Separator)) {
			return name
		}
	}
	return ""
}

// followed is a whole path without links. What of it is not there is taken as it is spelled.
func followed(path string) string {
	if here, err := os.Getwd(); err == nil && !filepath.IsAbs(path) {
		path = here + string(filepath.Separator) + path // not cleaned: .. behind a link leads from where that does
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	above := lasting.FolderOf(path)
	if len(above) >= len(path) {
		return path
	}
	return filepath.Join(followed(above), filepath.Base(path))
}
