package command

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strconv"
	"sync/atomic"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/explorer"
	"paika/internal/usage"
)

func newServe(o *options) *cobra.Command {
	address, public, hosts, certificates := "", false, []string{}, []string{}
	cmd := &cobra.Command{
		Use:   "serve [GAME]",
		Short: "Serve the tables as a web page and an HTTP API",
		Long: `Serve opens the tables read-only, and answers over HTTP until it is stopped: with
a page on which to look at positions and play them out, and with an API whose
answers are what --json prints elsewhere.

It serves all tables in the folders named <game>-<board> where tables are kept. Those
in --db are the tables of the game and board named, in place of such a folder. The page
begins with that game and board, or where no board is named with the largest tables there
are. Tables of further boards that are built meanwhile are found and served too, and so
are those in --db where a build has begun, and stored nothing yet. Tables being served
cannot be built on at the same time.

Only this machine can connect, unless --public allows another --addr. Requests are
answered that name, as their host, the address that they came in at, localhost, or
the host of --addr; --host allows further names, such as that of a proxy in front.

It never takes more than --memory: 64 MiB for the cache of each board's tables, 256
MiB for two searches, 64 MiB for each request at work, of which there are fewer at
once where memory is scarce, and some 430 MiB for 256 connections and the rest. Where
that does not fit, nothing is served.

With --proof it serves certificates too: the page leads through what they prove, turn
by turn, down to the tables. They are checked while it serves, and count as claims
until that is done; the folder paika/proofs of the user's caches keeps an index of
each, with which the next start takes a second. Without --proof it brings the first
turns of a proof of its own.

SIGTERM and Ctrl-C end it: searches at once, other requests within seconds.

The log goes to standard error: requests too, except with --quiet, and as JSON with
--json.`,
		Example: `  paika serve
  paika serve phutball --board 3x7 --addr 127.0.0.1:9000
  paika serve --proof 9x5.proof
  paika serve --public --addr :8080 --host tables.example.org --quiet`,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			hosts, err := checkHosts(address, public, hosts)
			if err != nil {
				return err
			}
			shown, err := openProofs(cmd.Context(), certificates)
			defer func() { err = errors.Join(err, closeWalks(shown.walks)) }()
			if err != nil {
				return err
			}
			if len(certificates) > 0 {
				if args, err = o.like(shown.walks[0], args); err != nil {
					return err
				}
			}
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			if len(args) == 0 && o.board == "" && len(o.rules) == 0 {
				shown.greeting = true
			}
			return serve(cmd, s, address, hosts, shown)
		},
	}
	cmd.Flags().StringVar(&address, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes a free one")
	cmd.Flags().BoolVar(&public, "public", false, "allow an address that other machines reach")
	proofFlag(cmd, &certificates)
	cmd.Flags().StringArrayVar(&hosts, "host", nil, "answer requests for the host `NAME` too; can be given again")
	return cmd
}

// checkHosts gives the hosts that requests may name: those of --host, and that of
// --addr. It refuses addresses that other machines reach, unless they are meant to.
func checkHosts(address string, public bool, hosts []string) ([]string, error) {
	host, _, err := takeAddress("addr", address, "HOST:PORT, such as 127.0.0.1:8080")
	if err != nil {
		return nil, err
	}
	ip := net.ParseIP(host)
	if !public && host != "localhost" && !ip.IsLoopback() {
		return nil, misuse("addr", "--addr %s: other machines may reach it; add --public if they are meant to", bitboard.Shorten(address))
	}
	for _, name := range hosts {
		if err := explorer.CheckHost(name); err != nil {
			return nil, misuse("host", "--host %w", err)
		}
	}
	if host == "" || ip != nil {
		return hosts, nil // addresses are those that connections come in at
	}
	if err := explorer.CheckHost(host); err != nil {
		return nil, misuse("addr", "--addr %w", err)
	}
	return append(hosts, host), nil
}

// takeAddress takes the HOST:PORT of a flag apart. Form is what is wanted.
func takeAddress(flag, address, form string) (host, port string, err error) {
	host, port, err = net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return "", "", misuse(flag, "--%s %s: want %s, with a port from 0 to 65535", flag, bitboard.Quote(address), form)
	}
	return host, port, nil
}

// served is what the command prints once it listens.
type served struct {
	URL    string `json:"url"`
	Tables int    `json:"tables"`
}

// boardsToCome is how many more boards there is memory for, where that can be had:
// their tables may be built while others are served.
const boardsToCome = 2

