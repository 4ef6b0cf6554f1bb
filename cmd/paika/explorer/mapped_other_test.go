//go:build !unix

package explorer

import "testing"

// cutShort stands in for a fault in mapped memory: it reads where nothing is.
func cutShort(testing.TB) byte {
	var nothing *byte
	return *nothing
}
