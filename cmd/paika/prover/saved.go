package prover

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

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
	about  string // of the search
	notice func(string)
}

// Completed has the file tell that a certificate is about to be replaced by what it was made into, which has
// that checksum. Where that can't be told, the same question searches on if it is stopped later.
func (s *Saved) Completed(checksum string) {
	err := s.reword(func(certificates []string) []string { return append(certificates, checksum) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // that nothing is saved was told
		s.notice(err.Error())
	}
}

// End ends the work on the file with what completing came to, and tells its name where the same question
// takes the certificates up. Where they were completed the file goes. Where a certificate or a table turned
// out wrong, the same question goes on from the search alone.
func (s *Saved) End(err error) (path string) {
	defer s.file.Close()
	switch {
	case err == nil:
		if left := s.file.Remove(); left != nil {
			s.notice(left.Error())
		}
		return ""
	case Unfounded(err), errors.Is(err, proofs.ErrFormat):
		if s.reword(func([]string) []string { return nil }) != nil {
			_ = s.file.Remove()
		}
		return ""
	}
	return s.file.Path()
}

// reword changes which certificates the file tells of.
func (s *Saved) reword(change func(certificates []string) []string) error {
	return s.file.Reword(context.Background(), proofnumber.CheckpointFormat, s.about, func(h *checkpoint.Header) {
		h.Certificates = change(h.Certificates)
	})
}

// certified has the file tell which certificates the search came to, beside what it found. Where that
// fails the search stands there as it was saved before.
func (c *saver[P]) certified(ctx context.Context, q Question[P], certificates []Certificate) *Saved {
	if c.file == nil {
		return nil
	}
	c.forgetReplaced(q, certificates)
	c.certificates = nil
	for _, made := range certificates {
		if at, err := sealedAt(made.Path); err == nil { // else it is not completed, which tells why
			c.certificates = append(c.certificates, at.checksum)
		}
	}
	if err := c.save(context.WithoutCancel(ctx)); err != nil {
		c.options.notice(err.Error())
	}
	return &Saved{file: c.file, about: c.about, notice: c.options.notice}
}

// recall answers by the certificates that a search before came to, and tells whether they are there: they
// are completed next, and nothing believes them before that has checked them. Where they are not, the
// search goes on.
func (a *attempt[P]) recall(ctx context.Context, c *saver[P], answer *Answer[P]) bool {
	if c.file == nil {
		return false
	}
	head, err := c.file.Head(ctx, proofnumber.CheckpointFormat, c.about)
	if err != nil || len(head.Certificates) == 0 { // what is wrong with it is told by who loads it
		return false
	}
	c.certificates = head.Certificates
	c.noteReplaced(a.question)
	if !a.question.Completing {
		return false
	}
	if !a.findCertificates(c.certificates, answer) {
		c.options.notice(fmt.Sprintf("the certificates that %s tells of are not in their places, or rest on tables that are not at hand: others are made", c.file.Path()))
		return false
	}
	c.before = time.Duration(head.Seconds * float64(time.Second))
	answer.Verdict, answer.Ends = proofnumber.Proved, a.ends()
	answer.Nodes, answer.Resumed, answer.Seconds, answer.Searched = head.Nodes, head.Nodes, c.seconds(), head.Seconds
	answer.Saved = &Saved{Recalled: true, file: c.file, about: c.about, notice: c.options.notice}
	c.options.notice(GoingOn(head.Nodes, "node", "searched", c.file.Path()) + "; certificates are completed")
	return true
}

// noteReplaced notes what is saved of completing certificates that stand where the question has its own
// written. The file tells of them.
func (c *saver[P]) noteReplaced(q Question[P]) {
	for i, file := range q.Files {
		if at, err := sealedAt(file.Path()); err == nil && slices.Contains(c.certificates, at.checksum) {
			c.replaced = append(c.replaced, completionName(q.Claims[i].Text(q.Game.SideName), at.checksum))
		}
	}
}

// forgetReplaced removes what was noted, once others stand there, unless somebody is at it. A certificate
// that came out the same goes on.
func (c *saver[P]) forgetReplaced(q Question[P], certificates []Certificate) {
	for _, made := range certificates {
		at, err := sealedAt(made.Path)
		if err != nil {
			return
		}
		same := completionName(made.Claim.Text(q.Game.SideName), at.checksum)
		c.replaced = slices.DeleteFunc(c.replaced, func(name string) bool { return name == same })
	}
	for _, name := range c.replaced {
		_ = checkpoint.Remove(filepath.Join(filepath.Dir(c.file.Path()), name))
	}
}

// findCertificates takes up the certificates of all claims, as they stand in their places: such as have one
// of the checksums.
func (a *attempt[P]) findCertificates(sums []string, answer *Answer[P]) bool {
	q := a.question
	if len(q.Files) != len(q.Claims) {
		return false
	}
	found := Answer[P]{}
	for i, claim := range q.Claims {
		path := q.Files[i].Path()
		at, err := sealedAt(path)
		if err != nil || !slices.Contains(sums, at.checksum) || !a.fits(claim, at.Header) {
			return false
		}
		found.Claims = append(found.Claims, a.state(claim, proofnumber.Proved))
		found.Certificates = append(found.Certificates, Certificate{Claim: claim, Path: path, Bytes: at.bytes})
	}
	answer.Claims, answer.Certificates = found.Claims, found.Certificates
	for _, file := range q.Files { // completing writes there
		file.Discard()
	}
	return true
}

// fits tells whether a certificate is one that the search would come to, by its header: it may rest on
// fewer tables.
func (a *attempt[P]) fits(claim proofs.Claim, h proofs.Header) bool {
	q, tables := a.question, a.shelf.Named()
	missing := func(t proofs.Table) bool { return !slices.Contains(tables, t) }
	return h.Setting == proofs.Setting(a.of.Identity) && h.Claim == claim.Text(q.Game.SideName) &&
		h.Root == q.Game.Format(q.Root, q.Side) && len(h.Parts) == 0 && !slices.ContainsFunc(h.Tables, missing)
}

// sealed is what a certificate says at its two ends.
type sealed struct {
	proofs.Header
	checksum string // in its seal
	bytes    int64  // of the file
}

// sealedAt reads the two ends of a certificate that has a seal. Only regular files are opened: others may
// wait for ever.
func sealedAt(path string) (sealed, error) {
	info, err := os.Stat(path)
	if err != nil {
		return sealed{}, err
	}
	if !info.Mode().IsRegular() {
		return sealed{}, fmt.Errorf("%s: %w", path, proofs.ErrFormat)
	}
	file, err := os.Open(path)
	if err != nil {
		return sealed{}, err
	}
	defer file.Close()
	opened, err := proofs.Open(file, info.Size())
	if err != nil {
		return sealed{}, err
	}
	s := sealed{opened.Header, opened.Part().Checksum, info.Size()}
	if s.checksum == "" {
		return sealed{}, fmt.Errorf("%s: %w: it has no seal", path, proofs.ErrFormat)
	}
	return s, nil
}
