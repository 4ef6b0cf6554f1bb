package explorer

import (
	"context"
	"io"
	"log/slog"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/catalogue"
)

// small is the tables that tests ask, by game: all of distances.
var small = []struct {
	game, board string
	pieces      int
}{
	{"fanorona", "5x5", 4},
	{"konane", "4x4", bitboard.AllPieces},
	{"phutball", "3x5", bitboard.AllPieces},
}

// tables are built once and stay open to the end of the tests.
var tables = sync.OnceValues(func() ([]Table, error) {
	var all []Table
	for _, s := range small {
		game, _ := catalogue.Find(s.game)
		instance, err := game.Open(s.board, nil)
		if err != nil {
			return nil, err
		}
		dir := scratch + "/" + instance.Folder()
		_, err = instance.Build(context.Background(), dir, catalogue.BuildOptions{
			Pieces: s.pieces, Metric: bitboard.DTW, Workers: 1, Memory: 1 << 30, Version: "test",
		})
		if err != nil {
			return nil, err
		}
		opened, err := instance.Open(dir, 1)
		if err != nil {
			return nil, err
		}
		all = append(all, Table{instance, opened})
	}
	return all, nil
})

// unhurried are the default limits without those of time, which a busy machine passes.
func unhurried() Limits {
	limits := DefaultLimits()
	limits.Time, limits.SearchTime = time.Hour, time.Hour
	return limits
}

// newServer makes a server of the small tables and those given.
func newServer(t testing.TB, limits Limits, more ...Table) *Server {
	t.Helper()
	return newServerOf(t, limits, nil, more...)
}

// newServerOf makes a server of proofs, too.
func newServerOf(t testing.TB, limits Limits, proofs []catalogue.Walk, more ...Table) *Server {
	t.Helper()
	all, err := tables()
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(Config{
		Tables: slices.Concat(all, more), Proofs: proofs, First: all[0].Instance, Limits: limits,
		Build: func(i catalogue.Instance, metric string, slices ...string) BuildHint {
			command := "paika build " + i.Identity().Game + " " + i.Identity().Board
			if len(slices) > 0 {
				command += " --slices " + strings.Join(slices, ",")
			}
			if metric != "" {
				command += " --metric " + metric
			}
			return BuildHint{Command: command}
		},
		Logger: slog.New(slog.NewTextHandler(io.Discard, nil)), Version: "test",
		Hosts: []string{requestHost},
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// serve serves the small tables, and those given, on loopback. It gives the
// address.
func serve(t testing.TB, limits Limits, more ...Table) string {
	t.Helper()
	server := httptest.NewServer(newServer(t, limits, more...).Handler())
	t.Cleanup(server.Close)
	return server.URL
}

// requestHost is the host of requests that are made for a handler alone.
const requestHost = "example.com"
