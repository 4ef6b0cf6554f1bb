package explorer

import (
	"net/http"

	"paika/cmd/paika/manual"
)

// readManual renders the manual: its pages, style sheet and pictures by name.
func readManual() (files, error) {
	rendered, err := manual.Render(manual.Served)
	if err != nil {
		return nil, err
	}
	all := make(files)
	for _, f := range rendered {
		all[f.Name] = newDocument(f.Type, f.Body)
	}
	return all, nil
}

// manualIndex sends the page that the manual begins with.
func (s *Server) manualIndex(w http.ResponseWriter, r *http.Request) {
	s.sendManual(w, r, manual.Index)
}

// manualFile sends another page of the manual, or what a page shows.
func (s *Server) manualFile(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("file") == manual.Index { // it has an address, and its links hold there
		s.notFound(w, r)
		return
	}
	s.sendManual(w, r, r.PathValue("file"))
}

func (s *Server) sendManual(w http.ResponseWriter, r *http.Request, name string) {
	all, err := s.manual()
	if err != nil {
		s.fail(w, err, nil, "")
		return
	}
	d, found := all[name]
	if !found {
		s.notFound(w, r)
		return
	}
	d.send(w, r)
}
