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
	folders map[string]folder // by the name of their instance
}

// folder is what a build command says of tables that are served.
type folder struct {
	named  bool // by --db
	metric string
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
	sh := &shelf{session: s, log: log, later: make(map[string]time.Time), folders: make(map[string]folder)}
	if s.db != "" {
		if err := sh.add(s.instance, s.db, true); err != nil && !errors.Is(err, errNoSlices) {
			return sh, s.hint(err)
		}
	}
	found, err := catalogue.FindFolders(dataBase())
	if err != nil {
		return sh, err
	}
	for _, f := range found {
		if sh.has(f.Instance) {
			continue // --db stands for it
		}
		if err := sh.add(f.Instance, f.Dir, false); err != nil {
			log.Warn("left out", "folder", f.Dir, "error", err)
		}
	}
	return sh, nil
}

// more opens tables that have come since, as many as fit. What cannot be opened is
// left alone for a while; what comes of a folder is logged.
func (sh *shelf) more(fits func(tables int) bool) (arrived []explorer.Table) {
	found, err := catalogue.FindFolders(dataBase())
	if err != nil {
		sh.log.Warn("no look for new tables", "error", err)
		return nil
	}
	for _, f := range found {
		if sh.has(f.Instance) || time.Now().Before(sh.later[f.Dir]) {
			continue
		}
		sh.later[f.Dir] = time.Now().Add(retryAfter)
		if !fits(len(sh.tables) + 1) {
			sh.log.Warn("left out", "folder", f.Dir, "error", "there is no memory for one more board")
			continue
		}
		if err := sh.add(f.Instance, f.Dir, false); err != nil {
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
func (sh *shelf) add(instance catalogue.Instance, dir string, named bool) error {
	opened, err := instance.Open(dir, sh.workers)
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
	sh.log.Info("tables", "folder", dir, "game", instance.Identity().String(), "slices", len(stats.Slices), "metrics", strings.Join(metrics, ","))
	f := folder{named: named}
	if len(metrics) == 1 {
		f.metric = metrics[0]
	}
	sh.tables = append(sh.tables, explorer.Table{Instance: instance, Tables: opened})
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.folders[instance.Folder()] = f
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
	f := sh.folders[instance.Folder()]
	sh.mu.Unlock()
	of := (&options{workers: sh.workers}).on(instance)
	of.metric = cmp.Or(metric, f.metric)
	if f.named {
		of.db = "DIR"
	}
	return of.offer(memory, names...)
}
