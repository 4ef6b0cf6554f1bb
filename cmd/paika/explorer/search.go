package explorer

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"paika/cmd/paika/catalogue"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// searchRequest is the body of a request for a search.
type searchRequest struct {
	Position string `json:"position"`
	Nodes    uint64 `json:"nodes"` // 0 for the server's limit
}

// searchProgress is a line of a search that goes on.
type searchProgress struct {
	Nodes uint64 `json:"nodes"`
}

// progressEvery is the least time between two lines of a search.
const progressEvery = 200 * time.Millisecond

// search answers with JSON objects, a line each: the nodes so far, again and
// again, and at last a catalogue.Searched or a problem. What can be told to be
// wrong before the search begins is a problem by itself. The client stops the
// search by ending the request.
func (s *Server) search(known []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, request, err := s.searchRequest(w, r, known)
		if err != nil {
			s.fail(w, err, v, "position")
			return
		}
		leave, err := s.searching.try(1)
		if err != nil {
			s.fail(w, err, v, "")
			return
		}
		defer leave()
		s.metrics.searches.Inc()
		defer s.metrics.searches.Dec()
		s.metrics.positions.Inc()

		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.stopping, cancel)()
		out := newLines(w, time.Now().Add(s.limits.SearchTime+writeTime)) // whatever it waited for before
		out.write(searchProgress{})
		result, err := v.tables.Search(ctx, request.Position, catalogue.SearchOptions{
			Nodes: request.Nodes, Time: s.limits.SearchTime, Memory: s.limits.SearchMemory, Workers: 1,
			Progress: out.progress,
		})
		s.metrics.nodes.Add(float64(result.Nodes))
		switch {
		case r.Context().Err() != nil: // nobody listens
		case err != nil:
			out.write(struct {
				Problem problem `json:"problem"`
			}{s.explain(err, v, "position")})
		default:
			out.write(result)
		}
	}
}

// searchRequest reads what is asked, and looks whether it can be.
func (s *Server) searchRequest(w http.ResponseWriter, r *http.Request, known []string) (*view, searchRequest, error) {
	var request searchRequest
	parameters, err := readParameters(r, known)
	if err != nil {
		return nil, request, err
	}
	body, err := s.receive(w, r)
	if err != nil {
		return nil, request, err
	}
	position, nodes := &request.Position, &request.Nodes
	if err := readObject(body,
		field{name: "position", value: &position, want: "a text"},
		field{name: "nodes", value: &nodes, want: "a whole number, 0 for the server's limit", may: true}); err != nil {
		return nil, request, err
	}
	if err := checkLength("position", request.Position); err != nil {
		return nil, request, err
	}
	if request.Nodes > s.limits.SearchNodes {
		return nil, request, refuse(catalogue.CodeLimit, "nodes", "%d nodes: want at most %d", request.Nodes, s.limits.SearchNodes)
	}
	if request.Nodes == 0 {
		request.Nodes = s.limits.SearchNodes
	}
	v, err := s.view(r, parameters)
	if err != nil {
		return nil, request, err
	}
	return v, request, s.checkPosition(r, v, request.Position)
}

// checkPosition refuses a position that cannot be searched at all. Nothing need be
// stored of it.
func (s *Server) checkPosition(r *http.Request, v *view, position string) error {
	ctx, cancel := s.within(r)
	defer cancel()
	leave, err := s.working.enter(ctx, 1)
	if err != nil {
		return err
	}
	defer leave()
	answers, err := v.tables.Probe(ctx, []string{position})
	if err != nil {
		return err
	}
	err = answers[0].Err
	if errors.Is(err, tablebase.ErrNotStored) || errors.Is(err, lookup.ErrOutOfReach) {
		return nil
	}
	return err
}

// lines are JSON objects that are sent as they come.
type lines struct {
	w       http.ResponseWriter
	control *http.ResponseController
	told    time.Time
}

// newLines begins an answer that must be taken by a deadline.
func newLines(w http.ResponseWriter, deadline time.Time) *lines {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the read that waits for the end of the connection
	control.SetWriteDeadline(deadline)
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", notStored)
	return &lines{w, control, time.Now()}
}

func (l *lines) write(object any) {
	line, err := json.Marshal(object)
	if err != nil {
		panic(err) // strings and numbers alone
	}
	l.w.Write(append(line, '\n'))
	l.control.Flush()
}

// progress tells the nodes, if it was not just told.
func (l *lines) progress(nodes uint64) {
	if time.Since(l.told) >= progressEvery {
		l.told = time.Now()
		l.write(searchProgress{nodes})
	}
}
