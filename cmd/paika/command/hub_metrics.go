package command

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"
)

// metricsAddress is HOST:PORT of metrics, if there are to be any: of this machine alone
// where no host is given.
func metricsAddress(address string) (string, error) {
	if address == "" {
		return "", nil
	}
	host, port, err := takeAddress("metrics", address, "HOST:PORT, or :PORT for this machine alone")
	if err != nil {
		return "", err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port), nil
}

const (
	metricsHeaderTime = 10 * time.Second
	metricsWriteTime  = 30 * time.Second
)

// listenMetrics takes the address for metrics.
func listenMetrics(ctx context.Context, address string) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, listenError("metrics", address, err)
	}
	return listener, nil
}

// serveMetrics answers for Prometheus until the function is called.
func serveMetrics(listener net.Listener, metrics http.Handler) (stop func()) {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", metrics)
	server := &http.Server{Handler: mux, ReadHeaderTimeout: metricsHeaderTime, ReadTimeout: metricsHeaderTime, WriteTimeout: metricsWriteTime, ErrorLog: log.New(io.Discard, "", 0)}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return func() { _ = errors.Join(server.Close(), <-ended) }
}
