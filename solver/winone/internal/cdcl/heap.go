package cdcl

// heap is a priority queue of variables, those that are to be first before the others and
// of either the most active first. (container/heap cannot tell where a variable is, which
// rise must know.)
type heap struct {
	variables  []int
	places     []int  // by variable: where it is, or -1
	first      []bool // by variable
	activities []float64
}

func newHeap(n int, activities []float64) heap {
	h := heap{places: make([]int, n+1), first: make([]bool, n+1), activities: activities}
	for v := 1; v <= n; v++ {
		h.places[v] = len(h.variables)
		h.variables = append(h.variables, v)
	}
	return h
}

func (h *heap) size() int { return len(h.variables) }

// before tells whether the variable at a place comes before another.
func (h *heap) before(i, j int) bool {
	v, w := h.variables[i], h.variables[j]
	if h.first[v] != h.first[w] {
		return h.first[v]
	}
	return h.activities[v] > h.activities[w]
}

func (h *heap) swap(i, j int) {
	h.variables[i], h.variables[j] = h.variables[j], h.variables[i]
	h.places[h.variables[i]], h.places[h.variables[j]] = i, j
}

func (h *heap) up(i int) {
	for i > 0 && h.before(i, (i-1)/2) {
		h.swap(i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h *heap) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.variables) {
			return
		}
		if child+1 < len(h.variables) && h.before(child+1, child) {
			child++
		}
		if !h.before(child, i) {
			return
		}
		h.swap(i, child)
		i = child
	}
}

// pop takes the first variable out.
func (h *heap) pop() int {
	v := h.variables[0]
	last := len(h.variables) - 1
	h.swap(0, last)
	h.variables = h.variables[:last]
	h.places[v] = -1
	h.down(0)
	return v
}

// push puts a variable in, if it is not there.
func (h *heap) push(v int) {
	if h.places[v] < 0 {
		h.places[v] = len(h.variables)
		h.variables = append(h.variables, v)
		h.up(h.places[v])
	}
}

// rise moves a variable up that has become more active.
func (h *heap) rise(v int) {
	if h.places[v] >= 0 {
		h.up(h.places[v])
	}
}
