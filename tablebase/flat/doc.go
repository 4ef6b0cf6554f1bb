// Package flat keeps a slice in a file of its own that other people's programs can
// read: with every value written out, so that a reader needs the index function of the
// game and no rules. FORMAT.md, in the folder above, specifies the files byte for byte;
// below readers there is one in C and one in Python.
//
// # A file
//
//	header      lines of text: what the slice is, its counts and its fingerprint
//	blocks      the values of 65,536 (wdl) or 16,384 (dtw) indices each, a zstd frame each
//	directory   16 bytes a block: where it stands, its length, its CRC-32
//	checksum    CRC-32 of the header and the directory
//
// A block, decompressed, is what the fingerprint of the slice is taken of
// (package tablebase): 2 bits an index in wdl, 16 in dtw. A reader finds the block of an
// index by a division, its place by the directory, and the value by a shift.
//
// # What a file depends on
//
// On the game, the board, the rules, the metric, the slice and the values, and on the
// version of the zstd library that packs the blocks: on no clock, no number of workers,
// no version of this program. A gap counts as a draw. So two builds of a slice give the
// same file, byte for byte, as long as go.mod names the same library; what two files
// say is compared by their fingerprints.
//
// # Values in full
//
// A store may leave values out that follow from others by one look ahead
// (bitboard.Sparse). A file never does: looking ahead takes the rules, and rules are
// the long part of a reader. In Fanorona's slices with seven stones, those with the
// fewest values in the store, that costs a factor: on 5x5 their files have 777,701 bytes,
// and what the store holds of them has 127,640. Slices with fewer stones cost what they
// cost in the store, and a header.
//
// # Nothing is believed
//
// A file comes from outside. [Read] takes a header only in the one form that [Write]
// gives it, and a directory only if the blocks stand one behind the other and fill the
// file. [File.Load] checks each block's checksum, frame, length and values, and
// the fingerprint of them all. [Count] finds the counts of the header anew, from the values and from the
// weights that the game gives the indices, and that gaps are draws. What is left to
// paika verify is whether the values are right.
//
// What fails is a [*FileError], which matches tablebase.ErrDamaged and wraps what is
// wrong: [ErrNotFlat], [ErrHeader], [ErrDirectory], [ErrChecksum], [ErrBlock],
// [ErrFingerprint], [ErrCounts], [ErrName]. A file of a newer format is
// tablebase.ErrNewerFormat.
//
// # Concurrency
//
// The methods of a [File] are safe for concurrent use as far as its io.ReaderAt is.
package flat
