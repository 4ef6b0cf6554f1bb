package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"

	"paika/cmd/paika/hub/wire"
)

// Fetch writes the certificate of a question that is done. It asks for several pieces at a time, all of
// wire.PieceBytes but the last. Errors: ErrFailed where the hub has none, ErrChanged, those of the writer and of
// link.Link.AskMessage.
func (c *Client) Fetch(ctx context.Context, s wire.State, out io.Writer) error {
	var group sync.WaitGroup
	defer group.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	hash, ahead := sha256.New(), pace{most: 1}
	var coming []chan piece // in the order of the file
	next := int64(0)        // that is asked for
	for at := int64(0); at < s.Proof.Bytes; {
		for ; len(coming) < ahead.most && next < s.Proof.Bytes; next += wire.PieceBytes {
			from, one := next, make(chan piece, 1)
			coming = append(coming, one)
			group.Go(func() { one <- c.piece(ctx, s.ID, from) })
		}
		p := <-coming[0]
		if p.err != nil {
			return p.err
		}
		if want := min(wire.PieceBytes, s.Proof.Bytes-at); int64(len(p.data)) != want {
			return fmt.Errorf("%w: %d bytes come after %d of %d, want %d", ErrChanged, len(p.data), at, s.Proof.Bytes, want)
		}
		hash.Write(p.data) // it never fails
		if _, err := out.Write(p.data); err != nil {
			return err
		}
		coming, at = coming[1:], at+int64(len(p.data))
		ahead.note(p.took)
	}
	if hex.EncodeToString(hash.Sum(nil)) != s.Proof.Digest {
		return ErrChanged
	}
	return nil
}

// A piece is what comes of a certificate from a place on, or why it does not.
type piece struct {
	data []byte
	took time.Duration
	err  error
}

// piece asks for a piece of the certificate of a question.
func (c *Client) piece(ctx context.Context, question string, from int64) (p piece) {
	began := time.Now()
	text, err := json.Marshal(wire.Fetch{Question: question, Offset: from})
	if err != nil {
		return piece{err: err}
	}
	m, err := c.link.AskMessage(ctx, &nats.Msg{Subject: wire.SubjectFetch, Data: text})
	if err != nil {
		return piece{err: err}
	}
	if refused := m.Header.Get(wire.HeaderError); refused != "" {
		return piece{err: fmt.Errorf("%w: %s", ErrFailed, refused)}
	}
	return piece{data: m.Data, took: time.Since(began)}
}

// A pace is how many pieces are asked for at a time: on a line that takes long to answer several, so that it is
// used meanwhile, and on one that carries little one, so that it comes before it is asked for again.
type pace struct{ most int }

// Where a line becomes slow, mostAhead pieces are on their way: they are 1 MiB, so that a line of 64 KiB a second
// still has them there in time.
const (
	mostAhead  = 4
	soon, late = time.Second, 4 * time.Second
)

// note notes how long a piece took.
func (p *pace) note(took time.Duration) {
	switch {
	case took < soon:
		p.most = min(p.most+1, mostAhead)
	case took > late:
		p.most = max(1, p.most/2)
	}
}
