package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/benchmarks"
	"paika/bitboard"
	"paika/bitboard/record/foreign"
	"paika/cmd/paika/catalogue"
	"paika/solver/perft"
	"paika/solver/proofnumber"
)

// What a shell shows when the tabulator is pressed behind the words of a command
// line. Words come from where they are read, so that a new game or rule is completed
// with no word said here.

// choices are words that may come next, each with a remark behind a tabulator or
// none, and what the shell is to do beside.
type choices struct {
	words []string
	then  cobra.ShellCompDirective
}

// files leaves it to the shell to list files.
func files() choices { return choices{then: cobra.ShellCompDirectiveDefault} }

// folders has the shell list folders alone.
func folders() choices { return choices{then: cobra.ShellCompDirectiveFilterDirs} }

// onlyWords are these words and no file.
func onlyWords(words ...string) choices { return choices{words, cobra.ShellCompDirectiveNoFileComp} }

// beginning are the words that begin as typed, as cobra wants them. The endings of
// files stay as they are.
func (c choices) beginning(typed string) ([]string, cobra.ShellCompDirective) {
	if c.then == cobra.ShellCompDirectiveFilterFileExt {
		return c.words, c.then
	}
	return slices.DeleteFunc(c.words, func(word string) bool { return !strings.HasPrefix(word, typed) }), c.then
}

// isCompletion tells whether a command line is one by which a shell asks.
func isCompletion(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// complete has the arguments and flags of all commands completed. Cobra keeps what is
// registered of flags for ever, so that this is for a process that answers a shell.
func (o *options) complete(root *cobra.Command) {
	o.completeFlags(root, root.PersistentFlags())
	for _, cmd := range root.Commands() {
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return argument(cmd, args).beginning(typed)
		}
		o.completeFlags(cmd, cmd.Flags())
	}
}

// argument is what may stand behind the arguments of a command that are there. The
// places are those that its usage names; that of the game may be left out.
func argument(cmd *cobra.Command, args []string) choices {
	usage, _, _ := strings.Cut(cmd.Use, " --")
	places := strings.Fields(usage)[1:]
	if len(places) > 0 && places[0] == "[GAME]" {
		if len(args) == 0 {
			c := place(cmd, places[1:], nil)
			if c.then == cobra.ShellCompDirectiveFilterDirs {
				c = files() // words and folders cannot both be listed
			}
			c.words = append(gameNames(), c.words...)
			return c
		}
		places = places[1:]
		if _, named := catalogue.Find(args[0]); named {
			args = args[1:]
		}
	}
	for range args {
		if len(places) == 0 || !strings.HasSuffix(strings.Trim(places[0], "[]"), "...") {
			places = places[min(1, len(places)):]
		}
	}
	return place(cmd, places, args)
}

// place is what may stand at the first of the places, behind arguments that are there.
func place(cmd *cobra.Command, places, args []string) choices {
	if len(places) == 0 {
		return onlyWords()
	}
	switch name := strings.TrimSuffix(strings.Trim(places[0], "[]"), "..."); name {
	case "SUITE":
		named := func(suite string) bool { return slices.Contains(args, suite) }
		return onlyWords(slices.DeleteFunc(append(benchmarks.Suites(), everySuite), named)...)
	case "POSITION":
		return onlyWords(catalogue.Start+"\tthe start position", fromInput+"\tone a line from standard input")
	case "DIR":
		return folders()
	case "PART":
		return certificates()
	case "URL":
		return hubs()
	case "FILE":
		if cmd.Name() == "annotate" || cmd.Name() == "record" {
			return files()
		}
		return certificates()
	default:
		return onlyWords(strings.Split(name, "|")...)
	}
}

func gameNames() []string {
	var words []string
	for _, game := range catalogue.Games() {
		words = append(words, game.Name+"\t"+game.Limits)
	}
	return words
}

// certificates are files that are named as prove names them: FILE.proof by custom,
// and FILE.white for the half of a draw. Those that complete makes are FILE.whole by custom.
func certificates() choices {
	return choices{append([]string{"proof", "whole"}, catalogue.SideNames()...), cobra.ShellCompDirectiveFilterFileExt}
}

// completeFlags has the values of flags completed.
func (o *options) completeFlags(cmd *cobra.Command, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		err := cmd.RegisterFlagCompletionFunc(f.Name, func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return o.value(cmd, f, args, typed).beginning(typed)
		})
		if err != nil {
			panic(err) // the flag was found a moment ago
		}
	})
}

