// Package attack tries to make paika say something wrong. It has tests alone.
//
// The program runs as a whole process, as it does for anyone. What it reads is
// damaged or forged, or it is killed at work. Then it is asked again, and its
// answers are compared with those over files that nobody touched, position by
// position: all positions of Fanorona on 3x3.
//
// # Outcomes
//
// Each trial comes to one of these:
//
//	unharmed  every answer is right, and nothing is said: what was hit does not matter
//	noticed   what is wrong is told, with a status other than 0, and no answer is wrong
//	wrong     an answer is not the right one
//	lost      a position whose table had been listed is said never to have been stored
//	crashed   the program ended by a signal, or with a stack trace
//	hung      it did not end in time
//
// The last four are defects, and fail the test.
//
// # Campaigns
//
//	flips         of one bit in a file of a store, closed cleanly or killed at work
//	cuts          files of a store cut short, emptied, removed, or exchanged
//	kills         of builds, verifications, proofs and searches, which then go on
//	certificates  with lines, turns, ranks and bytes changed
//	forgeries     of parts and of checkpoints, whole and with right checksums
//	requests      to a server, of every kind that it does not expect
//
// A plain go test makes few trials of each. scripts/attack makes thousands, and
// prints a table of their outcomes. The same seed makes the same trials, but for
// kills, whose moment the system decides.
package attack
