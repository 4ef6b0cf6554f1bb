package hub

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/internal/parallel"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

// building is the pursuit of a construction. Groups that came wait in files until they are
// derived again, and are stored then.
type building struct {
	hub    *Hub
	q      *asked
	game   construction.Game
	site   construction.Site
	folder string // of the files of groups
	works  []*unit
	wrong  map[string]bool // workers that are believed no more
	solved uint64          // positions

	listing sync.Mutex // of what is lent
	lists   map[proofs.Table]loan
	closing func() error // closes the folder of the tables, once

	ownWork // derives here what nobody else derives, and stores what is derived
}

// unit is a group of a construction.
type unit struct {
	construction.Group
	place  int
	stored bool
	task   construction.Task      // once its needs are stored; else without a name
	given  bool                   // its job is out
	vain   int                    // how often nobody took it
	past   *inspection.Inspection // of what was stored since the hub began
	made   *made
}

// made is a group that came.
type made struct {
	construction.Made
	construction.Checked
	worker     string
	inspection *inspection.Inspection
	doubted    bool
}

// loan is a table that is lent: stored, or of a file.
type loan struct {
	table verify.Table
	made  *made
}

// prepareConstruction opens the folder of the tables, and takes up what the ledger knows.
func (h *Hub) prepareConstruction(q *asked) error {
	b, err := h.openBuilding(q)
	if err == nil {
		var fits bool
		if fits, err = h.admitBuilding(q, b.site.Memory()); err == nil && !fits {
			b.close()
			return nil
		}
	}
	if err == nil {
		err = b.retell()
	}
	if err = cmp.Or(err, h.context.Err()); err == nil {
		err = h.noteDown(q)
	}
	if err != nil {
		b.close()
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.search, q.slices, q.stage = &search{pursuit: b}, len(b.lists), wire.Searching
	b.begin(h, q, func() error {
		err := b.chores(h, q, b.chore)
		if err != nil && b.context.Err() == nil {
			err = errors.Join(err, b.closing())
		}
		return err
	})
	h.fill()
	return nil
}

// openBuilding opens the folder.
func (h *Hub) openBuilding(q *asked) (*building, error) {
	b := &building{
		hub: h, q: q, folder: filepath.Join(h.path("built"), q.id), wrong: make(map[string]bool),
		lists: make(map[proofs.Table]loan), ownWork: newOwnWork(h.context), closing: func() error { return nil },
	}
	if h.options.Builds == nil {
		return b, wire.ErrKind
	}
	var err error
	if b.game, err = h.options.Builds(q.Setting); err != nil {
		return b, err
	}
	if b.site, err = b.game.Open(b.context, q.Order); err != nil {
		return b, err
	}
	b.closing = sync.OnceValue(b.site.Close)
	for i, g := range b.site.Groups() {
		b.works = append(b.works, &unit{Group: g, place: i})
	}
	for _, w := range b.works {
		b.look(w)
	}
	b.ready()
	return b, os.MkdirAll(b.folder, 0o777)
}

// admitBuilding counts what a construction takes, if that fits.
func (h *Hub) admitBuilding(q *asked, bytes uint64) (fits bool, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.options.Room > 0 && bytes > h.options.Room {
		return false, fmt.Errorf("%w: it takes %d MiB, and the hub has %d MiB for all questions", inspection.ErrMemory, bytes>>20, h.options.Room>>20)
	}
	q.measured, q.tables, q.upper = true, bytes, 0
	if !h.fits(q) {
		q.stage = wire.Waiting
		return false, nil
	}
	q.within, q.upper = true, bytes
	return true, nil
}

// look sees whether a group is stored.
func (b *building) look(w *unit) {
	tables := b.site.Stored(w.place)
	w.stored = tables != nil
	b.lend(tables, nil)
}

// ready names the tasks of groups whose needs are stored.
func (b *building) ready() {
	for _, w := range b.works {
		if !w.stored && w.task.Job == "" && b.has(w.Needs) {
			w.task = b.site.Task(w.place, b.hub.options.Version)
		}
	}
}

// has tells whether groups are stored.
func (b *building) has(places []int) bool {
	for _, at := range places {
		if !b.works[at].stored {
			return false
		}
	}
	return true
}

// lend lends tables, of a file if it is not nil.
func (b *building) lend(tables []verify.Table, of *made) {
	b.listing.Lock()
	defer b.listing.Unlock()
	for _, t := range tables {
		b.lists[wire.LentTable(t)] = loan{t, of}
	}
}

// retell takes up what the ledger knows since the last answer arrived, and removes files
// of which it knows nothing.
func (b *building) retell() error {
	var lines []ledger.Entry
	_, err := b.hub.ledger.Each(func(e ledger.Entry) {
		switch {
		case e.Taken != nil && e.Taken.Question == b.q.id:
			lines = nil
		case e.Built != nil && e.Built.Question == b.q.id, e.Wrong != nil && e.Wrong.Question == b.q.id, e.Piece != nil && e.Piece.Question == b.q.id:
			lines = append(lines, e)
		}
	})
	if err != nil {
		return err
	}
	for _, e := range lines {
		switch {
		case e.Wrong != nil:
			b.disbelieve(e.Wrong.Worker)
		case e.Built != nil:
			if err := b.retellBuilt(e.Built); err != nil {
				return err
			}
		default:
			b.retellPiece(e.Piece)
		}
	}
	for _, w := range b.works {
		if w.made != nil {
			w.made.inspection.Resume()
		}
	}
	return b.sweep()
}

// retellBuilt takes up a group whose file is there.
func (b *building) retellBuilt(line *ledger.Built) error {
	w := b.byJob(line.Job)
	if w == nil || b.wrong[line.Worker] {
		return nil
	}
	file, size, err := openSized(b.path(line.Digest))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	checked, err := b.site.Check(b.context, w.place, line.Made, file, size)
	switch {
	case isBad(err):
		b.hub.notice("%v: the file of %v is damaged, and is built again", b.q.Question, w.task)
		return nil
	case err != nil:
		return err
	}
	b.takeMade(w, &made{Made: line.Made, Checked: checked, worker: line.Worker})
	return nil
}

// isBad tells whether an error is about what came, not about reading it.
func isBad(err error) bool {
	return errors.Is(err, construction.ErrMade) || errors.As(err, new(*flat.FileError))
}

// retellPiece takes up an answer to a piece of a group that is there.
func (b *building) retellPiece(p *ledger.Piece) {
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		w.made.inspection.Recall(p.Worker, p.Job, p.Answer)
	}
}