// value is what the value of a flag may be, of which a part was typed.
func (o *options) value(cmd *cobra.Command, f *pflag.Flag, args []string, typed string) choices {
	switch f.Name {
	case "board":
		return onlyWords(boards(gameOf(args), typed)...)
	case "rules":
		return onlyWords(listed(typed, ruleChoices(gameOf(args), typed))...)
	case "slices":
		return onlyWords(listed(typed, o.sliceNames(cmd, args))...)
	case "claim":
		return onlyWords(o.claims(args)...)
	case "metric":
		return onlyWords(bitboard.WDL.String()+"\twins, draws and losses", bitboard.DTW.String()+"\tdistances in turns, too")
	case "method":
		return onlyWords(proofnumber.DFPN.String(), proofnumber.PN2.String(), proofnumber.PN.String())
	case "count":
		return onlyWords(perft.Sequences.String(), perft.Positions.String())
	case "format":
		return onlyWords(catalogue.ExportFormats()...)
	case "pieces":
		if f.DefValue == allPieces || f.DefValue == strconv.Itoa(defaultPieces) && f.Value.Type() == "string" {
			return onlyWords(allPieces)
		}
	case "proof", "part":
		return certificates()
	case "from":
		return onlyWords(foreign.Names()...)
	case "to":
		return onlyWords(foreign.Written()...)
	}
	if option, found := ruleOption(f.Name); found {
		return onlyWords(plainValues(option)...)
	}
	switch name, _ := pflag.UnquoteUsage(f); name {
	case "FILE":
		return files()
	case "DIR":
		return folders()
	case "URL":
		c := hubs()
		if strings.Contains(f.Usage, embedded) {
			c.words = append(c.words, embedded+"\tone in this process")
		}
		return c
	}
	return onlyWords()
}

// hubs are URLs of which one can be guessed.
func hubs() choices { return onlyWords("nats://" + hubAddress + "\tof this machine") }

// gameOf is the game that arguments name, or the one meant where they name none.
func gameOf(args []string) catalogue.Game {
	if len(args) > 0 {
		if game, found := catalogue.Find(args[0]); found {
			return game
		}
	}
	return catalogue.Games()[0]
}

// mostSide bounds the boards that are tried, each way.
const mostSide = 21

// boards are the game's own and those with names; once a digit is typed, every board
// that begins with what is typed.
func boards(game catalogue.Game, typed string) []string {
	words := []string{game.Board + "\twhere no board is named"}
	for _, named := range game.Boards {
		words = append(words, named.Name+"\t"+named.Board)
	}
	if typed == "" {
		return words
	}
	for width := 1; width <= mostSide; width++ {
		for height := 1; height <= mostSide; height++ {
			board := fmt.Sprintf("%dx%d", width, height)
			if board == game.Board || !strings.HasPrefix(board, typed) {
				continue
			}
			if _, err := game.Open(board, nil); err == nil {
				words = append(words, board)
			}
		}
	}
	return words
}

// listed completes the last word of a list with commas between.
func listed(typed string, words []string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []string
	for _, word := range words {
		if plain, _, _ := strings.Cut(word, "\t"); !slices.Contains(strings.Split(before, ","), plain) {
			all = append(all, before+word)
		}
	}
	return all
}

func ruleOption(name string) (option catalogue.RuleOption, found bool) {
	for _, game := range catalogue.Games() {
		for _, option := range game.Options {
			if option.Name == name {
				return option, true
			}
		}
	}
	return catalogue.RuleOption{}, false
}

// plainValues are those that are no patterns.
func plainValues(option catalogue.RuleOption) []string {
	return slices.DeleteFunc(slices.Clone(option.Values), func(value string) bool { return strings.Contains(value, "<") })
}

// ruleChoices are the values of the options that a list does not name yet.
func ruleChoices(game catalogue.Game, typed string) []string {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var words []string
	for _, option := range game.Options {
		if strings.Contains(","+before, ","+option.Name+"=") {
			continue
		}
		for _, value := range plainValues(option) {
			words = append(words, bitboard.Option{Name: option.Name, Value: value}.String()+"\t"+option.Text)
		}
	}
	return words
}

// sliceNames are the slices of the board, or for export those that are stored.
func (o *options) sliceNames(cmd *cobra.Command, args []string) []string {
	s, err := o.asked(args)
	switch {
	case err != nil:
		return nil
	case cmd.Name() != "export":
		return s.instance.SliceNames()
	}
	tables, err := s.instance.Open(s.dir(), o.workers)
	if err != nil {
		return nil
	}
	defer tables.Close()
	stats, err := tables.Stats()
	if err != nil {
		return nil
	}
	var names []string
	for _, slice := range stats.Slices {
		if !slices.Contains(names, slice.Slice) {
			names = append(names, slice.Slice)
		}
	}
	return names
}

// claims are those about the position asked about, or else about the start.
func (o *options) claims(args []string) []string {
	s, err := o.asked(args)
	if err != nil {
		return nil
	}
	claims, err := s.instance.Claims(s.position())
	if err != nil {
		claims, _ = s.instance.Claims(catalogue.Start)
	}
	return claims
}

// asked is the game, board and rules of the words before.
func (o *options) asked(args []string) (session, error) {
	game := gameOf(args)
	if len(args) > 0 && args[0] == game.Name {
		args = args[1:]
	}
	return o.openGame(game, o.board, args)
}
