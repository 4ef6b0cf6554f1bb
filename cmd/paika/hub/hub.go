package hub

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"paika/cmd/paika/hub/construction"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/ledger"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/internal/lasting"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/proofnumber"
	"paika/tablebase"
)

// Options of a hub.
type Options struct {
	// Dir is the folder of what is to last. Another hub must not have it.
	Dir string

	// Address is HOST:PORT to listen at, port 0 for any that is free. Empty: only those
	// in this process come in.
	Address string

	// Version of the program, which workers must have, too.
	Version string

	// Open opens sites, Tables games whose tables are verified, and Builds those whose
	// tables are built.
	Open   share.Opener
	Tables inspection.Opener
	Builds construction.Opener

	// Workers and Memory, in bytes, are what each check of a part may take, and Workers how
	// many go on at a time.
	Workers int
	Memory  uint64

	// Room bounds, in bytes, the tables and upper positions of all questions together: those
	// that find no room wait. 0 for no bound. Measure tells what the tables of a setting
	// take, before they are loaded; nil where there are none.
	Room    uint64
	Measure func(proofs.Setting) (bytes uint64, err error)

	// Cramped tells whether an error of opening a game or its tables is for want of
	// memory; nil where none is.
	Cramped func(error) bool

	// Least and Most bound the nodes of a job; 0 for those of package jobs.
	Least, Most uint64

	// Indices and Audited say how tables are cut that are derived again, and how much of
	// them the hub derives: see inspection.Terms.
	Indices uint64
	Audited int

	// Lease is how long a job stays with a worker from which nothing is heard. 60 s by
	// default.
	Lease time.Duration

	// MostPart bounds the bytes of a part. 4 GiB by default.
	MostPart int64

	// OnlyAsked leaves questions that the folder has without an answer until they are
	// asked again. Otherwise they go on by themselves.
	OnlyAsked bool

	// Notice, if not nil, is told in a sentence what the user should know of.
	Notice func(text string)
}

const (
	defaultLease    = time.Minute
	defaultMostPart = 4 << 30

	// mostDeliveries is how often a job is handed out in vain before it is split.
	mostDeliveries = 5

	// tick is the time between two looks at who is there, and silence that after which a
	// worker no longer counts among them.
	tick    = time.Second
	silence = 20 * time.Second
)

// Hub is a hub at work. Its methods are safe for concurrent use.
type Hub struct {
	options  Options
	server   *server.Server
	own      *link.Link
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	worker   keys.Credentials
	files    *filesOffer
	ledger   *ledger.Ledger
	context  context.Context // ends with Close
	cancel   context.CancelFunc
	group    sync.WaitGroup
	checks   chan struct{} // a place for each check at a time
	judged   chan struct{} // and for each result
	starts   int           // of hubs on this folder, this one included
	began    time.Time

	gate   sync.Mutex // of what goes into the group
	closed bool

	keeping sync.Mutex // of parts; before the mutex below

	mutex     sync.Mutex
	sites     map[proofs.Setting]*sharedSite
	questions map[string]*asked
	order     []string // of their IDs
	answers   map[string]ledger.Answer
	out       map[uint64]*given // jobs by the numbers of their messages
	workers   map[string]*present
	uploads   map[string]*upload
	incoming  int64 // bytes of them
	counts    wire.Jobs
	nodes     uint64
	recalled  uint64 // lines that were there when the hub began
	parts     uint64 // that lines name
	partBytes int64
}

// proofSuffix is behind the ID of a question in the name of its certificate.
const proofSuffix = ".proof"

// asked is a question at work.
type asked struct {
	wire.Question
	id      string
	noted   bool // in the ledger
	waits   bool // to be asked again
	taken   bool // its answer has arrived, and counts no longer
	stage   wire.Stage
	err     string
	cramped bool // it failed for want of memory
	slices  int
	began   time.Time
	answer  ledger.Answer
	out     int           // jobs
	given   uint64        // the message of the last one
	last    wire.Standing // when nobody may ask the pursuit
	*search

	measured bool
	tables   uint64 // bytes of its tables, once they are measured
	upper    uint64 // of its upper positions, when it was last at work
	within   bool   // it has a place in memory
}

// search is what a question has while it is at work: nil before and after. One that is
// taken up anew has another.
type search struct {
	pursuit
	checks sync.WaitGroup // of its parts, and loans of its tables, that go on
}

