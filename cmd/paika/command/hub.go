package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
	"paika/cmd/paika/hub/wire"
	"paika/cmd/paika/hub/worker"
	"paika/cmd/paika/prover"
	"paika/internal/lasting"
	pace "paika/internal/progress"
	"paika/internal/usage"
	"paika/proofs"
)

// hubAddress is where a hub listens unless told otherwise.
const hubAddress = "127.0.0.1:4222"

func newHub(o *options) *cobra.Command {
	var f hubCommand
	cmd := &cobra.Command{
		Use:   "hub [" + strings.Join(hubActions, "|") + "]",
		Short: "Share proofs, builds and verifications out to workers",
		Long: `Hub takes questions from paika prove --hub and shares the search out to workers,
paika work, which can come and go. It keeps the upper positions of each proof, checks
every part that a worker sends as paika check does, and puts the parts together as one
certificate. A worker that fails or lies costs time and nothing else. It verifies tables
for paika verify --hub, too, and has them built for paika build --hub; see there what is
believed of workers.

What it knows is in the folder --data: a ledger that can be read, a line for each
result, and the parts beside it. Ctrl-C stops it; the same command goes on, also after
a crash. Questions that were not answered then go on by themselves. A folder with other
files is refused.

NATS is inside: nothing else is installed. The hub listens on this machine alone, and
leaves the file worker.creds in its folder, which workers and clients need.

For other machines, hub init first makes a certificate for the names and addresses
--host, and a key for each --worker: the file keys/NAME.creds in the folder, which goes
to that worker, and nowhere else. The first time there is a --worker at least, else nobody
could come. From then on connections are encrypted, and those
with a key are let in. Said again with another --worker, it adds a key; with --host, it
makes another certificate, for the names given then and no others. To take a key back,
remove its line from keys/workers. All that counts once the hub is started anew.

Where there is a NATS server with JetStream already, or a cluster, --nats URL has the hub
work by that instead of the one inside. Hub init comes first; hub admission prints what
"authorization" must be in the server's configuration: the hub and the keys, and what
each may do. Workers and clients then have the URL of that server. It must encrypt, with
the hub's certificate keys/server.pem or by an authority whose certificate is added to
each file of credentials and to keys/own.pem. Tables come from the hub itself, and --addr
is the host by which workers reach it for these. When keys have come or gone, and with
another version of the program, have the server read what hub admission prints then, and
start the hub anew.

Hub repair reads the ledger of a hub that is stopped. Parts and certificates in the
folder that no line names are checked, as paika check does, and get their lines. So a
ledger that was lost or damaged comes back, but for the questions that had no answer:
asked again, they go on from the parts.

Hub and workers must be of the same version. Where a program was built from no commit,
or with changes, its own checksum is part of its version.

Tables of the game are those of the folder --db, or of its default for the game. Workers
fetch what they lack of them from the port behind that of --addr, 4223 unless told
otherwise, or from any free one where that is taken. What they fetch lies in the folder
--data, too, as long as a job may need it. Values that tables were stored without are
not filled in, as paika prove does not: what is checked here takes the word of the tables
for their fingerprints, and paika check computes these.

All questions share --memory: tables are loaded once for each game, board and rules. A
question whose tables find no room waits until others are answered, and paika jobs says
so. So does the last one asked when the upper positions of all grow too large: it goes
on later, from the ledger. Tables that have come since a game was loaded count once no
question about it is left.

With --metrics it tells Prometheus what it is doing, at /metrics of an address of its
own, to all who reach it.

How ten machines are set up, with services of systemd or with containers, is on the page
"Many machines" of the manual: paika serve shows it at /doc/hub, and paika manual DIR
writes it to DIR/hub.html.`,
		Example: `  paika hub --data hub
  paika work nats://127.0.0.1:4222 --creds hub/worker.creds
  paika prove --board 5x5 --claim draw --hub nats://127.0.0.1:4222 --creds hub/worker.creds --out 5x5.proof
  paika hub init --data hub --host hub.example.org --worker ann --worker bob
  paika hub --data hub --addr 0.0.0.0:4222 --metrics :9090
  paika hub repair --data hub
  paika hub admission --data hub > authorization.conf
  paika hub --data hub --nats tls://nats.example.org:4222 --addr hub.example.org:4222
  paika work tls://hub.example.org:4222 --creds ann.creds`,
		Args: wants(0, 1, "", wantedHubActions()),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, o, args)
		},
	}
	cmd.Flags().StringVar(&f.dir, "data", "", "folder `DIR` of the ledger and the parts")
	cmd.Flags().StringVar(&f.address, "addr", hubAddress, "`HOST:PORT` of this machine to listen on; port 0 takes a free one")
	cmd.Flags().StringVar(&f.nats, "nats", "", "`URL` of a NATS server that runs elsewhere (default: inside the hub)")
	cmd.Flags().DurationVar(&f.lease, "lease", time.Minute, "`TIME` after which a job goes to another worker if nothing is heard of the one that has it")
	cmd.Flags().StringVar(&f.metrics, "metrics", "", "`HOST:PORT` to tell Prometheus at, or :PORT for this machine alone")
	cmd.Flags().StringArrayVar(&f.hosts, "host", nil, "init: `NAME` or address by which others reach the hub; can be given again")
	cmd.Flags().StringArrayVar(&f.workers, "worker", nil, "init: `NAME` of a worker to make a key for; can be given again")
	return cmd
}

