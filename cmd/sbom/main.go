package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "sbom: %v\n", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("want one file, a program of Go")
	}
	info, err := buildinfo.ReadFile(args[0])
	if err != nil {
		return err
	}
	return cyclonedx.NewBOMEncoder(out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(materials(info))
}

// materials lists what went into a build.
func materials(info *debug.BuildInfo) *cyclonedx.BOM {
	program := component(cyclonedx.ComponentTypeApplication, info.Main)
	program.Properties = settings(info.Settings)
	libraries := []cyclonedx.Component{component(cyclonedx.ComponentTypeLibrary, standardLibrary(info.GoVersion))}
	for _, module := range info.Deps {
		if module.Replace != nil {
			module = module.Replace
		}
		libraries = append(libraries, component(cyclonedx.ComponentTypeLibrary, *module))
	}
	var needs []string
	for _, library := range libraries {
		needs = append(needs, library.BOMRef)
	}
	bom := cyclonedx.NewBOM()
	bom.Metadata = &cyclonedx.Metadata{Timestamp: setting(info.Settings, "vcs.time"), Component: &program}
	bom.Components = &libraries
	bom.Dependencies = &[]cyclonedx.Dependency{{Ref: program.BOMRef, Dependencies: &needs}}
	return bom
}

// standardLibrary is the library of a release of Go, as a module.
func standardLibrary(release string) debug.Module {
	return debug.Module{Path: "std", Version: strings.TrimPrefix(release, "go")}
}

// component is one module. Its checksum is that of go.sum, which is none of its files
// alone: it stands among the properties.
func component(kind cyclonedx.ComponentType, m debug.Module) cyclonedx.Component {
	url := "pkg:golang/" + m.Path + "@" + strings.ReplaceAll(m.Version, "+", "%2B")
	c := cyclonedx.Component{BOMRef: url, Type: kind, Name: m.Path, Version: m.Version, PackageURL: url}
	if m.Sum != "" {
		c.Properties = &[]cyclonedx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}

// settings are those of a build that say what it is of and for.
func settings(all []debug.BuildSetting) *[]cyclonedx.Property {
	var told []cyclonedx.Property
	for _, name := range []string{"GOOS", "GOARCH", "GOAMD64", "GOARM64", "CGO_ENABLED", "vcs.revision", "vcs.modified"} {
		if value := setting(all, name); value != "" {
			told = append(told, cyclonedx.Property{Name: "go:" + name, Value: value})
		}
	}
	return &told
}

func setting(all []debug.BuildSetting, name string) string {
	for _, s := range all {
		if s.Key == name {
			return s.Value
		}
	}
	return ""
}
