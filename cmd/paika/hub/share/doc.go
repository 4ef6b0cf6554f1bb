// Package share shares a proof out: the upper positions stay in one place, a
// [Proof], and searches of what is below them go to [Searcher]s anywhere. It is the
// bridge between package jobs, which knows no text, and the hub, which knows no
// position types and carries all as text and files. It knows nothing of networks.
//
//	site, err := share.NewSite(ctx, subject, dir, options)      // tables, the hub's, for any number of claims
//	site, err = share.NewSupplied(ctx, subject, dir, supply, o) // the same, at a worker
//	proof, err := site.Proof(question)                          // the hub's
//	task, found := proof.Next(workers)
//	searcher, err := site.Searcher(options)                     // a worker's
//	found, err := searcher.Search(ctx, task, version, workers, file, watch)
//	part, err := proof.Check(ctx, position, verdict, at, size)  // before anything counts
//	verdict, part, err := proof.CheckGrowing(ctx, position, at) // the same, while the file is still written
//	err = proof.Take(share.Result{...})
//	part, err = proof.Write(ctx, file, path)                    // one certificate
//
// # Parts
//
// What a searcher decides it shows by a certificate of its own, a part: that the
// attacker wins from the position of the task, or that the defender does not lose from
// it. A part names no parts. The hub checks it by package proofs, as if it came from
// a stranger. Numbers of what is undecided are hints, which steer and decide nothing. So is
// what searchers tell each other on their way (Searcher.Say and Hear).
//
// The certificate of the whole question is made of the parts that its verdict rests on
// and the positions above them, by proofs.Join. It is checked once more before it is an
// answer. Where a part shows the verdict alone, the certificate is that part, which was
// checked when it came, and has its digest. A question that is refuted has such a
// certificate, too: of the opposite claim.
//
// What a searcher has found and not shown is in its transposition table. [Keeping] has that saved, for a hub
// that stops together with its workers.
//
// # Tables
//
// A task names the fingerprint of all tables of the hub's site together, and a site with
// others refuses it. [NewSite] loads all tables of a folder. [NewSupplied] loads those of
// a [Supply] and no others, and first has those fetched and stored that the folder lacks:
// slice after slice, so that it takes the disk of one file beside the tables.
//
// Tables may leave values out that follow from others by one look ahead (bitboard.Sparse):
// most of those of the largest slices. Neither a hub nor a worker fills them in. Searches look
// ahead where they come upon one, and so does the check of a part. A file has what the store
// has, compressed (tablebase.SliceFile): eight stones of Fanorona on 9x5 are 254 MB so, and
// 1,097 MB with all values.
//
// Each byte that comes is hearsay. A file is looked at whole before anything of it is stored.
// Size, counts and chunks are held against the game, the values of each chunk against its
// seal and those of all chunks against their checksum. Where a table leaves nothing out, its
// fingerprint is computed from the values, when it is stored and again when it is loaded. That
// of a table that leaves values out is of all values: it is what the hub's store has for it,
// and the hub believes its store. So two things are left open: whether values are right, and
// whether such a fingerprint is that of the values. A worker that was given wrong tables wastes
// its time, as the hub checks each part with its own. A hub whose own ones do not have the
// fingerprints that its store tells gives out a certificate that paika check refuses: that
// fills in all values and computes all fingerprints. And paika verify tells both, here as
// anywhere.
//
// A folder may have a table of an earlier build, stored without values, that a table which
// comes needs whole. It is fetched, too, and takes the other's place.
//
// A folder is completed by one process at a time; others wait, and find the tables there.
// A process that is killed leaves the slices that it has stored and the beginning of a
// file, and the next one goes on from there.
package share
