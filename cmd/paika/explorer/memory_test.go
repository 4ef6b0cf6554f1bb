package explorer

import (
	"fmt"
	"math"
	"runtime"
	"testing"
	"time"
)

func TestLimitsFitTheMemory(t *testing.T) {
	limits := DefaultLimits()
	if got := limits.Within(math.MaxUint64, 3); got != limits {
		t.Errorf("with memory without end: %+v", got)
	}
	budget := limits.Memory(3) - 1
	if got := limits.Within(budget, 3); got.Working != limits.Working-1 || got.Memory(3) > budget {
		t.Errorf("with a byte too little: %+v", got)
	}
	if got := limits.Within(0, 3); got.Working != 1 || got.Memory(4) != got.Memory(3)+64<<20 {
		t.Errorf("with no memory: %+v", got)
	}
}

// Clients who ask for much and take nothing do not have answers pile up.
func TestSlowReadersTakeNoMoreMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("works out large answers, which takes long with the race detector")
	}
	inBubble(t, slowReaders)
}

func slowReaders(t *testing.T) {
	limits := DefaultLimits()
	limits.Time = time.Second
	limits.Working, limits.Searches, limits.Connections = 1, 0, 48 // whose answers are more than the bound
	s := onWires(t, newServer(t, limits))
	defer s.stop()
	body := asCommands(t, bulk{repeated("start", 1000)})
	ask := "POST /api/v1/phutball/15x19/positions?detail=turns HTTP/1.1\r\n" + s.host() +
		fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body) // answered with seven megabytes
	before := held()
	for i := range limits.Connections {
		s.connect(t, fmt.Sprintf("127.0.9.%d", 1+i%8), ask)
	}
	var most uint64
	for range 12 {
		time.Sleep(250 * time.Millisecond) // which pass when all wait for each other
		most = max(most, held())
	}
	taken := most - min(most, before)
	if taken > limits.Memory(0) {
		t.Errorf("%d MiB are taken, and %d are reckoned with", taken>>20, limits.Memory(0)>>20)
	}
}

// held is the memory that is in use, in bytes.
func held() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func repeated(text string, n int) (all []string) {
	for range n {
		all = append(all, text)
	}
	return all
}
