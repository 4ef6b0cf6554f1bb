package proofnumber

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
)

// An Exchange lets searches of the same question in several processes, or over several
// tables, take part in what each of them finds out. It belongs to a table. What it says is
// for the exchanges of the others, and comes to them late or never: nothing depends on that
// but time. Its methods are safe for concurrent use, while searches go on.
//
// What others say is hearsay, and never trusted more than a table that was loaded: see
// Table.Load. A search that finds it wrong empties the table, and hears who said it no more, if
// that can be told. Else, and the second time, it hears nobody any more.
type Exchange struct {
	name   uint64
	table  *Table
	least  atomic.Uint32 // work behind an entry that is said
	floor  uint32        // what that never falls below
	most   int           // entries at a time
	passed int           // entries that come to others at a time, from all
	around counters      // on which nodes the workers of others are

	mutex  sync.Mutex
	closed bool
	deaf   bool
	liar   uint64   // the name of the one that is not heard; 0 for none
	told   []saying // what is said to be solved, by key; made when it is needed
	found  []uint64 // keys and data, to be said
	lanes  map[*lane]struct{}
	others map[uint64]*other
}

// other is what was last heard of another exchange.
type other struct {
	keys []uint64 // of nodes that its workers are on
	idle int      // how often this one has spoken since then
}

// lane is where a worker is: keys of nodes on its path that have cost some work, by ply.
type lane [lanePlies]atomic.Uint64

const (
	lanePlies = 64

	leastSaid = 4 // no entry with less work behind it is worth a word
	mostKeys  = 1 << 13
	mostOther = 1 << 8
	forgetful = 200 // words of one's own until one who is silent is no longer counted with

	exchangeHead = 12 // bytes of a name and of the number of keys
)

// NewExchange makes one of a table, with a name that no other has, and that is not 0. Most
// bounds the entries that it says at a time. Passed bounds those that come to others, if all
// exchanges do the same: each of n sends n-1 others what it says, so that it says the less, the
// more there are. How much work an entry must have cost to be said follows from that: it grows
// as long as there are more.
func NewExchange(table *Table, name uint64, most, passed int) *Exchange {
	x := &Exchange{name: name, table: table, floor: leastSaid, most: max(1, most), passed: passed, lanes: make(map[*lane]struct{}), others: make(map[uint64]*other)}
	x.least.Store(x.floor)
	return x
}

// Say appends to dst what was found out since it was last called, and where workers are: at
// most 16 bytes an entry, 64 KiB for workers, and 12. It is to be called at regular intervals,
// of less than a second: who is silent for 200 of them is forgotten.
func (x *Exchange) Say(dst []byte) []byte {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	x.forget()
	dst = binary.LittleEndian.AppendUint64(dst, x.name)
	at := len(dst)
	dst = binary.LittleEndian.AppendUint32(dst, 0)
	keys := uint32(0)
	for l := range x.lanes {
		for i := range l {
			if key := l[i].Load(); key != 0 && keys < mostKeys {
				dst = binary.LittleEndian.AppendUint64(dst, key)
				keys++
			}
		}
	}
	binary.LittleEndian.PutUint32(dst[at:], keys)
	for _, word := range x.found {
		dst = binary.LittleEndian.AppendUint64(dst, word)
	}
	x.adapt(len(x.found) / 2)
	x.found = x.found[:0]
	return dst
}

// share is how many entries may be said at a time. The mutex is held.
func (x *Exchange) share() int {
	others := max(1, len(x.others))
	return min(x.most, max(1, x.passed/(others*(others+1))))
}

// adapt has as many entries said as may be, by how many there were. Where hardly any may be,
// none are too few.
func (x *Exchange) adapt(said int) {
	share := x.share()
	switch least := x.least.Load(); {
	case said >= share:
		x.least.Store(min(2*least, mostEffort/2))
	case said < max(1, share/4):
		x.least.Store(max(least/2, x.floor))
	}
}

// forget counts no longer with those who are silent.
func (x *Exchange) forget() {
	for name, o := range x.others {
		if o.idle++; o.idle > forgetful {
			x.move(o, nil)
			delete(x.others, name)
		}
	}
}

// move notes where the workers of another are now.
func (x *Exchange) move(o *other, keys []uint64) {
	for _, key := range o.keys {
		x.around.at(key).Add(-1)
	}
	for _, key := range keys {
		x.around.at(key).Add(1)
	}
	o.keys = keys
}

// ErrHearsay says that what was heard is nothing that an Exchange says.
var ErrHearsay = errors.New("no word of an exchange")

