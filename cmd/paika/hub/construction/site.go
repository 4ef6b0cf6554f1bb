package construction

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"paika/bitboard"
	"paika/bitboard/ranking"
	"paika/cmd/paika/hub/inspection"
	"paika/internal/offheap"
	"paika/internal/progress"
	"paika/proofs"
	"paika/solver/retrograde"
	"paika/tablebase"
	"paika/tablebase/flat"
	"paika/tablebase/verify"
)

// Site is a folder of tables in which an order is carried out. Its methods are safe for
// concurrent use; one at a time has a table in memory.
type Site interface {
	// Groups lists those of the order, each behind those that it needs.
	Groups() []Group

	// Indices counts those of a slice of the order.
	Indices(slice string) uint64

	// Memory is the most that the site and the pieces of a group take together, in bytes.
	Memory() uint64

	// Stored names the tables of a group that is stored; none of another.
	Stored(group int) []verify.Table

	// Task is that of a group whose needs are stored, for workers of a version.
	Task(group int, version string) Task

	// Load loads the values of a table that is stored, LoadMade those of a slice in a file of
	// a group. Write and WriteMade write them, to be read elsewhere by inspection.ReadValues.
	Load(ctx context.Context, t verify.Table, into *bitboard.Table) error
	LoadMade(ctx context.Context, made Made, file io.ReaderAt, into *bitboard.Table) error
	Write(ctx context.Context, t verify.Table, out io.Writer) error
	WriteMade(ctx context.Context, made Made, file io.ReaderAt, slice string, out io.Writer) error

	// Check reads a file of so many bytes that should be a group, and tells by what names
	// it can be derived again, and what it claims. Errors: those that wrap ErrMade or are a
	// *flat.FileError, of the file, and of ctx.
	Check(ctx context.Context, group int, made Made, file io.ReaderAt, size int64) (Checked, error)

	// Verified names a group that was checked, as Check does, without its file.
	Verified(group int, made Made) verify.Group

	// Import stores the slices of a file that was checked. Those that are there already
	// stay. Errors: those of flat.File's Import.
	Import(ctx context.Context, group int, made Made, file io.ReaderAt) error

	// Tally tells what is stored of the order. What that takes on disk is less after Close.
	Tally() (Tally, error)

	// Close closes the folder, once nobody reads from it or writes to it. Where it fails with
	// tablebase.ErrDiskFull the folder stays locked, and it can be called again. Otherwise
	// a second call does nothing.
	Close() error
}

// Group is a group of an order.
type Group struct {
	Slices    []string
	Needs     []int // places of groups of the order
	Indices   uint64
	Positions uint64
	Most      int64 // bytes of its file
}

// Checked is a group as it came.
type Checked struct {
	Group  verify.Group
	Claims []verify.Sums // of each slice
}

// site is a Site.
type site[P comparable] struct {
	*game[P]
	metric bitboard.Metric
	groups []bitboard.Group
	memory uint64
	tables *tablebase.Tables
	mutex  sync.Mutex       // of memory for a table, and the store
	store  *tablebase.Store // nil before it is opened, when nothing is stored
}

func (g *game[P]) Open(ctx context.Context, order Order, completing func(Completing)) (Site, error) {
	groups, metric, err := g.plan(order)
	if err != nil {
		return nil, err
	}
	s := &site[P]{game: g, metric: metric, groups: groups}
	if !tablebase.Exists(g.options.Dir) { // none is made for an order that is refused
		if err := s.admit(); err != nil {
			return nil, err
		}
	}
	if s.store, err = tablebase.Open(g.options.Dir, g.id, tablebase.Options{Version: g.options.Version, Workers: g.options.Workers}); err != nil {
		return nil, err
	}
	s.tables = s.store.Tables(metric, g.of).ForBuild(groups)
	if err = s.admit(); err == nil {
		err = s.completeNeeds(ctx, completing)
	}
	if err == nil {
		return s, nil
	}
	if left := s.Close(); left != nil {
		return s, errors.Join(err, left)
	}
	return nil, err
}

// has tells whether all of a group is stored.
func (s *site[P]) has(g bitboard.Group) bool {
	return s.store != nil && !slices.ContainsFunc(g.Slices, func(slice bitboard.Slice) bool { return !s.tables.Has(slice) })
}

