package manual

import (
	"embed"
	"path"
	"slices"
)

//go:embed pages manual.css
var source embed.FS

// Index is the name of the page that the manual begins with.
const Index = "index"

// contents lists the pages in the order in which they are read, without their endings.
var contents = [...]string{
	Index, "tables", "proofs", "hub", "konane", "phutball", "explorer", "api", "programs",
	"search", "records", "adding-a-game", "caveats", "glossary", "citing",
}

// Pages lists the names of the pages behind the first, in the order in which they are read.
func Pages() []string { return slices.Clone(contents[1:]) }

// Page is a page in Markdown, by its name.
func Page(name string) (text []byte, known bool) {
	if !slices.Contains(contents[:], name) {
		return nil, false
	}
	text, err := source.ReadFile("pages/" + name + ".md")
	return text, err == nil
}

// Place is where rendered pages go, which is how they find each other there.
type Place int

const (
	// Served is the explorer's server: the first page is /doc, another is /doc/NAME.
	Served Place = iota
	// Folder is a folder for any web server: a page is NAME.html.
	Folder
)

// File is a page, a picture or the style sheet.
type File struct {
	Name string // a page's is without an ending where it is served
	Type string // as in the header Content-Type
	Body []byte
}

// name is what a page is called in the place.
func (p Place) name(page string) string {
	if p == Folder {
		return page + ".html"
	}
	return page
}

// link is the address of a file, or of a page by its name in the place, as one page
// writes it. It is relative: it holds below any prefix.
func (p Place) link(from, to string) string {
	switch {
	case p == Folder:
		return to
	case to == Index && from == Index:
		return "doc"
	case to == Index:
		return "../doc"
	case from == Index:
		return "doc/" + to
	}
	return to
}

// above is the address of something that the server has beside the manual, and empty
// where there is no server.
func (p Place) above(from, what string) string {
	switch {
	case p == Folder:
		return ""
	case from == Index:
		return "./" + what
	}
	return "../" + what
}

// fileOf is a file that is no page: a picture or a style sheet.
func fileOf(name string, body []byte) File {
	if path.Ext(name) == ".css" {
		return File{path.Base(name), "text/css; charset=utf-8", body}
	}
	return File{path.Base(name), "image/png", body}
}