// sweep removes files of groups that are stored, or of which nothing is known.
func (b *building) sweep() error {
	entries, err := os.ReadDir(b.folder)
	if err != nil {
		return err
	}
	named := make(map[string]bool)
	for _, w := range b.works {
		if w.made != nil {
			named[w.made.Digest] = true
		}
	}
	for _, e := range entries {
		if !named[e.Name()] {
			err = errors.Join(err, os.RemoveAll(b.path(e.Name())))
		}
	}
	return err
}

func (b *building) path(digest string) string { return filepath.Join(b.folder, digest) }

// byJob is the group that is to be built by a job.
func (b *building) byJob(job string) *unit {
	for _, w := range b.works {
		if !w.stored && w.made == nil && w.task.Job == job && job != "" {
			return w
		}
	}
	return nil
}

// takeMade takes up a group that came.
func (b *building) takeMade(w *unit, m *made) {
	h := b.hub
	m.inspection = inspection.Inspect([]verify.Group{m.Group}, inspection.Terms{
		Setting: b.q.Setting, Version: h.options.Version, Indices: h.options.Indices, Audited: h.options.Audited,
		Not: m.worker, Counts: b.site.Indices,
	})
	for worker := range b.wrong {
		m.inspection.Disbelieve(worker)
	}
	w.made, w.given = m, false
	b.lend(m.own(), m)
}

// own names the tables of its slices.
func (m *made) own() (tables []verify.Table) {
	for _, p := range m.Parts {
		tables = append(tables, verify.Table{Metric: m.Group.Metric, Slice: p.Slice, Stored: p.Fingerprint})
	}
	return tables
}

