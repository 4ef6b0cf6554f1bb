package bitboard

import (
	"fmt"
	"slices"
	"strings"
)

// Option is a rule option and the value chosen for it, by their names.
type Option struct{ Name, Value string }

func (o Option) String() string { return o.Name + "=" + o.Value }

// ParseOptions reads rule options as they are written everywhere, with at least one
// of them, and each name once: "name=value,name=value". Which names and values there are the game knows.
func ParseOptions(text string) ([]Option, error) {
	var options []Option
	for pair := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(pair, "=")
		if !found || name == "" || value == "" {
			return nil, fmt.Errorf("%s: want name=value", Quote(pair))
		}
		if slices.ContainsFunc(options, func(o Option) bool { return o.Name == name }) {
			return nil, fmt.Errorf("%s: %s stands there already", Quote(pair), Shorten(name))
		}
		options = append(options, Option{name, value})
	}
	return options, nil
}