// Hear takes up what another exchange of the same question has said. Of one's own words it
// makes nothing. Errors wrap ErrHearsay; then nothing was taken up.
func (x *Exchange) Hear(said []byte) error {
	name, keys, entries, err := heard(said)
	if err != nil || name == x.name {
		return err
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.deaf || x.closed || name == x.liar {
		return nil
	}
	o := x.others[name]
	if o == nil {
		if len(x.others) >= mostOther {
			return nil
		}
		o = new(other)
		x.others[name] = o
	}
	o.idle = 0
	x.move(o, keys)
	x.table.layout.RLock()
	defer x.table.layout.RUnlock()
	for i := 0; i < len(entries); i += 2 {
		key, r := entries[i], unpack(entries[i+1])
		if x.table.hear(key, r) && r.solved() {
			x.note(saying{key, name, r.effort})
		}
	}
	return nil
}

// heard reads what an exchange has said.
func heard(said []byte) (name uint64, keys, entries []uint64, err error) {
	wrong := func(format string, args ...any) (uint64, []uint64, []uint64, error) {
		return 0, nil, nil, fmt.Errorf("%w: %s", ErrHearsay, fmt.Sprintf(format, args...))
	}
	if len(said) < exchangeHead {
		return wrong("%d bytes", len(said))
	}
	name, many := binary.LittleEndian.Uint64(said), binary.LittleEndian.Uint32(said[8:])
	body := said[exchangeHead:]
	if many > mostKeys || uint64(len(body)) < 8*uint64(many) || (len(body)-8*int(many))%16 != 0 {
		return wrong("%d bytes with %d nodes", len(said), many)
	}
	words := make([]uint64, len(body)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(body[8*i:])
	}
	keys, entries = words[:many:many], words[many:]
	for i := 1; i < len(entries); i += 2 {
		if r := unpack(entries[i]); !r.sound() {
			return wrong("numbers %d and %d", r.phi, r.delta)
		}
	}
	return name, keys, entries, nil
}

// tell notes an entry that is to be said: one that has cost so much work again since it was
// last told of, or one that has and is solved now. Nil tells nothing.
func (x *Exchange) tell(key uint64, old, now record) {
	if x == nil {
		return
	}
	least := x.least.Load()
	if now.effort < least || old == now || !now.solved() && old.effort/least == now.effort/least {
		return
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if len(x.found) < 2*x.share() {
		x.found = append(x.found, key, now.pack())
	}
}

// join makes room to tell where a worker is. Nil has none.
func (x *Exchange) join() *lane {
	if x == nil {
		return nil
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	l := new(lane)
	x.lanes[l] = struct{}{}
	return l
}

// at tells that a worker is on a node of its path, or on none any more. A node that has cost
// little is not worth it.
func (x *Exchange) at(l *lane, ply int, key uint64) {
	if x == nil || l == nil || ply >= lanePlies {
		return
	}
	if r, _ := x.table.find(key); r.effort < x.least.Load() {
		key = 0
	}
	l[ply].Store(key)
}

// left tells that a worker has left the node of a ply.
func (x *Exchange) left(l *lane, ply int) {
	if l != nil && ply < lanePlies {
		l[ply].Store(0)
	}
}

// leave takes the room of a worker back that join made.
func (x *Exchange) leave(l *lane) {
	if x == nil {
		return
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	delete(x.lanes, l)
}

// saying is of whom it was taken up that a node is solved, and with how much work behind it.
type saying struct {
	key, name uint64
	effort    uint32
}

// mostSayings is how many are kept in mind: of those that share a place, one with the most work,
// since little follows from the others.
const mostSayings = 1 << 15

// note keeps in mind who said something. The mutex is held.
func (x *Exchange) note(s saying) {
	if x.told == nil {
		x.told = make([]saying, mostSayings)
	}
	if place := &x.told[mulHigh(s.key, mostSayings)]; place.key == s.key || place.effort <= s.effort {
		*place = s
	}
}

// sayer is of whom it was taken up that a node is solved; 0 if of nobody, as far as is known.
// Nil knows nothing.
func (x *Exchange) sayer(key uint64) (name uint64) {
	if x == nil {
		return 0
	}
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.told == nil {
		return 0
	}
	if s := x.told[mulHigh(key, mostSayings)]; s.key == key {
		return s.name
	}
	return 0
}

// hearOthers has all heard again but one, who was wrong, unless there is another such already.
func (x *Exchange) hearOthers(liar uint64) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	if x.liar == 0 {
		x.liar, x.deaf, x.told = liar, false, nil
	}
}

// Close has it hear nothing any more, so that the table can be closed. Nil is closed.
func (x *Exchange) Close() {
	if x != nil {
		x.hush(&x.closed)
	}
}

// deafen has it hear nothing, since what was heard turned out wrong. Nil hears nothing.
func (x *Exchange) deafen() {
	if x != nil {
		x.hush(&x.deaf)
	}
}

// hush notes why nothing is heard, and counts no longer with any other.
func (x *Exchange) hush(why *bool) {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	*why = true
	for name, o := range x.others {
		x.move(o, nil)
		delete(x.others, name)
	}
}

// workers is how many workers elsewhere are on a node.
func (x *Exchange) workers(key uint64) int32 {
	if x == nil {
		return 0
	}
	return x.around.at(key).Load()
}