// drop forgets a group that came. It is given out again.
func (b *building) drop(w *unit) {
	m := w.made
	b.listing.Lock()
	for t, l := range b.lists {
		if l.made == m {
			delete(b.lists, t)
		}
	}
	b.listing.Unlock()
	w.made = nil
	_ = os.Remove(b.path(m.Digest)) // at the latest at the next start
}

// disbelieve believes a worker no more, nor what it built.
func (b *building) disbelieve(worker string) {
	b.wrong[worker] = true
	for _, w := range b.works {
		switch {
		case w.past != nil:
			if w.past.Disbelieve(worker); !w.past.Known() {
				b.hub.notice("worker %s had part in %s, which is stored: paika verify tells whether it is right", bitboard.Quote(worker), strings.Join(w.Slices, " "))
				w.past = nil
			}
		case w.made == nil:
		case w.made.worker == worker:
			b.drop(w)
		default:
			w.made.inspection.Disbelieve(worker)
		}
	}
}

// helper says who may derive what a worker built.
type helper int

const (
	nobody helper = iota // the hub does it itself
	later                // somebody who builds at present
	now
)

// helpers tells who may derive a group again. The hub's mutex is held.
func (b *building) helpers(m *made) (who helper) {
	busy := make(map[string]bool)
	for _, g := range b.hub.out {
		if g.Build != nil {
			busy[g.worker] = true
		}
	}
	for name := range b.hub.workers {
		switch {
		case name == m.worker || b.wrong[name]:
		case busy[name]:
			who = max(who, later)
		default:
			who = now
		}
	}
	return who
}

// next prefers what is to be derived again: others may need it.
func (b *building) next() (wire.Job, bool) {
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		switch b.helpers(w.made) {
		case nobody:
			b.wake()
		case now:
			if task, found := w.made.inspection.Next(); found {
				return wire.Job{Piece: &task, Tables: b.fingerprint()}, true
			}
		}
	}
	var best *unit
	out := 0
	for _, w := range b.works {
		switch {
		case w.given:
			out++
		case w.stored || w.made != nil || w.task.Job == "":
		case best == nil || cmp.Or(cmp.Compare(best.vain, w.vain), cmp.Compare(w.Indices, best.Indices)) > 0:
			best = w // of those that somebody may take, the largest
		}
	}
	if best == nil || out >= b.believed() {
		return wire.Job{}, false
	}
	best.given = true
	task := best.task
	return wire.Job{Build: &task, Tables: b.fingerprint()}, true
}

// believed counts the workers that are there and may build.
func (b *building) believed() (many int) {
	for name := range b.hub.workers {
		if !b.wrong[name] {
			many++
		}
	}
	return many
}

func (b *building) putBack(j wire.Job) {
	for _, w := range b.works {
		switch {
		case j.Build != nil && w.task.Job == j.Build.Job:
			w.given = false
		case j.Piece != nil && w.made != nil:
			w.made.inspection.Return(j.Piece.Job)
		}
	}
}

func (b *building) wanted(j wire.Job) bool {
	if j.Build != nil {
		return b.byJob(j.Build.Job) != nil
	}
	for _, w := range b.works {
		if w.made != nil && w.made.inspection.Wanted(j.Piece.Job) {
			return true
		}
	}
	return false
}

func (b *building) known() bool {
	for _, w := range b.works {
		if !w.stored {
			return false
		}
	}
	return true
}

func (b *building) standing() wire.Standing {
	p := construction.Progress{Groups: len(b.works)}
	for _, w := range b.works {
		switch {
		case w.stored:
			p.Stored++
		case w.made != nil:
			p.Verifying++
			at := w.made.inspection.Progress()
			p.Pieces, p.Settled = p.Pieces+at.Pieces, p.Settled+at.Settled
		case w.given:
			p.Building++
		default:
			p.Waiting++
		}
	}
	return wire.Standing{Groups: &p}
}

// most is the most bytes of a group's file that is out.
func (b *building) most() (most int64) {
	for _, w := range b.works {
		if w.given {
			most = max(most, w.Most)
		}
	}
	return most
}

