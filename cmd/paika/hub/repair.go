package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// Repaired is what became of a ledger that was repaired.
type Repaired struct {
	Lines   int `json:"lines"`   // that were whole
	Torn    int `json:"torn"`    // that were not
	Parts   int `json:"parts"`   // that had no line: they were checked, and have one now
	Answers int `json:"answers"` // the same of certificates of questions, or of questions that had no line

	// Findings tell of files that show nothing, of what has the place of one and is none, and of lines whose
	// files are missing.
	Findings []string `json:"findings"`
}

// Repair puts in the ledger of a folder what its files show and no line says: each is
// checked as if a stranger had sent it. An answer whose certificate shows nothing counts no more: a line says
// that the question is asked anew. Lines are added, and nothing is taken away. What
// is lost with a ledger are the questions that had no answer, which are asked again, and
// the numbers of undecided positions. No hub may be at the folder: lasting.ErrLocked.
// Errors are those of files, of opening games and tables and of checks that can't be made,
// and the context's. What was counted before stays counted.
func Repair(ctx context.Context, o Options) (Repaired, error) {
	folder := dataFolder(o.Dir)
	if _, err := os.Stat(folder.path(partsFolder)); err != nil {
		return Repaired{}, fmt.Errorf("%s is not the folder of a hub that has begun: %w", o.Dir, err)
	}
	r := &repair{
		dataFolder: folder, Options: o,
		named: make(map[string]listed), asked: make(map[string]ledger.Question), lost: make(map[string]ledger.Answer),
	}
	var err error
	if r.ledger, r.done.Torn, err = ledger.Open(folder.path(ledgerName), r.recall); err != nil {
		return Repaired{}, err
	}
	defer r.ledger.Close()
	defer r.leave()
	r.done.Findings = []string{}
	r.findNamed()
	files, err := r.unnamed()
	if err != nil {
		return r.done, err
	}
	for _, f := range files {
		if err := r.count(ctx, f); err != nil {
			return r.done, err
		}
	}
	return r.done, r.ledger.Sync()
}

// repair is one under way.
type repair struct {
	dataFolder
	Options
	ledger *ledger.Ledger
	named  map[string]listed          // files that lines name, by their paths, as the last of these has them
	asked  map[string]ledger.Question // the last line of each question, by its ID
	lost   map[string]ledger.Answer   // the last line of each answer with a certificate whose question is in no line before, by that
	done   Repaired
	site   share.Site // that of the last file
	of     string     // its setting and claim
	tables uint64     // bytes of its tables
}

// listed is a file as a line has it.
type listed struct {
	digest string
	bytes  int64
}

// lone is a file that no line names.
type lone struct {
	path     string
	question string // the ID of one that it answers; of a part empty
	proofs.Header
}

// at is by what sites differ.
func (f lone) at() string { return fmt.Sprint(f.Setting, f.Claim) }

func (r *repair) find(path, format string, args ...any) {
	r.done.Findings = append(r.done.Findings, path+": "+fmt.Sprintf(format, args...))
}

// recall takes up a line.
func (r *repair) recall(e ledger.Entry) {
	r.done.Lines++
	switch {
	case e.Question != nil:
		r.asked[e.Question.ID] = *e.Question
		delete(r.named, r.proofPath(e.Question.ID)) // it is asked anew
		delete(r.lost, e.Question.ID)
	case e.Answer != nil && e.Answer.Certified():
		r.named[r.proofPath(e.Answer.Question)] = listed{e.Answer.Proof.Digest, e.Answer.Proof.Bytes}
		if _, asked := r.asked[e.Answer.Question]; !asked {
			r.lost[e.Answer.Question] = *e.Answer
		}
	case e.Result != nil && e.Result.Verdict != proofnumber.Undecided:
		r.named[r.partPath(e.Result.Part.Digest)] = listed{e.Result.Part.Digest, e.Result.Part.Bytes}
	}
}

// findNamed tells which of the files that lines name are not there. No line names these any more.
func (r *repair) findNamed() {
	for _, path := range slices.Sorted(maps.Keys(r.named)) {
		want := r.named[path].bytes
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() != want {
			r.find(path, "the ledger has it with %d bytes, and it is missing or another", want)
			delete(r.named, path)
		}
	}
}

// unnamed lists the files of certificates that no line names, those together that are of
// one game and claim.
func (r *repair) unnamed() (files []lone, err error) {
	for _, dir := range []string{partsFolder, proofsFolder} {
		entries, err := os.ReadDir(r.path(dir))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, err
		}
		for _, e := range entries {
			f := lone{path: filepath.Join(r.path(dir), e.Name())}
			if dir == proofsFolder {
				f.question = strings.TrimSuffix(e.Name(), proofSuffix)
			}
			if f.question == e.Name() && !e.IsDir() || dir == partsFolder && r.named[f.path].digest != "" { // not written to its end, or named
				continue
			}
			switch f.Header, err = header(f.path); {
			case ofFile(err), errors.Is(err, os.ErrNotExist): // a link to nowhere
				r.find(f.path, "%v", err)
				continue
			case err != nil:
				return nil, fmt.Errorf("%s: %w", f.path, err)
			}
			files = append(files, f)
		}
	}
	slices.SortStableFunc(files, func(a, b lone) int { return cmp.Compare(a.at(), b.at()) })
	return files, nil
}

