package hub

import (
	"cmp"
	"context"
	"sync"
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
	"paika/proofs"
)

// Options of a hub.
type Options struct {
	// Dir is the folder of what is to last. Another hub must not have it.
	Dir string

	// Address is HOST:PORT to listen at, port 0 for any that is free. Empty: only those
	// in this process come in.
	Address string

	// NATS is the URL of a NATS server with JetStream, or of several of one cluster, that
	// runs elsewhere and lets in whom Admission names. Address is then where files of tables
	// are fetched, at the port behind it: workers must reach its host by that name. Empty: a
	// server inside the hub carries the messages.
	NATS string

	// Version of the program, which workers must have, too.
	Version string

	// Open opens sites, Tables games whose tables are verified, and Builds those whose
	// tables are built.
	Open   share.Opener
	Tables inspection.Opener
	Builds construction.Opener

	// Workers is how many checks of parts go on at a time, and how many goroutines each of
	// them takes. Memory is the bytes of each, prover.CheckBytes at the least. One check more may go on,
	// of a part that is still sent: all its memory is borrowed.
	Workers int
	Memory  uint64

	// Room bounds, in bytes, the tables and upper positions of all questions together: those
	// that find no room wait. What is left of it checks may borrow, those of Repair too. 0 for no bound,
	// and no loans.
	// Measure tells which tables of a setting there are, by the fingerprints that are stored with
	// them, and what they take, before they are loaded; nil where there are none.
	Room    uint64
	Measure func(proofs.Setting) (named []proofs.Table, bytes uint64, err error)

	// Fault tells the code of an error, to programs, by which a question about a game failed, and what
	// is said of it to people: with what would help, where that is known. It must not block. Nil: errors have
	// no codes but that for want of memory.
	Fault func(of proofs.Setting, err error) (code, text string)

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

	// OneProcess says that all workers are of this process, which nobody else reaches, and this
	// program: what they derive of a verification was derived here.
	OneProcess bool

	// OnlyAsked leaves questions that the folder has without an answer until they are
	// asked again. Otherwise they go on by themselves.
	OnlyAsked bool

	// Notice, if not nil, is told in a sentence what the user should know of.
	Notice func(text string)
}

const (
	defaultLease    = time.Minute
	defaultMostPart = 4 << 30
)

// Hub is a hub at work. Its methods are safe for concurrent use.
type Hub struct {
	dataFolder
	options  Options
	server   *server.Server // nil where NATS runs elsewhere
	own      *link.Link
	js       jetstream.JetStream
	stream   jetstream.Stream
	consumer jetstream.Consumer
	worker   keys.Credentials
	holders  map[string]holder // who may come in, by the names in subjects
	files    *filesOffer
	ledger   record
	context  context.Context // ends with Close, or where NATS lets the hub in no more
	cancel   context.CancelCauseFunc
	group    sync.WaitGroup
	checks   chan struct{} // a place for each check at a time
	sweep    chan struct{} // there are messages to be removed
	send     chan struct{} // there are jobs to be sent
	deal     chan struct{} // there may be a lane that may have a job
	starts   int           // of hubs on this folder, this one included
	began    time.Time

	gate   sync.Mutex // of what goes into the group
	closed bool

	queued  queueing
	keeping sync.Mutex // of parts; before the mutex below
	noticed noticing
	sound   sync.Map // paths of files that were found whole, with sound

	mutex     sync.Mutex
	sites     map[proofs.Setting]*sharedSite
	borrowed  uint64      // bytes of Options.Room that checks have
	early     *earlyCheck // of a part that is still sent; nil where none is
	questions map[string]*question
	order     []string    // of their IDs
	open      []*question // those that are prepared, searched or written, or wait for that, in the order in which they were begun
	answers   map[string]ledger.Answer
	out       map[uint64]*outJob // jobs by the numbers of their messages
	placed    map[uint64]*outJob // those by where they are in the stream
	numbered  uint64             // messages, since the hub began
	highest   uint64             // place in the stream that a job had
	waiting   []lane             // for a job, in the order in which they came
	unsent    []*outJob          // in the order in which they go out
	withdrawn []message          // of jobs that were taken back, until they are removed
	workers   map[speaker]*present
	uploads   map[string]*upload
	incoming  int64          // bytes of them
	judging   map[holder]int // results that are judged
	rejected  []rejection    // files that were rejected of late
	counts    wire.Jobs
	nodes     uint64
	recalled  uint64 // lines that were there when the hub began
	parts     uint64 // that lines name
	partBytes int64
}

// record is what a hub does with its ledger, a *ledger.Ledger.
type record interface {
	Add(e ledger.Entry) error
	InPlace() error
	Sync() error
	Of(wanted func(question string) bool, take func(ledger.Entry)) error
	Lines() uint64
	Close()
}

