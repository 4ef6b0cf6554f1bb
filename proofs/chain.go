package proofs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"paika/bitboard"
)

// Source is a certificate with the name by which errors tell of it, such as its path.
type Source struct {
	Name string
	*File

	// Setting is what the header's names, in the one form that the game has for it:
	// two spellings of one rule are the same setting.
	Setting Setting
}

// ErrPart says that a certificate is given as a part and can't be one of the
// proof.
var ErrPart = errors.New("no part of this proof")

// InvalidPartError says that a certificate to be relied on does not prove its
// claim.
type InvalidPartError struct {
	Part   Source
	Report Report
}

func (e *InvalidPartError) Error() string {
	return e.Part.Name + " does not prove its claim" + e.Report.FirstFindings()
}

// mostToldFindings is how many findings an error repeats.
const mostToldFindings = 3

// FirstFindings are a few findings as the end of an error's text, each behind a semicolon.
func (r Report) FirstFindings() (text string) {
	for _, finding := range r.Findings[:min(mostToldFindings, len(r.Findings))] {
		text += "; " + finding.String()
	}
	return text
}

// Arrange orders the parts of a proof of a claim, so that each stands behind its own
// parts. Errors wrap ErrPart for a certificate of another setting or claim, one that
// is given twice, and a circle; a part that needs one which is not there is a
// *NeedError. Whether the parts prove anything is for a Chain to tell.
func Arrange(setting Setting, claim string, parts []Source) ([]Source, error) {
	if err := admitParts(setting, claim, parts); err != nil {
		return nil, err
	}
	return order(parts)
}

// Arrange orders the parts of the certificate, as the function does. All parts that it relies on
// must be there, else that is a *NeedError; and no others, which is an error that wraps ErrPart.
func (s Source) Arrange(parts []Source) ([]Source, error) {
	if err := admitParts(s.Setting, s.Header.Claim, parts); err != nil {
		return nil, err
	}
	if err := s.Among(parts); err != nil {
		return nil, err
	}
	relied := s.Behind(parts)
	for _, part := range parts {
		if !slices.ContainsFunc(relied, func(r Source) bool { return r.Part() == part.Part() }) {
			return nil, fmt.Errorf("%s: %w: nothing in it relies on that", part.Name, ErrPart)
		}
	}
	return order(parts)
}

// Behind lists those of some parts that the certificate relies on, by way of others or not.
func (s Source) Behind(parts []Source) (relied []Source) {
	known := make(map[string]bool)
	for waiting := []Source{s}; len(waiting) > 0; waiting = waiting[1:] {
		for _, need := range waiting[0].Header.Parts {
			i := slices.IndexFunc(parts, func(part Source) bool { return part.Part().Checksum == need.Checksum })
			if i >= 0 && !known[need.Checksum] {
				known[need.Checksum] = true
				relied, waiting = append(relied, parts[i]), append(waiting, parts[i])
			}
		}
	}
	return relied
}

// admitParts wants parts to be of a setting and claim, and none of them twice.
func admitParts(setting Setting, claim string, parts []Source) error {
	var given []string
	for _, part := range parts {
		if part.Setting != setting || part.Header.Claim != claim {
			return fmt.Errorf("%s: %w: it is of %s, %v", part.Name, ErrPart, bitboard.Shorten(part.Header.Claim), part.Header.Setting)
		}
		sum := part.Part().Checksum
		if i := slices.Index(given, sum); i >= 0 {
			return fmt.Errorf("%s: %w: it is given twice: %s has the same checksum", part.Name, ErrPart, parts[i].Name)
		}
		given = append(given, sum)
	}
	return nil
}

// order is Arrange, of parts that are admitted.
func order(parts []Source) ([]Source, error) {
	var ordered []Source
	for waiting := slices.Clone(parts); len(waiting) > 0; {
		ready := slices.IndexFunc(waiting, func(part Source) bool { return part.Among(ordered) == nil })
		if ready >= 0 {
			ordered = append(ordered, waiting[ready])
			waiting = slices.Delete(waiting, ready, ready+1)
			continue
		}
		for _, part := range waiting {
			if err := part.Among(parts); err != nil {
				return nil, err
			}
		}
		return nil, fmt.Errorf("%s: %w: it relies on itself, by way of its parts", waiting[0].Name, ErrPart)
	}
	return ordered, nil
}

// Among fails with a *NeedError where the certificate names a part that is not there.
func (s Source) Among(there []Source) error {
	for _, need := range s.Header.Parts {
		if !slices.ContainsFunc(there, func(part Source) bool { return part.Part().Checksum == need.Checksum }) {
			return fmt.Errorf("%s: %w", s.Name, &NeedError{Need: need, Reason: "it is missing"})
		}
	}
	return nil
}

// TablesOf lists the tables that certificates name, each once.
func TablesOf(sources []Source) (named []Table) {
	for _, s := range sources {
		for _, t := range s.Header.Tables {
			if !slices.Contains(named, t) {
				named = append(named, t)
			}
		}
	}
	return named
}

// Chain checks certificates of one game, each of which may rely on those that were
// checked before it and found valid. It is for one goroutine.
type Chain[P comparable] struct {
	setting  Setting
	game     Game[P]
	tables   NamedTables[P]
	options  Options
	progress func(name string, done, total int64)
}

// NewChain makes a chain that has checked nothing yet, for certificates of the setting,
// which is that of the game. Options are those of every
// check; their Proved and Progress are the chain's own. progress, if not nil, is told
// now and then how many bytes of how many of a certificate were read.
func NewChain[P comparable](setting Setting, game Game[P], tables NamedTables[P], o Options, progress func(name string, done, total int64)) *Chain[P] {
	o.Proved, o.Progress = make(map[string]Header), nil
	return &Chain[P]{setting, game, tables, o, progress}
}

// Check checks a certificate by its own header, however it spells the rules. Errors
// are those of the function Check, with the name.
func (c *Chain[P]) Check(ctx context.Context, s Source) (Report, error) {
	if s.Setting != c.setting {
		return Report{}, fmt.Errorf("%s: %w", s.Name, &SettingError{s.Setting, c.setting})
	}
	o := c.options
	if c.progress != nil {
		o.Progress = func(done, total int64) { c.progress(s.Name, done, total) }
	}
	report, err := Check(ctx, s.Header.Setting, c.game, c.tables, s.File, o)
	if err != nil {
		return Report{}, fmt.Errorf("%s: %w", s.Name, err)
	}
	if report.Valid() {
		c.options.Proved[report.Checksum] = report.Header
	}
	return report, nil
}

// Rely takes a certificate for proved that was checked before, with that checksum.
func (c *Chain[P]) Rely(sum string, header Header) { c.options.Proved[sum] = header }

// CheckParts checks parts in the order of Arrange. It ends with an *InvalidPartError
// at one that is not valid, beside the reports of those before it.
func (c *Chain[P]) CheckParts(ctx context.Context, parts []Source) ([]Report, error) {
	var reports []Report
	for _, part := range parts {
		report, err := c.Check(ctx, part)
		if err != nil {
			return nil, err
		}
		if !report.Valid() {
			return reports, &InvalidPartError{part, report}
		}
		reports = append(reports, report)
	}
	return reports, nil
}
