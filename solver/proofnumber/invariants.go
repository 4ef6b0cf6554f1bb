//go:build invariants

package proofnumber

import (
	"fmt"
	"slices"
)

// What must hold of tables and sets is looked at where that costs little beside
// the work just done. A search that breaks it panics: nothing that it says
// afterwards could be relied on.

// checkRecord panics on a record that no search comes to.
func checkRecord(r record) {
	if !r.sound() {
		panic(fmt.Sprintf("proofnumber: the numbers %d and %d are stored", r.phi, r.delta))
	}
}

// checkPlaces panics unless every entry of the table lies in its key's bucket.
// No search may use the table meanwhile.
func (t *Table) checkPlaces() {
	for number := range t.buckets.Load() {
		b := t.at(number)
		for i := 0; i < len(b); i += 2 {
			if data := b[i+1]; data != 0 && t.bucket(b[i]^data) != b {
				panic(fmt.Sprintf("proofnumber: entry %d of bucket %d is not of this bucket", i/2, number))
			}
		}
	}
}

// checkSlots panics unless every member of the set that is none for the second
// time is found under its own number, and no slot has any other. No one else may
// use the set meanwhile.
func (s *nodeSet[P]) checkSlots() {
	members := uint64(0)
	for i := range s.len() {
		m := &s.list[i]
		if m.has(vacant) {
			continue
		}
		members++
		if number, found := s.find(&m.position, m.attacker()); !found || number != i {
			panic(fmt.Sprintf("proofnumber: member %d is found as %d: %t", i, number, found))
		}
	}
	filled := uint64(0)
	for _, n := range s.slots[:s.used] {
		if n != 0 {
			filled++
		}
	}
	if filled != members || members > s.room() {
		panic(fmt.Sprintf("proofnumber: %d slots for %d members, with room for %d", filled, members, s.room()))
	}
}

// checkClosed panics on a member that stays and was not looked at, or is the attacker's and has a
// turn to one that was evicted. No one else may use the set meanwhile.
func (s *settler[P]) checkClosed() {
	h := s.hands[0]
	for i := range s.set.len() {
		m := &s.set.list[i]
		if !m.stays() {
			continue
		}
		leaves := func(to P) bool { return s.gone(to, false) }
		if !m.has(lookedAt) || m.attacker() && slices.ContainsFunc(h.turnsOf(m), leaves) {
			panic(fmt.Sprintf("proofnumber: member %d is no part of a closed set", i))
		}
	}
}
