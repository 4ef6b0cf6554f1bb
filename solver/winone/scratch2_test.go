package winone

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"paika/bitboard/phutball"
	"paika/solver/winone/cdcl"
)

func TestScratchModels(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for _, m := range []int{2, 4, 6, 8, 10, 12} {
		f := CNF{Variables: 3}
		for range m {
			c := []int{}
			for range 3 {
				l := 1 + rng.IntN(3)
				if rng.IntN(2) == 0 {
					l = -l
				}
				c = append(c, l)
			}
			f.Clauses = append(f.Clauses, c)
		}
		l := FromCNF(f)
		grid := phutball.NewGrid(l.Board, phutball.Rules{})
		s := NewSolver(grid)
		copy(s.men, l.Men)
		s.clock = clock{ctx: context.Background()}
		ball, _ := grid.PlaceAt(l.Ball)
		s.root.run(s.men, ball)
		s.ban(func(t *trials) { t.support(ball) })
		s.root.run(s.men, ball)
		s.failed.reset()
		fo := newFormula(&s.mover, s.root, &s.failed, ball)
		fo.limit = ^uint64(0)
		t0 := time.Now()
		conf, models, pure, mixed, plen, mlen := 0, 0, 0, 0, 0, 0
		for time.Since(t0) < 8*time.Second {
			st, n := fo.solver.Run(1000)
			conf += n
			if st == cdcl.Unknown {
				continue
			}
			if st == cdcl.Unsatisfiable {
				fmt.Print("UNSAT ")
				break
			}
			models++
			if fo.follow() == won {
				fmt.Print("WON ")
				break
			}
			p := fo.precedence()
			for _, c := range p.cycles() {
				links := 0
				for i, e := range c {
					if nx, ok := p.next[e]; ok && nx == c[(i+1)%len(c)] {
						links++
					}
				}
				if links == len(c) {
					pure++
					plen += links
				} else {
					mixed++
					mlen += len(c)
				}
				fo.solver.Add(fo.forbid(p, c)...)
			}
		}
		fmt.Println(m, len(fo.root.edges), "conf", conf, "models", models, "pure", pure, plen/(pure+1), "mixed", mixed, mlen/(mixed+1), time.Since(t0))
	}
}
