package command

import (
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// freeMemory is the number of bytes that this process could take without
// swapping.
func freeMemory() uint64 { return freeMemoryBy(procfs.DefaultMountPoint) }

// freeMemoryBy reads it from the folder of the kernel's figures: what the kernel
// calls available, and no more than what the control groups around the process
// leave.
func freeMemoryBy(folder string) uint64 {
	free := uint64(unknownFreeMemory)
	proc, err := procfs.NewFS(folder)
	if err != nil {
		return free
	}
	if info, err := proc.Meminfo(); err == nil && info.MemAvailableBytes != nil {
		free = *info.MemAvailableBytes
	}
	self, err := proc.Self()
	if err != nil {
		return free
	}
	groups, err1 := self.Cgroups()
	mounts, err2 := self.MountInfo()
	if err1 != nil || err2 != nil {
		return free
	}
	for _, group := range groups {
		free = min(free, groupMemory(group, mounts))
	}
	return free
}

// hierarchy is one of the two forms of control groups: how its file system is
// told from others, and the names of its files.
type hierarchy struct {
	system, option         string
	limit, used, droppable string // droppable is a field of memory.stat
}

// hierarchyOf is the form of a group, if that bounds memory.
func hierarchyOf(group procfs.Cgroup) (h hierarchy, bounds bool) {
	switch {
	case group.HierarchyID == 0:
		return hierarchy{system: "cgroup2", limit: "memory.max", used: "memory.current", droppable: "inactive_file"}, true
	case slices.Contains(group.Controllers, "memory"):
		return hierarchy{system: "cgroup", option: "memory", limit: "memory.limit_in_bytes", used: "memory.usage_in_bytes", droppable: "total_inactive_file"}, true
	}
	return hierarchy{}, false
}

// groupMemory is what a group, and those around it that can be seen from here,
// leave free of their limits.
func groupMemory(group procfs.Cgroup, mounts []*procfs.MountInfo) uint64 {
	free := uint64(math.MaxUint64)
	h, bounds := hierarchyOf(group)
	if !bounds {
		return free
	}
	for _, mount := range mounts {
		if !h.isAt(mount) {
			continue
		}
		for inside := insideMount(group.Path, mount.Root); ; inside = path.Dir(inside) {
			free = min(free, h.free(path.Join(mount.MountPoint, inside)))
			if inside == "/" {
				break
			}
		}
	}
	return free
}

func (h hierarchy) isAt(mount *procfs.MountInfo) bool {
	if mount.FSType != h.system {
		return false
	}
	_, found := mount.SuperOptions[h.option]
	return found || h.option == ""
}

// insideMount is the path of a group below a mount point that shows the groups
// from root on: a container may see no more than its own. Of a group outside of
// it only the root can be seen.
func insideMount(group, root string) string {
	inside, found := strings.CutPrefix(path.Clean("/"+group)+"/", strings.TrimSuffix(root, "/")+"/")
	if !found {
		return "/"
	}
	return path.Clean("/" + inside)
}

// free is what a group leaves of its limit. Pages of files that the kernel can
// drop count as free.
func (h hierarchy) free(folder string) uint64 {
	limit, limited := number(path.Join(folder, h.limit))
	if !limited {
		return math.MaxUint64
	}
	used, _ := number(path.Join(folder, h.used))
	used -= min(used, statistic(path.Join(folder, "memory.stat"), h.droppable))
	return limit - min(limit, used)
}

// number reads a file that holds one number; "max" is none.
func number(file string) (n uint64, found bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err = strconv.ParseUint(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// statistic reads the number that follows a name at the start of a line; 0 if
// there is none.
func statistic(file, name string) uint64 {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) == 2 && words[0] == name {
			n, _ := strconv.ParseUint(words[1], 10, 64)
			return n
		}
	}
	return 0
}
