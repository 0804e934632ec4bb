package mail_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime/quotedprintable"
	"strings"
	"sync"
	"testing"

	"fatureihoje/internal/mail"
	"fatureihoje/internal/testkit"
)

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

func TestSend_WritesNoHeaderThatAPersonTyped(t *testing.T) {
	t.Parallel()
	server := testkit.NewMailServer(t)
	outbox, err := mail.NewOutbox(server.URL, quiet())
	if err != nil {
		t.Fatal(err)
	}

	err = outbox.Send(t.Context(), mail.Message{
		To: "ana@example.com", Subject: "Convite para Açaí\r\nBcc: todos@example.com", Text: "Olá.\n.\nAté já: http://x/?token=a=b\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	envelope, rest, _ := strings.Cut(server.Messages()[0], "From: ")
	header, body, _ := strings.Cut(rest, "\r\n\r\n")
	if !strings.Contains(envelope, "RCPT TO:<ana@example.com>") || strings.Contains(header, "\nBcc:") {
		t.Errorf("the message is %q", server.Messages()[0])
	}
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(body)))
	if err != nil || !strings.Contains(string(text), "token=a=b") {
		t.Errorf("the text is %q, %v", text, err)
	}
}

func TestSend_RefusesAServerElsewhereWithoutTLS(t *testing.T) {
	t.Parallel()
	server := testkit.NewMailServer(t)
	address := strings.NewReplacer("127.0.0.1", "ip6-localhost.invalid").Replace(server.URL)
	outbox, err := mail.NewOutbox(address, quiet())
	if err != nil {
		t.Fatal(err)
	}

	if err := outbox.Send(t.Context(), mail.Message{To: "ana@example.com"}); err == nil || len(server.Messages()) != 0 {
		t.Errorf("got %v", err)
	}
}

func TestNewOutbox_RefusesAWrongURLWithoutQuotingIt(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"http://u:segredo@mail.example.com", "smtp://u:segredo@mail.example.com", "smtp://:segredo@?from=a@b.example", "segredo"} {
		_, err := mail.NewOutbox(url, quiet())
		if err == nil || strings.Contains(err.Error(), "segredo") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestLater_DropsWhatIsTooMuchAndSaysSo(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	outbox, err := mail.NewOutbox("", slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	open := make(chan struct{})
	ran := 0
	var mu sync.Mutex

	for range 100 {
		outbox.Later("test", func(context.Context) error {
			<-open
			mu.Lock()
			defer mu.Unlock()
			ran++
			return errors.New("nobody is there")
		})
	}
	close(open)
	outbox.Wait()

	if ran != 64 || strings.Count(log.String(), "one was dropped") != 36 || !strings.Contains(log.String(), "nobody is there") {
		t.Errorf("%d ran; logged: %s", ran, log.String())
	}
}
