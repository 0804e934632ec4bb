package testkit

import (
	"errors"
	"io"
	"net"
	"net/url"
	"sync"
)

// Proxy stands between a program and its database. It passes everything on
// until the test cuts it.
type Proxy struct {
	URL string // of the database, through the proxy

	target   string
	listener net.Listener

	mu    sync.Mutex
	cut   bool
	conns map[net.Conn]struct{}
}

func newProxy(databaseURL string) (*Proxy, error) {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return nil, errors.New("the database's URL is not a URL")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		return nil, err
	}
	p := &Proxy{target: u.Host, listener: listener, conns: map[net.Conn]struct{}{}}
	u.Host = listener.Addr().String()
	p.URL = u.String()
	go p.accept()
	return p, nil
}

// Cut ends every connection, and each new one at once, until Restore.
func (p *Proxy) Cut() { p.set(true) }

// Restore lets connections through again.
func (p *Proxy) Restore() { p.set(false) }

func (p *Proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	for c := range p.conns {
		if cut {
			_ = c.Close()
		}
	}
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed at the end of the test
		}
		go p.pass(client)
	}
}

func (p *Proxy) pass(client net.Conn) {
	defer p.forget(client)
	if !p.keep(client) {
		return
	}
	server, err := net.Dial("tcp", p.target) //nolint:noctx // the target is this machine
	if err != nil {
		return
	}
	defer p.forget(server)
	if !p.keep(server) {
		return
	}
	done := make(chan struct{}, 2)
	go func() { _, _ = io.Copy(server, client); done <- struct{}{} }()
	go func() { _, _ = io.Copy(client, server); done <- struct{}{} }()
	<-done
}

func (p *Proxy) keep(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		return false
	}
	p.conns[c] = struct{}{}
	return true
}

func (p *Proxy) forget(c net.Conn) {
	_ = c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

func (p *Proxy) close() error {
	p.Cut()
	return p.listener.Close()
}
