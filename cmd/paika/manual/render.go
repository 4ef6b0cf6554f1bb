package manual

import (
	"bytes"
	"fmt"
	"io/fs"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// page is a page of the manual as it is read.
type page struct {
	Name  string
	Title string
	Parts []part // below the title
	text  []byte
	tree  ast.Node
}

// part is a heading that can be linked to.
type part struct{ ID, Title string }

// Render gives all files of the manual as they are in a place: the pages in order, then
// the style sheet and the pictures.
func Render(p Place) ([]File, error) {
	// The policy of the server allows no style in an element.
	tables := extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute))
	markdown := goldmark.New(goldmark.WithExtensions(tables, blocks{}), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	var pages []page
	for _, name := range contents {
		read, err := readPage(markdown, name)
		if err != nil {
			return nil, err
		}
		pages = append(pages, read)
	}
	var files []File
	for i := range pages {
		var body bytes.Buffer
		p.lead(pages[i])
		if err := markdown.Renderer().Render(&body, pages[i].text, pages[i].tree); err != nil {
			return nil, fmt.Errorf("page %s: %w", pages[i].Name, err)
		}
		files = append(files, File{p.name(pages[i].Name), "text/html; charset=utf-8", p.layout(pages, i, body.Bytes())})
	}
	others, err := otherFiles()
	return append(files, others...), err
}

// readPage parses a page and finds its headings.
func readPage(markdown goldmark.Markdown, name string) (page, error) {
	body, err := source.ReadFile("pages/" + name + ".md")
	if err != nil {
		return page{}, err
	}
	read := page{Name: name, text: body, tree: markdown.Parser().Parse(text.NewReader(body))}
	for node := read.tree.FirstChild(); node != nil; node = node.NextSibling() {
		heading, is := node.(*ast.Heading)
		switch {
		case !is:
		case heading.Level == 1:
			read.Title = words(heading, body)
		case heading.Level == 2:
			if id, has := heading.AttributeString("id"); has {
				read.Parts = append(read.Parts, part{string(id.([]byte)), words(heading, body)})
			}
		}
	}
	return read, nil
}

// words is the text below a node, without marks.
func words(node ast.Node, source []byte) string {
	var all strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		if t, is := child.(*ast.Text); is {
			all.Write(t.Segment.Value(source))
		} else {
			all.WriteString(words(child, source))
		}
	}
	return all.String()
}

// lead makes the links of a page lead where its files are in the place, and takes out
// those that lead nowhere there.
func (p Place) lead(of page) {
	var links []*ast.Link
	_ = ast.Walk(of.tree, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := node.(type) {
		case *ast.Link:
			if entering {
				links = append(links, n)
			}
		case *ast.Image:
			if entering {
				_, file, _ := strings.Cut(string(n.Destination), "pictures/")
				n.Destination = []byte(p.link(of.Name, file))
			}
		}
		return ast.WalkContinue, nil
	})
	for _, link := range links {
		to, anchor, _ := strings.Cut(string(link.Destination), "#")
		name, isPage := strings.CutSuffix(to, ".md")
		switch {
		case to == "" || strings.Contains(to, "://"):
		case isPage && !strings.Contains(name, "/"):
			link.Destination = []byte(p.link(of.Name, p.name(name)))
			if anchor != "" {
				link.Destination = append(link.Destination, "#"+anchor...)
			}
		default:
			unwrap(link)
		}
	}
}

// unwrap puts what a node holds in its place.
func unwrap(node ast.Node) {
	parent := node.Parent()
	for child := node.FirstChild(); child != nil; child = node.FirstChild() {
		parent.InsertBefore(parent, node, child)
	}
	parent.RemoveChild(parent, node)
}

// otherFiles are those that are the same everywhere.
func otherFiles() ([]File, error) {
	names, err := fs.Glob(source, "pages/pictures/*")
	if err != nil {
		return nil, err
	}
	var files []File
	for _, name := range append(names, "manual.css") {
		body, err := source.ReadFile(name)
		if err != nil {
			return nil, err
		}
		files = append(files, fileOf(name, body))
	}
	return files, nil
}