// hubCommand is what paika hub is told by its flags.
type hubCommand struct {
	dir, address, nats, metrics string
	hosts, workers              []string
	lease                       time.Duration
}

// run does what is asked: an action, one at most, or to start a hub.
func (f *hubCommand) run(cmd *cobra.Command, o *options, args []string) error {
	action := strings.Join(args, "")
	switch {
	case len(args) > 0 && !slices.Contains(hubActions, action): // "", too, as of a variable that is not set
		return misuse("", "%s: want %s", bitboard.Quote(action), wantedHubActions())
	case f.dir == "":
		return misuse("data", "--data is missing: want the folder of the hub")
	}
	if err := checkAction(cmd, action); err != nil {
		return err
	}
	switch action {
	case initHub:
		return o.makeKeys(cmd, f.dir, f.hosts, f.workers)
	case admissionToNATS:
		return o.printAdmission(cmd, f.dir)
	}
	metrics, err := f.check(o.db, cmd.Flags().Changed("addr"))
	if err != nil {
		return err
	}
	of, err := f.hubOptions(cmd, o)
	if err != nil {
		return err
	}
	if action == repairHub {
		return repairLedger(cmd, o, of)
	}
	return f.start(cmd, o, of, metrics)
}

// check looks at the flags of a hub that starts, with tables in a folder, or of one that is repaired,
// and gives the address for its metrics. The address of the hub may be given, or the default.
func (f *hubCommand) check(db string, addressGiven bool) (metrics string, err error) {
	if f.lease < leastLease || f.lease > mostLease {
		return "", misuse("lease", "--lease %v: want %v to %v", f.lease, leastLease, mostLease)
	}
	if _, _, err := takeAddress("addr", f.address, "HOST:PORT, such as "+hubAddress); err != nil {
		return "", err
	}
	if metrics, err = metricsAddress(f.metrics); err != nil {
		return "", err
	}
	if f.nats != "" {
		if err := link.CheckURL(f.nats); err != nil {
			return "", misuse("nats", "--nats: %w", err)
		}
		if !addressGiven { // workers elsewhere would look for tables on their own machines
			return "", misuse("addr", "--addr is missing: with --nats it is HOST:PORT, where HOST is the name by which workers reach this machine, which lends them tables at the port behind that")
		}
	}
	if db != "" {
		if name := hub.Within(f.dir, db); name != "" {
			return "", misuse("db", "--db %s: the hub has the folder %s in %s for itself: want another", bitboard.Shorten(db), name, bitboard.Shorten(f.dir))
		}
	}
	return metrics, nil
}

// hubOptions are those of a hub that starts, or is repaired.
func (f *hubCommand) hubOptions(cmd *cobra.Command, o *options) (hub.Options, error) {
	memory := memoryBudget(o.memory)
	of, err := o.hubOptions(cmd, f.dir, f.address, memory, o.openSite(cmd, memory))
	of.NATS, of.Lease, of.Measure = f.nats, f.lease, o.measureSite
	of.Fault = o.questionFault
	of.Builds = o.openBuilds(cmd, memory, 1, "", false)
	of.Room = max(1, memory/8*7) // beside what checks take; 0 would be no bound
	return of, err
}

