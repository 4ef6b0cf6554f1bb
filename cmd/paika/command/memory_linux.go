package command

import (
	"bufio"
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"
)

// freeMemory is the number of bytes that this process could take without
// swapping: what the kernel calls available, and no more than what the
// control groups around the process leave.
func freeMemory() uint64 {
	free := uint64(unknownFreeMemory)
	if meminfo, err := os.ReadFile("/proc/meminfo"); err == nil {
		if kib, found := field(meminfo, "MemAvailable:"); found {
			free = kib << 10
		}
	}
	group, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return free
	}
	return min(free, groupMemory("/sys/fs/cgroup", groupPath(group)))
}

// groupPath finds the process's own group in /proc/self/cgroup (version 2 of
// control groups, whose line starts with "0::").
func groupPath(cgroup []byte) string {
	for line := range strings.Lines(string(cgroup)) {
		if p, found := strings.CutPrefix(line, "0::"); found {
			return path.Clean("/" + strings.TrimSpace(p))
		}
	}
	return "/"
}

// groupMemory is what a group and those around it leave free of their limits.
// Pages of files that the kernel can drop count as free.
func groupMemory(root, group string) uint64 {
	free := ^uint64(0)
	for {
		dir := path.Join(root, group)
		limit, limited := number(path.Join(dir, "memory.max"))
		used, _ := number(path.Join(dir, "memory.current"))
		if limited {
			stat, _ := os.ReadFile(path.Join(dir, "memory.stat"))
			droppable, _ := field(stat, "inactive_file")
			used -= min(used, droppable)
			free = min(free, limit-min(limit, used))
		}
		if group == "/" {
			return free
		}
		group = path.Dir(group)
	}
}

// number reads a file that holds one number; "max" is none.
func number(file string) (n uint64, found bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseUint(string(bytes.TrimSpace(text)), 10, 64)
	return n, err == nil
}

// field reads the number that follows a name at the start of a line.
func field(text []byte, name string) (n uint64, found bool) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) >= 2 && words[0] == name {
			n, err := strconv.ParseUint(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
