// Package client asks a hub: for a proof, for a verification of its tables, for tables to be
// built, and how far it is. A [Client] asks again while the hub is away, fetches the
// certificate that answers a question, and checks that it came as the hub wrote it. Whether it
// holds is for package proofs to say.
//
//	c, err := client.Dial(access)
//	state, err := c.Wait(ctx, question, watch)
//	err = c.Fetch(ctx, state, file)
//
// Questions are those of package wire. A client may be used by many at a time.
package client
