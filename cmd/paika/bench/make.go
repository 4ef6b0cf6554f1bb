package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"paika/benchmarks"
	"paika/cmd/paika/catalogue"
	"paika/internal/lasting"
)

// recipe makes the problems of one board.
type recipe struct {
	catalogue.Recipe
	game catalogue.Game
}

// recipes lists those of all games. The place of each is its seed.
func recipes() (all []recipe) {
	for _, game := range catalogue.Games() {
		for _, r := range game.Benchmarks.Recipes {
			all = append(all, recipe{r, game})
		}
	}
	return all
}

// MakeOptions say with what problems are made.
type MakeOptions struct {
	Data    string // folder of the folders of tables; what they lack is built
	Workers int
	Memory  uint64
	Version string // of the program and of no other, for unfinished tables
	Board   string // only this one, or all
}

// MakeProblems writes the problems of a game that tables and searches give. The
// same program makes the same ones.
func MakeProblems(ctx context.Context, w io.Writer, game string, o MakeOptions) error {
	fmt.Fprintf(w, "# Made by scripts/problems: positions of random games, valued by tables, search or\n# proof.\n# game; board; rules; position; claim; source\n")
	for i, r := range recipes() {
		if r.game.Name != game || o.Board != "" && o.Board != r.Board {
			continue
		}
		problems, err := r.make(ctx, rand.New(rand.NewPCG(uint64(i), 0)), o)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", game, r.Board, err)
		}
		fmt.Fprintln(w)
		for _, p := range problems {
			if err := p.Format(w); err != nil {
				return err
			}
		}
	}
	return nil
}

// candidate is a position that may become a problem.
type candidate struct {
	position string
	claim    string
	hardness uint64 // turns to the end, or nodes of a search; 0 where unknown
	source   string
}

