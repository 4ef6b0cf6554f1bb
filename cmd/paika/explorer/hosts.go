package explorer

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paika/bitboard"
)

// CheckHost looks whether a host can be one of Config.Hosts: a name or an
// address, without a port.
func CheckHost(host string) error {
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	letter := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' || r == '.'
	}
	if host == "" || len(host) > longestHost || strings.TrimFunc(host, letter) != "" {
		return fmt.Errorf("%s: want the name or address of a host, without a port, such as tables.example.org", bitboard.Quote(host))
	}
	return nil
}

// longestHost bounds the name of a host, in bytes.
const longestHost = 253

// canonical is a host as it is compared: a name in lower case without the dot of
// the root, an address in its shortest form.
func canonical(host string) string {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().WithZone("").String()
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// addressed answers only requests that name a host of the server's own. A page
// elsewhere can have its name lead to this machine, and is then, to a browser, of
// the same origin as the server; what it cannot do is name another host than its
// own.
func (s *Server) addressed(next http.Handler) http.Handler {
	named := make([]string, 0, len(s.config.Hosts))
	for _, host := range s.config.Hosts {
		named = append(named, canonical(host))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := url.URL{Host: r.Host}
		name := host.Hostname()
		if !arrivedAt(r, name, host.Port()) && !slices.Contains(named, canonical(name)) {
			problem := refuse(codeHost, "", "this server is not %s: paika serve --host NAME allows further names, at any port", bitboard.Quote(r.Host))
			if r.Host == "" {
				problem = refuse(codeHost, "", "the request names no host")
			}
			s.fail(w, problem, nil, "")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// arrivedAt tells whether a host is where the request's connection came in: its
// port, if it names one, and its address or, where that is loopback, any name for
// loopback. A proxy may leave the port out.
func arrivedAt(r *http.Request, name, port string) bool {
	local, known := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	if !known || port != "" && port != strconv.Itoa(local.Port) {
		return false
	}
	at := local.AddrPort().Addr().Unmap().WithZone("")
	address, err := netip.ParseAddr(name)
	if err != nil {
		return at.IsLoopback() && canonical(name) == "localhost"
	}
	address = address.Unmap().WithZone("")
	return address == at || address.IsLoopback() && at.IsLoopback()
}
