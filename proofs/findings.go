package proofs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Finding is a fault of a certificate.
type Finding struct {
	Record   uint64 // its number in the file, from 1; 0 for the root
	Position string // of the record; "" where the file can't be read
	Reason   string
}

func (f Finding) String() string {
	if f.Position == "" {
		return fmt.Sprintf("record %d: %s", f.Record, f.Reason)
	}
	return fmt.Sprintf("record %d: %s: %s", f.Record, f.Position, f.Reason)
}

const (
	// mostFaults ends a check.
	mostFaults = 1000

	// mostFindings is how many faults are reported one by one.
	mostFindings = 100
)

// faults keeps what was found, each fault once, and of many the first by record.
//
// What it keeps does not depend on the order in which workers find faults: a
// check that ends for too many has looked at all records before the last one that is kept.
type faults struct {
	mutex  sync.Mutex
	found  map[Finding]bool
	enough atomic.Bool // of them are there to end the check
}

func (f *faults) add(finding Finding) {
	finding.Position = strings.Clone(finding.Position) // else it keeps the line of which it is a part
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.found == nil {
		f.found = make(map[Finding]bool)
	}
	f.found[finding] = true
	f.enough.Store(len(f.found) >= mostFaults)
	if len(f.found) < 2*mostFaults {
		return
	}
	for _, late := range f.sorted()[mostFaults:] {
		delete(f.found, late)
	}
}

// count is the number of faults, at most mostFaults.
func (f *faults) count() uint64 {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return uint64(min(len(f.found), mostFaults))
}

// full tells whether so much was found that the check ends.
func (f *faults) full() bool { return f.enough.Load() }

// enoughBefore tells whether nothing is kept any more of what is found from a record on: so
// many faults of records before it are known. Those of earlier ones that are found later only
// push others out.
func (f *faults) enoughBefore(record uint64) bool {
	if !f.full() {
		return false
	}
	f.mutex.Lock()
	defer f.mutex.Unlock()
	before := 0
	for finding := range f.found {
		if finding.Record < record {
			before++
		}
	}
	return before >= mostFaults
}

// sorted gives all that is kept in the order of records.
func (f *faults) sorted() []Finding {
	all := make([]Finding, 0, len(f.found))
	for finding := range f.found {
		all = append(all, finding)
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Record, b.Record), cmp.Compare(a.Reason, b.Reason))
	})
	return all
}

// list gives the findings to report.
func (f *faults) list() []Finding {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	all := f.sorted()
	return all[:min(len(all), mostFindings)]
}