// admitHub wants memory for a hub, or for one of its workers.
func admitHub(what string, memory uint64) error {
	if least := uint64(prover.ProveBytes); memory < least {
		return fmt.Errorf("%w: %s takes %s, and %s: --memory allows more", catalogue.ErrMemory, what, usage.Needed(least), usage.Allowed(memory))
	}
	return nil
}

// start is a hub until its context ends.
func (f *hubCommand) start(cmd *cobra.Command, o *options, of hub.Options, metrics string) error {
	if err := admitHub("a hub", memoryBudget(o.memory)); err != nil {
		return err
	}
	var listener net.Listener
	if metrics != "" { // before the hub listens: tables are offered at another port where that is taken
		var err error
		if listener, err = listenMetrics(cmd.Context(), metrics); err != nil {
			return err
		}
		defer listener.Close()
	}
	_, unmade := os.Stat(f.dir)
	h, err := hub.Start(cmd.Context(), of)
	if err != nil && errors.Is(unmade, fs.ErrNotExist) { // nobody has its credentials yet
		_, _ = hub.Clear(f.dir) // why it did not start is what is told
	}
	if listen := new(net.OpError); errors.As(err, &listen) && listen.Op == "listen" {
		return listenError("addr", f.address, err)
	}
	if err != nil {
		return err
	}
	defer h.Close()
	if listener != nil {
		defer serveMetrics(listener, h.Metrics())()
	}
	listening := hubListening{h.URL(), h.Credentials()}
	err = o.print(cmd, listening, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "hub at %s, credentials in %s\n", listening.URL, catalogue.ShownName(listening.Credentials))
		return err
	})
	if err != nil {
		return err
	}
	return h.Wait(cmd.Context())
}

// Bounds of --lease: workers tell every second that they go on.
const (
	leastLease = 5 * time.Second
	mostLease  = time.Hour
)

// Instead of a hub started, initHub has keys made, admissionToNATS a configuration printed, and
// repairHub a ledger repaired.
const (
	startHub        = ""
	initHub         = "init"
	admissionToNATS = "admission"
	repairHub       = "repair"
)

var hubActions = []string{initHub, admissionToNATS, repairHub}

func wantedHubActions() string { return strings.Join(hubActions, ", ") + ", or nothing" }

// hubFlagActions are the actions that make use of a flag, of each that not all do. How much memory
// to take and how to print can be said everywhere.
var hubFlagActions = map[string][]string{
	"addr":    {startHub},
	"nats":    {startHub},
	"lease":   {startHub},
	"metrics": {startHub},
	"db":      {startHub, repairHub},
	"host":    {initHub},
	"worker":  {initHub},
	"workers": {startHub, repairHub}, // but a letter from that
}

// checkAction fails where a flag was given that an action makes no use of.
func checkAction(cmd *cobra.Command, action string) error {
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if of, some := hubFlagActions[f.Name]; some && !slices.Contains(of, action) {
			var names []string
			for _, one := range of {
				names = append(names, actionName(one))
			}
			err = errors.Join(err, misuse(f.Name, "--%s is for %s", f.Name, strings.Join(names, " and ")))
		}
	})
	return err
}

func actionName(action string) string {
	if action == startHub {
		return "a hub that starts"
	}
	return "hub " + action
}

// printAdmission prints whom a NATS server that runs elsewhere lets in for a hub.
func (o *options) printAdmission(cmd *cobra.Command, dir string) error {
	users, err := hub.Admission(dir)
	if err != nil {
		return err
	}
	return o.print(cmd, map[string]json.RawMessage{"authorization": users}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "authorization: %s\n", users)
		return err
	})
}

// hubKeys is what the command prints of them.
type hubKeys struct {
	Credentials []string `json:"credentials"`
	Certificate *string  `json:"certificate"` // null where none was asked for
}

