package command

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/bitboard"
	"paika/bitboard/catalogue"
	"paika/cmd/paika/explorer"
)

func newServe(o *options) *cobra.Command {
	address, public := "", false
	cmd := &cobra.Command{
		Use:   "serve [GAME]",
		Short: "Serve the tables as a web page and an HTTP API",
		Long: `Serve opens the tables read-only, and answers over HTTP until it is stopped: with
a page on which to look at positions and play them out, and with an API whose
answers are what --json prints elsewhere.

It serves all tables in the folders named <game>-<board> where tables are kept,
and those in --db as the tables of the game and board named. The page begins with
that game and board. Tables being served cannot be built on at the same time.

Only this machine can connect, unless --public allows another --addr. The log
goes to standard error: requests too, except with --quiet, and as JSON with --json.`,
		Example: `  paika serve
  paika serve phutball --board 3x7 --addr 127.0.0.1:9000
  paika serve --public --addr :8080 --quiet`,
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := o.openBoard(args)
			if err != nil {
				return err
			}
			if err := checkAddress(address, public); err != nil {
				return err
			}
			memoryBudget(o.memory)
			return serve(cmd, s, address)
		},
	}
	cmd.Flags().StringVar(&address, "addr", "127.0.0.1:8080", "`HOST:PORT` to listen on; port 0 takes a free one")
	cmd.Flags().BoolVar(&public, "public", false, "allow an address that other machines reach")
	return cmd
}

// checkAddress refuses addresses that other machines reach, unless they are
// meant to.
func checkAddress(address string, public bool) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return misuse("addr", "--addr %s: want HOST:PORT, such as 127.0.0.1:8080", bitboard.Quote(address))
	}
	if ip := net.ParseIP(host); public || host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	return misuse("addr", "--addr %s: other machines may reach it; add --public if they are meant to", bitboard.Shorten(address))
}

// served is what the command prints once it listens.
type served struct {
	URL    string `json:"url"`
	Tables int    `json:"tables"`
}

func serve(cmd *cobra.Command, s session, address string) (err error) {
	log := s.logger(cmd.ErrOrStderr())
	tables, folders, err := s.openAll(log)
	defer func() {
		for _, t := range tables {
			err = errors.Join(err, t.Tables.Close())
		}
	}()
	if err != nil {
		return err
	}
	server, err := explorer.New(explorer.Config{
		Tables: tables, First: s.instance, Limits: explorer.DefaultLimits(), Logger: log,
		Build: func(instance catalogue.Instance, flags ...string) string {
			return s.buildCommandFor(instance, folders[instance.Folder()], flags...)
		},
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	var wrong *net.AddrError
	var unknown *net.DNSError
	switch {
	case errors.As(err, &wrong), errors.As(err, &unknown):
		return misuse("addr", "--addr %s: %w", bitboard.Shorten(address), err)
	case err != nil:
		return err
	}
	started := served{"http://" + listener.Addr().String() + "/", len(tables)}
	err = s.print(cmd, started, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "serving the tables of %s at %s (Ctrl-C stops)\n", count(uint64(started.Tables), "board"), started.URL)
		return err
	})
	if err != nil {
		listener.Close()
		return err
	}
	return server.Serve(cmd.Context(), listener)
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

// folder is what a build command says of tables that are served.
type folder struct{ db, metric string }

// openAll opens the tables that are kept in folders named for their games, and
// those that --db names. Of the former it leaves out, with a line in the log,
// what cannot be read. Folders are by the name of their instance.
func (s session) openAll(log *slog.Logger) (tables []explorer.Table, folders map[string]folder, err error) {
	folders = make(map[string]folder)
	add := func(instance catalogue.Instance, dir, db string) error {
		opened, err := instance.Open(dir, s.workers)
		if err != nil {
			return err
		}
		stats, err := opened.Stats()
		if err != nil {
			return errors.Join(err, opened.Close())
		}
		metrics := make([]string, len(stats.Totals))
		for i, total := range stats.Totals {
			metrics[i] = total.Metric
		}
		log.Info("tables", "folder", dir, "game", instance.Identity().String(), "slices", len(stats.Slices), "metrics", strings.Join(metrics, ","))
		f := folder{db: db}
		if len(metrics) == 1 {
			f.metric = metrics[0]
		}
		tables = append(tables, explorer.Table{Instance: instance, Tables: opened})
		folders[instance.Folder()] = f
		return nil
	}
	if s.db != "" {
		if err := add(s.instance, s.db, s.db); err != nil {
			return tables, folders, s.hint(err)
		}
	}
	solved, err := catalogue.FindSolved(dataBase())
	if err != nil {
		return tables, folders, err
	}
	for _, found := range solved {
		instance, err := found.Instance()
		if err == nil && slices.ContainsFunc(tables, func(t explorer.Table) bool { return t.Instance.Folder() == instance.Folder() }) {
			continue // --db stands for it
		}
		if err == nil {
			err = add(instance, found.Dir, "")
		}
		if err != nil {
			log.Warn("left out", "folder", found.Dir, "error", err)
		}
	}
	return tables, folders, nil
}

// buildCommandFor is the command line that builds tables of an instance.
func (s session) buildCommandFor(instance catalogue.Instance, f folder, flags ...string) string {
	id := instance.Identity()
	of := session{
		options: &options{board: id.Board, db: f.db}, game: id.Game, instance: instance, metric: f.metric,
	}
	return of.buildCommand(flags...)
}
