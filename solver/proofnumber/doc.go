// Package proofnumber answers one question for any game: does the attacker win
// from this position? Either side can be the attacker, and endless play counts
// for the defender. So "White does not lose" is the question of whether Black
// wins, refuted. It searches with proof numbers: depth first with a
// transposition table (df-pn), or best first in memory (PN, PN2).
//
//	table, err := proofnumber.NewTable(4 << 30)
//	search, err := proofnumber.New(game, table, proofnumber.Options[fanorona.Position]{
//		Tables:  proofnumber.NewMemory(game, solved),
//		Workers: 2,
//	})
//	result, err := search.Solve(ctx, position, true)
//
// # Facts and beliefs
//
// On a graph with cycles the outcome of a search depends on how it came to a
// position (the graph-history interaction problem: A. Kishimoto, M. Mueller, "A
// general solution to the graph history interaction problem", AAAI 2004). Say
// that the only turn from B leads back to A. Below A, the search takes B for
// refuted, since the game repeats itself. From elsewhere B may well be won: A may
// have another turn that wins.
//
// Repetition counts for the defender alone, so it touches only one of the two
// outcomes:
//
//   - A proof never rests on a repetition. A node is proved from nodes that were
//     proved before it, down to ends of the game and tables, so that no circle
//     can enter. Each proof has a rank higher than those it rests on. It is a
//     fact, and stays in the table as such.
//   - A refutation may rest on a repetition of a position above it. Then it is
//     a belief: the search acts on it, facts overwrite it, and no fact is ever
//     derived from it. A refutation that rests on facts alone is a fact.
//
// # Settling
//
// A belief at the root is no answer yet. Solve settles it. With the rules and the
// tables it gathers, from the root, the positions that the belief rests on. From
// that set it evicts what does not hold, until nothing changes: a greatest
// fixpoint. In what stays the defender always has a turn that stays inside, and
// the attacker has none that leaves. Such a set refutes by itself, however its
// positions were reached. So all of it becomes facts, whether the root is among
// them or not.
//
// While the set changes, a position may come in that rests on one that was evicted
// before: the search can believe in that one again. So what becomes facts has been
// checked as a whole: the last pass goes over all that is inside, brings nothing in
// and evicts nothing.
//
// What was evicted is believed no longer. The search goes on from the root, over
// more facts and fewer beliefs, until it comes to a fact or to a belief that
// stays. A round that fails has found a belief that rested on a position which
// was proved meanwhile. There are only so many of those, and so the rounds end.
//
// The set lies off the Go heap, within Options.Sets, and is built by all workers.
// One that does not fit is settled piece by piece: a piece that is closed in
// itself becomes facts, at which gathering ends.
//
// Keys have 64 bits and all of them are compared. Should two positions still
// share one, the certificate that [Search.Extract] feeds is where it shows: it is
// checked with whole positions by a program that knows nothing of this one.
//
// # Symmetry
//
// A game that is a bitboard.Symmetric has one position that stands for all its images
// under the symmetries of the board. The search finds all of them at one entry of
// the table and as one member of the set that settles. It so plays another game,
// in which a position is a class of images and a turn leads from class to class.
//
// The answers are those of the game itself. Images have turns that are images of each
// other, so that a line of one game can be followed in the other:
//
//   - A proof has a rank for every class. Each position of a class has a turn, or
//     all its turns, to classes of lower rank. So the attacker wins from each.
//   - A closed set of classes is a closed set of positions: all those of its
//     classes. The attacker can't leave it, and in each the defender has a turn that
//     stays inside. So the defender loses from none.
//
// A class that comes back on a line of play may come back as another image. The
// search takes that for a repetition: the defender who can come from a position to
// its image can go on in the same way, mirrored, for ever. As with all repetitions
// that is a belief.
//
// What [Search.Extract] emits knows nothing of classes. It walks from the root over
// positions as they are, by turns as they are, and asks the table what holds for
// their classes. Ranks fall there, too: a turn is chosen for the rank of its class,
// which is lower.
//
// A lemma is about one position and not about its images, so that with lemmas images
// differ. Such a search folds nothing. It can take up the table of one that does, in
// which all entries are of positions that stand for others or for themselves.
//
// # Hints
//
// An answer that rests on large tables has to be checked with large tables. With
// Options.Hints it need not: the search goes on below their edge, down to Tables or the
// end of the game, and asks the hints what is not worth a look. A position of which they
// say that the answer sought fails there ends the search, and is no part of that answer.
// In a refutation these are positions that the attacker wins: the defender never goes
// there. So a search that seeks a refutation has nothing but choices that hold, if the
// hints are right, and it is left to find few positions that close. A hint that is wrong
// costs an answer, or makes the other answer wrong; the structure that [Search.Extract]
// emits of the answer sought stands without hints.
//
// # Numbers
//
// The number of a node all of whose turns must fail is the largest of theirs and
// one for each other; see choose. Bounds of a child are a quarter above its
// closest rival. New nodes start with the game's own estimate, or with the mobility
// that it counts.
//
// # Workers
//
// Workers share the table, and tell each other which nodes they are on, before they
// list the turns there: two that come to a node at the same time, and know nothing of
// each other, do the same from there on. Among turns with equal numbers each takes one
// that fewer others follow. While a turn has cost little work, every worker on it makes
// it seem harder to the others, by the margin of bounds: two workers in so small a part
// would do the same within moments of each other. This is after T. Kaneko ("Parallel
// depth first proof number search", AAAI 2010), whose virtual numbers do so at every
// node.
//
// A turn that has cost more work seems the less harder, the more that is: its number
// grows slowly, a detour is long, and below it there is room for all. On 7x5, two workers
// visited up to ten times the nodes of one with full virtual numbers at every node, and 1.3
// times as many with none. As it is they visit about the same number. BenchmarkEfficiency
// measures it.
//
// Deep below a node, a worker's bounds are as old as its way there. Others may have raised
// the numbers of a node on that way meanwhile, beyond what it would go on for. So workers
// look their path up in the table now and then, and give up what is not wanted any more.
// Simulated on Konane 6x5, with half a million nodes, 64 workers took twice the work of one
// before they did, and virtual numbers ended at one size of work. Now they take 1.5 times
// as much (TestScale of package jobs).
//
// Where the side to move seems to reach its goal, one turn is enough, and a second worker is best put to
// what follows from the same one. Where it seems to fail, all turns need an answer. With
// Options.Discerning workers over one table turn from each other at nodes of the second kind alone. On
// Konane 7x6 and 8x5 two workers so visit an eighth fewer nodes. More than eight would be in each other's
// way, and turn at nodes of both kinds: simulated on 5x8, 64 took a tenth more work before they did. From
// workers elsewhere all turn at nodes of both kinds: without that two processes visited 1.5 times as many
// nodes of 7x6.
//
// SPDFPN (J. Pawlewicz, R. Hayward, "Scalable parallel DFPN search", Computers and
// Games 2013) keeps a tree of jobs under a lock; it is made for more cores than this
// needs.
//
// # Many processes
//
// Searches of one question over tables of their own are as good as strangers: lines of play
// meet, and each looks at them. With Options.Exchange they tell each other which entries have
// cost much work, and where their workers are. What is said is little, since most entries cost
// little: an [Exchange] is told how many it may say at a time, and raises the work that an entry
// must have cost until it says no more. What others say of an undecided node steers, as one's
// own entries do. What they say is solved is a claim: see below.
//
// Workers elsewhere count as those here do, where turns promise the same. But searches that
// begin at the same time have not heard of each other, and do the same until they do. So all
// but one are to have a Seed of their own. Two that had none took 1.2 times the nodes, on five
// questions about 7x5.
//
// Two that are in a small part of the graph do the same there, since they hear of each other some
// 20 ms later. With Options.Discerning a worker turns from what is done elsewhere however much work lies
// behind it, and has wider bounds on the way, within which there are other turns. On Konane 7x6
// and 8x5, where the estimate tells turns well apart, two processes so take 14 to 20 % fewer nodes. In
// simulations of smaller boards four teams of one lane take an eighth to a quarter fewer. On Fanorona 7x5,
// where turns are counted, two processes take a fifth more, and about as much more on Konane 6x6, of half
// a million nodes.
//
// A proof that was found together lies in several tables. Who puts it together searches again
// what it was not told: small things mostly, each of which one worker finds, all workers side
// by side.
//
// # Extraction
//
// [Search.Extract] gathers the structure from the root. Where a turn is chosen, it looks the facts
// about a member's turns up in the table. Where all turns are needed it looks up none: each becomes a
// member, for which a turn will be chosen. If no fact is there the member is searched again. What the
// search finds about its turns is kept beside the table meanwhile, since facts that share a place drive
// each other out of it. So Extract needs more time over a small table, but no larger one.
//
// Table and set are much larger than the caches of a processor. What several members need is loaded at
// once, from the table where a turn is chosen, and then from the set. On Konane 7x7 one worker so takes 45 s
// for 25 million members, with ranks and the certificate. One by one they took 98.
//
// # Checkpoints
//
// [Table.Save] writes the table while a search goes on; a search over a loaded
// table goes on where that one was. What was settled is in the table as well. PN
// and PN2 have their tree in memory alone, and can't go on from a table.
//
// What a loaded table says is a claim. The file may be of anyone's making, and it
// may have been written over other end positions. So the search acts on it and
// trusts none of it. Once the root is decided, [Search.Solve] puts the proof or
// refutation together as [Search.Extract] does, and answers when that is whole.
// The structure stands by itself. Every member of it has been looked at by the
// rules. A position of the side whose claim it is has one turn, every other
// position all its turns, that lead to members, to positions of which the end
// positions or lemmas say the same, or to an end of the game that the rules give
// that value. In a proof each member then gets a rank above those that it rests
// on, in an order in which that is possible, so that none rests on itself: by
// induction on ranks the attacker wins. From a refutation no turn of the
// attacker's leads out, and endless play is the defender's. Neither argument
// mentions the table, which tells only where to look.
//
// A fact that such a structure lacks is searched for again, as one that the table
// has lost. So what was found with other tables serves with fewer, and with more.
// Where the search comes to the opposite of what was claimed, or gives up, nothing
// of the table is kept, and the search begins anew ([Search.Anew] tells why). With a
// file that a search has written, that takes two positions with one key, or a table
// that is far too small. A table with less room than the file needs takes up what cost the
// most work, and counts the rest ([Table.Fit]).
//
// What was heard from an Exchange is treated in the same way. Who said it is not heard any
// more: the position at which the table contradicts itself is searched over the empty table,
// and who said otherwise was wrong, or believes somebody who is. Where that can't be told,
// and the second time, the search hears nobody any more. So lies cost time twice at most.
//
// The cost is that of writing a certificate, and only for a table that was loaded.
//
// # Barred positions
//
// In some games a position can have millions of turns (bitboard.Prolific). One with more than
// Options.Turns leaves room for is barred: no turn of it is listed, and it decides nothing. To each
// side it seems as hard as can be, so that the search tries all else first. A proof or refutation
// that needs no barred position is found, and rests on none. Where nothing else is left to be
// tried, the answer is undecided, and the error names a barred position.
//
// What is barred depends on the path, as the turns of all positions on it are in memory at the same
// time; to the end of the search it stays so where a shorter path leads. Lists of up to 4096 turns
// are not counted. The next search over the table, and who loads or hears it, begins without what
// was barred. Games that are no Prolific are not asked.
//
// # Limits
//
// Workers take nodes from a common budget before they visit any, in blocks of 64,
// so that Options.Nodes is never passed. A context that ends is noticed within a
// block of nodes, or 16 members of a set, and within 256 turns of one position.
//
// A table that can't hold what a position and its turns need may keep a search
// busy for ever: set Options.Nodes, or end the context. The structure that Extract
// emits must fit into half of Options.Sets: in Fanorona about 30 bytes a position.
package proofnumber
