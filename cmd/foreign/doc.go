// Foreign has all that go vet looks for looked for in packages as they are on another
// system, tests included, and fails where they do not compile there:
//
//	go build -o foreign ./cmd/foreign
//	GOOS=windows GOARCH=amd64 CGO_ENABLED=0 ./foreign ./...
//
// go vet compiles for that system what the packages depend on, the standard library
// too. Here all is read from source and no code is generated, which is an eighth of the
// work.
package main
