package hub

import (
	"errors"
	"io"
	"os"
	"sync"
)

// errGone says that a file is not sent to its end.
var errGone = errors.New("the file comes no more")

// growing is a file that is read while it is sent: who reads waits for what has not come. Its methods are safe for
// concurrent use.
type growing struct {
	file  *os.File
	mutex sync.Mutex
	grew  *sync.Cond
	size  int64 // that is written
	whole bool
	gone  bool // no more comes
}

func newGrowing(file *os.File) *growing {
	g := &growing{file: file}
	g.grew = sync.NewCond(&g.mutex)
	return g
}

// set notes what is new of the file, and tells who waits.
func (g *growing) set(note func()) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	note()
	g.grew.Broadcast()
}

func (g *growing) grow(size int64) { g.set(func() { g.size = size }) }
func (g *growing) end()            { g.set(func() { g.whole = true }) }
func (g *growing) stop()           { g.set(func() { g.gone = true }) }

// ReadAt is as proofs.OpenGrowing wants it.
func (g *growing) ReadAt(p []byte, at int64) (int, error) {
	size, err := g.wait(at + int64(len(p)))
	if err != nil {
		return 0, err
	}
	return io.NewSectionReader(g.file, 0, size).ReadAt(p, at)
}

// wait waits until so many bytes are there, or all, and tells how many are.
func (g *growing) wait(want int64) (size int64, err error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for g.size < want && !g.whole && !g.gone {
		g.grew.Wait()
	}
	if g.gone {
		return 0, errGone
	}
	return g.size, nil
}
