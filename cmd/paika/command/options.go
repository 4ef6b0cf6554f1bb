package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
	"paika/proofs"
)

// dataVariable names the environment variable that says where tables are kept
// when --db does not, and dataFolder what stands in for it.
const (
	dataVariable = "PAIKA_DATA"
	dataFolder   = "paika-data"
)

// options are the flags that all commands share.
type options struct {
	board   string
	rules   ruleList
	db      string
	workers int
	memory  size
	json    bool
	quiet   bool

	args []string // the whole command line, for a hint how to go on

	ran      bool // flags and arguments were read without an error, and the command began
	answered bool // standard output has an object, or one for every line
}

func newOptions(args []string) *options { return &options{args: args, rules: ruleList{}} }

func (o *options) register(flags *pflag.FlagSet) {
	flags.StringVar(&o.board, "board", "", "board `WxH` or its name (default what a position that is an argument names with board=, else the game's own)")
	flags.Var(o.rules, "rules", "rule options, as listed by paika games")
	flags.StringVar(&o.db, "db", "", "folder `DIR` of the tables (default "+dataFolder+"/<game>-<board>; $"+dataVariable+" replaces "+dataFolder+")")
	flags.IntVar(&o.workers, "workers", runtime.NumCPU(), "use `N` cores")
	flags.Lookup("workers").DefValue = "all" // the same text on every machine
	flags.Var(&o.memory, "memory", "most memory to take, such as 4G (default 3/4 of what is free)")
	flags.BoolVar(&o.json, "json", false, "print JSON on standard output")
	flags.BoolVar(&o.quiet, "quiet", false, "show no progress")
	for _, game := range catalogue.Games() {
		for _, option := range game.Options {
			if flags.Lookup(option.Name) == nil {
				flag := flags.VarPF(ruleFlag{o.rules, option.Name}, option.Name, "", ruleUsage(game, option))
				if option.Default() == "false" {
					flag.NoOptDefVal = "true"
				}
			}
		}
	}
}

// ruleUsage tells whose rule an option is, what of, and its values.
func ruleUsage(game catalogue.Game, option catalogue.RuleOption) string {
	return fmt.Sprintf("rule of %s: %s: %s (default %s)", game.Name, option.Text, strings.Join(option.Values, ", "), option.Default())
}

// checked has the flags of a command checked, and notes that it began.
func (o *options) checked(cmd *cobra.Command) *cobra.Command {
	checkFlags(cmd.Name(), cmd.Flags())
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkGiven(cmd); err != nil {
			return err
		}
		o.ran = true
		return run(cmd, args)
	}
	return cmd
}

// wantsJSON tells whether --json was given, be it behind what could not be read.
func (o *options) wantsJSON() bool {
	if o.ran {
		return o.json
	}
	for _, arg := range o.args {
		switch arg {
		case "--":
			return false
		case "--json":
			return true
		}
		if value, given := strings.CutPrefix(arg, "--json="); given {
			if wants, err := strconv.ParseBool(value); err == nil && wants { // as flags are read
				return true
			}
		}
	}
	return false
}

