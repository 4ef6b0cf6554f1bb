package catalogue

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"paika/bitboard"
	"paika/solver/retrograde"
	"paika/tablebase"
)

// RepairOptions say what may be done, and within which limits.
type RepairOptions struct {
	DryRun   bool                                         // only tell what is wrong
	Workers  int                                          // goroutines, at least 1
	Memory   uint64                                       // bytes that the whole program may take
	Version  string                                       // of the program and of no other: unfinished tables are gone on with by the same one alone
	Progress func(phase, unit string, done, total uint64) // one call at a time; "checking", "index"
	Notice   func(text string)                            // told what the user should know of, if it is not nil
}

// Repaired is what was found wrong with tables, and what was done.
type Repaired struct {
	OK       bool       `json:"ok"`              // now; in a dry run, that nothing is wrong
	Kept     []SliceRef `json:"kept"`            // slices whose chunks are whole
	Rebuilt  []SliceRef `json:"rebuilt"`         // in a dry run, those that would be
	Findings []Finding  `json:"findings"`        // what was wrong
	Aside    string     `json:"aside,omitempty"` // the folder in which the damaged tables are kept
	Seconds  float64    `json:"seconds"`

	// Changed tells, beside an error too, whether work was done in the folder itself. It is kept.
	Changed bool `json:"-"`
}

// SliceRef names a slice in a metric.
type SliceRef struct {
	Slice  string `json:"slice"`
	Metric string `json:"metric"`
}

// Repair looks for what is wrong with the tables in a folder. It keeps every slice
// whose chunks are whole, and builds the others anew, in a folder beside; only when
// that is complete and on disk does it take the place of the damaged one, which is
// kept under another name. Work that was stopped goes on from there, where the damaged
// tables are the same. What a killed writer left, undamaged, is put in order where it is.
// Beside an error stands what was wrong, as far as it was seen, and whether the folder was changed.
//
// Errors: ErrMemory, those of tablebase.OpenWreck, of its BeginReplacement and of Build.
func (n *instance[P]) Repair(ctx context.Context, dir string, o RepairOptions) (r Repaired, err error) {
	began := time.Now()
	if _, err := admitReading("to look for damage", o.Memory, 0); err != nil {
		return r, err
	}
	defer func() { r.Seconds = time.Since(began).Seconds() }()
	named := dir
	if dir, err = tablebase.RealFolder(dir); err != nil { // it will be renamed
		return r, err
	}
	if !o.DryRun {
		if r.Changed, err = tablebase.FinishReplacing(dir); err != nil {
			return r, err
		}
	}
	wreck, err := tablebase.OpenWreck(ctx, dir, n.identity, n.game, tablebase.Options{ReadOnly: o.DryRun, Workers: o.Workers})
	if errors.Is(err, tablebase.ErrNoStore) {
		err = fmt.Errorf("%s: %w", named, tablebase.ErrNoStore)
	}
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, wreck.Close()) }()
	whole, lost, err := wreck.Check(ctx, func(done, total uint64) { o.progress("checking", "index", done, total) })
	if err != nil {
		return r, err
	}
	r.describe(dir, wreck, whole, lost)
	switch {
	case len(r.Findings) == 0:
		r.OK = true
		return r, nil
	case o.DryRun:
		return r, nil
	}
	if err := n.admitLost(whole, lost, o); err != nil {
		return r, err
	}
	switch {
	case len(wreck.Faults()) == 0 && !slices.ContainsFunc(lost, damaged):
		if err = wreck.Close(); err == nil {
			err = n.putInOrder(ctx, dir, &r, lost, o)
		}
	default:
		err = n.replace(ctx, wreck, &r, whole, lost, o)
	}
	r.OK = err == nil
	return r, err
}

// damaged tells whether what was lost of a slice is damage, and not what a killed writer leaves.
func damaged(lost *tablebase.SliceError) bool { return !errors.Is(lost, tablebase.ErrReplacing) }

func (o RepairOptions) progress(phase, unit string, done, total uint64) {
	if o.Progress != nil {
		o.Progress(phase, unit, done, total)
	}
}

// describe tells what is wrong with a folder.
func (r *Repaired) describe(dir string, w *tablebase.Wreck, whole []tablebase.StoredSlice, lost []*tablebase.SliceError) {
	r.Kept, r.Rebuilt, r.Findings = refs(whole), []SliceRef{}, []Finding{}
	for _, fault := range w.Faults() {
		r.Findings = append(r.Findings, Finding{What: fault.Error(), text: fault.Error()})
	}
	if !w.Closed() && len(w.Faults()) == 0 {
		text := fmt.Sprintf("%s: %v", dir, tablebase.ErrUnclean)
		r.Findings = append(r.Findings, Finding{What: text, text: text})
	}
	for _, e := range lost {
		r.Findings = append(r.Findings, Finding{Metric: e.Metric.String(), Slice: e.Slice, What: e.Err.Error(), text: e.Error()})
		r.Rebuilt = append(r.Rebuilt, SliceRef{e.Slice, e.Metric.String()})
	}
}

