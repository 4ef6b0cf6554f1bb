package jobs

// Reached counts the vertices that the root leads to, one by one.
func (t *Tree[P]) Reached() int { return t.root.reached() }

func (v *vertex[P]) reached() int {
	count := 1
	for _, c := range v.children {
		count += c.reached()
	}
	return count
}
