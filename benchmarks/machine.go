package benchmarks

import (
	"bufio"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
)

// Machine is what a program ran on.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	OS    string `json:"os"`
	Arch  string `json:"arch"`
}

// Program is what was measured. Commit is empty where the build does not know it,
// as with `go run`; Modified tells that files had been changed since.
type Program struct {
	Go       string `json:"go"`
	GOAMD64  string `json:"goamd64,omitempty"`
	PGO      bool   `json:"pgo"` // built with a profile
	Commit   string `json:"commit"`
	Modified bool   `json:"modified"`
}

func thisMachine() Machine {
	return Machine{CPU: cpuName(), Cores: runtime.NumCPU(), OS: runtime.GOOS, Arch: runtime.GOARCH}
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
		if strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

func thisProgram() Program {
	p := Program{Go: runtime.Version()}
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
