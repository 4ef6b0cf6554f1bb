package explorer

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

// A page elsewhere whose name leads to this machine gets nothing.
func TestOnlyOwnHostsAreAnswered(t *testing.T) {
	address, stop := listen(t, newServer(t, unhurried()))
	defer stop()
	_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
	for _, path := range []string{"/", "/assets/main.js", "/api/v1", "/api/v1/games", "/healthz", "/metrics", "/nowhere"} {
		for host, own := range map[string]bool{
			"127.0.0.1:" + port:                true,
			"127.9.9.9:" + port:                true,
			"[::1]:" + port:                    true,
			"localhost:" + port:                true,
			"LocalHost.:" + port:               true,
			requestHost:                        true,
			strings.ToUpper(requestHost) + ".": true,
			requestHost + ":8443":              true, // a proxy's port may be any
			"localhost":                        true,
			"127.0.0.1":                        true,
			"localhost:1":                      false,
			"localhost:80":                     false,
			"evil.example":                     false,
			"evil.example:" + port:             false,
			"localhost.evil.example:" + port:   false,
			"evil" + requestHost:               false,
			"192.0.2.1:" + port:                false,
			"[2001:db8::1]:" + port:            false,
			"[::ffff:192.0.2.1]:" + port:       false,
			"[::ffff:127.0.0.1]:" + port:       true,
		} {
			request, err := http.NewRequest(http.MethodGet, address+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			request.Host = host
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			refused := response.StatusCode == http.StatusMisdirectedRequest
			if refused == own || refused && response.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s of %s: status %d, %v", path, host, response.StatusCode, response.Header)
			}
		}
	}
}

func TestForeignHostsAreTold(t *testing.T) {
	h := newServer(t, unhurried()).Handler()
	for _, host := range []string{"evil.example", "", strings.Repeat("x", 500), "\x00", "[", "a:b:c"} {
		r := httptest.NewRequest(http.MethodGet, "/api/v1/games", nil)
		r.Host = host
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		got := decode[problem](t, w.Body.Bytes())
		if w.Code != http.StatusMisdirectedRequest || got.Code != codeHost || len(got.Detail) > 200 || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%q: status %d, %+v, %v", host, w.Code, got, w.Header())
		}
	}
}

// Which names and addresses lead to where a request came in: its address in any spelling and, on
// loopback alone, all that is called loopback. The port is its own.
func TestAHostIsWhereTheRequestCameIn(t *testing.T) {
	for local, hosts := range map[string]map[string]bool{
		"192.0.2.1:7777": {
			"192.0.2.1": true, "192.0.2.1:7777": true, "[::ffff:192.0.2.1]:7777": true,
			"192.0.2.1:777": false, "192.0.2.2:7777": false, "localhost:7777": false, "127.0.0.1:7777": false, "[::1]:7777": false,
		},
		"[::ffff:192.0.2.1]:7777": {"192.0.2.1:7777": true, "[::ffff:192.0.2.1]": true, "localhost": false},
		"[fe80::1%eth0]:7777":     {"[fe80::1]:7777": true, "[FE80:0::1]": true, "[fe80::1%25eth0]:7777": true, "[fe80::2]:7777": false},
		"[::1]:7777":              {"localhost:7777": true, "LOCALHOST.": true, "127.0.0.1": true, "[::1]": true, "192.0.2.1": false, "localhost:7": false, "local": false},
	} {
		at := net.TCPAddrFromAddrPort(netip.MustParseAddrPort(local))
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey, net.Addr(at)))
		for host, want := range hosts {
			named := url.URL{Host: host}
			if got := arrivedAt(r, named.Hostname(), named.Port()); got != want {
				t.Errorf("%s at %s: %v", host, local, got)
			}
		}
	}
}

// Hosts that are allowed are so in every spelling.
func TestHostsHaveManySpellings(t *testing.T) {
	config := newServer(t, unhurried()).config
	config.Hosts = []string{"Tables.Example.org.", "::ffff:192.0.2.7", "2001:DB8:0::1"}
	s, err := New(config)
	if err != nil {
		t.Fatal(err)
	}
	for host, own := range map[string]bool{
		"tables.example.org": true, "TABLES.example.org.:80": true, "192.0.2.7": true, "[::ffff:192.0.2.7]:9": true, "[2001:db8::1]": true,
		"example.org": false, "192.0.2.8": false, "[2001:db8::2]": false,
	} {
		r := httptest.NewRequest(http.MethodGet, "/healthz", nil)
		r.Host = host
		w := httptest.NewRecorder()
		if s.Handler().ServeHTTP(w, r); (w.Code == http.StatusOK) != own {
			t.Errorf("%s: status %d", host, w.Code)
		}
	}
}

func TestHostsAreNamesOrAddresses(t *testing.T) {
	for host, want := range map[string]bool{
		"tables.example.org": true, "localhost": true, "192.0.2.1": true, "2001:db8::1": true, "a_b": true,
		strings.Repeat("x", 253): true, "a/b": false, "ä.example": false,
		"": false, "example.org:80": false, "http://example.org": false, "*": false, "a b": false, "[::1]": false,
		strings.Repeat("x", 254): false, "a\x00": false,
	} {
		if err := CheckHost(host); (err == nil) != want {
			t.Errorf("%q: %v", host, err)
		}
	}
}
