package winone
import ("bufio";"fmt";"os";"strings";"testing";"time";"runtime";"math/rand/v2";"paika/bitboard/phutball")
func zcatch(t *testing.T, s *Solver, l phutball.Layout, lim time.Duration) quarry {
	began := cpuTime()
	r, err := s.Layout(t.Context(), l, Options{Time: lim})
	if err != nil { t.Fatal(err) }
	return quarry{l, r, cpuTime() - began}
}
func TestZZList(t *testing.T) {
	runtime.LockOSThread()
	f, err := os.Open(os.Getenv("ZZFILE"))
	if err != nil { t.Fatal(err) }
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	var total time.Duration
	lim,_ := time.ParseDuration(os.Getenv("ZLIM"))
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		line := sc.Text()
		l, err := phutball.ParseLayout(strings.TrimSpace(line[strings.LastIndex(line, ": ")+2:]), large)
		if err != nil { t.Fatal(err) }
		q := zcatch(t, s, l, lim)
		total += q.time
		str := q.String()
		fmt.Println(line[:strings.LastIndex(line, ": ")], "=>", str[:strings.LastIndex(str, ": ")])
	}
	fmt.Printf("SUM %v\n", total)
}
func TestZZScan(t *testing.T) {
	runtime.LockOSThread()
	s := NewSolver(phutball.NewGrid(large, phutball.Rules{}))
	var total, worst time.Duration
	n := 0
	lim,_ := time.ParseDuration(os.Getenv("ZLIM"))
	for i, family := range huntGrounds() {
		rng := rand.New(rand.NewPCG(*huntSeed, uint64(i)))
		for range *hunted {
			q := zcatch(t, s, family.Make(large, rng), lim)
			total += q.time
			worst = max(worst, q.time)
			n++
			if q.time > 150*time.Millisecond || !q.result.Decided { fmt.Printf("SLOW %d %s %v\n", *huntSeed, family.Name, q) }
		}
	}
	fmt.Printf("SUM seed %d: %d boards total %v worst %v\n", *huntSeed, n, total, worst)
}
