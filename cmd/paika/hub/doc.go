// Package hub makes proofs, and verifies tables, on many machines. A [Hub] keeps the
// questions, what is known of each, and a ledger; [Work] takes jobs from it anywhere; a
// [Client] asks and fetches the certificate, or the report. How a proof is shared out, and
// why nobody need be trusted, is in package share and in package jobs below it; how a
// verification is, and what is believed, in package inspection.
//
//	h, err := hub.Start(ctx, hub.Options{Dir: dir, Address: "127.0.0.1:4222", ...})
//	err = hub.Work(ctx, hub.WorkerOptions{URL: h.URL(), ...})
//	c, err := hub.Dial(ctx, url, credentials)
//	state, err := c.Ask(ctx, question)
//
// # What carries, and what is true
//
// Messages go by NATS, whose server runs inside the hub. Jobs are messages of a
// JetStream stream with one consumer: it hands each to one worker, takes back what is
// not acknowledged within the lease, and hands it to the next. Queue, leases and the
// notice that a worker is gone are its work, not ours. The stream lies in memory. It is
// no record of anything: a hub that starts again makes it anew.
//
// True is what stands in the folder of the hub:
//
//	ledger             what was asked, found and answered, a line each
//	parts/DIGEST       certificates that were checked, each named by its SHA-256
//	proofs/ID.proof    the certificates of questions that are answered
//	incoming/          what workers are sending; emptied at every start
//	tables/            what workers fetch; emptied at every start
//	nats/              what the server keeps: nothing that counts
//	worker.creds       name and secret for workers and clients of this machine
//	keys/              certificates, and a key for each worker, once MakeKeys made them
//
// # Locks
//
// One mutex guards what a hub has in memory. Nobody syncs or writes a file of a worker
// while holding it. Lines are added under it, so that they stand in the order in which
// the tree has heard of them, and jobs are published under it, within the process.
//
// # The ledger
//
// Lines are only ever added. Each begins with a hash of the rest, which is JSON. A line
// that is torn or changed is noticed and left out, and what follows it still counts. A
// hub that starts reads all lines again, and goes on from there: a part counts if its
// file is there and has its digest. Lines about what is decided are on disk before
// anyone is told; those about undecided positions go along with the next of them, and if
// they are lost, work is done twice and that is all.
//
// # The way of a result
//
// A worker sends the file of a part in pieces, then the result, and asks again until it
// has a reply. The hub checks the part by package proofs, syncs it and moves it to its
// name to stay. Then it writes the line, takes the result up in the tree, syncs the line,
// and only then replies. The worker acknowledges the message of the job after that. So a
// hub or a worker that stops anywhere in between loses no more than the time of a job.
//
// A hub that is killed between the name of a part and its line leaves a file that no line
// names. [Repair] finds such files, and checks and counts them. So it makes a ledger that
// was lost anew.
//
// # Kinds of questions
//
// A question is of a [Kind]. What the kinds have in common is here: jobs, leases, the
// ledger, a hub that stops and goes on. What differs is behind an interface (kind.go): a
// proof is a tree that grows with its results (proving), a verification a list of pieces
// (verifying).
//
// The answers of workers to pieces are lines of the ledger, and so is what the hub derived
// itself. A piece is named by the fingerprints of its tables, so that a hub that begins a
// verification again reads all tables, and takes up what it knows of those very values.
// That counts until the client says that the report has arrived: asked again, all is
// derived again. A piece of which nothing comes is derived by the hub. For that, and for
// groups in which something is wrong, the hub has memory of its own: see
// inspection.Options.
//
// # Teams
//
// The lanes of a worker search a task together, by parallel df-pn over one table, as
// paika prove does: up to eight are a team. A job of a proof is for a team, and a few
// more are out than there are teams: a lane that has one waits for the place of the team
// whose part is being checked. For a lone team the hub splits nothing (package jobs), so
// that it searches as paika prove does, and shows what it finds once: the part of the
// question's position is the certificate. That goes on for as many nodes as a job may
// have at most. So a lone worker that is stopped loses the time of one such job, too.
//
// # Copies, late answers, lies
//
// A lease has a number: of the hub's start, and of the delivery. An undecided answer
// counts if it comes from the last lease of a job that is out; from an older one it is
// counted as stale. A part counts whenever it comes, whoever sends it, if it is valid and
// a line of play that is not decided comes to its position; every other one is counted as
// a copy, and not kept. A part that is
// not valid is rejected, and the job goes out again. A job that was handed out five times
// in vain is split, as one that came back undecided is, and told of. So is one that a
// worker keeps for sixty leases, whatever it says. A job whose message is gone without a
// result goes out again at the next audit.
//
// A worker that lies about numbers leads the search astray and costs time. It can't make
// a claim true: certificates alone decide, and the whole one is checked once more before
// it is an answer.
//
// # Tables
//
// A worker elsewhere needs the tables that the hub searches with. It asks which they are,
// by the fingerprint in a task. Those that its folder lacks it fetches, each as a flat
// file: the hub writes it from its memory when it is first asked for, and tells size,
// digest and a token of an hour by NATS; the bytes go by HTTPS (package tables), from the
// port behind that of NATS. The worker checks and stores each before it asks for the next
// one (package share), and then loads the tables of the hub and no others. What it loaded
// has to show the fingerprint of the task by its values.
//
// Of a verification, a table travels as it is stored, without the values that are left
// out, and a worker has those of one group at a time: in memory alone, whatever tables it
// has in a folder.
//
// A hub that offers other tables than it has, or damaged ones, makes workers wait or go.
// Disk is bounded on both sides by what the tables take in memory, which has a limit.
//
// # Memory
//
// Questions about one game, board and rules share a site, which is opened for the first
// of them and closed with the last. What all sites and all upper positions take together
// is bounded (Options.Room): tables are measured before they are loaded, and a question
// that does not fit waits. Upper positions grow meanwhile, and are looked at every second.
// Where they have grown too much, the question that was asked last gives its memory back
// and waits: all that it knew is in the ledger, from which it is told anew. A question that
// has outgrown the bound alone fails. The bytes of upper positions are an estimate, of what
// was measured for each.
//
// # Who may do what
//
// Everyone needs a secret: the one in worker.creds on this machine, a key of one's own
// from elsewhere. With it one can ask, send and take jobs, and hear the replies to oneself;
// what is not allowed is denied: one can't publish a job or touch the stream. Who may work
// may ask, and costs the hub time and disk at worst: uploads, names, questions and jobs
// that are out are bounded, and so is memory.
//
// Without keys the hub listens on this machine alone, and refuses an address that others
// reach. [MakeKeys] makes an authority, a certificate of the server, and an NKey for each
// worker, a pair of which the hub has the public half. A hub with keys encrypts by TLS
// 1.3 and lets in those keys alone.
package hub
