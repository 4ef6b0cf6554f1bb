package prover

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"paika/proofs"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// Saved has the file by which the completing of certificates goes on that a search came to.
type Saved struct {
	// Recalled says that the certificates are those of a run before, as they stood in their places:
	// until they are completed nobody has looked whether they prove anything.
	Recalled bool

	file   *checkpoint.File
	notice func(string)
}

// End ends the work on the file with what completing came to, and tells its name where it stays: the
// same question then takes the certificates up. Otherwise the file goes, and its folder if that is empty.
// A certificate that turned out wrong is none to go on from.
func (s *Saved) End(err error) (path string) {
	path = s.file.Path()
	if answered(err) || errors.Is(err, proofs.ErrFormat) {
		if left := s.file.Remove(); left != nil {
			s.notice(left.Error())
		}
		path = ""
	}
	s.file.Close()
	if path == "" {
		_ = os.Remove(filepath.Dir(s.file.Path())) // where others are saved, it stays
	}
	return path
}

// certified has the file tell which certificates the search came to, in the place of the search itself.
// Where that fails the search stands there still.
func (c *saver[P]) certified(ctx context.Context, certificates []Certificate) *Saved {
	if c.file == nil {
		return nil
	}
	header := c.search.Checkpoint(c.about, c.seconds())
	header.Format, header.Work = proofnumber.CheckpointFormat, nil
	err := error(nil)
	for _, made := range certificates {
		var sum string
		if sum, err = checksumAt(made.Path); err != nil {
			break
		}
		header.Certificates = append(header.Certificates, sum)
	}
	if err == nil {
		err = c.file.Save(context.WithoutCancel(ctx), header, noEntries())
	}
	if err != nil {
		c.options.notice(err.Error())
	}
	return &Saved{file: c.file, notice: c.options.notice}
}

func noEntries() iter.Seq2[uint64, uint64] { return func(func(first, second uint64) bool) {} }

// recall answers by the certificates that a search before came to, and tells whether they are there: they
// are completed next, and nothing believes them before that has checked them. Where they are not, the
// search begins anew, and what was saved of their completing goes.
func (a *attempt[P]) recall(c *saver[P], answer *Answer[P]) bool {
	saved := c.saved
	if len(saved.Certificates) == 0 {
		return false
	}
	if a.question.Completing && a.findCertificates(answer) {
		answer.Verdict, answer.Ends = proofnumber.Proved, a.ends()
		answer.Nodes, answer.Resumed, answer.Seconds, answer.Searched = saved.Nodes, saved.Nodes, c.seconds(), c.before.Seconds()
		answer.Saved = &Saved{Recalled: true, file: c.file, notice: c.options.notice}
		c.options.notice(GoingOn(saved.Nodes, "node", "searched", c.file.Path()) + "; certificates are completed")
		return true
	}
	c.options.notice(fmt.Sprintf("the search begins anew: the certificates that %s tells of are not there, or not to be completed", c.file.Path()))
	c.forgetCompletions(a.question)
	c.saved, c.before = checkpoint.Header{}, 0
	answer.Claims, answer.Certificates = nil, nil
	return false
}

// forgetCompletions removes what is saved of completing the certificates of a search, unless somebody
// is at it.
func (c *saver[P]) forgetCompletions(q Question[P]) {
	for i, sum := range c.saved.Certificates {
		if i < len(q.Claims) {
			name := completionName(q.Claims[i].Text(q.Game.SideName), sum)
			_ = checkpoint.Remove(filepath.Join(filepath.Dir(c.file.Path()), name))
		}
	}
}

// findCertificates takes up the certificates of all claims, as they stand in their places. Those
// that were completed name no tables.
func (a *attempt[P]) findCertificates(answer *Answer[P]) bool {
	q := a.question
	if len(q.Files) != len(q.Claims) {
		return false
	}
	for i, claim := range q.Claims {
		path := q.Files[i].Path()
		header, size, err := headerAt(path)
		if err != nil || !a.fits(claim, header) {
			return false
		}
		answer.Claims = append(answer.Claims, a.state(claim, proofnumber.Proved))
		answer.Certificates = append(answer.Certificates, Certificate{Claim: claim, Path: path, Bytes: size})
	}
	for _, file := range q.Files { // completing writes there
		file.Discard()
	}
	return true
}

// fits tells whether a certificate is one of a claim that the search would come to, by its header.
func (a *attempt[P]) fits(claim proofs.Claim, h proofs.Header) bool {
	q := a.question
	return h.Setting == proofs.Setting(a.of.Identity) && h.Claim == claim.Text(q.Game.SideName) &&
		h.Root == q.Game.Format(q.Root, q.Side) && len(h.Parts) == 0 &&
		(len(h.Tables) == 0 || slices.Equal(h.Tables, a.shelf.Named()))
}

// headerAt reads the header of a certificate, and the size of the file in bytes.
func headerAt(path string) (h proofs.Header, size int64, err error) {
	err = openAt(path, func(file *proofs.File, bytes int64) { h, size = file.Header, bytes })
	return h, size, err
}

// checksumAt reads the checksum in the seal of a certificate.
func checksumAt(path string) (sum string, err error) {
	err = openAt(path, func(file *proofs.File, _ int64) { sum = file.Part().Checksum })
	return sum, err
}

// openAt opens a certificate for a function. Only regular files are opened: others may wait for ever.
func openAt(path string, read func(file *proofs.File, bytes int64)) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s: %w", path, proofs.ErrFormat)
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	opened, err := proofs.Open(file, info.Size())
	if err == nil {
		read(opened, info.Size())
	}
	return err
}
