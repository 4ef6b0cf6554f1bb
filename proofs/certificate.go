package proofs

import (
	"errors"
	"fmt"

	"paika/bitboard"
)

// Game is what certificates need of a game: every bitboard.Game has it.
type Game[P comparable] interface {
	bitboard.Rules[P]
	bitboard.Notation[P]
	SliceOf(p P) bitboard.Slice
	ParseSlice(name string) (bitboard.Slice, error)
}

// Claim is what a certificate certifies: that a side wins, or else that it does
// not lose.
type Claim struct {
	Side bitboard.Side
	Wins bool
}

const (
	winsSuffix    = "-wins"
	notLostSuffix = "-not-lost"
)

// Text writes a claim with a game's word for the side: "white-wins",
// "white-not-lost".
func (c Claim) Text(sideName func(bitboard.Side) string) string {
	if c.Wins {
		return sideName(c.Side) + winsSuffix
	}
	return sideName(c.Side) + notLostSuffix
}

// ParseClaim reads what Text writes.
func ParseClaim(text string, sideName func(bitboard.Side) string) (Claim, error) {
	for _, c := range allClaims {
		if text == c.Text(sideName) {
			return c, nil
		}
	}
	return Claim{}, fmt.Errorf("unknown claim %s: want %s", bitboard.Quote(text), bitboard.Enumerate("or", ClaimTexts(sideName)...))
}

// allClaims are the claims that there are.
var allClaims = [...]Claim{{0, true}, {0, false}, {1, true}, {1, false}}

// ClaimTexts lists what ParseClaim reads.
func ClaimTexts(sideName func(bitboard.Side) string) []string {
	var texts []string
	for _, c := range allClaims {
		texts = append(texts, c.Text(sideName))
	}
	return texts
}

// Holds tells whether the claim holds at a position with that value for its
// side to move.
func (c Claim) Holds(toMove bitboard.Side, v bitboard.Value) bool {
	if toMove != c.Side {
		v = v.Reply()
	}
	return v == bitboard.Win || v == bitboard.Draw && !c.Wins
}

// Setting is the game that a certificate is about.
type Setting struct {
	Game  string `json:"game"`  // "fanorona"
	Board string `json:"board"` // "9x5"
	Rules string `json:"rules"` // every rule option, spelled out
}

func (s Setting) String() string {
	return fmt.Sprintf("%s on %s, rules %s", bitboard.Shorten(s.Game), bitboard.Shorten(s.Board), bitboard.Shorten(s.Rules))
}

// Header is the first line of a certificate.
type Header struct {
	Format int `json:"format"`
	Setting
	Claim  string  `json:"claim"` // "white-wins"
	Root   string  `json:"root"`  // the position that the claim is about
	Tables []Table `json:"tables"`
	Parts  []Part  `json:"parts,omitempty"`
}

// Part names a certificate of the same claim, about another position, that a
// certificate relies on.
type Part struct {
	Root     string `json:"root"`
	Checksum string `json:"checksum"` // of the file, as in its seal, in hex
}

// Table names a table that a certificate relies on.
type Table struct {
	Slice    string `json:"slice"`    // "3v2"
	Metric   string `json:"metric"`   // "wdl", "dtw"
	Checksum string `json:"checksum"` // the fingerprint of its values, in hex
}

// FormatVersion is the Header.Format that this package writes and reads.
const FormatVersion = 1

func (t Table) String() string {
	return fmt.Sprintf("the %s table of %s with fingerprint %s", bitboard.Shorten(t.Metric), bitboard.Shorten(t.Slice), bitboard.Shorten(t.Checksum))
}

// Differs says how the table that there is, by its fingerprint, is another one. A
// certificate of an early version names tables by a shorter checksum, of the bytes
// that were stored, which says nothing of a table of today.
func (t Table) Differs(have string) string {
	if len(t.Checksum) < len(have) {
		return "it is named by a checksum of an earlier version, which tables no longer have: prove the claim anew with the tables that are there, of fingerprint " + have
	}
	return "the one that is there has the fingerprint " + have
}

func (p Part) String() string {
	return fmt.Sprintf("the certificate from %s with checksum %s", bitboard.Shorten(p.Root), bitboard.Shorten(p.Checksum))
}

// NeedError says that a Table or a Part which a certificate relies on can't be
// used.
type NeedError struct {
	Need   fmt.Stringer
	Reason string
}

func (e *NeedError) Error() string {
	return fmt.Sprintf("the certificate relies on %v: %s", e.Need, e.Reason)
}

// SettingError says that a certificate is about another game, board or rules than
// those by which it was to be checked.
type SettingError struct {
	Have, Want Setting
}

func (e *SettingError) Error() string {
	return fmt.Sprintf("the certificate is about %v, not about %v", e.Have, e.Want)
}

// ErrFormat says that a file is no certificate, or one of a newer format.
var ErrFormat = errors.New("not a certificate that this program reads")

// ErrTooLong says that a certificate would have a header that no one reads.
var ErrTooLong = errors.New("the certificate relies on too much")

const (
	separator = "\t"
	endWord   = "end"
)

// endLine is the last line of a certificate.
func endLine(positions uint64) string { return fmt.Sprint(endWord, separator, positions) }
