package hub

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"

	"paika/bitboard"
	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/internal/usage"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase/verify"
)

// building is the pursuit of a construction. Groups that came wait in files until they are
// derived again, and are stored then.
type building struct {
	hub    *Hub
	q      *question
	game   construction.Game
	site   construction.Site
	folder string // of the files of groups
	works  []*unit
	wrong  map[string]bool // workers that are believed no more

	listing sync.Mutex // of what is lent
	lists   map[proofs.Table]loan
	closing func() error // closes the folder of the tables

	ownWork // derives here what nobody else derives, and stores what is derived
}

// unit is a group of a construction.
type unit struct {
	construction.Group
	place  int
	stored bool
	tables []verify.Table         // that are stored
	ours   bool                   // it is stored, and was built for the question
	task   construction.Task      // once its needs are stored; else without a name
	isOut  bool                   // its job is out
	vain   int                    // how often nobody took it
	short  map[speaker]shortage   // who has too little memory for it
	past   *inspection.Inspection // of what is stored, by which it was; nil where that is not known
	made   *made
}

// shortage is what a group needs and what a worker has, in bytes.
type shortage struct{ need, have uint64 }

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
func (h *Hub) prepareConstruction(q *question) error {
	b, err := h.openBuilding(q)
	if err == nil {
		var fits bool
		if fits, err = h.admitWhole(q, b.site.Memory()); err == nil && !fits {
			b.close()
			h.awaitRoom(q)
			return nil
		}
	}
	if err == nil {
		err = b.retell()
	}
	stands := false
	if err == nil {
		stands, err = b.stands()
	}
	if stands {
		b.close()
		h.restore(q)
		return nil
	}
	if err = cmp.Or(err, h.context.Err()); err == nil {
		h.mutex.Lock()
		h.forgo(q)
		h.mutex.Unlock()
		err = h.noteDown(q)
	}
	if err != nil {
		b.close()
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.underway, q.slices, q.stage = &underway{pursuit: b}, len(b.lists), wire.Searching
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

// stands tells whether what is stored is what the last answer tells, which did not arrive.
func (b *building) stands() (bool, error) {
	last := b.q.answer.Built
	if last == nil || !b.known() {
		return false, nil
	}
	tally, err := b.tally()
	tally.Disk = last.Disk // it is less once the folder is closed
	return reflect.DeepEqual(&tally, last), err
}

// tally is what there is of the order.
func (b *building) tally() (construction.Tally, error) {
	tally, err := b.site.Tally()
	tally.Solved = b.solved()
	return tally, err
}

// openBuilding opens the folder.
func (h *Hub) openBuilding(q *question) (*building, error) {
	b := &building{
		hub: h, q: q, folder: h.builtPath(q.id), wrong: make(map[string]bool),
		lists: make(map[proofs.Table]loan), ownWork: newOwnWork(h.context), closing: func() error { return nil },
	}
	if h.options.Builds == nil {
		return b, wire.ErrKind
	}
	var err error
	if b.game, err = h.options.Builds(q.Setting); err != nil {
		return b, err
	}
	b.site, err = b.game.Open(b.context, q.Order, func(c construction.Completing) {
		h.mutex.Lock()
		defer h.mutex.Unlock()
		q.completing = &c
	})
	if b.site != nil {
		b.closing = b.site.Close
	}
	if err != nil {
		return b, err
	}
	for i, g := range b.site.Groups() {
		b.works = append(b.works, &unit{Group: g, place: i})
	}
	for _, w := range b.works {
		b.look(w)
	}
	b.ready()
	return b, lasting.MakeFolder(b.folder, 0o777)
}

// look sees whether a group is stored.
func (b *building) look(w *unit) {
	w.tables = b.site.Stored(w.place)
	w.stored = w.tables != nil
	b.lend(w.tables, nil)
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

func (b *building) path(digest string) string { return filepath.Join(b.folder, digest) }

// recount sees by a line of the ledger whether a group that is stored was built for the question. What
// was derived of it is recalled then.
func (b *building) recount(line *ledger.Built) {
	for _, w := range b.works {
		if w.stored && slices.Equal(b.site.Stored(w.place), line.Tables(b.q.Order.Metric)) {
			w.ours = true
			if b.believes(line.Worker) {
				w.past = b.inspect(b.site.Verified(w.place, line.Made), line.Worker)
			}
		}
	}
}

// solved counts the positions of groups that were built for the question.
func (b *building) solved() (positions uint64) {
	for _, w := range b.works {
		if w.ours {
			positions += w.Positions
		}
	}
	return positions
}

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
	m.inspection = b.inspect(m.Group, m.worker)
	w.made, w.isOut = m, false
	b.lend(m.Tables(m.Group.Metric), m)
}

// inspect begins to have a group derived again that a worker built.
func (b *building) inspect(group verify.Group, builder string) *inspection.Inspection {
	o := b.hub.options
	i := inspection.Inspect([]verify.Group{group}, inspection.Terms{
		Setting: b.q.Setting, Version: o.Version, Indices: o.Indices, Audited: o.Audited, Not: builder, Counts: b.site.Indices,
	})
	for worker := range b.wrong {
		i.Disbelieve(worker)
	}
	return i
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
				b.hub.noticeOf(b.q.from, "worker %s had part in %s, which is stored: paika verify tells whether it is right", bitboard.Quote(worker), strings.Join(w.Slices, " "))
				w.past = nil
			}
		case w.made == nil:
		case w.made.worker == worker:
			b.drop(w)
		default:
			w.made.inspection.Disbelieve(worker)
			w.made.inspection.Audit()
			b.wake()
		}
	}
}

