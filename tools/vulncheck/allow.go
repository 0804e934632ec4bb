package main

import (
	"bufio"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// An exception lets one vulnerability through until the end of a day.
type exception struct {
	id      string
	lastDay time.Time
	reason  string
}

var idPattern = regexp.MustCompile(`^GO-\d{4}-\d{4,}$`)

// parseExceptions reads the allow-list: "ID last-day reason", one a line, with
// blank lines and lines that start with # left out. It refuses a line without a
// reason and an ID that stands twice.
func parseExceptions(r io.Reader) (map[string]exception, error) {
	exceptions := map[string]exception{}
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parseException(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		if _, twice := exceptions[e.id]; twice {
			return nil, fmt.Errorf("line %d: %s stands twice", n, e.id)
		}
		exceptions[e.id] = e
	}
	return exceptions, lines.Err()
}

func parseException(line string) (exception, error) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return exception{}, fmt.Errorf("want an ID, a last day and a reason, got %q", line)
	}
	if !idPattern.MatchString(fields[0]) {
		return exception{}, fmt.Errorf("%q is no ID of the Go vulnerability database", fields[0])
	}
	lastDay, err := time.Parse(time.DateOnly, fields[1])
	if err != nil {
		return exception{}, fmt.Errorf("last day of %s: %w", fields[0], err)
	}
	return exception{id: fields[0], lastDay: lastDay, reason: strings.Join(fields[2:], " ")}, nil
}

// expired reports whether the exception's last day is over at the instant now.
func (e exception) expired(now time.Time) bool {
	return !now.Before(e.lastDay.AddDate(0, 0, 1))
}
