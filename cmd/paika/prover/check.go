package prover

import "paika/proofs"

// CheckBytes is what a check takes at the least beside its tables, in bytes, and
// ProveBytes what a search for a proof does.
const (
	CheckBytes = 64 << 20
	ProveBytes = 64 << 20
)

// NewChain makes a chain of checks, of certificates about the subject, that rely on the
// tables of a shelf. It takes at most that memory, in bytes, shelf included. watch, if
// not nil, is told how each check goes.
func NewChain[P comparable](of Subject[P], shelf *Shelf[P], workers int, memory uint64, watch func(Work)) *proofs.Chain[P] {
	taken := shelf.Bytes()
	o := proofs.Options{Workers: workers, Memory: max(memory, taken+CheckBytes) - taken - CheckBytes/2}
	if watch == nil {
		return proofs.NewChain(proofs.Setting(of.Identity), of.Game, shelf, o, nil)
	}
	return proofs.NewChain(proofs.Setting(of.Identity), of.Game, shelf, o, func(name string, done, total int64) {
		watch(Work{"checking " + name, "byte", uint64(done), uint64(total)})
	})
}
