// Package origin tells what counts as one client of a server, for bounds on what each may take.
package origin

import "net/netip"

// network is how many bits of an address of IPv6 are those of a network: providers give one to
// each subscriber, and a machine picks the others itself (RFC 4291, 2.5.1).
const network = 64

// Of is the client at HOST:PORT: an address, or a network of IPv6. Those of which it can't be told
// are one client.
func Of(remote string) netip.Prefix {
	at, err := netip.ParseAddrPort(remote)
	if err != nil {
		return netip.Prefix{}
	}
	address := at.Addr().Unmap().WithZone("")
	bits := address.BitLen()
	if address.Is6() {
		bits = network
	}
	return netip.PrefixFrom(address, bits).Masked()
}
