package catalogue

import (
	"context"
	"errors"
	"fmt"

	"paika/bitboard"
	"paika/proofs"
	"paika/proofs/walk"
	"paika/tablebase"
	"paika/tablebase/lookup"
)

// Proof is what is proved of a position. Where a claim is about players positions have the one
// to move behind them: of such a text a later question can tell who that is.
type Proof struct {
	Position string  `json:"position"`
	Over     bool    `json:"over"`
	Value    *string `json:"value"` // for the side to move; null where the claims do not tell it

	Claims       []ProvedClaim `json:"claims"`
	Turns        []ProvedTurn  `json:"turns"`        // in the order of the rules
	Certificates []ProofSource `json:"certificates"` // all about this game and board

	Untold []error `json:"-"` // of claims about players, where the position does not tell which of them is to move
}

// untold says of a claim about players that a position does not tell which of them is to move.
func untold(claim string, player func(bitboard.Side) string) error {
	return fmt.Errorf("%s: which player is to move is not told: want %s or %s behind the position", claim, player(0), player(1))
}

// byManifest is the condition of a claim that is proved by a table's value. By its manifest the table
// is the one that the certificate names. To compare its values, as a check does, takes up to minutes.
const byManifest = "if the tables are as their manifest has it: paika check tells"

// byEarlierCheck is the condition of a claim whose certificate was checked with tables that are not at
// hand any more. What is missing, or differs, follows it.
const byEarlierCheck = "if the tables that it was checked with were right: "

// What a ProvedClaim's Status can be.
const (
	ClaimProved   = "proved"
	ClaimChecking = "checking" // its certificate is not checked yet
	ClaimFailed   = "failed"   // its certificate proves nothing
	ClaimOpen     = "open"     // its certificates, all checked, do not tell
)

// ProvedClaim is a claim about the position.
type ProvedClaim struct {
	Claim       string  `json:"claim"`
	Side        string  `json:"side"` // that it is about
	Status      string  `json:"status"`
	Place       string  `json:"place"`       // where the position stands in the proof: see placeName
	Turn        *string `json:"turn"`        // that keeps the claim; null where the other side moves, or no record tells
	Rank        *uint32 `json:"rank"`        // of a record, where the claim is a win: it falls with every turn, as long as the certificate tells
	Certificate string  `json:"certificate"` // file; of several the one that the status is about
	Extract     bool    `json:"extract"`     // the first plies of it are at hand
	Reason      string  `json:"reason"`      // why the table that has the position does not tell; else empty
	Condition   string  `json:"condition"`   // of what is proved: see byManifest and byEarlierCheck; else empty
}

// ProvedTurn is a legal turn, with what is proved behind it.
type ProvedTurn struct {
	Turn     string      `json:"turn"`
	Position string      `json:"position"`
	Value    *string     `json:"value"`  // for the side that makes it, where the claims tell it
	Claims   []TurnClaim `json:"claims"` // those of the position, in their order
}

// TurnClaim is a claim behind a turn.
type TurnClaim struct {
	Claim string `json:"claim"`
	Holds bool   `json:"holds"` // it is proved there
	Keeps bool   `json:"keeps"` // this is the turn that keeps it, by the certificate
	Place string `json:"place"`
}

// placeName is the word for where a position stands in a proof.
func placeName(p walk.Place) string {
	switch p {
	case walk.Listed:
		return "certificate"
	case walk.Beyond:
		return "beyond" // the extract: the whole certificate has it
	case walk.InTable:
		return "tables"
	case walk.Ended:
		return "over"
	}
	return "outside"
}