func (r recipe) make(ctx context.Context, random *rand.Rand, o MakeOptions) ([]benchmarks.Problem, error) {
	m, err := r.open(ctx, random, o)
	if err != nil {
		return nil, err
	}
	defer m.tables.Close()
	found, err := m.candidates(ctx)
	if err != nil {
		return nil, err
	}
	var problems []benchmarks.Problem
	drawn, err := m.draws(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range append(choose(found, r.Count), choose(drawn, r.Drawn)...) {
		problems = append(problems, benchmarks.Problem{Game: r.game.Name, Board: r.Board, Rules: r.Rules, Position: c.position, Claim: c.claim, Source: c.source})
	}
	return problems, nil
}

// maker follows a recipe.
type maker struct {
	recipe
	MakeOptions
	random   *rand.Rand
	instance catalogue.Instance
	dir      string // of the tables; empty for none
	tables   catalogue.Tables
}

// open opens tables, and builds what is missing there.
func (r recipe) open(ctx context.Context, random *rand.Rand, o MakeOptions) (*maker, error) {
	instance, err := r.game.Open(r.Board, r.Rules)
	if err != nil {
		return nil, err
	}
	m := &maker{recipe: r, MakeOptions: o, random: random, instance: instance}
	if r.From == catalogue.FromTables || r.Pieces != 0 {
		m.dir = filepath.Join(o.Data, instance.Folder())
		if _, err := instance.Build(ctx, m.dir, catalogue.BuildOptions{
			Pieces: r.Pieces, Metric: r.Metric, Workers: o.Workers, Memory: o.Memory, Version: o.Version,
		}); err != nil {
			return nil, err
		}
	}
	m.tables, err = instance.Open(m.dir, o.Workers)
	return m, err
}

// candidatesEach is how many candidates there are for a problem, about, before the
// choice; mostGames bounds the games for them.
var (
	candidatesEach = [...]int{catalogue.FromTables: 12, catalogue.FromValue: 12, catalogue.FromProofs: 4}
	mostGames      = [...]int{catalogue.FromTables: 2000, catalogue.FromValue: 400, catalogue.FromProofs: 100}
)

func (m *maker) candidates(ctx context.Context) ([]candidate, error) {
	var all []candidate
	seen := make(map[string]bool)
	for range mostGames[m.From] {
		if len(all) >= candidatesEach[m.From]*m.Count {
			break
		}
		positions, err := m.play(ctx)
		if err != nil {
			return nil, err
		}
		positions = slices.DeleteFunc(positions, func(p string) bool { return seen[p] })
		for _, p := range positions {
			seen[p] = true
		}
		if len(positions) == 0 {
			continue
		}
		value := m.look
		switch m.From {
		case catalogue.FromValue:
			value = m.search
		case catalogue.FromProofs:
			value = m.prove
		}
		found, err := value(ctx, positions)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// mostPlies ends a game at random that goes on for ever.
const mostPlies = 300

// play plays a game at random and lists its positions; where plies are asked for,
// only the one after as many of them.
func (m *maker) play(ctx context.Context) ([]string, error) {
	last := mostPlies
	if m.Plies > 0 {
		last = m.Plies + m.random.IntN(m.BeforePly-m.Plies)
	}
	var positions []string
	at := catalogue.Start
	for ply := 0; ply < mostPlies; ply++ {
		answers, err := m.tables.Turns(ctx, []string{at})
		if err == nil {
			err = answers[0].Err
		}
		if err != nil {
			return nil, err
		}
		turns := answers[0].Result.Turns
		if len(turns) == 0 {
			break
		}
		positions = append(positions, answers[0].Result.Position)
		if ply == last {
			return positions[ply:], nil
		}
		// Their order depends on what the tables hold.
		slices.SortFunc(turns, func(a, b catalogue.Turn) int { return strings.Compare(a.Turn, b.Turn) })
		at = turns[m.random.IntN(len(turns))].Position
	}
	if m.Plies > 0 {
		return nil, nil // the game was too short
	}
	return positions, nil
}

// leastTurns is how far the end of a game must be, in turns, and leastNodes how
// much a search must have looked at, for a problem.
const (
	leastTurns = 3
	leastNodes = 100
)

// look finds positions in the tables, and leaves out what is too easy.
func (m *maker) look(ctx context.Context, positions []string) ([]candidate, error) {
	values, err := m.tables.Value(ctx, positions, catalogue.ValueOptions{Workers: 1, Memory: m.Memory, Table: m.Memory / 4})
	if err != nil {
		return nil, err
	}
	probed, err := m.tables.Probe(ctx, positions)
	if err != nil {
		return nil, err
	}
	var all []candidate
	for i, v := range values {
		p := probed[i].Result
		if v.Err != nil || v.Result.Winner == nil || probed[i].Err != nil || p.Over || len(m.Slices) > 0 && !slices.Contains(m.Slices, p.Slice) {
			continue
		}
		c := candidate{position: positions[i], claim: claimOf(*v.Result.Winner), source: "table " + p.Slice}
		if p.Distance != nil {
			if *p.Distance < leastTurns {
				continue
			}
			c.hardness = uint64(*p.Distance)
			c.source += fmt.Sprintf(", %d turns", *p.Distance)
		}
		all = append(all, c)
	}
	return all, nil
}

// mostDraws bounds the drawn positions of a slice from which problems are chosen.
const mostDraws = 1 << 16

// draws lists the drawn positions of the slices named, if they are asked for.
func (m *maker) draws(ctx context.Context) (all []candidate, err error) {
	if m.Drawn == 0 {
		return nil, nil
	}
	for _, slice := range m.Slices {
		found, err := m.tables.Drawn(ctx, slice, mostDraws)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			all = append(all, candidate{position: p.Position, claim: catalogue.ClaimDraw, source: "table " + p.Slice})
		}
	}
	return all, nil
}

// search asks the game's own search.
func (m *maker) search(ctx context.Context, positions []string) ([]candidate, error) {
	values, err := m.tables.Value(ctx, positions, catalogue.ValueOptions{Workers: 1, Memory: m.Memory, Table: m.Memory / 4, Nodes: mostNodes})
	if err != nil {
		return nil, err
	}
	var all []candidate
	for i, v := range values {
		if v.Err != nil || v.Result.Winner == nil || v.Result.By != catalogue.BySearch || v.Result.Nodes < leastNodes {
			continue
		}
		all = append(all, candidate{
			position: positions[i], claim: claimOf(*v.Result.Winner), hardness: v.Result.Nodes,
			source: fmt.Sprintf("paika value: search of mobility, %d nodes", v.Result.Nodes),
		})
	}
	return all, nil
}

// mostNodes bounds each search for an answer.
const mostNodes = 400_000

// prove searches for proofs and has them checked.
func (m *maker) prove(ctx context.Context, positions []string) ([]candidate, error) {
	var all []candidate
	for _, p := range positions {
		for _, claim := range m.Claims {
			c, err := m.proveClaim(ctx, p, claim)
			if err != nil {
				return nil, err
			}
			if c.hardness >= leastNodes {
				all = append(all, c)
			}
			if c.hardness > 0 {
				break
			}
		}
	}
	return all, nil
}

// proveClaim proves one claim, if it holds: a candidate without a hardness says
// that there is no proof.
func (m *maker) proveClaim(ctx context.Context, position, claim string) (c candidate, err error) {
	folder, remove, err := lasting.TemporaryFolder("", "paika-problems-")
	if err != nil {
		return candidate{}, err
	}
	defer func() { err = errors.Join(err, remove()) }()
	proved, err := m.instance.Prove(ctx, m.dir, position, catalogue.ProveOptions{
		Claim: claim, Pieces: m.Pieces, Nodes: mostNodes, Out: filepath.Join(folder, "certificate"),
		Workers: 1, Memory: m.Memory, Table: benchmarks.SearchTable,
	})
	if err != nil && catalogue.FaultOf(err).Code != catalogue.CodeUndecided {
		return candidate{}, err
	}
	if proved.Certificate == nil {
		return candidate{}, nil
	}
	size := uint64(0)
	for _, file := range proved.Certificates {
		checked, err := m.check(ctx, file.File)
		if err != nil {
			return candidate{}, err
		}
		if !checked.Valid {
			return candidate{}, fmt.Errorf("certificate of %s of %s: %v", claim, position, checked.Findings)
		}
		size += checked.Positions
	}
	source := fmt.Sprintf("certificate, checked, %d positions, %d nodes", size, proved.Nodes)
	if m.dir != "" {
		source += fmt.Sprintf(" with tables of %d stones", m.Pieces)
	}
	return candidate{position: position, claim: claim, hardness: proved.Nodes, source: source}, nil
}

// check checks a certificate.
func (m *maker) check(ctx context.Context, path string) (catalogue.Checked, error) {
	file, err := catalogue.OpenCertificate(ctx, path, nil)
	if err != nil {
		return catalogue.Checked{}, err
	}
	defer file.Close()
	return m.instance.Check(ctx, m.dir, file, catalogue.CheckOptions{Workers: 1, Memory: m.Memory})
}

// claimOf is the claim that is true where a side, or nobody, wins.
func claimOf(winner string) string {
	if winner == catalogue.ClaimDraw {
		return catalogue.ClaimDraw
	}
	return winner + "-wins"
}

// choose takes as many candidates of each claim as there are, evenly from the
// easiest to the hardest.
func choose(all []candidate, count int) []candidate {
	byClaim := make(map[string][]candidate)
	var claims []string
	for _, c := range all {
		if byClaim[c.claim] == nil {
			claims = append(claims, c.claim)
		}
		byClaim[c.claim] = append(byClaim[c.claim], c)
	}
	slices.Sort(claims)
	var chosen []candidate
	for i, claim := range claims {
		from := byClaim[claim]
		slices.SortFunc(from, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.hardness, b.hardness), strings.Compare(a.position, b.position))
		})
		take := min((count+len(claims)-1-i)/len(claims), len(from))
		for k := 1; k <= take; k++ {
			chosen = append(chosen, from[k*len(from)/take-1])
		}
	}
	return chosen
}

