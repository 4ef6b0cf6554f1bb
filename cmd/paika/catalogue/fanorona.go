package catalogue

import (
	"paika/bitboard"
	"paika/bitboard/fanorona"
)

func fanoronaGame() Game {
	return Game{
		Name:   "fanorona",
		Look:   fanoronaLook(),
		Board:  "9x5",
		Limits: "3 to 9 points each way, at most 60 in all; the start position needs odd sides",
		Boards: []NamedBoard{{"telo", "3x3"}, {"dimy", "5x5"}, {"tsivy", "9x5"}},
		Options: []RuleOption{
			{"stalemate", []string{"loss", "draw"}, "what a player with stones and no legal turn gets", ""},
			{"direction-rule", []string{"no-repeat", "no-repeat-or-reverse", "never-twice"}, "directions that a capturing stone may not take again", ""},
		},
		open: opener(fanorona.ParseRules, func(a about, board bitboard.Board, rules fanorona.Rules) (Instance, error) {
			game, err := fanorona.New(board, rules)
			if err != nil {
				return nil, err
			}
			return newInstance(a, game), nil
		}),
	}
}