// pending lists the groups that are to be built.
func (s *site[P]) pending() []bitboard.Group {
	return slices.DeleteFunc(slices.Clone(s.groups), s.has)
}

// admit measures, and refuses what takes more memory than there is.
func (s *site[P]) admit() error {
	var deriving, table uint64
	for _, g := range s.pending() {
		need, err := verify.GroupMemory(s.of, s.verified(g, nil))
		if err != nil {
			return err
		}
		deriving = max(deriving, need)
		for _, slice := range slices.Concat(g.Slices, g.Needs) {
			table = max(table, s.bytes(s.metric, slice))
		}
	}
	for _, slice := range s.incomplete() {
		deriving = max(deriving, ranking.Sum(s.bytes(s.metric, slice), s.bytes(s.metric, s.groupOf(slice).Needs...)))
	}
	s.memory = ranking.Sum(deriving, table)
	if err := s.options.Admit("to derive again what is built", s.memory); err != nil || !s.options.Alone {
		return err
	}
	err := retrograde.Admit(s.of, s.pending(), s.building(s.metric, s.pending()))
	if lack := (*retrograde.MemoryError)(nil); errors.As(err, &lack) {
		lack.Need, lack.Have = s.options.Together(lack.Need), s.options.Memory
	}
	if err != nil {
		return fmt.Errorf("%w: %w", inspection.ErrMemory, err)
	}
	return nil
}

// incomplete lists the slices that are stored with values left out, and needed.
func (s *site[P]) incomplete() (list []bitboard.Slice) {
	for _, g := range s.pending() {
		for _, slice := range g.Needs {
			if s.store != nil && s.tables.LeavesOut(slice) && !slices.Contains(list, slice) {
				list = append(list, slice)
			}
		}
	}
	return list
}

// groupOf is the group of a slice, which is of the order.
func (s *site[P]) groupOf(slice bitboard.Slice) bitboard.Group {
	at := slices.IndexFunc(s.groups, func(g bitboard.Group) bool { return slices.Contains(g.Slices, slice) })
	return s.groups[at]
}

// completeNeeds has slices whole that were stored with values left out and are needed.
func (s *site[P]) completeNeeds(ctx context.Context, tell func(Completing)) error {
	taken := ranking.Sum(ranking.Sum(s.memory, s.options.Overhead), s.store.MappedBytes())
	o := retrograde.CompleteOptions{Workers: s.options.Workers, Room: s.options.Part() - min(s.options.Part(), taken)}
	for _, slice := range s.incomplete() {
		known := make(map[bitboard.Slice]*bitboard.Table)
		for _, of := range append([]bitboard.Slice{slice}, s.groupOf(slice).Needs...) {
			table, err := s.load(ctx, of)
			if err != nil {
				return err
			}
			known[of] = table
		}
		name, indices := s.of.SliceName(slice), s.of.Indices(slice)
		if tell != nil {
			o.Done = progress.NewSum(indices, func(done, total uint64) { tell(Completing{name, done, total}) }).Add
		}
		if err := retrograde.Complete(ctx, s.of, known[slice], known, o); err != nil {
			return err
		}
		// A slice that is half replaced would be lost.
		if err := s.tables.SaveWhole(context.WithoutCancel(ctx), known[slice]); err != nil {
			return err
		}
	}
	return nil
}

// load has a table as it is stored.
func (s *site[P]) load(ctx context.Context, slice bitboard.Slice) (*bitboard.Table, error) {
	table := s.table(slice)
	return table, s.tables.Load(ctx, table)
}

// table is an empty one. The one before need not be beside it.
func (s *site[P]) table(slice bitboard.Slice) *bitboard.Table {
	offheap.Collect()
	return bitboard.NewTable(s.metric, slice, s.of.Indices(slice))
}

func (s *site[P]) Groups() []Group {
	at := make(map[bitboard.Slice]int)
	var groups []Group
	for i, g := range s.groups {
		one := Group{Slices: s.names(g.Slices)}
		for _, need := range g.Needs {
			if !slices.Contains(one.Needs, at[need]) {
				one.Needs = append(one.Needs, at[need])
			}
		}
		for _, slice := range g.Slices {
			at[slice] = i
			one.Indices += s.of.Indices(slice)
			one.Positions += s.of.Positions(slice)
			one.Most += s.mostFile(s.metric, slice)
		}
		groups = append(groups, one)
	}
	return groups
}

