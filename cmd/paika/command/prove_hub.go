package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// embedded stands for a hub of the command's own, instead of a URL.
const embedded = "embedded"

// saveEvery is the time between two times that a search is saved, unless told.
const saveEvery = 5 * time.Minute

// hubSuffix makes the folder of an embedded hub from that of the tables.
const hubSuffix = ".hub"

// hubFlags are where a command looks for a hub, if it does.
type hubFlags struct {
	url, credentials string
	here             bool     // tables of this machine are asked, too, before the hub
	useless          []string // flags of the command of which a hub makes no use
}

// ownOfAHub are flags about what a hub at a URL has itself.
var ownOfAHub = []struct{ flag, what, said string }{
	{"db", "tables", "its folder is for paika hub to name"},
	{"workers", "workers", "how many cores they take is for paika work to say"},
	{"memory", "memory", "how much it and its workers take is for paika hub and paika work to say"},
}

func (f *hubFlags) register(cmd *cobra.Command, useless ...string) {
	f.useless = useless
	cmd.Flags().StringVar(&f.url, "hub", "", "`URL` of a hub that shares the work out, or "+embedded+" for one in this process")
	credentialsFlag(cmd, &f.credentials)
}

// check refuses what is not for a hub.
func (f *hubFlags) check(cmd *cobra.Command, s session) error {
	if f.url == "" && f.credentials != "" {
		return misuse("creds", "--creds is for a hub: want --hub, too")
	}
	if f.url == "" {
		return nil
	}
	if f.url == embedded && f.credentials != "" {
		return misuse("creds", "--creds: an embedded hub needs none")
	}
	for _, name := range f.useless {
		if cmd.Flags().Changed(name) {
			return misuse(name, "--%s: a hub makes no use of it", name)
		}
	}
	if f.url != embedded && !f.here {
		for _, own := range ownOfAHub {
			if cmd.Flags().Changed(own.flag) {
				return misuse(own.flag, "--%s: a hub at a URL has %s of its own: %s", own.flag, own.what, own.said)
			}
		}
	}
	if s.position() == fromInput {
		return misuse("hub", "--hub is for one position, not for those on standard input")
	}
	return nil
}

// reach is the flags by which another command comes to the tables of the hub: those of an embedded
// one are here, and need none.
func (f *hubFlags) reach() []string {
	switch {
	case f.url == "", f.url == embedded:
		return nil
	case f.credentials == "":
		return []string{"--hub", f.url}
	}
	return []string{"--hub", f.url, "--creds", f.credentials}
}

// proveShared has a hub search.
func proveShared(cmd *cobra.Command, s session, f hubFlags, o catalogue.ProveOptions) error {
	asked, err := s.instance.Share(s.position(), o.Claim)
	if err != nil {
		return s.hint(err)
	}
	files, err := catalogue.CertificateFiles(cmd.Context(), o.Out, asked.Sides, nil)
	defer func() {
		for _, file := range files {
			file.Discard()
		}
	}()
	if err != nil {
		return err
	}
	bar := s.startProgress(cmd.ErrOrStderr())
	var proved catalogue.Proved
	var last wire.State
	kept, err := s.askHub(cmd, f, o.Memory, func(ctx context.Context, a *asker) (decided bool, err error) {
		q := asking{asker: a, setting: proofs.Setting(s.instance.Identity()), asked: asked, files: files, options: o, bar: bar}
		proved, err = q.all(ctx)
		last = q.last
		if err != nil || proved.Result == proofnumber.Undecided {
			return false, err
		}
		bar.close()
		err = s.printProved(cmd, proved) // before what the hub has of it goes
		return err == nil, err
	})
	proved.Checkpoint = kept.folder
	last.Nodes = proved.Nodes // of all claims
	bar.close()
	if errors.Is(err, context.Canceled) {
		if err := printOpenings(cmd.ErrOrStderr(), proved); err != nil {
			return err
		}
		s.printLeft(cmd.ErrOrStderr(), last, kept)
	}
	if err != nil {
		return s.hint(err)
	}
	if proved.Result == proofnumber.Undecided { // the time is over
		if err := s.printProved(cmd, proved); err != nil {
			return err
		}
		s.printLeft(cmd.ErrOrStderr(), last, kept)
	}
	return resultError(proved)
}

