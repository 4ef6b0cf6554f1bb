package explorer

import (
	"html"
	"io"
	"net/http"
	"strings"

	"paika/bitboard"
)

// wantsPage tells whether a request is that of a browser for a page: it takes HTML, and asks
// for nothing of the API, whose errors are JSON.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path, "/api/") {
		return false
	}
	for _, accepted := range r.Header.Values("Accept") {
		for kind := range strings.SplitSeq(accepted, ",") {
			kind, _, _ = strings.Cut(kind, ";")
			if strings.EqualFold(strings.TrimSpace(kind), "text/html") {
				return true
			}
		}
	}
	return false
}

// sendMissing sends a page that says that there is none, and leads to those that are there. Its
// links are relative, as everywhere: they hold below any prefix.
func sendMissing(w http.ResponseWriter, r *http.Request) {
	top := "./" // a request may name no path, or one without a slash: * and http:x
	if folders := strings.Count(r.URL.EscapedPath(), "/") - 1; folders > 0 {
		top += strings.Repeat("../", folders)
	}
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", notStored)
	w.WriteHeader(http.StatusNotFound)
	io.WriteString(w, strings.NewReplacer("{top}", top, "{path}", html.EscapeString(bitboard.Shorten(r.URL.Path))).Replace(missingPage))
}

const missingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No such page - paika</title>
<link rel="icon" href="{top}assets/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="{top}assets/style.css">
<link rel="stylesheet" href="{top}assets/facts.css">
</head>
<body>
<header>
  <h1>paika</h1>
  <a href="{top}">Play</a>
  <a href="{top}facts">What the tables know</a>
  <a href="{top}doc">Manual</a>
</header>
<main>
  <h2>There is no such page</h2>
  <p>There is nothing at <code>{path}</code>.</p>
</main>
</body>
</html>
`
