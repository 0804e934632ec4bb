package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A reach says how close our code comes to a vulnerability.
type reach int

const (
	reachModule  reach = iota // a module we need holds it
	reachPackage              // a package we import holds it
	reachCalled               // a function we call leads to it
)

// A vulnerability is what govulncheck found about one ID, at its closest.
type vulnerability struct {
	id      string
	summary string
	reach   reach
	module  string
	version string
	fixed   string   // first version without it, empty if there is none
	calls   []string // from our code down to the vulnerable function
}

// message is the part of govulncheck's JSON output that is used here. The
// output is a stream of them, each with one member set.
type message struct {
	Config *struct {
		GoVersion string `json:"go_version"`
	} `json:"config"`
	OSV *struct {
		ID      string `json:"id"`
		Summary string `json:"summary"`
	} `json:"osv"`
	Finding *finding `json:"finding"`
}

// finding.Trace begins at the vulnerable symbol and ends in our code. Its first
// frame lacks the function if nothing of ours calls it, and the package if
// nothing imports it.
type finding struct {
	OSV          string  `json:"osv"`
	FixedVersion string  `json:"fixed_version"`
	Trace        []frame `json:"trace"`
}

type frame struct {
	Module   string `json:"module"`
	Version  string `json:"version"`
	Package  string `json:"package"`
	Function string `json:"function"`
	Receiver string `json:"receiver"`
}

// A scan is the whole of one govulncheck run.
type scan struct {
	goVersion       string
	vulnerabilities map[string]*vulnerability
}

// readScan reads govulncheck's JSON stream. A stream without a config message
// is an error: it is no output of govulncheck, so it proves nothing.
func readScan(r io.Reader) (scan, error) {
	s := scan{vulnerabilities: map[string]*vulnerability{}}
	summaries := map[string]string{}
	configured := false
	for decoder := json.NewDecoder(r); ; {
		var m message
		err := decoder.Decode(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return scan{}, fmt.Errorf("read govulncheck's output: %w", err)
		}
		switch {
		case m.Config != nil:
			configured = true
			s.goVersion = m.Config.GoVersion
		case m.OSV != nil:
			summaries[m.OSV.ID] = m.OSV.Summary
		case m.Finding != nil:
			s.add(*m.Finding)
		}
	}
	if !configured {
		return scan{}, errors.New("govulncheck's output holds no config message")
	}
	for id, v := range s.vulnerabilities {
		v.summary = summaries[id]
	}
	return s, nil
}

func (s scan) add(f finding) {
	if len(f.Trace) == 0 {
		return
	}
	found := &vulnerability{
		id:      f.OSV,
		reach:   f.reach(),
		module:  f.Trace[0].Module,
		version: f.Trace[0].Version,
		fixed:   f.FixedVersion,
		calls:   f.calls(),
	}
	if known, ok := s.vulnerabilities[f.OSV]; !ok || found.reach > known.reach {
		s.vulnerabilities[f.OSV] = found
	}
}

func (f finding) reach() reach {
	switch vulnerable := f.Trace[0]; {
	case vulnerable.Function != "":
		return reachCalled
	case vulnerable.Package != "":
		return reachPackage
	default:
		return reachModule
	}
}

func (f finding) calls() []string {
	var calls []string
	for i := len(f.Trace) - 1; i >= 0; i-- {
		call := f.Trace[i]
		if call.Function == "" {
			continue
		}
		name := call.Function
		if call.Receiver != "" {
			name = call.Receiver + "." + name
		}
		calls = append(calls, call.Package+"."+name)
	}
	return calls
}
