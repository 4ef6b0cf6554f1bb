package foreign

import (
	"maps"
	"slices"

	"paika/bitboard"
	"paika/bitboard/record"
)

// rule is an option of a game.
type rule struct {
	own   string   // its value where a record names none
	there []string // the values that the other program has
}

// fanoronaRules are those of Fanorona, which has no options elsewhere.
func fanoronaRules() map[string]rule {
	return map[string]rule{"stalemate": {"loss", []string{"loss"}}, "direction-rule": {"no-repeat", []string{"no-repeat"}}}
}

// konaneRules are those of Konane where games begin by one of some openings.
func konaneRules(openings ...string) map[string]rule {
	return map[string]rule{"opening": {"traditional", openings}, "to-move": {"black", []string{"black"}}}
}

// removals are the openings of Konane in which the players remove stones. Of the turns
// that they allow, both other programs have some.
func removals() []string { return []string{"traditional", "centre-or-corner", "any"} }

// keeps fails where a record has a rule that the other program does not have.
func keeps(r *record.Record, rules map[string]rule) error {
	chosen := make(map[string]string)
	for name, rule := range rules {
		chosen[name] = rule.own
	}
	tag, _ := r.Tag(record.TagRules)
	if tag.Text != "" {
		options, err := bitboard.ParseOptions(tag.Text)
		if err != nil {
			return &record.Error{At: tag.At, Err: err}
		}
		for _, o := range options {
			chosen[o.Name] = o.Value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(chosen)) { // the same error every time
		if o := (bitboard.Option{Name: name, Value: chosen[name]}); !slices.Contains(rules[name].there, o.Value) {
			return unwritable(tag.At, "a game with the rule %s", bitboard.Shorten(o.String()))
		}
	}
	return nil
}
