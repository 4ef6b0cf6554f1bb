//go:build !unix

package walk

import "io/fs"

// own knows nothing of owners here.
func own(fs.FileInfo) bool { return true }

// shared knows nothing of others than the owner here.
func shared(fs.FileInfo, fs.FileMode) bool { return false }
