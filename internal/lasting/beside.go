package lasting

import "path/filepath"

// Beside is the path of what stands beside a folder, under its name and a suffix. Where the
// path of the folder doesn't end in its name, as "." and ".." don't, the folder's own is found
// out: behind these a suffix would name something in the working directory.
func Beside(dir, suffix string) string {
	dir = filepath.Clean(dir)
	if name := filepath.Base(dir); name == "." || name == ".." {
		if whole, err := filepath.Abs(dir); err == nil {
			dir = whole
		}
	}
	return dir + suffix
}