// given is a job that is out.
type given struct {
	wire.Job
	question *asked
	message  uint64    // its number in the stream
	delivery uint64    // the last that is known of
	taken    time.Time // when the audit first found it handed out
	worker   string    // who says that it has it
	nodes    uint64    // of its search, as that worker says
}

// present is a worker that is there.
type present struct {
	wire.Hello
	seen     time.Time
	rate     float64
	rejected uint64
}

// Start begins a hub, and goes on with the questions of its folder that have no answer.
// Errors: lasting.ErrLocked where another hub has the folder, ErrAddress, and those of
// files.
func Start(ctx context.Context, o Options) (*Hub, error) {
	if o.Lease == 0 {
		o.Lease = defaultLease
	}
	if o.MostPart == 0 {
		o.MostPart = defaultMostPart
	}
	if o.Notice == nil {
		o.Notice = func(string) {}
	}
	h := &Hub{
		options: o, began: time.Now(), checks: make(chan struct{}, max(1, o.Workers)), judged: make(chan struct{}, mostResults),
		sites: make(map[proofs.Setting]*sharedSite), questions: make(map[string]*asked), answers: make(map[string]ledger.Answer), out: make(map[uint64]*given),
		workers: make(map[string]*present), uploads: make(map[string]*upload),
	}
	h.context, h.cancel = context.WithCancel(ctx)
	if err := h.start(); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// start opens the folder, listens, and takes up the questions that have no answer.
func (h *Hub) start() error {
	if h.options.Address != "" { // before anything is written
		if _, _, err := listenAddress(h.options.Address, h.keys().There()); err != nil {
			return err
		}
	}
	if err := h.openFolder(); err != nil {
		return err
	}
	if err := h.listen(); err != nil {
		return err
	}
	h.spawn(h.watch)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, id := range h.order {
		switch q := h.questions[id]; {
		case q.stage == wire.Done:
		case h.options.OnlyAsked:
			q.waits = true
		default:
			h.begin(q)
		}
	}
	return nil
}

// openFolder reads the ledger.
func (h *Hub) openFolder() error {
	for _, dir := range []string{h.options.Dir, h.path("parts"), h.path("proofs")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	}
	var err error
	if h.ledger, err = ledger.Open(h.path("ledger")); err != nil {
		return err
	}
	if h.counts.Torn, err = h.ledger.Each(h.recall); err != nil {
		return err
	}
	if h.counts.Torn > 0 {
		h.notice("%s: %d lines are not whole and are left out: paika hub repair counts their parts again", h.path("ledger"), h.counts.Torn)
	}
	if err := os.RemoveAll(h.path("incoming")); err != nil { // what was being sent is sent again
		return err
	}
	if err := os.MkdirAll(h.path("incoming"), 0o777); err != nil {
		return err
	}
	if err := lasting.SyncFolder(h.options.Dir); err != nil { // the names made above
		return err
	}
	for id, answer := range h.answers {
		if q := h.questions[id]; q != nil && (!answer.Certified() || h.whole(h.proofPath(id), answer.Proof)) {
			q.stage, q.answer, q.slices = wire.Done, answer, answer.Tables
		}
	}
	h.starts++
	if err := h.ledger.Add(ledger.Entry{Start: &ledger.Start{Version: h.options.Version}}); err != nil {
		return err
	}
	return h.ledger.Sync()
}

// recall takes up a line of the ledger. Results are read once more by whom they concern.
func (h *Hub) recall(e ledger.Entry) {
	h.recalled++
	switch {
	case e.Result != nil:
		h.addPart(e.Result.Result)
	case e.Start != nil:
		h.starts++
	case e.Question != nil:
		delete(h.answers, e.Question.ID) // it is asked anew
		h.note(&asked{Question: e.Question.Question, id: e.Question.ID, stage: wire.Preparing, noted: true})
	case e.Answer != nil:
		h.answers[e.Answer.Question] = *e.Answer
	case e.Taken != nil:
		delete(h.answers, e.Taken.Question)
		if q := h.questions[e.Taken.Question]; q != nil {
			q.stage, q.taken = wire.Done, true
		}
	}
}

// addPart counts the part that a line names, if it is of one.
func (h *Hub) addPart(r share.Result) {
	if r.Verdict != proofnumber.Undecided {
		h.parts++
		h.partBytes += r.Part.Bytes
	}
}

// note puts a question on the list.
func (h *Hub) note(q *asked) {
	if h.questions[q.id] == nil {
		h.order = append(h.order, q.id)
	}
	h.questions[q.id] = q
}

func (h *Hub) path(name string) string        { return filepath.Join(h.options.Dir, name) }
func (h *Hub) partPath(digest string) string  { return filepath.Join(h.path("parts"), digest) }
func (h *Hub) proofPath(id string) string     { return filepath.Join(h.path("proofs"), id+proofSuffix) }
func (h *Hub) uploadPath(name string) string  { return filepath.Join(h.path("incoming"), name) }
func (h *Hub) notice(format string, a ...any) { h.options.Notice(fmt.Sprintf(format, a...)) }

// whole tells whether a file is the part that it should be.
func (h *Hub) whole(path string, part share.Part) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() != part.Bytes {
		return false
	}
	c, err := proofs.Open(file, part.Bytes)
	if err != nil {
		return false
	}
	digest, err := c.Digest(h.context)
	return err == nil && digest == part.Digest
}

