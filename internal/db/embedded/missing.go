package embedded

import (
	"fmt"
	"strings"
)

// missingError is the one screen for someone whose machine has no PostgreSQL:
// what was tried, and what to do.
type missingError struct {
	wanted int // 0: any supported version
	tried  []string
	cause  error
}

func (e *missingError) Unwrap() error { return e.cause }

func (e *missingError) Error() string {
	var b strings.Builder
	if e.wanted == 0 {
		fmt.Fprintf(&b, "no PostgreSQL %d or newer was found on this machine, and none could be downloaded.\n", oldestMajor)
	} else {
		fmt.Fprintf(&b, "the data folder was made by PostgreSQL %d, and no binaries of that version were found.\n", e.wanted)
	}
	b.WriteString("\nLooked at:\n")
	for _, line := range e.tried {
		fmt.Fprintf(&b, "  - %s\n", strings.ReplaceAll(strings.TrimSpace(line), "\n", "\n    "))
	}
	b.WriteString("\nDo one of these, then start again:\n")
	for _, way := range e.ways() {
		fmt.Fprintf(&b, "  %-16s %s\n", way[0], way[1])
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *missingError) ways() [][2]string {
	const own = "export DATABASE_URL='postgres://user:password@host:5432/database'"
	if e.wanted == 0 {
		return [][2]string{
			{"Debian, Ubuntu:", "sudo apt-get install postgresql"},
			{"Fedora:", "sudo dnf install postgresql-server"},
			{"macOS:", "brew install postgresql@17"},
			{"Linux with npm:", "nothing to install, but npm must reach its registry"},
			{"your own server:", own},
		}
	}
	return [][2]string{
		{"Debian, Ubuntu:", fmt.Sprintf("sudo apt-get install postgresql-%d", e.wanted)},
		{"Fedora:", fmt.Sprintf("sudo dnf install postgresql%d-server", e.wanted)},
		{"macOS:", fmt.Sprintf("brew install postgresql@%d", e.wanted)},
		{"begin empty:", "choose another FH_DATA_DIR"},
		{"your own server:", own},
	}
}
