package share

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/zeebo/xxh3"

	"paika/cmd/paika/prover"
	"paika/solver/checkpoint"
	"paika/solver/proofnumber"
)

// Keeping has searchers save their transposition tables in a folder, so that a search that was stopped
// goes on with what it had found and not shown. There is a file for each game, board, rules and set of tables.
// What is taken up from one are claims, like what others say: a part shows a verdict or there is none.
//
// Its methods are safe for concurrent use.
type Keeping struct {
	Context context.Context // ends that a table is taken up
	Folder  string          // is made where it is missing
	Every   time.Duration   // between two times that a table is saved; 0: only at the end
	Notice  func(string)    // is told in a sentence what could not be saved or taken up

	mutex  sync.Mutex
	over   bool
	failed error
}

// Drop ends the keeping: what is not saved yet is of no use any more.
func (k *Keeping) Drop() {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.over = true
}

// Failed is why a table was not saved the last time, if it should have been.
func (k *Keeping) Failed() error {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return k.failed
}

// wanted tells whether tables are still to be saved.
func (k *Keeping) wanted() bool {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	return !k.over
}

// told keeps how saving went.
func (k *Keeping) told(err error) {
	k.mutex.Lock()
	defer k.mutex.Unlock()
	k.failed = err
}

// kept is the file in which a searcher keeps its table; nil where it keeps none.
type kept struct {
	*Keeping
	file  *checkpoint.File
	about string
	table *proofnumber.Table
	stop  func() // ends the saving at intervals
}

// keep has a table, which is empty, take up what is saved of it, and saves it at intervals. Where the file is
// damaged, what came of it is of no use: keep gives the table that renew makes in its place. What can't be
// saved or read keeps nobody from searching: it is told. Errors: those of renew and of the context.
func (s *site[P]) keep(k *Keeping, table *proofnumber.Table, renew func() (*proofnumber.Table, error)) (*kept, *proofnumber.Table, error) {
	if k == nil {
		return nil, table, nil
	}
	set := s.Setting()
	about := fmt.Sprintf("%s on %s, rules %s, tables %s", set.Game, set.Board, set.Rules, s.Tables())
	file, err := checkpoint.OpenOwn(k.Folder, fmt.Sprintf("%016x.search", xxh3.HashString(about)))
	if err != nil {
		k.told(err)
		k.Notice(err.Error())
		return nil, table, nil
	}
	preserve := func() {
		file.Preserve(func(path string) { k.Notice(prover.KeptNotice(file.Path(), path)) })
	}
	_, err = table.Load(k.Context, file, about)
	switch {
	case k.Context.Err() != nil:
		err = k.Context.Err()
	case err == nil && table.Cramped():
		fit := table.Fit()
		k.Notice(prover.UnfitNotice(file.Path(), fit, 2*fit.Bytes+s.shelf.Bytes()))
		preserve()
	case err == nil, errors.Is(err, fs.ErrNotExist):
		err = nil
	default:
		k.Notice(fmt.Sprintf("the search goes on without what its table held: %v", err))
		preserve()
		table.Close()
		table, err = renew()
	}
	if err != nil {
		file.Close()
		return nil, table, err
	}
	at := &kept{Keeping: k, file: file, about: about, table: table}
	at.stop = checkpoint.Every(context.Background(), k.Every, at.save, func(err error) { k.Notice(prover.UnsavedNotice(err)) })
	return at, table, nil
}

// save saves the table.
func (k *kept) save(ctx context.Context) error {
	err := k.table.Save(ctx, k.file, checkpoint.Header{About: k.about})
	k.told(err)
	return err
}

// close saves the table, unless that is of no use any more. No search uses it.
func (k *kept) close() {
	if k == nil {
		return
	}
	k.stop()
	if k.wanted() {
		if err := k.save(context.Background()); err != nil {
			k.Notice(err.Error())
		}
	}
	k.file.Close()
}