// joinSwitches joins a rule that needs no value, such as --goal-stop, with the
// true or false that follows it.
func joinSwitches(args []string) []string {
	switches := make(map[string]bool)
	for _, game := range catalogue.Games() {
		for _, option := range game.Options {
			switches["--"+option.Name] = option.Default() == "false"
		}
	}
	var joined []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return append(joined, args[i:]...)
		}
		if switches[args[i]] && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			joined = append(joined, args[i]+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

// ruleList collects rule options by name, from --rules and from the flags
// named for them.
type ruleList map[string]string

const ruleListType = "name=value,..."

func (l ruleList) Set(text string) error { return catalogue.AddRules(l, text) }
func (l ruleList) String() string        { return "" }
func (l ruleList) Type() string          { return ruleListType }

// ruleFlag is the flag for one rule option.
type ruleFlag struct {
	list ruleList
	name string
}

func (f ruleFlag) Set(value string) error {
	return catalogue.AddRule(f.list, bitboard.Option{Name: f.name, Value: value})
}
func (f ruleFlag) String() string { return "" }
func (f ruleFlag) Type() string   { return "VALUE" }

// session is one game, opened as the flags say.
type session struct {
	*options
	game     string
	board    string // that hints name; empty for the game's own where no flag names it
	instance catalogue.Instance
	rest     []string // the arguments after the game
	metric   string   // the only one in which tables are stored, or empty
	reach    []string // flags by which commands come to the tables where a hub has them
	anyBoard bool     // each position is on the board that it names itself
}

// openSetting is about a game, board and rules as other machines name them.
func (o *options) openSetting(setting proofs.Setting) (session, error) {
	instance, err := catalogue.OpenSetting(setting)
	if err != nil {
		return session{}, err
	}
	return o.on(instance), nil
}

// on is about an instance that no flag has named.
func (o *options) on(instance catalogue.Instance) session {
	id := instance.Identity()
	return session{options: o, game: id.Game, board: id.Board, instance: instance}
}

// open opens the game that the arguments name, or the first of the catalogue. Where no
// flag names a board, it is the one that the position names, if it does.
func (o *options) open(args []string) (session, error) {
	game, rest, err := takeGame(args)
	if err != nil {
		return session{}, err
	}
	board := o.board
	if board == "" && game.NamedBoard != nil {
		if at, named := game.NamedBoard(positionOf(rest)); named && at.String() != game.Board {
			board = at.String()
		}
	}
	return o.openGame(game, board, rest)
}

// openAnyBoard is open for commands whose positions are each on a board of its own, be it
// one that the game can't be played on.
func (o *options) openAnyBoard(args []string) (session, error) {
	game, rest, err := takeGame(args)
	if err != nil {
		return session{}, err
	}
	s, err := o.openGame(game, o.board, rest)
	s.anyBoard = o.board == ""
	return s, err
}

func (o *options) openGame(game catalogue.Game, board string, rest []string) (session, error) {
	instance, err := game.Open(board, o.rules)
	return session{options: o, game: game.Name, board: board, instance: instance, rest: rest}, err
}

// takeGame takes the game off the arguments, the first of the catalogue where the first
// of them names none.
func takeGame(args []string) (game catalogue.Game, rest []string, err error) {
	if len(args) > 0 {
		if named, found := catalogue.Find(args[0]); found {
			return named, args[1:], nil
		}
		if looksLikeName(args[0]) {
			return catalogue.Game{}, nil, misuse("game", "unknown game %s: want %s", bitboard.Quote(args[0]), strings.Join(catalogue.Names(), ", "))
		}
	}
	return catalogue.Games()[0], args, nil
}

// openBoard is open for commands that take no position.
func (o *options) openBoard(args []string) (session, error) {
	s, err := o.open(args)
	if err != nil {
		return session{}, err
	}
	return s, s.noPosition()
}

// openFolder is open for commands that take a folder, behind the game or alone.
func (o *options) openFolder(command string, args []string) (session, string, error) {
	games := args
	if len(args) == 1 {
		if _, found := catalogue.Find(args[0]); !found {
			games = nil
		}
	}
	s, err := o.open(games)
	if err != nil {
		return session{}, "", err
	}
	if len(games) == 0 {
		s.rest = args
	}
	switch {
	case len(s.rest) == 0 || s.rest[0] == "":
		return session{}, "", misuse("folder", "%s: want the folder of the files", command)
	case len(s.rest) > 1:
		return session{}, "", misuse("", "unexpected argument %s after the folder", bitboard.Quote(s.rest[1]))
	}
	return s, s.rest[0], nil
}

// looksLikeName tells a word from a position, which has other signs in it.
func looksLikeName(arg string) bool {
	notLetter := func(r rune) bool { return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') }
	return arg != catalogue.Start && arg != "" && !strings.ContainsFunc(arg, notLetter)
}

// position is the one argument after the game.
func (s session) position() string { return positionOf(s.rest) }

// positionOf is the position that stands in arguments, the start where none does. One that
// the shell took apart at its blanks is put together again.
func positionOf(args []string) string {
	if len(args) == 0 {
		return catalogue.Start
	}
	return strings.Join(args, " ")
}

// noPosition fails where something follows the game.
func (s session) noPosition() error {
	if len(s.rest) > 0 {
		return misuse("", "unexpected argument %s: want at most a game", bitboard.Quote(s.rest[0]))
	}
	return nil
}

// dir is the folder of the tables.
func (s session) dir() string {
	if s.db != "" {
		return s.db
	}
	return filepath.Join(dataBase(), s.instance.Folder())
}

// beside is the path of what is kept beside the tables, under the name of their folder and a
// suffix.
func (s session) beside(suffix string) string { return lasting.Beside(s.dir(), suffix) }

// dataBase is the folder of the folders of tables.
func dataBase() string {
	if base := os.Getenv(dataVariable); base != "" {
		return base
	}
	return dataFolder
}

// buildCommand is the command line that builds what is missing in the tables
// that s reads.
func (s session) buildCommand(flags ...string) string {
	if s.instance.WholeBoards() {
		flags = []string{"--pieces", allPieces}
	}
	args := s.tablesCommand("build", flags...)
	if s.metric != "" && s.metric != defaultMetric.String() {
		args = append(args, "--metric", s.metric)
	}
	return catalogue.CommandLine(args...)
}

// repairCommand is the command line that repairs those tables.
func (s session) repairCommand() string { return catalogue.CommandLine(s.tablesCommand("repair")...) }

// tablesCommand is a command about those tables.
func (s session) tablesCommand(name string, flags ...string) []string {
	args := append([]string{name, s.game}, flags...)
	if s.board != "" {
		args = append(args, "--board", s.board)
	}
	for _, rule := range s.instance.ChosenRules() {
		args = append(args, "--rules", rule)
	}
	if s.db != "" {
		args = append(args, "--db", s.db)
	}
	return append(args, s.reach...)
}
