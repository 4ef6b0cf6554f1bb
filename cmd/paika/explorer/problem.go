package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"paika/bitboard"
	"paika/bitboard/catalogue"
	"paika/tablebase"
)

// problem is an error as it is sent: the problem details of RFC 9457, with what
// programs need beside the text.
type problem struct {
	Type      string `json:"type"`
	Title     string `json:"title"`
	Status    int    `json:"status"`
	Detail    string `json:"detail"`
	Code      string `json:"code"`                // what kind it is; stays the same
	Parameter string `json:"parameter,omitempty"` // that is wrong
	Column    int    `json:"column,omitempty"`    // in the text of the position or turn, from 1
	Slice     string `json:"slice,omitempty"`     // that is not stored
	Build     string `json:"build,omitempty"`     // the command that builds what is missing
}

// Codes of problems.
const (
	codeParameter  = "parameter"      // one is missing or cannot be read
	codePosition   = "position"       // the text of a position is wrong
	codeTurn       = "turn"           // a turn is illegal or its text wrong
	codeNotStored  = "not-stored"     // no table has it; build tells how to make one
	codeOutOfReach = "out-of-reach"   // no table can have it
	codeTooMany    = "too-many-turns" // the positions have more turns than are listed
	codeLimit      = "limit"          // the request is larger than allowed
	codeBusy       = "busy"           // try again
	codeTime       = "time"           // the answer took longer than allowed
	codeNotFound   = "not-found"      // no such page, game, slice or longest win
	codeMethod     = "method"
	codeMedia      = "media-type"
	codeOrigin     = "origin"  // searches are for the server's own page
	codeHost       = "host"    // the request is for another server
	codeStopped    = "stopped" // the server is going away
	codeInternal   = "internal"
)

// refusal is an error that says itself how it is to be sent.
type refusal struct {
	status          int
	code, parameter string
	detail          string
}

func (e *refusal) Error() string { return e.detail }

func refuse(status int, code, parameter, format string, args ...any) error {
	return &refusal{status, code, parameter, fmt.Sprintf(format, args...)}
}

// errBusy says that all places are taken.
var errBusy = &refusal{http.StatusServiceUnavailable, codeBusy, "", "all places are taken: try again in a moment"}

// errStopped says that the server ended the work.
var errStopped = &refusal{http.StatusServiceUnavailable, codeStopped, "", "the server is stopping"}

// longestDetail bounds the text of a problem, in bytes.
const longestDetail = 500

// explain makes an error of a request about a board a problem. Only what
// concerns the request is told; the rest is for the log.
func (s *Server) explain(err error, v *view, parameter string) problem {
	var (
		refused *refusal
		syntax  *bitboard.SyntaxError
		start   *catalogue.StartError
		turn    *catalogue.TurnError
		slice   *catalogue.SliceNameError
		missing *tablebase.MissingError
	)
	if errors.Is(err, context.Canceled) && s.stopping.Err() != nil {
		err = errStopped
	}
	p := problem{Detail: cut(err.Error(), longestDetail), Parameter: parameter}
	set := func(status int, code string) { p.Status, p.Code = status, code }
	switch {
	case errors.As(err, &refused):
		set(refused.status, refused.code)
		p.Parameter = refused.parameter
	case errors.As(err, &turn):
		set(http.StatusUnprocessableEntity, codeTurn)
		p.Parameter = "turn"
		if errors.As(err, &syntax) {
			p.Status, p.Column = http.StatusBadRequest, syntax.Offset+1
		}
	case errors.As(err, &syntax):
		set(http.StatusBadRequest, codePosition)
		p.Column = syntax.Offset + 1
	case errors.As(err, &start):
		set(http.StatusBadRequest, codePosition)
	case errors.As(err, &slice):
		set(http.StatusNotFound, codeNotFound)
		p.Parameter = "slice"
	case errors.As(err, &missing):
		set(http.StatusNotFound, codeNotStored)
		p.Slice, p.Build = missing.Slice, s.config.Build(v.instance, "--slices", missing.Slice)
	case errors.Is(err, tablebase.ErrNoStore):
		set(http.StatusNotFound, codeNotStored)
		p.Detail, p.Parameter = "no tables of this board are served", ""
		p.Build = s.config.Build(v.instance)
	case errors.Is(err, catalogue.ErrOutOfReach):
		set(http.StatusNotFound, codeOutOfReach)
	case errors.Is(err, catalogue.ErrNoLongest):
		set(http.StatusNotFound, codeNotFound)
		p.Parameter = "slice"
	case errors.Is(err, catalogue.ErrTooManyTurns):
		set(http.StatusUnprocessableEntity, codeTooMany)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		set(http.StatusServiceUnavailable, codeTime)
		p.Detail, p.Parameter = fmt.Sprintf("no answer within %v", s.limits.Time), ""
	default:
		set(http.StatusInternalServerError, codeInternal)
		p.Detail, p.Parameter = "the answer could not be worked out; the server's log says why", ""
		s.log.Error("no answer", "error", err)
	}
	p.Type, p.Title = "about:blank", http.StatusText(p.Status)
	return p
}

// fail sends an error.
func (s *Server) fail(w http.ResponseWriter, err error, v *view, parameter string) {
	p := s.explain(err, v, parameter)
	body, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	header := w.Header()
	header.Set("Content-Type", "application/problem+json")
	header.Set("Cache-Control", "no-store")
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}
