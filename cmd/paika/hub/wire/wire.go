package wire

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"
)

// Subjects. Requests go to the first ones, and have a reply. Who speaks adds its name: see By.
// Jobs are messages of the stream. The hub takes them from its one consumer for whoever waits, and
// tells the stream what it hears of each from who has it.
const (
	SubjectHello  = "paika.hello"  // a worker comes
	SubjectUpload = "paika.upload" // a piece of a part
	SubjectResult = "paika.result"
	SubjectNext   = "paika.next" // a lane waits for a job, which is the reply
	SubjectAsk    = "paika.ask"  // a question, or how far it has come
	SubjectFetch  = "paika.fetch"
	SubjectStatus = "paika.status"
	SubjectTables = "paika.tables" // which tables there are, or one as a file

	SubjectAlive   = "paika.alive"   // a worker is there, and how far it is; the reply tells the hub's start
	SubjectStarted = "paika.started" // a worker has a job
	SubjectKept    = "paika.kept"    // a job goes on, or comes back
	SubjectCancel  = "paika.cancel"  // to workers: the message named is no longer wanted

	SubjectComing = "paika.coming" // to workers: there will be jobs with such tables

	SubjectHub = "paika.hub" // to a hub, whether there is one

	SubjectFound = "paika.found" // to the workers of a topic, which comes before the name: what others have found out

	SubjectJobs = "paika.jobs" // of the stream
	Stream      = "PAIKA"
	Consumer    = "workers"
)

// PieceBytes is the size of pieces of files; replies that are not files are smaller.
const PieceBytes = 256 << 10

// MostText bounds what a question says, and MostName the name of a worker, in bytes.
const (
	MostText = 4096
	MostName = 128
)

// By is the subject on which somebody says what belongs to a subject: the name by which it was
// let in comes last. The server lets nobody publish under the name of another, so that a hub
// knows who speaks. Anybody stands for all names, for who listens.
func By(subject, name string) string { return subject + "." + name }

const Anybody = "*"

// Speaker is the name at the end of a subject.
func Speaker(subject string) string { return subject[strings.LastIndexByte(subject, '.')+1:] }

// Topic is a part of a subject by which those find each other who search the same game with the
// same tables.
func Topic(about string) string {
	sum := sha256.Sum256([]byte(about))
	return hex.EncodeToString(sum[:8])
}

// FoundAbout is the subject of what is found out about a topic.
func FoundAbout(topic string) string { return SubjectFound + "." + topic }

// SpeakEvery is the time between two words of a worker about what it has found.
const SpeakEvery = time.Second / 50

// Speakable tells whether a name can be part of a subject.
func Speakable(name string) bool { return Proper(name) && !strings.ContainsAny(name, ".*>") }

// Inbox is where replies to somebody come, and nobody else may listen.
func Inbox(name string) string { return "_INBOX." + name }

// InInbox tells whether a subject is in the inbox of a name. A hub answers there alone: it may
// publish what those who ask may not.
func InInbox(subject, name string) bool { return strings.HasPrefix(subject, Inbox(name)+".") }

// HeaderDenied says in an answer why there is none, to whom the server lets in and the hub does not.
const HeaderDenied = "Paika-Denied"

// Headers of a piece.
const (
	HeaderUpload = "Paika-Upload"
	HeaderOffset = "Paika-Offset"
	HeaderError  = "Paika-Error"
	HeaderWait   = "Paika-Wait" // why a piece is not taken now: it is to be sent again
	HeaderSize   = "Paika-Size"
)

// LaneWaits is how long a lane waits for a job, before it asks again.
const LaneWaits = 20 * time.Second

// Alive is the time between two signs of life of a worker.
const Alive = 2 * time.Second

// PingEvery is how often either side looks whether a quiet connection is still one. After
// two looks in vain it is made anew.
const PingEvery = 15 * time.Second

// Proper tells whether a name can be shown and listed: letters, digits and signs of
// ASCII, without spaces.
func Proper(name string) bool {
	odd := func(r rune) bool { return r <= ' ' || r > '~' }
	return name != "" && len(name) <= MostName && !strings.ContainsFunc(name, odd)
}

// PlainName tells whether a name is one of NewName, and so can be that of a file.
func PlainName(name string) bool {
	return len(name) == 32 && strings.Trim(name, "0123456789abcdef") == ""
}

// NewName is a name that nobody else has: 32 hex digits.
func NewName() string {
	var name [16]byte
	_, _ = rand.Read(name[:]) // it never fails
	return hex.EncodeToString(name[:])
}
