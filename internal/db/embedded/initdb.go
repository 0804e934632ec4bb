package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// attemptMark is in the name of folders that are not a cluster yet.
const attemptMark = ".initdb-"

// ensureCluster makes the cluster of bin's version unless there is one. It is
// made under another name and renamed when complete, so a process killed in
// between leaves nothing that looks like a cluster.
func ensureCluster(ctx context.Context, s site, bin binaries, fresh bool) error {
	removeLeftovers(s)
	if s.existingMajor() == bin.major {
		return nil
	}
	s.log.InfoContext(ctx, "making a new database cluster", "folder", s.clusterDir(bin.major), "user", s.account.name)
	password, err := ensurePassword(s.dataDir)
	if err != nil {
		return err
	}
	err = makeCluster(ctx, s, bin, clusterSpec{password: password, locale: "C.UTF-8", fresh: fresh})
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return fmt.Errorf("make cluster: %w", ctx.Err())
	}
	// Some systems have no C.UTF-8. Anything else that is wrong fails again.
	err = makeCluster(ctx, s, bin, clusterSpec{password: password, locale: "C", fresh: fresh})
	if err != nil {
		return fmt.Errorf("make cluster: %w", err)
	}
	return nil
}

type clusterSpec struct {
	password string
	locale   string
	fresh    bool
}

func makeCluster(ctx context.Context, s site, bin binaries, spec clusterSpec) error {
	target := s.clusterDir(bin.major)
	attempt, err := os.MkdirTemp(s.home, filepath.Base(target)+attemptMark)
	if err != nil {
		return err
	}
	defer os.RemoveAll(attempt)
	pwfile := filepath.Join(attempt, "pwfile")
	if err := writeFile(pwfile, []byte(spec.password+"\n")); err != nil {
		return err
	}
	// From here on only the account (and root) sees what is inside.
	if err := errors.Join(s.account.give(pwfile), s.account.give(attempt)); err != nil {
		return err
	}
	data := filepath.Join(attempt, "data")
	if err := runInitdb(ctx, s.account, bin, initdbArgs(data, pwfile, spec)); err != nil {
		return err
	}
	if err := os.Rename(data, target); err != nil {
		return err
	}
	return syncFolder(s.home)
}

func initdbArgs(data, pwfile string, spec clusterSpec) []string {
	args := []string{
		"--pgdata=" + data,
		"--username=" + ownerRole,
		"--pwfile=" + pwfile,
		"--auth=scram-sha-256",
		"--encoding=UTF8",
		"--locale=" + spec.locale,
		"--data-checksums",
		"--no-instructions",
	}
	if spec.fresh {
		args = append(args, "--no-sync")
	}
	return args
}

// runInitdb keeps its thread for as long as initdb runs: the death of the thread
// that forked it is what kills it when this process dies.
func runInitdb(ctx context.Context, a account, bin binaries, args []string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, filepath.Join(bin.dir, "initdb"), args...)
	cmd.Dir = "/"
	cmd.Env = serverEnv()
	cmd.SysProcAttr = procAttr(a, syscall.SIGKILL)
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, lastLines(string(out), 10))
	}
	return nil
}

// serverEnv keeps this process's PG* variables and locale away from the server.
func serverEnv() []string {
	env := []string{"LC_ALL=C"}
	for _, name := range []string{"PATH", "TZ", "LD_LIBRARY_PATH"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// removeLeftovers deletes what killed starts left, under the lock. One that is
// still being written by a dying initdb is left for the next start.
func removeLeftovers(s site) {
	for _, pattern := range []string{"postgres-*" + attemptMark + "*", "postgres-bin-*" + unpackMark + "*"} {
		found, _ := fs.Glob(os.DirFS(s.home), pattern)
		for _, name := range found {
			if err := os.RemoveAll(filepath.Join(s.home, name)); err != nil {
				s.log.Warn("leftover of an earlier start can't be removed", "folder", name, "error", err)
			}
		}
	}
}

func syncFolder(dir string) error {
	folder, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func firstLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[:min(n, len(lines))], "\n")
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