func (b *building) judge(h *Hub, q *asked, r *wire.Result) wire.Reply {
	if !wire.Proper(r.Worker) || (r.Built == nil) == (r.Piece == nil) {
		defer h.mutex.Unlock()
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "it is no answer of a worker to a job of a construction"}
	}
	if r.Built != nil {
		return b.judgeBuilt(r)
	}
	what := b.judgePiece(r)
	h.mutex.Unlock()
	if what.Outcome == wire.Accepted {
		if err := h.ledger.Sync(); err != nil {
			return wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
		}
	}
	return what
}

// giveBack takes back the job of a result, whether or not it helped, and gives out others.
// The mutex is held.
func (b *building) giveBack(r *wire.Result) {
	b.hub.forget(r.Upload)
	if g := b.hub.out[r.Message]; b.hub.last(b.q, g, r) {
		b.hub.again(g)
	}
	b.wake()
	b.hub.settle(b.q)
}

// judgePiece takes up what a worker derived. The mutex is held.
func (b *building) judgePiece(r *wire.Result) wire.Reply {
	defer b.giveBack(r)
	r.Piece.First = bitboard.Shorten(r.Piece.First)
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		i := w.made.inspection
		what, reason := i.Judge(r.Worker, r.Job, r.Piece)
		if what == inspection.Unknown {
			continue
		}
		if what == inspection.Taken {
			if err := b.hub.ledger.Add(ledger.Entry{Piece: &ledger.Piece{Question: b.q.id, Job: r.Job, Worker: r.Worker, Answer: *r.Piece}}); err != nil {
				return wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
			}
		}
		if i.Take(r.Worker, r.Job, *r.Piece); what == inspection.Taken {
			return wire.Reply{Outcome: wire.Accepted}
		}
		if what == inspection.Known {
			return wire.Reply{Outcome: wire.Copied}
		}
		return wire.Reply{Outcome: wire.Rejected, Reason: reason}
	}
	return wire.Reply{Outcome: wire.Copied} // its group is over
}

// judgeBuilt takes up a group that was built. The mutex is held, and is let go.
func (b *building) judgeBuilt(r *wire.Result) wire.Reply {
	h := b.hub
	w := b.byJob(r.Job)
	u := h.uploads[r.Upload]
	switch {
	case b.wrong[r.Worker]:
		defer h.mutex.Unlock()
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "the hub found that this worker was wrong"}
	case w == nil:
		defer h.mutex.Unlock()
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Copied}
	case !wire.PlainName(r.Upload):
		defer h.mutex.Unlock()
		b.giveBack(r)
		return wire.Reply{Outcome: wire.Rejected, Reason: "no file was sent"}
	case u == nil:
		defer h.mutex.Unlock()
		return wire.Reply{Outcome: wire.Failing, Reason: "the group was not sent to this hub: send it again"}
	}
	u.checked = true
	at := b.q.search
	at.checks.Add(1)
	defer at.checks.Done()
	h.mutex.Unlock()
	what, err := b.accept(w, r)
	switch {
	case isBad(err):
		h.notice("a group of worker %s is rejected: %v", bitboard.Quote(r.Worker), err)
		what = wire.Reply{Outcome: wire.Rejected, Reason: err.Error()}
	case err != nil:
		h.notice("a group can't be kept: %v", err)
		what = wire.Reply{Outcome: wire.Failing, Reason: err.Error()}
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	b.giveBack(r)
	return what
}

