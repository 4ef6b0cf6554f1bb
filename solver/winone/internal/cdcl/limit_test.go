package cdcl

import (
	"runtime"
	"testing"
)

// crowded says that one pigeon more than there are holes has a hole of its own.
func crowded(holes int) *Solver {
	s := New((holes + 1) * holes)
	in := func(pigeon, hole int) int { return pigeon*holes + hole + 1 }
	for p := range holes + 1 {
		var somewhere []int
		for h := range holes {
			somewhere = append(somewhere, in(p, h))
			for q := range p {
				s.Add(-in(p, h), -in(q, h))
			}
		}
		s.Add(somewhere...)
	}
	return s
}

// live is what the heap holds, garbage left out.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestTakesNoMoreMemoryThanAllowed(t *testing.T) {
	const most = 2 << 20
	before := live()
	s := crowded(12)
	s.Limit(most, nil)
	status, all := Unknown, 0
	for status == Unknown && all < 60_000 {
		var met int
		status, met = s.Run(2000)
		all += met
		if taken := live() - before; taken > most*5/4 {
			t.Fatalf("%d bytes after %d conflicts, and %d are allowed", taken, all, most)
		}
	}
	if status != Full && all < 60_000 {
		t.Errorf("status %d after %d conflicts: want it full, or at work", status, all)
	}
	runtime.KeepAlive(s)
}

func TestIsFullWhereTheClausesAloneAreTooMany(t *testing.T) {
	s := crowded(12)
	s.Limit(10_000, nil)
	if status, _ := s.Run(1 << 20); status != Full {
		t.Errorf("status %d, want %d", status, Full)
	}
	s.Limit(1<<30, nil)
	if status, met := s.Run(100); status != Unknown || met != 100 {
		t.Errorf("with more memory: status %d after %d conflicts, want it to go on", status, met)
	}
}

// A bound that is far changes nothing: not the number of conflicts either.
func TestFarLimitsChangeNothing(t *testing.T) {
	a, b := crowded(7), crowded(7)
	b.Limit(1<<30, func() bool { return false })
	statusA, conflictsA := a.Run(1 << 20)
	statusB, conflictsB := b.Run(1 << 20)
	if statusA != Unsatisfiable || statusB != statusA || conflictsA != conflictsB {
		t.Errorf("status %d after %d conflicts, and %d after %d with limits", statusA, conflictsA, statusB, conflictsB)
	}
}

func TestStopsWhenItIsTold(t *testing.T) {
	s := crowded(12)
	asked := 0
	s.Limit(1<<30, func() bool { asked++; return asked == 3 })
	if status, met := s.Run(1 << 30); status != Unknown || met == 1<<30 {
		t.Errorf("status %d after %d conflicts", status, met)
	}
	if status, met := s.Run(10); status != Unknown || met != 10 {
		t.Errorf("status %d after %d conflicts, want it to go on", status, met)
	}
}
