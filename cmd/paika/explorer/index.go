package explorer

import (
	_ "embed"
	"net/http"
	"strings"
)

// links is the answer of index. References are relative to the index's own path,
// so that they hold below any prefix.
type links struct {
	Program   string `json:"program"`
	Version   string `json:"version"` // of the program
	OpenAPI   string `json:"openapi"`
	Games     string `json:"games"`
	Questions []link `json:"questions"` // about a game on a board
	Page      string `json:"page"`
	Health    string `json:"health"`
	Metrics   string `json:"metrics"`
}

// link is a URI template (RFC 6570).
type link struct {
	Method string `json:"method"`
	Href   string `json:"href"`
}

// index tells what there is.
func (s *Server) index(w http.ResponseWriter, r *http.Request) {
	all := links{
		Program: "paika", Version: s.config.Version, OpenAPI: "v1/openapi.json", Games: "v1/games",
		Page: "../", Health: "../healthz", Metrics: "../metrics",
	}
	for _, route := range s.routes {
		if strings.HasPrefix(route.path, ofBoard) {
			href := strings.TrimPrefix(route.path, "/api/") + "{?" + strings.Join(route.parameters, ",") + "}"
			all.Questions = append(all.Questions, link{route.method, href})
		}
	}
	body, err := encode(all)
	if err != nil {
		s.fail(w, err, nil, "")
		return
	}
	ctx, cancel := s.within(r)
	defer cancel()
	s.send(ctx, w, r, newDocument(jsonType, body))
}

// openapi describes the API as OpenAPI 3.1 does.
//
//go:embed openapi.json
var openapi []byte

// description sends it.
func (s *Server) description(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := s.within(r)
	defer cancel()
	s.send(ctx, w, r, newDocument(jsonType, openapi))
}
