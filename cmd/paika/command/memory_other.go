//go:build !linux

package command

// freeMemory is a guess where the system is not asked; --memory says better.
func freeMemory() uint64 { return unknownFreeMemory }
