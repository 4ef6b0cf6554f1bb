package catalogue

// Endgame is an ending that has a name of its own, for a page that tells of it.
type Endgame struct {
	Name   string   `json:"name"`
	Board  string   `json:"board"`
	Slices []string `json:"slices"` // that it is, the side with more to do first
	Text   string   `json:"text"`   // what there is to know of it, without tables
	Turns  int      `json:"turns"`  // of the record
	Record string   `json:"record"` // best play from its hardest win, as a game record
}

// teloNohoDimy is three against five. Its hardest win is that of the table of 5v3
// with distances.
func teloNohoDimy() Endgame {
	return Endgame{
		Name: "Telo noho dimy", Board: "9x5", Slices: []string{"5v3", "3v5"},
		Text: "Three against five: the ending of the legend, proverbially hard. With five stones and the move, " +
			"11,514,621,152 of 12,070,978,920 positions are won (95.4 %), 480,011,066 are drawn and 76,346,702 lost. " +
			"With three stones and the move, 62 % are won or drawn, most of them by a capture at hand. " +
			"The hardest win takes 111 turns: at the start one turn wins, and thirteen draw.",
		Turns: 111,
		Record: `[Game "fanorona"]
[Board "9x5"]
[Position ".WW.....W/..B.....W/W......../....B..../...B..... w"]

{Five stones win in 111 turns. All other turns here draw.}
c5-d5 d1-d2 d5-e5 e2-f2 e5-f5 c4-d4 i4-i3 d4-e4 f5-g5 e4-f4 g5-h5 f2-e3 b5-a5
e3-d4 a5-a4 d2-d1 a3-b3 d1-d2 i3-h3 d2-e1 a4-a5 e1-d2 i5-i4 d2-e1 h5-i5 e1-d2
i4-i3 d2-e1 i3-i2 e1-f2 i5-h5 f4-g4 b3-a3 g4-f4 a3-a2 f2-e1 a2-a1 e1-d2 i2-i1
d2-c2 a5-b5 c2-d2 i1-h1 d2-e2 a1-b1 e2-e3 h3-i3 d4-c3 h5-g5 c3-d2 b1-a1 e3-d4
g5-h4 f4-g4A h1-g1 d4-e4 i3-h2 e4-e5 a1-b1 g4-g5 g1-f1 g5-g4 b5-a5 d2-e3 b1-b2
g4-g5 b2-c2 e5-e4 a5-b4 e4-e5 b4-c4 e5-f5 c2-b2 f5-e5 f1-e1 e3-e2A c4-d4 e5-e4
d4-c4W e2-e3 c4-b4 e3-d3 h2-g1 g5-f4 b2-c2 f4-g4 g1-f2 g4-g5 f2-e2 g5-g4 b4-c5
g4-f4 c5-c4 d3-d4 c4-b4W f4-f3 c2-d2 f3-f2 d2-e3 f2-g2W e3-f4 g2-g1 b4-b3
g1-g2 b3-c3 g2-g1 c3-d2 g1-f1 d2-e3 f1-e1 e3-e2A
`,
	}
}
