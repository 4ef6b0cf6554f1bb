package worker

import "testing"

// TestTheHostOfAHub is taken out of its URL, whatever form that has.
func TestTheHostOfAHub(t *testing.T) {
	for text, want := range map[string]string{
		"nats://127.0.0.1:4222": "127.0.0.1", "tls://hub.example.org:4222": "hub.example.org", "hub:4222": "hub", "tls://[::1]:4222": "::1",
		"tls://a:1, tls://b:2": "a",
	} {
		if host, err := hostOf(text); err != nil || host != want {
			t.Errorf("%s: %q, %v", text, host, err)
		}
	}
}
