package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"paika/bitboard"
	"paika/cmd/paika/bench"
	"paika/cmd/paika/catalogue"
	"paika/cmd/paika/hub"
	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/share"
)

// Exit statuses.
const (
	done        = 0
	failed      = 1   // a check failed, or a claim is false
	misused     = 2   // wrong usage or input
	undecided   = 3   // not decided within the limits
	unavailable = 4   // what is needed is missing, locked or damaged
	stopped     = 130 // stopped by a signal at a checkpoint
)

// errFailed marks an answer that was given in full and is "no".
var errFailed = errors.New("check failed")

// errNoWin is the answer to a question for a win.
var errNoWin = errors.New("there is no win in one")

func exitStatus(err error) int {
	var lines *unansweredError
	switch {
	case err == nil:
		return done
	case errors.As(err, &lines):
		return lines.status
	case errors.Is(err, context.Canceled):
		return stopped
	case awayFromHub(err):
		return statusOf(codeByHub(err))
	case errors.Is(err, errFailed), errors.Is(err, errNoWin), errors.Is(err, errRefuted), errors.Is(err, bench.ErrWrong):
		return failed
	}
	return statusOf(catalogue.FaultOf(err).Code)
}

// statusOf is the status of an error that is neither an answer nor a stop.
func statusOf(code catalogue.Code) int {
	switch code {
	case catalogue.CodeUndecided, catalogue.CodeMemory, catalogue.CodeTime:
		return undecided
	case catalogue.CodeNotStored, catalogue.CodeMissing, catalogue.CodeLocked, catalogue.CodeDamaged, catalogue.CodeFile, catalogue.CodeBusy:
		return unavailable
	}
	return misused
}

// awayFromHub tells whether a hub is what is missing, or what it needs itself, or whether it does
// not take this program.
func awayFromHub(err error) bool {
	if errors.Is(err, inspection.ErrMemory) { // it is there, and lacks that
		return false
	}
	for _, away := range []error{link.ErrAway, link.ErrRefused, link.ErrAnswer, client.ErrFailed, client.ErrChanged, share.ErrOther, hub.ErrTaken, hub.ErrCarrier, keys.ErrNone} {
		if errors.Is(err, away) {
			return true
		}
	}
	return false
}

// codesOfHubs are what a hub may say of a question that failed, and means the same here. Others are of what it
// was asked, which this program has looked at, of its own end, or of another version.
var codesOfHubs = []catalogue.Code{
	catalogue.CodeUndecided, catalogue.CodeMemory, catalogue.CodeNotStored, catalogue.CodeMissing, catalogue.CodeLocked,
	catalogue.CodeDamaged, catalogue.CodeFile, catalogue.CodeInternal,
}

// codeByHub is the code of an error where the answer of a hub is what is missing: that which the hub says, if it does.
func codeByHub(err error) catalogue.Code {
	var failed *client.FailedError
	if errors.As(err, &failed) && slices.Contains(codesOfHubs, catalogue.Code(failed.Code)) {
		return catalogue.Code(failed.Code)
	}
	return catalogue.CodeMissing
}

// faultOf is an error as it is printed: what it repeats of the command line is
// shortened.
func faultOf(err error, args []string) catalogue.Fault {
	names := []string{os.Getenv(dataVariable)}
	for _, arg := range args {
		names = append(names, arg[strings.IndexByte(arg, '=')+1:], arg)
	}
	fault := catalogue.FaultOf(err, names...)
	if errors.Is(err, bench.ErrWrong) {
		fault.Code = catalogue.CodeInternal
	}
	if awayFromHub(err) {
		fault.Code = codeByHub(err)
	}
	for _, arg := range args {
		if len(arg) > bitboard.MostEchoed {
			fault.Message = shortened(fault.Message, arg)
			fault.Message = shortened(fault.Message, arg[strings.IndexByte(arg, '=')+1:])
		}
	}
	return fault
}

// shortened is a message in which a long word is shortened, be it as it was given
// or in quotes.
func shortened(message, word string) string {
	quoted := strconv.Quote(word)
	for _, form := range []string{word, quoted[1 : len(quoted)-1]} {
		if len(form) > bitboard.MostEchoed {
			message = strings.ReplaceAll(message, form, bitboard.Shorten(word))
		}
	}
	return message
}

// shownFault is what is printed with --json where there is no answer.
type shownFault struct {
	Error    catalogue.Fault `json:"error"`
	Finished *finishedDepths `json:"finished,omitempty"` // of a count that was stopped
}

// misuse is an error about a flag or an argument, as it is given.
func misuse(parameter, format string, args ...any) error {
	return &catalogue.ParameterError{Parameter: parameter, Err: fmt.Errorf(format, args...)}
}
