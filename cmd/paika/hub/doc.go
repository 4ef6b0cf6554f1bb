// Package hub makes proofs, and builds and verifies tables, on many machines. A [Hub] keeps
// the questions, what is known of each, and a ledger; package worker takes jobs from it
// anywhere; package client asks and fetches the certificate, or the report. How a proof is
// shared out, and why nobody need be trusted, is in package share and in package jobs below
// it; how a verification is, and what is believed, in package inspection; how a group of
// slices goes out and comes back, in package construction.
//
//	h, err := hub.Start(ctx, hub.Options{Dir: dir, Address: "127.0.0.1:4222", ...})
//	err = worker.Work(ctx, worker.Options{Access: link.Access{URL: h.URL(), ...}, ...})
//	c, err := client.Dial(link.Access{URL: h.URL(), Credentials: h.Credentials()})
//	state, err := c.Ask(ctx, question)
//
// What they say to each other is in package wire, the way to a hub in package link, who may
// talk to it in package keys, and the file of what a hub knows in package ledger. Workers and
// clients do not import this package.
//
// # What carries, and what is true
//
// Messages go by NATS, whose server runs inside the hub, unless the hub is told of another one
// (Options.NATS) and comes there as one of its users. Jobs are messages of a
// JetStream stream with one consumer, from which the hub takes them as lanes of workers ask for
// one. Who has a job says each second that it goes on, or that it is given back, and the hub tells
// the stream. What the stream hears nothing of within the lease it takes back, and hands out again.
// Queue, leases and the notice that a worker is gone are its work, not ours. The stream lies in
// memory. It is no record of anything: a hub that starts again makes it anew, and so does one whose
// server elsewhere has lost it, or whose cluster has made it anew from its first place on.
//
// True is what stands in the folder of the hub:
//
//	ledger             what was asked, found and answered, a line each
//	parts/DIGEST       certificates that were checked, each named by its SHA-256
//	built/ID/DIGEST    groups of slices that were built, until they are stored
//	proofs/ID.proof    the certificates of questions that are answered
//	incoming/          what workers are sending; goes at every start
//	tables/            what workers fetch; goes once no job needs it, and at every start
//	nats/              what the server keeps: nothing that counts
//	worker.creds       name and secret for workers and clients of this machine
//	keys/              certificates, and a key for each worker, once keys.Make made them
//
// A folder that holds other files is refused, unless a hub was there before (own_folder.go). From
// incoming and tables nothing goes but files by the names that a hub gives.
//
// # Reading the source
//
// A question goes from requests.go, where it is asked, by question.go, which has it prepared
// and concluded, to the pursuit of its kind (kind.go): proving.go, verifying.go, building.go. What
// a hub derives itself for the last two is in own.go and building_own.go; what a construction finds in
// the ledger in building_ledger.go.
// jobs.go gives jobs out and takes them back, dealing.go tells who gets the next, audit.go sees that
// none is forgotten. server.go starts the server inside the hub, and broker.go comes to it, or to one
// elsewhere, where alone.go sees that there is no other hub, and has the stream. door.go lets in who has a
// secret or a key, and queue.go has requests wait for their turns. workers.go
// and uploads.go take what workers say and send, holders.go tells who says it, shares.go how much
// of it one key may. early.go has a part checked while it comes, as growing.go reads it. results.go judges
// what has come, with the pursuit: proving_results.go, with showing.go and turns.go, and
// building_results.go. folder.go has the files, repair.go makes a ledger anew,
// clearing.go removes a folder with nothing in it, room.go shares memory, offer.go lends tables, and
// disk.go says what waits for room on a disk.
// noticing.go has what is told, metrics.go what is counted.
//
// # Locks
//
// One mutex guards what a hub has in memory. Nobody syncs or writes a file of a worker, or waits
// for the stream, while holding it. Lines are added under it, so that they stand in the order in
// which the tree has heard of them. Jobs get their numbers under it, and are out from then on.
// They are sent beside it, in that order, and messages of those that were taken back are removed
// beside it. So a worker that is quick finds its job known, though the hub has not heard yet where
// in the stream it is. No method lets go a mutex that its caller holds: what of a judgement takes
// time is handed back to the caller, who does it then.
//
// # The ledger
//
// Lines are only ever added. Each begins with a hash of the rest, which is JSON. A line
// that is torn or changed is noticed and left out, and what follows it still counts. A
// hub that starts reads all lines again, and goes on from there: a part counts if its
// file is there and has its digest. A file is read for that once, as long as its size and time
// stay. What is accepted, decided or not, is on disk before who sent it is told: those who send
// together share a sync. Lines that the hub adds by itself, of what it derived, or of a position that
// is split since nothing comes, go along with the next of those. If they are lost, work is done twice
// and that is all. Where a sync fails the hub ends, and says why: a system may forget what it failed to write.
//
// The answer to a proof stands as long as its certificate is whole, and the tables are there that this names,
// by the fingerprints that are stored with them. A hub looks when the question is asked again, and the first
// time that it hears of it: tables may have been replaced since. An answer that does not stand counts no more,
// and the question is worked at anew, by the lines that were found with the tables that there are.
//
// Several may ask the same question. Once it is over, nobody has it taken up again for ten seconds, as long as others
// have not heard the end.
//
// # The way of a result
//
// A worker sends the file of a part in pieces, then the result, and asks again until it
// has a reply. The hub checks the part by package proofs, syncs it and moves it to its
// name to stay. Then it writes the line, takes the result up in the tree, syncs the line,
// and only then replies. After that it removes the message of the job from the stream. So a
// hub that stops anywhere in between loses no more than the time of a job. A worker that stops loses
// all that it has found and not shown, too, which is in its tables. Where a job
// is taken back or given back, what has come of its part is forgotten.
//
// A worker that puts a part together sends it meanwhile, and says under which name. So the hub reads it while the
// worker still writes (early.go), and the other workers wait: all that is left at the end is to follow the turns.
// That counts where it finds the part valid, and the result says the same of the same position.
// Whatever else comes of it, the part is checked as any other. One part at a time is
// checked so, beside the places that there are for checks: it would keep one for as long as its worker likes to
// write. Where the worker is no longer waited for, it ends with the next piece, or at the next audit.
//
// A hub that is killed between the name of a part and its line leaves a file that no line
// names. [Repair] finds such files, and checks and counts them. So it makes a ledger that
// was lost anew.
//
// # Kinds of questions
//
// A question is of a [wire.Kind]. What the kinds have in common is here: jobs, leases, the
// ledger, a hub that stops and goes on. What differs is behind an interface (kind.go): a
// proof is a tree that grows with its results (proving), a verification a list of pieces
// (verifying), a construction a list of groups of slices, each with pieces of its own (building).
//
// The answers of workers to pieces are lines of the ledger, and so is what the hub derived
// itself. A piece is named by the fingerprints of its tables, so that a hub that begins a
// verification again reads all tables, and takes up what it knows of those very values.
// That counts until there is a report. Asked again, a report that did not arrive, as the client would say, is
// given again if the tables that are read then are the same, and no line is written: a question that is asked
// without end takes no room. Else all is derived again. So it is with a construction, as long as what is stored
// is what was told. Where all workers are of the hub's own process, which nobody else reaches
// (Options.OneProcess), what they derive of a verification was derived by the hub. A piece
// of which nothing comes is derived by the hub, and one to which who has it answers three times what is
// no answer. What others say of it, or who is believed no more, costs nothing. For that, and for groups in which something
// is wrong, the hub has memory of its own: see inspection.Options.
//
// # Teams
//
// The lanes of a worker search a task together, by parallel df-pn over one table, as
// paika prove does: up to 64 are a team. A job of a proof is for a team, and a few
// more are out than there are teams: a lane that has one waits for the place of the team
// whose part is being checked.
//
// All teams are given the same position (package jobs), and tell each other what they find out:
// each worker speaks fifty times a second to those who search the same game with the same
// tables, and hears them, by messages that are lost where nobody hears them
// (proofnumber.Exchange). So they search as one large team does, as well as the line between
// them lets them. Who is given the position while nobody else has it takes turns in the order of
// the game, who joins others in one of its own: those that begin in the same order do the same
// until they hear of each other. Who decides the position sends its part, and the others are told
// to stop: the part of the question's position is the certificate. That goes on for as many nodes
// as a job may have at most, for each team. Then the position is split.
//
// What is said there is hearsay. It steers searches, and nothing that a part says rests on it:
// each step of a part was found, or found again, by who sends it. A worker that lies there leads
// the others astray, until they find out and hear it no more; or nobody, where they can't tell
// who it was.
//
// Who has decided the position says so to the hub before it puts its part together, and the other
// teams stop (showing.go): they would put together the same, and the hub may want their cores for
// its check. Teams with more lanes go on, since they may be done first. The hub gives out no job of
// the question until the part has come, or as long as its maker keeps its lease, and takes no lease
// longer than the whole question took before. Who said so and sent no part, or sent it later than that,
// is not heard again until it has sent another. So a lie costs the time that the question took, once
// for each key, and once more for each part that the key sends. Parts of one position are checked one
// after the other (turns.go): once one is taken up, the rest are not wanted.
//
// # Constructions
//
// A construction (building) is of groups of slices. A group goes out as one job once the
// slices that it needs are stored, the largest first, one to a worker at a time; a build has
// all lanes of its worker, and its memory. The file that comes back is checked, kept under
// its digest, and noted down. Nothing of it is in the tables yet: its values are derived
// again, piece by piece as a verification's, and then the group is stored. Pieces go out
// before groups, as others may wait for them. But who built a group can't have its pieces: where
// these are all that is out, a worker whose lanes wait has another group, or what else it may have.
//
// What is promised: no group is stored of which the hub knows of a wrong value, and each
// value of a group was derived by somebody other than the worker who built it: by the hub,
// or by a worker with another key. Where no other worker is there, as in an embedded hub, the
// hub derives all, and truth rests on nobody else. Otherwise it rests on those other workers
// as that of a verification does: one share in a hundred, and one of each group at least, is
// derived here, too, picked by chance once the answers are there. What a worker says it has
// found is derived here before it counts. So one worker that lies costs time: wrong values are
// found by those who derive them, and false findings by the hub. Two holders of keys that lie
// together come through where the hub happens to derive other shares only. Where workers are
// not trusted so far, paika verify without a hub has the last word.
//
// A worker is who its key is, by whatever names its processes go: they are one, and a name is
// for show. Without keys all have one secret, and a worker is who it says it is: there, two that lie
// together may be one.
//
// Who built a wrong group, or was wrong about a share, is believed no more: its groups that are not
// stored yet, and what it alone derived, go out again. It has no more jobs of the question, and
// counts no more among those who may build. What it derived of groups that are stored by then stays,
// and the hub names them. Where each worker that is there was found wrong, who asks is told so; where
// no other can come, the question fails. Where what was derived does not add up to the counts in the
// file, the hub derives the whole group.
//
// A hub that is stopped finds in the ledger which groups came, of whom, and what was derived
// of them; what is stored it finds in the tables. A worker that has too little memory for a
// group, and one that builds, leave a job to others, who have it a moment later (dealing.go). It
// is passed by for a lease, and for good where it has too little memory. So are the lanes of the
// builder of a group, for shares of it. A share waits for those who may have it as long as they are
// at work. Where nobody may, the hub derives it. Where all that are
// there have too little to build a group, it goes out no more until another comes, and who asks is told so. The
// tables are locked while a construction goes on: other questions that need them wait until it is
// over (untilFree). Proofs that have theirs in memory go on, and after a new start of the hub they
// have them first. Where another process has the tables, a question that was at work waits for them, too;
// who asks anew is told so at once, and an answer that there is stays one.
//
// A group is one job. What could be spread of it is its settling, 14 % of the time of six stones
// (2.5 of 18 s): by any number of workers no more than 1.16 times as fast, less the way of the
// values. So the longest chain of groups bounds what machines gain: 0.44 of all work up to eight
// stones of Fanorona on 9x5, 0.48 up to nine. The manual's page on hubs has the figures.
//
// # Copies, late answers, lies
//
// A worker says every two seconds that it is there, and hears the number of the hub's start, or that
// it is refused, as where the hub has another version since. Once that is another, its lanes no
// longer wait for jobs of the start before. Its searches of that time end, but for those that have a
// verdict: no undecided answer would count, and the table keeps what was found. Groups that it
// builds, and shares, go on until the hub says that it does not want them.
//
// A result whose question is being prepared has its answer once that is over. Where the question waits
// for memory, which may take days, its job goes out again later: a lane that waited for that would be
// missing to the question that has the memory. The worker keeps what it can go on from.
//
// A lease has a number: of the hub's start, and of the delivery. An undecided answer counts if it
// comes from the last lease of a job that is out; from an older one it is counted as stale. A part
// counts whenever it comes, whoever sends it, if it is valid and a line of play that is not decided
// comes to its position. Every other one is counted as a copy without a check, which would change
// nothing, and not kept. A part that is not valid is rejected, and the job goes out again, as it does where
// its worker refuses it: to others, for a lease, before that worker, which would have it again at once without
// end. Who asks again about a file that was rejected hears so again. A job that was handed out five times in vain
// is split, as one that came back undecided is, and told of: five leases of it have ended, or who had
// it has given it back, or refused it, or has come to nothing by less than half of its nodes. What a worker leaves to
// others, and what goes to a lane that is gone, nobody has had: it does not count. That a proof's is
// split counts as the word of who had it last (see below): where it has had too many split, the job is
// left to others. A job that a worker keeps for sixty leases is split, too, whatever the worker says. A
// job whose message is gone without a result goes out again at the next audit.
//
// A worker that lies about numbers leads the search astray and costs time. Its word that a position
// is too much for it has up to 64 positions split, until it sends a part: otherwise the upper tree
// would grow by words alone. Of the nodes that it says it has visited no more are believed than its
// lanes can have since it has the job. An answer that decides nothing by less than half of the nodes of
// its job is no line of the ledger, or words would fill that, too: a search takes all but 64 for each lane.
// They count with those of the next answer about the job. It can't make a claim true: certificates
// alone decide. One that is put together of parts is checked once more before it is an answer. A part
// that shows the answer alone was checked when it came: it is copied, and has to have its digest.
//
// # Tables
//
// A worker elsewhere needs the tables that the hub searches with. It asks which they are,
// by the fingerprint in a task. Those that its folder lacks it fetches, each as a file of
// what is stored: the hub writes it from its own folder when it is first asked for, and tells
// size, digest and a token of an hour by NATS; the bytes go by HTTPS (package tables), from the
// port behind that of NATS. As long as somebody writes to that folder, whoever asks waits. The
// worker checks and stores each before it asks for the next one (package share), and then loads
// the tables of the hub and no others. What it loaded has to show the fingerprint of the task,
// by its values where none are left out.
//
// A hub that begins to load tables for a proof tells workers which those are, by the
// fingerprints in its manifest. A worker that has nothing to do, and has all of them in its folder,
// loads them at once, beside the hub (worker/coming.go). Nothing is believed by it: the task that
// comes has the fingerprint of what the hub has loaded. Where another job comes instead, the
// loading ends.
//
// Of a verification, a table travels as it is stored, without the values that are left
// out, and a worker has those of one group at a time: in memory alone, once their files are
// read, whatever tables it has in a folder.
//
// A hub that offers other tables than it has, or damaged ones, makes workers wait or go. What a
// worker fetches is bounded by what its tables take in memory, which has a limit.
//
// The hub keeps a file as long as a job may need it. Those of a proof go with the question. Of a
// verification they go once no group that has the table waits for answers of workers, of a
// construction once no group waits for them, or to be built, that needs it. Questions may have
// files of the same name: one stays until none of them needs it. So the files of a proof take what
// its tables take in the store, those of the others at most what all their tables would take in
// memory, which no limit bounds but the disk.
//
// # A full disk
//
// No question fails by it. What finds no room is done again until it does (disk.go): what the hub does
// itself each twelfth of a lease, what a worker sends when that sends it again. The state of a question
// says what waits, and in which folder, until room is found, or nobody has tried for a lease: who did is
// gone. Workers are told in the answers to what they send, or ask for. What can't be noted down when a
// question is asked is at no stage, and the client asks it again.
//
// # Memory
//
// A verification and a construction count with what deriving their largest group takes, and a table
// beside that, whatever tables proofs about the same game have in memory: they do not use those.
// Proofs about one game, board and rules share a site, which is opened for the first
// of them and closed with the last. What all sites and all upper positions take together
// is bounded (Options.Room): tables are measured before they are loaded, and a question
// that does not fit waits. Upper positions grow meanwhile, and are looked at every second.
// Where they have grown too much, the proof that was asked last gives its memory back
// and waits: all that it knew is in the ledger, from which it is told anew. A question that
// has outgrown the bound alone fails. The bytes of upper positions are an estimate, of what
// was measured for each.
//
// Each check has its share beside that. One of a large file takes several passes with it: it borrows what it
// lacks for a single one, half of what questions leave at the most, and gives it back at its end. That of a part
// that still comes borrows all that it may, as nobody knows how large the part will be, and has it as long as the part
// is written. Where a question lacks it, that check ends: the part is checked once it is there.
//
// # Who may do what
//
// Everyone needs a secret: the one in worker.creds on this machine, a key of one's own
// from elsewhere. With it one can ask, send and take jobs, and hear the replies to oneself;
// what is not allowed is denied: one can't publish a job or say anything to the stream. Nor does
// the hub do it for them: it answers into inboxes alone. Who may work may ask, and costs the hub
// time and disk at worst. Uploads, names, questions without an answer and jobs that are out are bounded, and so is
// their memory. Questions that are over are not: they stay, as their answers are asked for again. Each takes
// some 700 bytes of memory beside its lines of the ledger, and more where its texts or its report are long. A hub
// goes through them for a new question and for the metrics alone.
//
// Of each of these a key has a share (shares.go), so that its holder leaves others theirs, and is
// told which when it wants more: an eighth of the files that are sent, a quarter of their bytes
// and what its largest file has beyond that, a quarter of the questions without an answer and of
// the results that are judged, a sixteenth of the workers, and for all of these together as many
// lanes as one worker may have: one that comes with more hears how many of them have jobs, or is
// refused. The secret of one machine has no share.
//
// A server inside the hub takes connections that leave files for all else, and a key has 128 of them
// (door.go). Requests of a subject wait in one queue, from which keys have their turns: who sends many waits for
// itself. Of each subject a key has as many as one worker has lanes, and of the bytes of all a quarter. What is
// more is dropped, counted, and asked again (queue.go). Where all have one secret, that goes for each process.
// All who wait for a status have the same one. Who does not read what it is sent is cut off (slow.go).
// A connection has 64 subscriptions, since what somebody publishes is copied for each.
//
// What a key can bring about as often as it likes is told some times a minute, and then how often it
// came (noticing.go): the log is on the disk, too.
//
// Of the jobs that are out a key has no more than its workers have lanes, which are fewer than the
// jobs (dealing.go). The next goes to the key that has the fewest. So whoever takes all that it
// gets, and answers nothing, takes no lane's work away. What it has is missing in the end: a share
// of a verification goes to a lane of another key that has nothing to do after five leases, a group
// to be built after three hundred, and all teams have the same position of a proof anyway.
//
// A lease is of a key. What another says of the job is not heard: neither that it goes on, nor that
// it is given back, nor an answer that decides nothing.
//
// Without keys the hub listens on this machine alone, and refuses an address that others
// reach. keys.Make makes an authority, a certificate of the server, and an NKey for each
// worker, a pair of which the hub has the public half. A hub with keys encrypts by TLS
// 1.3 and lets in those keys alone.
//
// Who speaks stands in the subject, as is usual with NATS: behind it comes the speaker's name,
// the public half of its key, and the server lets a key publish under its own alone. The hub
// finds the name that keys.Make was told, and believes a worker, or not, under that name: in the
// ledger, in audits, in who may derive what somebody built. It answers into the inbox of who
// asks, and not of another.
package hub