func (s *site[P]) Memory() uint64 { return s.memory }

func (s *site[P]) Indices(name string) uint64 {
	slice, err := s.of.ParseSlice(name)
	if err != nil {
		return 0
	}
	return s.of.Indices(slice)
}

func (s *site[P]) Stored(group int) []verify.Table {
	if !s.has(s.groups[group]) {
		return nil
	}
	return s.stored(s.groups[group].Slices)
}

// stored names tables by what the manifest says of all their values.
func (s *site[P]) stored(list []bitboard.Slice) (tables []verify.Table) {
	for _, name := range s.names(list) {
		var info tablebase.SliceInfo
		if s.store != nil {
			info, _ = s.store.Slice(s.metric, name)
		}
		tables = append(tables, verify.Table{Metric: s.metric.String(), Slice: name, Stored: info.Fingerprint})
	}
	return tables
}

func (s *site[P]) Task(group int, version string) Task {
	g := s.groups[group]
	return Task{
		Setting: proofs.Setting(s.id), Version: version,
		Group: verify.Group{Metric: s.metric.String(), Slices: s.names(g.Slices), Tables: s.stored(g.Needs)},
	}.named()
}

// verified names a group to be derived again, with the parts of a file.
func (s *site[P]) verified(g bitboard.Group, parts []Part) verify.Group {
	named := verify.Group{Metric: s.metric.String(), Slices: s.names(g.Slices), Tables: s.stored(g.Needs)}
	for i, name := range named.Slices {
		t := verify.Table{Metric: named.Metric, Slice: name}
		if parts != nil {
			t.Stored = parts[i].Fingerprint
		}
		named.Tables = append(named.Tables, t)
	}
	named.Whole = verify.IsWhole(s.of, named)
	return named
}

func (s *site[P]) Load(ctx context.Context, _ verify.Table, into *bitboard.Table) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.tables.Load(ctx, into)
}

func (s *site[P]) LoadMade(ctx context.Context, made Made, file io.ReaderAt, into *bitboard.Table) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.eachPart(ctx, made, file, func(p Part, f *flat.File) error {
		if p.Slice != s.of.SliceName(into.Slice) {
			return nil
		}
		if _, err := f.Header.Fits(s.of); err != nil {
			return fmt.Errorf("%w: %w", ErrMade, err)
		}
		return f.Load(ctx, into, s.options.Workers, nil)
	})
}

func (s *site[P]) Write(ctx context.Context, t verify.Table, out io.Writer) error {
	slice, err := s.of.ParseSlice(t.Slice)
	if err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	table, err := s.load(ctx, slice)
	if err != nil {
		return err
	}
	return inspection.WriteValues(out, table)
}

func (s *site[P]) WriteMade(ctx context.Context, made Made, file io.ReaderAt, slice string, out io.Writer) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.eachPart(ctx, made, file, func(p Part, f *flat.File) error {
		if p.Slice != slice {
			return nil
		}
		table, err := s.read(ctx, f)
		if err != nil {
			return err
		}
		return inspection.WriteValues(out, table)
	})
}

// read has the table of a file. The mutex is held.
func (s *site[P]) read(ctx context.Context, f *flat.File) (*bitboard.Table, error) {
	slice, err := f.Header.Fits(s.of)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMade, err)
	}
	table := s.table(slice)
	return table, f.Load(ctx, table, s.options.Workers, nil)
}

func (s *site[P]) Check(ctx context.Context, group int, made Made, file io.ReaderAt, size int64) (Checked, error) {
	g := s.groups[group]
	if err := s.fits(g, made, size); err != nil {
		return Checked{}, err
	}
	if err := sameDigest(ctx, made, file); err != nil {
		return Checked{}, err
	}
	checked := Checked{Group: s.verified(g, made.Parts)}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	err := s.eachPart(ctx, made, file, func(p Part, f *flat.File) error {
		if _, err := s.read(ctx, f); err != nil { // all its values are whole
			return err
		}
		checked.Claims = append(checked.Claims, s.claims(f.Header))
		return nil
	})
	return checked, err
}