// leftover is the folder of an embedded hub from which the same command goes on; empty for none.
type leftover struct {
	folder  string
	unsaved bool // the tables of its searches are not there
}

// askHub has a function ask the hub that the flags name. It tells what is left where the function has
// not come to its end.
func (s session) askHub(cmd *cobra.Command, f hubFlags, memory uint64, ask func(context.Context, *asker) (decided bool, err error)) (kept leftover, err error) {
	dir := ""
	if f.url == embedded {
		dir = s.beside(hubSuffix)
	}
	dialled := func(ctx context.Context, a link.Access) (bool, error) {
		c, err := dial(ctx, a)
		if err != nil {
			return false, err
		}
		defer c.Close()
		return ask(ctx, &asker{Client: c, url: f.url, dir: dir, tell: notices(cmd)})
	}
	if f.url == embedded {
		return s.embed(cmd, dir, memory, dialled)
	}
	to, err := access(cmd, f.url, f.credentials)
	if err == nil {
		_, err = dialled(cmd.Context(), to)
	}
	return leftover{}, err
}

// embed has a hub on a folder and its workers in this process while a function asks. What is in the
// hub's ledger stays there until that is decided, and so do the tables of searches.
func (s session) embed(cmd *cobra.Command, dir string, memory uint64, ask func(context.Context, link.Access) (decided bool, err error)) (kept leftover, err error) {
	site := &oneSite{open: s.openSite(cmd, memory)}
	defer site.free()
	of, err := s.hubOptions(cmd, dir, "", memory, site.get)
	if err != nil {
		return leftover{}, err
	}
	const sharers = 2 // the hub and its worker have a group each
	of.Tables = s.openTables(memory, sharers)
	of.Builds = s.openBuilds(cmd, memory, sharers, filepath.Join(dir, hub.WorkFolder), true)
	of.Measure = s.measureSite
	of.Fault = func(_ proofs.Setting, err error) (code, text string) { return told(cmp.Or(s.repairHint(err), err)) }
	of.OnlyAsked, of.OneProcess = true, true // the site is that of this question
	h, err := hub.Start(cmd.Context(), of)
	if err != nil {
		_, _ = hub.Clear(dir) // what is wrong with it is told already
		return leftover{}, err
	}
	o, remove, err := s.workerOptions(cmd, h.Inside(), memory)
	if err != nil {
		h.Close()
		_, _ = hub.Clear(dir)
		return leftover{}, err
	}
	defer remove()
	o.Open, o.Tables, o.Builds = site.get, of.Tables, of.Builds
	o.Name = "embedded-" + wire.NewName() // one that was wrong, by the ledger, had another
	ctx, cancel := context.WithCancelCause(cmd.Context())
	o.Keep = &share.Keeping{Context: ctx, Folder: filepath.Join(dir, hub.SearchFolder), Every: saveEvery, Notice: notices(cmd)}
	var working sync.WaitGroup
	working.Go(func() { cancel(worker.Work(ctx, o)) })
	var watching sync.WaitGroup
	watching.Go(func() { cancel(h.Wait(ctx)) })
	decided, err := ask(ctx, o.Access)
	if err != nil && cmd.Context().Err() == nil && ctx.Err() != nil { // the worker's work is what ended it, or the hub
		err = context.Cause(ctx)
	}
	unanswered := h.Unanswered()
	if decided && err == nil && unanswered == 0 {
		o.Keep.Drop()
	}
	cancel(nil)
	working.Wait()
	h.Close()
	watching.Wait()
	kept = leftover{dir, o.Keep.Failed() != nil}
	switch {
	case err != nil && cmd.Context().Err() == nil:
		if gone, _ := hub.Clear(dir); gone { // it failed before there was any work
			return leftover{}, err
		}
		return kept, err
	case err != nil || !decided:
		return kept, err
	case unanswered > 0: // of others
		return leftover{}, nil
	}
	if err := hub.Remove(dir); err != nil && !errors.Is(err, lasting.ErrLocked) {
		return leftover{}, err
	}
	return leftover{}, nil // also where another command has a hub there by now
}

