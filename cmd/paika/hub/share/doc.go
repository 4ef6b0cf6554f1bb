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
// # Tables
//
// A task names the fingerprint of all tables of the hub's site together, and a site with
// others refuses it. [NewSite] loads all tables of a folder. [NewSupplied] loads those of
// a [Supply] and no others, and first has those fetched and stored that the folder lacks:
// slice after slice, so that it takes the disk of one file beside the tables. A file is
// held against the game, every value of it against the file's fingerprint and counts, and
// the fingerprint of what is loaded is computed from the values. So nothing of a supply
// is believed but that its tables are right, which paika verify tells here as anywhere.
//
// A folder is completed by one process at a time; others wait, and find the tables there.
// A process that is killed leaves the slices that it has stored and the beginning of a
// file, and the next one goes on from there.
package share
