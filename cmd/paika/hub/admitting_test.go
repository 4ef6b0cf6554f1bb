package hub

import (
	"strings"
	"testing"

	"paika/cmd/paika/hub/client"
	"paika/cmd/paika/hub/keys"
	"paika/cmd/paika/hub/link"
)

// TestAKeyIsRefusedWhereNoneIsLeft, in the same words as where there are others.
func TestAKeyIsRefusedWhereNoneIsLeft(t *testing.T) {
	dir, files := madeKeys(t, "ann")
	s, err := startServer(dir, "127.0.0.1:0", keys.Credentials{Name: "hub", Secret: "s"}, keys.Credentials{Name: "worker", Secret: "s"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	c, err := client.Dial(link.Access{URL: "tls://" + s.Addr().String(), Credentials: files[0]})
	if err == nil {
		c.Close()
		t.Fatal("it lets in")
	}
	if want := "does not know the credentials of " + files[0]; !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}