// oneSite is the site of a game that hub and workers of one process have together.
type oneSite struct {
	open  share.Opener
	mutex sync.Mutex
	site  share.Site
}

// get opens the site, once.
func (o *oneSite) get(ctx context.Context, setting proofs.Setting, claim string, supply *share.Supply) (share.Site, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.site == nil {
		site, err := o.open(ctx, setting, claim, supply)
		if err != nil {
			return nil, err
		}
		o.site = site
	}
	return lent{o.site}, nil
}

func (o *oneSite) free() {
	if o.site != nil {
		o.site.Close()
	}
}

// lent is a site that its user does not close.
type lent struct{ share.Site }

func (lent) Close() {}

// asking is a claim as a hub is asked about it.
type asking struct {
	asker   *asker
	setting proofs.Setting
	asked   catalogue.Sharing
	files   []*lasting.File
	options catalogue.ProveOptions
	bar     *progress

	last wire.State // of the claim that was asked about last
}

// all asks about claims that hold together, until one is refuted. What is known of them
// is given beside an error.
func (q *asking) all(ctx context.Context) (catalogue.Proved, error) {
	began := time.Now()
	if q.options.Time != 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, q.options.Time)
		defer cancel()
	}
	p := catalogue.Proved{
		Position: q.asked.Position, Claim: q.options.Claim, Method: proofnumber.DFPN.String(), Result: proofnumber.Proved,
		Certificates: []catalogue.Certificate{},
	}
	for i, claim := range q.asked.Claims {
		before, asked := p, time.Now()
		state, err := q.asker.Wait(ctx, wire.Question{Setting: q.setting, Position: q.asked.Root, Claim: claim}, func(s wire.State) {
			q.bar.count(describe(catalogue.Progress{ClaimProgress: claimProgress(s), Writing: s.Stage == wire.Writing}), "node", before.Nodes+s.Visited())
		})
		q.last = state
		p.Claims = append(p.Claims, claimProgress(state))
		p.Tables, p.Nodes, p.Resumed, p.Seconds = state.Slices, before.Nodes+state.Nodes, before.Resumed+state.Resumed, time.Since(began).Seconds()
		p.Searched = before.Searched + max(state.Seconds, time.Since(asked).Seconds()) // the hub may have begun before
		p.Timed = p.Nodes - p.Resumed
		if err != nil || state.Result != proofnumber.Proved {
			p.Result = state.Result
		}
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return p, nil
		case err != nil:
			return p, err
		case state.Result != proofnumber.Proved:
			return p, nil
		case q.files == nil:
			continue
		}
		err = q.fetch(ctx, &p, state, q.files[i])
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %s is proved, its certificate takes more", prover.ErrUndecided, claim)
		}
		if err != nil {
			return p, err
		}
	}
	if len(p.Certificates) > 0 {
		p.Certificate = &p.Certificates[0].File
	}
	return p, nil
}

// fetch writes the certificate of a claim that is proved.
func (q *asking) fetch(ctx context.Context, p *catalogue.Proved, state wire.State, file *lasting.File) error {
	if err := q.asker.Fetch(ctx, state, file); err != nil {
		return err
	}
	bytes, err := file.Keep()
	p.Certificates = append(p.Certificates, catalogue.Certificate{Claim: state.Claim, File: file.Path(), Positions: state.Proof.Positions, Bytes: bytes})
	return err
}

// claimProgress is what a hub knows of a claim.
func claimProgress(s wire.State) catalogue.ClaimProgress {
	c := catalogue.ClaimProgress{Claim: s.Claim, Result: s.Result, Openings: []catalogue.Opening{}}
	for _, o := range s.Openings {
		shown := catalogue.Opening{Turn: o.Turn, Position: o.Position, Result: o.Result, Nodes: o.Nodes}
		if o.Proof != 0 || o.Disproof != 0 { // somebody has told them
			shown = shown.Left(o.Proof, o.Disproof)
		}
		c.Openings = append(c.Openings, shown)
	}
	catalogue.Shared(c.Openings)
	return c
}
