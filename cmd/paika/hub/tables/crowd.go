package tables

import (
	"net/netip"
	"sync"
)

// crowd counts those who are there, in all and of each address. It is safe for concurrent use.
type crowd struct {
	most, ofAddress int

	mutex sync.Mutex
	all   int
	of    map[netip.Prefix]int
}

func newCrowd(most, ofAddress int) *crowd {
	return &crowd{most: most, ofAddress: ofAddress, of: make(map[netip.Prefix]int)}
}

// enter lets one more of an address in, if there is room.
func (c *crowd) enter(address netip.Prefix) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.all >= c.most || c.of[address] >= c.ofAddress {
		return false
	}
	c.all++
	c.of[address]++
	return true
}

// leave is for one who was let in.
func (c *crowd) leave(address netip.Prefix) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.all--
	if c.of[address]--; c.of[address] == 0 {
		delete(c.of, address)
	}
}
