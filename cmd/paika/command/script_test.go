package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets scripts run this test binary as paika.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"paika": func() {
			ctx, _ := Signals(context.Background(), AtOnce)
			os.Exit(Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs whole command lines. Scripts know, beside what testscript
// brings, the commands
//
//	status N program [args]   run a program that must exit with N
//	damage folder             change a byte in the largest file of a folder
//	flip file [place]         change the byte at a place of a file, or in its middle
//
// and the condition [root], under which any folder can be written to.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": scriptStatus,
			"damage": scriptDamage,
			"flip":   scriptFlip,
		},
		Condition: func(name string) (bool, error) {
			if name == "root" {
				return os.Geteuid() == 0, nil
			}
			return false, errors.New("unknown condition " + name)
		},
	})
}

func scriptStatus(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: status N program [args]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var exit *exec.ExitError
	got := 0
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func scriptDamage(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: damage folder")
	}
	files, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*.sst"))
	ts.Check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		ts.Check(err)
		text[len(text)/2] ^= 0xff
		ts.Check(os.WriteFile(file, text, 0o666))
	}
	if len(files) == 0 {
		ts.Fatalf("%s holds nothing to damage", args[0])
	}
}

func scriptFlip(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) != 1 && len(args) != 2 {
		ts.Fatalf("usage: flip file [place]")
	}
	file := ts.MkAbs(args[0])
	text, err := os.ReadFile(file)
	ts.Check(err)
	place := len(text) / 2
	if len(args) == 2 {
		place, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	text[place] ^= 0xff
	ts.Check(os.WriteFile(file, text, 0o666))
}
