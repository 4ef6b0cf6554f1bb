// Package keys is about who may talk to a hub: a secret for all on one machine, or an
// authority, a certificate of the server, and an NKey for each worker. [Make] makes these
// once, [In] is the folder where a hub finds them, and [Read] reads the file of somebody who
// comes. Whoever is let in may do what package hub allows; nothing is said here about that. The name
// of a key is who its holder is for the hub: one person has one.
//
// A hub has the public half of each worker's key, the worker a file with the secret and
// with the certificate of the authority, by which it knows the hub. Connections are
// encrypted by TLS 1.3 then. Without keys there is one file with a name and a secret.
//
// Secrets are written for their owner alone, and stay whole if the machine stops meanwhile.
// Two may call Make at a time for one folder. Values are safe to be read by many.
package keys
