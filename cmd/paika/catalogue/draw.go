package catalogue

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"syscall"

	"paika/bitboard"
	"paika/proofs"
)

// DrawFiles are the certificates of a draw, that neither side loses, which Prove writes to
// PATH.SIDE for each side. They are to be closed.
type DrawFiles struct {
	Path   string
	Halves [2]*CertificateFile // about one instance and position
}

// OpenDraw opens the certificates of the draw that Prove wrote to a path. Errors wrap
// fs.ErrNotExist where one is missing, and are those of OpenCertificate, and
// proofs.ErrFormat where they are of no draw.
func OpenDraw(ctx context.Context, path string) (*DrawFiles, error) {
	var there []string
	for _, side := range SideNames() {
		if _, err := os.Stat(halfPath(path, side)); err == nil {
			there = append(there, side)
		}
	}
	switch len(there) {
	case 0:
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
	case 1:
		return nil, fmt.Errorf("%s: the other half of the draw: %w", halfPath(path, there[0]), fs.ErrNotExist)
	case 2:
	default:
		return nil, fmt.Errorf("%s: %w: there are more than two halves: %v", path, proofs.ErrFormat, there)
	}
	d := &DrawFiles{Path: path}
	for i, side := range there {
		var err error
		if d.Halves[i], err = OpenCertificate(ctx, halfPath(path, side), nil); err == nil {
			err = d.admit(d.Halves[i], proofs.Claim{}.Text(func(bitboard.Side) string { return side }))
		}
		if err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Close closes the files.
func (d *DrawFiles) Close() {
	for _, half := range d.Halves {
		if half != nil {
			half.Close()
		}
	}
}

// Instance is what the halves are about.
func (d *DrawFiles) Instance() Instance { return d.Halves[0].Instance }

// admit wants a half to be of a claim, and about what the first is about.
func (d *DrawFiles) admit(half *CertificateFile, claim string) error {
	first, h := d.Halves[0].proofs.Header, half.proofs.Header
	switch {
	case h.Claim != claim:
		return fmt.Errorf("%s: %w: it is of %s, and a draw's has to be of %s", half.Path, proofs.ErrFormat, h.Claim, claim)
	case h.Setting != first.Setting:
		return fmt.Errorf("%s: %w", half.Path, &proofs.SettingError{Have: h.Setting, Want: first.Setting})
	case h.Root != first.Root:
		return fmt.Errorf("%s: %w: it is from %s, and the other half of the draw from %s", half.Path, proofs.ErrFormat, h.Root, first.Root)
	}
	return nil
}

// SideNames lists how certificates name sides, in all games.
var SideNames = sync.OnceValue(func() (names []string) {
	for _, game := range Games() {
		instance, err := game.Open("", nil)
		if err != nil {
			continue
		}
		sides, _ := instance.Sides(Start)
		for _, side := range sides {
			if !slices.Contains(names, side) {
				names = append(names, side)
			}
		}
	}
	return names
})
