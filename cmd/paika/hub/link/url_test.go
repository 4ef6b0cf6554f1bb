package link_test

import (
	"errors"
	"strings"
	"testing"

	"paika/cmd/paika/hub/link"
)

// TestWhatIsAURLOfAHub, and that what is none is told without what it may hold of a secret.
func TestWhatIsAURLOfAHub(t *testing.T) {
	for _, text := range []string{
		"nats://127.0.0.1:4222", "tls://hub.example.org:4222", "tls://hub.example.org", "tls://[::1]:4222", "127.0.0.1:4222", "hub.example.org", "nats://one:4222,nats://two:4222",
	} {
		if err := link.CheckURL(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{
		"", ":4222", "tls://", "tls://:4222", "http://hub.example.org:4222", "nats://127.0.0.1:99999", "nats://127.0.0.1:0", "nats://127.0.0.1:port",
		"nats://127.0.0.1:4222/path", "nats://127.0.0.1:4222?query", "nats://one:4222,", "nats://one:4222,http://two:4222", "tls://one,ann:secret@two", "nats://a b:4222", "nats://\x1b[2J:4222",
		"nats://ann:secret@127.0.0.1:4222", "ann:secret@127.0.0.1:4222",
	} {
		if err := link.CheckURL(text); !errors.Is(err, link.ErrURL) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", text, err)
		}
	}
}
