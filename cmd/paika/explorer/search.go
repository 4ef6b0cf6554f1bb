package explorer

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"paika/bitboard/catalogue"
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
// again, and at last a catalogue.Searched or a problem. The client stops the
// search by ending the request.
func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	if err := s.receive(w, r); err != nil {
		s.fail(w, err, nil, "")
		return
	}
	v, request, err := s.searchRequest(r)
	if err != nil {
		s.fail(w, err, v, "position")
		return
	}
	leave, err := s.searching.try()
	if err != nil {
		s.fail(w, err, v, "")
		return
	}
	defer leave()
	s.metrics.searches.Inc()
	defer s.metrics.searches.Dec()

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.stopping, cancel)()
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // the read that waits for the end of the connection
	control.SetWriteDeadline(began.Add(s.limits.SearchTime + writeTime))
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-store")
	write := func(object any) {
		line, err := json.Marshal(object)
		if err != nil {
			panic(err) // strings and numbers alone
		}
		w.Write(append(line, '\n'))
		control.Flush()
	}
	write(searchProgress{})
	told := time.Now()
	result, err := v.tables.Search(ctx, request.Position, catalogue.SearchOptions{
		Nodes: request.Nodes, Time: s.limits.SearchTime, Memory: s.limits.SearchMemory, Workers: 1,
		Progress: func(nodes uint64) {
			if time.Since(told) >= progressEvery {
				told = time.Now()
				write(searchProgress{nodes})
			}
		},
	})
	s.metrics.nodes.Add(float64(result.Nodes))
	s.metrics.positions.Inc()
	switch {
	case r.Context().Err() != nil: // nobody listens
	case err != nil:
		write(struct {
			Problem problem `json:"problem"`
		}{s.explain(err, v, "position")})
	default:
		write(result)
	}
}

// searchRequest reads what is asked, and looks whether it can be.
func (s *Server) searchRequest(r *http.Request) (*view, searchRequest, error) {
	var request searchRequest
	if err := readJSON(r, &request); err != nil {
		return nil, request, err
	}
	if request.Nodes > s.limits.SearchNodes {
		return nil, request, refuse(http.StatusRequestEntityTooLarge, codeLimit, "nodes", "%d nodes: want at most %d", request.Nodes, s.limits.SearchNodes)
	}
	if request.Nodes == 0 {
		request.Nodes = s.limits.SearchNodes
	}
	v, err := s.view(r)
	return v, request, err
}