// listen starts the server, makes the stream, and takes requests.
func (h *Hub) listen() (err error) {
	keyed := h.options.Address != "" && h.keys().There()
	if h.worker, err = keys.Kept(h.options.Dir, keyed); err != nil {
		return err
	}
	own := keys.Credentials{Name: ownName, Secret: rand.Text()}
	if h.server, err = startServer(h.options.Dir, h.options.Address, h.worker, own); err != nil {
		return err
	}
	if h.own, err = link.Inside(h.server, own, h.source).Connect("hub"); err != nil {
		return err
	}
	if h.js, err = jetstream.New(h.own.Conn); err != nil {
		return err
	}
	if h.files, err = h.offerFiles(); err != nil {
		return err
	}
	h.stream, err = h.js.CreateOrUpdateStream(h.context, jetstream.StreamConfig{
		Name: wire.Stream, Subjects: []string{wire.SubjectJobs}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage,
	})
	if err != nil {
		return err
	}
	h.consumer, err = h.stream.CreateOrUpdateConsumer(h.context, jetstream.ConsumerConfig{
		Durable: wire.Consumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: h.options.Lease, MaxDeliver: mostDeliveries, MaxAckPending: -1,
	})
	if err != nil {
		return err
	}
	for subject, handle := range map[string]func(*nats.Msg){
		wire.SubjectHello: h.onHello, wire.SubjectUpload: h.onUpload, wire.SubjectResult: h.onResult, wire.SubjectAsk: h.onAsk, wire.SubjectFetch: h.onFetch,
		wire.SubjectStatus: h.onStatus, wire.SubjectAlive: h.onAlive, wire.SubjectStarted: h.onStarted, wire.SubjectTables: h.onTables,
		"$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + wire.Stream + "." + wire.Consumer: h.onGivenUp,
	} {
		if _, err := h.own.Subscribe(subject, h.whileOpen(handle)); err != nil {
			return err
		}
	}
	return h.own.Flush()
}

// URL is where workers and clients of other processes connect; Credentials the file
// that they need, or the folder of their files.
func (h *Hub) URL() string { return h.server.ClientURL() }

func (h *Hub) Credentials() string {
	if h.keys().There() {
		return string(h.keys())
	}
	return h.path(keys.CredentialsFile)
}

// Inside is how to reach the hub from within its process.
func (h *Hub) Inside() link.Access { return link.Inside(h.server, h.worker, h.source) }

func (h *Hub) keys() keys.Folder { return keys.In(h.options.Dir) }

// enter makes Close wait until the group is left, unless Close has begun.
func (h *Hub) enter() bool {
	h.gate.Lock()
	defer h.gate.Unlock()
	if !h.closed {
		h.group.Add(1)
	}
	return !h.closed
}

// spawn has something done that Close waits for, unless Close has begun.
func (h *Hub) spawn(do func()) (begun bool) {
	if !h.enter() {
		return false
	}
	go func() {
		defer h.group.Done()
		do()
	}()
	return true
}

// whileOpen is a handler of messages that Close waits for.
func (h *Hub) whileOpen(handle func(*nats.Msg)) func(*nats.Msg) {
	return func(m *nats.Msg) {
		if h.enter() {
			defer h.group.Done()
			handle(m)
		}
	}
}

