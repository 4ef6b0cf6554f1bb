package manual

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// blocks renders tables and blocks of code so that wide ones move by themselves, under a
// finger or by keys, and so that one sees what is typed and what is answered.
type blocks struct{}

// aheadOfDefaults is a priority before those of goldmark's own renderers.
const aheadOfDefaults = 100

// Extend has goldmark use the renderers.
func (b blocks) Extend(m goldmark.Markdown) {
	m.Renderer().AddOptions(renderer.WithNodeRenderers(util.Prioritized(b, aheadOfDefaults)))
}

// RegisterFuncs tells goldmark which nodes they are for.
func (blocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindCodeBlock, renderCode)
	r.Register(ast.KindFencedCodeBlock, renderCode)
	r.Register(table.KindTable, renderTable)
}

// number is the place of a block among those of its kind on the page, from 1. A part of
// a page that one can move to needs a name of its own.
func number(node ast.Node) int {
	n := 1
	for before := node.PreviousSibling(); before != nil; before = before.PreviousSibling() {
		if before.Kind() == node.Kind() {
			n++
		}
	}
	return n
}

func renderTable(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		fmt.Fprintf(w, "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table %d\">\n<table>\n", number(node))
	} else {
		fmt.Fprint(w, "</table>\n</div>\n")
	}
	return ast.WalkContinue, nil
}

// prompt begins what is typed, more what goes on from the line before.
var prompt, more = []byte("$ "), []byte(">")

func renderCode(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	what := "Text"
	if fenced, is := node.(*ast.FencedCodeBlock); is && string(fenced.Language(source)) == "console" {
		what = "Commands"
	}
	fmt.Fprintf(w, "<pre tabindex=\"0\" role=\"region\" aria-label=\"%s %d\"><code>", what, number(node))
	for i := range node.Lines().Len() {
		line := node.Lines().At(i)
		content := line.Value(source)
		typed := bytes.HasPrefix(content, prompt) || bytes.HasPrefix(content, more)
		if typed {
			fmt.Fprint(w, "<b>")
		}
		w.Write(util.EscapeHTML(bytes.TrimRight(content, "\n")))
		if typed {
			fmt.Fprint(w, "</b>")
		}
		fmt.Fprint(w, "\n")
	}
	fmt.Fprint(w, "</code></pre>\n")
	return ast.WalkSkipChildren, nil
}
