package command

import (
	"context"
	"errors"
	"strings"

	"paika/benchmarks"
	"paika/bitboard/catalogue"
	"paika/solver/proofnumber"
	"paika/solver/retrograde"
)

// Exit statuses.
const (
	done      = 0
	failed    = 1   // a check failed, or a claim is false
	misused   = 2   // wrong usage or input
	undecided = 3   // not decided within the limits
	stopped   = 130 // stopped by Ctrl-C at a checkpoint
)

// errFailed marks an answer that was given in full and is "no".
var errFailed = errors.New("check failed")

// errNoWin is the answer to a question for a win.
var errNoWin = errors.New("there is no win in one")

func exitStatus(err error) int {
	var memory *retrograde.MemoryError
	switch {
	case err == nil:
		return done
	case errors.Is(err, context.Canceled):
		return stopped
	case errors.Is(err, errFailed), errors.Is(err, errNoWin), errors.Is(err, errRefuted), errors.Is(err, benchmarks.ErrWrong):
		return failed
	case errors.As(err, &memory), errors.Is(err, catalogue.ErrMemory), errors.Is(err, catalogue.ErrUndecided), errors.Is(err, proofnumber.ErrTableTooSmall):
		return undecided
	}
	return misused
}

// commandLine is a call of paika that a shell reads back as given.
func commandLine(args ...string) string {
	words := []string{"paika"}
	for _, arg := range args {
		words = append(words, quote(arg))
	}
	return strings.Join(words, " ")
}

// quote puts a word in single quotes where a shell would not take it as it is.
func quote(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./=:,@%+", r)
	}
	if word != "" && strings.TrimFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
