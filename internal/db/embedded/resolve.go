package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	oldestMajor  = 15
	probeTimeout = 10 * time.Second
)

// Binaries returns the folder of the PostgreSQL programs that Start would use
// for dataDir, without starting anything. It may download them into dataDir.
func Binaries(ctx context.Context, dataDir string, log *slog.Logger) (string, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s, unlock, err := enter(ctx, dataDir, log)
	if err != nil {
		return "", fmt.Errorf("find postgres: %w", err)
	}
	defer unlock()
	bin, err := newResolver(s).find(ctx, s.existingMajor())
	if err != nil {
		return "", fmt.Errorf("find postgres: %w", err)
	}
	return bin.dir, nil
}

// binaries are the programs of one PostgreSQL version.
type binaries struct {
	dir   string
	major int
}

// resolver knows where to look for binaries. Empty fields are not looked at.
type resolver struct {
	pgConfig string   // program that prints the folder
	globs    []string // folders of systems that install versions side by side
	path     string   // list of folders, as in PATH
	npm      string   // program that downloads
	site     site
}

func newResolver(s site) resolver {
	return resolver{
		pgConfig: "pg_config",
		globs: []string{
			"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
			"/usr/pgsql-*/bin",          // PostgreSQL's own RPMs
			"/opt/homebrew/opt/postgresql@*/bin",
			"/usr/local/opt/postgresql@*/bin",
		},
		path: os.Getenv("PATH"),
		npm:  "npm",
		site: s,
	}
}

// find returns the first usable binaries of the chain: local ones, then npm's.
// A wanted major of 0 takes any that is new enough; an existing cluster can only
// be served by its own.
func (r resolver) find(ctx context.Context, wanted int) (binaries, error) {
	missing := &missingError{wanted: wanted}
	for _, dir := range r.localDirs(ctx) {
		bin, err := r.probe(ctx, dir)
		if err == nil {
			err = suits(bin.major, wanted)
		}
		if err == nil {
			return bin, nil
		}
		missing.tried = append(missing.tried, fmt.Sprintf("%s: %v", dir, err))
	}
	bin, err := r.fromNPM(ctx, wanted)
	if ctx.Err() != nil {
		return binaries{}, fmt.Errorf("find binaries: %w", ctx.Err())
	}
	if err != nil {
		missing.tried = append(missing.tried, fmt.Sprintf("npm: %v", err))
		missing.cause = err
		return binaries{}, missing
	}
	return bin, nil
}

func suits(major, wanted int) error {
	switch {
	case wanted != 0 && major != wanted:
		return fmt.Errorf("is version %d, the data folder needs %d", major, wanted)
	case major < oldestMajor:
		return fmt.Errorf("is version %d, too old", major)
	}
	return nil
}

// localDirs lists the folders that have a postgres program, best first.
func (r resolver) localDirs(ctx context.Context) []string {
	var dirs []string
	if r.pgConfig != "" {
		if out, err := exec.CommandContext(ctx, r.pgConfig, "--bindir").Output(); err == nil {
			dirs = append(dirs, strings.TrimSpace(string(out)))
		}
	}
	dirs = append(dirs, newestFirst(r.globs)...)
	dirs = append(dirs, filepath.SplitList(r.path)...)
	seen := map[string]bool{}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "postgres"))
		duplicate := seen[dir]
		seen[dir] = true
		return err != nil || duplicate || !filepath.IsAbs(dir)
	})
}

func newestFirst(globs []string) []string {
	version := regexp.MustCompile(`(\d+)[^/]*/bin$`)
	major := func(dir string) int {
		found := version.FindStringSubmatch(dir)
		if found == nil {
			return 0
		}
		n, _ := strconv.Atoi(found[1])
		return n
	}
	var dirs []string
	for _, glob := range globs {
		found, _ := filepath.Glob(glob)
		dirs = append(dirs, found...)
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return major(b) - major(a) })
	return dirs
}

// probe asks the program itself for its version, as the user that is to run it:
// one in a closed folder, or built for another system, is no use.
func (r resolver) probe(ctx context.Context, dir string) (binaries, error) {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return binaries{}, errors.New("has no initdb")
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version")
	cmd.Dir = "/"
	cmd.Env = serverEnv()
	cmd.SysProcAttr = procAttr(r.site.account, 0)
	out, err := cmd.CombinedOutput()
	if err != nil {
		return binaries{}, fmt.Errorf("does not run: %w %s", err, lastLines(string(out), 1))
	}
	found := regexp.MustCompile(`\(PostgreSQL\) (\d+)`).FindStringSubmatch(string(out))
	if found == nil {
		return binaries{}, fmt.Errorf("is no PostgreSQL: %q", lastLines(string(out), 1))
	}
	major, err := strconv.Atoi(found[1])
	return binaries{dir: dir, major: major}, err
}