// next prefers what is to be derived again: others may need it. Who built it may not.
func (b *building) next(who speaker) (wire.Job, bool) {
	for _, w := range b.works {
		if w.made == nil || w.made.worker == who.identity() {
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
		_, short := w.short[who]
		switch {
		case w.isOut:
			out++
		case w.stored || w.made != nil || w.task.Job == "" || short || b.lacks(w) != nil:
		case best == nil || cmp.Or(cmp.Compare(best.vain, w.vain), cmp.Compare(w.Indices, best.Indices)) > 0:
			best = w // of those that somebody may take, the largest
		}
	}
	if best == nil || out >= len(b.builders()) {
		return wire.Job{}, false
	}
	best.isOut = true
	task := best.task
	return wire.Job{Build: &task, Tables: b.fingerprint()}, true
}

// builders lists the workers that are there and may build.
func (b *building) builders() (all []speaker) {
	for who := range b.hub.workers {
		if b.believes(who.identity()) {
			all = append(all, who)
		}
	}
	return all
}

// lacks tells what is wanting where none of the workers that are there has the memory for a group;
// else nil. The group goes out again once another worker comes.
func (b *building) lacks(w *unit) *construction.Short {
	var least, most uint64
	builders := b.builders()
	for i, who := range builders {
		of, told := w.short[who]
		if !told {
			return nil
		}
		if most = max(most, of.have); i == 0 || of.need < least {
			least = of.need
		}
	}
	if len(builders) == 0 {
		return nil
	}
	return &construction.Short{Group: w.task.String(), Need: least, Most: most}
}

// runShort notes that a worker has too little memory for the group of a job, which it gives back.
// Where all have, the job is taken back: as long as no other comes, nobody does it. It tells whether
// it is.
func (b *building) runShort(g *outJob, who speaker, of shortage) (over bool) {
	if g.Build == nil {
		return false
	}
	w := b.byJob(g.Build.Job)
	if w == nil {
		return false
	}
	if w.short == nil {
		w.short = make(map[speaker]shortage)
	}
	for other := range w.short {
		if b.hub.workers[other] == nil { // it has gone
			delete(w.short, other)
		}
	}
	w.short[who] = of
	lack := b.lacks(w)
	if lack == nil {
		return false
	}
	b.hub.noticeOf(who.key, "%v: no worker has the memory for %s, which needs %s, and the most that one has is %s", b.q.Question, lack.Group, usage.Amount(lack.Need), usage.Amount(lack.Most))
	b.hub.again(g)
	b.hub.settle(b.q)
	return true
}

// anew forgets what a worker said that comes anew: its memory may be another.
func (b *building) anew(who speaker) {
	for _, w := range b.works {
		delete(w.short, who)
	}
}

func (b *building) putBack(j wire.Job) {
	for _, w := range b.works {
		switch {
		case j.Build != nil && w.task.Job == j.Build.Job:
			w.isOut = false
		case j.Piece != nil && w.made != nil:
			w.made.inspection.Return(j.Piece.Job)
		}
	}
}

func (b *building) wanted(j wire.Job) bool {
	if j.Build != nil {
		return b.byJob(j.Build.Job) != nil
	}
	return b.wantedPiece(j.Piece.Job)
}

func (b *building) awaits(job string) bool { return b.byJob(job) != nil || b.wantedPiece(job) }

func (b *building) wantedPiece(job string) bool {
	return slices.ContainsFunc(b.works, func(w *unit) bool { return w.made != nil && w.made.inspection.Wanted(job) })
}

func (b *building) known() bool {
	for _, w := range b.works {
		if !w.stored {
			return false
		}
	}
	return true
}

func (b *building) believes(worker string) bool { return !b.wrong[worker] }

// errDistrusted says that a hub believes the only worker no more that it will ever have.
var errDistrusted = errors.New("the worker of this process was wrong about tables: if that comes again, suspect the machine")

func (b *building) stuck() error {
	if b.hub.options.OneProcess && b.distrusted() {
		return errDistrusted
	}
	return nil
}

// distrusted tells whether a group is to be built, and each worker that is there was found wrong.
func (b *building) distrusted() bool {
	toBuild := func(w *unit) bool { return !w.stored && w.made == nil }
	return len(b.hub.workers) > 0 && len(b.builders()) == 0 && slices.ContainsFunc(b.works, toBuild)
}

func (b *building) openings() []share.Opening { return nil }

func (b *building) standing() wire.Standing {
	p := construction.Progress{Groups: len(b.works), Distrusted: b.distrusted()}
	for _, w := range b.works {
		switch {
		case w.stored:
			p.Stored++
		case w.made != nil:
			p.Verifying++
			at := w.made.inspection.Progress()
			p.Pieces, p.Settled = p.Pieces+at.Pieces, p.Settled+at.Settled
		case w.isOut:
			p.Building++
		default:
			p.Waiting++
			if lack := b.lacks(w); lack != nil && (p.Short == nil || lack.Need > p.Short.Need) {
				p.Short = lack
			}
		}
	}
	return wire.Standing{Groups: &p}
}

// most is the most bytes of a group's file that may come: whether it is out is not known of one that was
// given out before the hub began anew.
func (b *building) most() (most int64) {
	for _, w := range b.works {
		if !w.stored && w.made == nil {
			most = max(most, w.Most)
		}
	}
	return most
}

func (b *building) conclude(context.Context, string, func(string) string) (ledger.Answer, error) {
	b.wake()
	b.end()
	if err := b.closing(); err != nil {
		return ledger.Answer{}, err
	}
	tally, err := b.tally()
	if err != nil {
		return ledger.Answer{}, err
	}
	return ledger.Answer{Verdict: proofnumber.Proved, Built: &tally}, os.RemoveAll(b.folder)
}

// fingerprint stands for all tables of the construction, which come and go.
func (b *building) fingerprint() string { return "construction " + b.q.id }

// bytes is what deriving a group here takes, and the table of a file.
func (b *building) bytes() uint64 { return b.q.upper }

// needed are those of groups that are derived again, and what those need that are still to be built.
func (b *building) needed() (tables []proofs.Table) {
	for _, w := range b.works {
		switch {
		case w.made != nil:
			tables = append(tables, lentTables(w.made.inspection.Needed())...)
		case !w.stored:
			for _, at := range w.Needs {
				tables = append(tables, lentTables(b.works[at].tables)...)
			}
		}
	}
	return tables
}

func (b *building) file(t proofs.Table) string { return valuesFile(t) }

func (b *building) export(ctx context.Context, t proofs.Table, out io.Writer) error {
	return b.read(t, func(of verify.Table) error {
		return b.site.Write(ctx, of, out)
	}, func(made construction.Made, file io.ReaderAt) error {
		return b.site.WriteMade(ctx, made, file, t.Slice, out)
	})
}

func (b *building) load(ctx context.Context, t proofs.Table, into *bitboard.Table) error {
	return b.read(t, func(of verify.Table) error {
		return b.site.Load(ctx, of, into)
	}, func(made construction.Made, file io.ReaderAt) error {
		return b.site.LoadMade(ctx, made, file, into)
	})
}

// read reads a table that is lent, where it is stored or in the file of a group.
func (b *building) read(t proofs.Table, stored func(verify.Table) error, made func(construction.Made, io.ReaderAt) error) error {
	b.listing.Lock()
	of, there := b.lists[t]
	b.listing.Unlock()
	switch {
	case !there:
		return wire.ErrNotOffered
	case of.made == nil:
		return stored(of.table)
	}
	file, err := os.Open(b.path(of.made.Digest))
	if errors.Is(err, os.ErrNotExist) { // it was dropped meanwhile
		return wire.ErrNotOffered
	}
	if err != nil {
		return err
	}
	defer file.Close()
	return made(of.made.Made, file)
}

func (b *building) close() {
	b.cancel()
	b.end()
	if err := b.hub.untilRoom(b.q, b.closing); err != nil {
		b.hub.noticeOf(b.hub.asker(b.q), "%v: %v", b.q.Question, err)
	}
}