// account is who has what of a server's memory: tables that are served, with room for some
// that come, and a check of certificates, as long as it takes, all the rest. It is safe for
// concurrent use.
type account struct {
	limits   explorer.Limits
	budget   uint64
	reserved int         // boards that there is room for beside the check
	checking atomic.Bool // the check has the rest
}

// newAccount reserves room for the tables that are served, and for boardsToCome where it can
// be had.
func newAccount(limits explorer.Limits, budget uint64, tables int) *account {
	a := &account{limits: limits, budget: budget, reserved: tables + boardsToCome}
	for a.reserved > tables && limits.Memory(a.reserved) > budget {
		a.reserved--
	}
	return a
}

// fits tells whether there is room for so many boards.
func (a *account) fits(tables int) bool {
	return tables <= a.reserved || !a.checking.Load() && a.limits.Memory(tables) <= a.budget
}

// lend gives a check all that is not reserved, until it is given back.
func (a *account) lend() (memory uint64, back func()) {
	a.checking.Store(true)
	return a.budget - min(a.limits.Memory(a.reserved), a.budget), func() { a.checking.Store(false) }
}

func serve(cmd *cobra.Command, s session, address string, hosts []string, shown *shownProofs) (err error) {
	log := s.logger(cmd.ErrOrStderr())
	shelf, err := s.openShelf(log)
	defer func() { err = errors.Join(err, shelf.close()) }()
	if err != nil {
		return err
	}
	tables := shelf.tables
	budget := memoryBudget(s.memory)
	limits := explorer.DefaultLimits().Within(budget, len(tables)+boardsToCome)
	account := newAccount(limits, budget, len(tables))
	if need := limits.Memory(len(tables)); need > budget {
		return fmt.Errorf("%w: to serve %s takes up to %s, and %s: --memory allows more", catalogue.ErrMemory, count(uint64(len(tables)), "board"), usage.Needed(need), usage.Allowed(budget))
	}
	server, err := explorer.New(explorer.Config{
		Tables: tables, Proofs: shown.walks, First: shown.first(s.instance, len(tables)), Named: s.board != "" || len(s.rules) > 0,
		Limits: limits, Hosts: hosts, Version: version(), Logger: log,
		More: func() []explorer.Table { return shelf.more(account.fits) },
		Build: func(instance catalogue.Instance, metric string, slices ...string) explorer.BuildHint {
			return shelf.build(instance, budget, metric, slices)
		},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return listenError("addr", address, err)
	}
	started := served{urlOf(listener.Addr(), hosts), len(tables)}
	err = s.print(cmd, started, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "serving the tables of %s at %s (Ctrl-C stops)\n", count(uint64(started.Tables), "board"), started.URL)
		return err
	})
	if err != nil {
		listener.Close()
		return err
	}
	defer shown.prepare(cmd.Context(), s, log, account)()
	return server.Serve(cmd.Context(), listener)
}

// urlOf is where a server that listens at an address is reached: where that stands for all
// addresses of the machine, by the first of its hosts or, from the machine itself, as localhost.
func urlOf(at net.Addr, hosts []string) string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return "http://" + at.String() + "/"
	}
	if ip := net.ParseIP(host); ip != nil && ip.IsUnspecified() {
		host = append(hosts[:len(hosts):len(hosts)], "localhost")[0]
	}
	return "http://" + net.JoinHostPort(host, port) + "/"
}

// listenError says why the address of a flag cannot be listened on.
func listenError(flag, address string, err error) error {
	var (
		wrong   *net.AddrError
		unknown *net.DNSError
		call    *os.SyscallError
	)
	address = bitboard.Shorten(address)
	switch {
	case errors.As(err, &unknown):
		return misuse(flag, "--%s %s: no such host", flag, address)
	case errors.As(err, &wrong):
		return misuse(flag, "--%s %s: %w", flag, address, err)
	case errors.As(err, &call):
		err = call.Err
	}
	return fmt.Errorf("--%s %s: %w", flag, address, err)
}

// logger writes what happens, without the requests where --quiet is given.
func (o *options) logger(w io.Writer) *slog.Logger {
	handler := &slog.HandlerOptions{Level: slog.LevelInfo}
	if o.quiet {
		handler.Level = slog.LevelWarn
	}
	if o.json {
		return slog.New(slog.NewJSONHandler(w, handler))
	}
	return slog.New(slog.NewTextHandler(w, handler))
}
