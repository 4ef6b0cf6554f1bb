// Package wire is what a hub, its workers and those who ask say to each other: the subjects
// of NATS, the messages, which are JSON, and the limits of what they may say. It sends
// nothing: package link does, package hub answers.
//
// A question, and how far it has come, are [Question], [State] and [Status]. A job goes out as a
// [Delivery]; who has it says [Started], and then sends a [Result], which has a [Reply]. In between
// come signs of life, [Hello], and [Noted] in answer: so a worker hears that the hub has started
// anew, and is refused where that has another version. What searches find out on their way goes from
// worker to worker, by [FoundAbout] a topic, in a form that package proofnumber has.
//
// Who speaks stands at the end of the subject, see [By], and the server sees to it that it is true.
// All of it may come from anybody who has credentials. What a message says is checked where
// it is used; what can be checked of it alone is checked here: [Question.Sound],
// [Question.TooLong], [Proper] and [PlainName]. The names of JSON fields stay as they are: the
// ledger has questions, and paika jobs --json has a status.
//
// There is nothing here but values: they are safe to be read by many.
package wire
