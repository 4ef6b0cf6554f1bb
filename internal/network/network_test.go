package network_test

import (
	"net"
	"testing"

	"paika/internal/network"
)

// TestAnAddressIsTakenOnce.
func TestAnAddressIsTakenOnce(t *testing.T) {
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	second, err := net.Listen("tcp", first.Addr().String())
	if err == nil {
		second.Close()
	}
	if !network.Taken(err) || network.Reset(err) {
		t.Errorf("%v: taken %v, reset %v", err, network.Taken(err), network.Reset(err))
	}
	if network.Taken(nil) || network.Reset(nil) {
		t.Error("no error is one")
	}
}

// TestAConnectionThatIsEndedAtOnceIsReset.
func TestAConnectionThatIsEndedAtOnceIsReset(t *testing.T) {
	server, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	conn, err := net.Dial("tcp", server.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	there, err := server.Accept()
	if err != nil {
		t.Fatal(err)
	}
	if err := there.(*net.TCPConn).SetLinger(0); err != nil {
		t.Fatal(err)
	}
	there.Close()
	if _, err := conn.Read(make([]byte, 1)); !network.Reset(err) || network.Taken(err) {
		t.Errorf("%v: reset %v, taken %v", err, network.Reset(err), network.Taken(err))
	}
}
