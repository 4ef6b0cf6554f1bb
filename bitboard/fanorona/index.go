package fanorona

type index struct{}

func (x *index) init(g *Game) {}
