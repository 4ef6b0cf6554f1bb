package proofnumber

import "paika/bitboard"

// symmetryOf is what a search folds by: the symmetries of a game that has any,
// unless lemmas stand in the way.
func symmetryOf[P comparable](rules bitboard.Rules[P], lemmas []Lemma[P]) bitboard.Symmetric[P] {
	symmetry, has := rules.(bitboard.Symmetric[P])
	if !has || len(lemmas) > 0 {
		return nil
	}
	return symmetry
}

// fold is the position that stands for p and its images.
func (s *Search[P]) fold(p P) P {
	if s.symmetry == nil {
		return p
	}
	return s.symmetry.Representative(p)
}

// key of a node, the same for all its images.
func (s *Search[P]) key(p *P, attacker bool) uint64 {
	if s.symmetry == nil {
		return s.hasher.key(p, attacker)
	}
	r := s.symmetry.Representative(*p)
	return s.hasher.key(&r, attacker)
}
