package testkit

import (
	"bytes"
	"strings"
	"sync"
)

// logBuffer is what a server has logged, as JSON lines. It is safe for
// concurrent use.
type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// linesWith returns the lines that hold a text, such as a request's id.
func (l *logBuffer) linesWith(text string) string {
	var found []string
	for line := range strings.Lines(l.String()) {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return strings.Join(found, "")
}
