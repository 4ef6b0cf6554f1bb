package explorer

import (
	"context"

	"paika/bitboard/record"
	"paika/cmd/paika/catalogue"
)

// recordRequest is the body of a request about a game record.
type recordRequest struct {
	Record string `json:"record"`
}

// annotate tells of every turn of a game record what it gave away. The record may
// have as many turns as a request may ask about positions.
func (s *Server) annotate(ctx context.Context, q question) (any, error) {
	var request recordRequest
	text := &request.Record
	if err := readObject(q.body, field{name: "record", value: &text, want: "a text"}); err != nil {
		return nil, err
	}
	r, err := record.Parse(request.Record)
	if err != nil {
		return nil, err
	}
	turns := r.Turns()
	if turns > s.limits.Positions {
		return nil, refuse(catalogue.CodeLimit, "record", "a record of %d turns: want at most %d", turns, s.limits.Positions)
	}
	s.metrics.positions.Add(float64(turns))
	return q.view.tables.Annotate(ctx, r)
}
