// Package prover is where search, tables and certificates meet: it decides claims
// about positions of a game, writes the certificate of one that holds, and loads the
// tables that searches and checks rely on. It works on a game's own position type.
// The text in it is that of certificates, and the names of files.
//
//	shelf, err := prover.Load(ctx, subject, dir, prover.UpTo(subject, bitboard.AllPieces), limits)
//	p := prover.New(subject, shelf, options)
//	answer, err := p.Prove(ctx, prover.Question[P]{Root: root, Side: side, Claims: claims})
//
// It stands below the command line, since nothing lower may know both the search and
// the certificates, or both the search and the tables: proofs must check what the
// search claims without sharing code with it, and solver and tablebase do not know
// each other.
//
// # Subjects
//
// A [Subject] is a game on a board under one set of rules, with its name as tables and
// certificates have it. Its game names the sides as the claims do.
//
// # Shelves
//
// A [Shelf] is tables in memory, off the Go heap. What was stored without the values of
// some positions (bitboard.Sparse) is completed for a check, and each table is named by its
// fingerprint, taken of what is in memory: the values that a check sees are those that the
// certificate names.
//
// A search asks for few of the values that are left out, and looks one turn ahead for
// these: with [LoadOptions].Ahead nothing is completed. The draw of 9x5 over tables of
// eight stones asks for 27 million of them, 20 million distinct, where 13 thousand million
// are left out, and looks at two turns for each. Such a table is named by the fingerprint
// that the store has for it. That it is right shows in the check of the certificate.
//
// A hub checks the parts of a proof so, too, by [Shelf.Stored]: it looks ahead, and takes the
// store's word for what tables are named. A shelf as such refuses to tell a check what it
// lacks, so that paika check can't come to rest on one.
//
// # Claims
//
// A claim is what package proofs calls so: that a side wins, or that it does not lose.
// A draw is two claims, decided one after the other by one search. The search itself
// is about an attacker who wins or does not: "White does not lose" is the question
// whether Black wins, refuted.
//
// # Searches that stop
//
// A search that ends undecided, by its limits or its context, can be saved, and the
// next goes on from there. What was saved is believed in nothing; see package
// proofnumber.
package prover
