package catalogue

import (
	"bytes"
	"embed"
	"fmt"
	"io"
	"path"

	"paika/proofs"
	"paika/proofs/walk"
)

// extracts are those that come with the program; scripts/extract-proof makes them.
//
//go:embed extracts
var extracts embed.FS

// Extracts are the proofs that come with the program, as walks: the first plies of
// certificates that were checked when they were made.
func Extracts() (walks []Walk, err error) {
	const folder = "extracts"
	entries, err := extracts.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		if path.Ext(entry.Name()) != ".extract" {
			continue
		}
		text, err := extracts.ReadFile(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		w, err := OpenExtract(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return nil, inFile(entry.Name(), err)
		}
		walks = append(walks, w)
	}
	return walks, nil
}

// OpenExtract makes a walk of an extract. Errors wrap proofs.ErrFormat unless reading
// itself failed.
func OpenExtract(at io.ReaderAt, size int64) (Walk, error) {
	e, err := proofs.ReadExtract(at, size)
	if err != nil {
		return nil, err
	}
	if len(e.Certificates) == 0 {
		return nil, fmt.Errorf("%w: the extract is of no certificate", proofs.ErrFormat)
	}
	instance, err := OpenSetting(e.Certificates[0].Header.Setting)
	if err != nil {
		return nil, err
	}
	return instance.Extract(e)
}

// Extract makes a walk of an extract about the instance.
func (n *instance[P]) Extract(e *proofs.Extract) (Walk, error) {
	w := &certificateWalk[P]{of: n}
	for i, c := range e.Certificates {
		named, h := n.naming(c.Header.Claim), c.Header
		claim, err := proofs.ParseClaim(h.Claim, named.game.SideName)
		if err == nil && h.Setting != proofs.Setting(n.identity) {
			err = &proofs.SettingError{Have: h.Setting, Want: proofs.Setting(n.identity)}
		}
		var proof *walk.Proof[P]
		if err == nil {
			proof, err = walk.NewExtract(named.game, walk.Certificate{Header: h, Book: walk.Pages(e.Records[i])})
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", proofs.ErrFormat, err)
		}
		source := named.describeSource(h, c.File, c.Checksum, c.Bytes)
		source.Status, source.Positions, source.Plies, source.Checked = ProofExtract, c.Positions, c.Plies, c.Checked
		w.groups = append(w.groups, &claimWalk[P]{text: h.Claim, claim: claim, game: named.game, first: i, proof: proof, proving: []int{i}})
		w.sources = append(w.sources, source)
	}
	return w, nil
}

// WriteExtract implements Walk.
func (w *certificateWalk[P]) WriteExtract(out io.Writer, most int, program string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := &proofs.Extract{ExtractHeading: proofs.ExtractHeading{Format: proofs.ExtractFormat}}
	for _, g := range w.groups {
		if g.proof == nil || len(g.members) != 1 {
			return fmt.Errorf("%s: want one certificate of it, without parts, that is checked", g.text)
		}
		m, source, index := g.members[0], w.sources[g.first], w.indexes[g.first]
		root, side, err := g.game.Parse(m.Header.Root)
		if err != nil {
			return err
		}
		pages, plies, err := walk.Extract(g.proof, root, side, most)
		if err != nil {
			return err
		}
		e.Certificates = append(e.Certificates, proofs.Extracted{
			Header: m.Header, File: source.Certificate, Checksum: source.Checksum, SHA256: index.Origin().SHA256, Bytes: source.Bytes,
			Plies: plies, Positions: source.Positions, Leaves: index.Checked().Leaves, Checked: source.Checked, Program: program,
		})
		e.Records = append(e.Records, pages)
	}
	return proofs.WriteExtract(out, e)
}
