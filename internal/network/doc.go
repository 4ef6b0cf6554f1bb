// Package network tells what a system says of connections: systems have numbers of their own for it, and on
// Windows those of package syscall are none of them.
//
//	if network.Taken(err) { // somebody else listens there
package network
