package explorer

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"time"
)

//go:embed static
var static embed.FS

// The files that pages begin with: the explorer, the facts about tables, and the
// small board for frames on other sites.
const (
	index    = "index.html"
	facts    = "facts.html"
	embedded = "embed.html"
)

// files are the page's files in memory, by name.
type files map[string]document

// document is bytes to be sent, and what tells one version from another.
type document struct {
	contentType string
	tag         string
	body        []byte
}

// The types of documents that are made for an answer.
const (
	jsonType = "application/json"
	svgType  = "image/svg+xml"
)

// notStored is the Cache-Control of what no client is to store.
const notStored = "no-store"

func newDocument(contentType string, body []byte) document {
	return document{contentType, tag(body), body}
}

func newFiles() (files, error) {
	all := make(files)
	err := fs.WalkDir(static, "static", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := static.ReadFile(file)
		if err != nil {
			return err
		}
		of, known := contentTypes[path.Ext(file)]
		if !known {
			return fmt.Errorf("%s: nothing says what type a file of that ending has", file)
		}
		all[path.Base(file)] = newDocument(of, body)
		return nil
	})
	return all, err
}

// contentTypes go by the file's ending, and not by what the system says of it: browsers take a
// style sheet of another type for none.
var contentTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  svgType,
}

// page sends the file that begins a page.
func (f files) page(name string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { f[name].send(w, r) }
}

// framed lets other sites show the answer in a frame.
func framed(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy+anyFrame)
		next(w, r)
	}
}

// asset sends the file that a request names.
func (s *Server) asset(f files) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d, found := f[r.PathValue("file")]
		if !found {
			s.notFound(w, r)
			return
		}
		d.send(w, r)
	}
}

// send answers with the document, or with 304 where the client has it. It is sent
// whole, whatever parts of it or versions a client may ask for, and without a tag where no client
// is to store it.
func (d document) send(w http.ResponseWriter, r *http.Request) {
	for _, part := range [...]string{"Range", "If-Range", "If-Match", "If-Unmodified-Since"} {
		r.Header.Del(part)
	}
	header := w.Header()
	header.Set("Content-Type", d.contentType)
	switch header.Get("Cache-Control") {
	case notStored:
		r.Header.Del("If-None-Match")
	case "":
		header.Set("Cache-Control", "no-cache") // ask again, by the tag
		fallthrough
	default:
		header.Set("ETag", d.tag)
	}
	http.ServeContent(wholeWriter{w}, r, "", time.Time{}, bytes.NewReader(d.body))
}

// wholeWriter says that no parts of an answer can be had, where http.ServeContent says
// that they can.
type wholeWriter struct{ http.ResponseWriter }

func (w wholeWriter) WriteHeader(status int) {
	w.Header().Set("Accept-Ranges", "none")
	w.ResponseWriter.WriteHeader(status)
}
