// Package tablebase keeps solved slices of a game on disk, and reads values back
// position by position. Below it, the package badgerdir cares for the folder that they
// lie in, and the package verify checks every value without trusting the program that
// wrote it.
//
// # A store
//
// A [Store] is a folder that holds the tables of one game on one board under
// one set of rules, in the metric wdl, dtw, or both. It is a Badger database
// (LSM tree and value log) beside files of the package's own:
//
//	paika.json      game, board, rules and format of the store, written once
//	manifest-wdl    what is stored, one file a metric; manifest-wdl.copy is the same
//	CLOSED          names, sizes and checksums of the files a writer left behind;
//	                there only between writers
//	checkpoint-wdl-0123456789abcdef
//	                unfinished tables of a group that is being solved, one file a group and
//	                metric; gone when the group is stored (checkpoint.go), or not needed
//	                where nothing is (work.go)
//	REPLACES        beside tables that are being made to replace damaged ones: which, and
//	                at last that they are whole (replace.go)
//	LOCK            empty: what processes lock, beside the folder where that can be
//	MANIFEST, KEYREGISTRY, DISCARD, *.vlog, *.mem, *.sst
//	                Badger's
//
// All else is none of the store's: it is not looked at, recorded or missed.
//
// # Keys and values
//
//	"c" metric slice-name 0 chunk      one chunk of a slice
//
// A metric is one byte, 'w' or 'd'; a chunk number is 8 bytes, big endian, so
// that the chunks of a slice lie next to each other in rising order. Every
// value begins with 8 bytes of XXH3 over all that follows, seeded with the hash of
// its key and of the store's game, board and rules: a value that was changed, that
// stands at another key, or that belongs to other tables, is never taken for whole.
// A seal is against accidents and mistakes. Who forges one on purpose is found out by
// the verifier.
//
// A chunk holds 65,536 indices at 2 bits (wdl), or 16,384 indices as numbers
// of one or two bytes into a palette of the depths that occur (dtw); both are
// about 16 KiB, compressed with zstd. The last chunk of a slice is shorter. In wdl it
// ends with a word of 64 bits, in which nothing stands behind the last value.
//
// # Values left out
//
// Tables in wdl may leave out values that follow from other slices
// ([bitboard.Sparse]), where those are stored whole. What stands there is the value
// before, which costs next to nothing; Load brings it back as it stands, Probe looks one
// turn ahead, and never further, and the verifier derives such values before it uses
// them. Tables in dtw hold every value.
//
// So the largest slices of a build leave values out, which no other slice needs, and all
// others are whole ([Tables.ForBuild]). The largest are most of a build: of eight stones
// of Fanorona on 9x5 they take a ninth of what they would take whole. A later build of
// larger slices stores those that they need whole first ([Tables.SaveWhole]).
//
// The chunks themselves tell how a slice is stored. What a probe would have to look two
// turns ahead for, as no build leaves it, is told as damage.
//
// # Slices that travel
//
// [Tables.WriteSlice] writes a slice to a file as it is stored: its line of the manifest, and
// its chunks, compressed and sealed, without what is left out. [Tables.OpenSlice] takes such
// a file up for another store of the same game, board and rules, and [SliceFile.Import]
// stores it there, chunk by chunk as it came. That takes no memory of the slice's size and no
// time to compress or to solve. It makes the same store, byte for byte.
//
// A file comes from outside. Its size, document and chunks are held against the game before
// anything is stored: each chunk by its seal, kind, length and values, all of them by the
// checksum. Where no values are left out, these have to have the fingerprint that the file
// names, and so many wins, losses and draws. Where some are, it is taken at its word: the
// verifier tells, and so does whoever completes the table. What would take two looks ahead
// among the slices that are there is refused ([ErrLookTwice]).
//
// # Manifest
//
// Each metric has one manifest, a JSON document with the store's identity and
// what is known of every slice: its counts, longest lines, size, checksum and
// fingerprint. It is a file beside Badger's, and has a copy for repairs: each is a
// line with a checksum of the file's name and the document, and the document. Both are
// replaced once the chunks of a slice are on disk: what is stored is known whatever
// happens to the database.
//
// A slice that is stored anew is taken off the list before its chunks are replaced, once the
// disk was seen to have room for them. The manifest names it until it is back ("replacing"): one
// that a writer lost there, killed or failing, is told by the verifier and built by a repair.
//
// A slice is there if the manifest lists it, and only then; chunks of a build
// that was stopped are kept by the next where they are the same, and replaced
// where not. The document depends on the tables, and in sizes and checksums on how
// they are packed and compressed: programs that do that alike write the same, byte
// for byte, for any number of workers and whatever was killed on the way.
// Tables of different programs are compared by their fingerprints.
//
// # Fingerprints
//
// A fingerprint says whether two tables hold the same values. It depends on game,
// board, rules, metric, slice and values, and on nothing else: not on how they are
// stored, nor on what is left out of them, nor on the program. It is a SHA-256, in 64
// hex digits, and anyone can compute it who has the values.
//
// The values of a slice are written in the order of their indices, in wdl four to a
// byte, the first in the lowest two bits: 0 for a draw, 1 for a win, 2 for a loss of
// the side to move, and 0 for what is left of the last byte. In dtw each takes two
// bytes, little endian: 0 for a draw, else four times the distance in turns plus 1
// for a win or 2 for a loss. A gap, an index that stands for no position, counts as a
// draw. A value that is left out counts as what it is.
//
// They are cut into sections of 16,384 indices, the last one shorter. The
// fingerprint of the slice is the SHA-256 of these lines, each ended by a line feed,
// and then of the SHA-256 of each section, in order, 32 bytes each:
//
//	paika fingerprint 1
//	game fanorona
//	board 3x3
//	rules stalemate=loss,direction-rule=no-repeat
//	metric wdl
//	slice 2v1
//	indices 84
//
// The fingerprint of several slices of a metric, such as all of a store, is the
// SHA-256 of a text: the first five of these lines, a line "slices" with their
// number, and a line for each of them, its name, a blank and its fingerprint, in the
// order of the bytes of the names.
//
// [Tables.Save] takes the fingerprint of what it is given, whole as it is in memory.
// The verifier takes it of what is stored, and derives for it what was left out.
//
// # Guarantees
//
//   - [Tables.Save] returns nil only after the slice would survive a power cut.
//   - A slice is listed with all its chunks or not at all.
//   - What Load, Probe and Scan read was written so, or they fail with a
//     [*ChunkError] that says which chunk of which slice.
//   - A reader changes nothing. It opens a store that was closed, and no other: it
//     fails with [ErrUnclean] where the last writer was killed.
//   - A writer puts in order what a killed writer left, and loses nothing that is
//     listed: before Badger may cut a log short or remove a file, it looks whether
//     every chunk that is listed would still be found. If not, it changes nothing
//     and fails with [ErrDamaged].
//   - A store whose files were cut short, removed or changed since a writer
//     closed it fails to open, with [ErrDamaged]. Of the value log, nearly all of
//     a store, a reader looks at the sizes alone: its chunks are checked one by one.
//     A writer reads the newest file of it whole, which Badger would cut.
//   - A [Wreck] keeps every slice whose chunks are whole, whatever else is damaged:
//     it needs the value log and the manifest or its copy. Where both are lost, so
//     are its slices, as no one knows what they hold. A slice that takes two looks
//     ahead, as no build leaves it, counts as lost.
//   - A writer whose folder was moved fails with [ErrMoved], and writes nothing into what has its
//     name by then.
//   - What the system refuses is no damage. A store that was closed and can't be opened for that
//     stays closed.
//   - What a manifest claims is bounded by what is there before anything is looped
//     over or made as large as it says.
//
// These hold against accidents. Whoever can write in the folder can forge tables
// with all their checksums; only the verifier tells those.
//
// # Concurrency
//
// One writer at a time, or any number of readers, across processes: the lock
// is flock(2) on the folder, where there is such a thing, and on its file LOCK. That of the file
// holds between machines, too, as far as their file system has locks for all of them: NFS has,
// unless it is mounted with nolock or local_lock. Who is alone makes the file: a writer, and a
// repair in the damaged tables. A reader makes none: it goes without where there is none yet, or
// where the file system has no locks. Inside a process all methods of [Store], [Tables] and
// [Prober] are safe for concurrent use; calls of Save take turns.
//
// # Disk full, files cut short
//
// Badger reads and writes through memory that stands for files, where the system
// tells of a full disk, or of a file that was cut short, by a signal that ends the
// process. So (the package badgerdir does it)
//
//   - each write is preceded by a look at the free space, and fails with
//     [ErrDiskFull] while there is room to spare;
//   - on Linux, space for it is reserved in the logs;
//   - a signal in a read becomes an error. The store then leaves Badger alone: it
//     can still be read, and a writer that is closed leaves it like one that was
//     killed.
//
// Nothing half-written is listed, and the next build goes on.
//
// What remains: Badger writes tables of the LSM tree, and the first page of a log, in
// goroutines of its own and through memory, into files that are made in the moment. Nobody
// can reserve space for them, or catch the signal there. Should others take the last MiB of
// a disk after the look at it, or a file system not keep what it reserved, SIGBUS ends the
// process, with a dump of goroutines and status 2. The store is then one whose writer was
// killed: all that is listed is whole.
//
// Limits on the number of open files, on their size and on memory are looked at before Badger
// would meet them half-way: [ErrTooManyFiles], [ErrFileTooLarge], [ErrNoMemory].
package tablebase