// makeKeys makes the keys of a hub.
func (o *options) makeKeys(cmd *cobra.Command, dir string, hosts, workers []string) error {
	of := keys.In(dir)
	switch {
	case len(workers) == 0 && !of.There():
		return misuse("worker", "--worker is missing: want the name of one, else nobody has a key")
	case len(workers) == 0 && len(hosts) == 0:
		return misuse("worker", "hub init: want --worker, --host, or both")
	}
	if err := hub.CheckFolder(dir); err != nil {
		return err
	}
	files, err := keys.Make(dir, hosts, workers)
	if err != nil {
		return err
	}
	made := hubKeys{Credentials: append([]string{}, files...)}
	if len(hosts) > 0 {
		path := of.Server()
		made.Certificate = &path
	}
	return o.print(cmd, made, func(w io.Writer) error {
		for _, file := range made.Credentials {
			if _, err := fmt.Fprintln(w, catalogue.ShownName(file)); err != nil {
				return err
			}
		}
		if len(made.Credentials) > 0 || made.Certificate == nil {
			return nil
		}
		_, err := fmt.Fprintf(w, "%s: certificate for %s\n", catalogue.ShownName(*made.Certificate), bitboard.Enumerate("and", hosts...))
		return err
	})
}

// hubListening is what the command prints once it listens.
type hubListening struct {
	URL         string `json:"url"`
	Credentials string `json:"credentials"`
}

// hubOptions are those of a hub by the flags.
func (o *options) hubOptions(cmd *cobra.Command, dir, address string, memory uint64, open share.Opener) (hub.Options, error) {
	build, err := exactVersion()
	return hub.Options{
		Dir: dir, Address: address, Version: build, Open: open, Tables: o.openTables(memory, 1), Workers: o.workers,
		Memory: memory / 8 / uint64(o.workers), Notice: notices(cmd),
	}, err
}

// questionFault is what a hub that is not embedded tells of an error by which a question failed. Who asks may be
// on another machine than the tables.
func (o *options) questionFault(of proofs.Setting, err error) (code, text string) {
	if s, unknown := o.openSetting(of); unknown == nil {
		if hinted := s.repairHint(err); hinted != nil {
			err = fmt.Errorf("%w (where the hub is)", hinted)
		}
	}
	return told(err)
}

// told is the code and the text of an error.
func told(err error) (code, text string) {
	fault := catalogue.FaultOf(err)
	return string(fault.Code), fault.Message
}

// openSite opens sites of any game, with the tables of --db or of their own folders. What
// comes from elsewhere goes there.
func (o *options) openSite(cmd *cobra.Command, memory uint64) share.Opener {
	return func(ctx context.Context, setting proofs.Setting, _ string, supply *share.Supply) (share.Site, error) {
		s, err := o.openSetting(setting)
		if err != nil {
			return nil, err
		}
		limits := share.SupplyOptions{
			LoadOptions: prover.LoadOptions{Workers: o.workers, Memory: memory, Overhead: prover.ProveBytes},
			Version:     version(), Notice: notices(cmd),
		}
		if supply != nil {
			bar := o.startProgress(cmd.ErrOrStderr())
			defer bar.close()
			limits.Watch = func(w prover.Work) { bar.set(w.Doing, w.Unit, w.Done, w.Total) }
		}
		return s.instance.Site(ctx, s.dir(), supply, limits)
	}
}

// measureSite tells which tables openSite loads for a hub, and what they take in bytes.
func (o *options) measureSite(setting proofs.Setting) ([]proofs.Table, uint64, error) {
	s, err := o.openSetting(setting)
	if err != nil {
		return nil, 0, err
	}
	return s.instance.SiteTables(s.dir(), o.workers)
}

// access is how the command line says to reach a hub. The command tells when that is away.
func access(cmd *cobra.Command, url, credentials string) (link.Access, error) {
	if url == embedded {
		return link.Access{}, misuse("hub", "an embedded hub is in the process of who asks it: want the URL of another")
	}
	if err := link.CheckURL(url); err != nil {
		return link.Access{}, misuse("hub", "%w", err)
	}
	return link.Access{URL: url, Credentials: credentials, Tell: notices(cmd)}, nil
}

// dial reaches a hub. It returns when the context is done, even while a pipe is waited for, which
// the file of credentials can be.
func dial(ctx context.Context, a link.Access) (*client.Client, error) {
	return pace.Await(ctx, func() (*client.Client, error) { return client.Dial(a) })
}

