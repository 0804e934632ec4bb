// Package mail sends the few messages that the server has for people:
// invitations and password resets.
//
// Sending is no part of a request: its time would tell whether an address is
// known, and its failure would change an answer. So a message is made and sent
// in the background, a few at a time; one that fails, or that the process takes
// with it when it ends, is only logged, and the person asks again.
package mail

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

const (
	// maxPending bounds the memory and the connections that a flood can take.
	maxPending = 64
	// maxAtOnce bounds the connections to the mail server.
	maxAtOnce = 4
	// taskTimeout bounds one message, its database work included.
	taskTimeout = 30 * time.Second
)

// Message is a mail in plain text.
type Message struct {
	To      string
	Subject string
	Text    string
}

// Outbox makes and sends messages in the background.
type Outbox struct {
	server  *server // nil: no mail server is configured
	log     *slog.Logger
	pending chan struct{}
	running chan struct{}
	all     sync.WaitGroup
}

// NewOutbox returns an outbox that sends through the server of an SMTP URL,
// such as smtp://user:password@mail.example.com:587?from=noreply@example.com.
// Without a URL it sends nothing: Sends tells, so that a link can be shown
// elsewhere.
func NewOutbox(smtpURL string, log *slog.Logger) (*Outbox, error) {
	o := &Outbox{log: log, pending: make(chan struct{}, maxPending), running: make(chan struct{}, maxAtOnce)}
	if smtpURL == "" {
		return o, nil
	}
	s, err := parseURL(smtpURL)
	if err != nil {
		return nil, err
	}
	o.server = s
	return o, nil
}

// Sends reports whether a mail server is configured.
func (o *Outbox) Sends() bool { return o.server != nil }

// Later runs task in the background. It never waits: with too many tasks
// pending, this one is dropped and the log says so.
func (o *Outbox) Later(what string, task func(context.Context) error) {
	select {
	case o.pending <- struct{}{}:
	default:
		o.log.Warn("too much mail is pending; one was dropped", "what", what)
		return
	}
	o.all.Go(func() {
		defer func() { <-o.pending }()
		o.running <- struct{}{}
		defer func() { <-o.running }()
		ctx, cancel := context.WithTimeout(context.Background(), taskTimeout)
		defer cancel()
		if err := task(ctx); err != nil {
			o.log.WarnContext(ctx, "mail not sent", "what", what, "error", err)
		}
	})
}

// Send sends a message now; it is called inside a task of Later.
func (o *Outbox) Send(ctx context.Context, m Message) error {
	if o.server == nil {
		return nil
	}
	return o.server.send(ctx, m)
}

// Wait returns when every task has ended.
func (o *Outbox) Wait() { o.all.Wait() }
