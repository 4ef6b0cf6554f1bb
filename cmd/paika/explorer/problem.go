package explorer

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// problem is an error as it is sent: the problem details of RFC 9457, with what
// programs need beside the text.
type problem struct {
	Type      string         `json:"type"`
	Title     string         `json:"title"`
	Status    int            `json:"status"`
	Detail    string         `json:"detail"`
	Code      catalogue.Code `json:"code"`                // what kind it is; stays the same
	Parameter string         `json:"parameter,omitempty"` // that is wrong
	Column    int            `json:"column,omitempty"`    // in the text of the position, turn or record, from 1
	Line      int            `json:"line,omitempty"`      // in the text of the record, from 1
	Slice     string         `json:"slice,omitempty"`     // that is not stored
	Build     string         `json:"build,omitempty"`     // the command that builds what is missing

	BuildCost *buildCost `json:"build_cost,omitempty"` // what that takes
	TooMuch   string     `json:"too_much,omitempty"`   // why no command is offered
	Served    bool       `json:"served,omitempty"`     // tables of the board are served: to build on, stop the server
}

// Codes that only HTTP has, beside those of catalogue.Fault.
const (
	codeMethod catalogue.Code = "method"
	codeMedia  catalogue.Code = "media-type"
	codeOrigin catalogue.Code = "origin" // searches are for the server's own page
	codeHost   catalogue.Code = "host"   // the request is for another server
)

// statusOf is the status for a code that an answer can have because of what was
// asked. All others are the server's fault.
func statusOf(code catalogue.Code) int {
	switch code {
	case catalogue.CodeParameter, catalogue.CodePosition, catalogue.CodeRecord:
		return http.StatusBadRequest
	case codeOrigin:
		return http.StatusForbidden
	case catalogue.CodeNotFound, catalogue.CodeNotStored, catalogue.CodeOutOfReach:
		return http.StatusNotFound
	case codeMethod:
		return http.StatusMethodNotAllowed
	case catalogue.CodeLimit:
		return http.StatusRequestEntityTooLarge
	case codeMedia:
		return http.StatusUnsupportedMediaType
	case codeHost:
		return http.StatusMisdirectedRequest
	case catalogue.CodeTurn, catalogue.CodeTooMany:
		return http.StatusUnprocessableEntity
	case catalogue.CodeBusy, catalogue.CodeTime, catalogue.CodeStopped:
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// refusal is an error of the server itself, which says how it is to be sent.
type refusal struct {
	code      catalogue.Code
	parameter string
	detail    string
}

func (e *refusal) Error() string { return e.detail }

func refuse(code catalogue.Code, parameter, format string, args ...any) error {
	return &refusal{code, parameter, fmt.Sprintf(format, args...)}
}

// errBusy says that all places are taken.
var errBusy = &refusal{catalogue.CodeBusy, "", "all places are taken: try again in a moment"}

// explain makes an error of a request about a board a problem. Only what
// concerns the request is told; the rest is for the log.
func (s *Server) explain(err error, v *view, parameter string) problem {
	fault := s.faultOf(err, parameter)
	status := statusOf(fault.Code)
	var missing problem
	var shallow *catalogue.NoDistancesError
	switch {
	case status == http.StatusInternalServerError:
		s.logFailure(err, v)
		fault = catalogue.Fault{Code: catalogue.CodeInternal, Message: "the answer could not be worked out; the server's log says why"}
	case fault.Code == catalogue.CodeTurn && fault.Column > 0:
		status = http.StatusBadRequest
	case fault.Code == catalogue.CodeNotStored && fault.Slice == "":
		fault.Message, fault.Parameter = "no tables of this board are served", ""
		s.suggest(&missing, v, "")
	case fault.Code == catalogue.CodeNotStored:
		s.suggest(&missing, v, "", fault.Slice)
	case errors.As(err, &shallow):
		s.suggest(&missing, v, bitboard.DTW.String(), shallow.Slice)
	case fault.Code == catalogue.CodeTime:
		fault.Message, fault.Parameter = fmt.Sprintf("no answer within %v", s.limits.Time), ""
	case fault.Code == catalogue.CodeStopped:
		fault.Message, fault.Parameter = "the server is stopping", ""
	}
	return problem{
		Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: fault.Message, Code: fault.Code,
		Parameter: fault.Parameter, Column: fault.Column, Line: fault.Line, Slice: fault.Slice,
		Build: missing.Build, BuildCost: missing.BuildCost, TooMuch: missing.TooMuch, Served: missing.Served,
	}
}

// logFailure logs why there is no answer, and of a panic where it arose; for a request about many
// positions once.
func (s *Server) logFailure(err error, v *view) {
	if v != nil && v.logged != nil {
		if v.logged[err.Error()] {
			return
		}
		v.logged[err.Error()] = true
	}
	var mistake *catalogue.PanicError
	if errors.As(err, &mistake) {
		s.log.Error("panic", "error", err, "stack", string(mistake.Stack))
		return
	}
	s.log.Error("no answer", "error", err)
}

// faultOf is an error as it is told, about the parameter named where the error
// does not name another.
func (s *Server) faultOf(err error, parameter string) catalogue.Fault {
	var refused *refusal
	if errors.As(err, &refused) {
		return catalogue.Fault{Code: refused.code, Message: refused.detail, Parameter: refused.parameter}
	}
	fault := catalogue.FaultOf(err)
	if fault.Code == catalogue.CodePosition || fault.Parameter == "" {
		fault.Parameter = parameter
	}
	return fault
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
	header.Set("Cache-Control", notStored)
	if p.Status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	w.WriteHeader(p.Status)
	w.Write(append(body, '\n'))
}
