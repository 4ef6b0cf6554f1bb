package proofnumber

// SayAll has an exchange say every entry, whatever work is behind it.
func (x *Exchange) SayAll() {
	x.floor = 1
	x.least.Store(1)
}

// Others is how many exchanges were heard of lately.
func (x *Exchange) Others() int {
	x.mutex.Lock()
	defer x.mutex.Unlock()
	return len(x.others)
}

// Around is how many workers of others it counts, on all nodes together.
func (x *Exchange) Around() (all int32) {
	for i := range x.around {
		all += x.around[i].Load()
	}
	return all
}

// Tell has an exchange know of an undecided node that has cost so much work.
func (x *Exchange) Tell(key uint64, effort uint32) { x.tell(key, record{}, record{1, 1, effort}) }
