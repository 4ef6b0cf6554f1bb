package command

import (
	"fmt"
	"io/fs"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"paika/bitboard"
)

// aCertificate is what the commands want that read one.
const aCertificate = `a certificate, or "-" for standard input`

// anyNumber is the most words of a command that takes as many as there are.
const anyNumber = math.MaxInt

// wants is the check of the words that follow the name of a command where they are not
// a game and a position: there are least to most of them. What is said where there are
// fewer or more is what is wanted, such as "the URL of a hub", and the parameter is its
// name in JSON.
func wants(least, most int, parameter, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			return misuse(parameter, "%s: want %s", cmd.Name(), what)
		case len(args) > most:
			return misuse("", "%s: unexpected argument %s: want %s", cmd.Name(), bitboard.Quote(args[most]), what)
		}
		return nil
	}
}

// wantsNone is that of a command that takes flags alone.
func wantsNone() cobra.PositionalArgs { return wants(0, 0, "", "flags alone") }

// wantsFolder is that of a command that writes into a folder. An empty name, such as that of a
// variable that a script has not set, would be the one where it is called.
func wantsFolder() cobra.PositionalArgs {
	one := wants(1, 1, "folder", "the folder to write to")
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && args[0] == "" {
			args = nil
		}
		return one(cmd, args)
	}
}

// namelessError says that the name of a file is empty, such as that of a variable that a script has
// not set. It matches fs.ErrNotExist.
type namelessError struct{ command, what string }

func (e *namelessError) Error() string {
	return fmt.Sprintf("%s: the name of a file is empty: want %s", e.command, e.what)
}

// Is makes the error match fs.ErrNotExist.
func (e *namelessError) Is(target error) bool { return target == fs.ErrNotExist }

// checkNames wants the names of the files that a command reads not to be empty.
func checkNames(cmd *cobra.Command, what string, files ...string) error {
	if slices.Contains(files, "") {
		return &namelessError{cmd.Name(), what}
	}
	return nil
}
