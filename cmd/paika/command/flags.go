package command

import (
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
	"paika/solver/perft"
)

// parseMetric reads the value of --metric.
func parseMetric(text string) (bitboard.Metric, error) {
	m, err := bitboard.ParseMetric(text)
	if err != nil {
		err = misuse("metric", "--metric: %w", err)
	}
	return m, err
}

// workersPerCore bounds --workers: more goroutines than that take memory and
// give no speed.
const workersPerCore = 4

// bounds are what a number may be.
type bounds struct {
	least, most uint64
	why         string // the most is no more; may be empty
}

// boundsOf tells the bounds of a flag of a command, for every whole number there
// is. Most of them are far above what anyone waits for: they keep a slip from
// taking all memory.
func boundsOf(command, flag string) bounds {
	switch flag {
	case "workers":
		cores := runtime.NumCPU()
		return bounds{1, uint64(workersPerCore * cores), fmt.Sprintf("%d for each core", workersPerCore)}
	case "runs":
		return bounds{1, 100_000, ""}
	case "games":
		return bounds{2, 10_000_000, ""}
	case "opening-plies":
		return bounds{0, 10_000, ""}
	case "reachable":
		return bounds{0, 100_000_000, ""}
	}
	switch command + " " + flag {
	case "perft depth":
		return bounds{1, perft.MostDepth, ""}
	case "complexity depth":
		return bounds{1, 100, ""}
	case "export vectors":
		return bounds{0, 1 << 20, ""}
	case "bench nodes":
		return bounds{1, math.MaxUint64, ""}
	}
	return bounds{0, math.MaxUint64, ""}
}

func (b bounds) check(n uint64) error {
	switch {
	case n < b.least:
		return fmt.Errorf("want at least %d", b.least)
	case n > b.most:
		return b.tooLarge()
	}
	return nil
}

func (b bounds) tooLarge() error {
	if b.why != "" {
		return fmt.Errorf("want at most %d, %s", b.most, b.why)
	}
	return fmt.Errorf("want at most %d", b.most)
}

// checkedFlag is a flag that says in plain words what is wrong with its value,
// and that holds one value: another one is refused.
type checkedFlag struct {
	pflag.Value
	bounds bounds
	given  string // empty until there is one
}

// checkFlags has every flag of a command checked, but lists, which can be given
// again.
func checkFlags(command string, flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		_, list := f.Value.(pflag.SliceValue)
		if list || f.Value.Type() == ruleListType || f.Value.Type() == namesType {
			return
		}
		limits := boundsOf(command, f.Name)
		if f.Value.Type() == "int" {
			limits.most = min(limits.most, math.MaxInt)
		}
		f.Value = &checkedFlag{Value: f.Value, bounds: limits}
		if f.DefValue == "0s" {
			f.DefValue = "0" // which is not shown
		}
	})
}

// Set reads a value.
func (f *checkedFlag) Set(text string) error {
	if f.given != "" && f.given != text {
		return fmt.Errorf("it is %s already: want one of them", bitboard.Shorten(f.given))
	}
	if err := f.check(text); err != nil {
		return err
	}
	if err := f.Value.Set(text); err != nil {
		return err
	}
	f.given = text
	return nil
}

// check looks at a value before the flag itself reads it.
func (f *checkedFlag) check(text string) error {
	switch f.Type() {
	case "int", "uint64":
		return f.bounds.read(text)
	case "duration":
		d, err := time.ParseDuration(text)
		switch {
		case err != nil:
			return errors.New("want a duration such as 10m or 1h30m, at most 290 years")
		case d < 0:
			return errors.New("want a duration of 0 or more")
		}
	case "bool":
		if _, err := strconv.ParseBool(text); err != nil {
			return errNoBool
		}
	default:
		if text == "" {
			return errors.New("want a value")
		}
	}
	return nil
}

var errNoBool = errors.New("want true or false")

// read checks the text of a whole number.
func (b bounds) read(text string) error {
	digits := strings.TrimPrefix(text, "-")
	n, err := strconv.ParseUint(digits, 0, 64)
	octal := len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9'
	switch {
	case errors.Is(err, strconv.ErrRange) && digits == text:
		return b.tooLarge()
	case err != nil && !errors.Is(err, strconv.ErrRange), octal:
		return errors.New("want a whole number")
	case digits != text && (n > 0 || err != nil):
		return fmt.Errorf("want at least %d", b.least)
	}
	return b.check(n)
}