// accept checks the file of a group, keeps it, and takes it up.
func (b *building) accept(w *unit, r *wire.Result) (wire.Reply, error) {
	path := b.hub.uploadPath(r.Upload)
	file, size, err := openSized(path)
	if err != nil {
		return wire.Reply{}, err
	}
	defer file.Close()
	checked, err := b.site.Check(b.context, w.place, *r.Built, file, size)
	if err != nil {
		return wire.Reply{}, err
	}
	if err := lasting.SyncFile(path); err != nil {
		return wire.Reply{}, err
	}
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	if w.stored || w.made != nil || b.wrong[r.Worker] || b.q.search == nil || b.q.pursuit != pursuit(b) || b.q.stage != wire.Searching {
		return wire.Reply{Outcome: wire.Copied}, nil
	}
	if err := os.Rename(path, b.path(r.Built.Digest)); err != nil {
		return wire.Reply{}, err
	}
	line := ledger.Built{Question: b.q.id, Job: r.Job, Worker: r.Worker, Made: *r.Built}
	err = lasting.SyncFolder(b.folder)
	if err == nil {
		err = b.hub.ledger.Add(ledger.Entry{Built: &line})
	}
	if err == nil {
		err = b.hub.ledger.Sync()
	}
	if err != nil {
		_ = os.Remove(b.path(r.Built.Digest))
		return wire.Reply{}, err
	}
	b.takeMade(w, &made{Made: *r.Built, Checked: checked, worker: r.Worker})
	return wire.Reply{Outcome: wire.Accepted}, nil
}

// giveUp has a piece derived here that nobody takes. A group goes out again, after the
// others: nobody but workers builds.
func (b *building) giveUp(_ *Hub, g *given, _ string) error {
	b.putBack(g.Job)
	for _, w := range b.works {
		switch {
		case g.Build != nil && w.task.Job == g.Build.Job:
			w.vain++
		case g.Piece != nil && w.made != nil:
			w.made.inspection.Spare(g.Piece.Job)
		}
	}
	b.wake()
	return nil
}

// chore is what is to be done here next, nil if nothing is. It is over when the question is
// no longer at work.
func (b *building) chore() (over bool, do func() error) {
	h := b.hub
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if b.q.search == nil || b.q.pursuit != pursuit(b) || b.q.stage != wire.Searching {
		return true, nil
	}
	for _, w := range b.works {
		if w.made != nil && w.made.inspection.Known() {
			return false, func() error { return b.conclusion(w) }
		}
	}
	for _, w := range b.works {
		if w.made == nil {
			continue
		}
		i := w.made.inspection
		if b.helpers(w.made) == nobody {
			for range h.options.Workers {
				task, found := i.Next()
				if !found {
					break
				}
				i.Return(task.Job)
				i.Spare(task.Job)
			}
		}
		if tasks := i.Ours(max(1, h.options.Workers)); len(tasks) > 0 {
			return false, func() error { return b.derive(w, tasks) }
		}
	}
	return false, nil
}

// derive derives pieces of a group here, and takes them up.
func (b *building) derive(w *unit, tasks []inspection.Task) error {
	err := b.bring(tasks[0].Group, b.source, b.game)
	if errors.Is(err, wire.ErrNotOffered) { // its builder was found to be wrong meanwhile
		return nil
	}
	if err != nil {
		return err
	}
	answers := make([]inspection.Answer, len(tasks))
	err = parallel.Each(b.context, len(tasks), uint64(len(tasks)), func(ctx context.Context, _ int, i uint64) (err error) {
		answers[i], err = tasks[i].Do(ctx, b.pieces, b.hub.options.Workers, func(uint64) {})
		return err
	})
	if err != nil {
		return err
	}
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	for i, task := range tasks {
		if err := b.decide(w, task, answers[i]); err != nil {
			return err
		}
	}
	b.hub.settle(b.q)
	return nil
}

// decide takes up a piece that was derived here. The mutex is held.
func (b *building) decide(w *unit, task inspection.Task, answer inspection.Answer) error {
	if w.made == nil || w.made.worker != task.Not { // it was dropped
		return nil
	}
	if err := b.hub.ledger.Add(ledger.Entry{Piece: &ledger.Piece{Question: b.q.id, Job: task.Job, Answer: answer}}); err != nil {
		return err
	}
	if worker := w.made.inspection.Decide(task.Job, answer); worker != "" {
		return b.expose(worker, fmt.Sprintf("was wrong about %v", task))
	}
	return nil
}