func (s *site[P]) Verified(group int, made Made) verify.Group {
	return s.verified(s.groups[group], made.Parts)
}

// fits tells whether a file can be that of a group, by its sizes and names.
func (s *site[P]) fits(g bitboard.Group, made Made, size int64) error {
	if len(made.Parts) != len(g.Slices) || made.Bytes != size {
		return fmt.Errorf("%w: it has %s in %d of %d bytes", ErrMade, bitboard.Count(len(made.Parts), "slice"), size, made.Bytes)
	}
	left := size
	for i, p := range made.Parts {
		if p.Slice != s.of.SliceName(g.Slices[i]) || p.Bytes <= 0 || p.Bytes > min(left, s.mostFile(s.metric, g.Slices[i])) || !IsDigest(p.Fingerprint) {
			return fmt.Errorf("%w: part %d is %s with %d bytes", ErrMade, i, bitboard.Shorten(p.Slice), p.Bytes)
		}
		left -= p.Bytes
	}
	if left != 0 {
		return fmt.Errorf("%w: %d bytes are of no slice", ErrMade, left)
	}
	return nil
}

// sameDigest tells whether a file came as it was sent.
func sameDigest(ctx context.Context, made Made, file io.ReaderAt) error {
	hash := sha256.New()
	buffer := make([]byte, 1<<20)
	for at := int64(0); at < made.Bytes; at += int64(len(buffer)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		buffer = buffer[:min(int64(len(buffer)), made.Bytes-at)]
		if n, err := file.ReadAt(buffer, at); n < len(buffer) {
			return err
		}
		hash.Write(buffer) // it never fails
	}
	if hex.EncodeToString(hash.Sum(nil)) != made.Digest {
		return fmt.Errorf("%w: it has another digest", ErrMade)
	}
	return nil
}

// eachPart reads the headers of a group's file.
func (s *site[P]) eachPart(ctx context.Context, made Made, file io.ReaderAt, do func(p Part, f *flat.File) error) error {
	from := int64(0)
	for _, p := range made.Parts {
		f, err := flat.Read(ctx, flat.FileName(p.Slice, s.metric), io.NewSectionReader(file, from, p.Bytes), p.Bytes)
		if err != nil {
			return err
		}
		if h := f.Header; h.Identity != s.id || h.Fingerprint != p.Fingerprint {
			return fmt.Errorf("%w: a file of %v with fingerprint %s", ErrMade, h.Identity, h.Fingerprint)
		}
		if err := do(p, f); err != nil {
			return err
		}
		from += p.Bytes
	}
	return nil
}

// claims are what a header says of its slice.
func (s *site[P]) claims(h flat.Header) verify.Sums {
	sums := verify.NewSums()
	sums.Positions[bitboard.Win], sums.Positions[bitboard.Loss], sums.Positions[bitboard.Draw] = h.Win, h.Loss, h.Draw
	sums.Longest[bitboard.Win], sums.Longest[bitboard.Loss], sums.Quiet = h.LongestWin, h.LongestLoss, h.Quiet
	return sums
}

// Agree tells whether what was derived of a group is what its file claims.
func (c Checked) Agree(derived []verify.Sums) bool {
	return slices.EqualFunc(c.Claims, derived, func(claim, found verify.Sums) bool {
		if c.Group.Metric == bitboard.WDL.String() {
			found.Longest = verify.NewSums().Longest
		}
		return claim == found
	})
}

func (s *site[P]) Import(ctx context.Context, group int, made Made, file io.ReaderAt) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.eachPart(ctx, made, file, func(_ Part, f *flat.File) error {
		offheap.Collect() // or the table before would be beside this one
		_, err := f.Import(ctx, s.of, s.store, s.groups, s.options.Workers, nil)
		return err
	})
}

func (s *site[P]) Tally() (Tally, error) {
	t := Tally{Slices: []tablebase.SliceInfo{}}
	for _, g := range s.groups {
		for _, name := range s.names(g.Slices) {
			t.Asked++
			if info, there := s.store.Slice(s.metric, name); there {
				t.Slices = append(t.Slices, info)
			}
		}
	}
	var err error
	t.Disk, err = s.store.DiskBytes()
	return t, err
}

func (s *site[P]) Close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.store.Close()
}
