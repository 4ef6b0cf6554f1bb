package bench

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"paika/benchmarks"
)

func thisMachine() benchmarks.Machine {
	return benchmarks.Machine{CPU: cpuName(), Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH}
}

// cpuName is the processor's name where the system tells it in the way of Linux.
func cpuName() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return "unknown"
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, _ := strings.Cut(lines.Text(), ":")
		if name := strings.TrimSpace(value); strings.TrimSpace(key) == "model name" && !benchmarks.Unprintable(name) {
			return name
		}
	}
	return "unknown"
}

// ThisProgram is what runs, as far as the build tells.
func ThisProgram() benchmarks.Program {
	p := benchmarks.Program{Go: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return p
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "GOAMD64":
			p.GOAMD64 = s.Value
		case "-pgo":
			p.PGO = s.Value != ""
		case "vcs.revision":
			p.Commit = s.Value
		case "vcs.modified":
			p.Modified = s.Value == "true"
		}
	}
	return p
}