func refs(list []tablebase.StoredSlice) []SliceRef {
	named := make([]SliceRef, 0, len(list))
	for _, s := range list {
		named = append(named, SliceRef{s.Slice, s.Metric.String()})
	}
	return named
}

// putInOrder opens tables that a killed writer left, which puts them in order, and builds what
// it was replacing.
func (n *instance[P]) putInOrder(ctx context.Context, dir string, r *Repaired, lost []*tablebase.SliceError, o RepairOptions) error {
	r.Changed = true
	store, err := tablebase.Open(dir, n.identity, tablebase.Options{Version: o.Version, Workers: o.Workers})
	if err == nil {
		err = store.Close()
	}
	if err == nil {
		err = n.rebuild(ctx, dir, r, lost, o)
	}
	return err
}

// replace makes whole tables beside the damaged ones, and puts them in their place.
func (n *instance[P]) replace(ctx context.Context, w *tablebase.Wreck, r *Repaired, whole []tablebase.StoredSlice, lost []*tablebase.SliceError, o RepairOptions) error {
	beside, err := w.BeginReplacement()
	if err != nil {
		return err
	}
	if err := n.copyWhole(ctx, beside, w, whole, o); err != nil {
		return fmt.Errorf("in %s: %w", beside, err)
	}
	if err := n.rebuild(ctx, beside, r, lost, o); err != nil {
		return fmt.Errorf("in %s: %w", beside, err)
	}
	r.Changed = true
	r.Aside, err = w.Replace()
	return err
}

// copyWhole copies what is whole, and unfinished work.
func (n *instance[P]) copyWhole(ctx context.Context, beside string, w *tablebase.Wreck, whole []tablebase.StoredSlice, o RepairOptions) (err error) {
	store, err := tablebase.Open(beside, n.identity, tablebase.Options{Version: o.Version, Workers: o.Workers})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for i, s := range whole {
		if err := w.Copy(ctx, store, s); err != nil {
			return err
		}
		o.progress("copying", "slice", uint64(i+1), uint64(len(whole)))
	}
	return w.CopyCheckpoints(ctx, store, func(done, total uint64) { o.progress("copying unfinished work", "byte", done, total) })
}

// rebuild builds what is lost, and tells all that it built.
func (n *instance[P]) rebuild(ctx context.Context, dir string, r *Repaired, lost []*tablebase.SliceError, o RepairOptions) error {
	r.Rebuilt = r.Rebuilt[:0]
	for m := range bitboard.MetricCount {
		names := lostNames(m, lost)
		if len(names) == 0 {
			continue
		}
		built, err := n.Build(ctx, dir, o.build(m, names))
		if err != nil {
			return err
		}
		for _, s := range built.Slices {
			if ref := (SliceRef{s.Slice, s.Metric}); !slices.Contains(r.Kept, ref) {
				r.Rebuilt = append(r.Rebuilt, ref)
			}
		}
	}
	return nil
}

// build is how slices are built anew.
func (o RepairOptions) build(m bitboard.Metric, names []string) BuildOptions {
	return BuildOptions{
		Slices: names, Metric: m, Workers: o.Workers, Memory: o.Memory, Version: o.Version, Notice: o.Notice,
		Progress: func(p retrograde.Progress) { o.progress("building "+p.Group, "index", p.Done, p.Total) },
	}
}

// admitLost fails as Build will where memory does not do for what is lost: before anything is copied for that.
func (n *instance[P]) admitLost(whole []tablebase.StoredSlice, lost []*tablebase.SliceError, o RepairOptions) error {
	for m := range bitboard.MetricCount {
		names := lostNames(m, lost)
		if len(names) == 0 {
			continue
		}
		build := o.build(m, names)
		groups, err := n.plan(build)
		if err != nil {
			return err
		}
		options := n.retrograde(groups, build)
		isMissing := func(slice bitboard.Slice) bool {
			name := n.game.SliceName(slice)
			return !slices.ContainsFunc(whole, func(s tablebase.StoredSlice) bool { return s.Metric == m && s.Slice == name })
		}
		pending := slices.DeleteFunc(groups, func(g bitboard.Group) bool { return !slices.ContainsFunc(g.Slices, isMissing) })
		if err := retrograde.Admit(n.game, pending, options); err != nil {
			return err
		}
	}
	return nil
}

// lostNames lists the slices of a metric.
func lostNames(m bitboard.Metric, lost []*tablebase.SliceError) (names []string) {
	for _, e := range lost {
		if e.Metric == m {
			names = append(names, e.Slice)
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names
}
