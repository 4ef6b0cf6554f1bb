package explorer

import (
	"net/http"
	"net/http/httptest"
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

func TestHostsAreNamesOrAddresses(t *testing.T) {
	for host, want := range map[string]bool{
		"tables.example.org": true, "localhost": true, "192.0.2.1": true, "2001:db8::1": true, "a_b": true,
		"": false, "example.org:80": false, "http://example.org": false, "*": false, "a b": false, "[::1]": false,
		strings.Repeat("x", 254): false, "a\x00": false,
	} {
		if err := CheckHost(host); (err == nil) != want {
			t.Errorf("%q: %v", host, err)
		}
	}
}
