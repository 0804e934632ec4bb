package testkit

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
)

// MailServer takes every message that it is handed.
type MailServer struct {
	URL string // for FH_SMTP_URL

	mu       sync.Mutex
	messages []string
}

// NewMailServer starts a mail server on this machine, without TLS.
func NewMailServer(t testing.TB) *MailServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // it does not wait
	if err != nil {
		t.Fatalf("testkit: %v", err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	m := &MailServer{URL: fmt.Sprintf("smtp://%s?from=nao-responda@example.com", listener.Addr())}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go m.serve(conn)
		}
	}()
	return m
}

// Messages are those that were handed over so far: the commands of the
// envelope, then the message as it came.
func (m *MailServer) Messages() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]string(nil), m.messages...)
}

func (m *MailServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	var message strings.Builder
	inData := false
	say("220 testkit")
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		command := strings.ToUpper(strings.TrimSpace(line))
		switch {
		case inData && command == ".":
			inData = false
			m.take(message.String())
			message.Reset()
			say("250 taken")
		case inData:
			message.WriteString(line)
		case strings.HasPrefix(command, "EHLO"):
			say("250 testkit")
		case command == "DATA":
			inData = true
			say("354 go on")
		case command == "QUIT":
			say("221 bye")
			return
		default:
			message.WriteString(line)
			say("250 fine")
		}
	}
}

func (m *MailServer) take(message string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.messages = append(m.messages, message)
}
