package command

import (
	"bytes"
	"log"
	"net"
	"net/http"
	"os"
	"testing"
)

// TestMetricsWriteNothingToTheTerminal, whatever becomes of a request.
func TestMetricsWriteNothingToTheTerminal(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	written := new(bytes.Buffer)
	log.SetOutput(written)
	defer log.SetOutput(os.Stderr)
	stop, err := serveMetrics(t.Context(), address, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("broken") }))
	if err != nil {
		t.Fatal(err)
	}
	if answer, err := http.Get("http://" + address + "/metrics"); err == nil {
		answer.Body.Close()
		t.Error("a broken handler answers")
	}
	stop()
	if written.Len() > 0 {
		t.Errorf("%s", written)
	}
}
