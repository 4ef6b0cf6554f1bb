package complexity

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"paika/bitboard"
)

// Interval is a mean with the bounds of its 95 % confidence interval.
type Interval struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Measure is what games tell of a game's tree.
type Measure struct {
	Plies     Interval // of a game
	Shortest  int      // in plies
	Longest   int
	Branching Interval // turns of a position: all turns of all games by all plies
	ByPly     []Ply

	// Tree is log10 of b^d, with the means above. Product is the mean of log10
	// of the product of the turns at each ply of a game: b^d as if every game
	// had its own b.
	Tree, Product Interval

	First, Second int // games won by the player who moves first, and by the other
	Drawn         int // games that ended so
	Endless       int // games in which a position came again
	Nodes         uint64
}

// Ply is the number of turns at one ply, counted from 0, over the games that
// lasted so long.
type Ply struct {
	Ply   int `json:"ply"`
	Games int `json:"games"`
	Interval
}

// resamples is how often the games are drawn anew for the intervals of the
// branching and the tree (B. Efron, "Bootstrap methods", 1979): one is a
// quotient, the other a power, of means that depend on each other.
const resamples = 1000

// Summarise measures games, two or more. Its time goes with their number: a million take some half a minute. The
// error is the context's.
func Summarise(ctx context.Context, games []Record) (m Measure, err error) {
	m = Measure{Shortest: math.MaxInt}
	plies, turns, products := make([]float64, 0, len(games)), make([]float64, 0, len(games)), make([]float64, 0, len(games))
	var byPly [][]float64
	for _, g := range games {
		total, product := 0, 0.0
		for ply, n := range g.Branching {
			if ply == len(byPly) {
				byPly = append(byPly, nil)
			}
			byPly[ply] = append(byPly[ply], float64(n))
			total += n
			product += math.Log10(float64(n))
		}
		plies, turns, products = append(plies, float64(g.Plies())), append(turns, float64(total)), append(products, product)
		m.Shortest, m.Longest = min(m.Shortest, g.Plies()), max(m.Longest, g.Plies())
		m.Nodes += g.Nodes
		m.count(g)
	}
	for ply, numbers := range byPly {
		m.ByPly = append(m.ByPly, Ply{Ply: ply, Games: len(numbers), Interval: normal(numbers)})
	}
	m.Plies, m.Product = normal(plies), normal(products)
	m.Branching, m.Tree, err = bootstrap(ctx, plies, turns)
	return m, err
}

func (m *Measure) count(g Record) {
	won := g.Plies() % 2 // by the player who is to move at the end, if it is a win
	switch {
	case !g.Ended:
		m.Endless++
		return
	case g.Value == bitboard.Draw:
		m.Drawn++
		return
	case g.Value == bitboard.Loss:
		won = 1 - won
	}
	if won == 0 {
		m.First++
	} else {
		m.Second++
	}
}

// normal is the mean of numbers, with bounds by the normal distribution.
func normal(numbers []float64) Interval {
	n := float64(len(numbers))
	mean := total(numbers) / n
	var squares float64
	for _, x := range numbers {
		squares += (x - mean) * (x - mean)
	}
	const quantile = 1.959963984540054 // of 97.5 %
	around := quantile * math.Sqrt(squares/max(1, n-1)/n)
	return Interval{mean, mean - around, mean + around}
}

func total(numbers []float64) (sum float64) {
	for _, x := range numbers {
		sum += x
	}
	return sum
}

// bootstrap gives the branching, turns by plies, and log10 of its power to the
// mean length, with bounds from games drawn anew.
func bootstrap(ctx context.Context, plies, turns []float64) (branching, tree Interval, err error) {
	n := len(plies)
	measure := func(plies, turns float64) (b, tree float64) {
		if plies == 0 {
			return 0, 0 // the game is over before it begins
		}
		b = turns / plies
		return b, plies / float64(n) * math.Log10(b)
	}
	random := rand.New(rand.NewPCG(uint64(n), resamples))
	bs, trees := make([]float64, resamples), make([]float64, resamples)
	for i := range resamples {
		if err := ctx.Err(); err != nil {
			return branching, tree, err
		}
		var p, t float64
		for range n {
			game := random.IntN(n)
			p, t = p+plies[game], t+turns[game]
		}
		bs[i], trees[i] = measure(p, t)
	}
	branching.Mean, tree.Mean = measure(total(plies), total(turns))
	branching.Low, branching.High = middle(bs)
	tree.Low, tree.High = middle(trees)
	return branching, tree, nil
}

// middle gives the bounds of the middle 95 % of numbers.
func middle(numbers []float64) (low, high float64) {
	slices.Sort(numbers)
	outside := len(numbers) / 40
	return numbers[outside], numbers[len(numbers)-1-outside]
}