func newWork(o *options) *cobra.Command {
	credentials, name := "", ""
	cmd := &cobra.Command{
		Use:   "work URL",
		Short: "Take jobs from a hub",
		Long: `Work takes jobs from the hub at the URL, --workers at a time, until Ctrl-C. Jobs that
it has then go back. It can be started and stopped at any time, on any number of
machines, and waits for a hub that is away, or starts later. It ends where a hub does not
let it in.

All its jobs of a game, board and rules share a transposition table, which outlives them:
at most 1 GiB unless --memory is given, then half of that. Tables of the game take their
part of --memory first, and the search has less by that part. It has one game in memory at
a time: a job of another one waits until none of the first is at work.

It works with the hub's tables of the game. What it lacks of them in the folder --db, or
in the default folder of the game, it fetches from the hub once, checks, and stores
there; workers of a machine that have the same folder share them. What broke off goes
on. Other tables that are there are left alone. The worker ends where a table is there
with other values than the hub's, where they do not fit into --memory, where the disk
is full, and where its version is another. To verify the hub's tables, it has those of one
group of slices in memory, in place of a game, and stores none. To build tables, it has those that a
group needs; a checkpoint of a big one lies in a folder with .work added to the name of its
own tables' one. A group that needs more than --memory is left to other workers. What it has
not sent yet, and such a table until it is read, lies in the folder of the system for
temporary files, TMPDIR.`,
		Example: `  paika work nats://127.0.0.1:4222 --creds hub/worker.creds
  paika work nats://127.0.0.1:4222 --creds worker.creds --workers 4 --memory 16G
  paika work tls://hub.example.org:4222 --creds ann.creds --db /var/lib/paika/9x5`,
		Args: wants(1, 1, "url", "the URL of a hub"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if name != "" && !wire.Proper(name) {
				return misuse("name", "--name %s: want 1 to %d letters, digits and signs of ASCII, without spaces", bitboard.Quote(name), wire.MostName)
			}
			to, err := access(cmd, args[0], credentials)
			if err != nil {
				return err
			}
			memory := memoryBudget(o.memory)
			if err := admitHub("a worker", memory); err != nil {
				return err
			}
			options, remove, err := o.workerOptions(cmd, to, memory)
			if err != nil {
				return err
			}
			defer remove()
			if name != "" {
				options.Name = name
			}
			options.Open, options.Builds = o.openSite(cmd, memory), o.openBuilds(cmd, memory, 1, "", false)
			return worker.Work(cmd.Context(), options)
		},
	}
	credentialsFlag(cmd, &credentials)
	cmd.Flags().StringVar(&name, "name", "", "`NAME` by which the hub tells of it, and of no other worker (default host and process)")
	return cmd
}

func credentialsFlag(cmd *cobra.Command, credentials *string) {
	cmd.Flags().StringVar(credentials, "creds", "", "`FILE` with the secret: worker.creds of the hub's folder, or a key of hub init")
}

// workerName is that of a process of a machine. Machines may have names that a hub does not list.
func workerName(host string, process int) string {
	if name := fmt.Sprintf("%s-%d", host, process); host != "" && wire.Proper(name) {
		return name
	}
	return fmt.Sprintf("worker-%d", process)
}

// workerOptions are what the flags say that a worker brings. The function removes its
// folder.
func (o *options) workerOptions(cmd *cobra.Command, a link.Access, memory uint64) (brings worker.Options, remove func() error, err error) {
	build, err := exactVersion()
	if err != nil {
		return brings, nil, err
	}
	dir, remove, err := lasting.TemporaryFolder("", "paika-work-")
	if err != nil {
		return brings, nil, err
	}
	host, _ := os.Hostname() // there may be none
	table := memory / 2
	if o.memory == 0 {
		table = min(table, mostSearchMemory)
	}
	return worker.Options{
		Access: a, Name: workerName(host, os.Getpid()), Version: build, Lanes: o.workers,
		Table: table, Sets: memory / 4 / uint64(o.workers), Dir: dir, Tables: o.openTables(memory, 1), Notice: notices(cmd),
	}, remove, nil
}
