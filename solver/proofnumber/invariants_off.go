//go:build !invariants

package proofnumber

func checkRecord(record)           {}
func (t *Table) checkPlaces()      {}
func (s *nodeSet[P]) checkSlots()  {}
func (s *settler[P]) checkClosed() {}
