package proofs

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
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

// mostFindings is how many faults are reported one by one.
const mostFindings = 100

// faults keeps the first findings by record, and counts all.
type faults struct {
	mutex sync.Mutex
	count uint64
	first []Finding
}

func (f *faults) add(finding Finding) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.count++
	if f.first = append(f.first, finding); len(f.first) == 2*mostFindings {
		f.first = f.list()
	}
}

// list gives the findings in the order of records.
func (f *faults) list() []Finding {
	slices.SortFunc(f.first, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Record, b.Record), cmp.Compare(a.Reason, b.Reason))
	})
	return f.first[:min(len(f.first), mostFindings)]
}
