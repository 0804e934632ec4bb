package mail

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/smtp"
	"net/url"
	"strings"
	"time"

	"fatureihoje/internal/clock"
	"fatureihoje/internal/id"
	"fatureihoje/internal/text"
)

// server is a mail server that messages are handed to.
type server struct {
	address  string // host:port
	host     string
	implicit bool // TLS from the first byte, as port 465 has it
	user     string
	password string
	from     string
	clock    clock.Clock
}

// errURL does not quote the URL, which holds a password.
var errURL = errors.New("FH_SMTP_URL: want smtp://user:password@host:587?from=address, or smtps:// for TLS from the first byte")

func parseURL(raw string) (*server, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errURL
	}
	s := &server{host: u.Hostname(), implicit: u.Scheme == "smtps", user: u.User.Username(), clock: clock.System{}}
	s.password, _ = u.User.Password()
	port := u.Port()
	if port == "" {
		port = map[bool]string{false: "587", true: "465"}[s.implicit]
	}
	s.address = net.JoinHostPort(s.host, port)
	if s.from = u.Query().Get("from"); s.from == "" {
		s.from = s.user
	}
	if text.ValidEmail(s.from) != nil {
		return nil, fmt.Errorf("%w: the sender's address is missing", errURL)
	}
	return s, nil
}

// send hands one message over. A server on another machine must speak TLS, or
// nothing is sent.
func (s *server) send(ctx context.Context, m Message) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	defer func() { _ = conn.Close() }()
	if deadline, ok := ctx.Deadline(); ok {
		if err := conn.SetDeadline(deadline); err != nil {
			return fmt.Errorf("reach the mail server: %w", err)
		}
	}
	c, err := smtp.NewClient(conn, s.host)
	if err != nil {
		return fmt.Errorf("greet the mail server: %w", err)
	}
	if err := s.authenticate(c); err != nil {
		return err
	}
	return s.hand(c, m)
}

func (s *server) dial(ctx context.Context) (net.Conn, error) {
	if s.implicit {
		d := tls.Dialer{Config: s.tls()}
		return d.DialContext(ctx, "tcp", s.address)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", s.address)
}

func (s *server) tls() *tls.Config {
	return &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}
}

func (s *server) authenticate(c *smtp.Client) error {
	if offered, _ := c.Extension("STARTTLS"); offered && !s.implicit {
		if err := c.StartTLS(s.tls()); err != nil {
			return fmt.Errorf("secure the connection to the mail server: %w", err)
		}
	} else if !s.implicit && !s.local() {
		return errors.New("the mail server offers no STARTTLS")
	}
	if s.user == "" || s.password == "" {
		return nil
	}
	if err := c.Auth(smtp.PlainAuth("", s.user, s.password, s.host)); err != nil {
		return fmt.Errorf("sign in to the mail server: %w", err)
	}
	return nil
}

func (s *server) local() bool {
	ip := net.ParseIP(s.host)
	return s.host == "localhost" || ip != nil && ip.IsLoopback()
}

func (s *server) hand(c *smtp.Client, m Message) error {
	if err := errors.Join(c.Mail(s.from), c.Rcpt(m.To)); err != nil {
		return fmt.Errorf("address the message: %w", err)
	}
	w, err := c.Data()
	if err != nil {
		return fmt.Errorf("begin the message: %w", err)
	}
	if _, err = w.Write(s.compose(m)); err == nil {
		err = w.Close()
	}
	if err != nil {
		return fmt.Errorf("hand over the message: %w", err)
	}
	_ = c.Quit() // the message is the server's already
	return nil
}

// compose writes the message. What people have typed stands only in an encoded
// word or in the body, so no line break in it can become a header.
func (s *server) compose(m Message) []byte {
	var b bytes.Buffer
	headers := []string{
		"From: Faturei Hoje <" + s.from + ">",
		"To: <" + m.To + ">",
		"Subject: " + mime.QEncoding.Encode("utf-8", strings.Join(strings.Fields(m.Subject), " ")),
		"Date: " + s.clock.Now().Format(time.RFC1123Z),
		"Message-ID: <" + id.New().String() + "@" + s.from[strings.LastIndexByte(s.from, '@')+1:] + ">",
		"MIME-Version: 1.0",
		"Content-Type: text/plain; charset=utf-8",
		"Content-Transfer-Encoding: quoted-printable",
		"Auto-Submitted: auto-generated",
	}
	b.WriteString(strings.Join(headers, "\r\n") + "\r\n\r\n")
	q := quotedprintable.NewWriter(&b)
	_, _ = q.Write([]byte(m.Text)) // a buffer takes everything
	_ = q.Close()
	return b.Bytes()
}