// Prove tells what is proved of a position.
func (w *certificateWalk[P]) Prove(ctx context.Context, of Tables, position string) (Proof, error) {
	t, ok := of.(*tables[P])
	if !ok || t.instance.identity != w.of.identity {
		return Proof{}, errors.New("the tables are of another game or board")
	}
	p, side, err := t.instance.parse(position)
	if err != nil {
		return Proof{}, err
	}
	if err := t.lookup.Admit(p); err != nil {
		return Proof{}, err
	}
	written, whose := w.naming(t.instance, p, side, position)
	found := Proof{Position: written.Format(p, whose), Claims: []ProvedClaim{}, Turns: []ProvedTurn{}, Certificates: w.Sources()}
	for _, turn := range t.instance.game.Notated(p, side) {
		found.Turns = append(found.Turns, ProvedTurn{Turn: turn.Notation, Position: written.Format(turn.To, whose.Other()), Claims: []TurnClaim{}})
	}
	found.Over = len(found.Turns) == 0
	var here verdict
	after := make([]verdict, len(found.Turns))
	for _, g := range w.groups {
		mover, named := g.mover(t.instance, p, side, position)
		if !named {
			found.Untold = append(found.Untold, untold(g.text, g.game.SideName))
			continue
		}
		step, claim, err := w.step(ctx, t, g, p, mover, found.Certificates)
		if err != nil {
			return Proof{}, err
		}
		found.Claims = append(found.Claims, *claim)
		own := g.claim.Side == step.Side
		here.add(own, g.claim.Wins, claim.Status == ClaimProved)
		for i := range found.Turns {
			var turn walk.Turn[P] // nothing is known of it before the check
			if len(step.Turns) > 0 {
				turn = step.Turns[i]
			}
			found.Turns[i].Claims = append(found.Turns[i].Claims, TurnClaim{Claim: g.text, Holds: turn.Holds, Keeps: turn.Chosen, Place: placeName(turn.Place)})
			after[i].add(own, g.claim.Wins, turn.Holds)
		}
	}
	found.Value = here.value()
	for i := range after {
		found.Turns[i].Value = after[i].value()
	}
	return found, nil
}

// naming gives what writes a position, and the side to move as that names it: by players
// where a claim is about them and it is known who is to move.
func (w *certificateWalk[P]) naming(n *instance[P], p P, side bitboard.Side, position string) (written bitboard.Game[P], whose bitboard.Side) {
	for _, g := range w.groups {
		if g.game.SideName(0) == n.game.SideName(0) {
			continue
		}
		if mover, named := g.mover(n, p, side, position); named {
			return g.game, mover
		}
	}
	return n.game, side
}

// mover gives the side to move as the claim names sides. A claim about players has none where
// the position has colours, and no player behind it.
func (g *claimWalk[P]) mover(n *instance[P], p P, side bitboard.Side, position string) (mover bitboard.Side, named bool) {
	if g.game.SideName(0) == n.game.SideName(0) {
		return side, true
	}
	if _, player, ok := n.played(position, g.text); ok {
		return player, true
	}
	players, player := n.claiming(p, side)
	return player, players.game.SideName(0) == g.game.SideName(0)
}

// step is what the certificates of a claim say of a position.
func (w *certificateWalk[P]) step(ctx context.Context, t *tables[P], g *claimWalk[P], p P, side bitboard.Side, sources []ProofSource) (step walk.Step[P], claim *ProvedClaim, err error) {
	w.mu.Lock()
	proof, proving := g.proof, g.proving
	w.mu.Unlock()
	told := sources[g.first:][:max(len(g.members), 1)]
	claim = &ProvedClaim{Claim: g.text, Side: g.game.SideName(g.claim.Side), Place: placeName(walk.Outside)}
	if proof == nil {
		claim.leftBy(told)
		return walk.Step[P]{Position: p, Side: side}, claim, nil
	}
	if step, err = proof.At(p, side, t.has); err != nil {
		return step, nil, err
	}
	if step.Place == walk.InTable && step.AtHand {
		if step.Holds, err = t.holds(ctx, step.Tables, g.claim, p, side); err != nil {
			return step, nil, err
		}
	}
	claim.Place = placeName(step.Place)
	switch {
	case step.Certificate >= 0:
		claim.by(sources[proving[step.Certificate]], ClaimOpen)
		if !step.AtHand {
			claim.Reason = t.lacks(step.Tables)
		}
	case step.Holds: // the game is over
		claim.by(sources[proving[len(proving)-1]], ClaimOpen)
	default:
		claim.leftBy(told)
	}
	if step.Holds {
		claim.Status = ClaimProved
	}
	switch {
	case step.Holds && step.Place == walk.InTable:
		claim.Condition = byManifest
	case step.Holds && step.Certificate >= 0:
		if lacks := t.lacksAny(told); lacks != "" {
			claim.Condition = byEarlierCheck + lacks
		}
	}
	if step.Place == walk.Listed && g.claim.Wins {
		claim.Rank = &step.Rank
	}
	for _, turn := range step.Turns {
		if turn.Chosen {
			claim.Turn = new(turn.Notation)
		}
	}
	return step, claim, nil
}

