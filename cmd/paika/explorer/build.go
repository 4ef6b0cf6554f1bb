package explorer

import (
	"strings"

	"paika/cmd/paika/catalogue"
)

// BuildHint tells how tables are built, and what that takes.
type BuildHint struct {
	Command string // what a shell would run; empty where that takes too much
	TooMuch string // why, in words; else empty

	Cost    catalogue.BuildCost // Positions are 0 where it is not known
	Seconds float64             // about
	Disk    uint64              // bytes, about
}

// buildCost is what a build takes, as it is sent.
type buildCost struct {
	Positions uint64  `json:"positions"`
	Memory    uint64  `json:"memory"`  // bytes, at the most
	Disk      uint64  `json:"disk"`    // bytes, about
	Seconds   float64 `json:"seconds"` // about
}

func (h BuildHint) cost() *buildCost {
	if h.Cost.Positions == 0 {
		return nil
	}
	return &buildCost{h.Cost.Positions, h.Cost.Memory, h.Disk, h.Seconds}
}

// suggest adds to a problem how the tables that it misses are built, with a metric or with
// the one that there is.
func (s *Server) suggest(p *problem, v *view, metric string, slices ...string) {
	hint := s.hint(v, metric, slices)
	p.Build, p.TooMuch, p.BuildCost, p.Served = hint.Command, hint.TooMuch, hint.cost(), v.served
}

// hint tells how tables are built.
func (s *Server) hint(v *view, metric string, slices []string) BuildHint {
	key := strings.Join(append([]string{metric}, slices...), " ")
	hint, known := v.hints[key]
	if !known {
		hint = s.config.Build(v.instance, metric, slices...)
	}
	if v.hints != nil {
		v.hints[key] = hint
	}
	return hint
}
