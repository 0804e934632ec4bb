package embedded

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// postmaster is what a server writes into postmaster.pid, in the order of
// PostgreSQL's miscadmin.h: process, data folder, start time, port, socket
// folder, address, shared memory, status.
type postmaster struct {
	pid   int
	port  int
	ready bool
}

// readPostmaster reports false while there is no complete file. The file proves
// nothing by itself: a killed server leaves it behind.
func readPostmaster(clusterDir string) (postmaster, bool) {
	content, err := os.ReadFile(postmasterFile(clusterDir))
	if err != nil {
		return postmaster{}, false
	}
	lines := strings.Split(string(content), "\n")
	if len(lines) < 4 {
		return postmaster{}, false
	}
	pid, pidErr := strconv.Atoi(strings.TrimSpace(lines[0]))
	port, portErr := strconv.Atoi(strings.TrimSpace(lines[3]))
	ready := len(lines) > 7 && strings.TrimSpace(lines[7]) == "ready"
	return postmaster{pid: pid, port: port, ready: ready}, pidErr == nil && portErr == nil && pid > 0
}

func postmasterFile(clusterDir string) string {
	return filepath.Join(clusterDir, "postmaster.pid")
}

// state is our own note about the server that runs, for those who adopt it (and
// for people who look for the port).
type state struct {
	PID    int    `json:"pid"`
	Port   int    `json:"port"`
	BinDir string `json:"bin_dir"`
}

func stateFile(dataDir string) string { return filepath.Join(dataDir, "postgres-state.json") }

func writeState(dataDir string, s state) error {
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return writeFile(stateFile(dataDir), append(content, '\n'))
}

// readState reports false unless the note is about pm: an older server's note
// says nothing about this one.
func readState(dataDir string, pm postmaster) (state, bool) {
	content, err := os.ReadFile(stateFile(dataDir))
	if err != nil {
		return state{}, false
	}
	var s state
	if err := json.Unmarshal(content, &s); err != nil {
		return state{}, false
	}
	return s, s.PID == pm.pid && s.Port == pm.port
}