// by says which certificate a status is about.
func (c *ProvedClaim) by(s ProofSource, status string) {
	c.Status, c.Certificate, c.Extract = status, s.Certificate, s.Status == ProofExtract
}

// leftBy is what is left to say where no certificate of a claim that is checked tells: that one is
// still to be checked, or one proves nothing, or none has the position.
func (c *ProvedClaim) leftBy(sources []ProofSource) {
	c.by(sources[len(sources)-1], ClaimOpen)
	for _, s := range sources {
		switch {
		case s.Status == ProofWaiting, s.Status == ProofChecking:
			c.by(s, ClaimChecking)
			return
		case s.Status == ProofFailed:
			c.by(s, ClaimFailed)
		}
	}
}

// has tells whether a table that a certificate names is stored, by the manifest.
func (t *tables[P]) has(named proofs.Table) bool {
	have, stored := t.fingerprint(named)
	return stored && have == named.Checksum
}

// lacks says why of tables that a certificate names none is at hand; empty where it names none.
func (t *tables[P]) lacks(named []proofs.Table) string {
	for _, table := range named {
		if have, stored := t.fingerprint(table); stored {
			return table.String() + ": " + table.Differs(have)
		}
	}
	if len(named) > 0 {
		return absent(named[0])
	}
	return ""
}

// absent says that a table is not there. Its fingerprint is left out: nobody reads it beside a position.
func absent(t proofs.Table) string {
	return fmt.Sprintf("the %s table of %s is not there", t.Metric, t.Slice)
}

// lacksAny says which table is not at hand that checked certificates of a claim name, the first of them;
// empty where all are.
func (t *tables[P]) lacksAny(of []ProofSource) string {
	for _, s := range of {
		if s.Status != ProofChecked {
			continue
		}
		for _, table := range s.Tables {
			switch have, stored := t.fingerprint(table); {
			case !stored:
				return absent(table)
			case have != table.Checksum:
				return fmt.Sprintf("the %s table of %s is another one now", table.Metric, table.Slice)
			}
		}
	}
	return ""
}

// fingerprint is that of the table of a slice in a metric, by the manifest, if it is stored.
func (t *tables[P]) fingerprint(of proofs.Table) (fingerprint string, stored bool) {
	metric, err := bitboard.ParseMetric(of.Metric)
	if err != nil || t.store == nil {
		return "", false
	}
	info, stored := t.store.Slice(metric, of.Slice)
	return info.Fingerprint, stored
}

// holds asks those of the tables that a certificate names which are at hand whether a claim holds at a
// position of theirs. A table in another metric is not asked, not even a better one.
func (t *tables[P]) holds(ctx context.Context, named []proofs.Table, claim proofs.Claim, p P, side bitboard.Side) (bool, error) {
	for _, table := range named {
		if !t.has(table) {
			continue
		}
		metric, err := bitboard.ParseMetric(table.Metric)
		if err != nil {
			return false, err
		}
		rated, err := t.lookup.In(metric).Rate(ctx, []P{p})
		switch {
		case errors.Is(err, tablebase.ErrNotStored), errors.Is(err, lookup.ErrOutOfReach):
			return false, nil
		case err != nil:
			return false, err
		case rated[0].Err != nil:
			return false, rated[0].Err
		case rated[0].Rating.Known:
			return claim.Holds(side, rated[0].Rating.Value), nil
		}
	}
	return false, nil
}

