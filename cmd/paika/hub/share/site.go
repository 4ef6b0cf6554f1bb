package share

import (
	"context"
	"errors"
	"fmt"
	"io"

	"paika/bitboard"
	"paika/cmd/paika/prover"
	"paika/proofs"
	"paika/solver/proofnumber"
)

// ErrOther says that a task is for another version of the program, or for other tables.
var ErrOther = errors.New("the task is for another version or other tables")

// Opener opens the site of a game for a claim: with the tables of a supply, or without
// one, with its own.
type Opener func(ctx context.Context, setting proofs.Setting, claim string, supply *Supply) (Site, error)

// Site is a game on a board under one set of rules, with tables: what a hub and a
// worker need alike. Its methods are safe for concurrent use.
type Site interface {
	// Setting is the game; Tables the fingerprint of all its tables together, and
	// Slices their number.
	Setting() proofs.Setting
	Tables() string
	Slices() int

	// Named names the tables one by one, and Export writes the file of one of them as it is
	// stored (tablebase.SliceFile), to be had by a site elsewhere. Errors of Export: ErrOther
	// where there is none such, those of opening and reading the folder, where
	// tablebase.ErrLocked says that somebody writes there, of the writer, and of ctx.
	Named() []proofs.Table
	Export(ctx context.Context, t proofs.Table, out io.Writer) error

	// Proof begins a question. Errors are those of its text, and bitboard.ErrTooManyTurns where
	// its position has more than jobs.MostTurns.
	Proof(q Question) (Proof, error)

	// Searcher makes a searcher. Nodes of a task are bounded by the task itself.
	Searcher(o SearcherOptions) (Searcher, error)

	// Close frees the tables. Nothing of the site may be in use any more.
	Close()
}

// Question is a claim about a position.
type Question struct {
	Position string
	Claim    string // as proofs.ParseClaim reads it
	Version  string // of the program: workers of another one are refused

	// Least and Most bound the nodes of a job; 0 for those of package jobs.
	Least, Most uint64

	// Workers and Memory, in bytes, are what a check may take, or prover.CheckBytes if that
	// is more.
	Workers int
	Memory  uint64

	// Borrow, if not nil, gives a check up to so many bytes beside Memory, until they are given back.
	// It may be called at any time by many.
	Borrow func(most uint64) (bytes uint64, back func())
}

// site is a Site.
type site[P comparable] struct {
	of      prover.Subject[P]
	shelf   *prover.Shelf[P]
	checked proofs.NamedTables[P] // the shelf, for checks of parts
	dir     string                // of the tables
	workers int
	memory  uint64 // bytes that the whole program may take
}

// named is the same site, with sides named as a claim does: by players, where the game has
// them and no side is called so.
func (s *site[P]) named(claim string) *site[P] {
	if _, err := proofs.ParseClaim(claim, s.of.Game.SideName); err == nil {
		return s
	}
	game, ok := s.of.Game.(bitboard.Colourless[P])
	if !ok {
		return s
	}
	players := *s
	players.of.Game = game.ByPlayers()
	if _, err := proofs.ParseClaim(claim, players.of.Game.SideName); err != nil {
		return s
	}
	return &players
}

// NewSite loads all tables of a folder, as they are stored (prover.LoadOptions.Ahead). Claims
// about them may name sides, or players where the game has them. Errors are those of
// prover.Load.
func NewSite[P comparable](ctx context.Context, of prover.Subject[P], dir string, o prover.LoadOptions) (Site, error) {
	return newSite(ctx, of, dir, prover.UpTo(of, bitboard.AllPieces), o)
}

// newSite loads the tables that are picked.
func newSite[P comparable](ctx context.Context, of prover.Subject[P], dir string, pick prover.Pick, o prover.LoadOptions) (Site, error) {
	o.Ahead = true
	shelf, err := prover.Load(ctx, of, dir, pick, o)
	if err != nil {
		return nil, err
	}
	return &site[P]{of: of, shelf: shelf, checked: shelf.Stored(), dir: dir, workers: o.Workers, memory: o.Memory}, nil
}

func (s *site[P]) Setting() proofs.Setting { return proofs.Setting(s.of.Identity) }
func (s *site[P]) Tables() string          { return Fingerprint(s.shelf.Named()) }
func (s *site[P]) Slices() int             { return len(s.shelf.Named()) }
func (s *site[P]) Named() []proofs.Table   { return s.shelf.Named() }
func (s *site[P]) Close()                  { s.shelf.Free() }

// values are what searches end at; nil where there are no tables.
func (s *site[P]) values() proofnumber.Values[P] {
	return s.of.Search(s.shelf, proofnumber.DFPN, 0).Tables
}

// admit fails where a task is for others, and says by what.
func (s *site[P]) admit(t Task, version string) error {
	switch {
	case t.Setting() != s.Setting():
		return fmt.Errorf("%w: it is about %v", ErrOther, t.Setting())
	case t.Version != version:
		return fmt.Errorf("%w: it is for version %s, this is %s", ErrOther, bitboard.Shorten(t.Version), version)
	case t.Tables != s.Tables():
		return fmt.Errorf("%w: it is for tables of %s on %s with fingerprint %s, here they have %s", ErrOther, t.Game, t.Board, bitboard.Shorten(t.Tables), s.Tables())
	}
	return nil
}

// attack is the claim that a side wins, and what holds where it does not.
func attack(text string, sideName func(bitboard.Side) string) (wins, not proofs.Claim, err error) {
	wins, err = proofs.ParseClaim(text, sideName)
	if err == nil && !wins.Wins {
		err = fmt.Errorf("the claim of a task is %s: want a win", text)
	}
	return wins, proofs.Claim{Side: wins.Side.Other()}, err
}

// shown is the claim of the certificate that shows a verdict.
func shown(v proofnumber.Verdict, wins, not proofs.Claim) proofs.Claim {
	if v == proofnumber.Proved {
		return wins
	}
	return not
}
