// Package etag makes the entity tags of the API and reads the preconditions
// that quote them (RFC 9110, sections 8.8.3 and 13).
//
// A tag holds the object's version and a hash of the body as this caller sees
// it: "v3-1f2e3d4c5b6a7988". Writes compare the version alone, reads the whole.
package etag

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"

	"fatureihoje/internal/problem"
)

// hashBytes is how much of the body's SHA-256 a tag carries.
const hashBytes = 8

// Of returns the strong tag of a body at a version.
func Of(version int64, body []byte) string {
	sum := sha256.Sum256(body)
	return `"v` + strconv.FormatInt(version, 10) + "-" + hex.EncodeToString(sum[:hashBytes]) + `"`
}

// Match is an If-Match header. The zero value is an absent one, which every version satisfies.
type Match struct {
	present  bool
	anything bool
	versions []int64
}

// ParseMatch reads the header's values. A tag that is not ours matches nothing.
// A weak tag is read by its version, since proxies that compress weaken tags.
func ParseMatch(values []string) Match {
	m := Match{present: len(values) > 0}
	for _, tag := range split(values) {
		if tag == "*" {
			m.anything = true
		}
		if v, ok := version(tag); ok {
			m.versions = append(m.versions, v)
		}
	}
	return m
}

// Check returns a 412 problem unless the header allows a write on this version.
func (m Match) Check(current int64) error {
	if !m.present || m.anything {
		return nil
	}
	for _, v := range m.versions {
		if v == current {
			return nil
		}
	}
	return &problem.Error{Code: problem.PreconditionFailed}
}

// NoneMatch reports whether an If-None-Match header names tag, so that a GET answers 304.
func NoneMatch(values []string, tag string) bool {
	for _, t := range split(values) {
		if t == "*" || strings.TrimPrefix(t, "W/") == tag {
			return true
		}
	}
	return false
}

func split(values []string) []string {
	var tags []string
	for _, v := range values {
		for t := range strings.SplitSeq(v, ",") {
			if t = strings.TrimSpace(t); t != "" {
				tags = append(tags, t)
			}
		}
	}
	return tags
}

func version(tag string) (int64, bool) {
	tag = strings.TrimPrefix(tag, "W/")
	inner, ok := strings.CutPrefix(tag, `"v`)
	if !ok || !strings.HasSuffix(inner, `"`) {
		return 0, false
	}
	number, _, ok := strings.Cut(inner, "-")
	if !ok {
		return 0, false
	}
	v, err := strconv.ParseInt(number, 10, 64)
	return v, err == nil
}
