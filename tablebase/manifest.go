package tablebase

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"paika/bitboard"
)

// SliceInfo is what a manifest says of one slice. Counts are of positions,
// with symmetry undone, for the side to move.
type SliceInfo struct {
	Name            string
	Indices         uint64 // the size of its index space, gaps included
	Positions       uint64
	Win, Loss, Draw uint64
	Quiet           uint64 // positions whose value turns inside the group decide
	LongestWin      int    // turns, or bitboard.UnknownDistance
	LongestLoss     int
	Chunks          uint64
	Bytes           uint64 // of all its chunks as they are stored, compressed
	Checksum        string // XXH3 of the packed chunks, uncompressed and in order, in hex
	Fingerprint     string // of the values: see the package comment
}

// sliceRecord is a SliceInfo in JSON, with null for an unknown distance.
type sliceRecord struct {
	Name        string `json:"name"`
	Indices     uint64 `json:"indices"`
	Positions   uint64 `json:"positions"`
	Win         uint64 `json:"win"`
	Loss        uint64 `json:"loss"`
	Draw        uint64 `json:"draw"`
	Quiet       uint64 `json:"quiet"`
	LongestWin  *int   `json:"longest_win"`
	LongestLoss *int   `json:"longest_loss"`
	Chunks      uint64 `json:"chunks"`
	Bytes       uint64 `json:"bytes"`
	Checksum    string `json:"checksum"`
	Fingerprint string `json:"fingerprint"`
}

// MarshalJSON writes the form that manifests have.
func (i SliceInfo) MarshalJSON() ([]byte, error) {
	return json.Marshal(sliceRecord{i.Name, i.Indices, i.Positions, i.Win, i.Loss, i.Draw, i.Quiet,
		knownDistance(i.LongestWin), knownDistance(i.LongestLoss), i.Chunks, i.Bytes, i.Checksum, i.Fingerprint})
}

// UnmarshalJSON reads the form that manifests have.
func (i *SliceInfo) UnmarshalJSON(text []byte) error {
	var r sliceRecord
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	*i = SliceInfo{r.Name, r.Indices, r.Positions, r.Win, r.Loss, r.Draw, r.Quiet,
		distanceOrUnknown(r.LongestWin), distanceOrUnknown(r.LongestLoss), r.Chunks, r.Bytes, r.Checksum, r.Fingerprint}
	return nil
}

func knownDistance(d int) *int {
	if d == bitboard.UnknownDistance {
		return nil
	}
	return &d
}

func distanceOrUnknown(d *int) int {
	if d == nil {
		return bitboard.UnknownDistance
	}
	return *d
}

// manifestRecord is the document. Its fields are written in this order.
type manifestRecord struct {
	Game   string      `json:"game"`
	Board  string      `json:"board"`
	Rules  string      `json:"rules"`
	Metric string      `json:"metric"`
	Format int         `json:"format"`
	Slices []SliceInfo `json:"slices"`

	// Replacing are slices that were listed, and whose chunks are being replaced: lost, where no
	// writer is at it. Only then is it there.
	Replacing []string `json:"replacing,omitempty"`
}

// manifest is one metric's list of slices and the document that says the same.
// It is replaced, never changed.
type manifest struct {
	text      []byte
	slices    []SliceInfo // in the order of compareSlices
	replacing []string    // names, in any order
}

func (m manifest) find(name string) (SliceInfo, bool) {
	for _, info := range m.slices {
		if info.Name == name {
			return info, true
		}
	}
	return SliceInfo{}, false
}

// with has one slice more, that it does not list.
func (m manifest) with(info SliceInfo) manifest {
	at, _ := slices.BinarySearchFunc(m.slices, info, compareSlices)
	return manifest{
		slices:    slices.Insert(slices.Clone(m.slices), at, info),
		replacing: slices.DeleteFunc(slices.Clone(m.replacing), func(name string) bool { return name == info.Name }),
	}
}

// without has one slice less, which is replaced.
func (m manifest) without(name string) manifest {
	return manifest{
		slices:    slices.DeleteFunc(slices.Clone(m.slices), func(info SliceInfo) bool { return info.Name == name }),
		replacing: append(slices.Clone(m.replacing), name),
	}
}

func compareSlices(a, b SliceInfo) int { return CompareNames(a.Name, b.Name) }

// CompareNames orders slices as a manifest does: by the sum of the numbers in their
// names, which is the number of stones where names are "3v2" or "17", then by name.
func CompareNames(a, b string) int {
	return cmp.Or(cmp.Compare(sumOfNumbers(a), sumOfNumbers(b)), cmp.Compare(a, b))
}

func sumOfNumbers(name string) (sum uint64) {
	digits := func(r rune) bool { return r < '0' || r > '9' }
	for _, field := range bytes.FieldsFunc([]byte(name), digits) {
		n, _ := strconv.ParseUint(string(field), 10, 64)
		sum += n
	}
	return sum
}

// newManifest writes the document for a list.
func newManifest(id Identity, m bitboard.Metric, list []SliceInfo, replacing ...string) (manifest, error) {
	if list == nil {
		list = []SliceInfo{}
	}
	text, err := json.MarshalIndent(manifestRecord{
		Game: id.Game, Board: id.Board, Rules: id.Rules, Metric: m.String(),
		Format: FormatVersion, Slices: list, Replacing: replacing,
	}, "", "  ")
	return manifest{append(text, '\n'), list, replacing}, err
}

// parseManifest reads a document that belongs to this store.
func parseManifest(text []byte, id Identity, m bitboard.Metric) (manifest, error) {
	var rec manifestRecord
	if err := json.Unmarshal(text, &rec); err != nil {
		return manifest{}, err
	}
	if got := (Identity{rec.Game, rec.Board, rec.Rules}); got != id || rec.Metric != m.String() {
		return manifest{}, fmt.Errorf("it is of %s, metric %s", bitboard.Shorten(got.String()), bitboard.Shorten(rec.Metric))
	}
	return manifest{text, rec.Slices, rec.Replacing}, nil
}
