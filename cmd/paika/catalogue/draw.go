package catalogue

import (
	"context"
	"errors"
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

// ErrDraw says that two certificates are not the halves of one draw.
var ErrDraw = errors.New("not the halves of one draw")

// OpenDraw opens the certificates of the draw that Prove wrote to a path. The first that is
// there tells what the other one is called. Errors wrap fs.ErrNotExist where one is missing,
// ErrDraw where they are of no draw, and are those of OpenCertificate.
func OpenDraw(ctx context.Context, path string) (*DrawFiles, error) {
	half, side, there := FirstHalf(path)
	if !there || path == "" {
		return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
	}
	first, err := OpenCertificate(ctx, half, nil)
	if err != nil {
		return nil, err
	}
	d := &DrawFiles{Path: path}
	if err := d.complete(ctx, first, side); err != nil {
		first.Close()
		d.Close()
		return nil, err
	}
	return d, nil
}

// complete opens the half that is lacking beside the one of a side, and admits both.
func (d *DrawFiles) complete(ctx context.Context, first *CertificateFile, side string) error {
	sides, err := first.Instance.Sides(first.proofs.Header.Root)
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", first.Path, err)
	case !slices.Contains(sides, side):
		return fmt.Errorf("%s: %w: the sides are %s and %s", first.Path, ErrDraw, sides[0], sides[1])
	}
	for i, name := range sides {
		if name == side {
			d.Halves[i] = first
			continue
		}
		d.Halves[i], err = OpenCertificate(ctx, halfPath(d.Path, name), nil)
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%w: it is to be the other half of the draw, beside %s", err, first.Path)
		}
		if err != nil {
			return err
		}
	}
	for i, half := range d.Halves {
		if err := d.admit(half, proofs.Claim{Side: bitboard.Side(i)}.Text(func(bitboard.Side) string { return sides[i] })); err != nil {
			return err
		}
	}
	return nil
}

// FirstHalf finds the first file that is there of those that halves of a draw can be, and
// the side that it is called after.
func FirstHalf(path string) (half, side string, there bool) {
	for _, side := range sideNames() {
		if _, err := os.Stat(halfPath(path, side)); err == nil {
			return halfPath(path, side), side, true
		}
	}
	return "", "", false
}

// HalfPaths lists the paths that halves of a draw can have.
func HalfPaths(path string) (halves []string) {
	for _, side := range sideNames() {
		halves = append(halves, halfPath(path, side))
	}
	return halves
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
		return fmt.Errorf("%s: %w: it is of %s, and a draw's has to be of %s", half.Path, ErrDraw, h.Claim, claim)
	case h.Setting != first.Setting:
		return fmt.Errorf("%s: %w: it is about %v, and the other half about %v", half.Path, ErrDraw, h.Setting, first.Setting)
	case h.Root != first.Root:
		return fmt.Errorf("%s: %w: it is from %s, and the other half of the draw from %s", half.Path, ErrDraw, h.Root, first.Root)
	}
	return nil
}

// SideNames lists the names that sides have in certificates about the starts of all games.
// Konane's colours, which there are behind its opening, are called as Fanorona's are.
func SideNames() []string { return slices.Clone(sideNames()) }

var sideNames = sync.OnceValue(func() (names []string) {
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
