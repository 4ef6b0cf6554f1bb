package complete

import (
	"encoding/binary"
	"iter"
	"sync"
)

// ChoicesFormat is raised when the entries of Choices come to mean something else.
const ChoicesFormat = 1

// Choices are the turns that were chosen, in order: what work that was stopped goes on
// from. They are safe for concurrent use; the zero value has none.
type Choices struct {
	mu   sync.Mutex
	made []byte // a varint each: the number of the turn plus 1, or 0 where there is none
}

// chosenNone is the choice where the game is over.
const chosenNone = 0

// wordBytes is how many bytes of the list an entry has.
const wordBytes = 8

// Bytes is the memory that the choices take.
func (c *Choices) Bytes() uint64 { return uint64(len(c.list())) }

// list is what was chosen so far. It is only ever appended to.
func (c *Choices) list() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// Entries gives the choices as pairs of words, of which the first is not 0: a number of
// bytes, and these.
func (c *Choices) Entries() iter.Seq2[uint64, uint64] {
	return func(yield func(uint64, uint64) bool) {
		for made := c.list(); len(made) > 0; {
			var word [wordBytes]byte
			n := copy(word[:], made)
			if made = made[n:]; !yield(uint64(n), binary.LittleEndian.Uint64(word[:])) {
				return
			}
		}
	}
}

// Restore appends an entry, and tells whether it is one that Entries can have given.
func (c *Choices) Restore(first, second uint64) bool {
	if first == 0 || first > wordBytes {
		return false
	}
	word := binary.LittleEndian.AppendUint64(nil, second)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = append(c.made, word[:first]...)
	return true
}

// add appends a choice.
func (c *Choices) add(choice uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = binary.AppendUvarint(c.made, choice)
}

// replay hands choices out again that were made before.
type replay struct{ left []byte }

// next gives the next choice, if there is one.
func (r *replay) next() (choice uint64, made bool) {
	choice, n := binary.Uvarint(r.left)
	if n <= 0 {
		return 0, false
	}
	r.left = r.left[n:]
	return choice, true
}

// end fails where something is left that is no choice.
func (r *replay) end() error {
	if len(r.left) > 0 {
		return ErrChoices
	}
	return nil
}