// expose believes a worker no more. The mutex is held.
func (b *building) expose(worker, why string) error {
	if err := b.hub.ledger.Add(ledger.Entry{Wrong: &ledger.Wrong{Question: b.q.id, Worker: worker}}); err != nil {
		return err
	}
	b.hub.notice("worker %s %s: it is believed no more", bitboard.Quote(worker), why)
	b.hub.counts.Rejected++
	if w := b.hub.workers[worker]; w != nil {
		w.rejected++
	}
	b.disbelieve(worker)
	return nil
}

// conclusion stores a group of which all is known, or gives it out again.
func (b *building) conclusion(w *unit) error {
	right, err := b.verdict(w)
	if err != nil || !right {
		return err
	}
	m := w.made // nobody else drops what is known, or takes up another
	file, err := os.Open(b.path(m.Digest))
	if err != nil {
		return err
	}
	defer file.Close()
	err = b.site.Import(b.context, w.place, m.Made, file)
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	switch {
	case isBad(err): // it was whole when it came
		b.hub.notice("%v: the file of %v is damaged, and is built again: %v", b.q.Question, w.task, err)
		b.drop(w)
	case err != nil:
		return err
	default:
		b.drop(w)
		w.past = m.inspection
		b.look(w)
		b.ready()
		b.solved += w.Positions
	}
	b.hub.settle(b.q)
	return nil
}

// verdict tells whether a group of which all is known is right.
func (b *building) verdict(w *unit) (right bool, err error) {
	b.hub.mutex.Lock()
	defer b.hub.mutex.Unlock()
	m := w.made
	if m == nil || !m.inspection.Known() {
		return false, nil
	}
	if !m.inspection.Suspect() {
		switch {
		case m.Agree(m.inspection.Sums(0)):
			return true, nil
		case !m.doubted:
			m.doubted = true
			m.inspection.Doubt()
			return false, nil
		}
	}
	err = b.expose(m.worker, fmt.Sprintf("built %s wrong", strings.Join(w.Slices, " ")))
	b.hub.settle(b.q)
	return false, err
}

// source has tables that are lent here.
func (b *building) source(ctx context.Context, t verify.Table, _ int64, read func(io.Reader) error) error {
	return pipe(func(out io.Writer) error { return b.export(ctx, wire.LentTable(t), out) }, read)
}

func (b *building) conclude(context.Context, string, func(string) string) (ledger.Answer, error) {
	b.wake()
	b.end()
	tally, err := b.site.Tally()
	if err != nil {
		return ledger.Answer{}, err
	}
	tally.Solved = b.solved
	switch err := b.closing(); {
	case diskFull(err): // what is stored is on disk, and whoever opens the folder next puts it in order
		b.hub.notice("%v: the tables are stored, and closed when the hub ends: %v", b.q.Question, err)
	case err != nil:
		return ledger.Answer{}, err
	}
	return ledger.Answer{Verdict: proofnumber.Proved, Built: &tally}, os.RemoveAll(b.folder)
}

// fingerprint stands for all tables of the construction, which come and go.
func (b *building) fingerprint() string { return "construction " + b.q.id }

// bytes is what deriving a group here takes, and the table of a file.
func (b *building) bytes() uint64 { return b.q.upper }

func (b *building) named() (tables []proofs.Table) {
	b.listing.Lock()
	defer b.listing.Unlock()
	for t := range b.lists {
		tables = append(tables, t)
	}
	return tables
}

func (b *building) file(t proofs.Table) string { return valuesFile(t) }

func (b *building) export(ctx context.Context, t proofs.Table, out io.Writer) error {
	b.listing.Lock()
	of, there := b.lists[t]
	b.listing.Unlock()
	switch {
	case !there:
		return wire.ErrNotOffered
	case of.made == nil:
		return b.site.Write(ctx, of.table, out)
	}
	file, err := os.Open(b.path(of.made.Digest))
	if errors.Is(err, os.ErrNotExist) { // it was dropped meanwhile
		return wire.ErrNotOffered
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return b.site.WriteMade(ctx, of.made.Made, file, t.Slice, out)
}

func (b *building) close() {
	b.cancel()
	b.end()
	if err := b.closing(); err != nil {
		b.hub.notice("%v: %v", b.q.Question, err)
	}
}
