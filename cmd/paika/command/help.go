package command

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"paika/cmd/paika/manual"
)

// helpWidth is that of a terminal where nobody says otherwise, in characters.
const helpWidth = 80

// filled is a text whose paragraphs are broken anew. Lines that begin with a blank
// stay as they are.
func filled(text string, width int) string {
	var paragraphs []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if !strings.HasPrefix(paragraph, " ") {
			paragraph = wrap(strings.Fields(paragraph), width)
		}
		paragraphs = append(paragraphs, paragraph)
	}
	return strings.Join(paragraphs, "\n\n")
}

// newHelp is cobra's own help, but that it knows which topics there are not.
func newHelp(o *options) *cobra.Command {
	return o.checked(&cobra.Command{
		Use:   "help [COMMAND|PAGE]",
		Short: "Tell about a command, or print a page of the manual",
		Long: filled(`Help tells what a command does and which flags it takes. Of a word that is no command
it prints the page of the manual about it, as Markdown, or tells about the command that knows.`, helpWidth),
		Example: `  paika help
  paika help build
  paika help tables`,
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return onlyWords().beginning(typed)
			}
			return onlyWords(commandNames(cmd.Root())...).beginning(typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err == nil && topic != nil && takes(topic, rest) {
				return topic.Help()
			}
			if len(args) == 1 {
				name := topicOf(args[0])
				if text, known := manual.Page(name); known {
					return o.printPage(cmd, text)
				}
				if topic, _, err := cmd.Root().Find([]string{name}); err == nil {
					return topic.Help()
				}
			}
			return unknownCommand(cmd.Root(), strings.Join(args, " "))
		},
	})
}

// topicOf is the page of the manual, or else the command, that a word is about. Words that name one
// themselves are as they are.
func topicOf(word string) string {
	switch word {
	case "table", "slice", "slices", "wdl", "dtw", "metric", "fanorona":
		return "tables"
	case "proof", "certificate", "certificates", "claim", "claims":
		return "proofs"
	case "cgt":
		return "konane"
	case "breakthrough":
		return "adding-a-game"
	case "json":
		return "programs"
	case "http":
		return "api"
	case "word", "words":
		return "glossary"
	case "board", "boards", "rule", "rules":
		return "games"
	}
	return word
}

// printedPages lists the pages that help prints: of a hub it tells about the command, which
// names its page.
func printedPages() string {
	pages := slices.DeleteFunc(manual.Pages(), func(page string) bool { return page == "hub" })
	return strings.Join(pages, ", ")
}

// printPage prints a page of the manual as help.
func (o *options) printPage(cmd *cobra.Command, text []byte) error {
	return o.print(cmd, shownHelp{string(text)}, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// takes tells whether a command's usage has words for what stands behind its name, as hub has
// for init. Help of these is that of the command.
func takes(cmd *cobra.Command, words []string) bool {
	for i, word := range words {
		known := func(choice string) bool {
			name, _, _ := strings.Cut(choice, "\t")
			return name == word
		}
		if !cmd.HasParent() || !slices.ContainsFunc(argument(cmd, words[:i]).words, known) {
			return false
		}
	}
	return true
}

func commandNames(root *cobra.Command) []string {
	var names []string
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name()+"\t"+cmd.Short)
		}
	}
	return names
}

// shownHelp is what help prints with --json.
type shownHelp struct {
	Help string `json:"help"`
}

// setHelp has help, too, print an object with --json.
func (o *options) setHelp(root *cobra.Command) {
	help := root.HelpFunc()
	topics := newHelp(o)
	hideUnused(topics, root.PersistentFlags())
	root.SetHelpCommand(topics)
	root.SetHelpCommandGroupID(otherCommands)
	root.SetCompletionCommandGroupID(otherCommands)
	root.SetUsageTemplate(strings.NewReplacer(
		"FlagUsages", fmt.Sprintf("FlagUsagesWrapped %d", helpWidth),
		"Global Flags:", "Flags of all commands:",
	).Replace(root.UsageTemplate()))
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if !o.json {
			help(cmd, args)
			return
		}
		out := cmd.OutOrStdout()
		var text bytes.Buffer
		cmd.SetOut(&text)
		help(cmd, args)
		_ = printJSON(out, shownHelp{text.String()}) // Run knows of failed writes
	})
}

// shownScript is what completion prints with --json.
type shownScript struct {
	Script string `json:"script"`
}

// setCompletion has the command that makes scripts for shells say which there are, and
// print an object with --json.
func (o *options) setCompletion(root *cobra.Command) {
	var script bytes.Buffer
	out := root.OutOrStdout()
	root.SetOut(&script) // the command holds on to the standard output that it finds
	root.InitDefaultCompletionCmd()
	root.SetOut(out)
	for _, cmd := range root.Commands() {
		if cmd.Name() == "completion" {
			cmd.Use = "completion SHELL"
			cmd.Short = "Write what completes commands in a shell"
			cmd.Long = filled(`Completion writes a script by which a shell completes, when the tabulator is
pressed, commands and flags, and values too: games, boards, slices, claims, rules
and files. The help of each shell tells where the script belongs.`, helpWidth)
			cmd.Example = `  paika completion bash > ~/.paika-completion
  paika completion zsh --help`
			cmd.Args = nil // what is wrong with them the command says
			cmd.RunE = func(*cobra.Command, []string) error {
				return misuse("shell", "completion: want the name of a shell: bash, zsh, fish or powershell")
			}
			for _, shell := range cmd.Commands() {
				shell.Args = wantsNone()
				shell.RunE = o.printed(shell.RunE, &script)
				o.checked(shell)
				hideUnused(shell, root.PersistentFlags())
			}
			o.checked(cmd)
			hideUnused(cmd, root.PersistentFlags())
		}
	}
}

// printed prints what a command has written to a buffer.
func (o *options) printed(run func(*cobra.Command, []string) error, script *bytes.Buffer) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		if err := run(cmd, args); err != nil {
			return err
		}
		return o.print(cmd, shownScript{script.String()}, func(w io.Writer) error {
			_, err := script.WriteTo(w)
			return err
		})
	}
}