// verdict collects what claims that hold make of a position, for its side to move.
type verdict struct{ win, loss, safe, otherSafe bool }

func (v *verdict) add(own, wins, holds bool) {
	switch {
	case !holds:
	case own && wins:
		v.win = true
	case wins:
		v.loss = true
	case own:
		v.safe = true
	default:
		v.otherSafe = true
	}
}

func (v verdict) value() *string {
	switch {
	case v.win:
		return new(bitboard.Win.String())
	case v.loss:
		return new(bitboard.Loss.String())
	case v.safe && v.otherSafe:
		return new(bitboard.Draw.String())
	}
	return nil
}

// ProvedQuery is what tables and proofs say of a position together.
type ProvedQuery struct {
	Position     string   `json:"position"`
	Over         bool     `json:"over"`
	Slice        string   `json:"slice"`  // empty where the game is over or no table has it
	Metric       string   `json:"metric"` // likewise
	Value        *string  `json:"value"`  // for the side to move: by the tables, else by the proof
	Distance     *int     `json:"distance"`
	Turns        []Turn   `json:"turns"`
	Line         []string `json:"line"`
	LineComplete bool     `json:"line_complete"`
	Proof        Proof    `json:"proof"`
}

// renamed is the position's turns from tables, with the positions behind them as the proof writes
// them.
func (p *Proof) renamed(turns []Turn) []Turn {
	positions := make(map[string]string, len(p.Turns))
	for _, t := range p.Turns {
		positions[t.Turn] = t.Position
	}
	for i := range turns {
		turns[i].Position = positions[turns[i].Turn]
	}
	return turns
}

// QueryProved looks positions up in tables and proofs. A position of which neither knows
// anything has the error of Query. Where the context ends first it gives the first answers beside the
// error.
func QueryProved(ctx context.Context, t Tables, w Walk, positions []string) ([]Answer[ProvedQuery], error) {
	byTables, err := t.Query(ctx, positions)
	if err != nil {
		return nil, err
	}
	all := make([]Answer[ProvedQuery], len(positions))
	for i, position := range positions {
		all[i] = queryProved(ctx, t, w, position, byTables[i])
		if ended := ctx.Err(); ended != nil && errors.Is(all[i].Err, ended) {
			return all[:i], ended
		}
	}
	return all, nil
}

func queryProved(ctx context.Context, t Tables, w Walk, position string, q Answer[Query]) Answer[ProvedQuery] {
	proof, err := w.Prove(ctx, t, position)
	if err != nil {
		return Answer[ProvedQuery]{Err: err}
	}
	if q.Err == nil {
		r := q.Result
		return Answer[ProvedQuery]{Result: ProvedQuery{
			Position: proof.Position, Over: r.Over, Slice: r.Slice, Metric: r.Metric, Value: &r.Value, Distance: r.Distance,
			Turns: proof.renamed(r.Turns), Line: r.Line, LineComplete: r.LineComplete, Proof: proof,
		}}
	}
	known := false
	for _, c := range proof.Claims {
		known = known || c.Status == ClaimProved
	}
	absent := errors.Is(q.Err, tablebase.ErrNotStored) || errors.Is(q.Err, lookup.ErrOutOfReach)
	switch {
	case absent && !known && len(proof.Untold) > 0:
		return Answer[ProvedQuery]{Err: fmt.Errorf("%v; %w", proof.Untold[0], q.Err)}
	case !absent || !known:
		return Answer[ProvedQuery]{Err: q.Err}
	}
	listed, err := t.Turns(ctx, []string{position})
	if err == nil {
		err = listed[0].Err
	}
	if err != nil {
		return Answer[ProvedQuery]{Err: err}
	}
	return Answer[ProvedQuery]{Result: ProvedQuery{
		Position: proof.Position, Over: proof.Over, Value: proof.Value, Turns: proof.renamed(listed[0].Result.Turns), Line: []string{}, Proof: proof,
	}}
}
