package manual

import (
	"bytes"
	"fmt"
	"html"
)

// layout writes the page at a place in the order of contents around its text. It is
// plain printing: a template would look methods up by name, and so keep all methods of
// the whole program in it.
func (p Place) layout(pages []page, at int, text []byte) []byte {
	var w bytes.Buffer
	here := pages[at]
	link := func(to page) string { return p.link(here.Name, p.name(to.Name)) }
	title := html.EscapeString(here.Title)

	fmt.Fprintf(&w, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>%s - paika manual</title>
`, title)
	if icon := p.above(here.Name, "assets/favicon.svg"); icon != "" {
		fmt.Fprintf(&w, "<link rel=\"icon\" href=\"%s\" type=\"image/svg+xml\">\n", icon)
	}
	fmt.Fprintf(&w, `<link rel="stylesheet" href="%s">
</head>
<body>
<header>
<a class="name" href="%s">paika manual</a>
<a class="contents" href="#_pages">Contents</a>
`, p.link(here.Name, "manual.css"), link(pages[0]))
	if explorer := p.above(here.Name, ""); explorer != "" {
		fmt.Fprintf(&w, "<a href=\"%s\">Explorer</a>\n", explorer)
	}
	fmt.Fprintf(&w, "</header>\n<main>\n%s", text)
	if at+1 < len(pages) {
		next := pages[at+1]
		fmt.Fprintf(&w, "<p class=\"next\">Next: <a href=\"%s\">%s</a></p>\n", link(next), html.EscapeString(next.Title))
	}
	fmt.Fprint(&w, "</main>\n<nav id=\"_pages\" aria-label=\"Pages\">\n<ul>\n")
	for i, other := range pages {
		if i != at {
			fmt.Fprintf(&w, "<li><a href=\"%s\">%s</a></li>\n", link(other), html.EscapeString(other.Title))
			continue
		}
		fmt.Fprintf(&w, "<li><a href=\"%s\" aria-current=\"page\">%s</a>\n", link(other), title)
		here.listParts(&w)
		fmt.Fprint(&w, "</li>\n")
	}
	fmt.Fprint(&w, "</ul>\n</nav>\n</body>\n</html>\n")
	return w.Bytes()
}

// listParts lists the headings of a page, for the list of pages.
func (of page) listParts(w *bytes.Buffer) {
	if len(of.Parts) == 0 {
		return
	}
	fmt.Fprint(w, "<ul>\n")
	for _, part := range of.Parts {
		fmt.Fprintf(w, "<li><a href=\"#%s\">%s</a></li>\n", part.ID, html.EscapeString(part.Title))
	}
	fmt.Fprint(w, "</ul>\n")
}
