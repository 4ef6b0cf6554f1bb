package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"paika/bitboard"
	"paika/tablebase"
)

// RuleOption is a rule that sources differ on. The first value is the default.
type RuleOption struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
	Text   string   `json:"text"`

	// With is a choice, name=value, of another option that this one needs to
	// have a meaning, or empty.
	With string `json:"with,omitempty"`
}

// Default is the value that the rule has where nothing is said.
func (o RuleOption) Default() string { return o.Values[0] }

// ParseRules reads rule options by name, as bitboard.ParseOptions does. An empty
// text is the game's own rules.
func ParseRules(text string) (map[string]string, error) {
	rules := make(map[string]string)
	if text == "" {
		return rules, nil
	}
	return rules, AddRules(rules, text)
}

// AddRules reads rule options and adds them to others. One that has another value
// already is an error: nobody could tell which is meant.
func AddRules(rules map[string]string, text string) error {
	options, err := bitboard.ParseOptions(text)
	for _, o := range options {
		if err == nil {
			err = AddRule(rules, o)
		}
	}
	return err
}

// AddRule adds one rule option to others, as AddRules does.
func AddRule(rules map[string]string, o bitboard.Option) error {
	if before, given := rules[o.Name]; given && before != o.Value {
		return fmt.Errorf("rule %s is %s already: want one of them", bitboard.Shorten(o.Name), bitboard.Shorten(before))
	}
	rules[o.Name] = o.Value
	return nil
}

// canonicalText writes a list of rule options, each in the one form that it has on the board. One
// that needs another to have a meaning is left out where it has its default, as in about. A list
// that can't be read, or is not in the order of the game's options, is none.
func (g Game) canonicalText(board, text string) string {
	options, err := bitboard.ParseOptions(text)
	if err != nil {
		return ""
	}
	rules, last := make(map[string]string), -1
	for _, o := range options {
		at := slices.IndexFunc(g.Options, func(of RuleOption) bool { return of.Name == o.Name })
		if at <= last {
			return ""
		}
		rules[o.Name], last = o.Value, at
	}
	if size, err := g.parseBoard(board); err == nil && g.canonical != nil {
		rules = g.canonical(size, rules)
	}
	var all []string
	for _, o := range options {
		if o = (bitboard.Option{Name: o.Name, Value: rules[o.Name]}); !g.impliedDefault(o) {
			all = append(all, o.String())
		}
	}
	return strings.Join(all, ",")
}

// impliedDefault tells whether an option that needs another to have a meaning has its default.
func (g Game) impliedDefault(chosen bitboard.Option) bool {
	return slices.ContainsFunc(g.Options, func(o RuleOption) bool {
		return o.With != "" && o.Name == chosen.Name && o.Default() == chosen.Value
	})
}

// folderColon stands in the name of a folder for a colon, which not every system
// takes there.
const folderColon = "_"

// about spells out every rule option, so that what is stored under it stays
// true if a default ever changes. An option that needs another to have a meaning it spells out
// where that is not the default: this default can't change.
func (g Game) about(board bitboard.Board, rules map[string]string) about {
	a := about{board: board, folder: g.Name + "-" + board.String(), rate: g.rate}
	var all []string
	for _, option := range g.Options {
		chosen := bitboard.Option{Name: option.Name, Value: option.Default()}
		if value, ok := rules[option.Name]; ok && value != chosen.Value {
			chosen.Value = value
			a.chosen = append(a.chosen, chosen.String())
			a.folder += "," + strings.ReplaceAll(chosen.String(), ":", folderColon)
		} else if g.impliedDefault(chosen) {
			continue
		}
		all = append(all, chosen.String())
	}
	a.identity = tablebase.Identity{Game: g.Name, Board: board.String(), Rules: strings.Join(all, ",")}
	return a
}

// fromFolder finds the instance whose Folder is name.
func fromFolder(name string) (instance Instance, found bool) {
	board, text, _ := strings.Cut(name, ",")
	rules, err := ParseRules(strings.ReplaceAll(text, folderColon, ":"))
	if err != nil {
		return nil, false
	}
	for _, g := range Games() {
		size, ours := strings.CutPrefix(board, g.Name+"-")
		if !ours {
			continue
		}
		instance, err := g.Open(size, rules)
		if err == nil && instance.Folder() == name {
			return instance, true
		}
	}
	return nil, false
}
