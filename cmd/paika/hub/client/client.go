package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"paika/bitboard"
	"paika/cmd/paika/hub/inspection"
	"paika/cmd/paika/hub/link"
	"paika/cmd/paika/hub/wire"
	"paika/internal/progress"
)

// ErrFailed says that a hub can't answer a question, and why.
var ErrFailed = errors.New("the hub can't answer")

// FailedError is a question that a hub can't answer. It matches ErrFailed, and inspection.ErrMemory where that is
// the reason.
type FailedError struct {
	Reason string
	Code   string // as the hub says: one of another version may say what this program does not know
}

func (f *FailedError) Error() string { return ErrFailed.Error() + ": " + f.Reason }

// Is tells which errors it matches.
func (f *FailedError) Is(target error) bool {
	return target == ErrFailed || f.Code == wire.CodeMemory && target == inspection.ErrMemory
}

// ErrChanged says that a certificate came in other bytes than the hub wrote.
var ErrChanged = errors.New("the certificate was changed on its way, or at the hub, which makes it anew when it is asked again, at the latest once it was started again")

// Client asks a hub. Its methods are safe for concurrent use, and wait for a hub that is
// away until the context ends.
type Client struct{ link *link.Link }

// Dial connects to a hub. Errors are those of link.Access.Connect.
func Dial(a link.Access) (*Client, error) {
	to, err := a.Connect("client")
	if err != nil {
		return nil, err
	}
	return &Client{to}, nil
}

// Close ends the connection. Questions go on.
func (c *Client) Close() { c.link.Close() }

// Ask asks a question, or how far it has come if it was asked before; one that failed
// is taken up anew, and of one that is done the hub sees first whether its answer stands. Errors wrap ErrFailed where the hub does not take it, or are those of
// link.Link.Ask; what goes wrong later is told by the state.
func (c *Client) Ask(ctx context.Context, q wire.Question) (wire.State, error) {
	return c.ask(ctx, wire.Ask{Question: q, Again: true})
}

func (c *Client) ask(ctx context.Context, q wire.Ask) (s wire.State, err error) {
	if err := c.link.Ask(ctx, wire.SubjectAsk, q, &s); err != nil {
		return s, err
	}
	switch s.ID {
	case q.ID():
		return s, nil
	case "":
		return s, fmt.Errorf("%w: %s", ErrFailed, s.Error)
	}
	return wire.State{}, fmt.Errorf("%w: it tells of another question, %s", link.ErrAnswer, bitboard.Shorten(s.ID))
}

// waitShare is the part of the time since it began to wait after which a client asks again: so much
// later does it hear of an answer, half of it on average.
const waitShare = 64

// Wait asks until the question is over, and tells a function how far it is meanwhile.
// Where it failed, the error is a *FailedError. When the
// context ends, the last state stands beside its error; before the first answer, one that has the
// question alone.
func (c *Client) Wait(ctx context.Context, q wire.Question, watch func(wire.State)) (last wire.State, err error) {
	last.Question = q
	for began := time.Now(); ; {
		s, err := c.ask(ctx, wire.Ask{Question: q, Again: last.Stage == ""}) // until it is taken up
		if err != nil {
			return last, err
		}
		last = s
		switch {
		case s.Stage == wire.Failed:
			return s, &FailedError{s.Error, s.Code}
		case s.Stage.Over():
			return s, nil
		}
		if watch != nil {
			watch(s)
		}
		long := max(time.Since(began)/waitShare, link.Pause/waitShare)
		if err := progress.Wait(ctx, min(long, link.Pause)); err != nil {
			return s, err
		}
	}
}

// Taken tells the hub that the answer to a verification or a construction has arrived: asked again, all is
// done again. Where the hub has no room to note that, it is told again, and a function that is not nil hears
// of it. Errors wrap ErrFailed, or are that of ctx.
func (c *Client) Taken(ctx context.Context, q wire.Question, watch func(wire.State)) error {
	for {
		s, err := c.ask(ctx, wire.Ask{Question: q, Taken: true})
		if err != nil || s.Stage != "" {
			return err
		}
		if watch != nil {
			watch(s)
		}
		if err := progress.Wait(ctx, link.Pause); err != nil {
			return err
		}
	}
}

// Status tells what a hub is doing.
func (c *Client) Status(ctx context.Context) (s wire.Status, err error) {
	return s, c.link.Ask(ctx, wire.SubjectStatus, struct{}{}, &s)
}
