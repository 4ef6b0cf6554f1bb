package explorer

import (
	"slices"
	"strings"
	"sync"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// Table is a game on one board under one set of rules with its tables, open.
type Table struct {
	Instance catalogue.Instance
	Tables   catalogue.Tables
}

// view is what requests about one board are answered from.
type view struct {
	instance catalogue.Instance
	tables   catalogue.Tables // bounded; where none are served, the rules alone
	served   bool

	// How what is missing is built, by what that is: for the time of one request that may
	// miss the same often. Else nil.
	hints map[string]BuildHint

	// What the log says of such a request, once of each reason. Else nil.
	logged map[string]bool
}

// pooled bounds the views kept. Making one takes milliseconds.
const pooled = 64

// views finds the view that a request names. It is safe for concurrent use.
type views struct {
	turns int // bound on the turns listed

	mu     sync.Mutex
	tables []Table          // served, in the order in which they came
	served map[string]Table // the same by the instance's folder name
	pool   map[name]*view
}

// name is how a request names a view.
type name struct{ game, board, rules string }

func newViews(tables []Table, turns int) *views {
	v := &views{turns: turns, served: make(map[string]Table), pool: make(map[name]*view)}
	v.add(tables)
	return v
}

// add serves tables from now on. Views of their boards that know none are dropped.
func (v *views) add(tables []Table) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, t := range tables {
		v.tables = append(v.tables, t)
		v.served[t.Instance.Folder()] = t
		for n, pooled := range v.pool {
			if pooled.instance.Folder() == t.Instance.Folder() {
				delete(v.pool, n)
			}
		}
	}
}

// all is the tables that are served.
func (v *views) all() []Table {
	v.mu.Lock()
	defer v.mu.Unlock()
	return slices.Clone(v.tables)
}

// table is that of a folder name, if it is served.
func (v *views) table(folder string) (t Table, found bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	t, found = v.served[folder]
	return t, found
}

// find makes a view, or takes it from the pool.
func (v *views) find(n name) (*view, error) {
	v.mu.Lock()
	found := v.pool[n]
	v.mu.Unlock()
	if found != nil {
		return found, nil
	}
	made, err := v.open(n)
	if err != nil {
		return nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if t, now := v.served[made.instance.Folder()]; now && !made.served { // they came meanwhile
		made = v.ofTable(t)
	}
	for other := range v.pool { // any: what is in use comes back at once
		if len(v.pool) < pooled {
			break
		}
		delete(v.pool, other)
	}
	v.pool[n] = made
	return made, nil
}

func (v *views) open(n name) (*view, error) {
	game, found := catalogue.Find(n.game)
	if !found {
		return nil, refuse(catalogue.CodeNotFound, "game", "unknown game %s: want %s", bitboard.Quote(n.game), strings.Join(catalogue.Names(), ", "))
	}
	rules, err := catalogue.ParseRules(n.rules)
	if err != nil {
		return nil, refuse(catalogue.CodeParameter, "rules", "%v", err)
	}
	instance, err := game.Open(n.board, rules)
	if err != nil {
		wrong := "rules"
		if _, without := game.Open(n.board, nil); without != nil {
			wrong = "board"
		}
		return nil, refuse(catalogue.CodeParameter, wrong, "%v", err)
	}
	if t, served := v.table(instance.Folder()); served {
		return v.ofTable(t), nil
	}
	tables, err := instance.Open("", 1)
	if err != nil {
		return nil, err
	}
	return &view{instance: instance, tables: tables.Bounded(v.turns)}, nil
}

func (v *views) ofTable(t Table) *view {
	return &view{instance: t.Instance, tables: t.Tables.Bounded(v.turns), served: true}
}
