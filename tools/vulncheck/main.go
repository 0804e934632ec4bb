// Vulncheck runs govulncheck against a local database and fails on each
// vulnerability that our code calls and that the allow-list does not excuse.
//
//	vulncheck -govulncheck BIN -db DIR -allow FILE [packages]
//
// It exits with 1 for a vulnerability or an expired line of the allow-list, and
// with 2 if the check itself could not be made. Vulnerabilities in code that is
// only imported or only required are counted, not failed: govulncheck knows that
// no call leads there.
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	var c check
	flag.StringVar(&c.govulncheck, "govulncheck", "govulncheck", "the govulncheck program")
	flag.StringVar(&c.database, "db", "", "folder of the vulnerability database, as indexdb writes it")
	flag.StringVar(&c.allowList, "allow", "", "file of the excused vulnerabilities")
	flag.Parse()
	c.packages = flag.Args()
	if len(c.packages) == 0 {
		c.packages = []string{"./..."}
	}

	passed, err := c.run(context.Background(), os.Stdout, time.Now())
	if err != nil {
		fmt.Fprintln(os.Stderr, "vulncheck:", err)
		os.Exit(2)
	}
	if !passed {
		os.Exit(1)
	}
}

// A check is one run over some packages of the module in the working directory.
type check struct {
	govulncheck string
	database    string
	allowList   string
	packages    []string
}

// run reports to w and says whether the code passes at the instant now.
func (c check) run(ctx context.Context, w io.Writer, now time.Time) (bool, error) {
	exceptions, err := c.readExceptions()
	if err != nil {
		return false, err
	}
	found, err := c.scan(ctx)
	if err != nil {
		return false, err
	}
	return report(w, found, exceptions, now), nil
}

func (c check) readExceptions() (map[string]exception, error) {
	file, err := os.Open(c.allowList)
	if err != nil {
		return nil, fmt.Errorf("open allow-list: %w", err)
	}
	defer file.Close()
	exceptions, err := parseExceptions(file)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", c.allowList, err)
	}
	return exceptions, nil
}

func (c check) scan(ctx context.Context) (scan, error) {
	database, err := filepath.Abs(c.database)
	if err != nil {
		return scan{}, fmt.Errorf("find database: %w", err)
	}
	args := append([]string{"-format", "json", "-db", "file://" + database}, c.packages...)
	command := exec.CommandContext(ctx, c.govulncheck, args...)
	var output bytes.Buffer
	command.Stdout = &output
	command.Stderr = os.Stderr
	// In JSON format it exits with 0 whatever it finds, so this is a failure to
	// look: code that does not compile, no database.
	if err := command.Run(); err != nil {
		return scan{}, fmt.Errorf("run govulncheck: %w", err)
	}
	return readScan(&output)
}

// report writes what was found and says whether it passes.
func report(w io.Writer, found scan, exceptions map[string]exception, now time.Time) bool {
	passed := true
	excused := 0
	uncalled := 0
	for _, id := range slices.Sorted(maps.Keys(found.vulnerabilities)) {
		v := found.vulnerabilities[id]
		e, listed := exceptions[id]
		switch {
		case v.reach != reachCalled:
			uncalled++
		case listed && !e.expired(now):
			excused++
		default:
			passed = false
			describe(w, v)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(exceptions)) {
		e := exceptions[id]
		v := found.vulnerabilities[id]
		switch {
		case e.expired(now):
			passed = false
			fmt.Fprintf(w, "%s: excused until %s only; look again (%s)\n", id, e.lastDay.Format(time.DateOnly), e.reason)
		case v == nil || v.reach != reachCalled:
			fmt.Fprintf(w, "%s: excused, but nothing calls it any more; delete its line\n", id)
		}
	}
	verdict := "passed"
	if !passed {
		verdict = "failed"
	}
	fmt.Fprintf(w, "vulncheck %s: %s, %d excused, %d in code that nothing calls\n",
		verdict, found.goVersion, excused, uncalled)
	return passed
}

func describe(w io.Writer, v *vulnerability) {
	fmt.Fprintf(w, "%s: %s\n", v.id, v.summary)
	fmt.Fprintf(w, "    in     %s@%s\n", v.module, v.version)
	fmt.Fprintf(w, "    fixed  %s\n", cmp.Or(v.fixed, "not yet"))
	fmt.Fprintf(w, "    calls  %s\n", strings.Join(v.calls, "\n           "))
}
