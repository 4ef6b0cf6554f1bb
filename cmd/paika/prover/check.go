package prover

import "paika/proofs"

// ProveBytes is what a search for a proof takes at the least beside its tables, in bytes.
const ProveBytes = 64 << 20

// fewBytes are for positions where a check has no more.
const fewBytes = 16 << 20

// CheckBytes is what a check by so many workers takes at the least beside its tables, in
// bytes.
func CheckBytes(workers int) uint64 { return proofs.Beside(workers) + fewBytes }

// CheckOptions are those of a check that takes at most that memory, in bytes, tables left
// out, or CheckBytes if that is more.
func CheckOptions(workers int, memory uint64) proofs.Options {
	return proofs.Options{Workers: workers, Memory: max(memory, CheckBytes(workers)) - proofs.Beside(workers)}
}

// NewChain makes a chain of checks, of certificates about the subject, that rely on the
// tables of a shelf. It takes at most that memory, in bytes, shelf included, or
// CheckBytes beside the shelf if that is more. watch, if not nil, is told how each check goes.
func NewChain[P comparable](of Subject[P], shelf *Shelf[P], workers int, memory uint64, watch func(Work)) *proofs.Chain[P] {
	o := CheckOptions(workers, memory-min(memory, shelf.Bytes()))
	if watch == nil {
		return proofs.NewChain(proofs.Setting(of.Identity), of.Game, shelf, o, nil)
	}
	return proofs.NewChain(proofs.Setting(of.Identity), of.Game, shelf, o, func(name string, done, total int64) {
		watch(Work{"checking " + name, "byte", uint64(done), uint64(total)})
	})
}
