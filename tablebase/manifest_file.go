package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"

	"paika/bitboard"
	"paika/tablebase/internal/badgerdir"
	"paika/tablebase/internal/textfile"
)

// Manifests are files beside the database, so that what is stored is known
// whatever happens to Badger's own. They are there from the beginning. No one else
// knows what a slice holds, and so each has a copy, which is read where a damaged
// store is repaired. After a power cut it may be a slice behind.

// manifestFile begins the file's name; the metric follows.
const (
	manifestFile = "manifest-"
	copySuffix   = ".copy"
)

func manifestPath(dir string, m bitboard.Metric) string {
	return filepath.Join(dir, manifestFile+m.String())
}

// writeManifestFile writes a manifest and its copy.
func writeManifestFile(dir string, m bitboard.Metric, text []byte) error {
	if err := textfile.Write(manifestPath(dir, m), text); err != nil {
		return err
	}
	return textfile.Write(manifestPath(dir, m)+copySuffix, text)
}

// createManifests writes those of a store in which nothing is stored.
func (s *Store) createManifests() error {
	for m := range bitboard.MetricCount {
		empty, err := newManifest(s.id, m, nil)
		if err != nil {
			return err
		}
		if err := writeManifestFile(s.dir, m, empty.text); err != nil {
			return err
		}
	}
	return nil
}

// readManifests loads the manifests, before anything else is believed. The caller
// holds the lock of the folder.
func (s *Store) readManifests() error {
	room, err := s.folder.ValueLogBytes()
	if err != nil {
		return err
	}
	for m := range bitboard.MetricCount {
		path := manifestPath(s.dir, m)
		manifest, err := readManifestFile(path, s.id, m)
		if err == nil {
			err = checkRoom(manifest.slices, room)
		}
		if err != nil {
			return manifestError(path, err)
		}
		s.manifests[m] = manifest
	}
	return nil
}

func manifestError(path string, err error) error {
	dir, name := filepath.Split(path)
	dir = filepath.Clean(dir)
	if badgerdir.IsSystems(err) {
		return badgerdir.ReadError(dir, err)
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = badgerdir.ErrGone
	}
	return badgerdir.DamagedFile(dir, name, err)
}

func readManifestFile(path string, id Identity, m bitboard.Metric) (manifest, error) {
	text, err := textfile.Read(path)
	if err != nil {
		return manifest{}, err
	}
	list, err := parseManifest(text, id, m)
	if err != nil {
		return manifest{}, err
	}
	for _, name := range list.replacing {
		if err := checkSliceName(name); err != nil {
			return manifest{}, err
		}
	}
	if err := checkList(m, list.slices); err != nil {
		return manifest{}, err
	}
	return list, nil
}

// maxIndices bounds a slice: more than any table could have.
const maxIndices = 1 << 48

// leastChunkBytes is what a chunk takes beside its compressed values.
const leastChunkBytes = sealBytes + chunkHeaderBytes

// checkList refuses what no store can hold, before anything is made as large as
// the list says. What the game says of its slices is compared where the game is
// known: see checkIndices.
func checkList(m bitboard.Metric, list []SliceInfo) error {
	for i, info := range list {
		if err := checkSliceName(info.Name); err != nil {
			return err
		}
		switch {
		case !isHex(info.Checksum) || !isHex(info.Fingerprint):
			return fmt.Errorf("slice %s: checksum %s, fingerprint %s: want hex digits", info.Name, bitboard.Quote(info.Checksum), bitboard.Quote(info.Fingerprint))
		case i > 0 && compareSlices(list[i-1], info) >= 0:
			return fmt.Errorf("slice %s stands in the wrong place", info.Name)
		case info.Indices > maxIndices:
			return fmt.Errorf("slice %s: %d indices: want at most %d", info.Name, info.Indices, uint64(maxIndices))
		case info.Chunks != ChunkCount(m, info.Indices):
			return fmt.Errorf("slice %s: %s for %s, want %d", info.Name, bitboard.Count(info.Chunks, "chunk"), bitboard.Count(info.Indices, "index"), ChunkCount(m, info.Indices))
		case info.Bytes < info.Chunks*leastChunkBytes:
			return fmt.Errorf("slice %s: %s for %s", info.Name, bitboard.Count(info.Bytes, "byte"), bitboard.Count(info.Chunks, "chunk"))
		}
	}
	return nil
}

// isHex tells whether a text has the digits of a checksum alone, which are shown as they are.
func isHex(text string) bool { return strings.Trim(text, "0123456789abcdef") == "" }

// checkRoom wants the value logs to have room for the chunks of a list. This bounds
// their number by what is there, whatever the list says.
func checkRoom(list []SliceInfo, room uint64) error {
	var sum uint64
	for _, info := range list {
		if sum += info.Bytes; sum < info.Bytes || sum > room {
			return fmt.Errorf("slice %s: with it slices have more bytes than the value logs, which have %d", info.Name, room)
		}
	}
	return nil
}

// writeManifest replaces a manifest. The new one is on disk when it returns nil, and
// so must be what it lists when it is called. The caller holds s.saving.
func (s *Store) writeManifest(m bitboard.Metric, list manifest) error {
	next, err := newManifest(s.id, m, list.slices, list.replacing...)
	if err != nil {
		return err
	}
	if !s.folder.InUse() {
		return ErrClosed
	}
	if err := s.folder.CheckPlace(); err != nil {
		return err
	}
	if err := writeManifestFile(s.dir, m, next.text); err != nil {
		return s.folder.WriteError(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manifests[m], s.told[m] = next, new(sync.Map)
	return nil
}