// flagError says what is wrong with the flags of a command.
func flagError(_ *cobra.Command, err error) error {
	var (
		value   *pflag.InvalidValueError
		unknown *pflag.NotExistError
		alone   *pflag.ValueRequiredError
	)
	switch {
	case errors.As(err, &value):
		name, why := value.GetFlag().Name, errors.Unwrap(err)
		if errors.As(err, new(*strconv.NumError)) { // of --help, which cobra adds
			why = errNoBool
		}
		if value.GetValue() == "" {
			return misuse(name, "--%s is empty: %w", name, why)
		}
		return misuse(name, "--%s %s: %w", name, bitboard.Shorten(value.GetValue()), why)
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		name := bitboard.Shorten(unknown.GetSpecifiedShortnames())
		return misuse(name, "unknown flag: -%s", name)
	case errors.As(err, &unknown):
		name := bitboard.Shorten(unknown.GetSpecifiedName())
		return misuse(name, "unknown flag: --%s", name)
	case errors.As(err, &alone):
		return misuse(alone.GetFlag().Name, "--%s: want a value", alone.GetFlag().Name)
	}
	return misuse("", "%w", err)
}

const namesType = "names"

// names are a flag for a list with commas between.
type names []string

func (n *names) Set(text string) error {
	if text == "" {
		return errors.New("want a value")
	}
	*n = append(*n, strings.Split(text, ",")...)
	return nil
}

func (n *names) String() string { return strings.Join(*n, ",") }
func (n *names) Type() string   { return namesType }

// checkGiven fails where a flag was given that the command makes no use of, or a
// list with nothing in it.
func checkGiven(cmd *cobra.Command) error {
	name := ownName(cmd)
	unused := unusedFlags(name)
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if list, ok := f.Value.(pflag.SliceValue); ok && slices.Contains(list.GetSlice(), "") {
			err = errors.Join(err, misuse(f.Name, "--%s is empty: want a value", f.Name))
		}
		if slices.Contains(unused, f.Name) {
			err = errors.Join(err, misuse(f.Name, "--%s: %s makes no use of it", f.Name, name))
		}
	})
	return err
}

// checkAlone fails where a flag is given beside another that asks for something else.
func checkAlone(cmd *cobra.Command, name string, others ...string) error {
	for _, other := range others {
		if cmd.Flags().Changed(name) && cmd.Flags().Changed(other) {
			return misuse(other, "--%s and --%s: want one of them", name, other)
		}
	}
	return nil
}

// hideUnused leaves the shared flags that mean nothing to a command out of its help. Who
// gives one is told so all the same.
func hideUnused(cmd *cobra.Command, shared *pflag.FlagSet) {
	for _, name := range unusedFlags(ownName(cmd)) {
		hidden := *shared.Lookup(name)
		hidden.Hidden = true
		cmd.Flags().AddFlag(&hidden) // in place of the shared one
	}
}

// ownName is the name of a command below paika, also of one below that: completion bash is
// completion.
func ownName(cmd *cobra.Command) string {
	for cmd.HasParent() && cmd.Parent().HasParent() {
		cmd = cmd.Parent()
	}
	return cmd.Name()
}

// unusedFlags lists the shared flags that mean nothing to a command: those that
// say which game and which tables, and how many cores and how much memory to take. How to
// print can be said everywhere.
func unusedFlags(command string) []string {
	const tables, memory, workers = "db", "memory", "workers"
	game := append([]string{"board"}, ruleFlags()...)
	switch command {
	case "perft":
		return []string{tables, memory}
	case "complexity", "win-in-one":
		return []string{tables}
	case "problems":
		return append(ruleFlags(), tables)
	case "record":
		return []string{tables, memory, workers}
	case "bench":
		return append(game, tables)
	case "games", "results", "man", "manual", "version", "jobs", "help", "completion":
		return append(game, tables, memory, workers)
	case "hub", "work":
		return game
	}
	return nil
}

// ruleFlags lists the flags that say by which rules a game is played.
func ruleFlags() []string {
	flags := []string{"rules"}
	for _, game := range catalogue.Games() {
		for _, option := range game.Options {
			flags = append(flags, option.Name)
		}
	}
	return flags
}
