package manpage

import (
	"bufio"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/internal/lasting"
)

// Edition is what the foot of every page says.
type Edition struct {
	Version string // "v1.0.0"
	Date    string // "2026-01-31", or empty
}

// WriteAll writes the pages of a program into a folder, which it makes where it is not there,
// and gives their file names, that of the program first.
func WriteAll(dir string, root *cobra.Command, e Edition) (names []string, err error) {
	if err := lasting.MakeFolder(dir, 0o777); err != nil {
		return nil, err
	}
	for _, cmd := range append([]*cobra.Command{root}, pages(root)...) {
		name := title(cmd) + ".1"
		if err := lasting.WriteRegular(filepath.Join(dir, name), func(w io.Writer) error { return Write(w, cmd, e) }); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return names, nil
}

// pages are the commands that have a page beside the program's own.
func pages(root *cobra.Command) (commands []*cobra.Command) {
	for _, cmd := range root.Commands() {
		if !cmd.Hidden {
			commands = append(commands, cmd)
		}
	}
	return commands
}

// title is "paika-build".
func title(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// Write writes the page of one command.
func Write(w io.Writer, cmd *cobra.Command, e Edition) error {
	p := page{bufio.NewWriter(w)}
	p.line(`.TH "%s" "1" "%s" "%s %s" "User Commands"`,
		escaped(strings.ToUpper(title(cmd))), escaped(e.Date), escaped(cmd.Root().Name()), escaped(e.Version))
	p.section("NAME")
	p.line(`%s \- %s`, escaped(title(cmd)), escaped(cmd.Short))
	p.section("SYNOPSIS")
	p.line(`\fB%s\fR%s`, escaped(cmd.CommandPath()), escaped(strings.TrimPrefix(cmd.UseLine(), cmd.CommandPath())))
	p.section("DESCRIPTION")
	p.text(cmd.Long)
	if cmd.HasAvailableSubCommands() && !cmd.HasParent() {
		p.section("COMMANDS")
		for _, sub := range pages(cmd) {
			p.item(fmt.Sprintf(`\fB%s\fR(1)`, escaped(title(sub))), sub.Short)
		}
	}
	p.flags("OPTIONS", cmd.LocalFlags())
	p.flags("SHARED OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		p.section("EXAMPLES")
		p.text(cmd.Example)
	}
	if cmd.HasParent() {
		p.section("SEE ALSO")
		p.line(`\fB%s\fR(1)`, escaped(cmd.Root().Name()))
	}
	return p.Flush()
}

// page is one in writing. A write that fails is told by Flush.
type page struct{ *bufio.Writer }

func (p page) line(format string, args ...any) { fmt.Fprintf(p, format+"\n", args...) }

func (p page) section(name string) { p.line(`.SH "%s"`, name) }

// item is a word and what it means.
func (p page) item(word, meaning string) {
	p.line(".TP\n%s\n%s", word, protected(meaning))
}

// text writes paragraphs, and lines that stay as they are.
func (p page) text(text string) {
	asIs := false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		if kept := strings.HasPrefix(line, " "); line != "" && kept != asIs {
			if asIs = kept; kept {
				p.line(".nf")
			} else {
				p.line(".fi")
			}
		}
		if line == "" {
			line = ".PP"
		} else {
			line = protected(line)
		}
		p.line("%s", line)
	}
	if asIs {
		p.line(".fi")
	}
}

func (p page) flags(name string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	p.section(name)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, meaning := pflag.UnquoteUsage(f)
		word := `\fB` + escaped("--"+f.Name) + `\fR`
		if value != "" {
			word += ` \fI` + escaped(value) + `\fR`
		}
		switch f.DefValue {
		case "", "0", "false", "[]":
		default:
			meaning += " (default " + f.DefValue + ")"
		}
		p.item(word, meaning)
	})
}

// protected is a line of text that is no request.
func protected(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + escaped(line)
	}
	return escaped(line)
}

// escaped is text in which roff finds nothing to do.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\e`, "-", `\-`, `"`, `\(dq`, "'", `\(aq`, "^", `\(ha`, "~", `\(ti`, "`", `\(ga`, "\n", " ").Replace(text)
}