// Start begins a hub, and goes on with the questions of its folder that have no answer.
// Errors: lasting.ErrLocked where another hub has the folder, ErrForeign, ErrAddress, ErrCarrier, those of files,
// and, where NATS runs elsewhere, link.ErrAway, ErrTaken and keys.ErrNone.
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
		dataFolder: dataFolder(o.Dir), options: o, began: time.Now(), checks: make(chan struct{}, max(1, o.Workers)), sweep: make(chan struct{}, 1), send: make(chan struct{}, 1), deal: make(chan struct{}, 1),
		sites: make(map[proofs.Setting]*sharedSite), questions: make(map[string]*question), answers: make(map[string]ledger.Answer), out: make(map[uint64]*outJob), placed: make(map[uint64]*outJob),
		workers: make(map[speaker]*present), uploads: make(map[string]*upload), judging: make(map[holder]int), queued: queueing{bytesOf: make(map[sender]int)},
	}
	h.context, h.cancel = context.WithCancelCause(ctx)
	if err := h.start(); err != nil {
		if h.own != nil && h.own.IsClosed() { // by NATS: what was asked there fails in one way or another
			err = h.own.Ended()
		}
		h.Close()
		return nil, err
	}
	return h, nil
}

// start opens the folder, listens, and takes up the questions that have no answer.
func (h *Hub) start() error {
	if err := h.checkAddress(); err != nil { // before anything is written
		return err
	}
	if err := h.openFolder(); err != nil {
		return err
	}
	if err := h.listen(); err != nil {
		return err
	}
	h.spawn(h.watch)
	h.spawn(h.sweeper)
	h.spawn(h.publisher)
	h.spawn(h.dealer)
	if h.files != nil {
		h.spawn(h.tidier)
	}
	if h.server != nil && h.options.Address != "" {
		h.spawn(h.endSlow)
	}
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

// listen comes to NATS, makes the stream, and takes requests.
func (h *Hub) listen() (err error) {
	keyed := (h.options.Address != "" || h.options.NATS != "") && h.keys().There()
	if h.worker, err = keys.Kept(h.options.Dir, keyed); err != nil {
		return err
	}
	var names map[string]string
	if keyed {
		if names, err = h.keys().Workers(); err != nil {
			return err
		}
	}
	h.holders = admitted(h.worker.Name, names)
	if h.own, err = h.connect(names); err != nil {
		return err
	}
	h.own.SetClosedHandler(func(*nats.Conn) { h.cancel(h.own.Ended()) })
	if h.js, err = jetstream.New(h.own.Conn); err != nil {
		return err
	}
	if h.files, err = h.offerFiles(); err != nil {
		return err
	}
	if err := h.makeStream(h.context); err != nil {
		return err
	}
	if err := h.noteStart(); err != nil {
		return err
	}
	for subject, handle := range map[string]func(holder, *nats.Msg){
		wire.SubjectHello: h.onHello, wire.SubjectUpload: h.onUpload, wire.SubjectResult: h.onResult, wire.SubjectAsk: h.onAsk, wire.SubjectFetch: h.onFetch,
		wire.SubjectAlive: h.onAlive, wire.SubjectStarted: h.onStarted, wire.SubjectTables: h.onTables,
		wire.SubjectNext: h.onNext, wire.SubjectKept: h.onKept,
	} {
		if err := h.hear(subject, newQueue(&h.queued), func(r request) { handle(r.key, r.message) }); err != nil {
			return err
		}
	}
	status := newQueue(&h.queued)
	if err := h.hear(wire.SubjectStatus, status, (&statusTeller{hub: h, waiting: status}).tell); err != nil {
		return err
	}
	if _, err := h.own.Subscribe(wire.Inbox(h.own.Name())+unheard+"*.*", h.whileOpen(h.onUnheard)); err != nil {
		return err
	}
	return h.heard()
}

// hear takes requests of a subject, which wait for their turns.
func (h *Hub) hear(subject string, waiting *queue, handle func(request)) error {
	_, err := h.own.Subscribe(wire.By(subject, wire.Anybody), h.fromHolders(waiting.put))
	if err == nil {
		h.spawn(func() { waiting.serve(h.context, handle) })
	}
	return err
}

// URL is where workers and clients of other processes connect.
func (h *Hub) URL() string {
	if h.server == nil {
		return h.options.NATS
	}
	return h.server.ClientURL()
}

// Credentials is the file that workers and clients of this machine need to connect, or the
// folder of the files for those of every machine.
func (h *Hub) Credentials() string {
	if h.keys().There() {
		return string(h.keys())
	}
	return h.path(keys.CredentialsFile)
}

// Inside is how to reach a hub from within its process that has NATS inside.
func (h *Hub) Inside() link.Access { return link.Inside(h.server, h.worker, h.loader) }

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
		if !h.enter() {
			return
		}
		defer h.group.Done()
		handle(m)
	}
}

// Wait waits until the context ends with which the hub was started, whose error it gives, or a NATS
// server that runs elsewhere lets the hub in no more: link.ErrAway. ErrTaken says that another hub
// came there while this one was away, ledger.ErrMoved that the folder was moved or removed. Other errors are of a disk
// that did not keep the ledger.
func (h *Hub) Wait(ctx context.Context) error {
	<-h.context.Done()
	return cmp.Or(ctx.Err(), context.Cause(h.context))
}

// Close ends the hub. What it knows is in its folder.
func (h *Hub) Close() {
	h.cancel(nil)
	if h.own != nil {
		h.own.Close()
	}
	h.gate.Lock()
	h.closed = true
	h.gate.Unlock()
	h.group.Wait()
	h.files.close()
	if h.server != nil {
		_ = h.server.DisableJetStream() // or Shutdown waits for those who are told that no job comes any more
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
	for _, q := range h.open {
		if q.underway != nil {
			left = append(left, q.pursuit)
			q.underway, q.stage = nil, wire.Preparing
		}
	}
	return left
}
