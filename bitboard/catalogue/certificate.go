package catalogue

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"

	"paika/bitboard"
	"paika/proofs"
)

// certificateMode is the mode of a certificate, which is for anyone to check.
const certificateMode = 0o644

// certificateFile is a file that has its name once it is whole.
type certificateFile struct {
	*bufio.Writer
	path string
	file *os.File // nil once it is kept or gone
}

// certificateFiles makes a file for each claim, before the search, so that none
// is in vain. There are none where out is empty.
func certificateFiles(out string, claims []proofs.Claim, sideName func(bitboard.Side) string) (files []*certificateFile, err error) {
	if out == "" {
		return nil, nil
	}
	for _, claim := range claims {
		path := out
		if len(claims) > 1 {
			path += "." + sideName(claim.Side)
		}
		file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.part")
		if err != nil {
			discard(files)
			return nil, err
		}
		files = append(files, &certificateFile{bufio.NewWriter(file), path, file})
	}
	return files, nil
}

// keep gives the file its name, once it would survive a power cut, and tells
// its size in bytes.
func (f *certificateFile) keep() (bytes int64, err error) {
	if err := errors.Join(f.Flush(), f.file.Chmod(certificateMode), f.file.Sync()); err != nil {
		return 0, err
	}
	info, err := f.file.Stat()
	if err != nil {
		return 0, err
	}
	if err := f.file.Close(); err != nil {
		return 0, err
	}
	if err := os.Rename(f.file.Name(), f.path); err != nil {
		return 0, err
	}
	f.file = nil
	return info.Size(), nil
}

// discard removes the files that were not kept.
func discard(files []*certificateFile) {
	for _, f := range files {
		if f.file != nil {
			f.file.Close()
			os.Remove(f.file.Name())
		}
	}
}