// ofFile tells whether an error is about what a file says, and not what keeps it from being checked.
func ofFile(err error) bool {
	return errors.Is(err, share.ErrPart) || errors.Is(err, share.ErrResult) || errors.Is(err, proofs.ErrFormat) || errors.Is(err, errIrregular)
}

// header reads what a certificate says of itself.
func header(path string) (proofs.Header, error) {
	file, size, err := openSized(path)
	if err != nil {
		return proofs.Header{}, err
	}
	defer file.Close()
	c, err := proofs.Open(file, size)
	if err != nil {
		return proofs.Header{}, err
	}
	return c.Header, nil
}

// errIrregular says that something has the place of a file and is none: a folder, or a pipe, whose opening
// would not end.
var errIrregular = errors.New("it is no regular file")

func openSized(path string) (*os.File, int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errIrregular
	}
	file, err := os.Open(path)
	return file, info.Size(), err
}

// count checks a file, and adds its line. What keeps the file from being checked, such as tables that
// another process has, is an error, and ends the repair: the file may be right.
func (r *repair) count(ctx context.Context, f lone) error {
	proof, err := r.proof(ctx, f)
	var result share.Result
	if err == nil {
		result, err = f.check(ctx, proof)
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	switch {
	case ofFile(err):
		r.find(f.path, "%v", err)
		return r.forgo(f)
	case err != nil:
		return fmt.Errorf("%s: %w", f.path, err)
	}
	if _, lost := r.lost[f.question]; !lost && r.named[f.path].digest == result.Part.Digest { // an answer that has its lines
		return nil
	}
	if f.question != "" {
		return r.addAnswer(f, proof, result)
	}
	if result.Part.Digest != filepath.Base(f.path) {
		r.find(f.path, "it is not named for its content, %s", result.Part.Digest)
		return nil
	}
	r.done.Parts++
	return r.ledger.Add(ledger.Entry{Result: &ledger.Result{Setting: &f.Setting, Tables: r.site.Tables(), Worker: "repair", Result: result}})
}

// forgo has the answer count no more of which a file is the certificate that shows nothing: a line says that
// the question is asked anew.
func (r *repair) forgo(f lone) error {
	q, asked := r.asked[f.question]
	if !asked || r.named[f.path].digest == "" { // there is no such answer
		return nil
	}
	return r.ledger.Add(ledger.Entry{Question: &q})
}

// proof is a question whose parts are checked as the file is to be. Errors: those of opening the game
// and its tables, and ErrPart.
func (r *repair) proof(ctx context.Context, f lone) (share.Proof, error) {
	if r.of != f.at() {
		r.leave()
		site, err := r.Open(ctx, f.Setting, f.Claim, nil)
		if err != nil {
			return nil, err
		}
		r.site, r.of, r.tables = site, f.at(), 0
		if r.Measure != nil {
			if _, r.tables, err = r.Measure(f.Setting); err != nil {
				return nil, err
			}
		}
	}
	proof, err := r.site.Proof(share.Question{Position: f.Root, Claim: f.Claim, Version: r.Version, Workers: r.Workers, Memory: r.Memory, Borrow: r.lend})
	if err != nil { // by what the file says
		return nil, fmt.Errorf("%w: %w", share.ErrPart, err)
	}
	return proof, nil
}

// lend gives a check what tables leave of Options.Room, up to so many bytes: one check goes on at a time, and
// nothing else.
func (r *repair) lend(most uint64) (bytes uint64, back func()) {
	return min(most, r.Room-min(r.Room, r.tables)), func() {}
}

// leave frees the tables.
func (r *repair) leave() {
	if r.site != nil {
		r.site.Close()
	}
	r.site, r.of = nil, ""
}

// check makes a result of what a file shows.
func (f lone) check(ctx context.Context, proof share.Proof) (share.Result, error) {
	result := share.Result{Claim: proof.Attack(), Position: f.Root, Verdict: proofnumber.Refuted}
	if f.Claim == result.Claim {
		result.Verdict = proofnumber.Proved
	}
	file, size, err := openSized(f.path)
	if err != nil {
		return result, err
	}
	defer file.Close()
	result.Part, err = proof.Check(ctx, f.Root, result.Verdict, file, size)
	return result, err
}

// addAnswer adds the lines of a question that a certificate answers: of its claim, or of
// the opposite one. The name of the file tells.
func (r *repair) addAnswer(f lone, proof share.Proof, result share.Result) error {
	for _, claim := range []string{proof.Attack(), proof.Defence()} {
		q := wire.Question{Setting: f.Setting, Position: f.Root, Claim: claim}
		if q.ID() != f.question {
			continue
		}
		if _, asked := r.asked[f.question]; !asked {
			if err := r.ledger.Add(ledger.Entry{Question: &ledger.Question{ID: f.question, Question: q}}); err != nil {
				return err
			}
		}
		line := ledger.Answer{Question: f.question, Verdict: proofnumber.Refuted, Tables: r.site.Slices(), Proof: result.Part}
		if claim == f.Claim {
			line.Verdict = proofnumber.Proved
		}
		if lost := r.lost[f.question]; lost.Verdict == line.Verdict && lost.Proof == line.Proof { // it tells more
			line = lost
		}
		r.done.Answers++
		return r.ledger.Add(ledger.Entry{Answer: &line})
	}
	r.find(f.path, "it is named for another question than %s from %s", bitboard.Shorten(f.Claim), bitboard.Shorten(f.Root))
	return nil
}
