package explorer

import (
	"context"

	"paika/cmd/paika/catalogue"
)

// survey looks at all positions of a slice: how many are won and lost in how many
// turns, the longest win and loss, zugzwangs. Answers are kept, as those of
// longestWin are. One slice is looked through at a time, and who waits for that takes
// nobody's place at work.
func (s *Server) survey(ctx context.Context, q question) (any, error) {
	slice, err := q.parameter("slice")
	if err != nil {
		return nil, err
	}
	key := sliceKey{q.view.instance.Folder(), slice}
	if kept, found := s.surveys.Load(key); found {
		return kept, nil
	}
	leave, err := q.place.enter(ctx, s.surveying)
	if err != nil {
		return nil, err
	}
	defer leave()
	if kept, found := s.surveys.Load(key); found { // by who had the place before
		return kept, nil
	}
	stats, err := q.view.tables.SurveySlice(ctx, slice, s.limits.Survey, catalogue.SurveyOptions{
		Longest: true, Distances: true, Zugzwang: true, Workers: 1, Memory: surveyMemory,
	})
	if err == nil {
		s.surveys.Store(key, stats)
	}
	return stats, err
}

// surveyMemory bounds the buffers of a survey, in bytes.
const surveyMemory = 64 << 20
