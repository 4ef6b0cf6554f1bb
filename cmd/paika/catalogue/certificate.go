package catalogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/proofs"
)

// CertificateFile is a certificate that was opened, and the instance that its
// header names. It is to be closed.
type CertificateFile struct {
	Path     string
	Instance Instance

	file   *os.File
	spool  bool // the file is a copy of what came through a pipe
	proofs *proofs.File
}

// ErrTooLarge says that a text from outside is larger than is read.
var ErrTooLarge = errors.New("the input is too large")

// ErrNoInput says that a certificate is to come from standard input where it is read for something
// else, or for nothing.
var ErrNoInput = errors.New("want a file: no certificate is read from standard input here")

// mostSpooled bounds, in bytes, what is read from a pipe.
const mostSpooled = 1 << 30

// OpenCertificate opens a certificate: a file, or standard input where the path
// is "-". A pipe is read to its end first, into a temporary file. A nil reader is no
// standard input. Errors wrap proofs.ErrFormat where it is no certificate, ErrTooLarge and
// ErrNoInput.
func OpenCertificate(ctx context.Context, path string, stdin io.Reader) (*CertificateFile, error) {
	c := &CertificateFile{Path: path}
	if err := c.open(ctx, stdin); err != nil {
		c.Close()
		return nil, inFile(path, err)
	}
	return c, nil
}

// inFile names the file that an error is about, unless it does so itself.
func inFile(path string, err error) error {
	var named *os.PathError
	if errors.As(err, &named) {
		return err
	}
	return fmt.Errorf("%s: %w", path, err)
}

func (c *CertificateFile) open(ctx context.Context, stdin io.Reader) error {
	if err := c.openFile(ctx, stdin); err != nil {
		return err
	}
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	if c.proofs, err = proofs.Open(c.file, info.Size()); err != nil {
		return err
	}
	if c.Instance, err = OpenSetting(c.proofs.Header.Setting); err != nil {
		return err
	}
	if _, err := c.Instance.Sides(c.proofs.Header.Root); err != nil {
		return fmt.Errorf("%w: its root: %w", proofs.ErrFormat, err)
	}
	return nil
}

// openFile opens what can be read more than once.
func (c *CertificateFile) openFile(ctx context.Context, stdin io.Reader) (err error) {
	switch {
	case c.Path == "-" && stdin == nil:
		return ErrNoInput
	case c.Path == "-":
		return c.copy(ctx, standardInput{stdin})
	}
	file, err := progress.Await(ctx, func() (*os.File, error) { return os.Open(c.Path) })
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err == nil && info.Mode().IsRegular() {
		c.file = file
		return nil
	}
	defer file.Close()
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return &os.PathError{Op: "read", Path: c.Path, Err: syscall.EISDIR}
	}
	return c.copy(ctx, file)
}

// standardInput says of an error that it is of reading standard input, whatever that is.
type standardInput struct{ io.Reader }

func (r standardInput) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		var named *os.PathError
		if errors.As(err, &named) {
			err = named.Err
		}
		err = &os.PathError{Op: "read", Path: "standard input", Err: err}
	}
	return n, err
}

// copy reads a pipe into a temporary file, which has no name any more where the
// system allows that.
func (c *CertificateFile) copy(ctx context.Context, pipe io.Reader) (err error) {
	c.spool = true
	if c.file, err = os.CreateTemp("", "paika-*.proof"); err != nil {
		return err
	}
	os.Remove(c.file.Name())
	file := c.file
	plain := struct{ io.Writer }{file} // a file that reads the pipe itself says of its errors that they are of writing
	n, err := progress.Await(ctx, func() (int64, error) { return io.Copy(plain, io.LimitReader(pipe, mostSpooled+1)) })
	if err == nil && n > mostSpooled {
		err = fmt.Errorf("%w: more than %d MiB come through the pipe: give a file", ErrTooLarge, mostSpooled>>20)
	}
	return err
}

// Close closes the file.
func (c *CertificateFile) Close() {
	if c.file == nil {
		return
	}
	c.file.Close()
	if c.spool {
		os.Remove(c.file.Name())
	}
}

// source is the certificate as checks have it.
func (c *CertificateFile) source() proofs.Source {
	return proofs.Source{Name: c.Path, File: c.proofs, Setting: proofs.Setting(c.Instance.Identity())}
}

func sources(files []*CertificateFile) (all []proofs.Source) {
	for _, file := range files {
		all = append(all, file.source())
	}
	return all
}

// OpenSetting makes the instance of a game, board and rules as headers of certificates and other
// machines name it: every rule spelled out. Its error wraps proofs.ErrFormat.
func OpenSetting(s proofs.Setting) (Instance, error) {
	game, found := Find(s.Game)
	if !found {
		return nil, fmt.Errorf("%w: it is about %v: want one of the games %s", proofs.ErrFormat, s, strings.Join(Names(), ", "))
	}
	rules, err := ParseRules(s.Rules)
	var instance Instance
	if err == nil {
		instance, err = game.Open(s.Board, rules)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: it is about %v: %w", proofs.ErrFormat, s, err)
	}
	id := instance.Identity()
	if s.Board != id.Board {
		return nil, fmt.Errorf("%w: it is about %v: want the board as %s", proofs.ErrFormat, s, id.Board)
	}
	if game.canonicalText(s.Board, s.Rules) != id.Rules {
		return nil, fmt.Errorf("%w: it is about %v: want every rule spelled out, as in %v", proofs.ErrFormat, s, id)
	}
	return instance, nil
}

// CertificateFiles makes a file for each claim, by the sides that these are about, before
// the search, so that none is in vain: of two claims each has its half of a draw. There are
// none where out is empty. None replaces a part, without which the certificate would prove
// nothing.
func CertificateFiles(ctx context.Context, out string, sides, parts []string) (files []*lasting.File, err error) {
	if out == "" {
		return nil, nil
	}
	for _, side := range sides {
		path := out
		if len(sides) > 1 {
			path = halfPath(out, side)
		}
		if err := lasting.NoInput(path, parts...); err != nil {
			discard(files)
			return nil, err
		}
		file, err := lasting.Create(ctx, path)
		if err != nil {
			discard(files)
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

// halfPath is where a half of a draw lies.
func halfPath(path, side string) string { return path + "." + side }

// discard removes the files that were not kept.
func discard(files []*lasting.File) {
	for _, f := range files {
		f.Discard()
	}
}