// Close ends the hub. What it knows is in its folder.
func (h *Hub) Close() {
	h.cancel()
	if h.own != nil {
		h.own.Close()
	}
	h.gate.Lock()
	h.closed = true
	h.gate.Unlock()
	h.group.Wait()
	h.files.close()
	if h.server != nil {
		h.server.Shutdown()
		h.server.WaitForShutdown()
	}
	for _, left := range h.abandon() {
		left.close()
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.closeSites()
	if h.ledger != nil {
		h.ledger.Close()
	}
}

// abandon leaves every question that is at work.
func (h *Hub) abandon() (left []pursuit) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, q := range h.questions {
		if q.search != nil {
			left = append(left, q.pursuit)
			q.search, q.stage = nil, wire.Preparing
		}
	}
	return left
}

// release leaves the memory of a question that is no longer searched, once nobody is at
// work on it. The mutex is held.
func (h *Hub) release(q *asked) {
	s := q.search
	q.search, q.within = nil, false
	if s != nil {
		h.group.Go(func() { // from within the group: Close waits
			s.checks.Wait()
			s.close()
		})
	}
}

// begin prepares a question, and has it searched. The mutex is held.
func (h *Hub) begin(q *asked) {
	if q.stage != wire.Waiting {
		q.began, q.measured = time.Now(), false
	}
	q.stage, q.err, q.waits = wire.Preparing, "", false
	h.spawn(func() {
		err := h.untilRoom(q, func() error { return h.prepare(q) })
		if err != nil && h.context.Err() == nil {
			h.fail(q, err)
		}
	})
}

// fail gives a question up, until it is asked again.
func (h *Hub) fail(q *asked, err error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.failed(q, err)
}

// failed is fail. The mutex is held.
func (h *Hub) failed(q *asked, err error) {
	q.stage, q.err = wire.Failed, err.Error()
	q.cramped = errors.Is(err, inspection.ErrMemory) || h.options.Cramped != nil && h.options.Cramped(err)
	h.withdrawAll(q)
	h.release(q)
	h.notice("%v: %v", q.Question, err)
}

// prepare has a question ready to be worked at, with what the ledger knows of it.
func (h *Hub) prepare(q *asked) error {
	switch q.Kind {
	case wire.Verification:
		return h.prepareVerification(q)
	case wire.Construction:
		return h.prepareConstruction(q)
	}
	return h.prepareProof(q)
}

