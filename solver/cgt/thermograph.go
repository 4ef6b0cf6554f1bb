package cgt

// LeftStop is the number that play reaches where Left begins, both players
// alternate, Left wants it high, Right wants it low, and play ends at the first
// number.
func (u *Universe) LeftStop(g Game) Dyadic { return u.forms[g].stops[0] }

// RightStop is the number that play reaches where Right begins, as LeftStop has it.
func (u *Universe) RightStop(g Game) Dyadic { return u.forms[g].stops[1] }

// Temperature is what a move is worth in a game: the tax on moves that makes
// players indifferent. It is -1/2^k for a number with that denominator.
func (u *Universe) Temperature(g Game) Dyadic { return u.thermograph(g).temperature }

// Mean is what a game is worth on average in the sum of many copies.
func (u *Universe) Mean(g Game) Dyadic { return u.thermograph(g).mean }

// thermograph of a game: its stops under a tax of t on every move, from t = -1
// up. They meet at the temperature, in the mean, and stay there.
type thermograph struct {
	left, right       wall
	temperature, mean Dyadic
}

// wall is a function of t, linear between its corners, the first of which is at
// t = -1, with a slope behind the last.
type wall struct {
	corners []corner
	slope   int64
}

type corner struct{ t, value Dyadic }

var lowestTax = Dyadic{Numerator: -1}

func (u *Universe) thermograph(g Game) thermograph {
	if known, ok := u.thermos[g]; ok {
		return known
	}
	t := u.cool(g)
	u.thermos[g] = t
	return t
}

func (u *Universe) cool(g Game) thermograph {
	if n, is := u.Number(g); is && n.Exponent == 0 {
		mast := wall{corners: []corner{{lowestTax, n}}}
		return thermograph{left: mast, right: mast, temperature: lowestTax, mean: n}
	}
	// A game that is no integer has options of both players.
	left, right := u.thermograph(u.Left(g)[0]).right, u.thermograph(u.Right(g)[0]).left
	for _, o := range u.Left(g)[1:] {
		left = join(left, u.thermograph(o).right, func(a, b Dyadic) bool { return a.compare(b) > 0 })
	}
	for _, o := range u.Right(g)[1:] {
		right = join(right, u.thermograph(o).left, func(a, b Dyadic) bool { return a.compare(b) < 0 })
	}
	left, right = left.taxed(-1), right.taxed(1)
	meeting := meet(left, right)
	return thermograph{
		left:        left.cut(meeting),
		right:       right.cut(meeting),
		temperature: meeting.t,
		mean:        meeting.value,
	}
}

// at is the value of a wall at t.
func (w wall) at(t Dyadic) Dyadic {
	i := len(w.corners) - 1
	for i > 0 && w.corners[i].t.compare(t) > 0 {
		i--
	}
	c := w.corners[i]
	return c.value.plus(t.minus(c.t).times(w.slopeBehind(i)))
}

// slopeBehind is the slope from corner i on. Slopes of walls are integers.
func (w wall) slopeBehind(i int) int64 {
	if i == len(w.corners)-1 {
		return w.slope
	}
	rise, run := w.corners[i+1].value.minus(w.corners[i].value), w.corners[i+1].t.minus(w.corners[i].t)
	exponent := max(rise.Exponent, run.Exponent)
	return rise.over(exponent) / run.over(exponent)
}

// taxed adds a multiple of t.
func (w wall) taxed(times int64) wall {
	taxed := wall{slope: w.slope + times}
	for _, c := range w.corners {
		taxed.corners = append(taxed.corners, corner{c.t, c.value.plus(c.t.times(times))})
	}
	return taxed
}

// cut lets the wall end in a mast at a meeting.
func (w wall) cut(meeting corner) wall {
	var cut wall
	for _, c := range w.corners {
		if c.t.compare(meeting.t) < 0 {
			cut.corners = append(cut.corners, c)
		}
	}
	cut.corners = append(cut.corners, meeting)
	return cut
}

// join follows, of two walls, the one that is preferred.
func join(a, b wall, prefer func(a, b Dyadic) bool) wall {
	var joined wall
	for _, t := range crossings(a, b) {
		value := a.at(t)
		if prefer(b.at(t), value) {
			value = b.at(t)
		}
		joined.corners = append(joined.corners, corner{t, value})
	}
	last := joined.corners[len(joined.corners)-1].t
	beyond := last.plus(Dyadic{Numerator: 1})
	joined.slope = a.slope
	if prefer(b.at(beyond), a.at(beyond)) {
		joined.slope = b.slope
	}
	return joined
}

// meet is where the walls first have the same value. Left's is above Right's
// before that.
func meet(left, right wall) corner {
	for _, t := range crossings(left, right) {
		if value := left.at(t); value == right.at(t) {
			return corner{t, value}
		}
	}
	panic("cgt: the walls of a thermograph do not meet")
}

// crossings lists, rising, all t where either wall has a corner or the two
// cross. Between two of them both are linear, and do not cross.
func crossings(a, b wall) []Dyadic {
	var corners, all []Dyadic
	for i, j := 0, 0; i < len(a.corners) || j < len(b.corners); {
		switch {
		case j == len(b.corners) || i < len(a.corners) && a.corners[i].t.compare(b.corners[j].t) < 0:
			corners = append(corners, a.corners[i].t)
			i++
		case i == len(a.corners) || a.corners[i].t.compare(b.corners[j].t) > 0:
			corners = append(corners, b.corners[j].t)
			j++
		default:
			corners = append(corners, a.corners[i].t)
			i, j = i+1, j+1
		}
	}
	for k, t := range corners {
		all = append(all, t)
		gap := a.at(t).minus(b.at(t))
		end := t.plus(Dyadic{Numerator: 1})
		if k+1 < len(corners) {
			end = corners[k+1]
		}
		// The gap changes by this much for each unit of t: by 1 or 2.
		change := (a.at(end).minus(b.at(end))).minus(gap)
		width := end.minus(t)
		if change.Numerator == 0 || (gap.Numerator > 0) == (change.Numerator > 0) || gap.Numerator == 0 {
			continue
		}
		exponent := max(change.Exponent, width.Exponent)
		closing := change.over(exponent) / width.over(exponent)
		cross := t.plus(gap.negative().dividedBy(closing))
		if k+1 == len(corners) || cross.compare(end) < 0 {
			all = append(all, cross)
		}
	}
	return all
}

// dividedBy divides by ±1 or ±2.
func (d Dyadic) dividedBy(n int64) Dyadic {
	switch n {
	case 1:
		return d
	case -1:
		return d.negative()
	case 2:
		return d.half()
	}
	return d.half().negative()
}