// ProbePositions is how many positions the probe suite looks up.
const ProbePositions = 1000

// MakePositions writes positions of random games, as they come, that the tables hold
// which the probe suite looks up.
func MakePositions(ctx context.Context, w io.Writer, game string, o MakeOptions) (err error) {
	g, err := find(game)
	if err != nil {
		return err
	}
	stored := g.Benchmarks.Stored
	if stored == nil {
		return fmt.Errorf("%w: no tables of %s are probed", ErrNoTasks, game)
	}
	// Others in the user's folder would hold more positions.
	folder, remove, err := lasting.TemporaryFolder("", "paika-positions-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remove()) }()
	o.Data = folder
	r := recipe{catalogue.Recipe{Board: stored.Board, Pieces: stored.Pieces}, g}
	m, err := r.open(ctx, rand.New(rand.NewPCG(9, 5)), o)
	if err != nil {
		return err
	}
	defer m.tables.Close()
	written := make(map[string]bool)
	for len(written) < ProbePositions {
		positions, err := m.play(ctx)
		if err != nil {
			return err
		}
		answers, err := m.tables.Probe(ctx, positions)
		if err != nil {
			return err
		}
		for _, a := range answers {
			p := a.Result.Position
			if a.Err != nil || a.Result.Over || written[p] || len(written) == ProbePositions {
				continue
			}
			written[p] = true
			if _, err := fmt.Fprintln(w, p); err != nil {
				return err
			}
		}
	}
	return nil
}