// prepareProof loads the tables of a question, and tells its tree what the ledger knows.
// Where there is no memory it waits.
func (h *Hub) prepareProof(q *asked) error {
	s, err := h.occupy(q)
	if errors.Is(err, errRoom) {
		return nil
	}
	if err != nil {
		return err
	}
	proof, err := h.openProof(q, s.site)
	if err != nil {
		h.vacate(q.Setting, s)
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.search, q.slices, q.stage = &search{pursuit: &proving{s.site, proof, h.teams, func() { h.vacate(q.Setting, s) }}}, s.site.Slices(), wire.Searching
	h.fill()
	return nil
}

// openProof begins the proof of a question, and tells it what the ledger knows.
func (h *Hub) openProof(q *asked, site share.Site) (share.Proof, error) {
	proof, err := site.Proof(share.Question{
		Position: q.Position, Claim: q.Claim, Version: h.options.Version, Least: h.options.Least, Most: h.options.Most,
		Workers: h.options.Workers, Memory: h.options.Memory,
	})
	if err != nil {
		return nil, err
	}
	missing, err := h.retell(q, site, proof)
	if err = cmp.Or(h.context.Err(), err); err != nil {
		return nil, err
	}
	if missing > 0 {
		h.notice("%v: %d parts of the ledger are missing or damaged, and are searched for again", q.Question, missing)
	}
	return proof, h.noteDown(q)
}

// retell tells a proof what the ledger knows, and how many parts are missing.
func (h *Hub) retell(q *asked, site share.Site, proof share.Proof) (missing int, err error) {
	_, err = h.ledger.Each(func(e ledger.Entry) {
		r := e.Result
		if r == nil || r.Tables != site.Tables() || h.setting(r) != q.Setting || h.context.Err() != nil {
			return
		}
		if r.Verdict != proofnumber.Undecided && !h.whole(h.partPath(r.Part.Digest), r.Part) {
			missing++
			return
		}
		_ = proof.Take(r.Result) // of another claim, it tells nothing
	})
	return missing, err
}

// noteDown has a question in the ledger, to stay.
func (h *Hub) noteDown(q *asked) error {
	if q.noted {
		return nil
	}
	err := h.ledger.Add(ledger.Entry{Question: &ledger.Question{ID: q.id, Question: q.Question}})
	if err == nil {
		err = h.ledger.Sync()
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	q.noted = err == nil
	return err
}

// setting is that of a result of the ledger.
func (h *Hub) setting(r *ledger.Result) proofs.Setting {
	if r.Setting != nil {
		return *r.Setting
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if q := h.questions[r.Question]; q != nil {
		return q.Setting
	}
	return proofs.Setting{}
}

// mostOut bounds the jobs that are out, whatever workers say of themselves.
const mostOut = 1 << 14

// fill gives out jobs until every lane of the workers has one and a few wait, of proofs
// until every team has one, in turn of the questions. The mutex is held.
func (h *Hub) fill() {
	lanes, searches := 0, enough(h.teams())
	for _, w := range h.workers {
		lanes += w.Lanes
	}
	for _, g := range h.out {
		if g.Task != nil {
			searches--
		}
	}
	for lanes > 0 && len(h.out) < min(lanes+lanes/8+1, mostOut) && h.context.Err() == nil {
		q, j := h.next(searches > 0)
		if q == nil || !h.publish(q, j) {
			break
		}
		if j.Task != nil {
			searches--
		}
	}
	for _, id := range h.order {
		if q := h.questions[id]; q.stage == wire.Searching && q.known() {
			h.finish(q)
		}
	}
}

// teams is how many jobs of proofs the workers do at a time. The mutex is held.
func (h *Hub) teams() (many int) {
	for _, w := range h.workers {
		many += wire.Teams(w.Lanes)
	}
	return many
}

// enough is how many jobs of proofs are out for so many teams: a few wait, but for a lone
// one, to which the next that is told from its answer is worth more.
func enough(teams int) int {
	if teams <= 1 {
		return teams
	}
	return teams + teams/8 + 1
}

// next is a job of the question that has the fewest out, and of those had none for the
// longest time: of proofs, if there may be one more.
func (h *Hub) next(search bool) (best *asked, j wire.Job) {
	var waiting []*asked
	for _, id := range h.order {
		if q := h.questions[id]; q.stage == wire.Searching && !q.known() && (search || q.Kind != wire.Proof) {
			waiting = append(waiting, q)
		}
	}
	for len(waiting) > 0 {
		at := 0
		for i, q := range waiting {
			if best := waiting[at]; cmp.Or(cmp.Compare(q.out, best.out), cmp.Compare(q.given, best.given)) < 0 {
				at = i
			}
		}
		if j, found := waiting[at].next(); found {
			return waiting[at], j
		}
		waiting = append(waiting[:at], waiting[at+1:]...)
	}
	return nil, j
}

// publish sends a job to whoever comes for it. One that can't be sent now goes out
// later.
func (h *Hub) publish(q *asked, j wire.Job) bool {
	text, err := json.Marshal(wire.Delivery{Question: q.id, Start: h.starts, Job: j})
	var ack *jetstream.PubAck
	if err == nil {
		ack, err = h.js.Publish(h.context, wire.SubjectJobs, text)
	}
	if err != nil {
		q.putBack(j)
		h.notice("a job could not be given out: %v", err)
		return false
	}
	h.out[ack.Sequence] = &given{Job: j, question: q, message: ack.Sequence}
	q.given = ack.Sequence
	q.out++
	return true
}

// withdraw takes a job back. Where a worker is at it, it is told to stop.
func (h *Hub) withdraw(g *given, stop bool) {
	delete(h.out, g.message)
	g.question.out--
	// The message may be gone already, and the worker too: neither matters.
	_ = h.stream.DeleteMsg(h.context, g.message)
	if stop {
		_ = h.own.Publish(wire.SubjectCancel, []byte(wire.MessageName(h.starts, g.message)))
	}
}

// withdrawAll takes back what is out of a question.
func (h *Hub) withdrawAll(q *asked) {
	for _, g := range h.out {
		if g.question == q {
			h.withdraw(g, true)
		}
	}
}

// again takes a job back and lets it be given out anew.
func (h *Hub) again(g *given) {
	h.withdraw(g, false)
	if g.question.stage == wire.Searching {
		g.question.putBack(g.Job)
	}
}

// settle withdraws jobs that no longer matter, and gives out others. The mutex is held.
func (h *Hub) settle(q *asked) {
	for _, g := range h.out {
		if g.question == q && !q.wanted(g.Job) {
			h.withdraw(g, true)
			q.putBack(g.Job)
		}
	}
	h.fill()
}

// finish has the answer to a question put together, of which all is known.
func (h *Hub) finish(q *asked) {
	q.stage, q.last, q.upper = wire.Writing, q.standing(), q.bytes()
	h.withdrawAll(q)
	at := q.pursuit
	h.spawn(func() {
		err := h.untilRoom(q, func() error { return h.conclude(q, at) })
		if err != nil && h.context.Err() == nil {
			h.fail(q, err)
		}
	})
}

// fullPauses is how often within a lease a hub looks whether its disk has room again.
const fullPauses = 12

// untilRoom does something for a question, again and again as long as the disk is full: the
// work of days should not end by it.
func (h *Hub) untilRoom(q *asked, do func() error) error {
	for {
		err := do()
		if !diskFull(err) {
			return err
		}
		h.notice("%v: it waits for room: %v", q.Question, err)
		if err := progress.Wait(h.context, h.options.Lease/fullPauses); err != nil {
			return err
		}
	}
}

func diskFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, tablebase.ErrDiskFull)
}

// conclude puts the answer to a question together, then writes its line.
func (h *Hub) conclude(q *asked, at pursuit) error {
	line, err := at.conclude(h.context, h.proofPath(q.id), h.partPath)
	if err != nil {
		return err
	}
	line.Question, line.Seconds, line.Tables = q.id, time.Since(q.began).Seconds(), q.slices
	if err := h.ledger.Add(ledger.Entry{Answer: &line}); err != nil {
		return err
	}
	if err := h.ledger.Sync(); err != nil {
		return err
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.answers[q.id] = line
	q.stage, q.answer = wire.Done, line
	h.release(q)
	return nil
}

// watch looks now and then at who is there, and once a lease at whether all jobs are.
func (h *Hub) watch() {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	audited := time.Now()
	for {
		select {
		case <-h.context.Done():
			return
		case <-ticker.C:
		}
		h.mutex.Lock()
		for name, w := range h.workers {
			if time.Since(w.seen) > silence {
				delete(h.workers, name)
			}
		}
		h.mutex.Unlock()
		if time.Since(audited) > h.options.Lease {
			audited = time.Now()
			h.Audit()
		}
		h.mutex.Lock()
		h.shed()
		h.admit()
		h.fill()
		h.mutex.Unlock()
	}
}

// mostHeld is how many leases a job may be out, whatever is heard of it. A worker can
// say for ever that it goes on. A group that is built is one job, however large it is, and
// may be out for mostBuilt.
const (
	mostHeld  = 60
	mostBuilt = 60 * mostHeld
)

// most is how long a job may be out.
func (h *Hub) most(g *given) time.Duration {
	if g.Build != nil {
		return mostBuilt * h.options.Lease
	}
	return mostHeld * h.options.Lease
}

// Audit looks for jobs whose messages are gone without a result, which go out again, and
// for those that somebody holds too long, which are split. It forgets files that nobody
// sends on. It happens by itself, once a lease.
func (h *Hub) Audit() {
	gone, handed := h.inspect()
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, number := range gone {
		if g := h.out[number]; g != nil {
			h.counts.Lost++
			h.again(g)
		}
	}
	for _, g := range h.out {
		switch {
		case g.message > handed:
		case g.taken.IsZero():
			g.taken = time.Now()
		case time.Since(g.taken) > h.most(g):
			h.giveUp(g, fmt.Sprintf("has been out for more than %v", h.most(g)))
		}
	}
	for name, u := range h.uploads {
		if !u.checked && time.Since(u.seen) > 10*h.options.Lease {
			h.forget(name)
		}
	}
	h.fill()
}

// inspect asks the stream, which takes its time: which jobs have lost their messages,
// and which was the last one that was handed to a worker.
func (h *Hub) inspect() (gone []uint64, handed uint64) {
	h.mutex.Lock()
	out := slices.Collect(maps.Keys(h.out))
	h.mutex.Unlock()
	for _, number := range out {
		if _, err := h.stream.GetMsg(h.context, number); errors.Is(err, jetstream.ErrMsgNotFound) {
			gone = append(gone, number)
		}
	}
	if info, err := h.consumer.Info(h.context); err == nil {
		handed = info.Delivered.Stream
	}
	return gone, handed
}

// keep moves a file that was checked and synced to its place, to stay, and tells whether
// it is new there.
func (h *Hub) keep(upload string, part share.Part) (isNew bool, err error) {
	_, err = os.Stat(h.partPath(part.Digest))
	isNew = errors.Is(err, os.ErrNotExist)
	if err := os.Rename(h.uploadPath(upload), h.partPath(part.Digest)); err != nil {
		return false, err
	}
	return isNew, lasting.SyncFolder(h.path("parts"))
}
