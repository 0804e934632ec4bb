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

	mu     sync.Mutex
	thawed chan struct{} // closed unless the proxy is frozen
	cut    bool
	conns  map[net.Conn]struct{}
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
	p := &Proxy{target: u.Host, listener: listener, conns: map[net.Conn]struct{}{}, thawed: make(chan struct{})}
	close(p.thawed)
	u.Host = listener.Addr().String()
	p.URL = u.String()
	go p.accept()
	return p, nil
}

// Cut ends every connection, and each new one at once, until Restore.
func (p *Proxy) Cut() { p.set(true) }

// Restore lets connections through again.
func (p *Proxy) Restore() { p.set(false) }

// Freeze keeps back what the database answers, until the proxy is cut: the
// program does not learn what became of what it has sent.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.thawed = make(chan struct{})
}

// answers passes on what the database says, unless the proxy is frozen.
type answers struct {
	net.Conn
	proxy *Proxy
}

// Read waits, with what it has read, while the proxy is frozen.
func (a answers) Read(b []byte) (int, error) {
	n, err := a.Conn.Read(b)
	a.proxy.mu.Lock()
	thawed := a.proxy.thawed
	a.proxy.mu.Unlock()
	<-thawed
	return n, err
}

func (p *Proxy) set(cut bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = cut
	for c := range p.conns {
		if cut {
			_ = c.Close()
		}
	}
	select {
	case <-p.thawed:
	default:
		close(p.thawed) // what was kept back finds its connection closed
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
	go func() { _, _ = io.Copy(client, struct{ io.Reader }{answers{server, p}}); done <- struct{}{} }()
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
