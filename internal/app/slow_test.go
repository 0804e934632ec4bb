package app_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"fatureihoje/internal/testkit"
)

// TestServer_LetsASlowClientGo: a client that never ends its headers or its
// body holds neither a connection nor, without an answer, its key.
func TestServer_LetsASlowClientGo(t *testing.T) {
	t.Parallel()
	srv := testkit.New(t)
	key, idem := srv.Tenant(t).Key(t), testkit.NewKey()
	public := srv.App.PublicServer(time.Minute)
	for name, limit := range map[string]time.Duration{
		"headers": public.ReadHeaderTimeout, "body": public.ReadTimeout, "response": public.WriteTimeout, "idle": public.IdleTimeout,
	} {
		if limit <= 0 || limit > 3*time.Minute {
			t.Errorf("the limit of the %s is %s", name, limit)
		}
	}
	if public.WriteTimeout < public.ReadTimeout+time.Minute {
		t.Errorf("a slow body (%s) leaves a request no time to answer (%s)", public.ReadTimeout, public.WriteTimeout)
	}
	public.ReadHeaderTimeout, public.ReadTimeout = 200*time.Millisecond, 300*time.Millisecond
	address := listen(t, public)

	head := "POST /public/v1/clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key.Secret +
		"\r\nIdempotency-Key: " + idem + "\r\nContent-Type: application/json\r\n"
	cut(t, address, head)
	status := cut(t, address, head+"Content-Length: 100\r\n\r\n{\"name\":")

	if status != http.StatusBadRequest {
		t.Errorf("the slow body got %d", status)
	}
	if state := key.State(t, idem); state != "absent" {
		t.Errorf("the key is %s", state)
	}
	key.Post(t, "/clients", testkit.M{"name": "Ana"}, testkit.Key(idem)).Want(t, 201)
}

func listen(t *testing.T, s *http.Server) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { _ = s.Close() })
	return l.Addr().String()
}

// cut sends a beginning and nothing more, and returns the status of what comes
// back before the server closes, 0 without one.
func cut(t *testing.T, address, beginning string) int {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if err := conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := fmt.Fprint(conn, beginning); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(conn)
	response, err := http.ReadResponse(r, nil)
	if err != nil {
		return 0
	}
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	if _, err := io.Copy(io.Discard, r); err != nil {
		t.Errorf("the connection stays open: %v", err)
	}
	return response.StatusCode
}
