package command

import (
	"cmp"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/explorer"
)

// shelf is the tables that a server has open. build may be called by many at a time,
// also while more is at work.
type shelf struct {
	session
	log    *slog.Logger
	tables []explorer.Table // in the order in which they were opened

	// Folders that could not be opened, and when they are tried again: a builder
	// keeps others out while it works.
	later map[string]time.Time

	mu      sync.Mutex
	metrics map[string]string // the only one of tables that are open, or empty, by the name of their instance
}

// retryAfter is how long a folder that cannot be opened is left alone. To find it
// locked takes a second.
const retryAfter = 10 * time.Second

// errNoSlices says that a folder has tables of nothing yet.
var errNoSlices = errors.New("no slices are stored yet")

// openShelf opens the tables that are kept in folders named for their games, and
// those that --db names. Of the former it leaves out, with a line in the log, what
// cannot be read.
func (s session) openShelf(log *slog.Logger) (*shelf, error) {
	sh := &shelf{session: s, log: log, later: make(map[string]time.Time), metrics: make(map[string]string)}
	folders, err := sh.folders()
	if err != nil {
		return sh, err
	}
	for _, f := range folders {
		switch err := sh.add(f); {
		case err == nil:
		case sh.named(f.Instance) && errors.Is(err, errNoSlices):
			log.Warn("not yet", "folder", f.Dir, "error", err)
		case sh.named(f.Instance):
			return sh, s.hint(err)
		default:
			log.Warn("left out", "folder", f.Dir, "error", err)
		}
	}
	return sh, nil
}

// folders are those whose tables are to be served: that of --db, which stands for any other
// of its instance, and those that are named for their games.
func (sh *shelf) folders() (all []catalogue.Folder, err error) {
	if sh.db != "" {
		all = append(all, catalogue.Folder{Instance: sh.instance, Dir: sh.db})
	}
	found, err := catalogue.FindFolders(dataBase())
	for _, f := range found {
		if !sh.named(f.Instance) {
			all = append(all, f)
		}
	}
	return all, err
}

// named tells whether --db names the tables of an instance.
func (sh *shelf) named(instance catalogue.Instance) bool {
	return sh.db != "" && instance.Folder() == sh.instance.Folder()
}

// more opens tables that have come since, as many as fit. What cannot be opened is
// left alone for a while; what comes of a folder is logged.
func (sh *shelf) more(fits func(tables int) bool) (arrived []explorer.Table) {
	folders, err := sh.folders()
	if err != nil {
		sh.log.Warn("no look for new tables", "error", err)
	}
	for _, f := range folders {
		if sh.has(f.Instance) || time.Now().Before(sh.later[f.Dir]) {
			continue
		}
		sh.later[f.Dir] = time.Now().Add(retryAfter)
		if !fits(len(sh.tables) + 1) {
			sh.log.Warn("left out", "folder", f.Dir, "error", "there is no memory for one more board")
			continue
		}
		if err := sh.add(f); err != nil {
			sh.log.Info("not yet", "folder", f.Dir, "error", err)
			continue
		}
		arrived = append(arrived, sh.tables[len(sh.tables)-1])
	}
	return arrived
}

func (sh *shelf) has(instance catalogue.Instance) bool {
	return slices.ContainsFunc(sh.tables, func(t explorer.Table) bool { return t.Instance.Folder() == instance.Folder() })
}

// add opens the tables in a folder.
func (sh *shelf) add(f catalogue.Folder) error {
	opened, err := f.Instance.Open(f.Dir, sh.workers)
	if err != nil {
		return err
	}
	stats, err := opened.Stats()
	if err == nil && len(stats.Slices) == 0 {
		err = errNoSlices
	}
	if err != nil {
		return errors.Join(err, opened.Close())
	}
	metrics := make([]string, len(stats.Totals))
	for i, total := range stats.Totals {
		metrics[i] = total.Metric
	}
	sh.log.Info("tables", "folder", f.Dir, "game", f.Instance.Identity().String(), "slices", len(stats.Slices), "metrics", strings.Join(metrics, ","))
	sh.tables = append(sh.tables, explorer.Table{Instance: f.Instance, Tables: opened})
	if len(metrics) == 1 {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.metrics[f.Instance.Folder()] = metrics[0]
	}
	return nil
}

func (sh *shelf) close() (err error) {
	for _, t := range sh.tables {
		err = errors.Join(err, t.Tables.Close())
	}
	return err
}

// build tells how tables of an instance are built that hold the slices, or small
// ones, with a metric or, where that is empty, with the only one there is. It goes to anyone who
// asks, and so does not tell where tables are.
func (sh *shelf) build(instance catalogue.Instance, memory uint64, metric string, names []string) explorer.BuildHint {
	sh.mu.Lock()
	only := sh.metrics[instance.Folder()]
	sh.mu.Unlock()
	of := (&options{workers: sh.workers}).on(instance)
	of.metric = cmp.Or(metric, only)
	if sh.named(instance) {
		of.db = "DIR"
	}
	return of.offer(memory, names...)
}
