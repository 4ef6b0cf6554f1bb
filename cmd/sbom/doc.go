// Sbom lists what a program of Go was built from, its bill of materials, as CycloneDX
// in JSON:
//
//	go run ./cmd/sbom paika > paika.cdx.json
//
// All of it stands in the program itself, where the linker wrote it: the modules with
// their versions and checksums, the release of Go, the commit. So the list is of what is
// in this program, on its system, and not of all that the repository may need for tests
// and tools. The same program gives the same bytes: there is no serial number, and the
// time is that of the commit.
//
// Licences of modules are not told, as the program does not know them.
//
// The exit status is 0, or 1 with a reason where the file is no program of Go.
package main
