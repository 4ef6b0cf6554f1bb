package hub

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/nats-io/nats.go"

	"paika/bitboard"
	"paika/cmd/paika/hub/tables"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
	"paika/proofs"
	"paika/tablebase"
	"paika/tablebase/verify"
)

// filesOffer is the files of tables that a hub offers. Nil where nobody can fetch any.
type filesOffer struct {
	server *tables.Server
	host   string // where they are to be fetched, empty for where NATS is

	unneeded chan struct{} // there may be some that no job needs any more

	mutex  sync.Mutex
	making map[string]making // by name
}

// making is a file that is being made, or was in vain.
type making struct {
	waits string // why it waits, if it does
	err   error  // why it failed
}

// offerFiles listens for those who fetch files, at the port behind that of NATS or at any
// that is free.
func (h *Hub) offerFiles() (*filesOffer, error) {
	if h.options.Address == "" {
		return nil, nil
	}
	keyed := h.keys().There()
	host, port, err := listenAddress(h.options.Address, keyed)
	if err != nil {
		return nil, err
	}
	var encrypt *tls.Config
	if keyed {
		if encrypt, err = h.keys().ServerTLS(); err != nil {
			return nil, err
		}
	}
	want := 0
	if port > 0 && port < 65535 {
		want = port + 1
	}
	s, err := tables.Listen(h.path(tablesFolder), host, want, encrypt)
	if err != nil {
		return nil, err
	}
	if want != 0 && s.Port() != want {
		h.options.Notice(fmt.Sprintf("port %d is taken: tables are offered at port %d", want, s.Port()))
	}
	f := &filesOffer{server: s, unneeded: make(chan struct{}, 1), making: make(map[string]making)}
	if h.options.NATS != "" {
		f.host = host
	}
	return f, nil
}

func (f *filesOffer) close() {
	if f != nil {
		f.server.Close()
	}
}

// begin tells whether a file is to be made by the caller. It isn't while somebody else
// makes it. An error says why the last attempt failed, once: the next call begins anew.
func (f *filesOffer) begin(name string) (mine bool, at making) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	at, busy := f.making[name]
	switch {
	case !busy:
		f.making[name] = making{}
	case at.err != nil:
		delete(f.making, name)
	}
	return !busy, at
}

// wait notes why a file that is being made waits.
func (f *filesOffer) wait(name, why string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.making[name] = making{waits: why}
}

// end notes that a file was made, or why not.
func (f *filesOffer) end(name string, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if delete(f.making, name); err != nil {
		f.making[name] = making{err: err}
	}
}

// onTables tells a worker which tables there are, or how to fetch one.
func (h *Hub) onTables(key holder, m *nats.Msg) {
	var asked wire.TablesAsk
	if err := json.Unmarshal(m.Data, &asked); err != nil {
		answer(m, wire.Refusal{Error: "no question about tables"})
		return
	}
	from, leave := h.borrow(asked.Tables)
	if from == nil {
		answer(m, wire.TablesOffer{})
		return
	}
	defer leave()
	h.mutex.Lock()
	named := from.needed()
	h.mutex.Unlock()
	switch {
	case asked.File == nil:
		answer(m, wire.TablesOffer{Offered: true, Tables: named})
	case !slices.Contains(named, *asked.File):
		answer(m, wire.TablesOffer{})
	default:
		answer(m, h.offer(key, asked.Tables, from.file(*asked.File), *asked.File))
	}
}

// borrow gives a question that is at work with tables of a fingerprint, which stay there
// for as long as the caller is at it; nil if there is none.
func (h *Hub) borrow(fingerprint string) (of pursuit, leave func()) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	for _, q := range h.open {
		if q.stage == wire.Searching && q.fingerprint() == fingerprint {
			checks := &q.checks
			checks.Add(1)
			return q.pursuit, checks.Done
		}
	}
	return nil, nil
}

// loader loads tables of a question that is at work in this process.
func (h *Hub) loader(fingerprint string) verify.Loader {
	return func(ctx context.Context, t verify.Table, into *bitboard.Table) error {
		from, leave := h.borrow(fingerprint)
		if from == nil {
			return wire.ErrNotOffered
		}
		defer leave()
		return from.load(ctx, wire.LentTable(t), into)
	}
}

// offer gives whoever has a key a ticket for the file of a table, or has it made.
func (h *Hub) offer(key holder, fingerprint, name string, t proofs.Table) wire.TablesOffer {
	if h.files == nil {
		return wire.TablesOffer{Refusal: wire.Refusal{Error: "the hub sends no files"}}
	}
	if ticket, made := h.files.server.Ticket(name); made {
		ticket.Host = h.files.host
		return wire.TablesOffer{Offered: true, Ticket: &ticket}
	}
	mine, at := h.files.begin(name)
	if at.err != nil {
		return wire.TablesOffer{Refusal: wire.Refusal{Error: at.err.Error()}}
	}
	if mine {
		h.spawn(func() { h.makeFile(key, fingerprint, name, t) })
	}
	return wire.TablesOffer{Offered: true, Waits: at.waits}
}

// makeFile writes the file of a table, for whoever has a key. Where that has to wait, whoever fetches it is
// told why.
func (h *Hub) makeFile(key holder, fingerprint, name string, t proofs.Table) {
	from, leave := h.borrow(fingerprint)
	if from == nil { // the question is over
		h.files.end(name, nil)
		return
	}
	defer leave()
	err := h.files.server.Make(name, func(out io.Writer) error { return from.export(h.context, t, out) })
	h.noteTables(fingerprint, err)
	switch {
	case errors.Is(err, wire.ErrNotOffered): // it is gone meanwhile
		err = nil
	case diskFull(err): // whoever waits for it asks again
		h.noticeOf(key, "table %s waits for room: %v", t.Slice, err)
		h.files.wait(name, whyFull(err))
		err = progress.Wait(h.context, h.options.Lease/fullPauses)
	case errors.Is(err, tablebase.ErrLocked): // likewise
		h.noticeOf(key, "table %s waits for another process: %v", t.Slice, err)
		h.files.wait(name, err.Error())
		err = progress.Wait(h.context, h.options.Lease/fullPauses)
	case err != nil && h.context.Err() == nil:
		h.noticeOf(key, "table %s can't be offered: %v", t.Slice, err)
	}
	h.files.end(name, err)
	h.mayTidy()
}

// tidier removes files that no job needs any more, once there may be some.
func (h *Hub) tidier() {
	for {
		select {
		case <-h.context.Done():
			return
		case <-h.files.unneeded:
			h.dropFiles()
		}
	}
}

// mayTidy says that there may be files that no job needs any more.
func (h *Hub) mayTidy() {
	if h.files != nil {
		signal(h.files.unneeded)
	}
}

// dropFiles removes the files of tables that no job needs any more. Questions may have tables of the
// same name: all that are at work are asked. Where one comes meanwhile that needs a file, it is made again.
func (h *Hub) dropFiles() {
	if h.files == nil || h.files.server.Empty() {
		return
	}
	needed := make(map[string]bool)
	for of, named := range h.lent() {
		for _, t := range named {
			needed[of.file(t)] = true
		}
	}
	h.files.server.Keep(func(name string) bool { return needed[name] })
}

// lent names the tables that jobs may still need, of each question that is at work.
func (h *Hub) lent() map[lender][]proofs.Table {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	lent := make(map[lender][]proofs.Table)
	for _, q := range h.open {
		if q.stage == wire.Searching {
			lent[q.pursuit] = q.needed()
		}
	}
	return lent
}
